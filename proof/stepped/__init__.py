# SPDX-License-Identifier: MIT
"""The libraries on the real kernel, with an arrival at every instruction."""
