# SPDX-License-Identifier: MIT
"""Tasks in C, as the kernel's timing protection limits them (AUTOSAR OS 4.x, SWS_Os 7.7.2).

C code is not analysed. But the kernel limits it. It ends an execution at its execution_budget, and
a hold at its budget. It refuses an arrival within time_frame of the last arrival. An execution goes
up to its end, or to its wait for an event, which is an arrival again when it comes.

So the task is no worse than a task that arrives once in each frame at most, and runs for its
budget. It does not matter which code activates it. It holds a resource for at most its budget in
resource_lock_budgets, or for the whole execution without such a budget. All holds nest in the body
that stands for the C code, the longest outside. So the longest hold of any set of resources is the
longest of their budgets.

A task that holds interrupts back also keeps the releases of all tasks waiting. This is a hold of
INTERRUPTS, which has the highest ceiling. Its budgets are all_interrupt_lock_budget and
os_interrupt_lock_budget. Without them it is the whole execution, if the C files name a service that
holds interrupts back. Code in user mode may lock a resource meanwhile, and keep it longer than the
interrupts. So both times add up.

Only ceilings have bounds, because other protocols need the order of the locks in the code. The work
of handlers, callbacks and hooks has no budget, and a budget cannot end inside a trusted function.
So with any of these there are no bounds, except for hooks that a call contains.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from plafond.describe.arrival import Interval
from plafond.describe.body import CallBack, Lock, Run, Step, Unlock
from plafond.describe.kernel import SCHEDULER, Hook
from plafond.describe.resource import Resource
from plafond.describe.system import System
from plafond.describe.task import Task
from plafond.protocols import Protocol

INTERRUPTS = "interrupts held back"  # no resource of a description has blanks in its name
OF_ALL = ("DisableAllInterrupts", "SuspendAllInterrupts")
OF_THE_OS = ("SuspendOSInterrupts",)
_INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.MULTILINE)
_UNKNOWN = "C files are not analysed"


def as_enforced(system: System) -> System:
    """Return the system with tasks in C as its timing protection limits them.

    The system is the same without C files, or if some work has no limit.
    """
    if not system.c_files or _why_no_limits(system):
        return system
    text = _text_of(system)
    highest = max(task.priority for task in system.tasks)
    names = tuple(task.name for task in system.tasks)
    interrupts = Resource.made(INTERRUPTS, ceiling=highest, users=names)
    return replace(
        system,
        tasks=tuple(_enforced(task, text) for task in system.tasks),
        resources=(*system.resources, interrupts),
    )


def why_not_enforced(
    system: System, task: Task, protocol: Protocol, has_overheads: bool
) -> str | None:
    """Return why a task of a system with C files has no bound, or None."""
    why = _why_no_limits(system)
    if why:
        return f"{_UNKNOWN}, and {why}"
    if protocol is not Protocol.CEILING:
        return f"{_UNKNOWN}, and their budgets bound no wait for a lock but under ceilings"
    if has_overheads:
        return f"{_UNKNOWN}, so the overheads of their calls are not known"
    if task.events:
        return f"{task.name} waits for events: its budget is of each execution up to a wait"
    return None


def notes_of_enforced(system: System) -> Iterator[str]:
    """Yield what the bounds of tasks in C are."""
    if not system.c_files or _why_no_limits(system):
        return
    yield (
        "tasks in C: execution_budget is the longest run, time_frame the least interval, and lock "
        "budgets are the longest holds, because the kernel ends what exceeds them"
    )
    yield "tasks in C: bounds exclude ProtectionHook, and locks of resources that no list has"
    text = _text_of(system)
    free = [task.name for task in system.tasks if not _has_budget_of_interrupts(task, text)]
    if free:
        yield (
            f"the C files hold interrupts back: {', '.join(free)} may do so for the whole "
            "execution_budget, because a budget for that is missing"
        )


def _why_no_limits(system: System) -> str | None:
    """Return which work has no limit, or None."""
    for task in system.tasks:
        missing = [
            name
            for name, limit in (
                ("execution_budget", task.budget_ns),
                ("time_frame", task.frame_ns),
            )
            if limit is None
        ]
        if missing:
            return f"{task.name} has no {' and no '.join(missing)}"
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


def _enforced(task: Task, text: str) -> Task:
    assert task.budget_ns is not None
    assert task.frame_ns is not None
    return task.changed(
        body=tuple(_body(task.budget_ns, _holds(task, text))),
        interval=Interval(task.frame_ns, task.frame_ns),
        deadline_ns=task.deadline_ns or task.frame_ns,
        offset_ns=0,
        jitter_ns=0,
    )


def _holds(task: Task, text: str) -> dict[str, int]:
    """Return for how long the task may hold each resource, and interrupts."""
    budget_ns = task.budget_ns or 0
    limits = dict(task.resource_locks)
    held_back_ns = max(_holds_of_interrupts(task, text))
    used = task.resources - {SCHEDULER} | ({SCHEDULER} if SCHEDULER in text else frozenset())
    holds = {each: limits.get(each, budget_ns) + held_back_ns for each in used}
    holds[INTERRUPTS] = held_back_ns
    return {name: min(time_ns, budget_ns) for name, time_ns in holds.items() if time_ns}


def _holds_of_interrupts(task: Task, text: str) -> Iterator[int]:
    for services, limit_ns in ((OF_ALL, task.all_lock_ns), (OF_THE_OS, task.os_lock_ns)):
        may_hold = any(service in text for service in services)
        yield (limit_ns or task.budget_ns or 0) if may_hold else 0


def _has_budget_of_interrupts(task: Task, text: str) -> bool:
    return all(time_ns != task.budget_ns for time_ns in _holds_of_interrupts(task, text))


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


def _text_of(system: System) -> str:
    """Return the C files, the files that they include from their folders, and the flags.

    A file that cannot be read counts as if it named all services.
    """
    folders = system.paths(system.kernel.include)
    found: dict[Path, str] = {}
    left = [*system.c_files]
    while left:
        file = left.pop()
        if file in found:
            continue
        try:
            found[file] = file.read_text(encoding="latin-1")
        except OSError:
            found[file] = " ".join((*OF_ALL, *OF_THE_OS))
        for name in _INCLUDED.findall(found[file]):
            beside = [folder / name for folder in (file.parent, *folders)]
            left.append(next((each for each in beside if each.is_file()), beside[0]))
    return "\n".join((*found.values(), *system.kernel.flags))
