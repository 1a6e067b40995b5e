# SPDX-License-Identifier: MIT
"""Make `python -m plafond` the command `plafond`."""

from plafond.signals import starting

with starting():
    from plafond.cli import main

main()
