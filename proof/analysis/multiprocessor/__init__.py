# SPDX-License-Identifier: MIT
"""Compare the tests of EDF on several processors with every schedule of small task sets."""
