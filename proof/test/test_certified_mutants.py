# SPDX-License-Identifier: MIT
"""Certificates of mutants that are stepped: the mutants that a change of a source opens again."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from plafond.prove.model import Extent, Fault

from proof.certificate import Reliance
from proof.mutation import Mutant
from proof.result import KILLED, ROOT
from proof.stepped.certified import CertifiedMutants
from proof.stepped.mutants import all_mutants
from proof.stepped.subjects import GLOBAL, Subject

MUTANTS = all_mutants(GLOBAL, Extent.WHOLE)[:4]
BY_TEST, BY_SCENE, BY_ANY, BY_LOST = MUTANTS
KILLERS = {
    BY_TEST: "test global_order user: hangs",
    BY_SCENE: "waits/robust single: two threads are in one section",
    BY_ANY: "script test_evidence.py: fails",
    BY_LOST: "test global_that_is_no_more user: fails",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Sources, and the certificate of four mutants."""
    tree = tmp_path_factory.mktemp("certified")
    for part in GLOBAL.plan.parts:
        shutil.copytree(ROOT / part, tree / part)
    with patch("proof.stepped.certified.FOLDER", tree / "certificates"):
        renewed = certified(GLOBAL, tree, Reliance(renews=True))
        for mutant, by in KILLERS.items():
            renewed.note(mutant, Fault(mutant=mutant.key, verdict=KILLED, by=by, line=1))
        renewed.row._write(is_whole=False)
        yield tree


def certified(subject: Subject, tree: Path, reliance: Reliance) -> CertifiedMutants:
    """Return the certificate, with the names of its units known."""
    read = CertifiedMutants(subject, {}, reliance, tree)
    read.taken((), MUTANTS)
    return read


def taken(tree: Path) -> set[Mutant]:
    return set(CertifiedMutants(GLOBAL, {}, Reliance(True), tree).taken(MUTANTS, MUTANTS))


@pytest.mark.parametrize(
    ("changed", "still_taken"),
    [
        ("linux/core/page.md", set(MUTANTS)),
        ("linux/lib/test/a_new_test.c", {BY_TEST, BY_SCENE}),
        ("linux/lib/test/global_order.c", {BY_SCENE}),
        ("linux/lib/test/team.c", {BY_SCENE}),
        ("linux/lib/test/team.h", set()),
        ("linux/core/global.c", set()),
        ("proof/global/scene.c", set()),
        ("proof/step/play.c", set()),
    ],
)
def test_a_change_opens_what_its_killer_has_read(
    tree: Path, changed: str, still_taken: set[Mutant]
) -> None:
    file = tree / changed
    before = file.read_text() if file.exists() else ""

    file.write_text(before + "extern int plf_of_a_change;\n")
    found = taken(tree)
    file.write_text(before)

    assert found == still_taken
