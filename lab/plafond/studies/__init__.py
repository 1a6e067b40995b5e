# SPDX-License-Identifier: MIT
"""`plafond bench schedulability`: how many drawn task sets each scheduler can take."""
