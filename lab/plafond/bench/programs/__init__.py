# SPDX-License-Identifier: MIT
"""`plafond bench programs`: what the drop-in does for real-time programs that lock."""
