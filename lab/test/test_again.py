# SPDX-License-Identifier: MIT
"""A repetition in which the machine stopped a thread is measured again, and a message counts
them."""

import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from rich.console import Console

from plafond.bench.again import MOST_AGAIN, filter_of, measure_without_stops
from plafond.bench.locks import make_report
from plafond.bench.samples import Output, Run, collect
from plafond.bench.table import print_report
from plafond.trace.outside import LONGEST_OWN_NS

STOP = LONGEST_OWN_NS + 1.0


def run(index: int, row: str, beyond_ns: float, ns: float = 1.0) -> Run:
    return Run(
        name=f"{row}/iterations:1000/real_time",
        family_index=index,
        run_type="iteration",
        real_time=ns,
        time_unit="ns",
        beyond_ns=beyond_ns,
    )


class FakeProgram:
    """A program of two rows. `stops` returns whether a repetition of a row, by its number, has a
    stop."""

    def __init__(self, stops: Callable[[str, int], bool]) -> None:
        """Begin without any measurement."""
        self.calls: list[tuple[list[str], int]] = []
        self._stops, self._taken = stops, {"pair/none": 0, "pair/protect": 0}

    def __call__(self, rows: Sequence[str], count: int) -> Output:
        """Return repetitions. The time of each is its number."""
        self.calls.append((list(rows), count))
        runs = []
        for index, row in enumerate(rows or self._taken):
            for _ in range(count):
                number = self._taken[row]
                beyond_ns = STOP if self._stops(row, number) else float(LONGEST_OWN_NS)
                runs.append(run(index, row, beyond_ns, ns=number))
                self._taken[row] += 1
        return Output(context={}, benchmarks=runs)


def test_without_stops_the_program_runs_once() -> None:
    program = FakeProgram(lambda _row, _number: False)

    output = measure_without_stops(program, 3)

    assert program.calls == [([], 3)]
    assert (output.again, len(output.benchmarks)) == (0, 6)


def test_a_repetition_with_a_stop_is_measured_again() -> None:
    program = FakeProgram(lambda row, number: row == "pair/protect" and number in (0, 2, 3))

    output = measure_without_stops(program, 3)

    assert program.calls == [([], 3), (["pair/protect"], 2), (["pair/protect"], 1)]
    none, protect = collect(output.benchmarks)  # in the order of the program
    assert [each.real_time for each in none.runs] == [0, 1, 2]
    assert [each.real_time for each in protect.runs] == [1, 4, 5]
    assert not protect.with_stops
    assert output.again == 3


def test_more_repetitions_than_a_row_lacks_are_not_taken() -> None:
    program = FakeProgram(lambda row, number: number < (2 if row == "pair/none" else 3))

    output = measure_without_stops(program, 3)

    assert program.calls == [([], 3), (["pair/none", "pair/protect"], 3)]
    assert [len(sample.runs) for sample in collect(output.benchmarks)] == [3, 3]
    assert output.again == 5


def test_a_row_that_lacks_few_does_not_wait_for_one_that_lacks_many() -> None:
    program = FakeProgram(lambda row, number: number < (1 if row == "pair/none" else 2))

    output = measure_without_stops(program, 3)

    assert program.calls == [([], 3), (["pair/none"], 1), (["pair/protect"], 2)]
    assert [len(sample.runs) for sample in collect(output.benchmarks)] == [3, 3]
    assert output.again == 3


def test_a_row_that_always_has_stops_is_given_up_and_says_so() -> None:
    program = FakeProgram(lambda row, number: row == "pair/protect" and number != 1)

    output = measure_without_stops(program, 3)

    assert len(program.calls) == 1 + MOST_AGAIN
    none, protect = collect(output.benchmarks)
    assert (none.with_stops, protect.with_stops) == (False, True)
    assert [each.real_time for each in protect.runs] == [1, 0, 2]
    assert output.again == 2 * MOST_AGAIN


def with_stops(raw: dict[str, Any], row: str, again: int) -> Output:
    runs = [
        {**each, "beyond_ns": STOP if each["name"].startswith(f"{row}/") else 0.0}
        for each in raw["benchmarks"]
    ]
    return Output.model_validate({**raw, "benchmarks": runs, "again": again})


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ("pair/none", "none *"),
        ("preempted/protect/uses-lock", "protect *"),
        ("scaling/plafond/64", "plafond *"),
        ("handover/inherit/5000", "inherit *"),
    ],
)
def test_the_report_says_how_many_and_which_rows(raw: dict[str, Any], row: str, line: str) -> None:
    report = make_report(with_stops(raw, row, again=7), 3, quick=False)
    text = io.StringIO()
    print_report(report, Console(file=text, width=120))

    assert "7 repetitions measured again" in text.getvalue()
    assert "*: this row could not be measured without such stops" in text.getvalue()
    assert text.getvalue().count(line) == 1
    assert (report.conditions.again, report.conditions.rows_with_stops) == (7, 1)
    groups = (report.uncontended, report.nested, report.preempted, report.scaling, report.handover)
    assert sum(each.with_stops for rows in groups for each in rows) == 1


def test_the_filter_finds_the_row_and_no_other() -> None:
    wanted = re.compile(filter_of(["pair/plafond", "handover/none/500"]))

    assert wanted.search("pair/plafond")
    assert wanted.search("pair/plafond/iterations:1000/real_time")
    assert not wanted.search("pair/plafond-strict/iterations:1000/real_time")
    assert not wanted.search("handover/none/5000/iterations:200/real_time")
