# SPDX-License-Identifier: MIT
"""Convert barriers: each becomes a task above all others.

A thread at a barrier waits until each thread that names it is there. The task of a barrier waits
for an event of each of these threads, and then sets an event of each. It must run at once when the
last thread comes: otherwise a thread could be back before the barrier waits for it again. So it has
the highest priority, and all threads are on one CPU.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from plafond.describe.fields import HIGHEST_PRIORITY
from plafond.describe.rt_app.events import BARRIER, Event
from plafond.describe.rt_app.reader import Reader
from plafond.describe.rt_app.thread import Thread
from plafond.describe.source import Place

PREFIX = "Barrier_"
ALONE = "without effect: no other thread has this barrier"


class Barriers:
    """The barriers of threads, by name."""

    def __init__(
        self, reader: Reader, threads: Mapping[str, Thread], cpu_of: Mapping[str, int]
    ) -> None:
        """Take threads and CPUs by the names of their tasks; refuse barriers that do not fit."""
        self._reader = reader
        self._cpu_of = cpu_of
        self._users: dict[str, dict[str, Place]] = {}  # tasks of a barrier, and their events
        for task, thread in threads.items():
            for event in thread.cycle.body:
                if event.kind == BARRIER:
                    self._add(task, thread, event)
        priorities = [each.priority for each in threads.values() if not each.is_in_background]
        self._priority = max(priorities, default=0) + 1

    def steps(self, task: str, event: Event) -> list[str]:
        """Return the steps of a barrier in the body of a task."""
        users = list(self._users[event.name])
        if len(users) == 1:
            self._reader.note(event.place, ALONE)
            return []
        passed = _passed(event.name)
        arrived = _arrived(event.name, users.index(task))
        return [f"set {_task(event.name)} {arrived}", f"wait {passed}", f"clear {passed}"]

    def events_of(self, task: str) -> list[str]:
        """Return the events for which a task waits at barriers."""
        own = (name for name, users in self._users.items() if task in users and len(users) > 1)
        return list(map(_passed, own))

    def tasks(self) -> Iterator[tuple[str, Place, dict[str, Any]]]:
        """Yield the task of each barrier: its name, its place and its fields."""
        for name, users in self._users.items():
            place = next(iter(users.values()))
            if len(users) > 1:
                self._check(name, users)
                self._reader.note(place, f"becomes the task {_task(name)}, above all others")
                yield _task(name), place, self._fields(name, list(users))

    def _add(self, task: str, thread: Thread, event: Event) -> None:
        users = self._users.setdefault(event.name, {})
        if task in users or thread.instances > 1:
            expected = "a barrier with one place in each thread, and threads with one instance"
            self._reader.refuse(event.place, f'"{event.name}" again', expected)
        users[task] = event.place

    def _check(self, name: str, users: Mapping[str, Place]) -> None:
        for task, place in users.items():
            if self._cpu_of[task] != self._cpu_of[next(iter(users))]:
                self._reader.refuse(place, f'"{name}" on several CPUs', "threads of one CPU")
            if self._priority > HIGHEST_PRIORITY:
                found = f"a barrier beside a thread of priority {HIGHEST_PRIORITY}"
                self._reader.refuse(place, found, "lower priorities: its task is above all others")

    def _fields(self, name: str, users: list[str]) -> dict[str, Any]:
        arrived = [_arrived(name, number) for number in range(len(users))]
        waits = [step for each in arrived for step in (f"wait {each}", f"clear {each}")]
        return {
            "priority": min(self._priority, HIGHEST_PRIORITY),
            "cpu": self._cpu_of[users[0]],
            "autostart": True,
            "events": arrived,
            "body": [
                *waits,
                *(f"set {user} {_passed(name)}" for user in users),
                f"chain {_task(name)}",
            ],
        }


def _task(name: str) -> str:
    return PREFIX + re.sub(r"[^A-Za-z0-9_]", "_", name)


def _passed(name: str) -> str:
    return f"Passed_{_task(name)}"


def _arrived(name: str, number: int) -> str:
    return f"Arrived_{_task(name)}_{number}"
