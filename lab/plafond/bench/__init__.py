# SPDX-License-Identifier: MIT
"""`plafond bench`: measure, on this machine."""
