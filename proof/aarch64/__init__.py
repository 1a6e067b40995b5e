# SPDX-License-Identifier: MIT
"""The library's AArch64 code, with an arrival at every instruction."""
