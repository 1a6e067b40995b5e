# SPDX-License-Identifier: MIT
"""`plafond bench schedulability`: the share of drawn task sets that each scheduler can schedule."""
