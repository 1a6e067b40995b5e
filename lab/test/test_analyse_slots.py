# SPDX-License-Identifier: MIT
"""`plafond analyse --slots`: the results of OSPERT 2010, 3, and corrections of the paper."""

import json
from dataclasses import replace
from fractions import Fraction
from math import isclose, lcm
from pathlib import Path
from random import Random

import pytest
import typer
from typer.testing import CliRunner, Result

from plafond.analyse.analysis import analyse
from plafond.analyse.guests import guests_of, least_upper_bound
from plafond.analyse.slot_periods import Host, speed_up_for
from plafond.analyse.slots import derive_slots
from plafond.analyse.slots_model import SlotsReport
from plafond.commands.analyse import analyse as command
from plafond.describe import load
from plafond.describe.kernel import Scheduler
from plafond.describe.server import Server, ServerKind
from plafond.describe.system import Interval, Run, System, Task
from plafond.errors import ArgumentError
from plafond.protocols import Protocol

EXAMPLES = Path(__file__).parents[2] / "examples"
BOARDS = EXAMPLES / "kerstan-2010-boards.toml"
MS = 1_000_000
NANOSECOND = 1e-7  # of 10 ms: the run time of t3 is 32/3 ms
MONOTONIC = {"t1": 20, "t2": 10, "t3": 20, "t4": 10}


def run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [*map(str, arguments)])


def with_priorities() -> System:
    """Return the boards of the paper with the scheduler of its Section VIII.A.2."""
    system = load(BOARDS)
    tasks = (task.changed(priority=MONOTONIC[task.name]) for task in system.tasks)
    ordered = tuple(sorted(tasks, key=lambda task: -task.priority))
    return replace(system, scheduler=Scheduler.PRIORITY, tasks=ordered)


def host_runs(report: SlotsReport) -> dict[str, int]:
    return {row.task: row.host_run_ns for row in report.tasks}


def with_slots(name: str, period_ns: int, speed_up: float = 1) -> System:
    """Return an example in slots of half of another period each, on a faster processor."""
    system = load(EXAMPLES / f"{name}.toml")
    half_ns = period_ns // 2

    def slot(server: Server) -> Server:
        start_ns = half_ns if server.start_ns else 0
        return server.changed(period_ns=period_ns, budget_ns=half_ns, start_ns=start_ns)

    def faster(task: Task) -> Task:
        return task.changed(body=(Run(int(task.run_ns / speed_up)),))

    return replace(
        system,
        servers=tuple(map(slot, system.servers)),
        tasks=tuple(map(faster, system.tasks)),
    )


def is_kept(system: System) -> bool:
    protocol = Protocol.CEILING if system.scheduler.has_priorities else Protocol.FLOOR
    return all(row.schedulable for row in analyse(system, [protocol]).rows)


def test_the_boards_of_the_paper_under_edf() -> None:
    """S = 2, 300 MHz, and slots (0, 10) and (10, 20) of 20. Eqs. 14 and 15 print half of these
    slots."""
    report = derive_slots(load(BOARDS))

    assert report.period_ns == 20 * MS
    assert isclose(report.host_mhz or 0, 2 * 150, rel_tol=NANOSECOND)
    assert [(row.start_ns, row.budget_ns) for row in report.slots] == [
        (0, 10 * MS),
        (10 * MS, 10 * MS),
    ]
    assert [row.normalisation for row in report.slots] == [1, 3]
    example = load(EXAMPLES / "kerstan-2010-edf.toml")
    for task in example.tasks:
        assert isclose(host_runs(report)[task.name], task.run_ns, abs_tol=1)


def test_the_host_is_compared_with_the_slowest_board_wherever_that_stands() -> None:
    """The run time of t3 is 3/2 of that on its board, rounded up."""
    system = load(BOARDS)
    report = derive_slots(replace(system, servers=system.servers[::-1]))

    assert isclose(report.host_mhz or 0, 2 * 150, rel_tol=NANOSECOND)
    assert [row.normalisation for row in report.slots] == [3, 1]
    assert host_runs(report)["t3"] == 16_000_001


def test_the_boards_of_the_paper_with_fixed_priorities() -> None:
    """S = 1 + sqrt(2). The paper prints 24.80 for t4: half of 49.71, with a speed-up of 2.42."""
    report = derive_slots(with_priorities())

    assert isclose(report.speed_up, 1 + 2**0.5, rel_tol=NANOSECOND)
    assert report.period_ns == 20 * MS
    runs = {name: round(run_ns / MS, 2) for name, run_ns in host_runs(report).items()}
    assert runs == {"t1": 8.28, "t2": 20.71, "t3": 13.25, "t4": 49.71}
    example = load(EXAMPLES / "kerstan-2010-rm.toml")
    for task in example.tasks:
        assert isclose(host_runs(report)[task.name], task.run_ns, abs_tol=1)


