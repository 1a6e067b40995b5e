# SPDX-License-Identifier: MIT
"""No proof is thinner than its published results: no fewer scenarios, states and mutants."""

import json
import re
from collections import Counter
from functools import cache

import pytest
from plafond.prove.model import Extent

from proof.boundary.claim import Claim
from proof.certificate import FOLDER
from proof.cores.claims import CLAIMS as OF_CORES
from proof.design.protocols import PROOFS, Proof
from proof.kernel.claims import CLAIMS as OF_THE_KERNEL
from proof.kernel.core import FAULTS
from proof.lazy.__main__ import LAZY
from proof.lazy.literal import FLAT, REPAIRED
from proof.postponed.__main__ import POSTPONED
from proof.result import ROOT
from proof.stepped.mutants import all_mutants
from proof.stepped.subjects import SUBJECTS

CELL = re.compile(r" {2,}")


@cache
def published(protocol: str, check: str, number: int = 0) -> tuple[str, int]:
    """Return the scope and the number of mutants of the check's row `number`."""
    lines = (ROOT / f"docs/results/prove-{protocol}.txt").read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("───")) + 1
    table = lines[first : lines.index("", first)]
    starts = [i for i, line in enumerate(table) if line.startswith(f"{protocol} ")]
    rows = [i for i in starts if CELL.split(table[i])[1] == check]
    start = rows[number]
    end = next((i for i in starts if i > start), len(table))
    cells = CELL.split(table[start])
    scope = " ".join([cells[2], *(line.strip() for line in table[start + 1 : end])])
    return scope, int(cells[5]) if len(cells) > 5 else 0


def counted(scope: str, what: str) -> int:
    found = re.search(rf"(\d+) {what}", scope)
    assert found is not None, scope
    return int(found[1])


# For each row of sweeps: its claims, its check, its number among rows of that name, its
# certificate.
ROWS: dict[str, tuple[tuple[Claim, ...], str, int, str]] = {
    **{f"kernel {c.protocol}": ((c,), "boundaries", 0, "kernel") for c in OF_THE_KERNEL},
    "kernel lazy-ceiling": ((OF_THE_KERNEL[2],), "boundaries", 1, "kernel"),
    **{f"cores {c.protocol}": ((c,), "cores", 0, "cores") for c in OF_CORES},
    "lazy": ((LAZY, FLAT, REPAIRED), "boundaries", 0, "lazy"),
    "postponed": ((POSTPONED,), "boundaries", 0, "postponed"),
}


@pytest.mark.parametrize("name", ROWS)
def test_scenarios_and_mutants_of_sweeps(name: str) -> None:
    claims, check, number, _ = ROWS[name]
    scope, mutants = published(claims[0].protocol, check, number)

    names = {subject.name for claim in claims for subject in claim.subjects}
    assert len(names) >= counted(scope, "scenarios")
    assert sum(len(claim.mutants(ROOT)) + len(claim.habits) for claim in claims) >= mutants


@pytest.mark.parametrize("name", ROWS)
def test_counts_of_sweeps_that_are_certified(name: str) -> None:
    claims, check, number, program = ROWS[name]
    protocol = claims[0].protocol
    sums = Counter[str]()
    for line in sweeps_in(f"{protocol}/{program}"):
        sums.update({count: line[count] for count in ("states", "boundaries", "pairs")})
        sums["sweeps"] += 1
    if sums["sweeps"] < 2 * sum(len(claim.subjects) for claim in claims):
        return  # the certificate is of a part

    scope, _ = published(protocol, check, number)
    for count in ("states", "boundaries", "pairs"):
        assert sums[count] >= counted(scope, count)


def sweeps_in(certificate: str) -> list[dict[str, int]]:
    file = FOLDER / f"{certificate}.jsonl"
    lines = map(json.loads, file.read_text().splitlines() if file.exists() else ())
    return [line for line in lines if line.get("unit", "").startswith("sweep ")]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.protocol)
def test_mutants_of_designs(proof: Proof) -> None:
    assert len(proof.mutants(Extent.WHOLE)) >= published(proof.protocol, "design")[1]


def test_mutants_of_images() -> None:
    assert len(FAULTS) >= published("kernel", "core")[1]


@pytest.mark.parametrize("protocol", SUBJECTS)
def test_mutants_of_what_is_stepped(protocol: str) -> None:
    mutants = all_mutants(SUBJECTS[protocol], Extent.WHOLE)

    assert len(mutants) >= published(protocol, "mutants")[1]
