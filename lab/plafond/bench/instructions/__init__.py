# SPDX-License-Identifier: MIT
"""`plafond bench instructions`: what locks cost where instructions can be counted."""
