# SPDX-License-Identifier: MIT
"""From the program's samples to the report."""

import json

from plafond.bench.locks import make_report
from plafond.bench.model import LocksReport
from plafond.bench.samples import Output

ROWS = [
    "bound",
    "plafond-strict",
    "plafond",
    "plafond-syscall",
    "none",
    "inherit",
    "protect",
]


def test_json_has_the_promised_fields(output: Output) -> None:
    report = json.loads(make_report(output, 3, quick=True).model_dump_json())

    assert list(report) == list(LocksReport.model_fields)
    assert set(report["uncontended"][0]) == {
        "lock",
        "ns_median",
        "ns_min",
        "ns_max",
        "system_calls",
        "instructions",
        "with_stops",
    }
    assert report["conditions"]["quick"] is True
    assert set(report["targets"][0]) == {"name", "value", "limit", "reached"}


def test_rows_come_in_the_order_of_the_program(output: Output) -> None:
    report = make_report(output, 3, quick=False)

    assert [row.lock for row in report.uncontended] == ROWS
    assert [row.lock for row in report.nested] == ROWS


def test_row_reports_median_and_extremes(output: Output) -> None:
    row = make_report(output, 3, quick=False).uncontended[0]

    assert (row.ns_min, row.ns_median, row.ns_max) == (1.8, 2.0, 2.2)


def test_instructions_are_reported_without_the_loop(output: Output) -> None:
    report = make_report(output, 3, quick=False)

    assert report.uncontended[0].instructions == 20
    assert report.conditions.empty_loop_instructions == 2


def test_what_could_not_be_counted_is_null_and_not_reached(output: Output) -> None:
    for run in output.benchmarks:
        run.instructions = run.system_calls = None
    report = make_report(output, 3, quick=False)

    assert report.uncontended[0].instructions is None
    assert report.preempted[0].system_calls is None
    unreached = [target.name for target in report.targets if target.reached is False]
    assert unreached == [
        "plafond-strict, instructions a pair",
        "most system calls in our uncontended rows",
    ]


def test_targets_have_the_right_values(output: Output) -> None:
    values = {t.name: (t.value, t.reached) for t in make_report(output, 3, quick=False).targets}

    assert values["plafond-strict / bound"] == (1.5, True)
    assert values["plafond / none"] == (0.4, True)
    assert values["protect / plafond"] == (150, None)


def test_a_missed_target_says_so(output: Output) -> None:
    for run in output.benchmarks:
        if run.name.startswith("pair/plafond-strict/"):
            run.real_time *= 2
    target = make_report(output, 3, quick=False).targets[0]

    assert (target.value, target.limit, target.reached) == (3.0, 2.0, False)
