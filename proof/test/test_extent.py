# SPDX-License-Identifier: MIT
"""The quick part and the rest together are the whole of each proof, and neither is empty."""

from collections import Counter
from collections.abc import Collection

import pytest
from plafond.prove.model import Extent

from proof.analysis.__main__ import explorable, parse_arguments
from proof.boundary.claim import Claim
from proof.design.protocols import PROOFS, Proof
from proof.kernel.claims import CLAIMS as OF_THE_KERNEL
from proof.lazy.__main__ import LAZY
from proof.postponed.__main__ import POSTPONED
from proof.result import ROOT
from proof.stepped.mutants import all_mutants
from proof.stepped.subjects import SUBJECTS, Subject

EXTENTS = (Extent.QUICK, Extent.REST, Extent.WHOLE)
Found = Collection[object]


def judge(quick: Found, rest: Found, whole: Found) -> None:
    assert quick
    assert rest
    assert Counter(quick) + Counter(rest) == Counter(whole)


CLAIMS = [*OF_THE_KERNEL, LAZY, POSTPONED]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.protocol)
def test_scenarios_of_boundaries(claim: Claim) -> None:
    judge(claim.part(Extent.QUICK), claim.part(Extent.REST), claim.subjects)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.protocol)
def test_mutants_of_boundaries(claim: Claim) -> None:
    judge(*(claim.mutants(ROOT, extent) for extent in EXTENTS))


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.protocol)
def test_cases_of_designs(proof: Proof) -> None:
    names = [f"{case.form}, {case.name}" for case in proof.cases if case.is_small]

    assert 0 < len(names) < len(proof.cases)


@pytest.mark.parametrize(
    "proof", [p for p in PROOFS if p.mutated], ids=lambda proof: proof.protocol
)
def test_generated_mutants_of_designs(proof: Proof) -> None:
    judge(*(proof.mutants(extent) for extent in EXTENTS))


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=lambda subject: subject.protocol)
def test_mutants_of_what_is_stepped(subject: Subject) -> None:
    judge(*(all_mutants(subject, extent) for extent in EXTENTS))


def test_sets_of_the_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"": 40, "edf-": 10, "costly-": 3, "costly-edf-": 3, "across-": 30, "crowded-": 10}
    few |= {"served-": 20, "served-edf-": 20, "shared-": 20, "varying-": 64}

    def names(option: list[str]) -> list[str]:
        counts = [f"--{kind}sets={count}" for kind, count in few.items()]
        monkeypatch.setattr("sys.argv", ["proof.analysis", "simulate", *counts, *option])
        return [system.name for system in explorable(parse_arguments()).systems]

    judge(names(["--quick"]), names(["--rest"]), names([]))
