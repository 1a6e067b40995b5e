# SPDX-License-Identifier: MIT
"""From a description to arrivals and the plan of `plafond-run`."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from plafond.describe import System, load
from plafond.errors import ArgumentError, PlafondError
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.options import folder_for_report, parse_scale
from plafond.run.plan import SpareTask, limit_ns, plan_text

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
