# SPDX-License-Identifier: MIT
"""The litmus tests are those of the functions that ship, and each fault has a case."""

from pathlib import Path

import pytest

from proof.memory_model.cases import CASES, FAULTS, FORMS, THREADS, Case
from proof.memory_model.herd import Herd, fetched_herd
from proof.memory_model.litmus import code_of, litmus
from proof.result import ROOT, CouldNotRunError


def program(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def that_says(root: Path, text: str) -> Herd:
    """What answers every question so."""
    program(root / "usr/lib64/ld-linux-x86-64.so.2", text)
    return Herd(root, "0")


@pytest.mark.parametrize(
    ("word", "is_true"), [("Never", False), ("Sometimes", True), ("Always", True)]
)
def test_what_is_observed_once_comes_true(tmp_path: Path, word: str, is_true: bool) -> None:
    herd = that_says(tmp_path, f"echo Test x Allowed; echo Observation x {word} 1 1")

    assert herd.comes_true("AArch64 x") is is_true


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo Warning: line 3: unexpected X0 >&2", "unexpected X0"),
        ("echo Observation x Never 0 0; exit 1", "herd7 said"),
        ("true", "herd7 said"),
    ],
)
def test_without_an_answer_nothing_is_known(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(CouldNotRunError, match=said):
        that_says(tmp_path, text).comes_true("AArch64 x")


def test_where_it_cannot_be_had_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "dpkg", "echo arm64")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("PLAFOND_BUILD", str(tmp_path / "build"))

    with pytest.raises(CouldNotRunError, match="no herd7: herd7 is for amd64: found arm64"):
        fetched_herd()


@pytest.mark.parametrize("form", FORMS)
def test_each_thread_has_machine_code_that_ends(form: str) -> None:
    code = code_of(ROOT / THREADS, ROOT / "protocol", FORMS[form])

    wanted = {name for case in CASES for name in case.threads}
    assert wanted == set(code)
    assert all("ret" in lines for lines in code.values())
    has_exclusives = any("ldaxr" in line for lines in code.values() for line in lines)
    assert has_exclusives == (form == "LL/SC")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_laid_out_as_herd7_reads_it(case: Case) -> None:
    code = code_of(ROOT / THREADS, ROOT / "protocol", FORMS["LSE"])
    threads = [code[name] for name in case.threads]

    lines = litmus(case.name, threads, case.begin, case.forbidden).splitlines()

    assert lines[0] == f"AArch64 {case.name}"
    assert lines[-1] == f"exists ({case.forbidden})"
    table = [line for line in lines if line.endswith(" ;")]
    assert {line.count("|") for line in table} == {len(threads) - 1}
    assert len(table) == max(map(len, threads)) + 2  # the names before, the label of the end after
    assert not any(".L" in line for line in table)


def test_each_fault_can_be_put_in_and_each_case_has_one() -> None:
    names = [case.name for case in CASES]

    assert {fault.case for fault in FAULTS} == set(names)
    for fault in FAULTS:
        source = (ROOT / fault.fault.file).read_bytes()
        assert fault.fault.mutant(ROOT).apply(source) != source
