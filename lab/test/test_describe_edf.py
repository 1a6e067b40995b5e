# SPDX-License-Identifier: MIT
"""Descriptions scheduled by deadlines: the values that are read, and every mistake with its
place."""

from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described

from plafond.describe.kernel import DEFAULT_PROTOCOLS, Scheduler, protocols_under
from plafond.describe.linux import needs_kernel
from plafond.errors import ArgumentError
from plafond.protocols import KernelProtocol

MS = 1_000_000

WHOLE = """
scheduler = "edf"
[kernel]
protocol = "deadline-floor"
[task.slow]
priority = 98
deadline = "30ms"
arrival = "periodic 50ms"
body = ["lock R", "run 1ms", "lock S", "run 1ms", "unlock S", "unlock R"]
[task.fast]
arrival = "sporadic 10ms"
body = ["lock R", "run 1ms", "unlock R"]
[task.same]
deadline = "10ms"
autostart = true
body = ["run 1ms", "lock RES_SCHEDULER", "run 1ms", "unlock RES_SCHEDULER"]
[resource.R]
[resource.S]
floor = "20ms"
[resource.unused]
"""

BY_PRIORITY = """
[task.A]
priority = 3
arrival = "periodic 10ms"
body = ["lock R", "run 1ms", "unlock R"]
[resource.R]
"""


def test_a_whole_description(tmp_path: Path) -> None:
    system = described(tmp_path, WHOLE)
    assert system.scheduler is Scheduler.EDF
    assert system.protocol is KernelProtocol.DEADLINE_FLOOR
    deadlines = {task.name: task.deadline_ns for task in system.tasks}
    assert deadlines == {"fast": 10 * MS, "same": 10 * MS, "slow": 30 * MS}
    floors = {resource.name: resource.floor for resource in system.resources}
    assert floors == {"R": 10 * MS, "S": 20 * MS, "unused": 30 * MS, "RES_SCHEDULER": 10 * MS}


def test_priorities_are_the_ranks_of_deadlines_and_floors(tmp_path: Path) -> None:
    """Code that sorts tasks by priority has the shortest deadline first."""
    system = described(tmp_path, WHOLE)
    assert {task.name: task.priority for task in system.tasks} == {"fast": 3, "same": 3, "slow": 1}
    assert {resource.name: resource.ceiling for resource in system.resources} == {
        "R": 3,
        "S": 2,
        "unused": 1,
        "RES_SCHEDULER": 3,
    }


def test_without_a_scheduler_priorities_decide(tmp_path: Path) -> None:
    system = described(tmp_path, BY_PRIORITY)
    assert (system.scheduler, system.protocol) == (Scheduler.PRIORITY, "uprio-nprio")
    assert (system.resources[0].ceiling, system.resources[0].floor) == (3, None)
    assert system == described(tmp_path, 'scheduler = "priority"\n' + BY_PRIORITY)


def test_each_scheduler_has_its_protocols(tmp_path: Path) -> None:
    text = WHOLE.replace('protocol = "deadline-floor"', "")
    assert described(tmp_path, text).protocol is KernelProtocol.LAZY_FLOOR
    assert protocols_under(Scheduler.EDF) == ["deadline-floor", "lazy-floor"]
    assert protocols_under(Scheduler.HARDWARE) == [
        "uprio-kprio",
        "uprio-kprio-lazy",
        "lazy-ceiling",
        "mask",
    ]
    for scheduler in Scheduler:
        assert DEFAULT_PROTOCOLS[scheduler] in protocols_under(scheduler)
    assert {p for scheduler in Scheduler for p in protocols_under(scheduler)} == set(KernelProtocol)


def test_floors_are_scaled_with_all_other_times(tmp_path: Path) -> None:
    scaled = described(tmp_path, WHOLE).scaled(Fraction(1, 10))
    assert {resource.floor for resource in scaled.resources} == {1 * MS, 2 * MS, 3 * MS}
    with pytest.raises(
        ArgumentError, match="makes the floor of resource S 200ns; expected at least"
    ):
        described(tmp_path, WHOLE.replace('"20ms"', '"2us"')).scaled(Fraction(1, 10))


def test_it_is_for_the_kernel_alone(tmp_path: Path) -> None:
    assert needs_kernel(described(tmp_path, WHOLE)) == 'scheduler = "edf"'


def test_the_scheduler_resource_may_be_given_as_it_is(tmp_path: Path) -> None:
    by_deadlines = WHOLE + '[resource.RES_SCHEDULER]\nfloor = "10ms"\n'
    by_priorities = BY_PRIORITY + "[resource.RES_SCHEDULER]\nceiling = 3\n"
    floors, ceilings = (described(tmp_path, text) for text in (by_deadlines, by_priorities))
    assert [each.floor for each in floors.resources if each.name == "RES_SCHEDULER"] == [10 * MS]
    assert [each.ceiling for each in ceilings.resources if each.name == "RES_SCHEDULER"] == [3]
