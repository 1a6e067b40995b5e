# SPDX-License-Identifier: MIT
"""`plafond bench kernel`: counts by core, from made-up logs of all instructions."""

import pytest

from plafond.bench.kernel.core_counts import counts_by_core
from plafond.bench.kernel.counts import Counts
from plafond.bench.kernel.growth import TASKS, with_tasks
from plafond.bench.kernel.log import Executed, Signalled, Taken, steps_of
from plafond.bench.kernel.mpcp import FEWEST_USERS, MORE_USERS
from plafond.bench.kernel.path import path_of
from plafond.bench.kernel.places import Places
from plafond.bench.kernel.programs import Build, Program
from plafond.bench.kernel.variants import Variant
from plafond.bench.kernel.windows import Window, windows_of
from plafond.describe import load
from plafond.describe.kernel import Scheduler
from plafond.errors import PlafondError

# Addresses in the made-up image.
READING, WAIT, OTHER = 0x1000, 0x2000, 0x3000
PLACES = Places(readings=frozenset([READING]), waits=frozenset([WAIT]))
Log = list[str]


def executed(core: int, address: int = OTHER, count: int = 1) -> Log:
    place = f"[0000000000004000/{address:016x}/00000121/ff020201]"
    return [f"Trace {core}: 0x7fdbf8000100 {place} plf_activate_task\n"] * count


def taken(core: int, kind: str, immediate: int | None = None) -> Log:
    lines = [f"Taking exception 5 [{kind}] on CPU {core}", "...from EL0 to EL1"]
    if immediate is not None:
        lines.append(f"...with ESR 0x15/{0x56000000 + immediate:#x}")
    return [f"{line}\n" for line in lines]


def line_of(core: int, level: int) -> Log:
    update = f"0x{core:x} HPPI update: setting FIQ 0 IRQ {level}"
    return [f"gicv3_cpuif_set_irqs GICv3 CPU i/f {update}\n"]


def begin() -> Log:
    """Return a null call of core 0, the first reading, and the store and the branch after it."""
    return [
        *taken(0, "SVC", 1),
        *executed(0, count=7),
        *executed(0, READING),
        *executed(0, count=2),
    ]


def end(core: int = 0) -> Log:
    return [*executed(core, READING), *executed(core, count=9), *taken(core, "SVC", 2)]


# Core 0 calls and signals. Core 1, which was idle, signals back. Core 0 has become idle.
def there_and_back(longer: int = 0) -> Log:
    return [
        *executed(1, WAIT),
        *begin(),
        *executed(0, count=10),
        *taken(0, "SVC", 0),
        *executed(0, count=20),
        *line_of(0, 0),
        *line_of(1, 1),
        *executed(0, count=100),  # beside the path: core 0 returns and ends
        *executed(0, WAIT),
        *line_of(1, 1),
        *line_of(1, 0),
        *executed(1, count=40 + longer),
        *taken(1, "SVC", 0),
        *executed(1, count=5),
        *line_of(0, 1),
        *executed(1, count=200),
        *executed(1, WAIT),
        *executed(0, count=50),
        *end(),
    ]


def count_of(log: Log) -> int:
    return next(iter(windows_of(log, PLACES))).instructions


EMPTY = [*begin(), *executed(0), *end()]
EMPTY_ONE_WAY = [*begin(), *end()]


def counted(*procedures: tuple[str, Log], add: int = 0) -> Counts:
    """Count two rounds of each procedure. In the second the counter exceeds the log by `add`."""
    known = (("empty", EMPTY), ("empty-one-way", EMPTY_ONE_WAY), *procedures)
    console = [f"{name} {count_of(log)} {count_of(log) + add}" for name, log in known]
    log = [line for _, once in known for line in once * 2]
    return counts_by_core("hardware-mask", "\n".join(console), log, PLACES)


def only_window(log: Log) -> Window:
    (window,) = windows_of(log, PLACES)
    return window


