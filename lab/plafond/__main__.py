# SPDX-License-Identifier: MIT
"""`python -m plafond` is `plafond`."""

from plafond.cli import main

main()
