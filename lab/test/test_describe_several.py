# SPDX-License-Identifier: MIT
"""Several tasks, servers or resources in a description, with a rule about one of them."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described, mistakes

from plafond.describe.across_cpus import problems_across_cpus
from plafond.describe.draw import load_study
from plafond.describe.draw_rules import protocols_to_compare
from plafond.describe.kernel import Scheduler
from plafond.describe.problems import DescriptionError
from plafond.describe.server import BEFORE_ALL
from plafond.errors import ArgumentError

MS = 1_000_000


def task(name: str, *lines: str, cpu: int = 0, priority: int = 5, body: str = '"run 1ms"') -> str:
    head = f"[task.{name}]\ncpu = {cpu}\npriority = {priority}\n"
    return f'{head}arrival = "periodic 10ms"\nbody = [{body}]\n' + "".join(f"{x}\n" for x in lines)


def slot(name: str, cpu: int, budget: int) -> str:
    fields = f'kind = "slot"\ncpu = {cpu}\nperiod = "20ms"\nbudget = "{budget}ms"\n'
    return f"[server.{name}]\n{fields}" + task(f"t{name}", f'server = "{name}"', cpu=cpu)


def test_slots_of_each_cpu_begin_at_its_own_zero(tmp_path: Path) -> None:
    text = "cpus = 2\n" + slot("a", 0, 3) + slot("b", 1, 4) + slot("c", 0, 5) + slot("d", 1, 6)
    starts = {each.name: each.start_ns for each in described(tmp_path, text).servers}
    assert starts == {"a": 0, "c": 3 * MS, "b": 0, "d": 4 * MS}


def test_a_scale_may_leave_the_shortest_time(tmp_path: Path) -> None:
    system = described(tmp_path, task("t", body='"run 1ms", "run 3ms"'))
    assert system.scaled(Fraction(1, 1000)).tasks[0].run_ns == 4_000
    with pytest.raises(ArgumentError, match=r"makes .*\b999\.9ns; expected at least 1us"):
        system.scaled(Fraction(9_999, 10_000_000))


SECTION = '"lock G", "run 1ms", "unlock G"'


def test_priorities_are_bounded_where_tasks_use_a_global_resource(tmp_path: Path) -> None:
    text = "cpus = 3\n[resource.G]\n" + "".join(
        task(f"t{cpu}{priority}", cpu=cpu, priority=priority, body=body)
        for cpu, priority, body in (
            *((0, 49, SECTION), (0, 50, '"run 1ms"'), (0, 51, '"run 1ms"')),
            *((1, 60, SECTION), (2, 70, '"run 1ms"')),
        )
    )
    system = described(tmp_path, text)
    assert [[each.name for each in system.globals_on(cpu)] for cpu in range(3)] == [
        ["G"],
        ["G"],
        [],
    ]
    places = [problem.where for problem in problems_across_cpus(system)]
    assert sorted(places) == [("task", name, "priority") for name in ("t050", "t051", "t160")]


def test_each_of_several_resources_has_a_ceiling_below_the_kernels(tmp_path: Path) -> None:
    text = "".join(
        f"[resource.{name}]\nceiling = {ceiling}\n"
        for name, ceiling in (("A", 99), ("B", 98), ("C", 99), ("D", 5))
    ) + task("t", body=", ".join(f'"lock {name}", "run 1ms", "unlock {name}"' for name in "ABCD"))
    found = [line.split(": ")[1] for line in mistakes(tmp_path, text)]
    assert found == ["resource.A.ceiling", "resource.C.ceiling"]


@pytest.mark.parametrize("first", ["a", "b"])
def test_one_task_that_locks_the_scheduler_is_enough(tmp_path: Path, first: str) -> None:
    both = {
        "a": task("a", body='"lock RES_SCHEDULER", "run 1ms", "unlock RES_SCHEDULER"'),
        "b": task("b", priority=6),
    }
    text = 'scheduler = "priority"\n' + both.pop(first) + "".join(both.values())
    assert [each.name for each in described(tmp_path, text).resources] == ["RES_SCHEDULER"]


ISRS = """
[kernel]
sources = ["a.c"]
trusted = ["b.c"]
[isr]
A = { source = 4 }
B = { source = 5, category = 1 }
C = { source = 6, resources = ["R"] }
[resource.R]
[task]
FRAME = { priority = 1, time_frame = "5ms", resources = ["R"] }
PLAIN = { priority = 3 }
"""


def test_a_budget_of_any_task_forbids_interrupts_that_hold_back_its_end(tmp_path: Path) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / name).touch()
    described(tmp_path, ISRS)
    budget = 'LIMITED = { priority = 2, execution_budget = "1ms", time_frame = "5ms" }\n'
    for text in (ISRS + budget, ISRS.replace("[task]\n", "[task]\n" + budget)):
        found = [line.split(": ")[1] for line in mistakes(tmp_path, text)]
        assert found == ["isr.B.category", "isr.C.resources[0]"]


STUDY = """\
cpus = 4
scheduler = "edf"
[draw]
sets = 1
utilisation = [1, 2, 1]
task_utilisation = "uniform 0.1 0.9"
interval = "uniform 10ms 20ms"
compare = ["global"]
deadlines = "soft"
"""
SECTIONS = """\
cpus = 1
scheduler = "priority"
[draw]
sets = 1
utilisation = [0.9, 0.9, 0.1]
task_utilisation = "uniform 0.1 0.9"
interval = "uniform 10ms 20ms"
compare = ["ceiling", "inherit"]
deadlines = "hard"
vary = "section 10us 20us 10us"
sections = { share = 0.5, resources = 2 }
"""


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (STUDY.replace('["global"]', '["global", "x", "cluster-3", "y"]'), [
            "draw.compare[1]", "draw.compare[2]", "draw.compare[3]",
        ]),
        (STUDY + 'vary = "share 0.1 0.2 0.1"\n', ["draw.vary"]),
        (STUDY.replace('"soft"', '"hard"') + 'vary = "overhead 1us 2us 1us"\n', ["draw.vary"]),
        (STUDY.replace('scheduler = "edf"', 'scheduler = "priority"'), ["scheduler"]),
        (SECTIONS.replace("share = 0.5, ", ""), ["draw.sections.share"]),
        (SECTIONS.replace("share", 'length = "5us", share'), ["draw.sections.length"]),
        (SECTIONS.replace('vary = "section 10us 20us 10us"\n', ""), ["draw.sections.length"]),
        (SECTIONS.replace('"ceiling", "inherit"', '"ceiling", "x", "y"'), [
            "draw.compare[1]", "draw.compare[2]",
        ]),
        (SECTIONS.replace('"hard"', '"soft"'), ["draw.deadlines"]),
    ],
)  # fmt: skip
def test_each_mistake_in_a_study_is_named(tmp_path: Path, text: str, places: list[str]) -> None:
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises(DescriptionError) as caught:
        load_study(file)
    found = [line.split(": ") for line in str(caught.value).splitlines()]
    assert [next(part for part in line if part[0] in "ds") for line in found] == places


@pytest.mark.parametrize(
    ("scheduler", "names"),
    [("priority", ("lazy-ceiling", "uprio-kprio", "inherit")), ("edf", ("lazy-floor",))],
)
def test_with_costs_a_study_compares_what_the_scheduler_has(
    tmp_path: Path, scheduler: str, names: tuple[str, ...]
) -> None:
    file = tmp_path / "study.toml"
    file.write_text(SECTIONS)
    study = replace(load_study(file), scheduler=Scheduler(scheduler), costs=Path("costs.json"))
    known = protocols_to_compare(study)
    assert set(names) <= set(known)
    others = {"lazy-floor", "lazy-ceiling"} - set(names)
    assert not others & set(known)


def test_studies_without_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    for text in (STUDY, SECTIONS, STUDY + 'vary = "overhead 1us 2us 1us"\n'):
        file.write_text(text)
        assert load_study(file).sets == 1


def test_two_tasks_with_reservations_are_before_all_others(tmp_path: Path) -> None:
    server = '[server.{0}]\nkind = "reservation"\nperiod = "10ms"\nbudget = "2ms"\n'
    text = task("low") + "".join(
        server.format(name) + task(f"t{name}", f'server = "{name}"') for name in "xy"
    )
    system = described(tmp_path, text)
    priorities = {each.name: each.priority for each in system.tasks}
    assert priorities == {"tx": BEFORE_ALL, "ty": BEFORE_ALL, "low": 5}
    assert [each.task for each in system.reservations] == ["tx", "ty"]


def test_all_run_steps_count(tmp_path: Path) -> None:
    body = '"run 1ms..2ms", "sleep 1ms", "run 3ms..5ms"'
    system = described(tmp_path, task("t", body=body))
    assert (system.tasks[0].least_run_ns, system.tasks[0].run_ns) == (4 * MS, 7 * MS)
    longest = system.at_longest().tasks[0]
    assert (longest.least_run_ns, longest.run_ns) == (7 * MS, 7 * MS)


@pytest.mark.parametrize(("cycle", "is_read"), [(1, False), (2, True), (9, True), (10, False)])
def test_an_alarm_cycles_within_its_counter(tmp_path: Path, cycle: int, is_read: bool) -> None:
    text = (
        'scheduler = "priority"\n[counter.C]\nhighest = 9\nmin_cycle = 2\ntick = "1ms"\n'
        f'[alarm.A]\ncounter = "C"\naction = "activate t"\nautostart = [1, {cycle}]\n'
        '[task.t]\npriority = 1\nbody = ["run 1ms"]\n'
    )
    if is_read:
        described(tmp_path, text)
    else:
        assert [line.split(": ")[1] for line in mistakes(tmp_path, text)] == [
            "alarm.A.autostart[1]"
        ]
