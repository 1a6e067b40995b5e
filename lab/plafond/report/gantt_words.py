# SPDX-License-Identifier: MIT
"""What a Gantt chart shows, in words: the same in the picture and in the terminal."""

from plafond.report.gantt import Chart, Worst
from plafond.trace.measures import Verdict
from plafond.units import format_duration


def sentence(chart: Chart) -> str:
    """Say how the worst response compares with its bound."""
    cut = "CUT SHORT; " if chart.cut else ""
    deadline = _deadline(chart)
    if chart.worst is None:
        return f"{cut}no activation of {chart.task} finished; {deadline}"
    response_ns = chart.worst.response_ns
    response = f"{_which(chart.worst)} {format_duration(response_ns)}"
    return f"{cut}{response}, {_verdict(chart)}; {deadline}{_disturbed(chart.worst)}"


def _deadline(chart: Chart) -> str:
    """Name it, and say whether the worst response missed it."""
    if chart.deadline_ns is None:
        return "no deadline"
    is_missed = chart.worst and chart.worst.response_ns > chart.deadline_ns
    return f"deadline {format_duration(chart.deadline_ns)}{' MISSED' if is_missed else ''}"


def _which(worst: Worst) -> str:
    if worst.finished == 1:
        return "only response"
    count = worst.finished
    if worst.disturbed < worst.finished:
        count -= worst.disturbed
    return f"worst of {count} responses"


def _disturbed(worst: Worst) -> str:
    """Say what was left out."""
    if worst.disturbed == 0:
        return ""
    if worst.disturbed == worst.finished:
        return " (disturbed)"
    return f" (without {worst.disturbed} disturbed, longest {format_duration(worst.longest_ns)})"


def _verdict(chart: Chart) -> str:
    if chart.worst is None or chart.bound_ns is None:
        return "no bound"
    bound = f"its bound of {format_duration(chart.bound_ns)}"
    excess_ns = chart.worst.response_ns - chart.bound_ns
    if excess_ns <= 0:
        return f"within {bound}"
    if chart.verdict is Verdict.EXCEEDED_OUTSIDE:
        return f"exceeds {bound} by {format_duration(excess_ns)}, disturbed"
    return f"EXCEEDS {bound} by {format_duration(excess_ns)}"
