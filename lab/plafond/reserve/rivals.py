# SPDX-License-Identifier: MIT
"""The interrupt threads of a machine that run before the tasks of a description."""

from collections.abc import Iterator

from plafond.describe.server import reservation
from plafond.describe.system import System
from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, unknown, warn
from plafond.doctor.threads import Policy, Thread, kernel_threads_visible, real_time_threads
from plafond.reserve.toml import action_of, irqs_of, names_of, table_lines
from plafond.units import UNIT_NS

TOPIC = "interrupts"
TASKS_SHOWN = 3
# Defaults until a budget has been measured.
PERIOD_NS, BUDGET_NS = 10 * UNIT_NS["ms"], UNIT_NS["ms"]
INDENT = "\n    "  # of a change that has several lines


def interrupt_threads(machine: Machine, system: System) -> Finding:
    """Return the finding about interrupt threads without a reservation, if tasks wait for them."""
    if not kernel_threads_visible(machine):
        return unknown(TOPIC, "the threads of the kernel are not visible")
    reserved = {each.irq for each in system.reservations}
    rivals = [
        thread
        for thread in _interrupt_threads(machine)
        if not reserved & {thread.name, action_of(thread.name)} and _delayed(thread, system)
    ]
    if not rivals:
        return ok(TOPIC, f"none runs before a task of {system.name} without a reservation")
    found = "; ".join(_sentence(thread, system) for thread in rivals)
    return warn(TOPIC, f"{found}: each for as long as it takes", _change(rivals))


def _interrupt_threads(machine: Machine) -> list[Thread]:
    """Return the interrupt threads that have a priority, the most urgent first."""
    threads = [
        thread
        for thread in real_time_threads(machine)
        if thread.interrupt and thread.policy is not Policy.DEADLINE
    ]
    return sorted(threads, key=lambda thread: (-thread.priority, thread.name))


def _delayed(thread: Thread, system: System) -> list[str]:
    """Return the tasks on the thread's CPUs up to its priority, because these wait for it."""
    return [
        task.name
        for task in system.tasks
        if task.cpu in thread.cpus and task.priority <= thread.priority
    ]


def _sentence(thread: Thread, system: System) -> str:
    delayed = _delayed(thread, system)
    more = ["..."] if len(delayed) > TASKS_SHOWN else []
    names = ", ".join([*delayed[:TASKS_SHOWN], *more])
    return f"{thread.name} at {thread.priority} before {names}"


def _change(rivals: list[Thread]) -> str:
    return INDENT.join(
        ["add, with the budgets that plafond analyse --irqs finds,", *_tables(rivals)]
    )


def _tables(rivals: list[Thread]) -> Iterator[str]:
    threads = [thread.name for thread in rivals]
    names = names_of([action_of(thread) for thread in threads])
    for name, irq in zip(names, irqs_of(threads), strict=True):
        yield from table_lines(reservation(name, irq, PERIOD_NS, BUDGET_NS))
