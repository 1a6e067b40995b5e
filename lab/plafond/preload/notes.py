# SPDX-License-Identifier: MIT
"""Notes that explain the rows of a learned report."""

from collections.abc import Iterator
from pathlib import Path

from plafond.analyse.overload import overloaded_cpus
from plafond.describe import load
from plafond.preload.evidence import Evidence
from plafond.preload.learned import Learned
from plafond.units import format_duration

NAMED = 8


def notes_of(learned: Learned, file: Path, others: list[Evidence]) -> list[str]:
    """Return the notes, a line each; `others`: processes whose evidence was not used."""
    return [
        *_of_inversions(learned),
        *_of_bounds(learned),
        *_of_gaps(learned, others),
        *_of_load(learned, file),
    ]


def _of_inversions(learned: Learned) -> Iterator[str]:
    """Yield the inversions, the longest first: a plain mutex lends the holder no priority."""
    found = [(p, each) for p in learned.proposals for each in p.inversions]
    found.sort(key=lambda pair: -pair[1].longest_ns)
    for proposal, each in found[:NAMED]:
        often = "once" if each.waits == 1 else f"{each.waits} times"
        yield (
            f"{proposal.name}: {learned.described(each.waiter)} waited {often}, "
            f"of {each.locks} locks, for {learned.described(each.holder)}, "
            f"{format_duration(each.longest_ns)} at most: an inversion"
        )
    if len(found) > NAMED:
        yield f"{len(found) - NAMED} more inversions stand in the table of waits"


def _of_bounds(learned: Learned) -> Iterator[str]:
    for proposal in learned.proposals:
        if proposal.why:
            stays = "" if proposal.use else "stays as it is: "
            yield f"{proposal.name}: {stays}{proposal.why}"
    for proposal in learned.proposals:
        if proposal.mutex.first_locks and not proposal.place:
            yield (
                f"{proposal.name} is made by no call, and no variable of the program: use = true "
                "makes each such mutex inherit that is first locked where this one was"
            )
    if any("indistinguishable" in (p.why_not or "") for p in learned.proposals):
        yield (
            "to distinguish mutexes, make each a variable of its own, or name it: "
            "plf_pthread_mutex_setname(); see docs/preload.md"
        )
    if learned.tasks:
        yield "bounds: of the longest holds that were seen, preemption included; without overheads"
    for proposal in learned.proposals:
        if len(proposal.cpus) > 1:
            cpus = " and ".join(map(str, proposal.cpus))
            yield f"{proposal.name} is locked on the CPUs {cpus}: waiting for another is no part"
    loose = [learned.name_of(task) for task in learned.tasks if task.cpu < 0]
    if loose:
        yield f"not pinned to one CPU, bounds are as if on CPU 0: {_listed(loose)}"
    for why in dict.fromkeys(why for _, why in learned.left_out):
        threads = [learned.name_of(thread) for thread, w in learned.left_out if w == why]
        yield f"no task: {_listed(threads)}: {why}"


def _of_gaps(learned: Learned, others: list[Evidence]) -> Iterator[str]:
    if learned.evidence.dropped:
        yield f"{learned.evidence.dropped} events found no room in the drop-in and are missing"
    if learned.mutexes_left_out:
        yield f"{learned.mutexes_left_out} mutexes, those locked least, are left out of the file"
    for evidence in others[:NAMED]:
        yield f"not used: what {evidence.program} left, a process with {evidence.locks} locks"
    if len(others) > NAMED:
        yield f"not used: what {len(others) - NAMED} processes more left"


def _of_load(learned: Learned, file: Path) -> Iterator[str]:
    """Yield a note for each CPU that the file, as a description, overloads."""
    for cpu in overloaded_cpus(load(file)) if learned.tasks else ():
        yield (
            f"CPU {cpu} is overloaded if every gap is the shortest and every run the longest: for "
            "plafond analyse, write the true periods into the file"
        )


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return ", ".join([*names[:NAMED], *more])
