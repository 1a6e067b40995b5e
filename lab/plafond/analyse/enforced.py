# SPDX-License-Identifier: MIT
"""Tasks in C, by limits of their work: enforced by the kernel, or claimed by the description.

C code is not analysed. A task in C counts as a task of a body if both of these are known:

- The longest run of an execution: execution_budget, at whose end the kernel ends the execution
  (AUTOSAR OS 4.x, SWS_Os 7.7.2), or else `run`, which the description claims.
- The least interval of its activations: time_frame, within which the kernel refuses activations
  of any kind. Or else its arrival, or the alarm or schedule table that activates it
  (timed.py). Then neither the description nor the text of the C files may name another activation.
  An execution goes up to its end, or to its wait for an event, which is an arrival again when it
  comes. So a task with events needs a time_frame.

It holds a resource for at most its budget in resource_lock_budgets, or for the whole execution
without such a budget. All holds nest in the body that stands for the C code, the longest outside.
So the longest hold of any set of resources is the longest of their limits.

A task that holds interrupts back also keeps the releases of all tasks waiting. This is a hold of
INTERRUPTS, which has the highest ceiling. Its budgets are all_interrupt_lock_budget and
os_interrupt_lock_budget. Without them it is the whole execution, if the C files name a service that
holds interrupts back. Code in user mode may lock a resource meanwhile, and keep it longer than the
interrupts. So both times add up.

A task without these limits leaves the tasks of its level and below without a bound. More urgent
tasks keep their bounds if it cannot block them: it holds no resource of their level, holds no
interrupts back, and they preempt it.

Only ceilings have bounds, because other protocols need the order of the locks in the code. The work
of handlers, callbacks and hooks has no limit, and a budget cannot end inside a trusted function. So
with any of these there are no bounds, except for hooks that a call contains.
"""

from collections.abc import Iterator
from dataclasses import replace

from plafond.analyse.blocking import threshold_of
from plafond.analyse.c_text import (
    OF_ALARMS,
    OF_ALL,
    OF_RESTART,
    OF_TABLES,
    OF_THE_OS,
    CText,
    c_text_of,
)
from plafond.describe.arrival import Interval
from plafond.describe.body import CallBack, Lock, Run, Step, Unlock, WaitEvent
from plafond.describe.kernel import SCHEDULER, Hook
from plafond.describe.resource import Resource
from plafond.describe.system import System
from plafond.describe.task import Task
from plafond.describe.timed import Timed, timed_of, with_intervals
from plafond.protocols import Protocol
from plafond.units import format_duration

INTERRUPTS = "interrupts held back"  # no resource of a description has blanks in its name
_UNKNOWN = "C files are not analysed"


def as_enforced(system: System) -> System:
    """Return the system with tasks in C as their limits are.

    The system is the same without C files, or if work that is not a task has no limit.
    """
    if not system.c_files or _why_no_limits(system):
        return system
    text = c_text_of(system)
    system = with_intervals(system, dict(_timed(system, text)))
    highest = max(task.priority for task in system.tasks)
    names = tuple(task.name for task in system.tasks)
    interrupts = Resource.made(INTERRUPTS, ceiling=highest, users=names)
    return replace(
        system,
        tasks=tuple(_limited(task, text) for task in system.tasks),
        resources=(*system.resources, interrupts),
    )


def longest_run_ns(task: Task) -> int | None:
    """Return the limit of an execution of a task in C; None: the execution has no limit."""
    return task.budget_ns or claimed_run_ns(task)


def claimed_run_ns(task: Task) -> int | None:
    """Return the longest run of a task that only the description claims; None: no claim counts."""
    return None if task.budget_ns else task.claimed_ns


