# SPDX-License-Identifier: MIT
"""Compares the kernel's history with that of a model of the standard, for random systems."""
