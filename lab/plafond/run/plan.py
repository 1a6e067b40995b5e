# SPDX-License-Identifier: MIT
"""Write the plan: the steps that `plafond-run` executes, in its plain text format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from plafond.describe.fields import HIGHEST_PRIORITY
from plafond.describe.linux import server_priorities
from plafond.describe.server import Server
from plafond.describe.system import Lock, Run, Sleep, Step, System, Task, Unlock

ARRIVALS_A_LINE = 100
PATIENCE_NS = 5_000_000_000


@dataclass(frozen=True)
class SpareTask:
    """Measures the processor time that the tasks of a CPU leave unused."""

    priority: int
    cpu: int
    duration_ns: int


def plan_text(
    system: System,
    protocol: str,
    arrivals: Mapping[str, Sequence[int]],
    spare: SpareTask | None = None,
) -> str:
    """Return the plan for a run under this protocol."""
    lines = [
        "plafond-plan 1",
        f"protocol {protocol}",
        f"limit {limit_ns(system, arrivals)}",
        # No task is above HIGHEST_PRIORITY, so a higher ceiling would exclude no further task.
        *(f"resource {r.name} {min(r.ceiling, HIGHEST_PRIORITY)}" for r in system.resources),
    ]
    lines += _servers(system)
    lines += _shares(system)
    reserved = {each.task: each for each in system.reserved_tasks}
    for task in system.tasks:
        lines += _task(task, arrivals[task.name], reserved.get(task.name))
    if spare:
        lines.append(f"spare {spare.priority} {spare.cpu} {spare.duration_ns}")
    return "\n".join([*lines, "end", ""])


def limit_ns(system: System, arrivals: Mapping[str, Sequence[int]]) -> int:
    """Return the time after which a run must be over.

    The time grows with the load, because queues of an overloaded system take longer to empty.
    """
    last_ns = max(times[-1] for times in arrivals.values())
    load = max([*_loads_of_payers(system), *map(system.utilisation, range(system.cpus))])
    return int(last_ns * (2 + load)) + PATIENCE_NS


def _loads_of_payers(system: System) -> Iterator[Fraction]:
    """Yield for each server or reservation: demand of its tasks, divided by its supply."""
    for payer in system.payers:
        asked = sum((task.utilisation for task in system.tasks_of(payer.name)), Fraction(0))
        yield asked * payer.period_ns / payer.budget_ns


def _servers(system: System) -> Iterator[str]:
    priorities = server_priorities(system)
    for server in system.servers:
        times = f"{server.period_ns} {server.budget_ns}"
        shares = f" {server.sharing} {server.hold_ns}" if system.shared_by(server.name) else ""
        yield f"server {server.name} {priorities[server.name]} {server.cpu} {times}{shares}"


def _shares(system: System) -> Iterator[str]:
    for resource in system.resources_of_servers:
        for server in resource.servers:
            ceiling = system.local_ceiling(resource, server)
            yield f"share {resource.name} {server} {min(ceiling, HIGHEST_PRIORITY)}"


def _task(task: Task, arrivals: Sequence[int], reserved: Server | None) -> Iterator[str]:
    server = f" {task.server}" if task.server and not reserved else ""
    priority = min(task.priority, HIGHEST_PRIORITY)  # has no effect in a reservation
    yield f"task {task.name} {priority} {task.cpu} {task.pending}{server}"
    if reserved:
        yield f"reservation {reserved.period_ns} {reserved.budget_ns}"
    yield from map(_step, task.body)
    for first in range(0, len(arrivals), ARRIVALS_A_LINE):
        yield " ".join(map(str, ["arrivals", *arrivals[first : first + ARRIVALS_A_LINE]]))


def _step(step: Step) -> str:
    match step:
        case Lock(resource):
            return f"lock {resource}"
        case Unlock(resource):
            return f"unlock {resource}"
        case Run(duration_ns, None):
            return f"run {duration_ns}"
        case Run(most_ns, least_ns, key):
            return f"run {least_ns} {most_ns} {key}"
        case Sleep(duration_ns):
            return f"sleep {duration_ns}"
    raise AssertionError(f"{step}: a step of Plafond's own kernel")
