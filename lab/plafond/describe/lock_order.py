# SPDX-License-Identifier: MIT
"""Whether tasks can deadlock by the order in which they lock (without ceilings).

A cycle of tasks, each holding what the one before it wants, is possible unless two of
them hold a resource in common: then they cannot be inside at the same time.

Ceilings rule that out on each CPU. Across CPUs they do not: a task that waits for another CPU
lets less urgent tasks of its own run, wherever it stands. So they rule it out as long as no
section is nested in or around one across CPUs.
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
    """A task that holds some resources locks one more."""

    task: str
    held: tuple[str, ...]
    wanted: str

    def __str__(self) -> str:
        """Return it as a sentence."""
        return f"{self.task} holds {', '.join(self.held)} and wants {self.wanted}"


@dataclass(frozen=True)
class NotRuledOut:
    """Stands for a cycle where there are too many chains of wishes to follow them all."""

    def __str__(self) -> str:
        """Return it as a sentence."""
        return "not ruled out: too many orders of locking to follow"


Deadlock = tuple[Wish, ...] | tuple[NotRuledOut]


def find_deadlock(system: System) -> Deadlock | None:
    """Return the shortest cycle of wishes, or None if there is none.

    Where there are too many ways to follow them all, return that none was ruled out.
    """
    wishes = list(dict.fromkeys(_wishes(system)))
    chains: list[tuple[Wish, ...]] = [(wish,) for wish in wishes]
    # One order for all tasks is the usual case, and quick to see; chains are not.
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
    """Whether a cycle was found; otherwise it is only not ruled out."""
    return not isinstance(deadlock[0], NotRuledOut)


def _or_ceilings(rule_it_out: bool) -> str:
    return ", or a protocol with ceilings" if rule_it_out else ""


def _opening(deadlock: Deadlock) -> str:
    """Return how a sentence begins that ends with what was found."""
    return "tasks can deadlock: " if is_cycle(deadlock) else "a deadlock is "


def _wishes(system: System) -> Iterator[Wish]:
    """Linked resources are one, which a task that holds it does not wish for."""
    one_of = {each.name: min(each.names or {each.name}) for each in system.resources}
    for task in system.tasks:
        for step, names in task.held():
            held = tuple(dict.fromkeys(one_of[name] for name in names))
            if isinstance(step, Lock) and held and one_of[step.resource] not in held:
                yield Wish(task.name, held, one_of[step.resource])


def _one_order(wishes: list[Wish]) -> bool:
    """Whether all tasks lock in one common order."""
    order = TopologicalSorter[str]()
    for wish in wishes:
        order.add(wish.wanted, *wish.held)
    try:
        order.prepare()
    except CycleError:
        return False
    return True


def _longer(chains: Iterable[tuple[Wish, ...]], wishes: list[Wish]) -> Iterator[tuple[Wish, ...]]:
    """Each chain with each wish that may follow it."""
    for chain in chains:
        for wish in _followers(chain, wishes):
            yield (*chain, wish)


def _followers(chain: tuple[Wish, ...], wishes: list[Wish]) -> Iterator[Wish]:
    """Wishes of further tasks that hold what the last one wants."""
    for wish in wishes:
        if chain[-1].wanted not in wish.held:
            continue
        if all(wish.task != other.task and not set(wish.held) & set(other.held) for other in chain):
            yield wish
