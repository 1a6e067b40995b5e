# SPDX-License-Identifier: MIT
"""The costs of working sets after preemptions: their places in a bound, and their measurement."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from cpmd_fakes import US, FakeProgram, two_cores
from typer.testing import CliRunner

from plafond.analyse.analysis import analyse
from plafond.analyse.overheads import Costs, Overheads
from plafond.bench.cpmd import collect, largest
from plafond.bench.cpmd.largest import LEAST_VALID, RUNS, TRIES, largest_ns, measure_caches
from plafond.bench.overheads import MeasuredOverheads
from plafond.cli import app
from plafond.describe import load
from plafond.describe.problems import DescriptionError
from plafond.describe.server import reservation
from plafond.describe.system import (
    Interval,
    Lock,
    Resource,
    Run,
    Sleep,
    Step,
    System,
    Task,
    Unlock,
)
from plafond.errors import ArgumentError, PlafondError
from plafond.protocols import Protocol
from plafond.run import overheads
from plafond.run.overheads import overheads_for

KIB = 1024
SECTION = (Lock("R"), Run(100), Unlock("R"))
ALL = (Protocol.CEILING, Protocol.INHERIT)


def task(name: str, priority: int, *body: Step, cpu: int = 0) -> Task:
    interval = Interval(1_000_000, 1_000_000)
    return Task.made(
        name, priority=priority, cpu=cpu, interval=interval, deadline_ns=1_000_000, body=body
    )


def system(*tasks: Task, ceiling: int = 9) -> System:
    users = tuple(each.name for each in tasks if each.resources)
    resource = Resource.made("R", ceiling=ceiling, users=users)
    return System("system", 2, 1, tasks, (resource,) if users else ())


def responses(protocol: Protocol, caches_ns: dict[str, int], *tasks: Task) -> list[int | None]:
    added = Overheads(dict.fromkeys(Protocol, Costs()), caches_ns=caches_ns)
    return [row.response_bound_ns for row in analyse(system(*tasks), [protocol], added).rows]


@pytest.mark.parametrize("protocol", ALL)
def test_a_wake_up_pays_for_the_dearest_task_that_it_can_preempt(protocol: Protocol) -> None:
    high, mid, low = (task(n, p, Run(100)) for n, p in (("high", 3), ("mid", 2), ("low", 1)))
    lost = {"high": 1000, "mid": 40, "low": 7}

    # `high` preempts `mid`, or `low` if `mid` is not ready. `mid` preempts `low`. `low` preempts
    # none.
    assert responses(protocol, lost, high, mid, low) == [140, 140 + 107, 140 + 107 + 100]
    assert responses(protocol, lost, high) == [100]


def test_tasks_of_equal_priority_and_of_other_cpus_are_not_preempted() -> None:
    one, other = task("one", 2, Run(100)), task("other", 2, Run(100))
    away = task("away", 1, Run(100), cpu=1)

    assert responses(Protocol.CEILING, {"one": 9, "other": 9, "away": 9}, one, other, away) == [
        *(200, 200, 100)
    ]


def test_a_task_loads_its_own_set_again_after_a_sleep() -> None:
    sleeper = task("sleeper", 2, Run(50), Sleep(9), Run(50))
    low = task("low", 1, Run(100))

    # The release of `sleeper` and the end of its sleep preempt `low`.
    assert responses(Protocol.CEILING, {"sleeper": 30}, sleeper, low)[0] == 109 + 30
    assert responses(Protocol.CEILING, {"low": 4}, sleeper, low)[0] == 109 + 2 * 4


def test_a_section_in_which_another_may_wait_pays_for_both() -> None:
    high, low = task("high", 2, *SECTION), task("low", 1, *SECTION)

    # Both sections contain both losses, and the release of `high` preempts `low`.
    section_ns = 100 + 5 + 3
    for protocol in ALL:
        found = responses(protocol, {"high": 5, "low": 3}, high, low)
        assert found == [2 * section_ns + 3, 2 * section_ns + 3]
    alone = task("high", 2, *SECTION)
    assert responses(Protocol.INHERIT, {"high": 5}, alone) == [100]


def test_a_section_pays_for_the_dearest_task_that_may_wait_for_it() -> None:
    tasks = (task("high", 3, *SECTION), task("mid", 2, Run(100)), task("low", 1, *SECTION))
    lost = {"high": 5, "mid": 1, "low": 9}

    # `high` preempts `low`, and the section of either contains both losses.
    found = responses(Protocol.CEILING, lost, *tasks)
    assert found[0] == 2 * (100 + 5 + 9) + 9


def test_the_bound_says_what_was_measured_or_that_nothing_was() -> None:
    known = task("T", 1, Run(100)).changed(working_set=64 * KIB)
    measured = Overheads(dict.fromkeys(Protocol, Costs()), caches_ns={"T": 208_123})
    unmeasured = Overheads(dict.fromkeys(Protocol, Costs()))

    def notes(added: Overheads) -> Sequence[str]:
        return analyse(system(known), [Protocol.CEILING], added).notes

    assert "T: a preemption costs it at most 208.1us for its 64KiB, as measured" in notes(measured)
    nothing = replace(measured, caches_ns={"T": 0})
    assert "T: a preemption costs it at most 0ns for its 64KiB, as measured" in notes(nothing)
    assert [note for note in notes(unmeasured) if note.startswith("bounds exclude")] == [
        "bounds exclude what preemptions cost working sets: only linux has caches to measure"
    ]


DESCRIPTION = """
[task.T]
priority = 1
arrival = "periodic 10ms"
body = ["run 1ms"]
working_set = {}
"""


def test_a_working_set_is_a_size(tmp_path: Path) -> None:
    file = tmp_path / "system.toml"
    file.write_text(DESCRIPTION.format('"64KiB"'))
    assert load(file).tasks[0].working_set == 64 * KIB
    for wrong in ('"64"', '"0KiB"', '"2GiB"', "64"):
        file.write_text(DESCRIPTION.format(wrong))
        with pytest.raises(DescriptionError, match="working_set"):
            load(file)


TASKS = """
[task.high]
priority = 3
arrival = "periodic 10ms"
body = ["run 1ms"]
working_set = "64KiB"
[task.plain]
priority = 2
arrival = "periodic 20ms"
body = ["run 2ms", "lock R", "run 100us", "unlock R"]
[task.low]
priority = 1
arrival = "periodic 40ms"
body = ["run 10ms", "lock R", "run 200us", "unlock R"]
working_set = "256KiB"
[resource.R]
"""
COSTS = Costs(interrupt_ns=1000, switch_ns=2000, pair_ns=100, preempted_ns=500, disturbed_ns=300)


def bounds_by_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caches_ns: dict[str, int]
) -> dict[str, int]:
    measured = MeasuredOverheads({"plafond": COSTS}, (), (), caches_ns=caches_ns)
    monkeypatch.setattr(overheads, "measure_overheads", lambda *_: measured)
    file = tmp_path / "system.toml"
    file.write_text(TASKS)
    words = ["analyse", str(file), "--overheads", "linux", "--protocol", "plafond"]
    result = CliRunner().invoke(app, [*words, "--format", "json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    return {row["task"]: row["response_with_overheads_ns"] for row in rows}


def test_the_command_puts_what_was_measured_into_its_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = bounds_by_command(tmp_path, monkeypatch, {"high": 5_000, "low": 30_000})

    # `high` and `plain` can preempt `low`. `plain` may wait for the section of `low`, which
    # contains two losses: that of `low`, and the largest of the others.
    high_ns = 3_000 + 30_000 + 1_000_000
    plain_ns = 3_000 + 30_000 + 2_000_000 + 400 + 100_000
    section_ns = 600 + 35_000 + 200_000
    low_ns = 3_000 + 10_000_000 + section_ns
    assert found == {
        "high": 3_000 + high_ns + 2 * 1_000,
        "plain": 3_000 + section_ns + plain_ns + high_ns + 1_000,
        "low": 3_000 + low_ns + plain_ns + 2 * high_ns,
    }


def test_without_a_loss_it_prints_the_same_but_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = bounds_by_command(tmp_path, monkeypatch, {"high": 0, "low": 0})

    assert found == bounds_by_command(tmp_path, monkeypatch, {})
    assert found["high"] == 3_000 + 1_003_000 + 2 * 1_000


def drawn_tasks(random: Random) -> list[Task]:
    """Draw tasks of two CPUs. Some tasks sleep, and some tasks of a CPU share a resource."""
    tasks = []
    for number in range(6):
        body: list[Step] = [Run(random.randint(100, 20_000))]
        if random.random() < 0.4:
            body += [Sleep(500), Run(100)]
        tasks.append(task(f"T{number}", random.randint(1, 5), *body, cpu=number % 2))
    for cpu in random.sample([0, 1], random.choice((0, 1))):
        of_cpu = [place for place, each in enumerate(tasks) if each.cpu == cpu]
        for place in random.sample(of_cpu, 2):
            tasks[place] = tasks[place].changed(body=(*tasks[place].body, *SECTION))
    return tasks


@pytest.mark.parametrize("protocol", ALL)
def test_bounds_grow_with_working_sets_and_only_where_these_are(protocol: Protocol) -> None:
    random = Random(f"{protocol}")
    grown = unchanged = 0
    for _ in range(30):
        tasks = drawn_tasks(random)
        plain = responses(protocol, {}, *tasks)
        larger = random.choice(tasks)
        lost_ns = {each.name: random.choice((0, 50, 900)) for each in tasks}
        before = responses(protocol, lost_ns, *tasks)
        after = responses(protocol, lost_ns | {larger.name: 5_000}, *tasks)
        alone = responses(protocol, {larger.name: 5_000}, *tasks)
        for each, without, few, more, one in zip(tasks, plain, before, after, alone, strict=True):
            assert (without or 0) <= (few or 0) <= (more or 0)
            assert (without or 0) <= (one or 0) <= (more or 0)
            is_there = each.cpu == larger.cpu
            assert is_there or (few == more and without == one)
            grown += is_there and one != without
            unchanged += is_there and one == without
        assert None not in plain + after
        assert responses(protocol, dict.fromkeys(lost_ns, 0), *tasks) == plain
    assert grown > 30
    assert unchanged > 5  # for example of tasks above all tasks that wake up


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> FakeProgram:
    """Replace bench/cpmd by a fake, in which larger sets have larger delays."""
    fake = FakeProgram(two_cores(), lambda random, size, _: random.randrange(size))
    monkeypatch.setattr(collect, "find_program", Path)
    monkeypatch.setattr(collect, "run_program", fake)
    monkeypatch.setattr(largest, "find_caches", lambda *_: two_cores())
    return fake


def test_each_size_is_measured_once_on_each_cpu_that_has_it(program: FakeProgram) -> None:
    tasks = [
        task(name, 1, Run(100), cpu=cpu).changed(working_set=size)
        for name, cpu, size in (("a", 0, 65536), ("b", 0, 65536), ("c", 1, 65536), ("d", 1, 100))
    ]

    found = measure_caches(system(*tasks, task("e", 1, Run(1))))

    assert {*found} == {"a", "b", "c", "d"}
    assert found["a"] == found["b"] != found["c"]
    assert 60_000 < found["a"] < 65_536
    commands = Counter((int(each[1]), int(each[4])) for each in program.commands)
    assert commands == dict.fromkeys([(128, 1), (65536, 0), (65536, 1)], RUNS)  # whole lines
    for command in program.commands:
        assert command[3] != "0"  # under load
        assert {move.partition(":")[0] for move in command[5:]} == {command[4]}


def test_without_a_working_set_nothing_is_measured(program: FakeProgram) -> None:
    assert measure_caches(system(task("e", 1, Run(1)))) == {}
    assert program.commands == []


def test_the_largest_of_too_few_valid_samples_is_none() -> None:
    assert largest_ns([US] * LEAST_VALID, 64) == US
    assert largest_ns([-US] * TRIES, 64) == 0
    with pytest.raises(PlafondError, match="working_set: found 49 of 100 samples of 1MiB"):
        largest_ns([US] * (LEAST_VALID - 1), 1 << 20)


def test_reservations_beside_a_working_set_are_refused() -> None:
    known = task("T", 1, Run(100)).changed(working_set=64 * KIB)
    reserved = replace(system(known), reservations=(reservation("net", "eth0", 1_000_000, 9_000),))

    with pytest.raises(ArgumentError, match="working set of T, with the reservation net;"):
        overheads_for("linux", ["plafond"], reserved)
