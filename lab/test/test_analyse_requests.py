# SPDX-License-Identifier: MIT
"""Under inheritance a section blocks only if it is requested."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

from descriptions import described

from plafond.analyse.analysis import analyse
from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.once_each import most_of
from plafond.describe.system import System
from plafond.protocols import Protocol

MS = 1_000_000


def section(resource: str, run_ms: int) -> str:
    return f'"lock {resource}", "run {run_ms}ms", "unlock {resource}"'


def task(name: str, priority: int, interval_ms: int, *sections: str) -> str:
    return (
        f"[task.{name}]\npriority = {priority}\n"
        f'arrival = "sporadic {interval_ms}ms"\nbody = [{", ".join(sections)}]\n'
    )


RESOURCES = "[resource]\nS1 = {}\nS2 = {}\nS3 = {}\n"
BUTTAZZO = (
    task("t1", 4, 400, section("S1", 1), section("S2", 2))
    + task("t2", 3, 500, section("S2", 9), section("S3", 3))
    + task("t3", 2, 600, section("S1", 8), section("S2", 7))
    + task("t4", 1, 700, section("S1", 6), section("S2", 5), section("S3", 4))
    + RESOURCES
)


def blocking_ms(system: System) -> list[int]:
    rows = analyse(system, [Protocol.INHERIT]).rows
    return [(row.blocking_bound_ns or 0) // MS for row in rows]


def test_each_semaphore_blocks_once(tmp_path: Path) -> None:
    """Buttazzo 2011, 7.6.3: the sum of the longest sections would be 23, 14, 6, 0."""
    assert blocking_ms(described(tmp_path, BUTTAZZO)) == [17, 13, 6, 0]


def test_a_second_request_can_be_blocked_again(tmp_path: Path) -> None:
    """When t1 unlocks S1, `low` gets it, and t1 requests it again."""
    lower = task("mid", 2, 100, section("S1", 5)) + task("low", 1, 100, section("S1", 7))
    once = task("t1", 3, 100, section("S1", 1)) + lower + RESOURCES
    again = task("t1", 3, 100, section("S1", 1), section("S1", 1)) + lower + RESOURCES
    assert blocking_ms(described(tmp_path, once)) == [7, 7, 0]
    assert blocking_ms(described(tmp_path, again)) == [12, 7, 0]


def test_a_request_waits_for_a_section_under_another_name_of_the_resource(
    tmp_path: Path,
) -> None:
    """The single request of t1 waits for the longer of both sections."""
    lower = task("mid", 2, 100, section("S2", 7)) + task("low", 1, 100, section("S1", 5))
    linked = '[resource]\nS1 = {}\nS2 = {linked = "S1"}\n'
    text = task("t1", 3, 100, section("S1", 1)) + lower + linked
    assert blocking_ms(described(tmp_path, text)) == [7, 5, 0]


def test_a_second_job_can_be_blocked_again(tmp_path: Path) -> None:
    """The busy period of t1 holds two jobs."""
    lower = task("mid", 2, 100, section("S1", 5)) + task("low", 1, 100, section("S1", 7))
    text = task("t1", 3, 8, section("S1", 1)) + lower + RESOURCES
    assert blocking_ms(described(tmp_path, text))[0] == 12
    assert blocking_ms(described(tmp_path, text.replace("sporadic 8ms", "sporadic 13ms")))[0] == 7


def test_nested_sections_count_for_each_task(tmp_path: Path) -> None:
    nested = '"lock S1", "run 5ms", "lock S2", "run 1ms", "unlock S2", "unlock S1"'
    text = BUTTAZZO.replace(section("S1", 8), nested)
    assert blocking_ms(described(tmp_path, text))[0] == 9 + 7 + 6


def test_the_verdict_without_bounds_is_the_same(tmp_path: Path) -> None:
    system = described(tmp_path, BUTTAZZO)
    rows = analyse(system, [Protocol.INHERIT]).rows
    ends = [row.response_bound_ns or 0 for row in rows]
    for less in (0, 1):
        tasks = (t.changed(deadline_ns=ns - less) for t, ns in zip(system.tasks, ends, strict=True))
        due = replace(system, tasks=tuple(tasks))
        assert keeps_deadlines(due, Protocol.INHERIT) is (less == 0)


def test_the_largest_sum_is_that_of_all_choices() -> None:
    draw = Random(1)
    for _ in range(300):
        count, names = draw.randint(1, 4), "abcd"[: draw.randint(1, 4)]
        times = {name: draw.randint(0, 2) for name in names}
        rows = [{name: draw.randint(0, 9) for name in names} for _ in range(count)]
        places = [name for name in names for _ in range(times[name])] + [""] * count
        most = max(
            sum(row.get(name, 0) for row, name in zip(rows, chosen, strict=True))
            for chosen in permutations(places, count)
        )
        assert most_of(rows, times) == most


def test_a_large_search_ends_at_once() -> None:
    rows = [{f"R{name}": 1 + (name * place) % 7 for name in range(40)} for place in range(300)]
    times = {f"R{name}": 1 for name in range(40)}
    assert 0 < most_of(rows, times) <= 7 * 40
