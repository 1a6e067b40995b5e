# SPDX-License-Identifier: MIT
"""`python -m plafond` is `plafond`."""

from plafond.signals import starting

with starting():
    from plafond.cli import main

main()
