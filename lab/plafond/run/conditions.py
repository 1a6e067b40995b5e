# SPDX-License-Identifier: MIT
"""The conditions that a reader must know to judge a run: the machine, and its disturbances."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from plafond.board.words import processor_of, times_of
from plafond.describe import System
from plafond.machine import cpu_model
from plafond.run.model import Conditions
from plafond.run.options import Options
from plafond.trace.busy import longest_busy_ns
from plafond.trace.model import Trace
from plafond.units import format_duration
from plafond.vm.words import emulation_of, emulator

WORST = "worst: as described, then all at once, right after the longest sections began"


def conditions_of(
    options: Options, seed: int, traces: Mapping[str, Trace], overheads: str, cpus: int
) -> Conditions:
    """Collect the conditions of all runs; `cpus`: the number of CPUs of the system."""
    first = next(iter(traces.values()))
    return Conditions(
        command=options.command,
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        emulation=_emulation(options, cpus),
        kernel=first.kernel,
        cpu_model=_cpu_model(options),
        scale=str(float(options.scale)),
        seed=seed,
        overheads=overheads,
        arrivals=WORST if options.worst else f"as described, seed {seed}",
        priority_limit_us=first.priority_limit_us,
        cpus={protocol: trace.cpus for protocol, trace in traces.items()},
    )


def _emulation(options: Options, cpus: int) -> str | None:
    if options.board:
        return times_of(options.board, cpus)
    return emulation_of(options.guest) if options.guest else None


def _cpu_model(options: Options) -> str:
    if options.board:
        return processor_of(options.board.name)
    return emulator(options.guest) if options.guest else cpu_model()


def disturbances(system: System, traces: Mapping[str, Trace]) -> Iterator[str]:
    """Yield a sentence for each disturbance that may have made a run worse than its protocol."""
    for protocol, trace in traces.items():
        faults = sum((task.minor_faults or 0) + (task.major_faults or 0) for task in trace.tasks)
        if faults:
            yield f"{protocol}: {faults} page faults while running"
        lost = sum(task.lost_gaps for task in trace.tasks)
        if lost:
            yield f"{protocol}: {lost} suspensions were not recorded: no room was left"
        yield from _managers(system, protocol, trace)
        yield from _throttling(system, protocol, trace)
    reasons = {trace.lock_calls_not_counted for trace in traces.values()} - {None}
    yield from (
        f"lock system calls are not counted: {reason}" for reason in sorted(map(str, reasons))
    )


def _managers(system: System, protocol: str, trace: Trace) -> Iterator[str]:
    """Say how much time the threads took that enforce the servers' budgets."""
    cpus = {server.name: server.cpu for server in system.servers}
    end_ns = max((task.events[-1].time_ns for task in trace.tasks if task.events), default=0)
    for cpu in sorted(set(cpus.values())):
        found = [each.manager for each in trace.servers if cpus[each.name] == cpu and each.manager]
        if not found or not end_ns:
            continue
        manager, latest_ns = found[0], max(each.latest_ns for each in found)
        each_ns = round(manager.busy_ns / max(manager.decisions, 1))
        calls = sum(each.calls for each in found)
        yield (
            f"{protocol}: the manager of the servers on CPU {cpu} decided {manager.decisions} "
            f"times, for {format_duration(each_ns)} on average and {manager.busy_ns / end_ns:.2%} "
            f"of the run, late by {format_duration(latest_ns)} at most; "
            f"{manager.priority_changes} priorities were changed"
            + (f"; ends of sections called it {calls} times" if system.resources_of_servers else "")
        )


def _throttling(system: System, protocol: str, trace: Trace) -> Iterator[str]:
    """Say on which CPUs the kernel may have stopped SCHED_FIFO threads to let other threads run."""
    runtime_us, period_us = trace.priority_limit_us
    tasks = {task.name: task for task in trace.tasks}
    for cpu in range(system.cpus):
        here = [tasks[task.name] for task in system.tasks_on(cpu) if task.name in tasks]
        busy_ns = longest_busy_ns(here)
        if runtime_us is None or period_us is None or not 0 <= runtime_us < period_us:
            return
        if busy_ns >= runtime_us * 1000:
            yield (
                f"{protocol}: CPU {cpu} was busy for {format_duration(busy_ns)} without a break; "
                f"the kernel may have stopped SCHED_FIFO after {runtime_us // 1000} of "
                f"{period_us // 1000} ms (see plafond doctor)"
            )
