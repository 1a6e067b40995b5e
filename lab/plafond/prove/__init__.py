# SPDX-License-Identifier: MIT
"""`plafond prove`: run all checks of proof/, and report them in a table."""
