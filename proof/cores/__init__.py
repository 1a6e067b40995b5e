# SPDX-License-Identifier: MIT
"""Two cores of the kernel, at every instruction."""
