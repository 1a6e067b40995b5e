# SPDX-License-Identifier: MIT
"""`plafond bench kernel`: the report from made-up consoles and logs."""

import io
from collections.abc import Iterable

import pytest
from rich.console import Console

from plafond.bench.kernel.counts import (
    Counts,
    Round,
    counts_from,
    counts_of,
    taken_in_procedures,
)
from plafond.bench.kernel.growth import TASKS, of_system
from plafond.bench.kernel.model import KernelReport, SharingSetRow
from plafond.bench.kernel.mpcp import FEWEST_USERS, MORE_USERS
from plafond.bench.kernel.papers import papers
from plafond.bench.kernel.programs import BUILDS, Build, Program
from plafond.bench.kernel.ready import COUNTS, ORDERS
from plafond.bench.kernel.report import Machine, make_report
from plafond.bench.kernel.sections import SECTIONS
from plafond.bench.kernel.servers import SERVERS, SHARING
from plafond.bench.kernel.table import print_report
from plafond.bench.kernel.variants import Variant
from plafond.bench.kernel.zuepke import TABLE_II, TABLE_III
from plafond.build.report import ImageReport
from plafond.build.sizes import Sizes
from plafond.errors import PlafondError

ROUNDS = 2
EMPTY, EMPTY_ONE_WAY = 4, 3


def terms(*tables: str, mark: str = "") -> list[str]:
    """Return all procedures of some tables, in systems with this mark, without the legs of a
    path."""
    found = [term for name in tables for row in papers()[name].rows for term in row.terms]
    procedures = (term.lstrip("-").rpartition(":")[2] for term in found)
    each = (name.removesuffix(mark) for name in procedures if name.endswith(mark))
    return [name for name in dict.fromkeys(each) if not name.isdecimal() and "/" not in name]


NAMES = {
    Program.ZUEPKE: [*terms("zuepke-2-platform", "zuepke-2", "zuepke-3"), "activate-first"],
    Program.ALMATARY: [*terms("almatary-1"), *(section.name for section in SECTIONS)],
    Program.READY: [
        f"{what}@{order}-{ready}"
        for what in ("queued", "preempting", "dispatched")
        for order in ORDERS
        for ready in COUNTS
        if ready or what != "dispatched"
    ],
    Program.MUELLER: terms("mueller-1-2"),
    Program.CORES: terms("mueller-cores"),
    Program.GROWTH: ["activate", "to-activated", "to-next", "to-there"],
    Program.MPCP: terms("mueller-3"),
    Program.SPIN: ["spinlock"],
    Program.SERVERS: terms("servers"),
    Program.SHARING: terms("sharing", mark="@overrun"),
    Program.SKIPPING: terms("sharing", mark="@skip"),
}
ONE_WAY = ("chain-task", "activate-first", "unlock-to-the-waiting", "context-switch")
ONE_WAY_PREFIXES = ("preempting@", "dispatched@", "to-")
INSIDE = [row.benchmark for row in TABLE_III.rows if row.at in ("T2", "T3")]
# The default cost of a procedure under each variant.
COST = {
    Variant.SYSCALL: 100,
    Variant.UPRIO_KPRIO: 80,
    Variant.UPRIO_KPRIO_LAZY: 70,
    Variant.UPRIO_NPRIO: 60,
    Variant.SYSCALL_BARE: 90,
    Variant.SYSCALL_ID_UPRIO: 110,
    Variant.IRQ_OFF: 5,
    Variant.UPRIO_NPRIO_EXTENDED: 130,
    Variant.LAZY_CEILING_SIMPLE: 50,
    Variant.LAZY_CEILING: 40,
    Variant.DEADLINE_FLOOR: 200,
    Variant.LAZY_FLOOR: 20,
    Variant.HARDWARE_MASK: 45,
    Variant.HARDWARE_UPRIO_KPRIO: 44,
    Variant.HARDWARE_LAZY_CEILING: 43,
    Variant.NONE: 105,
    Variant.INHERIT: 120,
}
IMAGE = ImageReport(
    file="",
    board="a53",
    scheduler="priority",
    protocol="uprio-nprio",
    conformance_class=None,
    image="",
    nesting=0,
    sizes=[
        Sizes(part="kernel", text=8000),
        Sizes(part="port", text=4000, data=8),
        Sizes(part="tables", text=500),
        Sizes(part="trusted", text=300),
        Sizes(part="user", text=3000),
    ],
    stacks=[],
    activations=1,
    task_block=64,
    saved_registers=312,
    page_tables=8192,
    shared=[],
)


