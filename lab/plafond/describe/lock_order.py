# SPDX-License-Identifier: MIT
"""Find deadlocks from the order in which tasks lock resources, without ceilings.

In a cycle of tasks, each task holds a resource that the task before it wants. Such a cycle is
possible unless two of its tasks hold the same resource, because they cannot be inside together.

Ceilings prevent deadlocks on a single CPU. Across CPUs they do not, because a task that waits for
another CPU lets less urgent tasks run. So ceilings suffice only if no section is nested in or
around a section across CPUs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import islice

from plafond.describe.across_cpus import nests_across_cpus
from plafond.describe.system import Lock, System
from plafond.errors import PlafondError
from plafond.protocols import Protocol

MOST_CHAINS = 20_000
WITHOUT_DEADLOCK = (Protocol.CEILING, Protocol.FLOOR)


@dataclass(frozen=True)
class Wish:
    """A task that holds resources and wants to lock another."""

    task: str
    held: tuple[str, ...]
    wanted: str

    def __str__(self) -> str:
        """Return the wish as a sentence."""
        return f"{self.task} holds {', '.join(self.held)} and wants {self.wanted}"


@dataclass(frozen=True)
class NotRuledOut:
    """Stands for a possible cycle if there are too many chains of wishes to follow."""

    def __str__(self) -> str:
        """Return the result as a sentence."""
        return "not ruled out: too many orders of locking to follow"


Deadlock = tuple[Wish, ...] | tuple[NotRuledOut]


def find_deadlock(system: System) -> Deadlock | None:
    """Return the shortest cycle of wishes, or None if there is none.

    Return NotRuledOut if there are too many chains to follow.
    """
    wishes = list(dict.fromkeys(_wishes(system)))
    chains: list[tuple[Wish, ...]] = [(wish,) for wish in wishes]
    # Test for a common order first: it is the usual case and much cheaper than chains.
    while chains and not _one_order(wishes):
        longer = list(islice(_longer(chains, wishes), MOST_CHAINS + 1))
        cycle = next((chain for chain in longer if chain[-1].wanted in chain[0].held), None)
        if cycle:
            return cycle
        if len(longer) > MOST_CHAINS:
            return (NotRuledOut(),)
        chains = longer
    return None


def refuse_deadlock(system: System, protocols: Iterable[Protocol]) -> None:
    """Raise PlafondError if tasks can deadlock under one of the protocols."""
    ruled_out = () if nests_across_cpus(system) else WITHOUT_DEADLOCK
    affected = [each for each in dict.fromkeys(protocols) if each not in ruled_out]
    deadlock = find_deadlock(system) if affected else None
    if deadlock:
        raise PlafondError(
            f"under {' and '.join(affected)} {_opening(deadlock)}{'; '.join(map(str, deadlock))}; "
            f"expected one order of locking for all tasks{_or_ceilings(bool(ruled_out))}"
        )


def is_cycle(deadlock: Deadlock) -> bool:
    """Whether a cycle was found; False: a cycle is only not ruled out."""
    return not isinstance(deadlock[0], NotRuledOut)


def _or_ceilings(rule_it_out: bool) -> str:
    return ", or a protocol with ceilings" if rule_it_out else ""


def _opening(deadlock: Deadlock) -> str:
    """Return the beginning of the sentence that ends with the deadlock."""
    return "tasks can deadlock: " if is_cycle(deadlock) else "a deadlock is "


def _wishes(system: System) -> Iterator[Wish]:
    """Yield every wish. Linked resources count as one resource, so locking its second name is no
    wish."""
    one_of = {each.name: min(each.names or {each.name}) for each in system.resources}
    for task in system.tasks:
        for step, names in task.held():
            held = tuple(dict.fromkeys(one_of[name] for name in names))
            if isinstance(step, Lock) and held and one_of[step.resource] not in held:
                yield Wish(task.name, held, one_of[step.resource])


def _one_order(wishes: list[Wish]) -> bool:
    """Whether a common order of locking exists for all tasks."""
    order = TopologicalSorter[str]()
    for wish in wishes:
        order.add(wish.wanted, *wish.held)
    try:
        order.prepare()
    except CycleError:
        return False
    return True


def _longer(chains: Iterable[tuple[Wish, ...]], wishes: list[Wish]) -> Iterator[tuple[Wish, ...]]:
    """Yield each chain, extended by each wish that may follow it."""
    for chain in chains:
        for wish in _followers(chain, wishes):
            yield (*chain, wish)


def _followers(chain: tuple[Wish, ...], wishes: list[Wish]) -> Iterator[Wish]:
    """Yield wishes of tasks outside the chain that hold the resource its last task wants."""
    for wish in wishes:
        if chain[-1].wanted not in wish.held:
            continue
        if all(wish.task != other.task and not set(wish.held) & set(other.held) for other in chain):
            yield wish
