# SPDX-License-Identifier: MIT
"""From a description to arrivals and the plan of `plafond-run`."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from plafond.describe import System, load
from plafond.describe.body import Run
from plafond.errors import ArgumentError, PlafondError
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.options import folder_for_report, parse_scale
from plafond.run.plan import PATIENCE_NS, SpareTask, limit_ns, plan_text
from plafond.run.targets import LONGEST_NAME, refuse_kernel_only

TEXT = """
cpus = 2
[task.high]
priority = 9
arrival = "random 10ms 20ms"
offset = "1ms"
deadline = "5ms"
activations = 4
body = ["lock R", "run 1ms", "unlock R", "sleep 2ms"]
[task.low]
priority = 3
cpu = 1
pending = "skip"
arrival = "periodic 7ms"
body = ["run 1ms"]
[resource.R]
"""


@pytest.fixture
def system(tmp_path: Path) -> System:
    file = tmp_path / "some.toml"
    file.write_text(TEXT)
    return load(file)


def test_counted_tasks_arrive_as_often_as_reported(system: System) -> None:
    high = draw_arrivals(system, 1)["high"]
    assert (len(high), high[0]) == (4, 1_000_000)
    gaps = [later - earlier for earlier, later in pairwise(high)]
    assert all(10_000_000 <= gap <= 20_000_000 for gap in gaps)
    assert len(set(gaps)) > 1


def test_the_others_arrive_before_the_last_deadline(system: System) -> None:
    arrivals = draw_arrivals(system, 1)
    end_ns = arrivals["high"][-1] + 5_000_000
    assert end_ns - 7_000_000 <= arrivals["low"][-1] < end_ns
    assert arrivals["low"][:3] == [0, 7_000_000, 14_000_000]


def changed(tmp_path: Path, old: str, new: str) -> System:
    assert old in TEXT
    file = tmp_path / "changed.toml"
    file.write_text(TEXT.replace(old, new, 1))
    return load(file)


def test_a_late_deadline_does_not_make_a_run_long(tmp_path: Path) -> None:
    arrivals = draw_arrivals(changed(tmp_path, '"5ms"', '"3600s"'), 1)
    end_ns = arrivals["high"][-1] + 20_000_000
    assert end_ns - 7_000_000 <= arrivals["low"][-1] < end_ns


def test_an_arrival_at_the_end_is_none(tmp_path: Path) -> None:
    system = changed(tmp_path, '"random 10ms 20ms"', '"periodic 10ms"')
    arrivals = draw_arrivals(system, 1)  # the end: 1 + 3 * 10 + 5 = 36 ms
    assert arrivals["low"][-1] == 35_000_000
    system = changed(tmp_path, 'offset = "1ms"\ndeadline = "5ms"', 'deadline = "5ms"')
    system = with_activations(system, 1)  # the end: 5 ms
    assert draw_arrivals(system, 1) == {"high": [0], "low": [0]}


def test_an_offset_beyond_the_end_is_refused(tmp_path: Path) -> None:
    text = 'pending = "skip"\noffset = "3600s"'
    with pytest.raises(PlafondError) as caught:
        draw_arrivals(with_activations(changed(tmp_path, 'pending = "skip"', text), 1), 1)
    assert "task low: found an offset of 3600s; expected one before the end" in str(caught.value)
    assert "the end of the run, 6ms" in str(caught.value)


def test_too_many_arrivals_are_refused_before_they_are_drawn(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plafond.run.arrivals._endless", lambda *_: pytest.fail("drawn"))
    with pytest.raises(PlafondError, match="found up to 99999999 arrivals"):
        draw_arrivals(with_activations(system, 99_999_999), 1)


def test_equal_seeds_give_equal_arrivals(system: System) -> None:
    assert draw_arrivals(system, 5) == draw_arrivals(system, 5)
    assert draw_arrivals(system, 5) != draw_arrivals(system, 6)


def test_activations_replace_those_of_the_tasks_that_count(system: System) -> None:
    assert [task.activations for task in with_activations(system, 9).tasks] == [9, None]
    assert with_activations(system, None) == system


def test_where_no_task_counts_the_most_urgent_does(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text(TEXT.replace("activations = 4\n", ""))
    assert [task.activations for task in with_activations(load(file), None).tasks] == [100, None]
    assert [task.activations for task in with_activations(load(file), 2).tasks] == [2, None]


def test_a_run_without_measure_is_refused(system: System) -> None:
    with pytest.raises(PlafondError, match="expected at most 1000000"):
        draw_arrivals(with_activations(system, 999_000), 1)


def test_the_plan(system: System) -> None:
    arrivals = {"high": [1, 2], "low": [0]}
    assert plan_text(system, "inherit", arrivals, SpareTask(2, 1, 77)).splitlines() == [
        "plafond-plan 1",
        "protocol inherit",
        f"limit {limit_ns(system, arrivals)}",
        "resource R 9",
        "task high 9 0 queue",
        "lock R",
        "run 1000000",
        "unlock R",
        "sleep 2000000",
        "arrivals 1 2",
        "task low 3 1 skip",
        "run 1000000",
        "arrivals 0",
        "spare 2 1 77",
        "end",
    ]


def test_long_lists_of_arrivals_are_broken(system: System) -> None:
    lines = plan_text(system, "none", {"high": list(range(250)), "low": [0]}).splitlines()
    assert sum(line.startswith("arrivals") for line in lines) == 4


@pytest.mark.parametrize(("text", "scale"), [("0.1", Fraction(1, 10)), ("2", 2), ("1/3", 1 / 3)])
def test_scales(text: str, scale: float) -> None:
    assert float(parse_scale(text)) == float(scale)


@pytest.mark.parametrize("text", ["0", "-1", "x", "1/0", "1001", "nan", "inf", "1" * 30])
def test_no_scales(text: str) -> None:
    with pytest.raises(ArgumentError, match="--scale: found"):
        parse_scale(text)


def test_a_report_that_cannot_be_written_is_reported_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(PlafondError, match="--out: cannot write to"),
        folder_for_report(tmp_path / "file" / "deeper"),
    ):
        raise AssertionError("it ran")


def test_a_refused_run_leaves_no_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for out in ("new/deeper", "mine", "mine/new"):
        with pytest.raises(PlafondError, match="refused"), folder_for_report(tmp_path / out):
            raise PlafondError("refused")
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == ["mine"]
    with folder_for_report(tmp_path / "new/deeper"):
        (tmp_path / "new/deeper/report.json").touch()
    assert (tmp_path / "new/deeper/report.json").exists()


def test_ctrl_c_while_the_folder_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(dir: Path) -> None:
        assert dir.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr("plafond.run.options.TemporaryFile", interrupted)
    with pytest.raises(KeyboardInterrupt), folder_for_report(tmp_path / "new/deeper"):
        raise AssertionError("it ran")
    assert list(tmp_path.iterdir()) == []


# ---- Two of each kind, and exact equality ------------------------------------------------------

PAIRS = """
cpus = 2
[server.S]
kind = "idling"
cpu = 1
priority = 5
period = "10ms"
budget = "2ms"
[task.early]
priority = 9
arrival = "periodic 10ms"
activations = 2
body = ["run 1ms"]
[task.late]
priority = 8
arrival = "periodic 30ms"
activations = 3
body = ["run 1ms"]
[task.quick]
priority = 7
arrival = "random 1ms 50ms"
body = ["run 1us"]
[task.other]
priority = 6
arrival = "random 1ms 50ms"
body = ["run 1us"]
[task.one]
server = "S"
cpu = 1
priority = 2
arrival = "periodic 30ms"
body = ["run 3ms"]
[task.two]
server = "S"
cpu = 1
priority = 1
arrival = "periodic 30ms"
body = ["run 5ms"]
"""


@pytest.fixture
def pairs(tmp_path: Path) -> System:
    file = tmp_path / "pairs.toml"
    file.write_text(PAIRS)
    return load(file)


def test_the_run_goes_on_until_the_last_of_all_tasks_that_count(pairs: System) -> None:
    arrivals = draw_arrivals(pairs, 1)
    assert [arrivals[name][-1] // 10**6 for name in ("early", "late")] == [10, 60]
    assert arrivals["one"] == arrivals["two"] == [0, 30 * 10**6, 60 * 10**6]
    assert max(arrivals["quick"]) > 40 * 10**6


def test_tasks_of_one_interval_have_different_arrivals(pairs: System) -> None:
    arrivals = draw_arrivals(pairs, 1)
    assert arrivals["quick"][1:] != arrivals["other"][1:]


def test_an_offset_at_the_end_of_the_run_is_refused(pairs: System) -> None:
    """The run ends at 90 ms."""

    def drawn(offset_ns: int) -> list[int]:
        tasks = tuple(
            task.changed(offset_ns=offset_ns) if task.name == "two" else task
            for task in pairs.tasks
        )
        return draw_arrivals(replace(pairs, tasks=tasks), 1)["two"]

    assert drawn(90_000_000 - 1) == [90_000_000 - 1]
    with pytest.raises(PlafondError, match=r"task two: found an offset of 90ms; .* run, 90ms"):
        drawn(90_000_000)


def test_as_many_arrivals_as_allowed_are_drawn(
    pairs: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 2 + 3 + 90 + 90 + 3 + 3: a task can come each millisecond up to the end at 90 ms."""
    monkeypatch.setattr("plafond.run.arrivals.MOST_ARRIVALS", 191)
    draw_arrivals(pairs, 1)
    monkeypatch.setattr("plafond.run.arrivals.MOST_ARRIVALS", 190)
    with pytest.raises(PlafondError, match="found up to 191 arrivals; expected at most 190"):
        draw_arrivals(pairs, 1)


