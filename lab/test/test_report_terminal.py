# SPDX-License-Identifier: MIT
"""The report as it stands in the terminal."""

import io
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from report_fakes import (
    across_cpus,
    away,
    carminati,
    damaged,
    execution_of,
    pathfinder,
    served,
    simulated,
)
from rich.console import Console

from plafond.report.gantt import make_gantt
from plafond.report.gantt_terminal import print_gantt
from plafond.report.headline import headline
from plafond.report.histograms import Measure, make_histogram
from plafond.report.tail import make_tail
from plafond.report.terminal import print_brief, print_execution
from plafond.run.model import Execution
from plafond.trace.verdicts import Verdict
from plafond.witness import Speed

ROOT = Path(__file__).parents[2]
INVERSION = (ROOT / "examples/inversion.toml").read_text()


def printed(execution: Execution, width: int = 100) -> str:
    text = io.StringIO()
    print_execution(execution, Console(file=text, width=width, highlight=False))
    return text.getvalue()


def brief(execution: Execution) -> str:
    text = io.StringIO()
    print_brief(execution, Console(file=text, width=80, highlight=False))
    return text.getvalue()


def charts(execution: Execution, width: int, encoding: str = "utf-8") -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    print_gantt(make_gantt(execution), Console(file=file, width=width, highlight=False))
    file.seek(0)
    return file.read()


@pytest.mark.parametrize("executed", [carminati, pathfinder, damaged])
def test_every_table_fits_100_columns_uncut(executed: Callable[[], Execution]) -> None:
    text = printed(executed())

    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert all(text.count(f"\n{protocol} ") >= 2 for protocol in executed().traces)


@pytest.mark.parametrize(("width", "tables"), [(80, 3), (100, 2), (112, 2)])
def test_in_narrow_terminals_the_bounds_are_a_table_of_their_own(width: int, tables: int) -> None:
    text = printed(pathfinder(), width=width)

    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    assert text.count("\nhigh: ") == tables


def test_the_slowest_speed_of_run_steps_is_reported_beside_its_median() -> None:
    execution = pathfinder()
    plafond, *_ = execution.report.conditions.cpus["plafond"]
    plafond.turns_per_us = Speed(median=8.0, slowest=0.5)
    assert "speed of run steps: median 8 turns in 1us, slowest 0.5" in printed(execution)
    for cpus in execution.report.conditions.cpus.values():
        for cpu in cpus:
            cpu.turns_per_us = Speed(median=None, slowest=None)
    assert "speed of run steps: not known" in printed(execution)


def test_where_it_ran_is_reported_in_words() -> None:
    execution = pathfinder()
    assert ", on Linux" in printed(execution).splitlines()[0]
    execution.report.target = "vm"
    assert ", in a virtual machine" in printed(execution).splitlines()[0]


def test_conditions_come_first_and_notes_last() -> None:
    text = printed(pathfinder())
    parts = (
        "command: ",
        "limited to 950ms in each 1s",
        "high: priority",
        "Counts",
        "- Bounds hold",
    )

    assert sorted(parts, key=text.index) == list(parts)


def test_a_cut_run_is_said_before_and_after() -> None:
    assert printed(damaged()).count("CUT SHORT: the run under inherit") == 2


def test_what_is_missing_is_named() -> None:
    text = printed(damaged())

    assert "not counted" in text
    assert "cut off" in text
    assert "CUT SHORT; no activation of first finished" in text


def test_bounds_are_judged() -> None:
    text = printed(carminati()) + printed(away())

    assert all(verdict in text for verdict in Verdict)


def test_an_exceeded_bound_is_said_with_the_activation_and_what_took_its_time() -> None:
    text = " ".join(printed(carminati(), width=112).split())

    assert "EXCEEDED: T0 under plafond-strict: activation " in text
    assert "more than its bound with overheads of 40ms" in text
    assert "are run steps as described; the rest: " in text
    assert "EXCEEDED: " not in printed(pathfinder())


def test_ratios_stand_in_one_table_where_arrivals_are_the_worst() -> None:
    execution = carminati()
    assert "Ratios: " not in printed(execution)
    worst = execution.report.model_copy(update={"arrivals_are_worst": True})
    text = printed(replace(execution, report=worst))
    lines = text[text.index("Ratios: ") :].splitlines()
    row = next(row for row in worst.rows if row.task == "T0")
    assert lines[3].split()[:2] == ["T0", f"{row.ratio:.4f}"]
    assert set(lines[4].split()[1:]) == {"-"}  # T1 has no bound there


def test_without_a_host_nothing_is_stopped_and_no_column_says_so() -> None:
    execution = pathfinder()
    assert "no stops" in printed(execution)
    exact = replace(execution, report=execution.report.model_copy(update={"has_host": False}))
    assert "no stops" not in printed(exact)
    assert "stopped" not in printed(exact)


