# SPDX-License-Identifier: MIT
"""The overheads of each target: scenes, costs from scenes, kept results, and refusals."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from server_traces import recorded

from plafond.analyse.analysis import analyse
from plafond.analyse.model import Verdict
from plafond.analyse.on_target import TargetRow, analyse_on
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.table import print_target_report
from plafond.board.boards import BOARDS
from plafond.describe.kernel import Scheduler
from plafond.describe.kernel_table import KERNEL
from plafond.describe.server import reservation
from plafond.describe.system import Interval, Lock, Resource, Run, System, Task, Unlock
from plafond.doctor.machine import Machine
from plafond.errors import ArgumentError, RefusedError
from plafond.protocols import Protocol, analysed, names_of
from plafond.run import overheads as module
from plafond.run import scene_runs
from plafond.run.arrivals import draw_arrivals
from plafond.run.overheads import TICK_OF_GUEST_NS, overheads_for, tick_ns_of
from plafond.run.scene_costs import costs_of, largest, step_ns_of
from plafond.run.scene_runs import Measured, scenes_on_board
from plafond.run.scenes import (
    DELAYING_NESTED,
    DISTURBING,
    NESTED,
    REPEATED,
    SINGLE,
    all_scenes,
    overheads_of,
    system_of,
)
from plafond.trace.model import Event, Kind, Trace
from plafond.vm.guest import Guest
from plafond.vm.machine import Results

INTERRUPT, ACTIVATION, SWITCH, PAIR, PREEMPTED, DISTURBED, STEP = 200, 150, 130, 50, 70, 20, 2
GLOBAL = (Lock("G"), Run(5), Unlock("G"))
SYSTEM = system_of(all_scenes(), Scheduler.PRIORITY, KERNEL)


def target_with_costs() -> dict[str, int]:
    """Return the times of the scenes if each cost has the value of its constant."""
    alone = INTERRUPT + ACTIVATION
    job = {"interrupted": alone + INTERRUPT, "interrupted_equal": alone + INTERRUPT}
    taken: dict[str, int] = {}
    for name, scene in all_scenes().items():
        preempts = sum(
            other.at_us > 0 and other.urgency > scene.jobs[0].urgency for other in scene.jobs
        )
        steps = sum(len(each.body) for each in scene.measured_jobs) if not scene.pairs else 0
        taken[name] = job.get(name, len(scene.jobs) * alone + preempts * SWITCH)
        taken[name] += scene.pairs * PAIR + (steps - 1) * STEP * (name == "steps")
    for name in DISTURBING:
        taken[name] += DISTURBED
    for name in ("delays", "delays_user", "delays_two"):
        taken[name] += PREEMPTED
    for name in DELAYING_NESTED:
        taken[name] += 2 * PREEMPTED
    return taken


def test_costs_are_found_again_in_the_scenes() -> None:
    assert costs_of(target_with_costs()) == Costs(
        INTERRUPT, ACTIVATION, SWITCH, PAIR, PREEMPTED, DISTURBED
    )
    assert step_ns_of(target_with_costs()) == STEP


@pytest.mark.parametrize(
    ("scene", "cost"),
    [
        ("interrupted", "interrupt_ns"),
        ("interrupted_equal", "interrupt_ns"),
        ("waits", "activation_ns"),
        ("preempts", "switch_ns"),
        *((name, "pair_ns") for name in (*SINGLE, *NESTED)),
        *((name, "preempted_ns") for name in ("delays", "delays_user", *DELAYING_NESTED)),
        *((name, "disturbed_ns") for name in DISTURBING),
    ],
)
def test_every_scene_can_raise_its_cost(scene: str, cost: str) -> None:
    taken = target_with_costs()
    before = costs_of(taken)
    taken[scene] += 1000

    assert getattr(costs_of(taken), cost) > getattr(before, cost)


def test_of_several_measurements_each_cost_is_the_largest() -> None:
    assert largest([Costs(1, 5, 3, 7, 2, 9), Costs(4, 2, 6, 1, 8, 0)]) == Costs(4, 5, 6, 7, 8, 9)


def test_tasks_that_are_ready_wait_below_all_scenes_and_longer() -> None:
    system = system_of(all_scenes(), Scheduler.EDF, KERNEL, ready=3)
    arrivals = draw_arrivals(system, 1)
    last_ns = max(map(max, arrivals.values()))

    waiting = [task for task in system.tasks if task.name.startswith("ready_")]
    assert [len(arrivals[task.name]) for task in waiting] == [1, 1, 1]
    for task in system.tasks:
        assert task.deadline_ns
        assert task in waiting or last_ns + task.deadline_ns < (waiting[0].deadline_ns or 0)
    begun_ns = arrivals["ready_0"][0]
    assert begun_ns < min(min(arrivals[t.name]) for t in system.tasks if t not in waiting)
    assert begun_ns + waiting[0].run_ns > last_ns


def test_under_edf_a_full_queue_is_measured_too(monkeypatch: pytest.MonkeyPatch) -> None:
    fillings = []

    def measure(*arguments: object) -> Measured:
        fillings.append(arguments[-1])
        return Measured(dict.fromkeys(all_scenes(), 0))

    monkeypatch.setattr(module, "scenes_on_board", measure)
    overheads_for("a53", ["lazy-floor"], replace(SYSTEM, scheduler=Scheduler.EDF))
    overheads_for("a53", ["uprio-nprio"], SYSTEM)
    assert fillings == [0, len(SYSTEM.tasks), 0]


def test_no_cost_is_below_zero() -> None:
    assert costs_of(dict.fromkeys(all_scenes(), 0)) == Costs()
    assert step_ns_of({"steps": 1, "alone": 5}) == 0


def test_scenes_do_not_overlap_and_each_has_its_turn() -> None:
    arrivals = draw_arrivals(SYSTEM, 1)
    scenes = all_scenes()
    for name, scene in scenes.items():
        first = arrivals[f"{name}_0"]
        tasks = {f"{name}_{number}" for number in range(len(scene.jobs))}
        others = {time for task in arrivals.keys() - tasks for time in arrivals[task]}
        assert len(first) == REPEATED
        for time in first:
            assert not any(time <= other < time + 2 * scene.run_ns for other in others), name


def trace_of_scenes(extra_ns: int) -> Trace:
    """Return a trace in which each first job of a scene ends last, `extra_ns` after its steps."""
    arrivals = draw_arrivals(SYSTEM, 1)
    scenes = all_scenes()
    tasks = []
    for task in SYSTEM.tasks:
        scene_name, number = task.name.rsplit("_", 1)
        scene = scenes[scene_name]
        last = int(number) == 0
        events = []
        for index, arrival_ns in enumerate(arrivals[task.name]):
            end_ns = arrival_ns + (scene.run_ns + extra_ns if last else 10)
            events += [
                Event(arrival_ns, Kind.START, index, None),
                Event(end_ns, Kind.END, index, None),
            ]
        tasks.append(recorded(task.name, arrivals[task.name], events))
    return Trace(
        version=1, protocol="p", cut=None, kernel="", priority_limit_us=(None, None), backend=None,
        cpus=[], resources=[], tasks=tasks, lock_calls_not_counted=None, spare_cpu_time_ns=None,
    )  # fmt: skip


def test_the_overhead_of_a_scene_is_its_length_beyond_its_steps() -> None:
    found = overheads_of(all_scenes(), trace_of_scenes(345))

    assert {time for times in found.values() for time in times} == {345}
    assert found.keys() == all_scenes().keys()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(scene_runs, "own_folder", lambda name: tmp_path / name)
    return tmp_path


@pytest.fixture
def guest(kept: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Replace the virtual machine. Return the list of its calls, with the plans of each."""
    program = kept / "program"
    program.write_bytes(b"one")
    calls: list[list[str]] = []

    class Kernel:
        image = program

    def run_in_vm(_: Guest, files: dict[str, object], *__: object) -> Results:
        names = [name.removeprefix("/plans/") for name in files if name.startswith("/plans/")]
        calls.append(names)
        trace = trace_of_scenes(5).model_dump_json().encode()
        noise = json.dumps({"windows": [[10_000, 7], [20_000, 9]]}).encode()
        return Results({"noise": noise} | {f"trace-{name}": trace for name in names}, 0, "")

    monkeypatch.setattr(scene_runs, "prepare", lambda _: (str(program), Kernel, []))
    monkeypatch.setattr(scene_runs, "find_program", lambda _: program)
    monkeypatch.setattr(scene_runs, "run_in_vm", run_in_vm)
    return calls