def exception(kind: str, syndrome: str | None) -> list[str]:
    lines = [f"Taking exception 2 [{kind}] on CPU 0", "...from EL0 to EL1"]
    if syndrome:
        lines.append(f"...with ESR {syndrome}")
    return [f"{line}\n" for line in [*lines, "...with ELR 0x40083a38"]]


def call(immediate: int) -> list[str]:
    return exception("SVC", f"0x15/{0x56000000 + immediate:#x}")


def log_of(calls: Iterable[int]) -> list[str]:
    """Return the log of procedures with these numbers of calls. A call precedes each."""
    lines = []
    for count in calls:
        lines += call(0) + call(1) + call(0) * count + call(2)
    return lines


def counts_of_two_cores(build: Build) -> Counts:
    """A path to another core and back has three legs. All other procedures have one leg."""
    cost = COST[build.variant]
    found = {"empty": Round(EMPTY), "empty-one-way": Round(EMPTY_ONE_WAY)}
    for name in NAMES[build.program]:
        legs = [Round(cost + EMPTY_ONE_WAY), Round(cost), Round(cost)]
        if name.startswith("to-there-and-back"):
            found[name] = Round(3 * cost + EMPTY_ONE_WAY, 2, legs=tuple(legs))
        else:
            found[name] = Round(cost + (EMPTY_ONE_WAY if name.startswith("to-") else EMPTY))
    counted = counts_from(build.variant, {name: [each] * ROUNDS for name, each in found.items()})
    return of_system(counted, build.mark)


def counts(build: Build, special: dict[str, int] | None = None) -> Counts:
    if build.program.has_two_cores:
        return counts_of_two_cores(build)
    lines = [f"empty {' '.join([str(EMPTY)] * ROUNDS)}"]
    lines.append(f"empty-one-way {' '.join([str(EMPTY_ONE_WAY)] * ROUNDS)}")
    measured = 2
    for name in NAMES[build.program]:
        is_one_way = name in ONE_WAY or name.startswith(ONE_WAY_PREFIXES)
        empty = EMPTY_ONE_WAY if is_one_way else EMPTY
        count = {name: COST[build.variant], **(special or {})}[name] + empty
        if build.variant is Variant.IRQ_OFF and name in INSIDE:
            count = 0
        measured += count > 0
        lines.append(f"{name} {' '.join([str(count)] * ROUNDS)}")
    counted = counts_of(build.variant, "\n".join(lines), log_of([3] * ROUNDS * measured))
    return of_system(counted, build.mark)


POLICIES = ("skip", "overrun-payback")
SETS = [
    SharingSetRow(
        number=number,
        paper_locks=dict.fromkeys(POLICIES, 300),
        paper_scheduler=dict(zip(POLICIES, (8, 47), strict=True)),
        locks=dict.fromkeys(POLICIES, 160),
        scheduler=dict(zip(POLICIES, (number, 11), strict=True)),
        failed_tests=dict(zip(POLICIES, (12, 0), strict=True)),
        kernel=dict(zip(POLICIES, (18, 11), strict=True)),
    )
    for number in (1, 2)
]


def of(variant: Variant, program: Program = Program.ZUEPKE) -> Counts:
    return counts(Build(program, variant))