@pytest.mark.parametrize("name", ["kerstan-2010-edf", "kerstan-2010-rm"])
def test_what_is_derived_keeps_all_deadlines_wherever_arrivals_lie(name: str) -> None:
    """Theorem 2 holds without its condition, because windows of whole periods hold whole slots."""
    system = load(EXAMPLES / f"{name}.toml")
    sporadic = tuple(
        task.changed(interval=replace(task.interval, is_periodic=False))
        for task in system.tasks
        if task.interval
    )

    assert is_kept(system)
    assert is_kept(replace(system, tasks=sporadic))


@pytest.mark.parametrize(("period_ms", "kept"), [(20, True), (21, False), (25, True), (31, False)])
def test_another_period_is_judged_as_its_bounds_are(period_ms: int, kept: bool) -> None:
    """P = 25 needs no more speed (Figure 10). P = 31 needs a 1.075 times faster processor (IX)."""
    report = derive_slots(load(BOARDS))
    row = next(row for row in report.periods if row.period_ns == period_ms * MS)
    assert row.speed_up is not None

    assert isclose(row.speed_up, 1, abs_tol=1e-6) == kept
    assert is_kept(with_slots("kerstan-2010-edf", period_ms * MS)) == kept
    assert is_kept(with_slots("kerstan-2010-edf", period_ms * MS, row.speed_up + 1e-6))
    assert not is_kept(with_slots("kerstan-2010-edf", period_ms * MS, row.speed_up - 1e-3))


@pytest.mark.parametrize(
    ("divisor", "periods"),
    [
        (7, range(7, 15)),  # in steps of a nanosecond
        (39, range(39, 79)),
        (40, range(40, 81, 2)),
        (45, range(45, 91, 2)),  # twenty steps, and the rest of the last step
    ],
)
def test_periods_go_up_to_twice_the_divisor(divisor: int, periods: range) -> None:
    system = load(BOARDS)
    tasks = tuple(
        task.changed(interval=Interval(many * divisor, many * divisor), deadline_ns=None)
        for task, many in zip(system.tasks, (1, 2, 3, 4), strict=True)
    )

    report = derive_slots(replace(system, tasks=tasks))

    assert [row.period_ns for row in report.periods] == [*periods]


