# SPDX-License-Identifier: MIT
"""Each task has a row, even without a bound, and a system has only the notes that it needs."""

from pathlib import Path

import pytest
from descriptions import described

from plafond.analyse.analysis import analyse
from plafond.analyse.notes import EXCLUDED
from plafond.protocols import Protocol

TASKS = "".join(
    f'[task.{name}]\npriority = {priority}\narrival = "periodic 10ms"\nbody = ["run 6ms"]\n'
    for name, priority in (("a", 3), ("b", 2), ("c", 1))
)
LATE = "cpus = 2\n" + "".join(
    f'[server.{name}]\nkind = "reservation"\nirq = "{name}"\nperiod = "10ms"\nbudget = "6ms"\n'
    for name in ("x", "y")
)


@pytest.mark.parametrize(
    ("text", "protocol", "known"),
    [
        (LATE + TASKS.replace("6ms", "1ms"), Protocol.CEILING, 0),
        (TASKS, Protocol.NONE, 0),
        (TASKS, Protocol.CEILING, 1),
        ('scheduler = "edf"\n' + TASKS.replace("priority", "cpu = 0\n# "), Protocol.FLOOR, 0),
    ],
)
def test_each_task_has_a_row(tmp_path: Path, text: str, protocol: Protocol, known: int) -> None:
    rows = analyse(described(tmp_path, text), [protocol]).rows
    assert [row.task for row in rows] == ["a", "b", "c"]
    assert sum(row.response_bound_ns is not None for row in rows) == known


PLAIN = TASKS.replace("6ms", "1ms")


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (PLAIN, []),
        (
            PLAIN.replace('"run 1ms"', '"run 1ms", "sleep 1ms"', 1),
            ["after each sleep of a task a section may block once more"],
        ),
        (
            PLAIN.replace("10ms", '10ms"\njitter = "1ms', 1),
            ["release jitter: responses count from arrivals, not from releases"],
        ),
        (
            PLAIN.replace("priority = 1", "priority = 2"),
            ["tasks of equal priority count as more urgent than each other"],
        ),
    ],
)
def test_only_what_a_system_has_is_noted(tmp_path: Path, text: str, more: list[str]) -> None:
    notes = analyse(described(tmp_path, text), [Protocol.CEILING]).notes
    assert list(notes) == [EXCLUDED, *more]


def test_equal_priorities_on_two_cpus_are_not_noted(tmp_path: Path) -> None:
    text = "cpus = 2\n" + PLAIN.replace("priority = 1", "priority = 2\ncpu = 1")
    assert list(analyse(described(tmp_path, text), [Protocol.CEILING]).notes) == [EXCLUDED]


def test_each_cpu_without_time_has_its_own_notes(tmp_path: Path) -> None:
    far = TASKS.replace("task.", "task.far_").replace("priority", "cpu = 1\npriority")
    notes = analyse(described(tmp_path, f"cpus = 2\n{TASKS}{far}"), [Protocol.CEILING]).notes
    none = "ceiling: no bound for"
    assert list(notes) == [
        EXCLUDED,
        "CPU 0 is overloaded",
        "CPU 1 is overloaded",
        f"{none} b, c: demand leaves no time over",
        f"{none} far_b, far_c: demand leaves no time over",
    ]


def test_protocols_that_spin_are_noted_together(tmp_path: Path) -> None:
    section = '"lock G", "run 1ms", "unlock G"'
    text = "cpus = 2\n[resource.G]\n" + "".join(
        f'[task.t{cpu}]\ncpu = {cpu}\npriority = 5\narrival = "periodic 10ms"\nbody = [{section}]\n'
        for cpu in (0, 1)
    )
    system = described(tmp_path, text)
    spins = "what a task spins is its work, and no blocking of it"
    both = [Protocol.MSRP, Protocol.MPCP, Protocol.SPIN_PRIORITY]
    notes = analyse(system, both).notes
    assert f"{Protocol.MSRP}, {Protocol.SPIN_PRIORITY}: {spins}" in notes
    assert any(note.startswith("mpcp: blocking is the waits") for note in notes)
    assert not any(spins in note for note in analyse(system, [Protocol.MPCP]).notes)
