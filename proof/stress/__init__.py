# SPDX-License-Identifier: MIT
"""The stress run of the library: random threads, every fault."""
