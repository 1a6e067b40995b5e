# SPDX-License-Identifier: MIT
"""The masks of events: OIL 2.5, EVENT.

Each task has a word of bits. An event has the same bits in the word of every task that owns it. An
event without a given mask gets one bit. If there are enough bits for all events, each event gets a
different bit. Otherwise events of different tasks may share a bit, because an event only needs a
bit that is free in all tasks that own it. It takes the lowest such bit. Events whose tasks own the
most events choose first; the description's order breaks ties. This is greedy, so it may fail
although another order would succeed.
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
    """Return the mask of each event that a task owns or a table names; 0: no bit is left.

    Events of tasks come first, in the description's order.
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
    """Yield given masks that are wrong, and events for which no bit is left."""
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
    """Yield each task whose events need more bits than its word has."""
    most = _bits(cpus)
    for name, task in tasks.items():
        owned = set(task.events)
        given = [events[event].mask or 0 for event in owned if event in events]
        bits = _union(given).bit_count() + len(owned) - sum(map(bool, given))
        if bits > most:
            expected = f"at most {most} of a task{_where_several(cpus)}"
            yield Problem(("task", name, "events"), f"events of {bits} bits", expected)


def _problems_of_equal(task: str, owned: Iterable[str], events: Events) -> Iterator[Problem]:
    """Yield events of a task that have the same mask, because the task cannot distinguish them."""
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
