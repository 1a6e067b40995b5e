# SPDX-License-Identifier: MIT
"""`plafond preload`: the drop-in under an unmodified program, and `--learn`."""
