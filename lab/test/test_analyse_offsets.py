# SPDX-License-Identifier: MIT
"""Bounds of periodic tasks in the phases of their offsets."""

from pathlib import Path
from random import Random

import pytest
from unit_runs import simulated

from plafond.analyse.analysis import analyse
from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.overheads import Costs, Overheads
from plafond.describe import load
from plafond.describe.system import System
from plafond.protocols import Protocol
from plafond.run.worst import at_any_phase


def task(name: str, priority: int, run: int, interval: int, offset: int = 0, more: str = "") -> str:
    return (
        f'[task.{name}]\npriority = {priority}\narrival = "periodic {interval}us"\n'
        f'offset = "{in_us(offset)}"\nbody = ["run {run}us"]\n{more}\n'
    )


def in_us(offset: int) -> str:
    return f"{offset}us" if offset else "0"


def system_of(folder: Path, *parts: str) -> System:
    file = folder / "system.toml"
    file.write_text("".join(parts))
    return load(file)


def bounds(system: System, protocol: Protocol = Protocol.CEILING) -> dict[str, int | None]:
    """Return the responses in us."""
    rows = analyse(system, [protocol]).rows
    return {
        row.task: None if row.response_bound_ns is None else row.response_bound_ns // 1000
        for row in rows
    }


@pytest.mark.parametrize("protocol", [Protocol.CEILING, Protocol.INHERIT])
@pytest.mark.parametrize(("offset", "b"), [(0, 7), (2, 5), (3, 4), (5, 4), (9, 7), (15, 4)])
def test_two_tasks_that_never_arrive_together(
    tmp_path: Path, protocol: Protocol, offset: int, b: int
) -> None:
    """Tindell 1994: a runs for 3 of each 10, so b, 4, waits for its rest, or for the next."""
    system = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 4, 10, offset))
    assert bounds(system, protocol) == {"a": 3, "b": b}


def test_each_phase_of_intervals_that_do_not_divide(tmp_path: Path) -> None:
    """b arrives 1, 3 and 5 after a, modulo 6, in 12 of a's 4 and 6."""
    system = system_of(tmp_path, task("a", 2, 2, 6), task("b", 1, 1, 4, 1))
    assert bounds(system) == {"a": 2, "b": 2}
    system = system_of(tmp_path, task("a", 2, 3, 6), task("b", 1, 1, 4, 1))
    assert bounds(system) == {"a": 3, "b": 3}


def test_a_job_that_is_late_meets_the_next(tmp_path: Path) -> None:
    """b, of 6, is preempted by a at 10, and ends at 12."""
    system = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 6, 20, 4))
    assert bounds(system) == {"a": 3, "b": 6}
    system = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 7, 20, 4))
    assert bounds(system) == {"a": 3, "b": 10}


@pytest.mark.parametrize(
    "other",
    [
        task("a", 2, 3, 10).replace("periodic", "sporadic"),
        task("a", 2, 3, 10, more='jitter = "1us"'),
    ],
)
def test_a_task_that_may_come_at_any_time_comes_at_the_worst(tmp_path: Path, other: str) -> None:
    system = system_of(tmp_path, other, task("b", 1, 4, 10, 5), task("c", 3, 1, 10))
    assert bounds(system)["b"] == 4 + 3 + 1  # c comes at 10, and b has not ended


def test_a_section_blocks_once_beside_the_offsets(tmp_path: Path) -> None:
    low = (
        '[task.low]\npriority = 1\narrival = "sporadic 90us"\n'
        'body = ["lock R", "run 2us", "unlock R"]\n[resource.R]\nceiling = 9\n'
    )
    system = system_of(tmp_path, task("a", 3, 3, 10), task("b", 2, 4, 10, 5), low)
    assert bounds(system)["b"] == 4 + 2 + 3  # a comes at 10, and b has not ended
    assert bounds(system)["a"] == 3 + 2


def test_overheads_and_worst_arrivals_ignore_offsets(tmp_path: Path) -> None:
    system = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 4, 10, 5))
    added = Overheads({Protocol.CEILING: Costs(switch_ns=1)})
    rows = analyse(system, [Protocol.CEILING], added).rows
    assert [row.response_bound_ns for row in rows if row.task == "b"] == [7_003]
    free = Overheads({Protocol.CEILING: Costs()})
    rows = analyse(system, [Protocol.CEILING], free).rows
    assert [row.response_bound_ns for row in rows if row.task == "b"] == [4_000]
    assert bounds(at_any_phase(system))["b"] == 7


def test_the_verdict_without_bounds_has_the_offsets(tmp_path: Path) -> None:
    due = 'deadline = "4us"'
    kept = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 4, 10, 5, due))
    assert keeps_deadlines(kept, Protocol.CEILING)
    late = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 4, 10, 2, due))
    assert not keeps_deadlines(late, Protocol.CEILING)


def test_offsets_are_noted(tmp_path: Path) -> None:
    said = "offsets: periodic tasks without jitter arrive in the phases of their offsets only"
    with_offset = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 4, 10, 5))
    assert said in analyse(with_offset, [Protocol.CEILING]).notes
    without = system_of(tmp_path, task("a", 2, 3, 10), task("b", 1, 4, 10))
    assert said not in analyse(without, [Protocol.CEILING]).notes


def test_a_period_too_long_to_follow_keeps_the_bound_without_offsets(tmp_path: Path) -> None:
    primes = (999_983, 999_979, 999_961, 999_959)
    tasks = [
        task(f"t{place}", 9 - place, 7, interval, place * 100_000)
        for place, interval in enumerate(primes)
    ]
    assert bounds(system_of(tmp_path, *tasks))["t3"] == 4 * 7


def drawn(random: Random) -> str:
    """Return two to four tasks, most of them periodic with an offset, and a shared resource."""
    text = "[resource.R]\n"
    for place in range(random.randint(2, 4)):
        interval = random.choice((6, 8, 12, 16, 24))
        body = [random.choice((f"run {random.randint(1, 3)}us", "run 1us..3us"))]
        if random.random() < 0.4:
            body += ["lock R", f"run {random.randint(1, 2)}us", "unlock R"]
        kind = "periodic" if random.random() < 0.8 else "sporadic"
        offset = in_us(random.randint(0, 2 * interval))
        text += (
            f"[task.t{place}]\npriority = {random.randint(1, 5)}\n"
            f'arrival = "{kind} {interval}us"\noffset = "{offset}"\n'
            f"body = {body}\n"
        )
    return text


@pytest.mark.parametrize("seed", range(8))
def test_no_random_run_takes_longer_than_the_bounds(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    reached = lower = 0
    for _ in range(12):
        system = system_of(tmp_path, drawn(random))
        found, without = bounds(system), bounds(at_any_phase(system))
        lower += found != without
        for _ in range(4):
            for name, (response, _) in simulated(system, random, 200).items():
                bound = found[name]
                if bound is not None:
                    assert response <= bound, (name, (tmp_path / "system.toml").read_text())
                    assert bound <= (without[name] or bound)
                    reached += response == bound
    assert reached > 20
    assert lower > 0
