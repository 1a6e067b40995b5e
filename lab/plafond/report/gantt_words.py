# SPDX-License-Identifier: MIT
"""What a Gantt chart shows, in words: the same in the picture and in the terminal."""

from plafond.report.gantt import Chart, Worst
from plafond.units import format_duration


def sentence(chart: Chart) -> str:
    """Say how the worst response compares with its bound."""
    cut = "CUT SHORT; " if chart.cut else ""
    deadline = f"deadline {format_duration(chart.deadline_ns)}"
    if chart.worst is None:
        return f"{cut}no activation of {chart.task} finished; {deadline}"
    response_ns = chart.worst.response_ns
    finished = chart.worst.finished
    which = f"worst of {finished} responses" if finished > 1 else "only response"
    response = f"{which} {format_duration(response_ns)}"
    missed = " MISSED" if response_ns > chart.deadline_ns else ""
    return f"{cut}{response}, {_verdict(chart)}; {deadline}{missed}{_longest(chart.worst)}"


def _longest(worst: Worst) -> str:
    """Name the longest response where another one is shown."""
    if worst.longest_ns == worst.response_ns:
        return ""
    longest, outside = map(format_duration, (worst.longest_ns, worst.longest_outside_ns))
    return f" (longest {longest}, with {outside} in which no task ran)"


def _verdict(chart: Chart) -> str:
    if chart.worst is None or chart.bound_ns is None:
        return "no bound"
    bound = f"its bound of {format_duration(chart.bound_ns)}"
    excess_ns = chart.worst.response_ns - chart.bound_ns
    return (
        f"EXCEEDS {bound} by {format_duration(excess_ns)}" if excess_ns > 0 else f"within {bound}"
    )
