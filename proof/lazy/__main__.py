# SPDX-License-Identifier: MIT
"""Sweep lazy_ceiling.h: an arrival at every instruction, and at every pair, on two processors.

Both halves of the header are compiled as in libplafond and plafond.ko. Unicorn executes them under
a model of one CPU of Linux. Then come the paper's literal forms, as fixtures. The flat form holds.
The nested form has faults, and the shortest way to each of three is printed. Exit code: 0 all is as
expected, 1 a rule is broken or a fault is not found, 2 could not run.

Examples:
  python -m proof.lazy
  python -m proof.lazy --mutants
  python -m proof.lazy --isa aarch64 --scenario flat --format json
"""

from __future__ import annotations

import sys
from dataclasses import asdict

from proof.boundary.claim import Claim, Mutated
from proof.boundary.command import Found, Options, Program, run
from proof.lazy.faults import BY_HAND, HABITS
from proof.lazy.literal import FAULTS, FLAT, REPAIRED, SCOPE, Finding, find
from proof.lazy.scenarios import SUBJECTS

LAZY = Claim(
    "lazy-ceiling",
    SCOPE,
    SUBJECTS,
    "proof/lazy/equivalent.toml",
    (Mutated("protocol/lazy_ceiling.h"),),
    BY_HAND,
    HABITS,
)


def _print(finding: Finding) -> None:
    verdict = "as expected" if finding.is_expected else "NOT AS EXPECTED"
    print(f"\nnested literal form, {finding.fault}, the other faults repaired")
    print(*(f"  {line}" for line in finding.trace), sep="\n")
    print(f"  arrivals: {finding.arrivals}, on {' and '.join(finding.isas)}: {verdict}")


def _literal(wanted: Options) -> tuple[bool, Found]:
    """Search the faults of the literal form separately."""
    is_looked_for = not wanted.scenario and wanted.extent.takes(is_small=True)
    findings = [find(fault, wanted.isas) for fault in FAULTS] if is_looked_for else []
    if wanted.as_table:
        for finding in findings:
            _print(finding)
    return all(f.is_expected for f in findings), {"literal": [asdict(f) for f in findings]}


if __name__ == "__main__":
    sys.exit(run(Program("proof.lazy", __doc__, (LAZY, FLAT, REPAIRED), _literal)))
