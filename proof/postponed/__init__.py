# SPDX-License-Identifier: MIT
"""Sweep postponed_ceiling.h on Linux: an arrival at every instruction."""