def why_not_enforced(
    system: System, task: Task, protocol: Protocol, has_overheads: bool
) -> str | None:
    """Return why a task of a system with C files has no bound, or None.

    `system`: the result of as_enforced().
    """
    why = _why_no_limits(system)
    if why:
        return f"{_UNKNOWN}, and {why}"
    if protocol is not Protocol.CEILING:
        return f"{_UNKNOWN}, and their limits bound no wait for a lock but under ceilings"
    if has_overheads:
        return f"{_UNKNOWN}, so the overheads of their calls are not known"
    text = c_text_of(system)
    for other in system.tasks_on(task.cpu):
        if other.priority >= task.priority:
            why = _why_not_limited(system, other, text)
        else:
            why = _why_it_may_block(system, task, other, text)
        if why:
            return f"{_UNKNOWN}, and {why}"
    if task.events:
        return f"{task.name} waits for events: its budget is of each execution up to a wait"
    if text.yields and threshold_of(system, task) > task.priority and longest_run_ns(task):
        return f"{task.name} may let other tasks run by Schedule()"
    return None


def notes_of_enforced(system: System) -> Iterator[str]:
    """Yield what the bounds of tasks in C are."""
    if not system.c_files or _why_no_limits(system):
        return
    if any(task.budget_ns or task.frame_ns for task in system.tasks):
        yield (
            "tasks in C: execution_budget is the longest run, time_frame the least interval, and "
            "lock budgets are the longest holds, because the kernel ends what exceeds them"
        )
    claims = [
        f"{task.name} {format_duration(claimed_ns)}"
        for task in system.tasks
        if (claimed_ns := claimed_run_ns(task))
    ]
    if claims:
        yield (
            f"claimed and not proved: the longest run of {', '.join(claims)}; bounds beside these "
            "runs hold only if the claims do"
        )
    yield (
        "tasks in C: bounds exclude ErrorHook and ProtectionHook, and locks of resources that no "
        "list has"
    )
    text = c_text_of(system)
    free = [task.name for task in system.tasks if not _has_budget_of_interrupts(task, text)]
    if free:
        yield (
            f"the C files hold interrupts back: {', '.join(free)} may do so for the whole "
            "execution, because a budget for that is missing"
        )


def _why_no_limits(system: System) -> str | None:
    """Return which work besides tasks has no limit, or None."""
    if system.servers:
        return "servers do not limit for how long it keeps alarms waiting"
    for isr in system.isrs:
        return f"the handler of {isr.name} has no budget"
    for application in system.applications:
        for name in application.functions:
            return f"no budget ends inside the trusted function {name}"
    for hook in (Hook.PRETASK, Hook.POSTTASK):
        if hook in system.kernel.hooks:
            return f"the {hook} hook has no budget"
    actions = [(alarm.name, alarm.action) for alarm in system.alarms]
    notified = [(message.name, message.action) for message in system.messages]
    named = (*actions, *notified)
    called = next((name for name, action in named if isinstance(action, CallBack)), None)
    return f"the callback of {called} has no budget" if called else None


# ---- The interval of activations --------------------------------------------------------


def _timed(system: System, text: CText) -> Iterator[tuple[str, Interval]]:
    """Yield the tasks that only an alarm or a schedule table activates, and their intervals."""
    for task in system.tasks:
        timed = None if task.frame_ns else timed_of(system, task)
        if timed and isinstance(timed.interval, Interval) and not _why_not_timed(timed, task, text):
            yield task.name, timed.interval


def _why_not_timed(timed: Timed, task: Task, text: CText) -> str | None:
    """Return why the times of an alarm or a table are not those of the activations, or None."""
    if isinstance(timed.interval, str):
        return timed.interval
    if text.names((*OF_ALARMS, *OF_TABLES)):
        return "the C files name services that set alarms or move tables"
    if timed.cpu != task.cpu:
        return f"code on CPU {timed.cpu} may hold its interrupts back"
    return None


def _why_not_limited(system: System, task: Task, text: CText) -> str | None:
    """Return why the executions of a task, or their intervals, are not known, or None."""
    missing = [] if task.body else [_without_run(task)]
    return ", and ".join([*missing, *_why_no_interval(system, task, text)]) or None


def _without_run(task: Task) -> str:
    return f"{task.name} has neither execution_budget nor run"


