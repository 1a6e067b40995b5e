# SPDX-License-Identifier: MIT
"""Which results `plafond prove` takes as a pass."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import HUNG_S

from plafond.board.boards import ROOT
from plafond.errors import ArgumentError, RefusedError
from plafond.programs import Ended
from plafond.prove import checks as checks_module
from plafond.prove.attempt import attempt, judged, prove
from plafond.prove.checks import Check, all_checks, checks_of
from plafond.prove.model import Extent, Row, Verdict


def check(**changes: Any) -> Check:
    named = {"protocol": "lazy", "check": "design", "module": "program", "longest_s": HUNG_S}
    return Check.model_validate(named | changes)


def row(**changes: Any) -> dict[str, Any]:
    named = {"protocol": "lazy", "check": "design", "scope": "all of it", "verdict": "holds"}
    return named | changes


def said(*rows: dict[str, Any], holds: bool = True) -> str:
    return json.dumps({"proof": "p", "rows": rows, "holds": holds, "details": [1]})


def ended(output: str, code: int = 0, last_line: str = "", took_too_long: bool = False) -> Ended:
    return Ended(code, output, last_line, took_too_long)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(checks_module, "ROOT", tmp_path)
    monkeypatch.setenv("PLAFOND_BUILD", str(tmp_path / "build"))
    return tmp_path


def tried(program: str, repository: Path, **changes: Any) -> Row:
    (repository / "program.py").write_text(program)
    (found,) = attempt(check(**changes), lambda _: None)
    return found


def test_what_holds_is_a_row() -> None:
    rows = judged(check(), ended(said(row(mutants=3, mutants_killed=2, mutants_argued=1))))

    assert isinstance(rows, list)
    assert (rows[0].verdict, rows[0].survivors, rows[0].is_wrong) == (Verdict.HOLDS, 0, False)


def test_a_check_may_have_rows_of_its_parts() -> None:
    rows = judged(check(), ended(said(row(), row(check="core"))))

    assert [each.check for each in rows if isinstance(each, Row)] == ["design", "core"]


@pytest.mark.parametrize(
    "changes", [{"verdict": "violated", "trace": ["T enters"]}, {"mutants": 2, "mutants_killed": 1}]
)
def test_what_is_wrong_stays_so_whatever_the_exit_code(changes: dict[str, Any]) -> None:
    for code in (0, 1, 2):
        rows = judged(check(), ended(said(row(**changes), holds=True), code))

        assert isinstance(rows, list)
        assert rows[0].is_wrong


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (ended("", took_too_long=True, code=-9), f"had not ended after {HUNG_S:.0f} s"),
        (ended("", code=-9), "memory is short"),
        (ended("", code=-11), "SIGSEGV"),
        (ended("", code=2, last_line="spin: no memory left"), "spin: no memory left"),
        (ended("", code=2), "does not say why"),
        (ended("4 boundaries"), "printed no rows"),
        (ended("{}"), "rows: Field required"),
        (ended(said()), "at least 1 item"),
        (ended(said(row(verdict="fine"))), "rows.0.verdict"),
        (ended(said(row(mutants=1, mutants_killed=2))), "no rows: rows.0: more mutants are killed"),
        (ended("Traceback", code=1, last_line="KeyError: 'x'"), "KeyError: 'x'"),
        (ended(said(row(protocol="other"))), "rows of other, design"),
        (ended(said(row(), row(protocol="other"))), "lazy, design and other, design"),
        (ended(said(row(check="core"))), "rows of lazy, core"),
        (ended(said(row()), code=1, last_line="a trace is not as expected"), "a trace is not"),
        (ended(said(row()), code=130), "exit code is 130"),
        (ended(said(row(), holds=False)), "no row says what is wrong"),
    ],
)
def test_nothing_else_is_a_pass(what: Ended, reason: str) -> None:
    found = judged(check(), what)

    assert isinstance(found, str)
    assert reason in found


def test_a_row_that_does_not_know_gets_the_last_words() -> None:
    rows = judged(check(), ended(said(row(verdict="unknown"), holds=False), 2, "out of memory"))

    assert isinstance(rows, list)
    assert rows[0].reason == "out of memory"


def test_a_missing_privilege_is_no_violation(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks_module, "may_run_real_time", lambda: False)
    found = tried("raise SystemExit(1)", repository, real_time=True)

    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == (
        "SCHED_FIFO is denied here: grant CAP_SYS_NICE or RLIMIT_RTPRIO 99 (ulimit -r)"
    )


def test_a_missing_tool_is_named_with_its_package(repository: Path) -> None:
    found = tried("", repository, tools={"no-such-tool": "its-package"})

    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "no-such-tool is missing: apt install its-package"


def test_what_is_not_built_is_named(repository: Path) -> None:
    assert "build/step is not built" in tried("", repository, built=["step"]).reason


def test_a_program_gets_the_build_tree_and_prints_json(repository: Path) -> None:
    program = "import sys; print(sys.argv[1:], file=sys.stderr); sys.exit(2)"

    found = tried(program, repository, arguments=["{build}/step"])

    assert found.reason == f"['{repository}/build/step', '--format', 'json']"


@pytest.mark.parametrize("extent", [Extent.QUICK, Extent.REST])
def test_a_program_is_asked_for_a_part(extent: Extent, repository: Path) -> None:
    (repository / "program.py").write_text("import sys; sys.exit(sys.argv[1])")

    (found,) = attempt(check(), lambda _: None, extent)

    assert f"last words: '--{extent}'" in found.reason


ONE_PART = {"slow": (Extent.REST, Extent.QUICK), "quick": (Extent.QUICK, Extent.REST)}


@pytest.mark.parametrize("part", ONE_PART)
@pytest.mark.parametrize(
    ("is_whole", "arguments", "asked"),
    [(False, ["--mutants"], ["--unargued"]), (False, [], []), (True, ["--mutants"], [])],
)
def test_the_only_part_of_a_check_does_all_that_can_fail(
    part: str, is_whole: bool, arguments: list[str], asked: list[str], repository: Path
) -> None:
    (repository / "program.py").write_text("import sys; sys.exit(str(sys.argv[1:]))")
    has, lacks = ONE_PART[part]
    whole = check(arguments=arguments, **{part: "a reason"})

    (found,) = attempt(whole, lambda _: None, Extent.WHOLE if is_whole else has)

    assert prove([whole], lacks).left_out == [
        f"lazy, design: left out, for a reason ({has.option})"
    ]
    assert str([*arguments, *asked, "--format", "json"]) in found.reason


RELIANCE = ["--certified", "--sample", "4aac0c0"]


@pytest.mark.parametrize(("certified", "given"), [(True, RELIANCE), (False, [])])
def test_only_one_with_certificates_is_asked_to_use_them(
    certified: bool, given: list[str], repository: Path
) -> None:
    (repository / "program.py").write_text("import sys; sys.exit(str(sys.argv[1:]))")

    report = prove([check(certified=certified)], Extent.QUICK, RELIANCE)

    assert str(["--quick", *given, "--format", "json"]) in report.rows[0].reason


@pytest.mark.parametrize("is_small", [True, False])
def test_what_is_quick_and_the_rest_make_the_whole(is_small: bool) -> None:
    parts = [extent for extent in (Extent.QUICK, Extent.REST) if extent.takes(is_small)]

    assert parts == [Extent.QUICK if is_small else Extent.REST]
    assert Extent.WHOLE.takes(is_small)
    assert Extent.UNARGUED.takes(is_small)


def test_a_proof_that_takes_too_long_is_ended(repository: Path) -> None:
    found = tried(f"import time; time.sleep({HUNG_S})", repository, longest_s=0.5)

    assert "had not ended" in found.reason


REASON = "lazy, design: left out, for it boots guests (--rest)"


def test_the_quick_part_leaves_out_what_boots_guests_and_names_it(repository: Path) -> None:
    program = f"import sys; assert sys.argv[1:] == ['--format', 'json']; print({said(row())!r})"
    (repository / "program.py").write_text(program)
    (repository / "quick.py").write_text(f"print({said(row())!r})")
    in_guest = check(slow="it boots guests")

    report = prove([check(module="quick"), in_guest], Extent.QUICK)

    assert (len(report.rows), report.left_out, report.holds) == (1, [REASON], True)
    assert not prove([in_guest], Extent.QUICK).holds  # because nothing was checked
    assert prove([in_guest], Extent.REST).rows[0].verdict is Verdict.HOLDS


def test_one_that_is_unknown_is_no_pass(repository: Path) -> None:
    (repository / "program.py").write_text(f"print({said(row())!r})")

    assert prove([check()]).holds
    assert not prove([check(), check(tools={"no-such-tool": "x"})]).holds


def test_an_unknown_protocol_is_reported_with_what_was_meant() -> None:
    with pytest.raises(ArgumentError, match=r"found 'ceiling-stac'.*did you mean ceiling-stack"):
        checks_of("ceiling-stac")


def test_without_the_proof_room_it_says_so(repository: Path) -> None:
    assert repository.exists()
    with pytest.raises(RefusedError, match="not installed with the lab"):
        all_checks()


def test_every_check_of_the_repository_is_there() -> None:
    for each in all_checks():
        file = ROOT / each.module.replace(".", "/")
        assert (file / "__main__.py").exists() or file.with_suffix(".py").exists(), each
        assert each.command()[:2] == [sys.executable, "-m"]
