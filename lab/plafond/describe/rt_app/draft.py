# SPDX-License-Identifier: MIT
"""Build a description: threads become tasks, and mutexes become resources."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import cycle
from typing import Any

from plafond.describe.defaults import RESERVED
from plafond.describe.kernel import SCHEDULER
from plafond.describe.problems import Where
from plafond.describe.rt_app.barriers import Barriers
from plafond.describe.rt_app.cycle import Start
from plafond.describe.rt_app.events import BARRIER, Event
from plafond.describe.rt_app.reader import Reader
from plafond.describe.rt_app.thread import Thread
from plafond.describe.rt_app.wakes import Wakes
from plafond.describe.source import Place
from plafond.units import UNIT_NS, format_exactly

MOST_TASKS = 1000
MOST_ACTIVATIONS = 1_000_000
LONGEST_TITLE = 100
ROUND_ROBIN = "SCHED_RR"
UNIQUE = "unique"  # rt-app makes a separate timer for each thread if the name begins with it


class Draft:
    """A description under construction, with the place of each field."""

    def __init__(
        self, reader: Reader, place: Place, duration_s: int | None, cpus: tuple[int, ...]
    ) -> None:
        """Begin without tasks.

        `place`: the table of tasks. No activation comes after `duration_s`. Tasks of threads
        without a CPU take `cpus` in turn.
        """
        self._reader = reader
        self._duration_s = duration_s
        self._threads: dict[str, Thread] = {}  # by the name of the task
        self._cpu: dict[str, int] = {}  # by the name of the task
        self._next_cpu = cycle(cpus or (0,))
        self._named: dict[str, str] = {}  # from resource to its mutex
        self._places: dict[Where, Place] = {(): Place((), 1), ("task",): place}

    def add(self, thread: Thread) -> None:
        """Add the tasks of a thread, one for each instance."""
        total = len(self._threads) + thread.instances
        if total > MOST_TASKS:
            self._reader.refuse(thread.place, f"{total} threads so far", f"at most {MOST_TASKS}")
            return
        plain = _plain(thread.name)
        numbered = [f"{plain}_{number}" for number in range(thread.instances)]
        for name in numbered if thread.instances > 1 else [plain]:
            if name in self._threads:
                other = f"a name of its own: another thread is task {name}, too"
                self._reader.refuse(thread.place, f'"{thread.name}"', other)
            self._threads.setdefault(name, thread)
            self._cpu[name] = next(self._next_cpu) if thread.cpu is None else thread.cpu

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

    def raw(self, title: str) -> dict[str, Any]:
        """Return the description in the form of parsed TOML; refuse threads that do not fit."""
        self._wakes = Wakes(self._reader, self._threads, self.resource)
        self._barriers = Barriers(self._reader, self._threads, self._cpu)
        tasks = {name: self._task(name, thread) for name, thread in self._threads.items()}
        for name, place, fields in self._barriers.tasks():
            self._places["task", name] = place
            tasks[name] = fields
        self._refuse_shared_timers()
        self._refuse_shared_priorities()
        tables = {
            "task": tasks,
            "resource": {name: {} for name in self._named},
            "server": dict(self._servers()),
        }
        return {
            **({"name": title[:LONGEST_TITLE]} if title.isprintable() else {}),
            "cpus": max(self._cpu.values(), default=0) + 1,
            **{kind: named for kind, named in tables.items() if named or kind == "task"},
        }

    def place_of(self, where: Where) -> Place:
        """Return the place of a field, or of the innermost table around it that has a place."""
        while where not in self._places:
            where = where[:-1]
        return self._places[where]

    def _task(self, name: str, thread: Thread) -> dict[str, Any]:
        self._note_places(name, thread)
        is_reserved = thread.policy == RESERVED
        urgency = {"background": True} if thread.is_in_background else {"priority": thread.priority}
        events = [*self._wakes.events_of(name), *self._barriers.events_of(name)]
        return {
            **urgency,
            "cpu": self._cpu[name],
            **({"server": name} if is_reserved else {}),
            **self._start(name, thread),
            **({"events": events} if events else {}),
            "body": self._body(name, thread),
        }

    def _body(self, name: str, thread: Thread) -> list[str]:
        steps = [
            (step, event.place) for event in thread.cycle.body for step in self._steps(name, event)
        ]
        if thread.cycle.start is Start.CHAINS:
            steps.append((f"chain {name}", thread.place))
        for index, (_, place) in enumerate(steps):
            self._places["task", name, "body", index] = place
        return [step for step, _ in steps]

    def _start(self, name: str, thread: Thread) -> dict[str, Any]:
        """Return the fields about the activations of a task."""
        cycle = thread.cycle
        if cycle.start is not Start.ARRIVES:
            if thread.delay_us:
                expected = "no delay of a thread that neither a timer nor a sleep activates"
                self._reader.refuse(thread.places["delay"], str(thread.delay_us), expected)
            if not (cycle.is_begun or self._wakes.is_woken(name)):
                expected = "another thread that resumes it"
                self._reader.refuse(cycle.place, f'"{cycle.resumed_by}"', expected)
            return {"autostart": True} if cycle.is_begun else {}
        offset_us = thread.delay_us + cycle.first_us
        activations = self._activations(thread, offset_us)
        arrival = "periodic" if cycle.is_periodic else "sporadic"
        return {
            "arrival": f"{arrival} {_duration(cycle.interval_us)}",
            **({"offset": _duration(offset_us)} if offset_us else {}),
            **({"activations": activations} if activations else {}),
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

    def _steps(self, task: str, event: Event) -> Iterable[str]:
        if event.kind in ("lock", "unlock"):
            return [f"{event.kind} {self.resource(event.name, event.place)}"]
        if event.kind in ("run", "sleep"):
            least = "" if event.least_us is None else f"{_duration(event.least_us)}.."
            return [f"{event.kind} {least}{_duration(event.duration_us)}"]
        others = self._barriers if event.kind == BARRIER else self._wakes
        return others.steps(task, event)

    def _servers(self) -> Iterable[tuple[str, dict[str, str]]]:
        for name, thread in self._threads.items():
            if thread.reservation:
                self._places["server", name] = thread.place
                yield (
                    name,
                    {
                        "kind": "reservation",
                        "period": _duration(thread.reservation.period_us),
                        "budget": _duration(thread.reservation.budget_us),
                    },
                )

    def _note_places(self, name: str, thread: Thread) -> None:
        task: Where = ("task", name)
        self._places[task] = thread.place
        for field, key in (("priority", "priority"), ("cpu", "cpus"), ("offset", "delay")):
            self._places[(*task, field)] = thread.places[key]
        self._places[(*task, "background")] = thread.places["policy"]
        self._places[(*task, "arrival")] = thread.cycle.place

    def _refuse_shared_timers(self) -> None:
        """Refuse a timer of several threads: each use moves it, so they would take turns."""
        users: dict[str, list[Thread]] = {}
        for thread in self._threads.values():
            if thread.cycle.timer and not thread.cycle.timer.startswith(UNIQUE):
                users.setdefault(thread.cycle.timer, []).append(thread)
        for name, threads in users.items():
            if len(threads) > 1:
                for thread in threads:
                    expected = f'one of its own: a name that begins with "{UNIQUE}"'
                    found = f'"{name}", a timer of several threads'
                    self._reader.refuse(thread.cycle.place, found, expected)

    def _refuse_shared_priorities(self) -> None:
        """Refuse SCHED_RR among equal priorities; a lone thread runs as under SCHED_FIFO."""
        levels = Counter(self._level(name) for name in self._threads)
        for name, thread in self._threads.items():
            if thread.policy == ROUND_ROBIN and levels[self._level(name)] > 1:
                found = f"{ROUND_ROBIN} at priority {thread.priority}, as another thread of its CPU"
                expected = "SCHED_FIFO, or a priority of its own: a task has no time slices"
                self._reader.refuse(thread.places["policy"], found, expected)

    def _level(self, name: str) -> tuple[int, bool, int]:
        thread = self._threads[name]
        return self._cpu[name], thread.is_real_time, thread.priority


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def _duration(value_us: int) -> str:
    return format_exactly(value_us * UNIT_NS["us"])
