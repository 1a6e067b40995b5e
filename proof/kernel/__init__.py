# SPDX-License-Identifier: MIT
"""The kernel's resource protocols, an arrival at every instruction."""
