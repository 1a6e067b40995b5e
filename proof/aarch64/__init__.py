# SPDX-License-Identifier: MIT
"""The library's AArch64 code, an arrival at every instruction."""
