# SPDX-License-Identifier: MIT
"""The page: one file that needs no other, beside its data."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from report_fakes import (
    CARMINATI,
    TWO_CPUS,
    away,
    carminati,
    damaged,
    draw,
    execution_of,
    pathfinder,
    served,
    simulate,
    simulated,
    system_of,
)

from plafond.report.alarm import alarm_lines
from plafond.report.conditions import cut_lines
from plafond.report.gantt import make_gantt
from plafond.report.headline import headline
from plafond.report.histograms import Measure, clip_words, make_histogram
from plafond.report.html import SCRIPTS, TEMPLATES, make_page
from plafond.report.page_data import MOST_EVENTS, STATES, legend, page_data, timeline_end_ns
from plafond.report.page_words import PARTS
from plafond.report.rows import OF_SERVERS, State
from plafond.report.summary import left_words, summary_table
from plafond.report.write import write_report
from plafond.run.model import Execution
from plafond.trace.activations import activations
from plafond.trace.outside import union

EVIL = '<script>alert("&")</script>'
RUNS = pytest.mark.parametrize("executed", [carminati, pathfinder, damaged, away])
ENDLESS = {"meta", "input"}


class Reader(HTMLParser):
    """Keeps the content of a page, and fails if tags do not match."""

    def __init__(self, text: str) -> None:
        """Read the whole page."""
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.texts: list[tuple[str, str]] = []  # tag and text, in order
        self.unfolded: list[tuple[str, str]] = []  # the same, outside folded parts
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the tag, and that it is open if it needs an end."""
        given = {name: value or "" for name, value in attrs}
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" else []
        self.sources += [given["src"]] if "src" in given else []
        if tag not in ENDLESS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Check that this tag was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note the text, unless it is white space."""
        if data.strip():
            self.texts.append((self.open[-1], " ".join(data.split())))
            self.unfolded += [] if "details" in self.open else self.texts[-1:]

    def of(self, tag: str) -> list[str]:
        """Return all texts in elements of this tag."""
        return [text for own, text in self.texts if own == tag]


def page(execution: Execution) -> str:
    return make_page(execution, make_gantt(execution), "<svg></svg>")


@cache
def page_of(executed: Callable[[], Execution]) -> str:
    """Return the page of a run, made once for all tests."""
    return page(executed())


def data_of(execution: Execution) -> Any:
    return json.loads(page_data(execution, make_gantt(execution)))


@cache
def agreeing() -> Execution:
    """Return a run of six protocols with the same trace, which is simulated once."""
    one = simulated(CARMINATI, ("protect",), 5, {("protect", "T0"): 51_000_000})
    names = [f"p{number}" for number in range(6)]
    traces = {name: one.traces["protect"].model_copy(update={"protocol": name}) for name in names}
    return execution_of(one.system, traces, {(name, "T0"): 51_000_000 for name in names})


@cache
def endless() -> Execution:
    """Return a run in which no activation of the shown task has finished."""
    system = system_of(TWO_CPUS)
    traces = {
        name: simulate(system, name, draw(system), cut_ns=2_400_000) for name in ("none", "protect")
    }
    return execution_of(system, traces)


@RUNS
def test_it_is_whole_and_needs_nothing_from_elsewhere(executed: Callable[[], Execution]) -> None:
    reader = Reader(page_of(executed))

    assert reader.open == []
    assert reader.sources == []
    assert len(reader.ids) == len(set(reader.ids))
    assert not any("//" in link for link in reader.links)
    assert page_of(executed).count("<svg></svg>") == 1


@RUNS
def test_every_link_leads_to_a_file_or_a_part(
    executed: Callable[[], Execution], tmp_path: Path
) -> None:
    reader = Reader(write_report(executed(), tmp_path).read_text())
    parts = {link[1:] for link in reader.links if link.startswith("#")}
    files = {link for link in reader.links if not link.startswith("#")}

    assert parts <= set(reader.ids)
    assert {"still"} <= parts
    assert files == {file.name for file in tmp_path.iterdir()} - {"report.html"}


def test_everything_is_escaped() -> None:
    execution = damaged()
    report = execution.report
    evil = report.model_copy(
        update={
            "name": EVIL,
            "target": EVIL,
            "notes": [EVIL],
            "cuts": {EVIL: EVIL},
            "conditions": report.conditions.model_copy(
                update={"command": EVIL, "cpu_model": EVIL, "kernel": EVIL, "date": EVIL}
            ),
        }
    )
    tasks = tuple(task.changed(name=f"{EVIL}{task.name}") for task in execution.system.tasks)
    rows = [row.model_copy(update={"task": f"{EVIL}{row.task}"}) for row in report.rows]
    traces = {
        name: trace.model_copy(
            update={
                "tasks": [
                    task.model_copy(update={"name": f"{EVIL}{task.name}"}) for task in trace.tasks
                ]
            }
        )
        for name, trace in execution.traces.items()
    }
    text = page(
        replace(
            execution,
            system=replace(execution.system, tasks=tasks),
            traces=traces,
            report=evil.model_copy(update={"rows": rows}),
        )
    )

    assert text.count("<script") == 2  # the page's script, and its data
    assert "alert(" in text
    assert '<script>alert("' not in text
    assert text.count("&lt;script&gt;") > 10
    assert text.count("\\u003cscript>") >= len(tasks)


@RUNS
def test_the_outcome_comes_first_and_the_conditions_last(
    executed: Callable[[], Execution],
) -> None:
    text = page_of(executed)
    reader = Reader(text)
    order = [reader.ids.index(part) for part in ("worst", "result", "times", "conditions", "data")]

    assert order == sorted(order)
    assert 0 < text.index(f">{executed().report.name.split(' <')[0]}") < text.index('"headline"')
    assert text.index('"headline"') < text.index('id="worst"')
    opening = reader.of("p")[: 1 + text.count('class="alarm"')]
    assert opening[0] == headline(executed())[0]
    # Before the picture there are no other paragraphs.
    assert set(opening[1:]) == {*cut_lines(executed()), *alarm_lines(executed())}
    assert set(headline(executed())) <= set(reader.of("p"))


@RUNS
def test_all_but_the_outcome_is_folded(executed: Callable[[], Execution]) -> None:
    reader = Reader(page_of(executed))
    unfolded = {text for tag, text in reader.unfolded if tag in ("p", "th", "td", "h1", "summary")}
    table = summary_table(executed())
    cells = {cell for line in table.lines for cell in line if cell}
    headings = {column.heading for column in table.columns}
    outcome = {*headline(executed()), *cut_lines(executed()), *alarm_lines(executed())}

    assert {*outcome, *headings, *cells} <= unfolded
    assert not any(tag in ("h3", "dt", "dd", "summary", "option") for tag, _ in reader.unfolded)
    assert {PARTS[part] for part in ("still", "times", "conditions", "words")} <= set(
        reader.of("summary")
    )


def test_the_page_has_all_scripts_in_a_module_and_they_ask_no_network() -> None:
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page_of(pathfinder), re.DOTALL)
    files = sorted((TEMPLATES / "page").iterdir())

    assert {file.name for file in files} == set(SCRIPTS)
    assert all(file.read_text() in script for file in files)
    for word in ("fetch", "XMLHttpRequest", "import", "export", "://", "window."):
        assert word not in script


def test_the_time_line_has_words_and_a_colour_for_each_state_and_resource() -> None:
    text = page_of(carminati)
    data = data_of(carminati())
    styles = re.findall(r'<li data-style="(.*?)">', text)

    used = {
        paint // (len(data["resources"]) + 1)
        for run in data["runs"]
        for own in run["tasks"]
        for paint in own["stretches"][2::3]
    }
    assert {data["states"][number] for number in used} <= {*data["words"]}
    assert {*data["words"].values()} <= {state.value for state in STATES}
    assert len(styles) == len(set(styles))
    for style in styles:
        selector = "".join(f".{name}" for name in style.split())
        assert f"{selector} {{" in text or f"{selector}, " in text or f", {selector} {{" in text
    assert "running r0" in styles


def test_six_resources_share_five_colours() -> None:
    names = [f"R{number}" for number in range(6)]
    tasks = [
        f'[task.t{number}]\npriority = {number + 1}\narrival = "periodic 100ms"\n'
        f'body = ["lock {name}", "run 1ms", "unlock {name}"]\n[resource.{name}]\n'
        for number, name in enumerate(names)
    ]
    execution = simulated("".join(tasks), ("protect",), 2)
    words = dict(legend(execution, make_gantt(execution)))
    ordered = data_of(execution)["resources"]

    assert sorted(ordered) == names
    assert words["running r0"] == f"runs in {ordered[0]} and {ordered[5]}"
    assert words["running r4"] == f"runs in {ordered[4]}"
    assert "running r5" not in words


def test_command_conditions_definitions_and_all_figures_are_there() -> None:
    text = page_of(carminati)

    for words in ("plafond run system.toml", "6.12.9-rt", "limited to 950ms", "EXCEEDED"):
        assert words in text
    for row in carminati().report.rows:
        assert f"<summary><b>{row.task}</b>" in text
        assert f">{row.protocol}</td>" in text
    assert "from the requests for resources to the grants" in text


def test_cut_runs_and_exceeded_bounds_are_marked() -> None:
    assert page_of(damaged).count('<p class="alarm">CUT SHORT') == 2
    assert page_of(carminati).count('<p class="alarm">EXCEEDED: T0 under plafond-strict') == 1
    assert '<p class="alarm">' not in page_of(pathfinder)


def test_equal_runs_give_equal_pages() -> None:
    assert page(pathfinder()) == page_of(pathfinder)


def test_the_headline_says_which_task_kept_what_with_the_margin() -> None:
    row = next(row for row in agreeing().report.rows if row.task == "T0")
    assert row.response_without_stops
    left = 100 * (1 - row.response_without_stops.maximum_ns / 51_000_000)
    (deadlines, bounds) = headline(agreeing())

    assert deadlines == "Every task kept its deadline under all 6 protocols."
    assert "T0 under all 6 protocols: " in bounds
    assert f"of 51ms, kept, {left:.1f}% of the bound left." in bounds


def test_the_headline_names_the_task_that_came_closest_to_its_bound() -> None:
    bounds_ns = {("protect", "T0"): 60_000_000, ("protect", "T1"): 900_000_000}
    for near, far in (("T0", "T1"), ("T1", "T0")):
        execution = simulated(CARMINATI, ("protect",), 5, bounds_ns)
        assert f"the closest is {near} under protect: " in headline(execution)[-1]
        bounds_ns = {("protect", near): 900_000_000, ("protect", far): 70_000_000}


def test_the_headline_says_which_task_missed_what_under_which_protocol() -> None:
    execution = pathfinder()
    tasks = tuple(
        task.changed(deadline_ns=10_000_000) if task.name == "high" else task
        for task in execution.system.tasks
    )
    late = execution_of(replace(execution.system, tasks=tasks), execution.traces)
    rows = [row for row in late.report.rows if row.task == "high"]
    misses = {row.protocol: row.deadline_misses for row in rows}

    assert [name for name, count in misses.items() if count] == ["none"]
    assert headline(late) == [
        f"high missed its deadline of 10ms under none ({misses['none']} of 200), and kept it under "
        "inherit, protect and plafond.",
        "No bound is known here, so none was kept or exceeded.",
    ]
    assert f'<td class="bad">{misses["none"]} of 200</td>' in page(late)


def test_an_exceeded_bound_is_no_kept_one() -> None:
    assert any(
        "T0 under plafond-strict was EXCEEDED, by " in each for each in headline(carminati())
    )
    assert not any("Every bound was kept" in sentence for sentence in headline(carminati()))
    assert headline(away())[-1] == (
        "The bound of T0 under plafond was not judged: the machine took too much."
    )


def test_a_bound_without_overheads_that_was_passed_is_no_kept_one() -> None:
    """No bound with overheads is known, as for servers on a board."""
    bounds_ns = {("protect", "T0"): 60_000_000, ("protect", "T1"): 900_000_000}
    execution = simulated(CARMINATI, ("protect",), 5, bounds_ns)
    (t0, *others) = execution.report.rows
    passed = t0.model_copy(
        update={
            "response_bound_ns": 1,
            "response_bound_with_overheads_ns": None,
            "verdict": None,
        }
    )
    report = execution.report.model_copy(update={"rows": [passed, *others]})
    sentences = headline(replace(execution, report=report))[1:]

    assert sentences[0] == (
        "T0 took longer than its bound without overheads; with overheads none is known."
    )
    assert sentences[1].startswith("Every other bound was kept; the closest is T1 under protect: ")
    assert len(sentences) == 2


@pytest.mark.parametrize(
    ("left", "words"),
    [
        *((0.0004, "0.04%"), (0.0, "0%"), (0.2345, "23.4%"), (-0.031, "-3.1%")),
        *((0.1, "10.0%"), (-0.1, "-10.0%"), (-0.25, "-25.0%")),
    ],
)
def test_a_margin_has_the_digits_that_matter(left: float, words: str) -> None:
    assert left_words(left) == words


def test_the_first_table_has_the_misses() -> None:
    lines = summary_table(carminati()).lines
    first = next(row for row in carminati().report.rows if row.task == "T1")
    line = next(line for line in lines if line[0] == "T1")

    assert f"{first.deadline_misses} of {first.activations}" in line
    assert Reader(page_of(carminati)).of("th")[:3] == ["task", "protocol", "missed"]


def test_protocols_that_agree_share_a_panel_a_line_and_a_run() -> None:
    gantt = make_gantt(agreeing())
    (chart,) = gantt.charts

    assert chart.title == "all 6 protocols"
    assert chart.protocols == tuple(agreeing().traces)
    assert replace(chart, protocols=("p0",)) == replace(
        make_gantt(agreeing(), ["p0"]).charts[0], title=chart.title
    )
    assert len(summary_table(agreeing()).lines) == 3
    assert [run["protocols"] for run in data_of(agreeing())["runs"]] == [list(agreeing().traces)]
    assert "Protocols that did the same share a picture." in page_of(agreeing)
    assert len(make_gantt(carminati()).charts) == 6


def test_a_task_that_does_nothing_has_no_row_and_is_named() -> None:
    text = TWO_CPUS.replace('offset = "1ms"', 'offset = "12ms"')
    gantt = make_gantt(simulated(text, ("protect",)))
    (chart,) = gantt.charts

    assert "idle" in gantt.idle
    assert {row.task for row in chart.rows} == {"first", "second", "idle"} - set(gantt.idle)
    assert make_gantt(pathfinder()).idle == ()


def test_without_a_finished_activation_the_whole_run_is_shown() -> None:
    gantt = make_gantt(endless())
    end_ns = max(
        event.time_ns
        for trace in endless().traces.values()
        for task in trace.tasks
        for event in task.events
    )

    assert gantt.is_whole_run
    assert (gantt.begin_ns, gantt.end_ns) == (0, end_ns)
    assert any(stretch.state is State.RUNNING for stretch in gantt.charts[0].rows[0].stretches)
    assert "<figcaption>The whole run. " in page_of(endless)


@pytest.mark.parametrize("measure", Measure)
@RUNS
def test_what_is_clipped_is_counted_and_was_stopped(
    executed: Callable[[], Execution], measure: Measure
) -> None:
    execution = executed()
    histogram = make_histogram(execution, measure)
    for strip in histogram.strips:
        beyond = sorted(value for value in strip.values_ns if value > histogram.end_ns)
        quiet = list(strip.unstopped_ns)

        assert histogram.beyond(strip) == len(beyond)
        assert all(value <= histogram.end_ns for value in quiet)
        if beyond:
            words = f"{len(beyond)} of {len(strip.values_ns)}, the longest "
            assert words in clip_words(histogram)
            assert words in page_of(executed)


def test_a_stall_of_the_host_is_clipped() -> None:
    histogram = make_histogram(away(), Measure.RESPONSE)

    assert histogram.beyond(histogram.strips[0]) == 1
    assert max(histogram.strips[0].values_ns) > 1_000_000_000 > 15 * histogram.end_ns
    assert histogram.end_ns >= 51_100_000  # the bound is shown
    assert clip_words(make_histogram(pathfinder(), Measure.RESPONSE)) == ""


@RUNS
def test_the_script_gets_every_activation_and_every_stretch(
    executed: Callable[[], Execution],
) -> None:
    execution = executed()
    data = data_of(execution)
    paints = len(data["resources"]) + 1
    for run in data["runs"]:
        trace = execution.traces[run["protocols"][0]]
        recorded = {task.name: task for task in trace.tasks}
        for task, own in zip(data["tasks"], run["tasks"], strict=True):
            finished = [
                each for each in activations(recorded[task["name"]]) if each.end_ns is not None
            ]
            expected = [
                (each.index, each.arrival_ns, each.latency_ns, each.blocking_ns, each.response_ns)
                for each in finished
            ]
            assert own["served"] == [number for several in expected for number in several]
            lived = union(
                (each.arrival_ns, each.arrival_ns + (each.response_ns or 0)) for each in finished
            )
            assert sum(own["stretches"][1::3]) >= sum(end - begin for begin, end in lived)
            assert set(own["stretches"][2::3]) <= set(range(len(STATES) * paints))


def test_a_time_line_that_is_too_long_ends_early_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert timeline_end_ns(pathfinder()) is None
    assert sum(len(task.events) for task in pathfinder().traces["none"].tasks) < MOST_EVENTS
    monkeypatch.setattr("plafond.report.page_data.MOST_EVENTS", 100)
    end_ns = timeline_end_ns(pathfinder())
    data = data_of(pathfinder())

    assert end_ns is not None
    assert {run["end"] for run in data["runs"]} == {end_ns}
    assert all(
        sum(own["stretches"][0::3]) + sum(own["stretches"][1::3]) <= end_ns
        for run in data["runs"]
        for own in run["tasks"]
    )
    assert "The time line ends at" in page(pathfinder())


def test_a_server_has_a_line_above_its_tasks() -> None:
    data = data_of(served())
    names = [track["name"] for track in data["tasks"]]
    assert names == ["server control", "t0", "t1", "server video", "t2"]
    assert data["tasks"][data["shown"]]["name"] == "t2"
    stretches, paints = data["runs"][0]["tasks"][0]["stretches"], len(data["resources"]) + 1
    served_, depleted = (data["states"].index(name) * paints for name in ("served", "depleted"))
    assert stretches == [
        *(0, 20_000, served_, 0, 30_000, depleted),
        *(0, 20_000, served_, 0, 5_000, depleted),
    ]


def test_only_tasks_can_be_chosen_and_by_their_lines() -> None:
    chosen = re.findall(r'<option value="(\d+)"( selected)?>(.*)</option>', page(served()))
    assert sorted(chosen) == [("1", "", "t0"), ("2", "", "t1"), ("4", " selected", "t2")]


def test_only_a_page_with_servers_speaks_of_them() -> None:
    with_servers, without = page(served()), page_of(pathfinder)
    legends = [Reader(each).of("li") for each in (with_servers, without)]
    for state in OF_SERVERS:
        assert [state.value in legend for legend in legends] == [True, False]
    assert [".depleted {" in each for each in (with_servers, without)] == [True, False]
