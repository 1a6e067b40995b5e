# SPDX-License-Identifier: MIT
"""postponed_ceiling.h on Linux, an arrival at every instruction."""
