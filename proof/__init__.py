# SPDX-License-Identifier: MIT
"""Shows that the protocols, the kernel and the analysis are right, and that each check can fail."""
