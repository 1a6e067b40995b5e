# SPDX-License-Identifier: MIT
"""Certificates of real work: a sweep is left out only if its result would be the same."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from plafond.prove.model import Extent, Row

from proof.boundary.work import Work, certificate_of
from proof.certificate import Reliance
from proof.engine.walk import Result
from proof.postponed.__main__ import POSTPONED
from proof.postponed.faults import BY_HAND
from proof.result import ROOT

CLAIM = replace(POSTPONED, subjects=POSTPONED.subjects[:1], habits={}, by_hand=(), mutated=())
HEADER = "protocol/postponed_ceiling.h"
DRIVER = "proof/postponed/driver.c"
FAULT = next(fault for fault in BY_HAND if fault.name == "unlock: the priority stays")


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sources with their certificate."""
    tree = tmp_path_factory.mktemp("certified")
    for folder in ("protocol", "proof/postponed", "proof/boundary"):
        shutil.copytree(ROOT / folder, tree / folder)
    swept(tree, renews=True)
    return tree


@pytest.fixture
def tree(certified: Path, tmp_path: Path) -> Path:
    """A copy of the sources and the certificate, which a test may change."""
    return shutil.copytree(certified, tmp_path / "tree")


def swept(tree: Path, *, renews: bool = False) -> tuple[Result, str]:
    """Return the sweep of a scenario, and the note on certified units."""
    reliance = Reliance(is_certified=True, renews=renews)
    with patch("proof.boundary.work.FOLDER", tree / "certificates"):
        certificate = certificate_of((CLAIM,), "proof.postponed", "boundaries", tree, reliance)
    (found,) = Work((CLAIM,), certificate, tree, 1).sweeps(("x86-64",), Extent.WHOLE, "")
    row = Row(protocol="postponed-ceiling", check="boundaries", scope="", verdict="holds")
    return found, certificate.certified(row, is_whole=True).certificate


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_what_did_not_change_is_not_even_compiled(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proof.boundary.image._compiled", None)

    found, note = swept(tree)

    assert note == "1 of 1 by certificate"
    assert (found.violation, found.states > 1000, found.pairs > 1000) == (None, True, True)


def test_code_that_no_image_has_leaves_the_certificate(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tree / HEADER).open("a") as file:
        file.write("static inline int plf_of_a_new_feature(int a)\n{\n\treturn a + 1;\n}\n")
    monkeypatch.setattr("proof.boundary.work._swept", None)

    assert swept(tree)[1] == "1 of 1 by certificate"


def test_a_change_of_the_protocol_is_swept_and_named(tree: Path) -> None:
    edit(tree / DRIVER, FAULT.old, FAULT.new)

    found, note = swept(tree)

    assert found.violation is not None
    assert note == "0 of 0 by certificate"


def test_another_version_of_the_compiler_is_named(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proof.prover.version_of", lambda tool: f"{Path(tool).name} 99.1")

    found, note = swept(tree)

    assert found.violation is None
    assert "1 proved: another prover: aarch64-linux-gnu-gcc was " in note
    assert "is aarch64-linux-gnu-gcc 99.1" in note


def test_all_that_an_image_reads_is_among_its_inputs(tmp_path: Path) -> None:
    """The example is a program on the simulated board: ninja knows the files that its compiler
    read."""
    script = f"""
import subprocess, sys
from pathlib import Path
sys.argv = ["", {str(ROOT)!r}]
from proof.kernel import image_inputs as inputs
from plafond.build.image import build_image

case = next(c for c in inputs.read_table() if c.label == "chain-sim-standard-uprio-nprio")
seen, read = set(), inputs._read
inputs._read = lambda *given: [seen.add(file.resolve()) or file for file in read(*given)]
inputs.inputs_of(case)
folder = Path({str(tmp_path)!r})
(folder / "case.h").write_text("#define TEST_CASE 0\\n")
system = inputs.system_of(case, inputs.TREE / "kernel/test")
build_image(system, case.board, case.protocol, folder, for_tools=False)
said = subprocess.run(["ninja", "-C", folder, "-t", "deps"], capture_output=True, text=True).stdout
deps = {{(folder / line.strip()).resolve() for line in said.splitlines() if line[:4].isspace()}}
of_tree = {{file for file in deps if file.is_relative_to(inputs.TREE)}}
print(len(of_tree) > 40, sorted(map(str, of_tree - seen)))
"""
    paths = os.pathsep.join(str(ROOT / room) for room in ("", "lab", "kernel/test"))
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )

    assert (done.stdout, done.stderr) == ("True []\n", "")
