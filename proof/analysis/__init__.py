# SPDX-License-Identifier: MIT
"""The bounds of the analysis beside every schedule of small task sets."""
