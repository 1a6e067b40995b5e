# SPDX-License-Identifier: MIT
"""Run steps of a range, `run 1ms..3ms`: the draw of each activation, and the time that it runs."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described
from kernel_runs import described as described_for_kernel
from kernel_runs import trace_on
from test_run_kernel import command_on, run

from plafond.analyse.analysis import analyse
from plafond.describe import System
from plafond.describe.body import Run
from plafond.describe.splitmix import drawn, key_of, splitmix
from plafond.run.arrivals import draw_arrivals
from plafond.run.plan import plan_text
from plafond.trace.activations import activations

TEXT = """
seed = 7
[task.high]
priority = 20
arrival = "periodic 5ms"
activations = 20
body = ["run 100us..1ms", "lock R", "run 200us..900us", "unlock R"]
[task.low]
priority = 10
arrival = "random 15ms 20ms"
body = ["lock R", "run 500us..1500us", "unlock R", "run 1ms..3ms"]
[resource.R]
"""
EDF = TEXT.replace("seed = 7", 'seed = 8\nscheduler = "edf"')
MS = 1_000_000


def test_the_streams_are_those_of_splitmix64() -> None:
    # The outputs of its authors' C for the seed 1234567.
    assert [splitmix(1234567, number) for number in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_a_draw_is_uniform_with_both_ends() -> None:
    key = key_of(1, "T", 0)
    found = Counter(drawn(5, 14, key, number) for number in range(10_000))
    assert sorted(found) == list(range(5, 15))
    assert all(abs(count - 1000) < 150 for count in found.values())


def test_each_seed_task_and_step_has_a_stream_of_its_own(tmp_path: Path) -> None:
    system = described(tmp_path, TEXT)
    other = system.seeded(8)
    keys = [
        step.key
        for each in (system, other)
        for task in each.tasks
        for step in task.body
        if isinstance(step, Run)
    ]
    assert (len(keys), len(set(keys))) == (8, 8)
    assert system.seeded(7) == system


def test_a_scaled_range_keeps_both_ends(tmp_path: Path) -> None:
    [first, *_] = described(tmp_path, TEXT).scaled(Fraction(1, 10)).tasks[0].body
    assert first == Run(100_000, 10_000, key_of(7, "high", 0))


def test_check_shows_the_span_and_bounds_are_those_of_the_longest(tmp_path: Path) -> None:
    code, out, _ = command_on(tmp_path, TEXT, "check", "--format", "json")
    rows = {row["task"]: row for row in json.loads(out)["tasks"]}
    assert code == 0
    assert (rows["low"]["least_run_ns"], rows["low"]["run_ns"]) == (1.5 * MS, 4.5 * MS)
    system = described(tmp_path, TEXT)
    assert analyse(system).rows == analyse(system.at_longest()).rows
    assert not any(task.has_ranges for task in system.at_longest().tasks)


def test_the_plan_has_both_ends_and_the_key(tmp_path: Path) -> None:
    system = described(tmp_path, TEXT)
    text = plan_text(system, "none", draw_arrivals(system, 1))
    assert f"\nrun 100000 1000000 {key_of(7, 'high', 0)}\nlock R\n" in text


@pytest.mark.board
@pytest.mark.parametrize("protocol", ["syscall", "lazy-ceiling"])
def test_each_activation_runs_what_it_draws_under_every_protocol(protocol: str) -> None:
    system = described_for_kernel("ranges", TEXT)
    assert_drawn(system, "sim", protocol)


@pytest.mark.board
@pytest.mark.long
def test_on_the_board_each_activation_runs_about_what_it_draws() -> None:
    assert_drawn(described_for_kernel("ranges", TEXT), "a53", "lazy-ceiling", slack_ns=1_000)


def assert_drawn(system: System, board: str, protocol: str, slack_ns: int = 0) -> None:
    trace = trace_on(board, protocol, system)
    bounds = {row.task: row.response_bound_ns for row in analyse(system).rows}
    for task, recorded in zip(system.tasks, trace.tasks, strict=True):
        found = activations(recorded)
        assert len(found) > 5
        for each in found:
            ran_ns = sum(end - begin for begin, end in each.running())
            assert 0 <= ran_ns - task.drawn_run_ns(each.index) <= slack_ns
            assert (each.response_ns or 0) <= (bounds[task.name] or 0) + 10 * slack_ns


@pytest.mark.board
@pytest.mark.parametrize("text", [TEXT, EDF])
def test_every_protocol_meets_the_same_draws_and_none_exceeds_its_bound(
    tmp_path: Path, text: str
) -> None:
    protocols = "deadline-floor,lazy-floor" if text is EDF else "syscall,lazy-ceiling"
    arguments = ["--on", "sim", "--format", "json", "--protocol", protocols]
    code, out, err = run(tmp_path, text, *arguments, "--activations", "100", "--seed", "3")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert {row["verdict"] for row in report["rows"]} == {"kept"}
    both = [row["response"]["average_ns"] for row in report["rows"] if row["task"] == "high"]
    assert both[0] == both[1]


@pytest.mark.board
@pytest.mark.parametrize(
    ("more", "what"), [('pending = "skip"', 'pending = "skip"'), ("queue = 3", "queue")]
)
def test_the_kernel_takes_no_range_of_a_task_that_drops_arrivals(
    tmp_path: Path, more: str, what: str
) -> None:
    text = TEXT.replace("activations = 20", f"activations = 20\n{more}")
    code, _, err = run(tmp_path, text, "--on", "sim")
    assert code == 2
    assert f"--on sim: found a range in the body of high, and {what}; expected one of" in err


@pytest.mark.board
def test_the_worst_arrivals_run_the_longest(tmp_path: Path) -> None:
    arguments = ["--on", "sim", "--arrivals", "worst", "--activations", "1", "--format", "json"]
    code, out, err = run(tmp_path, TEXT, *arguments, "--protocol", "syscall")
    assert (code, err) == (0, "")
    assert all(0.999 < row["ratio"] <= 1 for row in json.loads(out)["rows"])
