# SPDX-License-Identifier: MIT
"""Refuse systems that a board cannot hold, with the fields that ask for it."""

from collections.abc import Iterator

from plafond.board.boards import Board
from plafond.build.configuration import stack_of
from plafond.build.functions import domains_of
from plafond.build.levels import MOST_LEVELS, MOST_OF_HARDWARE, Levels
from plafond.build.locks import Locks
from plafond.build.names import problems_of_names
from plafond.build.sharing import hold_on
from plafond.describe.body import Lock
from plafond.describe.combine import Place, problems_of_combinations
from plafond.describe.kernel import Scheduler
from plafond.describe.problems import Problem
from plafond.describe.read import error_of
from plafond.describe.subject import subject_of
from plafond.describe.system import Resource, System, Task
from plafond.protocols import GlobalProtocol
from plafond.units import format_exactly

MOST_TASKS = 250
MOST_DOMAINS = 255  # tasks, and tasks in other applications; a byte holds the number and the ASID
MOST_ISRS = 32
MOST_RESOURCES = 64
MOST_CPUS = 4
MOST_ALARMS = 255  # with schedule tables; a byte holds the number, from 1
FIRST_OF_TASKS = 96  # first source for tasks: PLF_GIC_TASKS of kernel/ports/a53/gic.h
# On boards with memory protection: guard page, private data, words of resources and translation
# tables of a task; and the memory for all else.
PAGES_A_TASK = 6 << 12
RESERVED = 8 << 20


def refuse_unfit(system: System, board: Board, locks: Locks) -> None:
    """Raise DescriptionError for everything that the board does not support, or that is missing."""
    if system.needs:
        raise system.needs.error
    problems = [*_problems_of_size(system, board), *problems_of_names(system)]
    protocol = locks.protocol
    if protocol in board.lacks:
        listed = ", ".join(board.protocols(system.scheduler))
        expected = f"a protocol of {board.name}: {listed}"
        problems.append(Problem(("kernel", "protocol"), protocol, expected))
    subject = subject_of(system, locks.protocol, locks.global_protocol)
    problems += problems_of_combinations(subject, Place.KERNEL, board.name)
    problems += _problems_of_globals(system, locks)
    problems += _problems_of_holds(system, board)
    for isr in system.isrs:
        assert isr.source is not None  # else the system has needs
        if isr.source >= board.most_sources:
            expected = f"below {board.most_sources}, as many as {board.name} has"
            problems.append(Problem(("isr", isr.name, "source"), str(isr.source), expected))
        elif system.scheduler is Scheduler.HARDWARE and isr.source >= FIRST_OF_TASKS:
            expected = f"below {FIRST_OF_TASKS}: the others are those of tasks under hardware"
            problems.append(Problem(("isr", isr.name, "source"), str(isr.source), expected))
    if problems:
        raise error_of(system, problems)


def _problems_of_globals(system: System, locks: Locks) -> Iterator[Problem]:
    if across := locks.global_protocol:
        for resource in system.global_resources:
            yield from _problems_of_users(system, resource, across)
    for task in system.tasks:
        yield from _problems_of_nesting(system, task, locks)


def _problems_of_users(
    system: System, resource: Resource, across: GlobalProtocol
) -> Iterator[Problem]:
    """A spinlock has a single word. MPCP may have a word for each CPU if a word is too small."""
    where, most = ("resource", resource.name), across.traits.users_in_word
    if across.traits.spins:
        if len(resource.users) > most:
            expected = f"at most {most} with {across}: so many its word holds"
            yield Problem(where, f"{len(resource.users)} users", expected)
        return
    for cpu, users in system.users_by_cpu(resource).items():
        if len(users) > most:
            expected = f"at most {most} on a CPU with {across}: so many the CPU's word holds"
            yield Problem(where, f"{len(users)} users on CPU {cpu}", expected)