def test_an_instruction_that_comes_again_was_executed_once() -> None:
    again = executed(1, 0x10)
    log = [
        *executed(0, 0x10),
        *again,
        "cpu_io_recompile: rewound execution of TB to 0000000000000010\n",
        *again,
        *executed(1, 0x14),
        "Stopped execution of TB chain before 0x7f9a [0000000000000014] plf_activate_task\n",
    ]

    assert list(steps_of(log)) == [Executed(0, 0x10), Executed(1, 0x10)]


def test_a_core_is_signalled_when_its_line_rises() -> None:
    log = [*line_of(1, 1), *line_of(1, 1), *line_of(0, 0), *line_of(1, 0), *line_of(1, 1)]

    assert list(steps_of(log)) == [Signalled(1), Signalled(1)]


def test_exceptions_are_their_cores() -> None:
    log = [*taken(1, "SVC", 2), *taken(0, "IRQ"), *taken(1, "Undefined Instruction", 0)]

    assert list(steps_of(log)) == [
        Taken(1, "SVC", 2),
        Taken(0, "IRQ"),
        Taken(1, "Undefined Instruction", 0),
    ]


def test_a_window_lies_between_the_first_reading_and_the_last() -> None:
    window = only_window([*executed(1, count=5), *EMPTY, *executed(0, count=5)])

    assert window.instructions == 4
    assert (window.begins_on, window.ends_on) == (0, 0)


def test_a_procedure_without_two_readings_is_refused() -> None:
    with pytest.raises(PlafondError, match="has 1 readings of the counter in a procedure"):
        list(windows_of([*begin(), *taken(0, "SVC", 2)], PLACES))


def test_the_path_is_each_cores_part_up_to_its_signal() -> None:
    legs = path_of(only_window(there_and_back()), PLACES)

    parts = [[step for step in leg if isinstance(step, Executed)] for leg in legs]
    assert [(part[0].core, len(part)) for part in parts] == [(0, 33), (1, 45), (0, 50)]


def test_a_signal_of_another_core_does_not_end_the_part_of_this_one() -> None:
    """Core 0, beside the path, signals core 2 and is idle again. The path stays on core 1."""
    log = there_and_back()
    beside = log.index(executed(1, count=1)[0], log.index(line_of(1, 0)[0])) + 10
    log[beside:beside] = [*executed(0), *line_of(2, 1), *executed(0, WAIT)]
    legs = path_of(only_window(log), PLACES)

    assert [leg[0].core for leg in legs] == [0, 1, 0]
    assert len([step for step in legs[1] if isinstance(step, Executed)]) == 45


def test_on_a_core_that_runs_a_task_the_path_begins_with_its_interrupt() -> None:
    preempted = [
        *executed(1, OTHER),
        *begin(),
        *executed(0, count=3),
        *line_of(1, 1),
        *executed(0, count=4),
        *taken(1, "IRQ"),
        *executed(1, count=6),
        *end(1),
    ]
    legs = path_of(only_window(preempted), PLACES)

    assert [len([step for step in leg if isinstance(step, Executed)]) for leg in legs] == [6, 6]
    busy = [line for line in preempted if "[IRQ]" not in line]
    with pytest.raises(PlafondError, match="core 1 was busy when it was signalled"):
        path_of(only_window(busy), PLACES)


def test_a_path_that_ends_on_another_core_than_its_procedure_is_refused() -> None:
    log = [line for line in there_and_back() if line not in line_of(0, 1)]
    with pytest.raises(PlafondError, match="a path ends on core 1, its procedure on 0"):
        path_of(only_window(log), PLACES)


def test_the_row_of_a_path_is_followed_by_those_of_its_legs() -> None:
    rows = counted(("to-there-and-back", there_and_back())).rows

    assert [(row.benchmark, row.instructions, row.system_calls) for row in rows] == [
        ("to-there-and-back", 125, 2),
        ("to-there-and-back/1", 30, 1),
        ("to-there-and-back/2", 45, 1),
        ("to-there-and-back/3", 50, 0),
    ]


def test_of_a_procedure_that_returns_its_own_core_is_counted() -> None:
    beside = [*begin(), *executed(0, count=11), *executed(1, count=500), *executed(0), *end()]
    disturbed = [*begin(), *executed(0, count=11), *taken(0, "IRQ"), *executed(0, count=30), *end()]
    rows = counted(("work-beside", beside), ("disturbed-by-core", disturbed)).rows

    assert [(row.benchmark, row.instructions) for row in rows] == [
        ("work-beside", 11),
        ("disturbed-by-core", 40),
    ]


