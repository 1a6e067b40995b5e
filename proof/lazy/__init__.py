# SPDX-License-Identifier: MIT
"""Sweep lazy_ceiling.h on Linux: an arrival at every instruction."""
