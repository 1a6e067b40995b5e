# SPDX-License-Identifier: MIT
"""Compare the bounds of the analysis with every schedule of small task sets."""
