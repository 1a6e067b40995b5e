# SPDX-License-Identifier: MIT
"""What a board cannot hold: reported at once, with the fields that ask for it."""

from collections.abc import Iterator

from plafond.board.boards import Board
from plafond.build.configuration import stack_of
from plafond.build.levels import MOST_LEVELS, MOST_OF_HARDWARE, Levels
from plafond.build.names import problems_of_names
from plafond.describe.body import Sleep
from plafond.describe.kernel import Scheduler
from plafond.describe.positions import error_of
from plafond.describe.problems import Problem
from plafond.describe.system import System
from plafond.protocols import KernelProtocol

MOST_TASKS = 250
MOST_ISRS = 32
MOST_RESOURCES = 64
MOST_CPUS = 4
FIRST_OF_TASKS = 96  # of the sources: PLF_GIC_TASKS of kernel/ports/a53/gic.h
MOST_EVENTS_OF_SEVERAL = 31  # PLF_EVENT_WORD_MOST of protocol/event_word.h
# Of a board with memory protection: guard, private data, words of resources, translation tables;
# and all else.
PAGES_A_TASK = 6 << 12
RESERVED = 8 << 20


def refuse_unfit(system: System, board: Board, protocol: KernelProtocol) -> None:
    """DescriptionError for all that the board does not have."""
    problems = [*_problems_of_size(system, board), *problems_of_names(system)]
    if protocol in board.lacks:
        listed = ", ".join(board.protocols(system.scheduler))
        expected = f"a protocol of {board.name}: {listed}"
        problems.append(Problem(("kernel", "protocol"), protocol, expected))
    for task in system.tasks:
        for index, step in enumerate(task.body):
            if isinstance(step, Sleep):
                where = ("task", task.name, "body", index)
                expected = f"no sleep: the kernel on {board.name} has alarms instead"
                problems.append(Problem(where, "sleep", expected))
    for resource in system.global_resources:
        found = f"users on {resource.cpus_in_words}"
        expected = f"users on one CPU: the kernel on {board.name} has no lock across CPUs"
        problems.append(Problem(("resource", resource.name), found, expected))
    for isr in system.isrs:
        if isr.source >= board.most_sources:
            expected = f"below {board.most_sources}, as many as {board.name} has"
            problems.append(Problem(("isr", isr.name, "source"), str(isr.source), expected))
        elif system.scheduler is Scheduler.HARDWARE and isr.source >= FIRST_OF_TASKS:
            expected = f"below {FIRST_OF_TASKS}: the others are those of tasks under hardware"
            problems.append(Problem(("isr", isr.name, "source"), str(isr.source), expected))
    if problems:
        raise error_of(system, problems)


def _problems_of_several_cores(system: System) -> Iterator[Problem]:
    if system.scheduler is Scheduler.EDF:
        yield Problem(("cpus",), str(system.cpus), '1: scheduler = "edf" has one core')
    events = dict.fromkeys(event for task in system.tasks for event in task.events)
    if len(events) > MOST_EVENTS_OF_SEVERAL:
        expected = f"at most {MOST_EVENTS_OF_SEVERAL} in all where there are several CPUs"
        yield Problem(("task",), f"{len(events)} different events", expected)


def _problems_of_size(system: System, board: Board) -> Iterator[Problem]:
    if system.cpus > MOST_CPUS:
        expected = f"at most {MOST_CPUS}: {board.name} has no more"
        yield Problem(("cpus",), str(system.cpus), expected)
    elif system.cpus > 1:
        yield from _problems_of_several_cores(system)
    for what, count, most in (
        ("task", len(system.tasks), MOST_TASKS),
        ("isr", len(system.isrs), MOST_ISRS),
        ("resource", sum(not each.is_internal for each in system.resources), MOST_RESOURCES),
    ):
        if count > most:
            yield Problem((what,), str(count), f"at most {most} on {board.name}")
    stacks = sum(stack_of(task, board) + PAGES_A_TASK for task in system.tasks)
    if board.memory and stacks > board.memory - RESERVED:
        expected = f"at most {(board.memory - RESERVED) >> 20} MiB on {board.name}"
        yield Problem(("task",), f"stacks of {stacks >> 20} MiB in all", expected)
    if system.scheduler.has_priorities:
        yield from _problems_of_levels(system, board)


def _problems_of_levels(system: System, board: Board) -> Iterator[Problem]:
    levels = Levels(system)
    if system.scheduler is Scheduler.HARDWARE and levels.most_on_a_core > MOST_OF_HARDWARE:
        found = f"{levels.most_on_a_core} different levels of tasks, ceilings and interrupts"
        expected = (
            f"at most {MOST_OF_HARDWARE} on a CPU, as the interrupt controller has: give tasks "
            'equal priorities, move some to another CPU, or take scheduler = "priority"'
        )
        yield Problem(("scheduler",), found, expected)
    elif levels.highest > MOST_LEVELS:
        found = f"{levels.highest} different priorities and ceilings"
        yield Problem(("task",), found, f"at most {MOST_LEVELS} on {board.name}")
