# SPDX-License-Identifier: MIT
"""Two cores with the kernel: any of them takes the next step, at every instruction.

The kernel of several cores is compiled as shipped, and executed in Unicorn. Interrupts of the other
core come at any later boundary. On x86-64 each core has a store buffer. On AArch64 it has an
exclusive monitor that stores of the other core clear. Each service must take effect at one instant
between its call and its return. No ready task may be forgotten, and no core may wait for ever.

Exit code: 0 if all is as it should be, 1 if a rule is broken or a fault is not found, 2 if it could
not run.

Examples:
  python -m proof.cores
  python -m proof.cores --mutants --only event_word
  python -m proof.cores --isa aarch64 --scenario set --format json
"""

from __future__ import annotations

import sys

from proof.boundary.command import Program, run
from proof.cores.claims import CLAIMS

if __name__ == "__main__":
    sys.exit(run(Program("proof.cores", __doc__, CLAIMS, check="cores")))
