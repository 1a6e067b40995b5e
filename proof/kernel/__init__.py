# SPDX-License-Identifier: MIT
"""Sweep the kernel's resource protocols: an arrival at every instruction."""