def report(special: dict[Variant, dict[str, int]] | None = None) -> KernelReport:
    machine = Machine("a53", "QEMU 7, emulated Cortex-A53", "gcc 12.2.0", "-std=c11")
    found = {build: counts(build, (special or {}).get(build.variant)) for build in BUILDS}
    lazy = IMAGE.model_copy(update={"task_block": 192})
    images = {Variant.UPRIO_NPRIO: IMAGE, Variant.LAZY_FLOOR: lazy}
    schedulers = {Variant.SYSCALL: IMAGE, Variant.HARDWARE_MASK: IMAGE}
    return make_report(found, machine, images, schedulers, schedulers, SETS)


def test_the_empty_procedure_of_its_kind_is_subtracted() -> None:
    rows = {row.benchmark: row for row in of(Variant.SYSCALL).rows}

    assert {row.instructions for row in rows.values()} == {100}
    assert {row.system_calls for row in rows.values()} == {3}
    assert "empty" not in rows


def test_what_was_left_out_has_no_row() -> None:
    names = [row.benchmark for row in of(Variant.IRQ_OFF).rows]

    assert "nested+low@T1" in names
    assert not set(INSIDE) & set(names)


def test_rounds_that_differ_are_reported() -> None:
    console = "empty 4 4\nempty-one-way 3 3\nnull-syscall 40 36"
    found = counts_of("syscall", console, log_of([0] * 4 + [1, 2]))

    assert found.unequal == ["syscall, null-syscall"]
    assert found.rows[0].instructions == 32


def test_calls_are_counted_from_the_begin_to_the_first_end() -> None:
    log = [*call(0), *call(1), *call(0), *call(0), *call(2), *call(0), *call(2), *log_of([1])]

    assert list(taken_in_procedures(log)) == [Round(0, 2), Round(0, 1)]


@pytest.mark.parametrize(
    "disturbance",
    [exception("IRQ", None), exception("Data Abort", "0x24/0x92000047")],
    ids=["interrupt", "fault"],
)
def test_an_exception_of_another_kind_spoils_the_figure(disturbance: list[str]) -> None:
    assert list(taken_in_procedures([*disturbance, *log_of([1])])) == [Round(0, 1)]
    log = [*log_of([0, 0]), *call(1), *disturbance, *call(2)]
    with pytest.raises(PlafondError, match="work was disturbed by an exception"):
        counts_of("syscall", "empty 4\nempty-one-way 3\nwork 9", log)


def test_an_interrupt_may_come_where_it_is_what_is_measured() -> None:
    console = "empty 4\nempty-one-way 3\ndisturbed-work 9"
    begun = [*log_of([0, 0]), *call(1)]
    rows = counts_of("syscall", console, [*begun, *exception("IRQ", None), *call(2)]).rows
    assert [(row.benchmark, row.instructions) for row in rows] == [("disturbed-work", 5)]
    fault = exception("Data Abort", "0x24/0x92000047")
    with pytest.raises(PlafondError, match="disturbed-work was disturbed by an exception"):
        counts_of("syscall", console, [*begun, *fault, *call(2)])


@pytest.mark.parametrize(
    ("console", "calls", "message"),
    [
        ("empty 4 4\nempty-one-way 3 3", 3, "not all"),
        ("empty 4 4", 2, "empty"),
        ("hello", 0, "'hello'"),
    ],
)
def test_a_console_and_a_log_that_do_not_fit_are_refused(
    console: str, calls: int, message: str
) -> None:
    with pytest.raises(PlafondError, match=message):
        counts_of("syscall", console, log_of([0] * calls))


def test_gains_are_relative_to_the_system_calls_and_beside_the_papers() -> None:
    gains = {(gain.benchmark, gain.variant): gain for gain in report().gains}
    ours = gains["nested+medium@T2", "uprio-nprio"]
    lazy = gains["nested+medium@T2", "uprio-kprio-lazy"]

    assert ours.gain == pytest.approx(-0.4)
    assert ours.tms570 == pytest.approx(1367 / 1707 - 1)
    assert lazy.tms570 is None
    assert len(gains) == (len(TABLE_II.rows) + len(TABLE_III.rows)) * 5


