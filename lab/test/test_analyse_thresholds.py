# SPDX-License-Identifier: MIT
"""Tasks that are not preempted, or only by tasks above a threshold: published bounds."""

from dataclasses import replace
from pathlib import Path

import pytest
from descriptions import described

from plafond.analyse.analysis import analyse
from plafond.analyse.blocking import threshold_of
from plafond.analyse.overheads import Costs, Overheads
from plafond.describe.system import Sleep, System
from plafond.protocols import Protocol

MS = 1_000_000


def responses(system: System, protocol: Protocol = Protocol.CEILING) -> dict[str, float | None]:
    rows = analyse(system, [protocol]).rows
    return {row.task: row.response_bound_ns and row.response_bound_ns / MS for row in rows}


def task(name: str, priority: int, interval: str, run: str, more: str = 'schedule = "non"') -> str:
    body = f'arrival = "sporadic {interval}"\nbody = ["run {run}"]'
    return f"[task.{name}]\npriority = {priority}\n{body}\n{more}\n"


DAVIS = (
    task("A", 3, "2500us", "1ms") + task("B", 2, "3500us", "1ms") + task("C", 1, "3500us", "1ms")
)
LIU = (
    task("t1", 3, "4ms", "1ms", "")
    + task("t2", 2, "5ms", "1500us", "")
    + task("t3", 1, "9ms", "2ms")
)
GROUP = 'internal = "{}"'
WANG = (
    task("t1", 3, "70ms", "20ms", "")
    + task("t2", 2, "80ms", "20ms", GROUP.format("G2"))
    + task("t3", 1, "200ms", "35ms", GROUP.format("G3"))
    + "[resource]\n"
    + "G2 = {internal = true, ceiling = 3}\nG3 = {internal = true, ceiling = 2}\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Davis, Burns, Bril, Lukkien 2007, Table 3: the second job of C is the worst.
        (DAVIS, {"A": 2, "B": 3, "C": 3.5}),
        # Liu 2000, 6.8.1: t3 blocks t2, and t1 comes twice before its end.
        (LIU, {"t1": 3, "t2": 5.5, "t3": 4.5}),
        # Wang, Saksena 1999, Section 2: both full preemption and no preemption miss deadlines.
        (WANG, {"t1": 40, "t2": 75, "t3": 95}),
        (WANG.replace(GROUP.format("G2"), "").replace(GROUP.format("G3"), ""),
         {"t1": 20, "t2": 40, "t3": 115}),
    ],
    ids=["davis", "liu", "wang", "wang-preempted"],
)  # fmt: skip
def test_published_bounds(tmp_path: Path, text: str, expected: dict[str, float]) -> None:
    assert responses(described(tmp_path, text)) == expected


def test_a_job_that_comes_at_the_begin_is_before(tmp_path: Path) -> None:
    """All jobs before `low` end at 2 ms, when `top` comes again, so `low` begins at 3 ms."""
    both = task("top", 3, "2ms", "1ms", "") + task("mid", 2, "10ms", "1ms", "")
    text = both + task("low", 1, "20ms", "1ms")
    assert responses(described(tmp_path, text))["low"] == 4.0
    text = text.replace("sporadic 2ms", "sporadic 2001us")
    assert responses(described(tmp_path, text))["low"] == 3.0


def test_responses_count_from_arrivals_with_jitter(tmp_path: Path) -> None:
    """A job of `top` can come at the begin and another up to 1 ms before it: 1 + 1 + 3, and 2."""
    late = 'schedule = "non"\njitter = "2ms"'
    text = task("top", 2, "10ms", "1ms", 'jitter = "9ms"') + task("low", 1, "30ms", "3ms", late)
    assert responses(described(tmp_path, text))["low"] == 1 + 1 + 3 + 2


def test_a_threshold_between_lets_the_tasks_above_in(tmp_path: Path) -> None:
    both = task("high", 3, "6ms", "2ms", "") + task("mid", 2, "8ms", "2ms", GROUP.format("G"))
    text = both + task("low", 1, "15ms", "3ms", GROUP.format("G"))
    found = responses(described(tmp_path, text + "[resource.G]\ninternal = true\n"))
    assert found == {"high": 2, "mid": 3 + 2 + 2 * 2, "low": 2 + 2 + 3 + 2}


def test_a_threshold_is_up_to_the_priorities_of_its_cpu(tmp_path: Path) -> None:
    far = task("far", 9, "9ms", "1ms", "cpu = 1")
    system = described(tmp_path, f"cpus = 2\n{LIU}{far}")
    assert {each.name: threshold_of(system, each) for each in system.tasks} == {
        "far": 9, "t1": 3, "t2": 2, "t3": 3,
    }  # fmt: skip


def test_a_lower_threshold_blocks_less(tmp_path: Path) -> None:
    """A section of `low` blocks `high`, and its whole body blocks `mid`."""
    body = 'body = ["run 2ms", "lock R", "run 1ms", "unlock R"]'
    low = task("low", 1, "50ms", "3ms", GROUP.format("G")).replace('body = ["run 3ms"]', body)
    text = task("high", 3, "10ms", "1ms", "") + task("mid", 2, "20ms", "1ms", GROUP.format("G"))
    tables = "[resource.G]\ninternal = true\n[resource.R]\nceiling = 3\n"
    rows = analyse(described(tmp_path, text + low + tables), [Protocol.CEILING]).rows
    assert [row.blocking_bound_ns for row in rows] == [1 * MS, 3 * MS, 0]


def test_without_ceilings_or_with_sleeps_there_is_no_bound_above(tmp_path: Path) -> None:
    system = described(tmp_path, LIU)
    assert responses(system, Protocol.INHERIT) == {"t1": None, "t2": None, "t3": 7.0}
    assert responses(system, Protocol.NONE) == dict.fromkeys(("t1", "t2", "t3"), 7.0)
    last = system.tasks[2]
    sleeping = last.changed(body=(*last.body, Sleep(MS)))
    asleep = replace(system, tasks=(*system.tasks[:2], sleeping))
    assert responses(asleep)["t1"] is None


def test_overheads_are_in_a_body_that_blocks(tmp_path: Path) -> None:
    """With overheads the body of t3 blocks, too, and t3 counts as if all preempted it."""
    costs = {Protocol.CEILING: Costs(interrupt_ns=1000, activation_ns=0, switch_ns=0, pair_ns=0)}
    rows = analyse(described(tmp_path, LIU), [Protocol.CEILING], Overheads(costs)).rows
    found = [row.response_bound_ns or 0 for row in rows]
    assert found[0] >= 3 * MS + 2000
    assert found[2] >= 4.5 * MS
