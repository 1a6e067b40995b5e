# SPDX-License-Identifier: MIT
"""Bounds of tasks that other tasks activate, from the activation and end to end."""

from pathlib import Path
from random import Random

import pytest
from unit_runs import simulated

from plafond.analyse.analysis import analyse
from plafond.analyse.model import AnalysisReport
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.table import print_report
from plafond.describe import load
from plafond.describe.system import System
from plafond.protocols import Protocol

LEVELS = (Protocol.CEILING, Protocol.INHERIT)


def task(name: str, priority: int, body: str, interval: int | None = None, more: str = "") -> str:
    arrival = f'arrival = "sporadic {interval}us"\n' if interval else ""
    steps = ", ".join(f'"{step}"' for step in body.split(", "))
    return f"[task.{name}]\npriority = {priority}\n{arrival}body = [{steps}]\n{more}\n"


def system_of(folder: Path, *parts: str) -> System:
    file = folder / "system.toml"
    file.write_text("".join(parts))
    return load(file)


def found(
    folder: Path, *parts: str, protocol: Protocol = Protocol.CEILING
) -> dict[str, tuple[int | None, int | None]]:
    """Return the response and the end to end of each task in us."""
    rows = analyse(system_of(folder, *parts), [protocol]).rows
    return {row.task: (in_us(row.response_bound_ns), in_us(row.end_to_end_ns)) for row in rows}


def in_us(time_ns: int | None) -> int | None:
    return None if time_ns is None else time_ns // 1000


def notes(report: AnalysisReport) -> str:
    return "\n".join(report.notes)


@pytest.mark.parametrize("protocol", [*LEVELS, Protocol.NONE])
def test_a_task_that_another_activates(tmp_path: Path, protocol: Protocol) -> None:
    """3 us of a, and 2 us of b: 5 us end to end, and no more from the activation."""
    bounds = found(
        tmp_path,
        task("a", 2, "run 3us, activate b", 10),
        task("b", 1, "run 2us"),
        protocol=protocol,
    )
    first = 5 if protocol is Protocol.NONE else 3
    assert bounds == {"a": (first, None), "b": (5, 5)}


@pytest.mark.parametrize("step", ["activate b", "chain b"])
def test_a_chain_of_falling_priorities_is_followed_as_one_job(tmp_path: Path, step: str) -> None:
    """w = 1 + 2 + 4, and ceil(w / 9) * 1 of an urgent task."""
    bounds = found(
        tmp_path,
        task("urgent", 9, "run 1us", 9),
        task("a", 3, f"run 1us, {step}", 40),
        task("b", 2, "run 2us, activate c"),
        task("c", 1, "run 4us"),
    )
    assert bounds == {"urgent": (1, None), "a": (2, None), "b": (4, 4), "c": (8, 8)}


def test_a_link_above_its_activator_preempts_it(tmp_path: Path) -> None:
    """a ends within 3 + 2. b ends 2 after its activation, which is within 5 of the arrival."""
    bounds = found(
        tmp_path, task("a", 1, "run 1us, activate b, run 2us", 20), task("b", 2, "run 2us")
    )
    assert bounds == {"a": (5, None), "b": (2, 7)}


def test_two_links_of_a_task(tmp_path: Path) -> None:
    bounds = found(
        tmp_path,
        task("a", 3, "run 1us, activate b, activate c", 20),
        task("b", 2, "run 2us"),
        task("c", 1, "run 4us"),
    )
    assert bounds == {"a": (1, None), "b": (3, 3), "c": (7, 7)}


def test_a_link_is_released_late_for_less_urgent_tasks(tmp_path: Path) -> None:
    """a is less urgent than low, so b comes up to 4 + 2 - 1 late, twice in 6 of 10."""
    bounds = found(
        tmp_path,
        task("a", 1, "run 1us, activate b", 10),
        task("b", 3, "run 2us"),
        task("low", 2, "run 1us", 10),
    )
    # a: 1 + 2 + 1 = 4; low: 1 + ceil((w + 4 - 1) / 10) * 2 = 3
    assert bounds == {"a": (4, None), "b": (2, 6), "low": (3, None)}


def test_a_link_waits_longer_if_its_activator_can_be_late_by_more_than_the_interval(
    tmp_path: Path,
) -> None:
    """The second job of b may be activated at once after the first, which still runs."""
    bounds = found(
        tmp_path,
        task("b", 2, "run 3us"),
        task("a", 1, "run 1us, activate b", 5),
        task("high", 3, "run 4us", 40),
    )
    assert bounds["high"] == (4, None)
    assert bounds["b"][0] is not None
    assert bounds["b"][0] >= 7


def test_a_link_on_another_cpu_comes_when_its_activator_ends(tmp_path: Path) -> None:
    bounds = found(
        tmp_path,
        "cpus = 2\n",
        task("a", 2, "run 3us, activate b", 10),
        task("b", 1, "run 2us", more="cpu = 1"),
    )
    assert bounds == {"a": (3, None), "b": (2, 5)}


def test_release_jitter_of_the_first_task_is_part_of_the_end(tmp_path: Path) -> None:
    bounds = found(
        tmp_path, task("a", 2, "run 3us, activate b", 10, 'jitter = "4us"'), task("b", 1, "run 2us")
    )
    assert bounds == {"a": (7, None), "b": (5, 9)}


