# SPDX-License-Identifier: MIT
"""Sweep the kernel's resource protocols: an arrival at every instruction, and at every pair.

The code is compiled as shipped, and executed in Unicorn: GetResource and ReleaseResource, the
kernel's half, and the portable kernel around it. Spoilt words come at every instruction, too.

Exit code: 0 if all is as it should be, 1 if a rule is broken or a fault is not found, 2 if it could
not run.

Examples:
  python -m proof.kernel
  python -m proof.kernel --mutants --protocol lazy-floor
  python -m proof.kernel --isa aarch64 --scenario flat --format json
"""

from __future__ import annotations

import sys

from proof.boundary.command import Program, run
from proof.kernel.claims import CLAIMS
from proof.kernel.core import core

if __name__ == "__main__":
    sys.exit(run(Program("proof.kernel", __doc__, CLAIMS, rows=core)))
