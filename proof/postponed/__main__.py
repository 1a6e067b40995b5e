# SPDX-License-Identifier: MIT
"""Sweep postponed_ceiling.h: an arrival at every instruction, and at every pair, on two processors.

Both halves of the header are compiled as in plafond.ko. Unicorn executes them under a model of one
CPU of Linux. Exit code: 0 all is as expected, 1 a rule is broken or a fault is not found, 2 could
not run.

Examples:
  python -m proof.postponed
  python -m proof.postponed --mutants
  python -m proof.postponed --isa aarch64 --scenario flat --format json
"""

from __future__ import annotations

import sys

from proof.boundary.claim import Claim, Mutated
from proof.boundary.command import Program, run
from proof.postponed.faults import BY_HAND, HABITS
from proof.postponed.scenarios import SUBJECTS

POSTPONED = Claim(
    "postponed-ceiling",
    "3 tasks and sections nested to 3",
    SUBJECTS,
    "proof/postponed/equivalent.toml",
    (Mutated("protocol/postponed_ceiling.h"),),
    BY_HAND,
    HABITS,
)

if __name__ == "__main__":
    sys.exit(run(Program("proof.postponed", __doc__, (POSTPONED,))))
