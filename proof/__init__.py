# SPDX-License-Identifier: MIT
"""Show that the protocols, the kernel and the analysis are right, and that each check can fail."""
