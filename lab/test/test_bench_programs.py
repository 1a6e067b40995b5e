# SPDX-License-Identifier: MIT
"""`plafond bench programs`: from the counts to the report."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from plafond.bench.programs import ada, calls, examples
from plafond.bench.programs.calls import SCHEDULING, YIELD, Counted, calls_a_round, calls_in
from plafond.bench.programs.inversions import Inversions
from plafond.bench.programs.measure import NOTES, row_of
from plafond.bench.programs.model import (
    CallsRow,
    Conditions,
    ExampleTable,
    LockRow,
    OperationRow,
    Pair,
    ProgramsReport,
)
from plafond.bench.programs.table import print_report
from plafond.errors import PlafondError, RefusedError

TRACE = """\
101 sched_setscheduler(101, SCHED_FIFO, [6]) = 0
102 sched_setscheduler(102, SCHED_FIFO, [31] <unfinished ...>
103   sched_setparam(103, [11]) = 0
102 <... sched_setscheduler resumed>) = 0
101 +++ exited with 0 +++
"""
PAIRS = [Pair(plain=100, drop_in=150), Pair(plain=110, drop_in=110), Pair(plain=90, drop_in=180)]


def test_a_call_in_two_lines_is_one_call() -> None:
    assert calls_in(TRACE) == {"sched_setscheduler": 2, "sched_setparam": 1}
    assert calls_in("") == {}


def test_a_round_is_without_start_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def count(command: Sequence[str], *kinds: Sequence[str]) -> Counted:
        assert kinds == (SCHEDULING, YIELD)
        return Counted("", [30 + 2 * int(command[0]), 7])

    monkeypatch.setattr(calls, "count_calls", count)
    assert calls_a_round(lambda rounds: (str(rounds),), 50, SCHEDULING, YIELD) == [2, 0]


def make_program(command: Sequence[str | Path]) -> str:
    """Replace the compiler, and the program that prints the time of a round."""
    return "ns a round: 50\n"


def test_an_operation_that_the_drop_in_leaves_dear_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ada, "run", make_program)
    monkeypatch.setattr(ada, "refuse_missing", lambda *_: None)
    monkeypatch.setattr(ada, "calls_a_round", lambda _command, _rounds, *kinds: [2.0] * len(kinds))
    monkeypatch.setattr(ada, "with_drop_in", lambda command: command)
    operations = ada.Operations(tmp_path)
    with pytest.raises(PlafondError, match=r"action: found 2\.0 scheduling calls a round"):
        operations.measure("action", 1)
    assert operations.measure("set_priority", 1).drop_in.scheduling == 2


def test_an_example_that_the_drop_in_leaves_dear_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examples, "run", make_program)
    monkeypatch.setattr(examples, "table_of", lambda _: "")
    monkeypatch.setattr(examples, "calls_a_round", lambda *_: [302.0])
    monkeypatch.setattr(examples, "with_drop_in", lambda command: command)
    example = examples.Example("audio", "ns a move", 15, tmp_path)
    with pytest.raises(PlafondError, match=r"audio, protect, drop-in: found 302\.0 scheduling"):
        example.measure(10, 1, lambda: None)


def test_the_run_of_the_least_wait_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = iter([900, 300, 700] * 5)

    def run(command: Sequence[str | Path]) -> str:
        if command[0] != "taskset":
            return ""
        wait = next(waits)
        return (
            f"callbacks 150, missed {wait // 300}, worst wait {wait} us; moves 9 of 5 ns, torn 0\n"
        )

    monkeypatch.setattr(examples, "run", run)
    monkeypatch.setattr(examples, "table_of", lambda _: "")
    monkeypatch.setattr(examples, "calls_a_round", lambda *_: [0.0])
    example = examples.Example("audio", "ns a move", 15, tmp_path)
    example.locks = example.locks[:1]
    (row,) = example.measure(10, 3, lambda: None).rows
    assert (row.missed, row.worst_wait_us) == (1, 300)


def test_an_example_that_printed_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = "callbacks 150, missed 0, worst wait 9 us; moves 9 of 5 ns, torn 2\n"
    monkeypatch.setattr(examples, "run", lambda _: torn)
    monkeypatch.setattr(examples, "table_of", lambda _: "")
    monkeypatch.setattr(examples, "calls_a_round", lambda *_: [0.0])
    example = examples.Example("audio", "ns a move", 15, tmp_path)
    with pytest.raises(PlafondError, match="expected 150 callbacks, and nothing torn"):
        example.measure(10, 1, lambda: None)


def test_a_row_has_medians_and_the_ratios_of_the_pairs() -> None:
    row = row_of("pi_stress", "inversions in 5 s", PAIRS)
    assert (row.pairs, row.plain, row.drop_in) == (3, 100, 150)
    assert (row.ratio, row.ratio_min, row.ratio_max) == (1.5, 1.0, 2.0)


def test_the_table_has_its_conditions_above_it() -> None:
    conditions = Conditions(
        cpu_model="a processor", cpus=2, kernel="6.1", libc="glibc 2.36", quick=True, notes=NOTES
    )
    row = row_of("pi_stress", "inversions in 5 s", PAIRS)
    none = CallsRow(scheduling=0, futex=0, yields=0)
    action = OperationRow(
        operation="protected procedure",
        plain=CallsRow(scheduling=2, futex=0, yields=0),
        drop_in=none,
        plain_ns=4000,
        drop_in_ns=300,
        ratio=0.075,
    )
    protect = LockRow(
        lock="protect",
        callbacks=1500,
        missed=3,
        worst_wait_us=250,
        scheduling=20.1333,
        step_ns=3300,
    )
    audio = ExampleTable(program="audio", step="ns a move", rows=[protect])
    text = io.StringIO()
    print_report(
        ProgramsReport(
            conditions=conditions, programs=[row], operations=[action], examples=[audio]
        ),
        Console(file=text, width=120, highlight=False),
    )
    lines = text.getvalue().splitlines()
    assert lines[0].startswith("QUICK RUN")
    assert "a processor, 2 CPUs; Linux 6.1; glibc 2.36" in lines
    cells = "pi_stress  inversions in 5 s  3  100  150  1.500  1.000  2.000"
    assert cells.split() in [line.split() for line in lines]
    assert [line.split() for line in lines if "plain  " in line and "protected" in line] == [
        ["protected", "procedure", "plain", "2", "0", "0", "4000"]
    ]
    assert "audio, under each lock" in lines
    assert lines[-1].split() == ["protect", "1500", "3", "250", "20.13", "3300"]


def test_a_missing_program_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        RefusedError, match="pi_stress is not installed: install the package rt-tests"
    ):
        Inversions(tmp_path, 1)
