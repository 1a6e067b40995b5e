# SPDX-License-Identifier: MIT
"""Descriptions of rt-app: the meaning of each key, and refusals with their lines."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from descriptions import described, mistakes

from plafond.check.key_text import key_text
from plafond.describe import load
from plafond.describe.across_cpus import refuse_across_cpus
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read
from plafond.describe.rt_app.keys import BOTH, IGNORED, REFUSED, TAKEN
from plafond.describe.system import Interval, Lock, Pending, Run, Sleep, System, Task, Unlock
from plafond.describe.toml_text import toml_text
from plafond.errors import PlafondError

ROOT = Path(__file__).resolve().parents[2]
US, MS = 1_000, 1_000_000
JSON = "some.json"
TIMER = {"ref": "unique", "period": 10_000}
THREAD: dict[str, Any] = {"priority": 20, "cpus": [0], "run": 1000, "timer": TIMER}


def timed(**keys: object) -> dict[str, Any]:
    """Return a thread whose timer comes after all other events."""
    return {"priority": 20, "cpus": [0], **keys, "timer": TIMER}


def text_of(*threads: dict[str, Any], **settings: object) -> str:
    """Return threads T0, T1 and so on, each on a line from line 3 on. `global` is on line 2."""
    lines = [f'"T{i}": {json.dumps(thread)}' for i, thread in enumerate(threads)]
    both = json.dumps({"default_policy": "SCHED_FIFO"} | settings)
    return f'{{\n"global": {both}, "tasks": {{\n' + ",\n".join(lines) + "\n}}"


def tasks_of(folder: Path, *threads: dict[str, Any], **settings: object) -> tuple[Task, ...]:
    return described(folder, text_of(*threads, **settings), JSON).tasks


def task_of(folder: Path, /, *without: str, **keys: object) -> Task:
    """Return the task of THREAD without some keys and with others."""
    kept = {key: value for key, value in THREAD.items() if key not in without}
    return tasks_of(folder, kept | keys)[0]


def refusals(folder: Path, *threads: dict[str, Any], **settings: object) -> list[str]:
    return mistakes(folder, text_of(*threads, **settings), JSON)


def test_a_whole_file(tmp_path: Path) -> None:
    system = described(
        tmp_path,
        """/* A comment, */
        { // and another one; commas before brackets are right
          "global": { "default_policy": "SCHED_FIFO", "duration": 1, "ftrace": TRUE, },
          "resources": { "m0": { "type": "mutex" }, "tick": { "type": "timer" }, "m1": {}, },
          "tasks": {
            "slow": { "priority": 5, "cpus": [1], "loop": 7, "delay": 250, "lock": "m0",
                      "run": 1500, "unlock": "m0", "sleep_a_little": 2000, "run_again": 3,
                      "timer": { "ref": "tick", "period": 20000, "mode": "absolute" } },
            "fast": { "policy": "SCHED_RR", "priority": 98, "cpus": [0], "run0": 40, "sleep": 60 },
          }
        }""",
        JSON,
    )
    fast, slow = system.tasks
    assert (system.name, system.cpus) == ("some", 2)
    assert (slow.name, slow.priority, slow.cpu, slow.pending) == ("slow", 5, 1, Pending.QUEUE)
    assert slow.interval == Interval(20 * MS, 20 * MS, is_periodic=True)
    assert (slow.offset_ns, slow.deadline_ns, slow.activations) == (250 * US, 20 * MS, 7)
    run = Run(1500 * US)
    assert slow.body == (Lock("m0"), run, Unlock("m0"), Sleep(2 * MS), Run(3 * US))
    assert (fast.priority, fast.cpu, fast.body) == (98, 0, (Run(40 * US),))
    assert fast.interval == Interval(100 * US, 100 * US)
    assert (fast.offset_ns, fast.activations) == (0, 10_000)
    assert [(r.name, r.ceiling, r.users) for r in system.resources] == [
        ("m0", 5, ("slow",)),
        ("m1", 1, ()),
    ]


def test_a_larger_priority_is_more_urgent_and_the_ceiling_is_the_highest(tmp_path: Path) -> None:
    section = {"lock": "m", "run": 10, "unlock": "m", "timer": TIMER, "cpus": [0]}
    text = text_of({"priority": 7, **section}, {"priority": 31, **section}, section)
    system = described(tmp_path, text, JSON)
    assert [(task.name, task.priority) for task in system.tasks] == [
        ("T1", 31),
        ("T2", 10),  # rt-app's default
        ("T0", 7),
    ]
    assert [resource.ceiling for resource in system.resources] == [31]


def test_a_timer_is_sporadic_unless_it_is_absolute(tmp_path: Path) -> None:
    assert task_of(tmp_path).interval == Interval(10 * MS, 10 * MS)
    relative = task_of(tmp_path, timer=TIMER | {"mode": "relative"})
    assert relative.interval == Interval(10 * MS, 10 * MS, is_periodic=False)
    absolute = task_of(tmp_path, timer=TIMER | {"mode": "absolute"})
    assert absolute.interval == Interval(10 * MS, 10 * MS, is_periodic=True)


def test_a_thread_that_waits_first_begins_a_period_later(tmp_path: Path) -> None:
    first = task_of(tmp_path, "run", "timer", delay=5, timer=TIMER, run=7)
    assert (first.offset_ns, first.least_interval_ns) == (10 * MS + 5 * US, 10 * MS)
    assert first.body == (Run(7 * US),)
    asleep = task_of(tmp_path, "run", "timer", sleep=50, run=7)
    assert (asleep.offset_ns, asleep.least_interval_ns) == (50 * US, 57 * US)
    assert asleep.body == (Run(7 * US),)


def test_a_sleep_separates_activations_where_there_is_no_timer(tmp_path: Path) -> None:
    task = task_of(tmp_path, "timer", sleep=300, run1=20, sleep1=4000)
    assert task.body == (Run(MS), Sleep(300 * US), Run(20 * US))
    assert task.interval == Interval(5320 * US, 5320 * US, is_periodic=False)


@pytest.mark.parametrize(
    ("loop", "inner", "activations"), [(3, 4, 12), (-1, 4, None), (3, -1, None), (None, 4, None)]
)
def test_the_loops_of_an_only_phase_count_activations(
    tmp_path: Path, loop: int | None, inner: int, activations: int | None
) -> None:
    phases = {"p": {"loop": inner, "run": 5, "timer": TIMER}}
    loops = {} if loop is None else {"loop": loop}
    task = task_of(tmp_path, "run", "timer", phases=phases, **loops)
    assert (task.activations, task.body) == (activations, (Run(5 * US),))


def test_phases_are_unrolled(tmp_path: Path) -> None:
    phases = {
        "a": {"loop": 2, "run": 5, "sleep": 6},
        "b": {"lock": "m", "run": 7},
        "c": {"unlock": "m", "timer": TIMER},
    }
    task = task_of(tmp_path, "run", "timer", phases=phases, loop=9)
    a = (Run(5 * US), Sleep(6 * US))
    assert task.body == (*a, *a, Lock("m"), Run(7 * US), Unlock("m"))
    assert (task.activations, task.least_interval_ns) == (9, 10 * MS)


@pytest.mark.parametrize(
    ("keys", "activations"),
    [
        ({}, 200),
        ({"loop": 150}, 150),
        ({"loop": 250}, 200),
        ({"delay": 1}, 200),  # the last activation comes just before the end
        ({"delay": 10_000}, 199),
        ({"delay": 1_999_999}, 1),
    ],
)
def test_no_activation_comes_after_the_duration(
    tmp_path: Path, keys: dict[str, int], activations: int
) -> None:
    assert tasks_of(tmp_path, THREAD | keys, duration=2)[0].activations == activations
    assert tasks_of(tmp_path, THREAD | keys, duration=-1)[0].activations == keys.get("loop")


def test_instances_are_tasks(tmp_path: Path) -> None:
    tasks = tasks_of(tmp_path, timed(instance=3, lock="m", run=1, unlock="m"))
    assert [task.name for task in tasks] == ["T0_0", "T0_1", "T0_2"]
    assert len({task.changed(name="") for task in tasks}) == 1


def test_too_many_threads_are_refused_before_they_are_made(tmp_path: Path) -> None:
    many = THREAD | {"instance": 1000}
    assert len(tasks_of(tmp_path, many)) == 1000
    assert refusals(tmp_path, many, THREAD, many) == [
        "some.json:4: tasks.T1: found 1001 threads so far; expected at most 1000",
        "some.json:5: tasks.T2: found 2000 threads so far; expected at most 1000",
    ]


def test_names_are_made_plain(tmp_path: Path) -> None:
    text = text_of(timed(lock="a-b", run=1, unlock="a-b")).replace("T0", "mp3.dec")
    system = described(tmp_path, text, JSON)
    assert [task.name for task in system.tasks] == ["mp3_dec"]
    assert [resource.name for resource in system.resources] == ["a_b"]


def test_every_ignored_key_is_noted_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / JSON
    file.write_text(text_of(THREAD, **dict.fromkeys(IGNORED)))
    notes = read(file).notes
    assert [note.split(": ignored: ") for note in notes] == [
        [f"{file}:2: global.{key}", why] for key, why in IGNORED.items()
    ]


def test_every_refused_key_is_named_with_its_line(tmp_path: Path) -> None:
    events = REFUSED["events"]
    for key, instead in (REFUSED[BOTH] | events).items():
        assert refusals(tmp_path, THREAD, THREAD | {key: 1}) == [
            f"some.json:4: tasks.T1.{key}: found a key that is not taken; expected {instead}"
        ]
    phase = {"run": 1, "timer": TIMER}
    for key, instead in (REFUSED[BOTH] | REFUSED["phases.NAME"] | events).items():
        thread = {"cpus": [0], "phases": {"p": phase | {key: 1}}}
        assert refusals(tmp_path, thread) == [
            f"some.json:3: tasks.T0.phases.p.{key}: found a key that is not taken; "
            f"expected {instead}"
        ]


def without(*keys: str) -> dict[str, Any]:
    return {key: value for key, value in THREAD.items() if key not in keys}


def phased(*phases: dict[str, Any], **keys: object) -> dict[str, Any]:
    named = {f"p{i}": phase for i, phase in enumerate(phases)}
    return without("run", "timer") | {"phases": named} | keys


def test_threads_that_cannot_be_together_are_refused(tmp_path: Path) -> None:
    shared = THREAD | {"timer": {"ref": "tick", "period": 5}}
    found = 'timer: found "tick", a timer of several threads; expected one of its own: a name that'
    both = [f"some.json:{line}: tasks.T{i}.{found}" for line, i in ((3, 0), (4, 1))]
    assert [line[: len(both[0])] for line in refusals(tmp_path, shared, shared)] == both
    assert refusals(tmp_path, shared | {"instance": 2})[0].startswith(both[0])
    assert len(tasks_of(tmp_path, shared, THREAD)) == 2
    round_robin = THREAD | {"policy": "SCHED_RR"}
    for threads in ([THREAD, round_robin], [THREAD, round_robin | {"instance": 2, "priority": 3}]):
        assert [line.split(": found SCHED_RR")[0] for line in refusals(tmp_path, *threads)] == [
            "some.json:4: tasks.T1.policy"
        ]
    elsewhere = round_robin | {"cpus": [1]}
    assert len(refusals(tmp_path, elsewhere, elsewhere)) == 2
    for keys in ({"priority": 9}, {"cpus": [1]}):
        assert len(tasks_of(tmp_path, THREAD, round_robin | keys)) == 2


def test_all_mistakes_are_reported_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    lines = [
        line.split(":")[1]
        for line in refusals(
            tmp_path, THREAD | {"priority": 0}, THREAD | {"mem": 1, "yield": ""}, frg=1
        )
    ]
    assert lines == ["2", "3", "4", "4"]


def test_brackets_may_nest_as_deep_as_they_like(tmp_path: Path) -> None:
    deep = "[" * 20_000 + "]" * 20_000
    found = mistakes(tmp_path, text_of(THREAD).replace("1000,", f"{deep},", 1), JSON)
    assert found[0].startswith("some.json:3: tasks.T0.run: found a list of 1; expected a whole")


@pytest.mark.parametrize("content", [b"\xff\xfe", b" " * 2_000_000])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / JSON
    file.write_bytes(content)
    with pytest.raises(PlafondError, match="expected"):
        load(file)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlafondError, match=r"expected a description \(rt-app's JSON\)"):
        load(tmp_path / JSON)


def test_later_checks_name_rt_apps_keys(tmp_path: Path) -> None:
    section = {"lock": "m", "run": 9, "unlock": "m", "timer": TIMER}
    text = text_of({"cpus": [0], **section}, {"cpus": [1], "priority": 60, **section})
    with pytest.raises(DescriptionError) as caught:
        refuse_across_cpus(described(tmp_path, text, JSON))
    assert "some.json:4: tasks.T1.priority: found 60; expected below 50" in str(caught.value)


def reread(folder: Path, system: System, raw: dict[str, Any]) -> System:
    """Return the system of a description's TOML, as if it came from the same file."""
    file = folder / "reread.toml"
    file.write_text(toml_text(raw), encoding="utf-8")
    return replace(load(file), file=system.file)


