# SPDX-License-Identifier: MIT
"""The recording of a run by an image, and the files that are generated for kernel/run."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate

from plafond.board.queues import queues_of
from plafond.describe.body import Activate, Chain, Lock, WaitEvent
from plafond.describe.system import System, Task
from plafond.errors import PlafondError
from plafond.units import UNIT_NS

NOTES_A_LOCK = 3  # request, grant, unlock
# Arrival, activation, start and end. Another task loses the core and gets it back.
EVENTS_AN_ACTIVATION = 6
# The task waits, its event comes, and it continues. Another task is as above.
EVENTS_A_WAIT = 5
# Additional events with servers. A server gets the core and gives it back. Each time another server
# and a task of both are affected.
EVENTS_OF_SWITCHES = 8
# Additional events with shared resources. Each period has an overrun, a payback and a keep-out.
# Each section may wait for the next budget. It has a keep-out, and a switch at its end.
EVENTS_OF_OVERRUNS = 3
EVENTS_A_SECTION = 4 + EVENTS_OF_SWITCHES
# A server is replenished and depleted, and has the core in between.
EVENTS_A_PERIOD = 2 + EVENTS_OF_SWITCHES
# A guess, if alarms, schedule tables, C sources or circles of tasks activate tasks.
SOME_ACTIVATIONS = 5_000
PATIENCE_NS = 5 * UNIT_NS["s"]
# See kernel/run/entry.h.
LONGEST_NS = (1 << 48) - 1
MOST_BYTES = 64 << 20
FEWER = "choose fewer with --activations"
NO_TASK = "PLF_TASKS"  # stands in an arrival for no task


@dataclass(frozen=True)
class Recording:
    """A run to be recorded: tasks are activated at the drawn times, and note their sections."""

    system: System
    arrivals: Mapping[str, Sequence[int]]
    until_ns: int = 0  # the run does not end before this time

    @property
    def limit_ns(self) -> int:
        """Return the time at which the run is cut, generously after all work should be done."""
        most = self._most_activations
        work_ns = sum(most[task.name] * task.run_ns for task in self.system.tasks)
        served_ns = (  # as if each server had to do all of the work
            (-(-work_ns // server.budget_ns) + 2) * server.period_ns
            for server in self.system.servers
        )
        longest_ns = max([work_ns, *served_ns])
        last_ns = max((time_ns for time_ns, _ in self._arrivals()), default=0)
        return max(last_ns, self.until_ns) + 2 * longest_ns + PATIENCE_NS

    def refuse_too_much(self, most_notes: int | None) -> None:
        """Raise PlafondError if no image can record so much; `most_notes`: limit for each task."""
        longest = f"{LONGEST_NS // (3600 * UNIT_NS['s'])} hours"
        if self.limit_ns > LONGEST_NS:
            raise PlafondError(f"the run may take longer than {longest}; {FEWER}")
        for task in self.system.tasks:
            notes = self.notes(task.name)
            if most_notes is not None and notes > most_notes:
                raise PlafondError(
                    f"task {task.name} may make {notes} notes of its sections; "
                    f"a task of the board has room for {most_notes}; {FEWER}"
                )
        size = 8 * (self._events() + sum(self.notes(task.name) for task in self.system.tasks))
        if size > MOST_BYTES:
            raise PlafondError(
                f"the trace may take {size >> 20} MiB; an image has at most {MOST_BYTES >> 20}; "
                f"{FEWER}"
            )

    def defines(self) -> list[str]:
        """Return the lines of system.h."""
        ends = list(accumulate(map(len, self._entries())))
        begins = [0, *ends[:-1]]
        return [
            "#define PLF_TRACE 1",
            f"#define PLF_ARRIVALS {ends[-1]}",
            f"#define PLF_ARRIVALS_FROM {{ {', '.join(map(str, begins))} }}",
            f"#define PLF_ARRIVALS_TO {{ {', '.join(map(str, ends))} }}",
            f"#define PLF_TRACE_EVENTS {self._events()}",
        ]

    def notes(self, name: str) -> int:
        """Return the largest number of notes that a task can make."""
        tasks = {task.name: task for task in self.system.tasks}
        return self._most_activations[name] * notes_an_activation(tasks[name])

    def tables_c(self) -> str:
        """Return the text of recording.c."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        noting = [task.name for task in self.system.tasks if self.notes(task.name)]
        yield '#include "recording.h"'
        yield "\nconst struct plf_arrival_config plf_arrival_config[PLF_ARRIVALS] = {"
        for entries in self._entries():
            yield from (f"\t{{UINT64_C({time_ns}), {task}}}," for time_ns, task in entries)
        yield "};\n"
        for name in noting:
            yield f"extern const uint64_t plf_notes_{name}[{self.notes(name)}];"
            yield f"extern const uint32_t plf_noted_{name};"
        yield "const struct plf_notes_config plf_notes_config[PLF_TASKS] = {"
        for name in noting:
            yield f"\t[{name}] = {{plf_notes_{name}, &plf_noted_{name}, {self.notes(name)}}},"
        yield "};\n"
        yield "const char *const plf_resource_names[PLF_RESOURCES + PLF_GLOBALS + 1] = {"
        yield from (f'\t[{name}] = "{name}",' for name in resources_of(self.system))
        yield "};\n"
        yield "const char *const plf_server_names[PLF_SERVERS + 1] = {"
        yield from (f'\t[{each.name}] = "{each.name}",' for each in self.system.servers)
        yield "};\n"

    def _entries(self) -> list[list[tuple[int, str]]]:
        """Return the arrivals of each queue."""
        return [self._entries_of(tasks) for _, tasks in queues_of(self.system)]

    def _entries_of(self, tasks: Sequence[Task]) -> list[tuple[int, str]]:
        """Return arrivals by time and urgency, then `until_ns` if it is later, then the limit."""
        ranks = {task.name: rank for rank, task in enumerate(tasks)}
        arrivals = (entry for entry in self._arrivals() if entry[1] in ranks)
        entries = sorted(arrivals, key=lambda entry: (entry[0], ranks[entry[1]]))
        if not entries or entries[-1][0] < self.until_ns:
            entries.append((self.until_ns, NO_TASK))
        return [*entries, (self.limit_ns, NO_TASK)]

    def _arrivals(self) -> Iterator[tuple[int, str]]:
        for name, times in self.arrivals.items():
            yield from ((time_ns, name) for time_ns in times)

    def _events(self) -> int:
        most = self._most_activations
        of_servers = sum(
            self._events_of_periods(server.period_ns) for server in self.system.servers
        )
        switches = EVENTS_OF_SWITCHES if self.system.servers else 0
        an_activation, a_wait = EVENTS_AN_ACTIVATION + switches, EVENTS_A_WAIT + switches
        shared = frozenset(resource.name for resource in self.system.resources_of_servers)
        return of_servers + sum(
            most[task.name]
            * (an_activation + a_wait * _waits(task) + EVENTS_A_SECTION * _locks(task, shared))
            + an_activation * len(self.arrivals.get(task.name, ()))
            for task in self.system.tasks
        )

    def _events_of_periods(self, period_ns: int) -> int:
        sharing = EVENTS_OF_OVERRUNS if self.system.resources_of_servers else 0
        return (EVENTS_A_PERIOD + sharing) * (self.limit_ns // period_ns + 1)

    @cached_property
    def _most_activations(self) -> dict[str, int]:
        """Return the largest number of activations of each task, or a guess."""
        tasks = {task.name: task for task in self.system.tasks}
        activators = {
            task.name: [other for other in tasks.values() if task.name in _activated(other)]
            for task in tasks.values()
        }
        order = TopologicalSorter(
            {name: [other.name for other in others] for name, others in activators.items()}
        )
        try:
            names = list(order.static_order())
        except CycleError:
            return self._guesses()
        timed = self.system.alarms or self.system.schedule_tables
        if timed or self.system.c_files:
            return self._guesses()
        most: dict[str, int] = {}
        for name in names:
            most[name] = self._by_itself(tasks[name]) + sum(
                most[other.name] * _activated(other).count(name) for other in activators[name]
            )
        return most

    def _guesses(self) -> dict[str, int]:
        return {task.name: self._by_itself(task) + SOME_ACTIVATIONS for task in self.system.tasks}

    def _by_itself(self, task: Task) -> int:
        return len(self.arrivals.get(task.name, ())) + task.autostart


def resources_of(system: System) -> list[str]:
    """Return the resources that tasks can lock."""
    return [resource.name for resource in system.entered_resources]


def notes_an_activation(task: Task) -> int:
    """Return how many notes a task makes in each activation."""
    return NOTES_A_LOCK * sum(isinstance(step, Lock) for step in task.body)


def _waits(task: Task) -> int:
    return sum(isinstance(step, WaitEvent) for step in task.body)


def _locks(task: Task, resources: Collection[str]) -> int:
    return sum(isinstance(step, Lock) and step.resource in resources for step in task.body)


def _activated(task: Task) -> list[str]:
    return [step.task for step in task.body if isinstance(step, Activate | Chain)]