def test_what_the_guest_measured_is_kept_until_something_changes(
    guest: list[list[str]], kept: Path
) -> None:
    first = overheads_for("vm", ["inherit", "plafond"], SYSTEM)
    assert overheads_for("vm", ["plafond"], SYSTEM)["plafond"] == first["plafond"]
    assert first["plafond"].noise == ((10_000, 7), (20_000, 9))
    overheads_for("vm", ["none", "plafond"], SYSTEM)
    assert guest == [["inherit", "plafond"], ["none"]]

    (kept / "program").write_bytes(b"another")
    overheads_for("vm", ["plafond"], SYSTEM)
    assert guest[2:] == [["plafond"]]


def test_ticks_count_where_there_are_reservations(guest: list[list[str]]) -> None:
    assert overheads_for("vm", ["plafond"], SYSTEM)["plafond"].tick_ns == 0
    reserved = replace(SYSTEM, reservations=(reservation("net", "eth0", 10_000_000, 1_000_000),))
    assert overheads_for("vm", ["plafond"], reserved)["plafond"].tick_ns == TICK_OF_GUEST_NS
    assert len(guest) == 1


def test_a_kept_result_that_is_damaged_is_measured_again(
    guest: list[list[str]], kept: Path
) -> None:
    overheads_for("vm", ["plafond"], SYSTEM)
    (kept / "overheads" / "vm-x86_64-6.12-stock-plafond.json").write_text("{")
    overheads_for("vm", ["plafond"], SYSTEM)
    assert len(guest) == 2


