# SPDX-License-Identifier: MIT
"""The pictures as SVG: complete, self-contained, and the same bytes for the same run."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from report_fakes import across_cpus, carminati, damaged, execution_of, pathfinder, served

from plafond.report.drawing import THEME, themed
from plafond.report.gantt import Gantt, make_gantt
from plafond.report.gantt_picture import draw_gantt
from plafond.report.labels import Label, align
from plafond.report.rows import State
from plafond.run.model import Execution

SVG = "{http://www.w3.org/2000/svg}"
LETTER_IN = 0.1
ROOM = (0.0, 8.0)
RUNS = pytest.mark.parametrize("executed", [carminati, pathfinder, damaged])


def texts(svg: str) -> str:
    return " ".join("".join(e.itertext()) for e in ElementTree.fromstring(svg).iter(f"{SVG}text"))


@RUNS
def test_the_gantt_chart_names_protocols_tasks_and_responses(
    executed: Callable[[], Execution],
) -> None:
    gantt = make_gantt(executed())
    words = texts(draw_gantt(gantt))

    for chart in gantt.charts:
        assert chart.title in words
        assert all(row.task in words for row in chart.rows)
        assert ("CUT SHORT" in words) >= (chart.cut is not None)


def test_a_bound_that_was_exceeded_is_said_and_a_far_deadline_too() -> None:
    words = texts(draw_gantt(make_gantt(carminati())))

    assert "EXCEEDS its bound of 40ms by" in words
    assert "within its bound of 69ms" in words
    assert "within its bound of 51ms" in words
    assert "deadline 400ms" in words


def test_a_bound_without_overheads_is_no_reason_for_an_alarm() -> None:
    gantt = make_gantt(carminati())
    charts = tuple(replace(chart, verdict=None) for chart in gantt.charts)

    words = texts(draw_gantt(replace(gantt, charts=charts)))

    assert "exceeds its bound of 40ms without overheads by" in words
    assert "EXCEEDS" not in words


def test_a_gantt_chart_of_no_protocol() -> None:
    ElementTree.fromstring(draw_gantt(Gantt(0, 1, ())))


def test_equal_runs_give_equal_bytes() -> None:
    gantt = make_gantt(pathfinder())

    assert draw_gantt(gantt) == draw_gantt(gantt)


def test_ids_do_not_clash_and_all_that_is_referred_to_is_there() -> None:
    page = draw_gantt(make_gantt(pathfinder()))
    ids = re.findall(r'\bid="([^"]*)"', page)
    references = re.findall(r'(?:href="#|url\(#|labelledby=")([^")]*)', page)

    assert len(ids) == len(set(ids))
    assert set(references) <= set(ids)


def test_pictures_need_nothing_from_elsewhere_and_style_nothing_else() -> None:
    svg = draw_gantt(make_gantt(pathfinder()))

    assert not re.search(r'(?:href|src)="(?!#)', svg)
    assert "<style" not in svg
    assert "<metadata" not in svg


def test_text_is_text() -> None:
    assert "waits for bus" in texts(draw_gantt(make_gantt(pathfinder())))


@pytest.mark.parametrize(
    "places",
    [(4.0,), (0.1,), (7.9,), (3.0, 3.01), (0.1, 0.2), (7.8, 7.9), (3.0, 3.5), (1.0, 7.0)],
)
def test_labels_stay_in_the_room_and_apart(places: tuple[float, ...]) -> None:
    labels = align([Label(x, "a label") for x in places], ROOM, LETTER_IN)
    spans = [label.span(LETTER_IN) for label in labels]

    assert all(ROOM[0] <= begin and end <= ROOM[1] for begin, end in spans)
    assert all(a[1] < b[0] for a, b in pairwise(spans))
    assert "".join(label.text for label in labels).count("a label") == len(places)


def test_a_run_of_which_nothing_finished() -> None:
    whole = damaged()
    execution = execution_of(whole.system, {"none": whole.traces["none"]})

    assert "nothing to show" in texts(draw_gantt(make_gantt(execution)))


def test_in_a_page_every_colour_but_that_of_bars_is_one_of_the_page() -> None:
    svg = themed(draw_gantt(make_gantt(pathfinder())))
    left = set(re.findall(r'(?::|=") ?(#[0-9a-f]{6})\b', svg))

    assert left.isdisjoint(colour.lower() for colour in THEME)
    assert set(re.findall(r"var\(--([a-z-]+)", svg)) >= {"ink", "paper", "grey", "pale", "kept-out"}
    ElementTree.fromstring(svg)


def test_what_is_of_several_cpus_is_named() -> None:
    words = texts(draw_gantt(make_gantt(across_cpus())))
    assert "section of G, global" in words
    assert "CPU 1: second" in words


def test_servers_have_bands() -> None:
    words = texts(draw_gantt(make_gantt(served())))
    for name in ("server control", "server video", "server is replenished"):
        assert name in words
    assert {state.value for state in State if state.value in words} == {
        *(State.RUNNING, State.READY, State.UNSERVED, State.SERVED, State.DEPLETED)
    }
    assert "server" not in texts(draw_gantt(make_gantt(pathfinder())))