def test_table_iii_has_all_procedures_of_section_iv_c() -> None:
    nested = [name for name in TABLE_III.procedures if name.startswith("nested")]
    others = [name for name in TABLE_III.procedures if name.startswith("non-nested")]

    # Without an activation, a single procedure stands for all times.
    assert len(nested) - 1 + 3 == 15
    assert len(others) - 1 + 2 == 8


def test_each_figure_to_reach_is_judged() -> None:
    special = {"non-nested": 12, "nested": 25, "null-syscall": 101, "nested+high@T3": 99}
    found = {target.name: target for target in report({Variant.UPRIO_NPRIO: special}).targets}

    assert found["GetResource + ReleaseResource, uprio-nprio"].reached is True
    assert found["the same nested, two of each"].reached is False
    assert found["the same, extended status"].value == 130
    assert found["GetResource + ReleaseResource, lazy-ceiling"].reached is False
    assert found["null system call, uprio-nprio less syscall"].value == 1
    assert found["Table III, uprio-nprio less syscall, the worst row"].value == -1
    assert found["activation to the first instruction, syscall"].reached is True
    assert found["activation, end and return, uprio-nprio"].reached is True
    assert found["bytes of kernel text and constants"].value == 12500
    assert found["bytes of kernel text and constants"].reached is False
    assert found["bytes of a task control block"].reached is True
    assert found["the same, lazy-floor"].value == 192
    assert found["bytes of page tables, all tasks"].reached is None
    assert found["to another core and back, hardware-mask"].value == 3 * 45
    assert found["to another core and back, hardware-mask"].reached is True
    assert found["another core activates below it, hardware-mask"].value == 0
    assert found["the same with two cores, hardware-mask"].value == 12500
    assert found["Release, remote unblock, hardware-lazy-ceiling"].value == 43
    assert found["Release, remote unblock, hardware-lazy-ceiling"].reached is True
    assert found["Get, no blocking, uprio-nprio"].reached is False
    assert "Get + Release, no blocking, uprio-nprio" not in found


# Costs of New in Almatary's Table I under fixed priorities. Others cost 100 and 40.
LAZY = {"lock": 10, "unlock": 5, "unlock-contended": 80, "arrival-in-section": 130}


def test_what_is_saved_is_reckoned_as_the_paper_does_and_as_it_is() -> None:
    found = report({Variant.SYSCALL: {"dummy-syscall": 30}, Variant.LAZY_CEILING: LAZY})
    saved = {row.what: row for row in found.savings}
    functions = {(row.version, row.function): row for row in found.functions}

    assert functions["other", "priority or deadline change, kernel part"].ipcp == 70
    assert functions["other", "the raise of New, as it is"].ipcp == 30
    assert saved["lock, uncontended"].ipcp == pytest.approx(1 - 10 / 100)
    by_the_paper = saved["lock, and the change, kernel part (the paper's 86 %)"]
    assert by_the_paper.paper == pytest.approx(1 - 9109 / 63389)
    assert by_the_paper.ipcp == pytest.approx(1 - (10 + 70) / 100)
    assert saved["lock and unlock, uncontended"].ipcp == pytest.approx(1 - 15 / 200)
    contended = saved["lock, the raise as it is, and unlock, contended"]
    assert contended.ipcp == pytest.approx(1 - (10 + 30 + 80) / 200)
    assert contended.dfp == pytest.approx(1 - (20 + 20 - 180) / 400)


def test_table_i_has_the_papers_nanoseconds_and_ticks() -> None:
    rows = [row for row in report().functions if row.paper_ns is not None]

    assert [(row.paper_ns, row.paper_system_call) for row in rows] == [
        (63389, True),
        (8739, True),
        (3072, False),
        (1979, False),
        (8070, True),
        (1790, False),
        (1675, True),
        (7130, False),
        (8805, True),
    ]


def test_mutexes_stand_beside_ceilings() -> None:
    file = io.StringIO()
    print_report(report(), Console(file=file, width=200))
    table = file.getvalue().partition("Without ceilings")[2].splitlines()
    assert table[1].split()[2:] == ["none", "inherit", "System", "Call", "UPRIO", "NPRIO"]
    assert table[3].split()[-4:] == ["105", "120", "100", "60"]


