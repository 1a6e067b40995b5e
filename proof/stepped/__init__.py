# SPDX-License-Identifier: MIT
"""The libraries on the real kernel, an arrival at every instruction."""
