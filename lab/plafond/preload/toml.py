# SPDX-License-Identifier: MIT
"""The learned file: ceilings to choose from, the evidence, and a description.

All texts from programs, such as names, are printable by now.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from plafond.describe.body import Lock, Run, Step, Unlock
from plafond.describe.toml_text import list_lines, quoted
from plafond.preload.evidence import Locker, Thread
from plafond.preload.learned import Learned, cpu_of
from plafond.preload.proposal import Proposal
from plafond.units import LONGEST_NS, UNIT_NS, format_duration

LONGEST_NAME = 80
MOST_HOLDERS = 3  # that are named, because the text has at most 100 characters


def toml_of(learned: Learned) -> str:
    """Return the text of the file."""
    lines = [*_head(learned)]
    for proposal in learned.proposals:
        lines += ["", *_mutex(learned, proposal)]
    for task in learned.tasks:
        lines += ["", *_task(learned, task)]
    return "\n".join(lines) + "\n"


def _head(learned: Learned) -> Iterator[str]:
    evidence = learned.evidence
    program = Path(evidence.program).name
    lasted = format_duration(evidence.duration_ns)
    yield f"# What plafond preload --learn saw of {program} in {lasted}."
    yield "# Choose by `use`, and run it so: plafond preload --ceilings FILE -- APP"
    yield "# It is a description too: plafond check FILE, plafond analyse FILE"
    yield "# Holds are the longest that were seen, from lock to unlock, preemption included."
    for thread, why in learned.left_out:
        yield f"# No task: {learned.name_of(thread)}, {why}."
    if not learned.tasks:
        yield "# No real-time thread was seen to be activated: check and analyse need a task."
    yield f"name = {quoted(f'{program[:LONGEST_NAME]}, as learned')}"
    yield f"cpus = {max((cpu_of(task) for task in learned.tasks), default=0) + 1}"


def _mutex(learned: Learned, proposal: Proposal) -> Iterator[str]:
    mutex = proposal.mutex
    yield f"[mutex.{proposal.name}]"
    yield f"use = {'true' if proposal.use else 'false'}"
    if proposal.why:
        yield f"why = {quoted(proposal.why)}"
    if proposal.run_as != "ceiling":
        yield f"run_as = {quoted(proposal.run_as)}"
    yield f"protocol = {quoted(mutex.protocol)}"
    yield f"module = {quoted(mutex.module)}"
    yield f"offset = {quoted(mutex.offset)}"
    if mutex.symbol:
        yield f"symbol = {quoted(mutex.symbol)}"
    yield f"order = {mutex.order}"
    if mutex.name:
        yield f"named = {quoted(mutex.name)}"
    if mutex.path and mutex.order:
        yield f"path = {quoted(mutex.path)}"
        yield f"nth = {mutex.nth}"
    if proposal.place:
        yield f"place = {quoted(proposal.place)}"
    elif mutex.first_locks:
        yield f"locked_at = [{', '.join(map(quoted, mutex.first_locks))}]"
    yield "lockers = ["
    for thread, locker in proposal.lockers:
        yield f"    {{ {', '.join(_locker(learned, thread, locker))} }},"
    yield "]"
    yield ""
    if proposal.name in learned.scattered:
        yield "# Its lockers are on several CPUs, and no task there would have a bound: the tasks"
        yield "# below have plain runs for its sections. Waiting for another CPU is in no bound."
    yield f"[resource.{proposal.name}]"
    if proposal.ceiling:
        yield f"ceiling = {proposal.ceiling}"


def _locker(learned: Learned, thread: Thread, locker: Locker) -> Iterator[str]:
    yield f"thread = {quoted(learned.name_of(thread))}"
    yield f"policy = {quoted(thread.policy)}"
    if thread.is_real_time:
        yield f"priority = {thread.priority}"
    if thread.cpu >= 0:
        yield f"cpu = {thread.cpu}"
    yield f"locks = {locker.locks}"
    yield f"waits = {locker.waits}"
    yield f"preempted = {locker.preempted}"
    if locker.longest_hold_ns:
        yield f"longest_hold = {quoted(_duration(locker.longest_hold_ns))}"
    if locker.waited_for:
        yield f"longest_wait = {quoted(_duration(locker.longest_wait_ns))}"
        yield f"waited_for = {quoted(_waited_for(learned, locker))}"


def _waited_for(learned: Learned, locker: Locker) -> str:
    """Return the threads that had the mutex in words, the most frequent first."""
    waits = sorted(locker.waited_for, key=lambda wait: -wait.waits)
    holders = [learned.name_of(learned.evidence.thread_of(w)) for w in waits if w.thread]
    more = [f"{len(holders) - MOST_HOLDERS} more"] if len(holders) > MOST_HOLDERS else []
    return ", ".join([*holders[:MOST_HOLDERS], *more]) or "a thread that was not seen"


def _task(learned: Learned, task: Thread) -> Iterator[str]:
    yield f"# {task.policy}, begins at {task.start or 'main'}."
    yield f"# {_arrival(task)}"
    if task.cpu < 0:
        yield "# It is not pinned to one CPU; here it is as if pinned to CPU 0."
    yield f"[task.{learned.name_of(task)}]"
    yield f"priority = {task.priority}"
    yield f"cpu = {cpu_of(task)}"
    yield f"arrival = {quoted(f'sporadic {_duration(_gap_ns(learned, task))}')}"
    steps = learned.sections_of(task).steps(max(task.longest_run_ns, 1), learned.scattered)
    yield from list_lines("body", [quoted(_step(step)) for step in steps])


def _gap_ns(learned: Learned, task: Thread) -> int:
    return task.shortest_gap_ns or learned.evidence.duration_ns


def _arrival(task: Thread) -> str:
    if task.shortest_gap_ns:
        return f"Arrival: the shortest gap between two of its {task.activations} activations."
    return "Arrival: not seen, there were no two activations; as long as the program ran."


def _step(step: Step) -> str:
    match step:
        case Run(duration_ns):
            return f"run {_duration(duration_ns)}"
        case Lock(resource):
            return f"lock {resource}"
        case Unlock(resource):
            return f"unlock {resource}"
    raise AssertionError(step)


def _duration(value_ns: int) -> str:
    """Return a duration with all digits, in the unit that fits, within the allowed range."""
    kept_ns = min(max(value_ns, 1), LONGEST_NS)
    unit = next(unit for unit in ("s", "ms", "us", "ns") if kept_ns >= UNIT_NS[unit])
    return f"{(Decimal(kept_ns) / UNIT_NS[unit]).normalize():f}{unit}"