def _problems_of_holds(system: System, board: Board) -> Iterator[Problem]:
    """Yield budgets that the kernel's entries during a section could exceed."""
    for server in system.servers:
        hold_ns = hold_on(board, system, server)
        if hold_ns >= server.budget_ns:
            expected = (
                f"more than {format_exactly(hold_ns)} on {board.name}: so long a section may take "
                "there, with the kernel's entries; or an overrun of your own"
            )
            found = format_exactly(server.budget_ns)
            yield Problem(("server", server.name, "budget"), found, expected)


def _problems_of_nesting(system: System, task: Task, locks: Locks) -> Iterator[Problem]:
    across = {resource.name: resource for resource in system.global_resources}
    spins = locks.global_protocol is not None and locks.global_protocol.traits.spins
    for index, (step, held) in enumerate(task.held()):
        if not isinstance(step, Lock) or not held or step.resource not in across:
            continue
        if spins and step.resource in system.successors_of(held[-1]):
            continue
        where = f"{step.resource}, which is global (users on {across[step.resource].cpus_in_words})"
        expected = f"no resource around {where}: its sections are outermost"
        if spins:
            expected += ", or in one to whose successors it belongs"
        yield Problem(
            ("task", task.name, "body", index),
            f"lock {step.resource} while the task holds {', '.join(held)}",
            expected,
        )


def _problems_of_size(system: System, board: Board) -> Iterator[Problem]:
    if system.cpus > MOST_CPUS:
        expected = f"at most {MOST_CPUS}: {board.name} has no more"
        yield Problem(("cpus",), str(system.cpus), expected)
    for what, count, most in (
        ("task", len(system.tasks), MOST_TASKS),
        ("isr", len(system.isrs), MOST_ISRS),
        ("resource", sum(not each.internal for each in system.resources), MOST_RESOURCES),
    ):
        if count > most:
            yield Problem((what,), str(count), f"at most {most} on {board.name}")
    both = len(system.alarms) + len(system.schedule_tables)
    if system.schedule_tables and both > MOST_ALARMS:
        found = f"{both} alarms and schedule tables"
        yield Problem(("schedule_table",), found, f"at most {MOST_ALARMS} on {board.name}")
    domains = domains_of(system, board.stack_unit)
    if len(domains) > MOST_DOMAINS:
        found = f"{len(domains)} tasks, and tasks in other applications"
        yield Problem(("application",), found, f"at most {MOST_DOMAINS} on {board.name}")
    stacks = sum(stack_of(task, board) + PAGES_A_TASK for task in system.tasks)
    stacks += sum(each.stack_bytes + PAGES_A_TASK for each in domains[len(system.tasks) :])
    if board.memory and stacks > board.memory - RESERVED:
        expected = f"at most {(board.memory - RESERVED) >> 20} MiB on {board.name}"
        yield Problem(("task",), f"stacks of {stacks >> 20} MiB in all", expected)
    if system.scheduler.has_priorities:
        yield from _problems_of_levels(system, board)


def _problems_of_levels(system: System, board: Board) -> Iterator[Problem]:
    levels = Levels(system)
    most = MOST_OF_HARDWARE - any(isr.category == 1 for isr in system.isrs)
    if levels.nesting > most - 1:
        found = f"{levels.nesting} different priorities of interrupts on a CPU"
        expected = f"at most {most - 1}: of the controller's levels the kernel has one"
        yield Problem(("isr",), found, expected)
    if system.scheduler is Scheduler.HARDWARE and levels.most_on_a_core > most:
        found = f"{levels.most_on_a_core} different levels of tasks, ceilings and interrupts"
        expected = (
            f"at most {most} on a CPU, as the interrupt controller has: give tasks "
            'equal priorities, move some to another CPU, or take scheduler = "priority"'
        )
        yield Problem(("scheduler",), found, expected)
    elif levels.count - 1 > MOST_LEVELS:
        found = f"{levels.count - 1} different priorities and ceilings"
        yield Problem(("task",), found, f"at most {MOST_LEVELS} on {board.name}")
