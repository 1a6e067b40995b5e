# SPDX-License-Identifier: MIT
"""What a run has recorded, and what can be read from it."""