def test_of_a_way_that_ends_on_its_core_that_core_is_counted_whatever_it_signals() -> None:
    def way(core: int) -> Log:
        return [
            *begin(),
            *executed(0, count=10),
            *taken(0, "SVC", 0),
            *line_of(1, 1),
            *executed(0, count=4),
            *taken(1, "IRQ"),
            *executed(1, count=300),
            *executed(0, count=6),
            *end(core),
        ]

    rows = counted(("to-local-first", way(0))).rows
    assert [(row.benchmark, row.instructions, row.system_calls) for row in rows] == [
        ("to-local-first", 20, 1)
    ]
    with pytest.raises(PlafondError, match="to-local-first ends on core 1, expected 0"):
        counted(("to-local-first", way(1)))


@pytest.mark.parametrize("add", [1, -1])
def test_a_log_and_a_counter_that_differ_are_refused(add: int) -> None:
    with pytest.raises(PlafondError, match="empty: the counter has"):
        counted(add=add)


def test_a_thousand_instructions_more_are_a_thousand_more() -> None:
    def both(longer: int) -> Counts:
        return counted(
            ("to-there-and-back", there_and_back()),
            ("to-there-and-back-longer", there_and_back(longer)),
        )

    found = {row.benchmark: row.instructions for row in both(1000).rows}
    assert found["to-there-and-back-longer/2"] == 1045
    with pytest.raises(PlafondError, match="to-there-and-back-longer has 999 instructions more"):
        both(999)


def test_rounds_whose_legs_differ_are_reported() -> None:
    once = there_and_back()
    first = ("empty", EMPTY), ("empty-one-way", EMPTY_ONE_WAY)
    console = [f"{name} {count_of(log)} {count_of(log)}" for name, log in first]
    console.append(f"to-there-and-back {count_of(once)} {count_of(once) - 1}")
    log = [line for _, empty in first for line in empty * 2]
    shorter = list(once)
    shorter.remove(executed(1)[0])
    counts = counts_by_core("mask", "\n".join(console), [*log, *once, *shorter], PLACES)

    assert counts.unequal == ["mask, to-there-and-back"]


@pytest.mark.parametrize("tasks", TASKS)
def test_a_system_that_grows_has_so_many_tasks_at_31_priorities(tasks: int) -> None:
    system = Build(Program.GROWTH, Variant.HARDWARE_MASK, size=tasks).system()
    priorities = [{task.priority for task in system.tasks_on(cpu)} for cpu in (0, 1)]

    assert len(system.tasks) == tasks
    assert len({task.name for task in system.tasks}) == tasks
    assert max(map(max, priorities)) == 31
    assert all(len(each) == 31 for each in priorities) == (tasks == 250)
    assert {task.queue for task in system.tasks if task.name in ("FIRST", "LAST", "THERE")} == {2}


def test_further_tasks_are_at_the_levels_of_the_measured_ones_first() -> None:
    system = with_tasks(load(Program.GROWTH.description(Scheduler.HARDWARE)), 10)
    others = [(t.cpu, t.priority) for t in system.tasks if t.name.startswith("OTHER")]

    assert others == [(0, 31), (1, 31), (0, 30), (1, 30), (0, 29)]


@pytest.mark.parametrize("users", [0, FEWEST_USERS, *MORE_USERS])
def test_a_resource_that_is_measured_has_so_many_users_on_both_cores(users: int) -> None:
    system = Build(Program.MPCP, Variant.HARDWARE_LAZY_CEILING, size=users).system()
    sharing = {resource.name: resource.users for resource in system.global_resources}

    assert {name: len(each) for name, each in sharing.items()} == {
        "GLOBAL": users or FEWEST_USERS,
        "SHARED": 3,
    }
    for names in sharing.values():
        of_cores = [task.cpu for task in system.tasks if task.name in names]
        assert len(of_cores) == len(names)
        assert abs(of_cores.count(0) - of_cores.count(1)) <= 1