@pytest.mark.parametrize("width", [10, 40, 79, 200])
def test_the_chart_fits_the_console(width: int) -> None:
    lines = charts(pathfinder(), width).splitlines()

    assert max(map(len, lines)) <= width


def test_running_waiting_and_sections_differ_without_colour() -> None:
    text = charts(pathfinder(), 100)

    for letter, meaning in (("█", "runs"), ("▓", "runs in a section"), ("x", "waits")):
        assert text.count(letter) > 5
        assert f"{letter} {meaning}" in text
    assert " bus " in text


def test_a_terminal_without_unicode_gets_ascii() -> None:
    assert charts(pathfinder(), 100, "ascii").isascii()
    assert "0ms" in charts(pathfinder(), 100, "ascii")


def test_a_run_of_which_nothing_finished() -> None:
    whole = damaged()
    execution = execution_of(whole.system, {"none": whole.traces["none"]})

    assert "no activation of first finished" in charts(execution, 80)
    assert "0ns" in charts(execution, 80)


@pytest.mark.parametrize("executed", [carminati, pathfinder, damaged])
@pytest.mark.parametrize("measure", [Measure.LATENCY, Measure.RESPONSE])
def test_a_tail_counts_every_activation_once_for_each_time_that_it_reached(
    executed: Callable[[], Execution], measure: Measure
) -> None:
    tail = make_tail(executed(), measure, 14)
    strips = {
        strip.protocol: strip.values_ns for strip in make_histogram(executed(), measure).strips
    }
    step_ns = tail.times_ns[1]
    assert tail.times_ns == tuple(range(0, 14 * step_ns, step_ns))[: len(tail.times_ns)]
    assert list(tail.counts) == list(strips)
    for protocol, counts in tail.counts.items():
        assert counts[0] == len(strips[protocol])
        bins = Counter(value // step_ns for value in strips[protocol])
        assert [a - b for a, b in zip(counts, (*counts[1:], 0), strict=True)] == [
            bins[index] for index in range(len(tail.times_ns))
        ]
    assert any(counts[-1] for counts in tail.counts.values())


def test_the_tail_of_the_papers_figure_12_ends_a_section_earlier_with_ceilings() -> None:
    tail = make_tail(carminati(), Measure.RESPONSE, 14)
    text = printed(carminati(), width=112)
    assert "Activations of T0 with a response of at least" in text
    assert "Activations of T0 with a latency of at least" in text
    assert {tail.counts[name][-1] for name in ("protect", "plafond")} == {0}
    assert tail.counts["none"][-1] or tail.counts["inherit"][-1]


def test_the_brief_report_has_the_outcome_and_fits_a_screen() -> None:
    text = brief(simulated(INVERSION, ("none", "inherit", "protect", "plafond"), 5))
    lines = text.splitlines()

    assert "none (5 of 5) and inherit (5 of 5), and kept it under protect and plafond." in " ".join(
        text.split()
    )
    assert len(lines) <= 28
    assert max(map(len, lines)) <= 80
    assert all(text.count(f" {name} ") >= 4 for name in ("none", "inherit", "protect", "plafond"))


@pytest.mark.parametrize("executed", [carminati, damaged])
def test_the_brief_report_hides_no_alarm_and_no_cut(executed: Callable[[], Execution]) -> None:
    text = brief(executed())

    assert all(
        sentence.split(":")[0] in " ".join(text.split()) for sentence in headline(executed())
    )
    assert text.count("EXCEEDED: T0") == len(executed().alarms)
    assert text.count("CUT SHORT") == len(executed().report.cuts)


def test_the_chart_names_what_is_of_several_cpus() -> None:
    file = io.StringIO()
    print_gantt(make_gantt(across_cpus()), Console(file=file, width=100, highlight=False))
    assert "used on several CPUs: G" in file.getvalue()
    assert "CPU 1: second" in file.getvalue()


def test_servers_have_bands() -> None:
    expected = """\
server control ^^^^^^^____________________________R^^^^^^^^^^^^^^^^^^^_____
            t0 ###
            t1 ..#####-----------------------------###
  server video                 ^^^^^^^^^^^^^^^^^^^^_________R        ^^^^^^
            t2                 ####################-------------------#####
"""
    text = "".join(f"{line.rstrip()}\n" for line in charts(served(), 78, "ascii").splitlines())
    assert expected in text
    assert ". ready, a more urgent task runs" in text
    for words in (
        "- ready, its server does not have the processor",
        "^ server has the processor",
        "_ server has no budget",
        "R server is replenished",
    ):
        assert words in text
        assert words not in charts(pathfinder(), 78, "ascii")
