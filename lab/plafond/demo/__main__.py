# SPDX-License-Identifier: MIT
"""Run the demo, as .ci/demo does."""

from plafond.signals import starting

with starting():
    from plafond.demo.show import main

main()
