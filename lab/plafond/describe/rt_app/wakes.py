# SPDX-License-Identifier: MIT
"""Convert waits for other threads to events, and their wake-ups to activations or set events.

rt-app waits with pthread_cond_wait(): a signal that finds no thread waiting is lost. So a task
clears its event before each wait, and an event that is set earlier has no effect. In the same way,
the activation of a task that is active is lost, because a task has one activation at once.
"""

import re
from collections.abc import Callable, Mapping

from plafond.describe.rt_app.events import AWAITS, WAKES, Event
from plafond.describe.rt_app.reader import Reader
from plafond.describe.rt_app.thread import Thread
from plafond.describe.source import Place

PREFIX = "Wake_"
NO_EFFECT = "without effect: no other thread waits for it"


class Wakes:
    """The tasks that wait for each name, and the steps of waits and wake-ups."""

    def __init__(
        self,
        reader: Reader,
        threads: Mapping[str, Thread],
        resource: Callable[[str, Place], str],
    ) -> None:
        """Take threads by the names of their tasks. `resource`: returns that of a mutex."""
        self._reader = reader
        self._threads = threads
        self._resource = resource
        self._named: dict[str, str] = {}  # from event to the name in the file

    def events_of(self, task: str) -> list[str]:
        """Return the events for which a task waits."""
        waits = [each for each in self._threads[task].cycle.body if each.kind in AWAITS]
        return list(dict.fromkeys(self._event(each.name, each.place) for each in waits))

    def is_woken(self, task: str) -> bool:
        """Return whether another thread wakes up a thread that suspends itself."""
        name = self._threads[task].cycle.resumed_by
        others = (thread for other, thread in self._threads.items() if other != task)
        bodies = (event for thread in others for event in thread.cycle.body)
        return any(event.kind in WAKES and event.name == name for event in bodies)

    def steps(self, task: str, event: Event) -> list[str]:
        """Return the steps of an event that waits for other threads or wakes them up."""
        steps = []
        if event.kind in ("signal", "sync"):
            steps += self._wake_one(task, event)
        elif event.kind not in AWAITS:
            steps += self._wake_all(task, event)
        if event.kind in AWAITS:
            name = self._event(event.name, event.place)
            mutex = self._resource(event.mutex, event.place) if event.mutex else ""
            unlock, lock = ([f"unlock {mutex}"], [f"lock {mutex}"]) if mutex else ([], [])
            steps += [f"clear {name}", *unlock, f"wait {name}", *lock]
        return steps

    def _wake_all(self, task: str, event: Event) -> list[str]:
        waiting = self._waiting(task, event.name)
        if not waiting:
            self._reader.note(event.place, NO_EFFECT)
        return [self._wake(other, event) for other in waiting]

    def _wake_one(self, task: str, event: Event) -> list[str]:
        waiting = self._waiting(task, event.name)
        if len(waiting) > 1:
            found = f"a {event.kind}, for which {', '.join(waiting)} can wait"
            expected = "broad, or one other thread that waits: which of them wakes up is not known"
            self._reader.refuse(event.place, found, expected)
        return self._wake_all(task, event)

    def _waiting(self, task: str, name: str) -> list[str]:
        """Return the other tasks that can wait for a name."""
        return [
            other
            for other, thread in self._threads.items()
            if other != task
            and (
                thread.cycle.resumed_by == name
                or any(each.kind in AWAITS and each.name == name for each in thread.cycle.body)
            )
        ]

    def _wake(self, task: str, event: Event) -> str:
        if self._threads[task].cycle.resumed_by == event.name:
            return f"activate {task}"
        return f"set {task} {self._event(event.name, event.place)}"

    def _event(self, name: str, place: Place) -> str:
        """Return the event of a name for which tasks wait."""
        plain = PREFIX + re.sub(r"[^A-Za-z0-9_]", "_", name)
        if self._named.setdefault(plain, name) != name:
            other = f"a name of its own: another name becomes the event {plain}, too"
            self._reader.refuse(place, f'"{name}"', other)
        return plain