def _why_no_interval(system: System, task: Task, text: CText) -> Iterator[str]:
    if task.frame_ns:
        return
    if task.events or any(isinstance(step, WaitEvent) for step in task.body):
        yield f"{task.name} waits for events without a time_frame"
    elif task.interval is None:
        timed = timed_of(system, task)
        why = _why_not_timed(timed, task, text) if timed else None
        found = f"{task.name} has neither time_frame nor arrival"
        yield f"only {timed.source} activates {task.name}, and {why}" if timed and why else found
    elif activator := system.activators.get(task.name):
        yield f"{activator} activates {task.name} besides its arrivals"
    elif text.names(OF_RESTART) and any(a.restart == task.name for a in system.applications):
        yield f"TerminateApplication() activates {task.name} besides its arrivals"
    elif text.activates(task.name, (each.name for each in system.tasks)):
        yield f"the C files activate {task.name} besides its arrivals"


# ---- The body that stands for the code ------------------------------------------------------


def _limited(task: Task, text: CText) -> Task:
    limit_ns = longest_run_ns(task)
    if limit_ns:
        task = task.changed(body=tuple(_body(limit_ns, _holds(task, limit_ns, text))))
    if not task.frame_ns:
        # Nothing keeps the arrivals of C in phase, so they count as sporadic.
        interval = task.interval and Interval(task.interval.least_ns, task.interval.most_ns)
        return task.changed(interval=interval)
    return task.changed(
        interval=Interval(task.frame_ns, task.frame_ns),
        deadline_ns=task.deadline_ns or task.frame_ns,
        offset_ns=0,
        jitter_ns=0,
    )


def _why_it_may_block(system: System, task: Task, lower: Task, text: CText) -> str | None:
    """Return why a less urgent task may block a task for an unknown time, or None."""
    if lower.body:
        return None
    unknown = _without_run(lower)
    if threshold_of(system, lower) >= task.priority:
        return f"{unknown}, and {task.name} does not preempt it"
    if text.names((*OF_ALL, *OF_THE_OS)):
        return f"{unknown}, and may hold interrupts back"
    held = [
        each.name
        for each in system.resources
        if each.name in _entered(lower, text) and each.ceiling >= task.priority
    ]
    return f"{unknown}, and holds {', '.join(held)}" if held else None


def _entered(task: Task, text: CText) -> frozenset[str]:
    """Return the resources that a task may enter; RES_SCHEDULER only if the text names it."""
    return task.resources - {SCHEDULER} | ({SCHEDULER} if text.names([SCHEDULER]) else frozenset())


def _holds(task: Task, limit_ns: int, text: CText) -> dict[str, int]:
    """Return for how long the task may hold each resource, and interrupts."""
    limits = dict(task.resource_locks)
    held_back_ns = max(_holds_of_interrupts(task, text))
    used = _entered(task, text)
    holds = {each: limits.get(each, limit_ns) + held_back_ns for each in used}
    holds[INTERRUPTS] = held_back_ns
    return {name: min(time_ns, limit_ns) for name, time_ns in holds.items() if time_ns}


def _holds_of_interrupts(task: Task, text: CText) -> Iterator[int]:
    for services, limit_ns in ((OF_ALL, task.all_lock_ns), (OF_THE_OS, task.os_lock_ns)):
        yield (limit_ns or longest_run_ns(task) or 0) if text.names(services) else 0


def _has_budget_of_interrupts(task: Task, text: CText) -> bool:
    longest_ns = longest_run_ns(task)
    return all(time_ns != longest_ns for time_ns in _holds_of_interrupts(task, text))


def _body(budget_ns: int, holds: dict[str, int]) -> Iterator[Step]:
    """Yield a body of that length with nested holds, the longest outside and all from its begin."""
    by_length = sorted(holds.items(), key=lambda hold: -hold[1])
    yield from (Lock(name) for name, _ in by_length)
    ran_ns = 0
    for name, time_ns in reversed(by_length):
        if time_ns > ran_ns:
            yield Run(time_ns - ran_ns)
            ran_ns = time_ns
        yield Unlock(name)
    if budget_ns > ran_ns:
        yield Run(budget_ns - ran_ns)
