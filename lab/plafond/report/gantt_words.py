# SPDX-License-Identifier: MIT
"""A Gantt chart in words; the picture and the terminal use the same."""

from plafond.report.alike import in_words
from plafond.report.gantt import Chart, Gantt, Worst
from plafond.trace.verdicts import Verdict
from plafond.units import format_duration


def sentence(chart: Chart) -> str:
    """Return the comparison of the worst response with its bound."""
    cut = "CUT SHORT; " if chart.cut else ""
    deadline = _deadline(chart)
    if chart.worst is None:
        return f"{cut}no activation of {chart.task} finished; {deadline}"
    response_ns = chart.worst.response_ns
    response = f"{_which(chart.worst)} {format_duration(response_ns)}"
    return f"{cut}{response}, {_verdict(chart)}; {deadline}{_stopped(chart.worst)}"


def about(gantt: Gantt, task: str) -> str:
    """Return the heading of the charts."""
    return "The whole run" if gantt.is_whole_run else f"The worst activation of {task}"


def caption(gantt: Gantt) -> str:
    """Return the content of the picture in words, and its omissions."""
    shared = any(len(chart.protocols) > 1 for chart in gantt.charts)
    words = [
        ""
        if gantt.is_whole_run
        else "Under each protocol the longest response without a stop of the machine, from "
        "what was in the way at its arrival.",
        "Protocols that did the same share a picture." if shared else "",
        idle_words(gantt),
    ]
    return " ".join(filter(None, words))


def idle_words(gantt: Gantt) -> str:
    """Name the tasks that are not shown, or return ""."""
    if not gantt.idle:
        return ""
    verb = "does" if len(gantt.idle) == 1 else "do"
    return f"Not shown: {in_words(gantt.idle)}, which {verb} nothing in that time."


def _deadline(chart: Chart) -> str:
    """Name the deadline, and whether the worst response missed it."""
    if chart.deadline_ns is None:
        return "no deadline"
    is_missed = chart.worst and chart.worst.response_ns > chart.deadline_ns
    return f"deadline {format_duration(chart.deadline_ns)}{' MISSED' if is_missed else ''}"


def _which(worst: Worst) -> str:
    count = worst.finished
    if worst.stopped < worst.finished:
        count -= worst.stopped
    return "only response" if count == 1 else f"worst of {count} responses"


def _stopped(worst: Worst) -> str:
    """Name the responses that were left out, or return ""."""
    if worst.stopped == 0:
        return ""
    if worst.stopped == worst.finished:
        return " (all stopped)"
    return f" (without {worst.stopped} stopped, longest {format_duration(worst.longest_ns)})"


def _verdict(chart: Chart) -> str:
    if chart.worst is None or chart.bound_ns is None:
        return chart.no_bound
    bound = f"its bound of {format_duration(chart.bound_ns)}"
    excess_ns = chart.worst.response_ns - chart.bound_ns
    if excess_ns <= 0:
        return f"within {bound}"
    if chart.verdict is Verdict.NOT_JUDGED:
        return f"exceeds {bound} by {format_duration(excess_ns)}, not judged"
    if chart.verdict is None:
        return f"exceeds {bound} without overheads by {format_duration(excess_ns)}, no verdict"
    return f"EXCEEDS {bound} by {format_duration(excess_ns)}"
