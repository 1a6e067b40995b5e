# SPDX-License-Identifier: MIT
"""The litmus tests use the functions that ship, and each fault has a case."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from proof.memory_model.__main__ import PROOFS, fate_of_needless
from proof.memory_model.cases import FORMS, Case, Proof
from proof.memory_model.herd import Herd, fetched_herd
from proof.memory_model.litmus import CUT, code_of, litmus
from proof.result import EQUIVALENT, KILLED, ROOT, CouldNotRunError


def program(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def that_says(root: Path, text: str) -> Herd:
    """Return a herd7 that gives this answer to every question."""
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


EACH = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


@EACH
@pytest.mark.parametrize("form", FORMS)
def test_each_thread_has_machine_code_that_ends(form: str, proof: Proof) -> None:
    code = code_of(ROOT / proof.threads, ROOT / "protocol", FORMS[form])

    wanted = {name for case in proof.cases for name in case.threads}
    assert wanted == set(code)
    assert all("ret" in lines for lines in code.values())
    has_exclusives = any("ldaxr" in line for lines in code.values() for line in lines)
    has_swaps = any(set(case.forms) == set(FORMS) for case in proof.cases)
    assert has_exclusives == (has_swaps and form == "LL/SC")


@pytest.mark.parametrize(
    ("proof", "case"),
    [(proof, case) for proof in PROOFS.values() for case in proof.cases],
    ids=lambda one: one.name if isinstance(one, Case) else one.protocol,
)
def test_a_case_is_laid_out_as_herd7_reads_it(proof: Proof, case: Case) -> None:
    code = code_of(ROOT / proof.threads, ROOT / "protocol", FORMS["LSE"])
    threads = [code[name] for name in case.threads]
    ends = "".join(f" /\\ ~{thread}:X0={CUT}" for thread in range(len(threads)))

    begin, retries, tries = case.begin, case.retries, case.tries
    text = litmus(case.name, threads, proof.shared, begin, case.forbidden, retries, tries)
    lines = text.splitlines()

    assert lines[0] == f"AArch64 {case.name.replace(' ', '-')}"
    assert lines[-1] == f"exists (({case.forbidden}){ends})"
    table = [line for line in lines if line.endswith(" ;")]
    assert {line.count("|") for line in table} == {len(threads) - 1}
    # More lines: the names, the label of the end, and instructions that replace others.
    assert len(table) >= max(map(len, threads)) + 2
    assert not any(re.search(r"\.L\d", line) for line in table)


RETRIES = [".L1:", "ldr\tw1, [x0]", "cbz\tw1, .L1", "mov\tw0, 1", "ret"]
SHARED_END = ["cbz\tw0, .L2", ".L1:", "ret", ".L2:", "mov\tw0, 2", "b\t.L1"]


def column_of(
    code: list[str], retries: int = 0, tries: Mapping[int, int] = MappingProxyType({})
) -> list[str]:
    asked = litmus("one", [code], {"word": "int"}, {}, "0:X0=1", {0: retries}, tries)
    lines = asked.splitlines()
    return [line.removesuffix(";").strip() for line in lines if line.endswith(" ;")][1:]


def test_a_circle_of_retries_ends_where_nothing_is_asked() -> None:
    column = column_of(RETRIES)

    assert column[2] == "CBZ W1,CUT0"
    assert column[-3:] == ["CUT0:", f"MOV W0,#{CUT}", "END0:"]


def test_a_thread_may_try_again() -> None:
    column = column_of(RETRIES, retries=1)

    assert [line for line in column if "CBZ" in line] == ["CBZ W1,LABEL0_1_1", "CBZ W1,CUT0"]
    assert [line for line in column if "LDR" in line] == ["LDR W1,[X0]"] * 2


TWO_TRIES = ["casal\tx2, x3, [x0]", "cbz\tx2, .L1", "casal\tx2, x3, [x0]", ".L1:", "ret"]
TWO_PAIRS = [line.replace("casal\tx2, x3", "ldaxr\tx2") for line in TWO_TRIES]


@pytest.mark.parametrize("code", [TWO_TRIES, TWO_PAIRS])
def test_a_thread_makes_no_more_tries_than_it_may(code: list[str]) -> None:
    every, first = column_of(code), column_of(code, tries={0: 1})

    assert first == [*every[:2], "B CUT0", *every[3:]]
    assert column_of(code, tries={0: 2}) == every


def test_a_way_back_to_the_end_is_no_circle() -> None:
    assert "B LABEL0_1_0" in column_of(SHARED_END)


@EACH
def test_each_fault_can_be_put_in_and_each_case_has_one(proof: Proof) -> None:
    names = [case.name for case in proof.cases]

    assert {fault.case for fault in proof.faults} == set(names)
    assert all(set(names).issuperset(each.cases) for each in proof.needless)
    needless = [each.fault for each in proof.needless]
    for fault in [each.fault for each in proof.faults] + needless:
        source = (ROOT / fault.file).read_bytes()
        assert fault.mutant(ROOT).apply(source) != source


@pytest.mark.parametrize(("word", "verdict"), [("Never", EQUIVALENT), ("Sometimes", KILLED)])
def test_an_order_is_needless_only_if_each_rule_holds_without_it(
    tmp_path: Path, word: str, verdict: str
) -> None:
    herd = that_says(tmp_path, f"echo Observation x {word} 1 1")
    proof = PROOFS["spin-priority"]

    assert fate_of_needless(herd, proof, proof.needless[0]).verdict == verdict
