# SPDX-License-Identifier: MIT
"""Show that the models can fail: each fault of the header must break a rule or a query."""

from __future__ import annotations

import shutil
import tomllib
from functools import cache
from pathlib import Path

from plafond.prove.model import Extent, Fault

from proof.certificate import Found, digest
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
    """Return the cases of the header, except controls, which break a rule anyway."""
    header = Path(mutant.file).name
    return [c for c in proof.cases if not c.broken and c.form.startswith(header)]


def asked(proof: Proof, mutant: Mutant, found: Found) -> str:
    """Hash the question behind the finding: the case that killed the mutant, or all cases."""
    before = (ROOT / mutant.file).read_bytes()[mutant.start : mutant.end]
    killing = killing_of(found)
    cases = [c for c in _cases(proof, mutant) if not killing or _name(c) == killing]
    argument = "" if killing else _arguments().get(mutant.key, "")
    edit = (mutant.file, mutant.function, before, mutant.text, argument)
    return digest(*sorted(found), *edit, *(case.question for case in cases))


def killing_of(found: Found) -> str:
    """Return the case that killed the mutant, or ""."""
    return str(found.get("by")).split(":")[0] if found.get("verdict") == KILLED else ""


def _likeliest(proof: Proof, mutant: Mutant, before: Found | None) -> list[Case]:
    """Put the case that found the fault before first, then the small cases."""
    if before is not None:
        known = frozenset({killing_of(before)})
    else:
        known = killers(proof.protocol).get(mutant.key, frozenset())
    cases = _cases(proof, mutant)
    return sorted(cases, key=lambda case: (_name(case) not in known, not case.is_small))


def _killer(cases: list[Case], folder: Path, own: Path, protocol: Path) -> str | None:
    """Return the first case with an unexpected answer, and the answer."""
    for number, case in enumerate(cases):
        program = build(case.model(), folder, own / str(number), protocol, strict=False)
        for row in answers(case, search(program)):
            if not row.is_expected:
                return f"{_name(case)}: {row.found}"
    return None


@cache
def _arguments() -> dict[str, str]:
    """Return the reasons why mutants are equivalent to the original."""
    return tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))


def is_argued(mutant: Mutant) -> bool:
    """Whether there is an argument that the mutant is equivalent."""
    return mutant.key in _arguments()


def fate(
    proof: Proof,
    mutant: Mutant,
    folder: Path,
    own: Path,
    extent: Extent,
    before: Found | None = None,
) -> Fault:
    """Put the fault in, and search. An argued mutant is searched in small cases only, if at all.

    `before`: the finding of an earlier run.
    """
    argument = _arguments().get(mutant.key, "")
    by = None
    if not argument or extent.tries_argued:
        cases = [c for c in _likeliest(proof, mutant, before) if c.is_small or not argument]
        by = _found(cases, mutant, folder, own)
    verdict = KILLED if by else EQUIVALENT if argument else SURVIVED
    return Fault(mutant=mutant.key, verdict=verdict, by=by or argument, line=mutant.line)


def _found(cases: list[Case], mutant: Mutant, folder: Path, own: Path) -> str | None:
    """Return the case that finds the fault, or None."""
    protocol = own / "protocol"
    shutil.copytree(PROTOCOL, protocol)
    target = protocol / Path(mutant.file).name
    target.write_bytes(mutant.apply((ROOT / mutant.file).read_bytes()))
    try:
        return _killer(cases, folder, own, protocol)
    finally:
        shutil.rmtree(own)