def test_the_toml_of_a_file_is_the_same_system(tmp_path: Path) -> None:
    texts = [
        text_of(timed(sleep=7, lock="a", run=3, unlock="a", instance=2)),
        text_of(THREAD | {"delay": 1, "loop": 5}, THREAD | {"cpus": [3]}, duration=3),
        text_of(*(phased({"loop": 90, "run": i, "sleep": 12_345_678}) for i in range(1, 4))),
        text_of(THREAD | {"run": 2**31 - 1, "timer": TIMER | {"period": 2**31 - 1}}),
        text_of(timed(run=1, resume="w"), {"cpus": [0], "suspend": "w", "run": 2}),
        text_of(timed(run=1, barrier="b"), {"cpus": [0], "run": 2, "barrier": "b", "suspend": "w"}),
        text_of(timed(run=1, policy="SCHED_DEADLINE", **{"dl-runtime": 2000, "dl-period": 9000})),
        text_of({"cpus": [0], "policy": "SCHED_OTHER", "run": 3, "sleep": 4}),
        (ROOT / "examples/rt-app-inversion.json").read_text(),
    ]
    for text in texts:
        system = described(tmp_path, text, JSON)
        assert len(system.tasks) >= 1
        assert reread(tmp_path, system, read(tmp_path / JSON).raw) == system


def test_the_toml_of_every_example_is_the_same_system(tmp_path: Path) -> None:
    folder = copytree(ROOT / "examples", tmp_path / "examples")  # C files lie beside descriptions
    files = sorted(folder.glob("*.toml"))
    assert len(files) > 20
    for file in files:
        system = load(file)
        assert reread(folder, system, {"name": system.name} | read(file).raw) == system


def test_a_table_stays_though_it_is_empty() -> None:
    assert toml_text({"cpus": 2, "kernel": {}}) == "cpus = 2\n\n[kernel]\n"


def test_the_guide_shows_what_is_printed() -> None:
    command = "examples/rt-app-inversion.json --toml"
    results = ROOT / "docs/results"
    keys = (results / "check-rt-app-keys.txt").read_text()
    toml = (results / "check-rt-app-toml.txt").read_text()
    assert keys == f"$ ./plafond check --rt-app-keys\n{key_text()}\n"
    raw = read(ROOT / "examples/rt-app-inversion.json").raw
    assert toml == f"$ ./plafond check {command}\n{toml_text(raw)}"
    assert TAKEN["global"].keys().isdisjoint(IGNORED)