def test_a_section_of_a_less_urgent_task_blocks_a_chain_once(tmp_path: Path) -> None:
    bounds = found(
        tmp_path,
        task("a", 4, "run 1us, activate b", 40),
        task("b", 3, "lock R, run 2us, unlock R"),
        task("low", 1, "lock R, run 7us, unlock R", 90),
        "[resource.R]\n",
    )
    assert bounds == {"a": (1, None), "b": (10, 10), "low": (10, None)}


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ((task("c", 3, "run 1us, activate b", 20),), "b has no arrival of its own"),
        (('[counter.C]\n[alarm.A]\ncounter = "C"\naction = "activate b"\n',), "b has no arrival"),
    ],
)
def test_a_task_with_two_activators_has_no_bound(
    tmp_path: Path, parts: tuple[str, ...], why: str
) -> None:
    system = system_of(
        tmp_path, task("a", 2, "run 1us, activate b", 20), task("b", 1, "run 1us"), *parts
    )
    report = analyse(system, [Protocol.CEILING])
    assert [row.response_bound_ns for row in report.rows if row.task == "b"] == [None]
    assert why in notes(report)


def test_two_steps_and_a_circle_have_no_bound(tmp_path: Path) -> None:
    twice = task("a", 2, "run 1us, activate b, run 1us, activate b", 20)
    assert found(tmp_path, twice, task("b", 1, "run 1us"))["b"] == (None, None)
    circle = task("a", 2, "run 1us, activate b") + task("b", 1, "run 1us, activate a")
    assert found(tmp_path, circle, task("c", 3, "run 1us", 20)) == {
        "c": (1, None),
        "a": (None, None),
        "b": (None, None),
    }


def test_no_bound_after_an_activator_without_one(tmp_path: Path) -> None:
    """a asks for more than low leaves, so b comes at any time."""
    system = system_of(
        tmp_path,
        "cpus = 2\n",
        task("busy", 3, "run 5us", 10),
        task("a", 1, "run 6us, activate b", 10),
        task("b", 2, "run 1us", more="cpu = 1"),
        task("under", 1, "run 1us", 30, "cpu = 1"),
    )
    report = analyse(system, [Protocol.CEILING])
    bounds = {row.task: row.response_bound_ns for row in report.rows}
    assert bounds == {"busy": 5_000, "a": None, "b": None, "under": None}
    assert "no bound for b, under: a, which activates b, has no bound" in notes(report)


def test_overheads_of_activations_are_not_known(tmp_path: Path) -> None:
    system = system_of(tmp_path, task("a", 2, "run 1us, activate b", 20), task("b", 1, "run 1us"))
    for costs, bound in ((Costs(), 2_000), (Costs(switch_ns=1), None)):
        added = Overheads({Protocol.CEILING: costs})
        rows = analyse(system, [Protocol.CEILING], added).rows
        assert [row.response_bound_ns for row in rows if row.task == "b"] == [bound]


def test_the_table_has_the_end_only_if_there_is_a_chain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    print_report(analyse(system_of(tmp_path, task("a", 2, "run 1us", 20)), [Protocol.CEILING]))
    assert "end to end" not in capsys.readouterr().out
    chain = (task("a", 2, "run 1us, activate b", 20), task("b", 1, "run 1us"))
    report = analyse(system_of(tmp_path, *chain), [Protocol.CEILING])
    print_report(report)
    assert "end to end" in capsys.readouterr().out
    assert "b: responses count from where a activates it" in report.notes
    assert "end_to_end_ns" not in report.rows[0].model_dump()


# ---- Random systems, simulated unit by unit ------------------------------------------------


def drawn(random: Random) -> str:
    """Return a chain of two or three tasks, beside one or two others, with a shared resource."""
    links = random.randint(1, 2)
    names = ["a", "b", "c"][: links + 1] + ["x", "y"][: random.randint(1, 2)]
    priorities = random.choices(range(1, 6), k=len(names))
    text = "[resource.R]\n"
    for place, (name, priority) in enumerate(zip(names, priorities, strict=True)):
        body = [f"run {random.randint(1, 3)}us"]
        if random.random() < 0.4 or name == "x":
            body += ["lock R", f"run {random.randint(1, 3)}us", "unlock R"]
        if place < links:
            step = f"activate {names[place + 1]}"
            body.insert(random.choice((1, len(body))), step)
        is_first = name in ("a", "x", "y")
        text += task(name, priority, ", ".join(body), random.randint(8, 30) if is_first else None)
    return text


@pytest.mark.parametrize("seed", range(8))
def test_no_random_run_takes_longer_than_the_bounds(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    reached = 0
    for _ in range(12):
        system = system_of(tmp_path, drawn(random))
        rows = {row.task: row for row in analyse(system, [Protocol.CEILING]).rows}
        for _ in range(4):
            for name, (response, end) in simulated(system, random, 300).items():
                bound, end_bound = rows[name].response_bound_ns, rows[name].end_to_end_ns
                if bound is not None:
                    assert response * 1000 <= bound, (name, (tmp_path / "system.toml").read_text())
                    reached += response * 1000 == bound
                if end_bound is not None:
                    assert end * 1000 <= end_bound, (name, (tmp_path / "system.toml").read_text())
    assert reached > 20
