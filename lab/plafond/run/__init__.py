# SPDX-License-Identifier: MIT
"""`plafond run`: execute a description and show what was observed beside the bounds."""
