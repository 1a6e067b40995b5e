# SPDX-License-Identifier: MIT
"""The conditions of a run in words, so that a reader can judge the figures."""

from plafond.report.machine import before_words, speed_words
from plafond.run.model import Execution
from plafond.trace.model import CpuConditions
from plafond.units import format_duration

NOT_KNOWN = "not known"
PLACES = {
    "vm": "in a virtual machine",
    "sim": "on a simulated processor",
    "a53": "on a Cortex-A53 board",
}


def place_words(execution: Execution) -> str:
    """Return the place of the run in words."""
    return PLACES.get(execution.report.target, "on Linux")


def condition_rows(execution: Execution) -> list[tuple[str, str]]:
    """Return the name and the value of each condition."""
    conditions = execution.report.conditions
    emulation = conditions.emulation
    return [
        ("command", conditions.command),
        ("date", conditions.date),
        *([("times", emulation)] if emulation else []),
        ("machine", f"{conditions.cpu_model}; {_kernel(execution)}"),
        ("times scaled by", conditions.scale),
        ("arrivals", conditions.arrivals),
        ("overheads", conditions.overheads),
        *_before(execution),
        *([] if execution.is_on_board else _of_linux(execution)),
    ]


def _kernel(execution: Execution) -> str:
    if execution.is_on_board:
        return "Plafond's kernel"
    return f"Linux {execution.report.conditions.kernel}"


def _before(execution: Execution) -> list[tuple[str, str]]:
    before = execution.report.before
    return [("a second before the runs", before_words(before))] if before else []


def _of_linux(execution: Execution) -> list[tuple[str, str]]:
    """Return further conditions that affect the times of threads."""
    conditions = execution.report.conditions
    return [
        ("SCHED_FIFO", _limit(*conditions.priority_limit_us)),
        ("speed of run steps", speed_words([cpu.turns_per_us for cpu in _cpus(execution)])),
        ("page faults", _page_faults(execution)),
        *([] if conditions.emulation else [("taken by the host, as it says", _steal(execution))]),
    ]


def cut_lines(execution: Execution) -> list[str]:
    """Return a loud line for each run that was cut short."""
    return [
        f"CUT SHORT: the run under {protocol} ended early ({reason}); "
        "its figures cover only what had finished by then"
        for protocol, reason in execution.report.cuts.items()
    ]


def _limit(runtime_us: int | None, period_us: int | None) -> str:
    if runtime_us is None or period_us is None:
        return NOT_KNOWN
    if runtime_us < 0 or runtime_us >= period_us:
        return "not limited"
    runtime, period = (format_duration(time_us * 1000) for time_us in (runtime_us, period_us))
    return f"limited to {runtime} in each {period}"


def _page_faults(execution: Execution) -> str:
    """Return the page faults while running under each protocol, of tasks that ran to their end."""
    counts = {
        protocol: sum((task.minor_faults or 0) + (task.major_faults or 0) for task in trace.tasks)
        for protocol, trace in execution.traces.items()
    }
    if not any(counts.values()):
        return "0"
    return ", ".join(f"{protocol} {count}" for protocol, count in counts.items())


def _steal(execution: Execution) -> str:
    known = [cpu.steal_ns for cpu in _cpus(execution) if cpu.steal_ns is not None]
    return format_duration(sum(known)) if known else NOT_KNOWN


def _cpus(execution: Execution) -> list[CpuConditions]:
    return [cpu for cpus in execution.report.conditions.cpus.values() for cpu in cpus]
