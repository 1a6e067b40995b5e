# SPDX-License-Identifier: MIT
"""Measure real-time programs that lock, with and without the drop-in: `plafond bench programs`."""