def test_what_was_measured_while_recording_is_kept_apart(
    guest: list[list[str]], kept: Path
) -> None:
    for is_recorded in (False, True, False, True):
        overheads_for("vm", ["plafond"], SYSTEM, is_recorded=is_recorded)
    assert guest == [["plafond"], ["plafond"]]
    assert len(list((kept / "overheads").iterdir())) == 2


def test_two_processors_of_the_guest_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"found vm with 2 CPUs.*expected one CPU"):
        overheads_for("vm", ["plafond"], SYSTEM, Guest(cpus=2))


def test_a_board_whose_cores_share_time_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"found a53 with 2 CPUs.*expected one CPU"):
        overheads_for("a53", ["uprio-nprio"], replace(SYSTEM, cpus=2))


def test_an_unknown_target_names_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="found 'a35'; expected none or one of linux, vm, a53"):
        overheads_for("a35", ["plafond"], SYSTEM)


def test_without_privilege_the_other_targets_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RefusedError("SCHED_FIFO: Operation not permitted")

    monkeypatch.setattr(module, "measure_overheads", refuse)
    with pytest.raises(RefusedError, match=r"SCHED_FIFO.*expected vm, a53 or sim instead"):
        overheads_for("linux", ["plafond"], SYSTEM)


def test_on_the_simulated_processor_nothing_costs_anything() -> None:
    added = overheads_for("sim", names_of(lambda row: row.runs_under("priority")), SYSTEM)

    for name, overheads in added.items():
        with_them = analyse(SYSTEM, [analysed(name)], overheads)
        assert with_them.rows == analyse(SYSTEM, [analysed(name)]).rows


def test_a_report_of_a_target_has_both_bounds() -> None:
    added = overheads_for("sim", ["uprio-nprio"], SYSTEM)
    costly = replace(added["uprio-nprio"], costs={Protocol.CEILING: Costs(activation_ns=9)})
    report = analyse_on("sim", SYSTEM, {"uprio-nprio": costly})

    row = next(row for row in report.rows if row.task == "alone_0")
    assert (row.protocol, row.response_bound_ns is not None) == ("uprio-nprio", True)
    assert row.overheads_ns is not None
    assert row.overheads_ns >= 2 * 9
    assert report.costs[0].costs.activation_ns == 9


@pytest.mark.parametrize(
    ("protocol", "scheduler"),
    [("uprio-nprio", Scheduler.PRIORITY), ("deadline-floor", Scheduler.EDF)],
)
def test_the_simulated_processor_takes_no_time_for_any_scene(
    kept: Path, protocol: str, scheduler: Scheduler
) -> None:
    measured = scenes_on_board(BOARDS["sim"], protocol, scheduler, KERNEL)

    assert measured == Measured(dict.fromkeys(all_scenes(), 0))


