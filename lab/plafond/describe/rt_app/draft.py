# SPDX-License-Identifier: MIT
"""Build a description: threads become tasks, and mutexes become resources."""

import re
from collections import Counter
from typing import Any

from plafond.describe.kernel import SCHEDULER
from plafond.describe.problems import Where
from plafond.describe.rt_app.events import Event
from plafond.describe.rt_app.reader import Reader
from plafond.describe.rt_app.thread import ROUND_ROBIN, Thread
from plafond.describe.source import Place
from plafond.units import UNIT_NS, format_exactly

MOST_TASKS = 1000
MOST_ACTIVATIONS = 1_000_000
LONGEST_TITLE = 100
UNIQUE = "unique"  # rt-app makes a separate timer for each thread if the name begins with it


class Draft:
    """A description under construction, with the place of each field."""

    def __init__(self, reader: Reader, place: Place, duration_s: int | None) -> None:
        """Begin without tasks. `place`: the table of tasks. No activation comes after
        `duration_s`."""
        self._reader = reader
        self._duration_s = duration_s
        self._threads: list[Thread] = []
        self._tasks: dict[str, dict[str, Any]] = {}
        self._named: dict[str, str] = {}  # from resource to its mutex
        self._places: dict[Where, Place] = {(): Place((), 1), ("task",): place}

    def add(self, thread: Thread) -> None:
        """Add the tasks of a thread, one for each instance."""
        total = len(self._tasks) + thread.instances
        if total > MOST_TASKS:
            self._reader.refuse(thread.place, f"{total} threads so far", f"at most {MOST_TASKS}")
            return
        self._threads.append(thread)
        plain = _plain(thread.name)
        numbered = [f"{plain}_{number}" for number in range(thread.instances)]
        for name in numbered if thread.instances > 1 else [plain]:
            if name in self._tasks:
                other = f"a name of its own: another thread is task {name}, too"
                self._reader.refuse(thread.place, f'"{thread.name}"', other)
            self._tasks[name] = self._task(thread)
            self._note_places(name, thread)

    def resource(self, mutex: str, place: Place) -> str:
        """Return the resource of a mutex, and add it if it is new."""
        name = _plain(mutex)
        if self._named.setdefault(name, mutex) != mutex:
            other = f"a name of its own: another mutex is resource {name}, too"
            self._reader.refuse(place, f'"{mutex}"', other)
        if name == SCHEDULER:
            self._reader.refuse(place, f'"{mutex}"', f"another name: {name} is the scheduler")
        self._places.setdefault(("resource", name), place)
        return name

    def check(self) -> None:
        """Refuse threads that are valid alone but not together."""
        self._refuse_shared_timers()
        self._refuse_shared_priorities()

    def raw(self, title: str) -> dict[str, Any]:
        """Return the description in the form of parsed TOML."""
        named = {"name": title[:LONGEST_TITLE]} if title.isprintable() else {}
        cpus = max((thread.cpu for thread in self._threads), default=0) + 1
        resources: dict[str, Any] = {name: {} for name in self._named}
        tables = {"task": self._tasks, **({"resource": resources} if resources else {})}
        return {**named, "cpus": cpus, **tables}

    def place_of(self, where: Where) -> Place:
        """Return the place of a field, or of the innermost table around it that has a place."""
        while where not in self._places:
            where = where[:-1]
        return self._places[where]

    def _task(self, thread: Thread) -> dict[str, Any]:
        cycle = thread.cycle
        offset_us = thread.delay_us + cycle.first_us
        activations = self._activations(thread, offset_us)
        arrival = "periodic" if cycle.is_periodic else "sporadic"
        return {
            "priority": thread.priority,
            "cpu": thread.cpu,
            "arrival": f"{arrival} {_duration(cycle.interval_us)}",
            **({"offset": _duration(offset_us)} if offset_us else {}),
            **({"activations": activations} if activations else {}),
            "body": [self._step(event) for event in cycle.body],
        }

    def _activations(self, thread: Thread, offset_us: int) -> int | None:
        """Return the number of activations before the loop and duration end; None: no limit."""
        count = thread.cycle.count
        if self._duration_s:
            left_us = self._duration_s * 1_000_000 - offset_us
            if left_us <= 0:
                found = f"its first activation after {_duration(offset_us)}"
                self._reader.refuse(thread.place, found, "it before the end of global.duration")
            in_time = -(-left_us // thread.cycle.interval_us)
            count = min(count or in_time, in_time)
        if count and count > MOST_ACTIVATIONS:
            most = f"at most {MOST_ACTIVATIONS}: a smaller loop or duration"
            self._reader.refuse(thread.place, f"{count} activations", most)
        return count

    def _step(self, event: Event) -> str:
        if event.kind in ("lock", "unlock"):
            return f"{event.kind} {self.resource(event.name, event.place)}"
        return f"{event.kind} {_duration(event.duration_us)}"

    def _note_places(self, name: str, thread: Thread) -> None:
        task: Where = ("task", name)
        self._places[task] = thread.place
        for field, key in (("priority", "priority"), ("cpu", "cpus"), ("offset", "delay")):
            self._places[(*task, field)] = thread.places[key]
        self._places[(*task, "arrival")] = thread.cycle.wait.place
        for index, event in enumerate(thread.cycle.body):
            self._places[(*task, "body", index)] = event.place

    def _refuse_shared_timers(self) -> None:
        """Refuse a timer of several threads: each use moves it, so they would take turns."""
        users: dict[str, list[Thread]] = {}
        for thread in self._threads:
            wait = thread.cycle.wait
            if wait.kind == "timer" and not wait.name.startswith(UNIQUE):
                users.setdefault(wait.name, []).append(thread)
        for name, threads in users.items():
            if sum(thread.instances for thread in threads) > 1:
                for thread in threads:
                    expected = f'one of its own: a name that begins with "{UNIQUE}"'
                    found = f'"{name}", a timer of several threads'
                    self._reader.refuse(thread.cycle.wait.place, found, expected)

    def _refuse_shared_priorities(self) -> None:
        """Refuse SCHED_RR among equal priorities; a lone thread runs as under SCHED_FIFO."""
        levels: Counter[tuple[int, int]] = Counter()
        for thread in self._threads:
            levels[thread.cpu, thread.priority] += thread.instances
        for thread in self._threads:
            if thread.policy == ROUND_ROBIN and levels[thread.cpu, thread.priority] > 1:
                found = f"{ROUND_ROBIN} at priority {thread.priority}, as another thread of its CPU"
                expected = "SCHED_FIFO, or a priority of its own: a task has no time slices"
                self._reader.refuse(thread.places["policy"], found, expected)


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def _duration(value_us: int) -> str:
    return format_exactly(value_us * UNIT_NS["us"])
