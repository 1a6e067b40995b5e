# SPDX-License-Identifier: MIT
"""The masks of events: OIL 2.5, EVENT.

Each task has a word of bits, and an event is the same bits in the word of every task that owns
it. A mask that is not given is one bit. Where there are bits enough, it is one that no other
event has. Else it is one that is free in every task that owns the event, so that events of
different tasks may share it: the lowest, beginning with the event whose tasks own the most
events, and in the description's order where these are as many. That is greedy, and may find none
where another order would.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from plafond.describe.event import Event
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Tasks

MOST_BITS = 64
MOST_BITS_OF_SEVERAL = 31  # PLF_EVENT_WORD_MOST of protocol/event_word.h
Events = Mapping[str, Event]
Masks = Mapping[str, int]


def masks_of(tasks: Tasks, events: Events, cpus: int) -> Masks:
    """Return the mask of each event that a task has or a table names; 0: no bit is left for it.

    Those of tasks come first, in the description's order.
    """
    most = _bits(cpus)
    given = {name: fields.mask for name, fields in events.items() if fields.mask is not None}
    names = dict.fromkeys([*(event for task in tasks.values() for event in task.events), *events])
    wanted = [name for name in names if name not in given]
    if _union(given.values()).bit_count() + len(wanted) <= most:
        words_of = {name: ["all"] for name in names}
    else:
        words_of = _owners(names, tasks)
    sizes = Counter(word for words in words_of.values() for word in words)
    taken: dict[str, int] = defaultdict(int)
    masks = {}
    ordered = sorted(wanted, key=lambda name: -sum(sizes[word] for word in words_of[name]))
    for name in [*given, *ordered]:
        free = _lowest_free(_union(taken[word] for word in words_of[name]), most)
        masks[name] = given.get(name, free)
        for word in words_of[name]:
            taken[word] |= masks[name]
    return {name: masks[name] for name in names}


def problems_of_events(tasks: Tasks, events: Events, cpus: int) -> Iterator[Problem]:
    """The masks that are given, and those for which no bit is left."""
    most = _bits(cpus)
    for name, fields in events.items():
        if (fields.mask or 0) >> most:
            expected = f"bits from 0 to {most - 1}{_where_several(cpus)}"
            yield Problem(("event", name, "mask"), hex(fields.mask or 0), expected)
    crowded = list(_problems_of_crowds(tasks, events, cpus))
    yield from crowded
    for name, task in tasks.items():
        yield from _problems_of_equal(name, task.events, events)
    if not crowded:
        yield from _problems_of_colours(tasks, masks_of(tasks, events, cpus), most)


def _problems_of_crowds(tasks: Tasks, events: Events, cpus: int) -> Iterator[Problem]:
    """A task whose events are more than its word has bits."""
    most = _bits(cpus)
    for name, task in tasks.items():
        owned = set(task.events)
        given = [events[event].mask or 0 for event in owned if event in events]
        bits = _union(given).bit_count() + len(owned) - sum(map(bool, given))
        if bits > most:
            expected = f"at most {most} of a task{_where_several(cpus)}"
            yield Problem(("task", name, "events"), f"events of {bits} bits", expected)


def _problems_of_equal(task: str, owned: Iterable[str], events: Events) -> Iterator[Problem]:
    """Two of a task's events that are one and the same to it."""
    taken: dict[int, str] = {}
    for event in owned:
        mask = events[event].mask if event in events else None
        other = taken.setdefault(mask, event) if mask else event
        if other != event:
            found = f"{hex(mask or 0)}, which is that of {other}, too"
            expected = f"another one: the task {task} has both events"
            yield Problem(("event", event, "mask"), found, expected)


def _problems_of_colours(tasks: Tasks, masks: Masks, most: int) -> Iterator[Problem]:
    for name, task in tasks.items():
        for index, event in enumerate(task.events):
            if not masks[event]:
                where: Where = ("task", name, "events", index)
                found = f"{event}, for which none of {most} bits is free in all tasks that have it"
                yield Problem(where, found, f"a mask in [event.{event}], or fewer events")


def _owners(names: Iterable[str], tasks: Tasks) -> dict[str, list[str]]:
    """Return the tasks that own each event."""
    owners: dict[str, list[str]] = {name: [] for name in names}
    for task, fields in tasks.items():
        for event in dict.fromkeys(fields.events):
            owners[event].append(task)
    return owners


def _lowest_free(taken: int, most: int) -> int:
    bit = ~taken & taken + 1
    return bit if bit < 1 << most else 0


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _bits(cpus: int) -> int:
    return MOST_BITS if cpus == 1 else MOST_BITS_OF_SEVERAL


def _where_several(cpus: int) -> str:
    return " where there are several CPUs" if cpus > 1 else ""
