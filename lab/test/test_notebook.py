# SPDX-License-Identifier: MIT
"""plafond.run() and plafond.draw(): data frames and figures of a run."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.patches import Rectangle
from report_fakes import carminati, damaged, pathfinder

from plafond.board.boards import ROOT
from plafond.errors import ArgumentError, PlafondError
from plafond.frame import Frame
from plafond.notebook import NESTED, PICTURES, SPREADS, Run, draw, run
from plafond.report.histograms import Measure, make_histogram
from plafond.trace.measures import Measures, Spread

TWO_TASKS = """
[task.fast]
priority = 20
arrival = "periodic 10ms"
deadline = "8ms"
activations = 5
body = ["run 2ms", "lock state", "run 1ms", "unlock state"]
[task.slow]
priority = 10
arrival = "periodic 20ms"
body = ["lock state", "run 3ms", "unlock state"]
[resource.state]
"""


def test_a_frame_has_columns_and_rows() -> None:
    frame = Frame.of(["a", "b"], [{"a": 1, "b": "x"}, {"a": 2, "b": None}, {"a": 1, "b": "<"}])

    assert frame == {"a": [1, 2, 1], "b": ["x", None, "<"]}
    assert frame.rows[1] == {"a": 2, "b": None}
    assert frame.where(a=1) == {"a": [1, 1], "b": ["x", "<"]}
    assert frame.where(a=1, b="<").rows == [{"a": 1, "b": "<"}]
    assert frame.where(a=3) == {"a": [], "b": []}
    assert "<tr><td>2</td><td></td></tr>" in frame._repr_html_()
    assert "&lt;" in frame._repr_html_()


def test_a_frame_without_rows_keeps_its_columns() -> None:
    assert Frame.of(["a"], []) == {"a": []}
    assert Frame.of(["a"], []).rows == []


def test_a_column_that_a_frame_lacks_is_named() -> None:
    with pytest.raises(KeyError, match="found column 'c'; expected some of a, b"):
        Frame(a=[1], b=[2]).where(c=1)


def test_a_frame_becomes_one_of_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pandas is no package of the environment, so a fake takes what DataFrame() gets."""

    class Pandas:
        DataFrame = staticmethod(lambda columns: ("frame", columns))

    monkeypatch.setitem(sys.modules, "pandas", Pandas)
    assert Frame(a=[1]).to_pandas() == ("frame", {"a": [1]})
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(PlafondError, match=r"found no package pandas; expected it"):
        Frame(a=[1]).to_pandas()


def test_the_measures_have_the_figures_of_the_report() -> None:
    frame = Run(carminati()).measures
    rows = carminati().report.rows

    assert frame["task"] == [row.task for row in rows]
    assert frame["response_maximum_ns"] == [
        row.response.maximum_ns if row.response else None for row in rows
    ]
    assert frame["verdict"] == [row.verdict for row in rows]
    assert {*Measures.model_fields} - {*frame} == {*SPREADS, *NESTED}
    assert {f"{name}_{part}" for name in SPREADS for part in Spread.model_fields} <= {*frame}


def test_a_task_that_finished_nothing_has_a_row_without_times() -> None:
    report = damaged().report
    first = report.rows[0].model_copy(update={"response": None, "latency": None})
    rows = [first, *report.rows[1:]]
    changed = replace(damaged(), report=report.model_copy(update={"rows": rows}))
    row = Run(changed).measures.rows[0]

    assert (row["response_maximum_ns"], row["latency_average_ns"]) == (None, None)
    assert row["task"] == first.task


def test_the_activations_are_those_of_each_protocol_and_task() -> None:
    frame = Run(pathfinder()).activations
    high = frame.where(task="high", protocol="none")
    histogram = make_histogram(pathfinder(), Measure.RESPONSE)
    (strip,) = (each for each in histogram.strips if each.protocol == "none")

    assert high["activation"] == sorted(high["activation"])
    assert tuple(each for each in high["response_ns"] if each is not None) == strip.values_ns
    for row in high.rows:
        assert row["start_ns"] - row["arrival_ns"] == row["latency_ns"]
        assert row["end_ns"] - row["arrival_ns"] == row["response_ns"]


def test_the_events_name_their_resource() -> None:
    frame = Run(pathfinder()).events
    grants = frame.where(kind="grant")

    assert {*grants["resource"]} == {"bus"}
    assert {*frame.where(kind="start")["resource"]} == {None}
    assert len(frame["kind"]) == sum(
        len(task.events) for trace in pathfinder().traces.values() for task in trace.tasks
    )


@pytest.mark.parametrize("picture", PICTURES)
def test_a_run_has_a_figure_of_each_kind(picture: str, tmp_path: Path) -> None:
    figure = draw(Run(pathfinder()), picture)
    figure.savefig(tmp_path / "figure.pdf")

    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")
    assert len(figure.axes) == len(pathfinder().traces)


def test_a_histogram_has_a_bar_of_the_value_of_each_activation() -> None:
    figure = draw(Run(pathfinder()), "response")
    for axes, strip in zip(
        figure.axes, make_histogram(pathfinder(), Measure.RESPONSE).strips, strict=True
    ):
        heights = [patch.get_height() for patch in axes.patches if isinstance(patch, Rectangle)]
        assert sum(heights) == len(strip.values_ns)
        assert axes.get_title(loc="left").startswith(f"{strip.protocol}: {len(strip.values_ns)} ")


def test_an_unknown_picture_is_refused() -> None:
    with pytest.raises(ArgumentError, match="found picture 'gant'; expected one of worst, latency"):
        draw(Run(pathfinder()), "gant")


@pytest.mark.board
def test_a_run_of_a_text_gives_the_frames(tmp_path: Path) -> None:
    done = run(TWO_TASKS, protocols=["none", "lazy-ceiling"], activations=3)
    fast = done.measures.where(task="fast")

    assert fast["protocol"] == ["none", "lazy-ceiling"]
    assert fast["activations"] == [3, 3]
    assert fast["verdict"] == ["kept", "kept"]
    assert done.activations.where(task="fast", protocol="none")["arrival_ns"][:2] == [0, 10_000_000]
    assert done.write(tmp_path / "page").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"on": "moon"}, "found 'moon'; expected none or one of"),
        ({"protocols": ["lazy"]}, "--protocol: found 'lazy'; expected some of"),
        ({"task": "fest"}, "--task: found 'fest'; expected one of fast, slow"),
        ({"scale": "0"}, "--scale: found '0'; expected a factor above 0"),
    ],
)
def test_wrong_arguments_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        run(TWO_TASKS, **given)


@pytest.mark.board
@pytest.mark.long
def test_the_example_for_notebooks_runs(tmp_path: Path) -> None:
    script = ROOT / "examples/python/inversion.py"
    ended = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[:6] == [
        "none 18500000 21000000 kept",
        "inherit 8500000 11000000 kept",
        "lazy-ceiling 5000000 7000000 kept",
        "none 50 of 50",
        "inherit 50 of 50",
        "lazy-ceiling 0 of 50",
    ]
    assert {file.name for file in tmp_path.iterdir()} == {
        *("worst.pdf", "responses.png", "schedulability.pdf")
    }
