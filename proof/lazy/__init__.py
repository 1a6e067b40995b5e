# SPDX-License-Identifier: MIT
"""lazy_ceiling.h on Linux, an arrival at every instruction."""
