# SPDX-License-Identifier: MIT
"""Shows that the models can fail: each fault of the header must break a rule, or a query."""

from __future__ import annotations

import shutil
from pathlib import Path

from plafond.prove.model import Fault

from proof.design.cases import Case, answers
from proof.design.protocols import Proof
from proof.design.spin import PROTOCOL, build, search
from proof.mutation import ByHand, Mutant
from proof.published import killers
from proof.result import KILLED, ROOT, SURVIVED


def _name(case: Case) -> str:
    return f"{case.form}, {case.name}"


def _cases(proof: Proof, mutant: Mutant) -> list[Case]:
    """Those of the header: what found the fault before, then the small ones.

    No controls, which break a rule anyway.
    """
    known = killers(proof.protocol).get(mutant.key, frozenset())
    header = Path(mutant.file).name
    shipped = [c for c in proof.cases if not c.broken and c.form.startswith(header)]
    return sorted(shipped, key=lambda case: (_name(case) not in known, not case.is_small))


def _killer(cases: list[Case], folder: Path, own: Path, protocol: Path) -> str | None:
    """The first case that answers otherwise than it must."""
    for number, case in enumerate(cases):
        program = build(case.model(), folder, own / str(number), protocol, strict=False)
        for row in answers(case, search(program)):
            if not row.is_expected:
                return f"{_name(case)}: {row.found}"
    return None


def fate(proof: Proof, fault: ByHand, folder: Path, own: Path) -> Fault:
    """Put it in, and search."""
    protocol = own / "protocol"
    shutil.copytree(PROTOCOL, protocol)
    target = protocol / Path(fault.file).name
    mutant = fault.mutant(ROOT)
    target.write_bytes(mutant.apply((ROOT / fault.file).read_bytes()))
    try:
        by = _killer(_cases(proof, mutant), folder, own, protocol)
    finally:
        shutil.rmtree(own)
    return Fault(
        mutant=mutant.key,
        verdict=SURVIVED if by is None else KILLED,
        by=by or "",
        line=mutant.line,
    )
