# SPDX-License-Identifier: MIT
"""The report of a run: tables, pictures, one HTML file, Perfetto traces."""
