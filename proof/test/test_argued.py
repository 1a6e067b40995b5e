# SPDX-License-Identifier: MIT
"""A part of a proof puts in the mutants that are not argued. The whole proof puts in all
mutants."""

import argparse
import tomllib
from pathlib import Path

import pytest
from plafond.prove.model import Extent, Fault, Row

from proof.boundary.claim import Claim
from proof.boundary.command import Options
from proof.boundary.trial import Argued, OfSource, trials
from proof.cores.claims import CLAIMS as OF_CORES
from proof.design import mutants as of_designs
from proof.design.protocols import PROOFS
from proof.kernel import core
from proof.kernel.claims import CLAIMS as OF_THE_KERNEL
from proof.lazy.__main__ import LAZY
from proof.result import EQUIVALENT, KILLED, ROOT
from proof.stepped import mutants as stepped
from proof.stepped.subjects import SUBJECTS, Subject

PUT_IN = "it is put in"
PARTS = [Extent.REST, Extent.UNARGUED]
EXTENTS = pytest.mark.parametrize("extent", [*PARTS, Extent.WHOLE])
ARGUED = [c for c in [*OF_THE_KERNEL, *OF_CORES, LAZY] if c.mutated]


def judge(faults: list[Fault], extent: Extent) -> None:
    """Check that mutants that are put in are killed, and that all others are argued."""
    left_out = [fault for fault in faults if fault.by != PUT_IN]
    assert all(fault.verdict == EQUIVALENT and fault.by for fault in left_out)
    assert bool(left_out) == (extent in PARTS)
    assert len(left_out) < len(faults)


def test_there_is_something_argued_of_boundaries() -> None:
    found = [t for c in ARGUED for t in trials(c, ROOT, Extent.REST) if isinstance(t, Argued)]
    assert len(found) > 20
    assert all(trial.fault.verdict == EQUIVALENT and trial.fault.by for trial in found)


@pytest.mark.parametrize("extent", PARTS)
@pytest.mark.parametrize("claim", ARGUED, ids=lambda claim: claim.protocol)
def test_of_boundaries(claim: Claim, extent: Extent) -> None:
    whole = trials(claim, ROOT)
    argued = {t.key for t in whole if isinstance(t, OfSource) and t.argument is not None}
    rest = trials(claim, ROOT, extent)

    assert not any(isinstance(trial, Argued) for trial in whole)
    assert {t.mutant.key for t in rest if isinstance(t, Argued)} <= argued
    assert extent is Extent.REST or len(rest) == len(whole)
    assert not any(t.argument for t in rest if isinstance(t, OfSource))


@EXTENTS
def test_of_designs(extent: Extent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(of_designs, "_found", lambda *_, **__: PUT_IN)

    judge(
        [
            of_designs.fate(proof, mutant, tmp_path, tmp_path / "own", extent)
            for proof in PROOFS
            for mutant in proof.mutants(extent)
        ],
        extent,
    )


@EXTENTS
def test_of_images(extent: Extent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "_tried", lambda wanted, _: dict.fromkeys(wanted, PUT_IN))

    (row,) = core.core(Options((), None, "", True, extent, "", False, 2))

    faults = [
        fault.model_copy(update={"by": PUT_IN}) if fault.verdict == KILLED else fault
        for fault in row.faults
    ]
    judge(faults, extent)


def has_arguments(subject: Subject) -> bool:
    return bool(tomllib.loads((ROOT / subject.equivalent).read_text(encoding="utf-8")))


@EXTENTS
@pytest.mark.parametrize("protocol", [p for p, each in SUBJECTS.items() if has_arguments(each)])
def test_of_what_is_stepped(protocol: str, extent: Extent, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = []
    monkeypatch.setattr(
        stepped,
        "judged",
        lambda _, put_in, *__: ((m, stepped.fate(m, KILLED, PUT_IN)) for m in put_in),
    )
    monkeypatch.setattr(stepped, "print_json", lambda _, found, *__, **___: rows.extend(found))

    given = {"certified": False, "sample": None, "renew": False, "only": "", "format": "json"}
    stepped.prove(argparse.Namespace(protocol=protocol, extent=extent, **given))

    judge(rows[0].faults, extent)
