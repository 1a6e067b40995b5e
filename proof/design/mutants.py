# SPDX-License-Identifier: MIT
"""Shows that the models can fail: each fault of the header must break a rule, or a query."""

from __future__ import annotations

import shutil
import tomllib
from functools import cache
from pathlib import Path

from plafond.prove.model import Extent, Fault

from proof.design.cases import Case, answers
from proof.design.protocols import Proof
from proof.design.spin import HERE, PROTOCOL, build, search
from proof.mutation import Mutant
from proof.published import killers
from proof.result import EQUIVALENT, KILLED, ROOT, SURVIVED

EQUIVALENTS = HERE / "equivalent.toml"


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


@cache
def _arguments() -> dict[str, str]:
    """Why mutants that behave as the original does are none."""
    return tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))


def fate(proof: Proof, mutant: Mutant, folder: Path, own: Path, extent: Extent) -> Fault:
    """Put it in, and search; one that is argued, in the small cases of the whole only."""
    argument = _arguments().get(mutant.key, "")
    by = None
    if not argument or extent.tries_argued:
        by = _found(proof, mutant, folder, own, is_argued=bool(argument))
    verdict = KILLED if by else EQUIVALENT if argument else SURVIVED
    return Fault(mutant=mutant.key, verdict=verdict, by=by or argument, line=mutant.line)


def _found(proof: Proof, mutant: Mutant, folder: Path, own: Path, *, is_argued: bool) -> str | None:
    """What finds it."""
    protocol = own / "protocol"
    shutil.copytree(PROTOCOL, protocol)
    target = protocol / Path(mutant.file).name
    target.write_bytes(mutant.apply((ROOT / mutant.file).read_bytes()))
    cases = [c for c in _cases(proof, mutant) if c.is_small or not is_argued]
    try:
        return _killer(cases, folder, own, protocol)
    finally:
        shutil.rmtree(own)
