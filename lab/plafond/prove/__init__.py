# SPDX-License-Identifier: MIT
"""`plafond prove`: every check of proof/, under one roof and in one table."""
