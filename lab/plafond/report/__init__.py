# SPDX-License-Identifier: MIT
"""The report of a run: tables, pictures, an HTML file and Perfetto traces."""
