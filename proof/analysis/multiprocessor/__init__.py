# SPDX-License-Identifier: MIT
"""The tests of EDF on several processors beside all that small task sets can do."""
