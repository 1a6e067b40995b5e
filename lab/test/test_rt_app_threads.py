# SPDX-License-Identifier: MIT
"""Threads of rt-app in the forms of its published files: how activations come, waits, policies."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from descriptions import mistakes
from kernel_runs import trace_on
from refusal import refusal
from typer.testing import CliRunner, Result

from plafond.cli import app
from plafond.describe.across_cpus import refuse_across_cpus
from plafond.describe.defaults import NO_DEFAULTS, Defaults
from plafond.describe.loading import system_from
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read
from plafond.describe.source import Source
from plafond.describe.system import Interval, Run, System, Task
from plafond.trace.model import Kind

US, MS = 1_000, 1_000_000
FIFO = Defaults("SCHED_FIFO", (0,))
TIMER = {"ref": "unique", "period": 10_000}


def source_of(
    folder: Path, threads: dict[str, Any] | str, defaults: Defaults = FIFO, **settings: object
) -> Source:
    """Write a file of rt-app, and read it."""
    tasks = threads if isinstance(threads, str) else json.dumps(threads)
    file = folder / "some.json"
    file.write_text(f'{{"global": {json.dumps(settings)},\n"tasks": {tasks}}}', encoding="utf-8")
    return read(file, defaults=defaults)


def system_of(folder: Path, threads: dict[str, Any] | str, **settings: Any) -> System:
    return system_from(source_of(folder, threads, **settings))


def named(system: System, name: str) -> Task:
    return next(task for task in system.tasks if task.name == name)


def task_of(folder: Path, **keys: object) -> Task:
    return named(system_of(folder, {"a": keys}), "a")


def bodies_of(folder: Path, threads: dict[str, Any] | str, **settings: Any) -> dict[str, list[str]]:
    """Return the steps of each task, as a description has them."""
    tasks = source_of(folder, threads, **settings).raw["task"]
    return {name: table["body"] for name, table in tasks.items()}


def notes_of(source: Source) -> list[str]:
    return [note.removeprefix(f"{source.file}:") for note in source.notes]


def in_phases(*phases: dict[str, Any], **keys: object) -> dict[str, Any]:
    return {"phases": {f"p{number}": phase for number, phase in enumerate(phases)}, **keys}


# ---- Loops with timers ---------------------------------------------------------------------------


@pytest.mark.parametrize(("passes", "count"), [(1, 30), (3, 90), (-1, None)])
def test_activations_of_several_phases_differ_in_the_time_of_run(
    tmp_path: Path, passes: int, count: int | None
) -> None:
    light, heavy = ({"loop": n, "run": run, "timer": TIMER} for n, run in ((10, 1000), (20, 9000)))
    source = source_of(tmp_path, {"a": in_phases(light, heavy, loop=passes)})
    task = named(system_from(source), "a")
    assert task.interval == Interval(10 * MS, 10 * MS)
    assert (task.run_ns, task.least_run_ns, task.activations) == (9 * MS, 1 * MS, count)
    assert notes_of(source)[0].endswith("depends on the phase: a run draws it")


def test_a_timer_without_events_before_it_makes_the_next_activation_later(tmp_path: Path) -> None:
    tick, idle = {"run": 5, "timer": TIMER}, {"loop": 4, "timer": TIMER}
    assert task_of(tmp_path, **in_phases(tick, idle)).interval == Interval(50 * MS, 50 * MS)
    idle_first = task_of(tmp_path, **in_phases(idle, tick, loop=2))
    assert (idle_first.offset_ns, idle_first.activations) == (40 * MS, 2)
    assert idle_first.least_interval_ns == 50 * MS
    absolute = TIMER | {"mode": "absolute"}
    both = task_of(tmp_path, run=5, timer=absolute, timer1=absolute)
    assert both.interval == Interval(20 * MS, 20 * MS, is_periodic=True)


def test_unequal_times_between_activations_make_a_sporadic_task(tmp_path: Path) -> None:
    absolute = TIMER | {"mode": "absolute"}
    phases = in_phases(
        {"run": 5, "timer": absolute}, {"run": 5, "timer": absolute, "timer1": TIMER}
    )
    source = source_of(tmp_path, {"a": phases})
    assert named(system_from(source), "a").interval == Interval(10 * MS, 10 * MS)
    assert notes_of(source) == [
        "2: tasks.a: its activations are 10ms apart or more: sporadic",
    ]


def test_a_sleep_before_the_loop_comes_off_the_first_interval_alone(tmp_path: Path) -> None:
    loop = {"loop": 8, "run": 5, "timer": TIMER}
    for lead in ({"sleep": 3000}, {"loop": 3, "sleep": 1000}):
        task = task_of(tmp_path, **in_phases(lead, loop, loop=1))
        assert (task.offset_ns, task.activations) == (3 * MS, 8)
        assert task.interval == Interval(7 * MS, 7 * MS)
    endless = task_of(tmp_path, **in_phases({"sleep": 3000}, loop | {"loop": -1}, loop=7))
    assert (endless.offset_ns, endless.activations) == (3 * MS, None)
    by_sleep = task_of(tmp_path, **in_phases({"sleep": 3000}, {"run": 5, "sleep": 6}, loop=1))
    assert (by_sleep.offset_ns, by_sleep.activations) == (3 * MS, 1)


def test_a_sleep_of_0_has_no_effect(tmp_path: Path) -> None:
    task = task_of(tmp_path, run=260, sleep=0, timer=TIMER)
    assert (task.body, task.least_interval_ns) == ((Run(260 * US),), 10 * MS)


@pytest.mark.parametrize(("written", "taken"), [(1, 32), (32, 32), (33, 64), (1000, 1024)])
def test_a_runtime_is_the_most_processor_time_that_it_needs(
    tmp_path: Path, written: int, taken: int
) -> None:
    task = task_of(tmp_path, runtime=written, sleep=9000)
    assert task.body == (Run(taken * US),)
    assert task.least_interval_ns == (written + 9000) * US


# ---- Loops without timers ------------------------------------------------------------------------


def test_a_loop_with_an_end_and_without_a_wait_is_one_activation(tmp_path: Path) -> None:
    task = task_of(tmp_path, run=5, loop=3)
    assert (task.body, task.interval, task.autostart) == ((Run(5 * US),) * 3, None, True)


def test_a_resume_activates_a_thread_that_suspends_itself(tmp_path: Path) -> None:
    threads = {
        "tick": {"run": 1, "resume": "w", "timer": TIMER},
        "first": {"suspend": "w", "run": 2},
        "last": {"run": 3, "suspend": "w"},
    }
    raw = source_of(tmp_path, threads).raw["task"]
    assert raw["tick"]["body"] == ["run 1us", "activate first", "activate last"]
    # Only the thread that suspends itself last runs at the start.
    assert [raw[name].get("autostart", False) for name in threads] == [False, False, True]
    assert (raw["first"]["body"], raw["last"]["body"]) == (["run 2us"], ["run 3us"])


def test_threads_that_resume_each_other(tmp_path: Path) -> None:
    one = {"run": 10, "resume": "b", "suspend": "a"}
    two = {"run": 10, "resume": "a", "suspend": "b"}
    assert bodies_of(tmp_path, {"a": one, "b": two}) == {
        "a": ["run 10us", "activate b"],
        "b": ["run 10us", "activate a"],
    }


def test_a_thread_that_waits_twice_for_the_same_chains_itself(tmp_path: Path) -> None:
    threads = {
        "a": {"suspend": "w", "run": 1, "suspend1": "w", "run1": 2},
        "b": {"run": 1, "resume": "w", "sleep": 9},
    }
    wait = ["clear Wake_w", "wait Wake_w"]
    assert bodies_of(tmp_path, threads) == {
        "a": [*wait, "run 1us", *wait, "run 2us", "chain a"],
        "b": ["run 1us", "set a Wake_w"],
    }
    assert named(system_of(tmp_path, threads), "a").autostart


def test_a_loop_with_an_end_keeps_its_waits(tmp_path: Path) -> None:
    threads = {
        "a": {"run": 1, "suspend": "a", "loop": 2},
        "b": {"run": 1, "resume": "a", "sleep": 9},
    }
    assert bodies_of(tmp_path, threads)["a"] == ["run 1us", "clear Wake_a", "wait Wake_a"] * 2


def test_a_resume_without_a_waiting_thread_has_no_effect(tmp_path: Path) -> None:
    source = source_of(tmp_path, {"a": {"run": 1, "resume": "a", "resume1": "b", "sleep": 9}})
    assert source.raw["task"]["a"]["body"] == ["run 1us"]
    assert [note.split(": ")[1] for note in notes_of(source)] == [
        "tasks.a.resume",
        "tasks.a.resume1",
    ]


def test_a_signal_wakes_the_one_other_thread_that_can_wait(tmp_path: Path) -> None:
    wait = {"ref": "q", "mutex": "m"}
    threads = {
        "a": {"lock": "m", "sync": wait, "unlock": "m", "run": 1, "timer": TIMER},
        "b": {"lock": "m", "wait": wait, "unlock": "m", "run": 1, "signal": "q"},
        "c": {"run": 1, "broad": "q", "timer": TIMER},
    }
    waiting = ["clear Wake_q", "unlock m", "wait Wake_q", "lock m"]
    assert bodies_of(tmp_path, threads) == {
        "a": ["lock m", "set b Wake_q", *waiting, "unlock m", "run 1us"],
        "b": ["lock m", *waiting, "unlock m", "run 1us", "set a Wake_q", "chain b"],
        "c": ["run 1us", "set a Wake_q", "set b Wake_q"],
    }
    assert named(system_of(tmp_path, threads), "a").events == ("Wake_q",)


def test_each_instance_is_resumed(tmp_path: Path) -> None:
    threads = {
        "a": {"instance": 2, "suspend": "w", "run": 1},
        "b": {"run": 1, "resume": "w", "sleep": 9},
    }
    assert bodies_of(tmp_path, threads)["b"] == ["run 1us", "activate a_0", "activate a_1"]


def test_workgen_adds_what_a_file_lacks(tmp_path: Path) -> None:
    threads = """{
        "a": { "suspend", "run": 1, "run": 2, "resume": "b" },
        "b": { "suspend": "", "run": 3, "phases": {} },
        "c": { "phases": { "p": { "loop": 2, "run": 4 }, "p": { "run": 5, "suspend" } } },
        "d": { "run": 6, "resume": "a", "resume": "c", "resume_none": "suspend", "sleep": 9 }
    }""".replace(', "phases": {} }', " }")
    source = source_of(tmp_path, threads)
    assert {name: table["body"] for name, table in source.raw["task"].items()} == {
        "a": ["run 1us", "run 2us", "activate b"],
        "b": ["run 3us"],
        "c": ["run 4us", "run 4us", "run 5us"],
        "d": ["run 6us", "activate a", "activate c"],
    }
    assert len([note for note in notes_of(source) if "is there twice" in note]) == 1


def test_a_barrier_is_a_task_above_all(tmp_path: Path) -> None:
    threads = {
        "a": {"priority": -3, "run": 1, "barrier": "x", "timer": TIMER},
        "b": {"run": 2, "barrier": "x", "run1": 3},
        "c": {"run": 1, "barrier": "alone", "timer": TIMER},
    }
    source = source_of(tmp_path, threads)
    passing = ["wait Passed_Barrier_x", "clear Passed_Barrier_x"]
    arrived = [f"Arrived_Barrier_x_{number}" for number in range(2)]
    assert {name: table["body"] for name, table in source.raw["task"].items()} == {
        "a": ["run 1us", f"set Barrier_x {arrived[0]}", *passing],
        "b": ["run 2us", f"set Barrier_x {arrived[1]}", *passing, "run 3us", "chain b"],
        "c": ["run 1us"],
        "Barrier_x": [
            *(f"{verb} {each}" for each in arrived for verb in ("wait", "clear")),
            "set a Passed_Barrier_x",
            "set b Passed_Barrier_x",
            "chain Barrier_x",
        ],
    }
    assert [task.priority for task in system_from(source).tasks] == [24, 23, 20, 20]
    assert "events" not in source.raw["task"]["c"]


# ---- Policies and CPUs ---------------------------------------------------------------------------


def test_the_command_line_gives_a_policy_and_a_cpu(tmp_path: Path) -> None:
    threads = {
        "a": {"run": 1, "sleep": 9},
        "b": {"run": 1, "sleep": 9, "policy": "SCHED_OTHER", "cpus": [3]},
        "c": {"run": 1, "sleep": 9, "cpus": [0, 1, 2]},
    }
    for settings in ({}, {"default_policy": "SCHED_OTHER"}, {"default_policy": "SCHED_IDLE"}):
        defaults = Defaults("SCHED_FIFO", (1,))
        system = system_of(tmp_path, threads, defaults=defaults, **settings)
        found = {task.name: (task.cpu, task.background) for task in system.tasks}
        assert found == {"a": (1, False), "b": (3, True), "c": (1, False)}


def test_threads_take_several_cpus_in_turn(tmp_path: Path) -> None:
    threads = {
        "a": {"run": 1, "sleep": 9, "instance": 3},
        "b": {"run": 1, "sleep": 9, "cpus": [7]},
        "c": {"run": 1, "sleep": 9, "instance": 2},
    }
    tasks = source_of(tmp_path, threads, Defaults("SCHED_FIFO", (0, 4))).raw["task"]
    assert [table["cpu"] for table in tasks.values()] == [0, 4, 0, 7, 4, 0]


@pytest.mark.parametrize(("nice", "priority"), [(-20, 40), (-19, 39), (None, 20), (0, 20), (19, 1)])
def test_a_nice_value_becomes_a_priority(tmp_path: Path, nice: int | None, priority: int) -> None:
    given = {} if nice is None else {"priority": nice}
    assert task_of(tmp_path, run=1, sleep=9, **given).priority == priority
    own = system_of(
        tmp_path,
        {"a": {"run": 1, "sleep": 9, "priority": 19, "policy": "SCHED_FIFO"}},
    )
    assert named(own, "a").priority == 19


def test_a_file_without_cpus_gets_one_message(tmp_path: Path) -> None:
    text = '{\n"tasks": {"a": {"run": 1, "sleep": 9},\n"b": {"run": 1, "sleep": 9}}}'
    assert mistakes(tmp_path, text, "some.json") == [
        "some.json:2: tasks.a.cpus: found nothing, and so all CPUs; expected a list of one CPU "
        "from 0 to 1023, or --default-cpu CPU for all"
    ]


def test_later_checks_read_the_file_with_the_same_defaults(tmp_path: Path) -> None:
    section = {"lock": "m", "run": 9, "unlock": "m", "timer": TIMER, "policy": "SCHED_FIFO"}
    threads = {"a": section | {"cpus": [1]}, "b": section | {"priority": 60}}
    with pytest.raises(DescriptionError) as caught:
        refuse_across_cpus(system_of(tmp_path, threads))
    assert "tasks.b.priority: found 60; expected below 50" in str(caught.value)


def test_a_thread_of_a_deadline_is_in_a_reservation(tmp_path: Path) -> None:
    keys = {"policy": "SCHED_DEADLINE", "dl-runtime": 3000, "run": 2000, "timer": TIMER}
    threads = {"a": keys | {"dl-period": 10_000, "instance": 2, "dl-reclaim": True}}
    source = source_of(tmp_path, threads)
    assert source.raw["server"] == {
        name: {"kind": "reservation", "period": "10ms", "budget": "3ms"} for name in ("a_0", "a_1")
    }
    assert [(task.name, task.server) for task in system_from(source).tasks] == [
        ("a_0", "a_0"),
        ("a_1", "a_1"),
    ]
    assert any("dl-reclaim: ignored" in note for note in notes_of(source))
    # Under another policy the keys have no meaning, which is noted.
    other = source_of(tmp_path, {"a": keys | {"policy": "SCHED_FIFO"}})
    assert any("dl-runtime: ignored" in note for note in notes_of(other))


def test_a_thread_that_is_not_real_time_is_in_the_background(tmp_path: Path) -> None:
    policies = ("SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE", "SCHED_FIFO", "SCHED_RR")
    threads = {
        each: {"run": 2, "timer": TIMER, "policy": each, "priority": priority}
        for priority, each in enumerate(policies, start=1)
    }
    tasks = source_of(tmp_path, threads | {"own": {"run": 5}}, Defaults(None, (0,))).raw["task"]
    assert [name for name, table in tasks.items() if "background" in table] == [
        *policies[:3],
        "own",
    ]
    assert tasks["own"]["body"] == ["run 5us", "chain own"]  # it may run for ever


# ---- Commands ------------------------------------------------------------------------------------


def done(arguments: Sequence[str | Path]) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """Return a file whose threads have neither a policy nor a CPU."""
    threads = {"a": {"run": 2000, "timer": TIMER}}
    return source_of(tmp_path, threads, Defaults(None, (0,)), default_policy="SCHED_OTHER").file


def test_each_command_takes_a_policy_and_a_cpu(others: Path) -> None:
    options = ["--default-policy", "SCHED_FIFO", "--default-cpu", "0"]
    for command in (["check"], ["analyse", "--protocol", "ceiling"]):
        result = done([*command, others, *options])
        assert result.exit_code == 0
        assert "2ms" in result.stdout


def test_a_refused_run_names_the_option(others: Path) -> None:
    said = refusal(["run", str(others), "--default-cpu", "0", "--on", "sim"])
    assert "expected a priority, or for a file of rt-app --default-policy SCHED_FIFO" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--default-policy", "FIFO"], "--default-policy: found FIFO; expected one of SCHED_FIFO"),
        (["--default-cpu", "1024"], "--default-cpu: found 1024; expected a CPU from 0 to 1023"),
        (["--default-cpu", "0,"], "--default-cpu: found 0,; expected a CPU from 0 to 1023"),
        (["--default-cpu", "-1"], "--default-cpu: found -1; expected a CPU from 0 to 1023"),
    ],
)
def test_a_wrong_default_is_refused(others: Path, options: list[str], message: str) -> None:
    assert message in refusal(["check", str(others), *options])


@pytest.mark.parametrize("option", [["--default-cpu", "0"], ["--default-policy", "SCHED_FIFO"]])
def test_only_a_file_of_rt_app_has_defaults(tmp_path: Path, option: list[str]) -> None:
    file = tmp_path / "some.toml"
    file.write_text('[task.a]\npriority = 1\narrival = "periodic 9ms"\nbody = ["run 1ms"]')
    assert f"{option[0]}: found {file}; expected rt-app's JSON" in refusal(
        ["check", str(file), *option]
    )
    assert read(file, defaults=NO_DEFAULTS).defaults == NO_DEFAULTS


# ---- On the kernel -------------------------------------------------------------------------------


def traced(
    folder: Path, name: str, threads: dict[str, Any]
) -> dict[str, list[tuple[float, float]]]:
    """Run threads on sim; return begin and end of each activation, in milliseconds."""
    file = source_of(folder, threads).file.rename(folder / f"rt-app-{name}.json")
    system = system_from(read(file, defaults=FIFO))
    found: dict[str, list[tuple[float, float]]] = {}
    for task in trace_on("sim", "uprio-nprio", system, activations=5).tasks:
        begins, ends = (
            [event.time_ns / MS for event in task.events if event.kind is kind]
            for kind in (Kind.START, Kind.END)
        )
        found[task.name] = list(zip(begins, ends, strict=False))
    return found


@pytest.mark.board
def test_a_resume_of_a_thread_that_does_not_wait_is_lost(tmp_path: Path) -> None:
    threads = {
        "tick": {"priority": -9, "run": 1000, "resume": "w", "timer": TIMER},
        "w": {"suspend": "w", "run": 15_000},
    }
    # The thread runs from 1 to 18 ms, beside 10 to 11 ms of tick. So it misses the resume at 11 ms.
    assert traced(tmp_path, "resume", threads)["w"][:2] == [(1, 17), (21, 37)]


@pytest.mark.board
def test_a_wake_up_before_the_wait_is_lost(tmp_path: Path) -> None:
    wait = {"ref": "q", "mutex": "m"}
    threads = {
        "tick": {"priority": -9, "run": 1000, "broad": "q", "timer": TIMER},
        "w": {"run": 5000, "lock": "m", "wait": wait, "unlock": "m", "run1": 1000},
    }
    # The first broadcast, at 1 ms, comes before the wait. The second one, at 11 ms, ends the wait.
    assert traced(tmp_path, "wait", threads)["w"][:2] == [(0, 12), (12, 22)]


@pytest.mark.board
def test_threads_pass_a_barrier_together_and_again(tmp_path: Path) -> None:
    threads = {
        "a": {"priority": -9, "run": 1000, "barrier": "x", "timer": TIMER},
        "b": {"run": 3000, "barrier": "x", "run1": 500, "timer": TIMER},
        "c": {"priority": 9, "run": 100, "barrier": "x", "timer": TIMER},
    }
    found = traced(tmp_path, "barrier", threads)
    assert found["a"] == [(start, start + 4.1) for start in (0, 10, 20, 30, 40)]
    assert found["b"] == [(start + 1, start + 4.6) for start in (0, 10, 20, 30, 40)]


@pytest.mark.board
def test_a_thread_that_is_back_at_a_barrier_at_once_waits_there_again(tmp_path: Path) -> None:
    threads = {
        "a": {"priority": -9, "run": 100, "barrier": "x"},
        "b": {"run": 1000, "barrier": "x", "run1": 50, "barrier1": "y", "timer": TIMER},
        "c": {"priority": 9, "run": 1000, "barrier": "y"},
    }
    found = traced(tmp_path, "again", threads)
    # Each pass of b lets a through once, though a is there again before b goes on.
    assert [end for _, end in found["a"]][:4] == [1.1, 11, 21, 31]
    assert found["b"][:3] == [(0.1, 2.25), (10, 11.15), (20, 21.15)]
    assert [end for _, end in found["c"]][:3] == [2.25, 11.15, 21.15]


@pytest.mark.board
def test_a_thread_of_another_cpu_is_resumed(tmp_path: Path) -> None:
    threads = {
        "tick": {"run": 1000, "resume": "w", "run1": 1000, "timer": TIMER},
        "w": {"cpus": [1], "suspend": "w", "run": 2000},
        "v": {"cpus": [1], "priority": 9, "run": 500, "suspend": "v", "run1": 500, "suspend1": "w"},
    }
    found = traced(tmp_path, "remote", threads)
    assert found["w"][:3] == [(1, 3), (11, 13), (21, 23)]
