# SPDX-License-Identifier: MIT
"""The demo: one task set under four locks, first in virtual time, then on this machine."""
