# SPDX-License-Identifier: MIT
"""The analysis of a system: a row for every task under every protocol."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial

from plafond.analyse.blocking import Reach, blocking_ns, reach_of, threshold_of
from plafond.analyse.chains import Chains, Ends, chains_of, settled
from plafond.analyse.coverage import not_covered, not_covered_across, not_covered_yet
from plafond.analyse.demand import least_failure, synchronous_busy_ns
from plafond.analyse.due import due_bounds
from plafond.analyse.enforced import as_enforced, claimed_run_ns
from plafond.analyse.global_bounds import bounds_under
from plafond.analyse.holding import Surroundings
from plafond.analyse.inflate import background_of, inflate
from plafond.analyse.managed import decision_ns, with_passes
from plafond.analyse.model import AnalysisReport, AnalysisRow, DemandRow, Verdict
from plafond.analyse.notes import Notes
from plafond.analyse.offsets import bounds_in_phase, has_phases
from plafond.analyse.overheads import Costs, Overheads, refuse_servers, refuse_uncosted
from plafond.analyse.plain import busy_period_ns, busy_tasks
from plafond.analyse.plugged import plugged_bounds
from plafond.analyse.requests import with_requests
from plafond.analyse.reserved import taken_by_reservations, taken_late_ns, why_late
from plafond.analyse.response import Bounds, level_bounds, level_of
from plafond.analyse.servers import Part, parts_of, server_rows
from plafond.analyse.thresholds import bounds_from_begin
from plafond.analyse.window import Background, Effort, NoWindowError
from plafond.analyse.workload import workload_of
from plafond.describe.kernel import Scheduler
from plafond.describe.lock_order import find_deadlock, is_cycle
from plafond.describe.system import System, Task
from plafond.describe.timed import with_timed
from plafond.errors import ArgumentError
from plafond.protocols import Protocol

OF_LEVELS = (Protocol.CEILING, Protocol.INHERIT)  # the busy period of a level bounds these
LEAST_PRIORITY = 0  # all tasks are of at least this priority
Accounts = Sequence[tuple[Part, Reach]]  # several bounds of the same tasks; the smallest holds


def analyse(
    system: System,
    protocols: Iterable[Protocol] | None = None,
    overheads: Overheads | None = None,
    away_ns: int = 0,
) -> AnalysisReport:
    """Bound the blocking and the response time of every task under each protocol, in ns.

    `protocols`: without them, the protocols of shown_of().
    `away_ns`: the total time of a busy period in which the processor runs none of the tasks.

    A task without a bound, as on an overloaded CPU, has None in its row, and a note has the reason.
    A caller that wants an error for an overloaded CPU should call refuse_overload() first.
    ArgumentError if the protocols or the overheads do not fit the system, or if it has no task.
    """
    if not system.tasks:
        raise ArgumentError(f"{system.name}: found no task; expected one, which has a bound")
    described = system
    system = as_enforced(described)
    known = protocols_of(system)
    protocols = shown_of(system) if protocols is None else tuple(dict.fromkeys(protocols))
    for protocol in protocols:
        if protocol not in known:
            expected = f"{', '.join(known)} {_where(system)}"
            raise ArgumentError(f"--protocol: found {protocol}; expected {expected}")
    if overheads and overheads.noise and system.scheduler is Scheduler.EDF:
        raise ArgumentError("--overheads: found ticks; expected none under EDF: no target has both")
    if overheads and not overheads.are_none:
        refuse_uncosted(system, has_caches=any(overheads.caches_ns.values()))
        if not overheads.servers:
            refuse_servers(system)
    if overheads is None or overheads.are_none:  # the costs of alarms are not known
        system = with_timed(system)
    notes = Notes(system)
    notes.of_system(protocols, overheads)
    notes.of_timed(described)
    effort = Effort()
    # The activations of a kernel with overheads take time that no chain contains.
    has_costs = overheads is not None and not overheads.are_none
    is_followed = not (has_costs or system.global_resources)

    def of(protocol: Protocol, chains: Chains, notes: Notes) -> _Analysis:
        return _Analysis(chains, protocol, overheads, away_ns, effort, notes)

    def ends_of(protocol: Protocol, chains: Chains) -> Ends:
        return of(protocol, chains, Notes(system)).ends()

    def chains_under(protocol: Protocol) -> Chains:
        # A plug-in knows no chains.
        if not is_followed or protocol not in (*OF_LEVELS, Protocol.NONE):
            return Chains(system)
        return settled(chains_of(system), partial(ends_of, protocol))

    analyses = [of(protocol, chains_under(protocol), notes) for protocol in protocols]
    rows = [row for analysis in analyses for row in analysis.rows()]
    order = {task.name: index for index, task in enumerate(system.tasks)}
    rows.sort(key=lambda row: order[row.task])  # stable: protocols keep their order
    return AnalysisReport(
        name=system.name,
        rows=tuple(rows),
        demand=tuple(row for analysis in analyses for row in analysis.demand),
        servers=tuple(server_rows(system)),
        notes=notes.lines(),
        overheads=overheads,
    )


def protocols_under(scheduler: Scheduler) -> tuple[Protocol, ...]:
    """Return the protocols analysed under a scheduler, if no resource is global."""
    if scheduler is Scheduler.EDF:
        return (Protocol.FLOOR,)
    return tuple(each for each in Protocol if not each.is_across and each is not Protocol.FLOOR)


def protocols_of(system: System) -> tuple[Protocol, ...]:
    """Return the protocols that can be analysed for a system."""
    across = [each for each in Protocol if each.is_across] if system.global_resources else ()
    under = (Protocol.CEILING,) if system.resources_of_servers else None
    return (*across, *(under or protocols_under(system.scheduler)))


def shown_of(system: System) -> tuple[Protocol, ...]:
    """Return the protocols that are analysed by default.

    With global resources CEILING is left out. Each protocol across CPUs contains ceilings, and
    ceilings alone bound no wait for another CPU.
    """
    known = protocols_of(system)
    is_across = bool(system.global_resources)
    return tuple(each for each in known if not (is_across and each is Protocol.CEILING))


def _where(system: System) -> str:
    if system.resources_of_servers:
        names = ", ".join(resource.name for resource in system.resources_of_servers)
        return f"where servers share {names}"
    return f"under the scheduler {system.scheduler}"


class _Analysis:
    """The analysis of all tasks under a protocol."""

    def __init__(
        self,
        chains: Chains,
        protocol: Protocol,
        overheads: Overheads | None,
        away_ns: int,
        effort: Effort,
        notes: Notes,
    ) -> None:
        system = chains.system
        self._chains = chains
        self._described = system
        self._system = inflate(system, protocol, overheads) if overheads else system
        self._protocol = protocol
        self._overheads = overheads
        # For the kernel's work that is not in the bodies, such as a piece begun before a window.
        self._costs = overheads.costs[protocol.on_one_cpu] if overheads else Costs()
        self._servers = overheads.servers if overheads else None
        self._has_costs = overheads is not None and not overheads.are_none
        self._away_ns = away_ns
        self._effort = effort
        self._notes = notes
        self.demand: list[DemandRow] = []  # of the parts that rows() has passed

    def ends(self) -> Ends:
        """Return the end of each task from the arrival of its chain."""
        return {
            row.task: row.response_bound_ns if row.end_to_end_ns is None else row.end_to_end_ns
            for row in self.rows()
        }

    def rows(self) -> Iterator[AnalysisRow]:
        each_ns = decision_ns(self._costs, self._servers) if self._servers else 0
        for part in parts_of(self._system, each_ns):
            not_yet = not_covered_yet(self._system, part.cpu, self._protocol)
            late = why_late(self._described)
            why = part.why_no_bound or self._deadlock(part.tasks)
            if not_yet:
                yield from (self._no_bound_yet(task, not_yet) for task in part.tasks)
            elif late:
                yield from (self._no_bound(task, late) for task in part.tasks)
            elif self._system.globals_on(part.cpu):
                yield from map(self._row_across, part.tasks)
            elif why:
                yield from (self._no_bound(task, why) for task in part.tasks)
            else:
                yield from self._rows_of_part(part)

    def _rows_of_part(self, part: Part) -> Iterator[AnalysisRow]:
        unknown = {task.name: self._not_covered(task) for task in part.tasks}
        for task in part.tasks:
            why = unknown[task.name]
            if why:
                yield self._no_bound(task, why)
        tasks = tuple(task for task in part.tasks if not unknown[task.name])
        if self._protocol is Protocol.NONE and tasks:
            yield from self._rows_of_busy_period(part, tasks)
        elif self._protocol is Protocol.FLOOR and tasks:
            yield from self._rows_of_deadlines(part, tasks)
        elif self._protocol.on_one_cpu in OF_LEVELS:
            protocol = self._protocol.on_one_cpu
            accounts = [(each, reach_of(each.system, protocol)) for each in part.accounts]
            yield from (self._row_of_level(accounts, task) for task in tasks)
        else:
            yield from (self._row_of_plugin(part, task) for task in tasks)

    def _row_of_plugin(self, part: Part, task: Task) -> AnalysisRow:
        found = plugged_bounds(self._protocol, part, task, self._overheads, self._away_ns)
        return self._no_bound(task, found) if isinstance(found, str) else self._row(task, found)

    def _deadlock(self, tasks: tuple[Task, ...]) -> str | None:
        """Return a possible deadlock in words; None if the protocol or the tasks exclude it.

        The locks of tasks in C have no known order.
        """
        if self._described.c_files or self._protocol.on_one_cpu in (
            Protocol.CEILING,
            Protocol.FLOOR,
        ):
            return None
        cycle = find_deadlock(replace(self._system, tasks=tasks))
        if not cycle:
            return None
        found = "; ".join(map(str, cycle))
        return f"a deadlock is possible: {found}" if is_cycle(cycle) else f"a deadlock is {found}"

    def _not_covered(self, task: Task) -> str | None:
        for other in self._described.tasks_on(task.cpu):
            counts = self._protocol is Protocol.NONE or other.priority >= task.priority
            why = self._chains.why_not(other) if counts else None
            if why:
                return why
        return not_covered(self._described, task, self._protocol, self._has_costs)

    def _rows_of_busy_period(self, part: Part, tasks: tuple[Task, ...]) -> Iterator[AnalysisRow]:
        self._effort.begin_row()
        system = self._chains.at_level(part.system, part.cpu, LEAST_PRIORITY)
        background = self._background(busy_tasks(system, part.cpu), part)
        background = replace(background, carried_ns=background.carried_ns + self._piece_ns(part))
        try:
            busy_ns = busy_period_ns(system, part.cpu, self._effort, background)
        except NoWindowError as error:
            yield from (self._no_bound(task, str(error)) for task in tasks)
            return
        names = {task.name for task in tasks}
        for task in system.tasks_on(part.cpu):
            if task.name in names:
                yield self._row(task, Bounds(None, busy_ns + task.jitter_ns, busy_ns))

    def _rows_of_deadlines(self, part: Part, tasks: tuple[Task, ...]) -> Iterator[AnalysisRow]:
        """Yield the rows of the tasks of a part under EDF, and append the part's demand."""
        self._effort.begin_row()
        workload = workload_of(part.system, part.cpu, self._costs, self._away_ns, part.supply)
        try:
            busy_ns = synchronous_busy_ns(workload, self._effort)
            failure = least_failure(workload, busy_ns, self._effort)
        except NoWindowError as error:
            yield from (self._no_bound(task, str(error)) for task in tasks)
            return
        self.demand.append(
            DemandRow(
                cpu=part.cpu,
                server=part.server and part.server.name,
                utilisation=float(part.system.utilisation(part.cpu)),
                busy_period_ns=busy_ns,
                schedulable=failure is None,
                window_ns=failure and failure.window_ns,
                demand_ns=failure and failure.demand_ns,
                blocking_ns=failure and failure.blocking_ns,
            )
        )
        for task, jobs in zip(tasks, workload.jobs, strict=True):
            self._effort.begin_row()
            try:
                yield self._row(task, due_bounds(workload, jobs, busy_ns, self._effort))
            except NoWindowError as error:
                row = self._no_bound(task, str(error))
                yield row if failure else row.model_copy(update={"schedulable": True})

    def _row_of_level(self, accounts: Accounts, task: Task) -> AnalysisRow:
        self._effort.begin_row()
        found: list[Bounds] = []
        why = ""
        for part, reach in accounts:
            try:
                found.append(self._bounds_of_level(part, reach, task.name))
            except NoWindowError as error:
                why = str(error)
        if not found:
            return self._no_bound(task, why)
        return self._row(task, min(found, key=lambda bounds: bounds.response_ns))

    def _bounds_of_level(self, part: Part, reach: Reach, name: str) -> Bounds:
        priority = next(task.priority for task in part.tasks if task.name == name)
        system = self._chains.at_level(part.system, part.cpu, priority)
        task = next(task for task in system.tasks if task.name == name)
        once_ns = blocking_ns(system, task, self._protocol.on_one_cpu, reach)
        level = level_of(system, task, once_ns + self._piece_ns(part))
        background = self._background((task, *level.others), part)
        if self._protocol is Protocol.INHERIT:
            level = with_requests(system, level, reach, self._effort, background)
        threshold = threshold_of(system, task)
        has_begin = self._protocol is Protocol.CEILING and background == Background()
        has_begin = has_begin and not self._chains.is_link(task)
        if threshold > task.priority and has_begin and not level.sleeps:
            return bounds_from_begin(level, threshold, self._effort)
        bounds = level_bounds(level, self._effort, background)
        free = replace(background, overheads=None, wake_ups=())
        is_alone = not self._has_costs and free == Background()
        if is_alone and has_phases(level):
            return bounds_in_phase(level, bounds, self._effort)
        return bounds

    def _piece_ns(self, part: Part) -> int:
        """Return the longest piece of work, in the kernel or at a gate, begun before a window."""
        pass_ns = self._servers.pass_ns if self._servers and part.server else 0
        return max(self._costs.piece_ns, pass_ns)

    def _row_across(self, task: Task) -> AnalysisRow:
        found = self._bounds_across[task.name]
        return self._no_bound(task, found) if isinstance(found, str) else self._row(task, found)

    @cached_property
    def _bounds_across(self) -> dict[str, Bounds | str]:
        """The bounds of each task on CPUs with global resources, or the reason for none."""
        concerned = [task for task in self._system.tasks if self._system.globals_on(task.cpu)]
        why_none = not_covered_across(self._described, self._protocol)
        if why_none:
            return dict.fromkeys((task.name for task in concerned), why_none)
        unknown = {task.name: self._not_covered(task) for task in concerned}
        found = bounds_under(
            self._protocol,
            self._system,
            [task for task in concerned if not unknown[task.name]],
            Surroundings(
                lambda counted, cpu: self._background(counted, Part(self._system, cpu)),
                self._costs.piece_ns,
                self._costs.interrupt_ns,
                is_lent=self._overheads is not None and self._overheads.global_mutex is not None,
            ),
            self._effort,
        )
        return {name: why for name, why in unknown.items() if why} | {
            name: str(bounds) if isinstance(bounds, NoWindowError) else bounds
            for name, bounds in found.items()
        }

    def _background(self, counted: tuple[Task, ...], part: Part) -> Background:
        found = background_of(part.system, counted, part.cpu, self._protocol, self._overheads)
        carried_ns = found.carried_ns + self._away_ns
        if part.reservation:  # the supply contains the other reservations: reserved.py
            return replace(found, carried_ns=carried_ns, supply=part.supply)
        found = replace(
            found,
            carried_ns=carried_ns + taken_late_ns(self._described, self._overheads),
            reserved=taken_by_reservations(self._described, part.cpu),
            supply=part.supply,
        )
        if not (part.server and self._servers):
            return found
        return with_passes(self._system, part.server, found, self._costs, self._servers)

    def _row(self, task: Task, bounds: Bounds) -> AnalysisRow:
        response_ns, end_ns = bounds.response_ns, None
        if self._chains.is_link(task) and bounds.from_release_ns is not None:
            is_whole = self._protocol is Protocol.NONE
            level = LEAST_PRIORITY if is_whole else task.priority
            end_ns = self._chains.end_ns(task, level, response_ns)
            response_ns = bounds.from_release_ns
        return AnalysisRow(
            task=task.name,
            protocol=self._protocol,
            blocking_bound_ns=bounds.blocking_ns,
            response_bound_ns=response_ns,
            end_to_end_ns=end_ns,
            deadline_ns=task.deadline_ns,
            claimed_run_ns=claimed_run_ns(task),
            server=task.server,
            schedulable=None if task.deadline_ns is None else response_ns <= task.deadline_ns,
        )

    def _no_bound_yet(self, task: Task, why: str) -> AnalysisRow:
        self._notes.no_bound(self._protocol, task, why, Verdict.NO_BOUND_YET)
        return self._without_bound(task, why_not_yet=why)

    def _no_bound(self, task: Task, why: str) -> AnalysisRow:
        self._notes.no_bound(self._protocol, task, why)
        return self._without_bound(task)

    def _without_bound(self, task: Task, why_not_yet: str | None = None) -> AnalysisRow:
        return AnalysisRow(
            task=task.name,
            protocol=self._protocol,
            blocking_bound_ns=None,
            response_bound_ns=None,
            deadline_ns=task.deadline_ns,
            claimed_run_ns=claimed_run_ns(task),
            schedulable=None,
            no_bound_yet=why_not_yet,
            server=task.server,
        )