def test_under_priorities_windows_before_the_slot_are_left_out() -> None:
    """Slots have half of a period of twice the shortest interval: the first interval may get no
    time."""
    system = with_priorities()
    intervals = {"t1": 20, "t2": 40, "t3": 40, "t4": 60}
    tasks = tuple(
        task.changed(interval=Interval(every, every), deadline_ns=None, body=(Run(every // 4),))
        for task in system.tasks
        for every in [intervals[task.name] * MS]
    )

    row = derive_slots(replace(system, tasks=tasks)).periods[-1]

    assert row.period_ns == 40 * MS
    unknown = {name: found is None for name, found in row.speed_ups.items()}
    assert unknown == {"one": True, "two": False}
    assert row.speed_up is None


@pytest.mark.parametrize(
    ("scheduler", "terms"), [(Scheduler.EDF, 2 * 7), (Scheduler.PRIORITY, 4 * 3)]
)
def test_as_many_deadlines_are_looked_at_as_there_are_terms(
    monkeypatch: pytest.MonkeyPatch, scheduler: Scheduler, terms: int
) -> None:
    """EDF: five and two deadlines, for each of two tasks. Else two and one, for each of four
    pairs."""
    guest, _ = guests_of(with_priorities())
    period_ns = 20 * MS
    for most, is_known in ((terms, True), (terms - 1, False)):
        monkeypatch.setattr("plafond.analyse.slot_periods.MOST_TERMS", most)
        found = speed_up_for(scheduler, Host(guest, Fraction(2)), period_ns, period_ns // 2)
        assert (found is not None) == is_known


def test_notes_name_the_equations_of_the_scheduler() -> None:
    none_comes = "-: no time comes until a deadline, or there are too many deadlines to look at"
    by_demand, by_responses = derive_slots(load(BOARDS)), derive_slots(with_priorities())

    assert [note.split(":")[0] for note in by_demand.notes] == [
        "the period is the greatest common divisor of those of all tasks",
        "other periods",
    ]
    assert "eqs. 16 to 19" in by_demand.notes[1]
    assert ["alpha is 1/U_lub" in note for note in by_responses.notes[1:2]] == [True]
    assert "by response times" in by_responses.notes[2]
    is_unknown = [
        any(row.speed_up is None for row in each.periods) for each in (by_demand, by_responses)
    ]
    assert [none_comes in each.notes for each in (by_demand, by_responses)] == is_unknown


def test_the_printed_period_of_31_ms() -> None:
    report = derive_slots(load(BOARDS))

    assert [round(row.speed_up or 0, 3) for row in report.periods if row.period_ns == 31 * MS] == [
        1.075
    ]


def test_equation_17_as_printed_is_below_nothing_before_a_slot() -> None:
    """It needs a speed of 1.125 at P = 20, which needs 1. It is negative in the first delay."""
    tasks = [(40, 10), (100, 25)]

    def printed(t: int, period: int, slot: int) -> int:
        return t // period * slot + (t - t // period * period - (period - slot))

    deadlines = {
        k for interval, _ in tasks for k in range(interval, lcm(20, 40, 100) + 1, interval)
    }
    needed = max(
        Fraction(sum(t // interval * run for interval, run in tasks), printed(t, 20, 10))
        for t in deadlines
    )

    assert printed(8, 20, 10) < 0
    assert needed == Fraction(9, 8)
    first = derive_slots(load(BOARDS)).periods[0]
    assert isclose(first.speed_ups["one"] or 0, 1, rel_tol=NANOSECOND)


@pytest.mark.parametrize("period_ms", [20, 22, 25, 29, 37, 40])
def test_the_speed_for_fixed_priorities_is_exact(period_ms: int) -> None:
    """The bounds keep all deadlines at this speed, and not at a lower speed."""
    report = derive_slots(with_priorities())
    row = next(row for row in report.periods if row.period_ns == period_ms * MS)
    assert row.speed_up is not None

    assert is_kept(with_slots("kerstan-2010-rm", period_ms * MS, row.speed_up + 1e-6))
    assert not is_kept(with_slots("kerstan-2010-rm", period_ms * MS, row.speed_up - 1e-3))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scheduler", [Scheduler.EDF, Scheduler.PRIORITY])
def test_derived_slots_of_random_systems(seed: int, scheduler: Scheduler) -> None:
    """No sporadic task is late. Other periods need exactly the reported speed. 1e-5 is rounding."""
    boards = some_boards(Random(seed), scheduler)
    report = derive_slots(boards)

    assert is_kept(on_host(boards, report, report.period_ns, 1 + 1e-5))
    for row in report.periods[seed % 4 :: 4]:
        if row.speed_up is not None:
            assert is_kept(on_host(boards, report, row.period_ns, row.speed_up * (1 + 1e-5)))
            assert not is_kept(on_host(boards, report, row.period_ns, row.speed_up * (1 - 1e-3)))


def some_boards(random: Random, scheduler: Scheduler) -> System:
    """Draw two or three boards, whose intervals are any multiples of a unit."""
    unit_ns = random.choice((10, 20, 30, 50)) * MS
    servers, tasks = [], []
    for name in ("one", "two", "three")[: random.choice((2, 3))]:
        clock_mhz = random.choice((100, 150, 300))
        slot = {"period_ns": unit_ns, "budget_ns": 1, "start_ns": 0, "clock_mhz": clock_mhz}
        servers.append(Server.made(name, kind=ServerKind.SLOT, **slot))
        intervals = sorted(unit_ns * random.randint(1, 9) for _ in range(random.randint(1, 4)))
        for number, interval_ns in enumerate(intervals):
            run_ns = random.randint(interval_ns // 40, interval_ns // len(intervals))
            tasks.append(some_task(name, number, interval_ns, run_ns))
    ordered = tuple(sorted(tasks, key=lambda task: -task.priority))
    return System("boards", 1, 1, ordered, (), scheduler, servers=tuple(servers))


def some_task(server: str, number: int, interval_ns: int, run_ns: int) -> Task:
    return Task.made(
        name=f"{server}{number}",
        priority=50 - number,
        interval=Interval(interval_ns, interval_ns),
        deadline_ns=interval_ns,
        body=(Run(run_ns),),
        server=server,
    )


def on_host(boards: System, report: SlotsReport, period_ns: int, speed_up: float) -> System:
    """Return the systems in slots of a period, on a processor that is still faster by
    `speed_up`."""
    shares = {row.server: row.share for row in report.slots}
    servers, start_ns = [], 0
    for server in boards.servers:
        budget_ns = min(round(shares[server.name] * period_ns), period_ns - start_ns)
        slot = server.changed(period_ns=period_ns, budget_ns=budget_ns, start_ns=start_ns)
        servers.append(slot)
        start_ns += budget_ns
    runs = host_runs(report)
    tasks = (t.changed(body=(Run(int(runs[t.name] / speed_up)),)) for t in boards.tasks)
    return replace(boards, servers=tuple(servers), tasks=tuple(tasks))


def test_the_least_upper_bound_is_not_above_what_it_is() -> None:
    assert [float(least_upper_bound(Scheduler.EDF, tasks)) for tasks in (1, 9)] == [1, 1]
    assert least_upper_bound(Scheduler.PRIORITY, 1) == 1
    for tasks in range(1, 40):
        found = least_upper_bound(Scheduler.PRIORITY, tasks)
        assert (1 + found / tasks) ** tasks <= 2
        assert isclose(found, tasks * (2 ** (1 / tasks) - 1), rel_tol=1e-9)


CHANGES = [
    ('kind = "slot"', 'kind = "idling"\npriority = 1', "found one, which is idling"),
    ("clock = 150\n", "", "found no clock of one; expected one of each server, or of none"),
    (
        'arrival = "periodic 40ms"',
        'arrival = "periodic 40ms"\ndeadline = "30ms"',
        "found t1 due after 30ms; expected deadlines at the next arrivals",
    ),
    ('body = ["run 20ms"]', 'body = ["lock R", "run 20ms", "unlock R"]', "found t1, which locks"),
]


@pytest.mark.parametrize(("old", "new", "message"), CHANGES)
def test_what_cannot_move_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = BOARDS.read_text().replace(old, new, 2 if "idling" in new else 1)
    text = text.replace("priority = 1", "priority = 2", 1)
    file = tmp_path / "system.toml"
    file.write_text(text + ("[resource.R]\n" if "lock" in new else ""))

    found = run(file, "--slots").exception

    assert isinstance(found, ArgumentError)
    assert f"--slots: {message}" in str(found)


def test_fixed_priorities_must_be_rate_monotonic() -> None:
    system = with_priorities()
    swapped = {"t1": 10, "t2": 20}
    tasks = (t.changed(priority=swapped.get(t.name, t.priority)) for t in system.tasks)

    with pytest.raises(ArgumentError, match="found t2 more urgent than t1, which comes more often"):
        derive_slots(replace(system, tasks=tuple(sorted(tasks, key=lambda t: -t.priority))))


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    """With 39 ms the first deadline, at 20 ms, lies before the slot."""
    text = BOARDS.read_text().replace("periodic 40ms", "periodic 20ms")
    file = tmp_path / "system.toml"
    file.write_text(text.replace("run 20ms", "run 2ms").replace("run 50ms", "run 5ms"))

    result = run(file, "--slots")

    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["20ms", "1", "1", "1"] in lines
    assert [(line[1], line[3]) for line in lines if line[:1] == ["39ms"]] == [("-", "-")]
    assert "- -: no time comes until a deadline" in result.stdout


def test_a_description_with_too_many_deadlines_is_not_followed(tmp_path: Path) -> None:
    text = BOARDS.read_text().replace("periodic 40ms", "periodic 39999999ns")
    file = tmp_path / "system.toml"
    file.write_text(text)

    report = derive_slots(load(file))

    assert report.period_ns == 1
    assert report.periods[0].speed_up is None


def test_without_servers_there_is_nothing_to_derive() -> None:
    found = run(EXAMPLES / "inversion.toml", "--slots").exception

    assert isinstance(found, ArgumentError)
    assert "found no servers; expected some of the kind slot" in str(found)


def test_tables_and_json_say_the_same() -> None:
    result = run(BOARDS, "--slots")
    report = json.loads(run(BOARDS, "--slots", "--format", "json").stdout)

    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["two", "450", "MHz", "33.3%", "1", "50.0%", "10ms", "10ms"] in lines
    assert ["t4", "two", "200ms", "40ms", "60ms"] in lines
    assert ["31ms", "1.075", "1.008", "1.075"] in lines
    assert "- period 20ms, on a processor 2 times as fast as the slowest board: 300 MHz" in (
        result.stdout
    )
    assert (report["period_ns"], report["slots"][1]["start_ns"]) == (20 * MS, 10 * MS)


def test_the_plot_has_a_line_for_each_server(tmp_path: Path) -> None:
    """Equal figures give equal files."""
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"

    for file in (first, second):
        assert run(BOARDS, "--slots", "--plot", file).exit_code == 0

    text = first.read_text()
    assert text == second.read_text()
    assert text.startswith("<svg ")
    for words in (">one<", ">two<", ">period of the slots, ms<", ">further speed-up<"):
        assert words in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plot", "x.svg"], "--plot: found no --slots"),
        (["--slots", "--protocol", "floor"], "--protocol: found it with --slots"),
        (["--slots", "--overheads", "sim"], "--overheads: found it with --slots"),
    ],
)
def test_options_that_do_not_go_together(options: list[str], message: str) -> None:
    found = run(BOARDS, *options).exception

    assert isinstance(found, ArgumentError)
    assert message in str(found)


def test_a_plot_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    found = run(BOARDS, "--slots", "--plot", tmp_path / "file" / "x.svg").exception

    assert isinstance(found, ArgumentError)
    assert f"--plot: cannot write to {tmp_path}/file/x.svg: " in str(found)