def test_the_limit_counts_the_load_of_all_tasks_of_a_server_over_its_supply(pairs: System) -> None:
    """The tasks want 8 of 30 ms, and the server has 2 of 10 ms."""
    arrivals = {task.name: [0] for task in pairs.tasks} | {"two": [30_000_000]}
    assert limit_ns(pairs, arrivals) == 30_000_000 * (2 + 8 / 6) + PATIENCE_NS


def test_the_limit_counts_the_load_of_each_cpu(pairs: System) -> None:
    tasks = tuple(
        task.changed(server=None, body=(Run(60_000_000),)) if task.name == "two" else task
        for task in pairs.tasks
        if task.name != "one"
    )
    arrivals = {task.name: [1_000] for task in tasks}
    assert limit_ns(replace(pairs, tasks=tasks), arrivals) == 1_000 * (2 + 2) + PATIENCE_NS


def test_a_range_is_written_from_its_least_length(pairs: System) -> None:
    ranged = pairs.tasks[0].changed(body=(Run(7, 3, key=11),))
    system = replace(pairs, tasks=(ranged, *pairs.tasks[1:]))
    text = plan_text(system, "plafond", {task.name: [0] for task in system.tasks})
    assert "\nrun 3 7 11\n" in text


def test_names_are_as_long_as_the_program_of_the_threads_reads_them(tmp_path: Path) -> None:
    """Descriptions have longer names, for Plafond's own kernel."""
    header = Path(__file__).resolve().parents[2] / "linux/run/plan.h"
    assert f"\tNAME_BYTES = {LONGEST_NAME + 1},\n" in header.read_text()
    text = '[task.{}]\npriority = 1\narrival = "periodic 9ms"\nbody = ["run 1ms"]\n'
    file = tmp_path / "some.toml"
    file.write_text(text.format("L" * LONGEST_NAME))
    refuse_kernel_only(load(file), "linux")
    longer = "L" * (LONGEST_NAME + 1)
    file.write_text(text.format(longer))
    with pytest.raises(
        ArgumentError, match=f"found the name {longer} of 33 characters; expected at"
    ):
        refuse_kernel_only(load(file), "linux")