def test_calls_of_sections_are_without_those_of_activation() -> None:
    rows = report().sections

    assert {(row.arrival, row.lazy_calls) for row in rows} == {
        ("no task", 3),
        ("below base", 2),
        ("above the ceiling", 1),
    }
    assert len(rows) == len({section.name for section in SECTIONS}) == 21


def test_a_way_over_two_cores_is_its_legs_and_the_first_is_without_what_measures() -> None:
    rows = {row.transition: row.instructions for row in report().across_cores[:4]}

    assert [each[Variant.SYSCALL] for each in rows.values()] == [300, 100, 100, 100]
    assert [each[Variant.HARDWARE_MASK] for each in rows.values()] == [135, 45, 45, 45]


def test_each_system_that_grows_has_a_row_under_both_schedulers() -> None:
    rows = report().growth

    assert [(row.scheduler, row.tasks) for row in rows] == [
        (scheduler, tasks) for scheduler in ("priority", "hardware") for tasks in TASKS
    ]
    assert {row.started_there for row in rows} == {100, 45}


def test_table_iii_of_mueller_has_instructions_and_calls_of_each_variant() -> None:
    rows = {row.transition: row for row in report().across_locks}

    assert [row.paper for row in rows.values()] == [112, 217, 134, 183, 311, 360, 231, None]
    for row in rows.values():
        assert row.instructions[Variant.HARDWARE_MASK] == 45
        assert row.instructions[Variant.UPRIO_NPRIO] == 60
        assert set(row.system_calls.values()) == {0}


def test_each_kind_of_spinlock_has_a_row() -> None:
    rows = [(row.protocol, row.instructions, row.system_calls) for row in report().spinlocks]

    assert rows == [("spin-unordered", 43, 0), ("msrp", 43, 0), ("spin-priority", 43, 0)]


def test_each_number_of_users_has_a_row_under_both_schedulers() -> None:
    rows = report().users

    assert [(row.scheduler, row.users) for row in rows] == [
        (scheduler, users)
        for scheduler in ("priority", "hardware")
        for users in (FEWEST_USERS, *MORE_USERS)
    ]
    assert {(row.get, row.release, row.release_to_there) for row in rows} == {
        (60, 60, 60),
        (43, 43, 43),
    }


def test_servers_are_without_the_budget_and_the_work_that_are_not_the_kernels() -> None:
    rows = {row.transition: row.instructions[Variant.UPRIO_NPRIO] for row in report().servers}

    assert list(rows) == [row.row for row in SERVERS.rows]
    assert rows.pop("the same, until its budget ends") == 60 - 1000
    assert rows.pop("of that the switch of servers") == 0
    assert rows.pop("an alarm of a less urgent one") == 0
    assert set(rows.values()) == {60}


def test_of_several_servers_work_that_is_not_the_kernels_is_left_out() -> None:
    rows = {row.event: row for row in report().sharing}
    found = {event: row.instructions[Variant.UPRIO_NPRIO] for event, row in rows.items()}

    assert list(rows) == [row.row for row in SHARING.rows]
    for event in ("an overrun begins", "a replenishment ends it"):
        assert found.pop(event) == 0
    assert sorted(found.values()) == [0, 0, 0, 60, 60, 60, 60][-len(found) :]
    assert rows["GetResource + ReleaseResource, overrun"].calls == 3
    assert rows["ReleaseResource ends it, the next server runs"].paper == 966


def test_every_table_fits_into_112_columns() -> None:
    out = io.StringIO()
    print_report(report(), Console(file=out, width=112, highlight=False))
    text = out.getvalue()

    assert "…" not in text
    assert "+ medprio task   T2" in text
    assert "100    80 (-20.0%)    70 (-30.0%)    60 (-40.0%)" in text
    assert "100    60 (-40.0%)    50 (-50.0%)    40 (-60.0%)" in text
    assert "All 2 rounds are equal." in text
    assert "They are not cycles" in text
    assert "An exception costs nothing by itself here" in text