def test_the_ticks_are_those_of_the_kernel_and_else_the_longest(tmp_path: Path) -> None:
    """100 Hz is the lowest rate with which Linux can be built."""
    config = tmp_path / "boot/config-6.12"
    config.parent.mkdir()
    (tmp_path / "proc/sys/kernel").mkdir(parents=True)
    (tmp_path / "proc/sys/kernel/osrelease").write_text("6.12\n")
    assert tick_ns_of(Machine(tmp_path)) == 10_000_000
    for hz, tick_ns in ((1000, 1_000_000), (300, 3_333_333), (250, 4_000_000), (100, 10_000_000)):
        config.write_text(f"CONFIG_HZ_{hz}=y\nCONFIG_HZ={hz}\n")
        assert tick_ns_of(Machine(tmp_path)) == tick_ns
    features = tmp_path / "sys/kernel/debug/sched/features"
    features.parent.mkdir(parents=True)
    features.write_text("HRTICK NO_HRTICK_DL TTWU_QUEUE\n")
    assert tick_ns_of(Machine(tmp_path)) == 10_000_000
    features.write_text("NO_HRTICK HRTICK_DL TTWU_QUEUE\n")
    assert tick_ns_of(Machine(tmp_path)) == 10_000


@pytest.mark.parametrize(
    ("theory_ns", "real_ns", "added_ns"), [(5, 9, 4), (5, None, None), (None, 9, None)]
)
def test_what_overheads_add_is_known_where_both_bounds_are(
    theory_ns: int | None, real_ns: int | None, added_ns: int | None
) -> None:
    row = TargetRow(
        task="t",
        protocol="plafond",
        response_bound_ns=theory_ns,
        blocking_with_overheads_ns=None,
        response_with_overheads_ns=real_ns,
        deadline_ns=20,
        schedulable=None,
        no_bound_yet=None,
    )
    assert row.overheads_ns == added_ns


def test_rows_stand_by_task_and_notes_are_those_of_all_protocols() -> None:
    tasks = tuple(
        Task.made(
            name, priority=priority, interval=Interval(10, 10), deadline_ns=10, body=(Run(5),)
        )
        for name, priority in (("high", 2), ("low", 1))
    )
    added = Overheads({Protocol.CEILING: Costs(), Protocol.INHERIT: Costs()}, step_ns=1)
    names = ("plafond", "inherit")
    report = analyse_on("linux", System("s", 1, 1, tasks, ()), dict.fromkeys(names, added))

    assert [(row.task, row.protocol) for row in report.rows] == [
        (task.name, name) for task in tasks for name in names
    ]
    assert [note for note in report.notes if "no bound" in note] == [
        f"{protocol}: no bound for low: demand leaves no time over"
        for protocol in ("ceiling", "inherit")
    ]


def test_each_protocol_of_a_target_has_its_costs_bounds_and_reason() -> None:
    task = Task.made("t", priority=1, interval=Interval(9, 9), deadline_ns=9, body=(Run(5),))
    overheads = {
        "plafond": Overheads({Protocol.CEILING: Costs(activation_ns=1)}, step_ns=1),
        "inherit": Overheads({Protocol.INHERIT: Costs(activation_ns=2)}, step_ns=2),
    }
    report = analyse_on("linux", System("s", 1, 1, (task,), ()), overheads)

    assert [(row.costs.activation_ns, row.step_ns) for row in report.costs] == [(1, 1), (2, 2)]
    assert [(row.response_bound_ns, row.response_with_overheads_ns) for row in report.rows] == [
        (5, 5 + 1 + 1 + 1),
        (5, 5 + 2 + 2 + 2),
    ]
    assert [row.schedulable for row in report.rows] == [True, False]


def test_the_table_has_each_point_at_which_the_curve_of_ticks_rises() -> None:
    task = Task.made("t", priority=1, interval=Interval(9000, 9000), body=(Run(5),))
    noise = ((10, 3), (20, 3), (200, 20), (400, 20), (500, 21))
    added = Overheads({Protocol.CEILING: Costs()}, noise=noise)
    report = analyse_on("linux", System("s", 1, 1, (task,), ()), {"plafond": added})
    console = Console(record=True, width=200)

    print_target_report(report, console)

    assert "- ticks take at most 3ns of 10ns, 20ns of 200ns, 21ns of 500ns" in console.export_text()


def test_a_row_of_a_target_says_why_there_is_no_bound_yet() -> None:
    tasks = tuple(
        Task.made(
            f"t{cpu}", priority=1, cpu=cpu, interval=Interval(90, 90), deadline_ns=90, body=GLOBAL
        )
        for cpu in (0, 1)
    )
    resource = Resource.made("G", ceiling=1, users=("t0", "t1"), cpus=(0, 1))
    system = System("s", 2, 1, tasks, (resource,))
    report = analyse_on("linux", system, {"inherit": Overheads({Protocol.INHERIT: Costs()})})

    assert {row.no_bound_yet for row in report.rows} == {"G is used on the CPUs 0 and 1"}
    assert {row.verdict for row in report.rows} == {Verdict.NO_BOUND_YET}
