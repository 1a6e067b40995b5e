# SPDX-License-Identifier: MIT
"""Notes that explain the rows of an analysis."""

from collections import Counter
from collections.abc import Iterator

from plafond.analyse.chains import chains_of
from plafond.analyse.enforced import notes_of_enforced
from plafond.analyse.managed import decision_ns, decisions_in_period, sure_budget_ns
from plafond.analyse.model import Verdict
from plafond.analyse.offsets import is_in_phase
from plafond.analyse.overheads import Overheads
from plafond.analyse.overload import cpus_in_use, overloaded_cpus
from plafond.analyse.reserved import supply_of_reservation, taken_late_ns
from plafond.analyse.servers import server_rows
from plafond.describe.kernel import Scheduler
from plafond.describe.server import Sharing
from plafond.describe.system import System, Task
from plafond.describe.timed import timed_of
from plafond.protocols import Protocol
from plafond.units import format_duration, format_size

NAMED = 8
PHASES = "offsets: periodic tasks without jitter arrive in the phases of their offsets only"
EXCLUDED = "bounds exclude overheads: the costs of locks, switches and interrupts"


class Notes:
    """Collects notes; tasks without a bound are named together, by reason."""

    def __init__(self, system: System) -> None:
        """Begin without notes."""
        self._system = system
        self._lines: list[str] = []
        self._no_bound: dict[tuple[Protocol, int, str, Verdict], list[str]] = {}

    def of_system(self, protocols: tuple[Protocol, ...], overheads: Overheads | None) -> None:
        """Add the notes that concern all rows."""
        if overheads is None:
            self._lines.append(EXCLUDED)
        if self._system.scheduler is Scheduler.EDF:
            self._lines.extend(_of_edf(self._system))
        else:
            self._lines.extend(_of_priorities(self._system))
        if any(task.jitter_ns for task in self._system.tasks):
            self._lines.append("release jitter: responses count from arrivals, not from releases")
        if overheads is None or overheads.are_none:
            self._lines.extend(_of_phases_and_chains(self._system))
        if Protocol.NONE in protocols:
            self._lines.append(
                "none: the bound is the longest busy period of the CPU; blocking has no own bound"
            )
        self._lines.extend(notes_of_enforced(self._system))
        self._lines.extend(_of_caches(self._system, overheads))
        self._lines.extend(_across_cpus(self._system, protocols, overheads))
        self._lines.extend(_of_servers(self._system))
        self._lines.extend(_of_manager(self._system, protocols, overheads))
        self._lines.extend(_of_reservations(self._system, overheads))
        self._lines.extend(f"CPU {cpu} is overloaded" for cpu in overloaded_cpus(self._system))

    def of_timed(self, described: System) -> None:
        """Add the arrivals that the described system has only by an alarm or a schedule table."""
        for before, task in zip(described.tasks, self._system.tasks, strict=True):
            timed = timed_of(described, before) if task.interval != before.interval else None
            if timed and timed.interval == task.interval:
                interval = format_duration(task.least_interval_ns)
                self._lines.append(
                    f"{task.name}: {timed.source} activates it, {interval} apart or more"
                )

    def no_bound(
        self, protocol: Protocol, task: Task, why: str, what: Verdict = Verdict.NO_BOUND
    ) -> None:
        """Add the reason why a row has no bound; `what` is its verdict."""
        self._no_bound.setdefault((protocol, task.cpu, why, what), []).append(task.name)

    def lines(self) -> tuple[str, ...]:
        """Return all notes, a line each."""
        return (
            *self._lines,
            *(
                f"{protocol}: {what} for {_listed(tasks)}: {why}"
                for (protocol, _, why, what), tasks in self._no_bound.items()
            ),
        )


def _of_phases_and_chains(system: System) -> Iterator[str]:
    if system.global_resources or not system.scheduler.has_priorities:
        return
    if any(task.offset_ns and is_in_phase(task) and not task.server for task in system.tasks):
        yield PHASES
    links = chains_of(system).before
    for name, by in links.items():
        yield f"{name}: responses count from where {by} activates it"
    if links:
        yield "end to end: from the arrival of the first task of the chain"


def _of_priorities(system: System) -> Iterator[str]:
    levels = Counter((task.cpu, task.server, task.priority) for task in system.tasks)
    if max(levels.values()) > 1:
        yield "tasks of equal priority count as more urgent than each other"
    if any(task.sleeps_ns for task in system.tasks):
        yield "after each sleep of a task a section may block once more"


def _of_caches(system: System, overheads: Overheads | None) -> Iterator[str]:
    if overheads is None:
        return
    known = [task for task in system.tasks if task.working_set is not None]
    for task in known:
        if task.name in overheads.caches_ns:
            lost = format_duration(overheads.caches_ns[task.name])
            size = format_size(task.working_set or 0)
            yield f"{task.name}: a preemption costs it at most {lost} for its {size}, as measured"
    if known and not overheads.caches_ns:
        yield "bounds exclude what preemptions cost working sets: only linux has caches to measure"


def _across_cpus(
    system: System, protocols: tuple[Protocol, ...], overheads: Overheads | None
) -> Iterator[str]:
    if not system.global_resources:
        return
    if Protocol.MPCP in protocols:
        yield "mpcp: blocking is the waits for other CPUs, and the sections of less urgent tasks"
    spinning = [each for each in protocols if each in (Protocol.MSRP, Protocol.SPIN_PRIORITY)]
    if spinning:
        yield f"{', '.join(spinning)}: what a task spins is its work, and no blocking of it"
    if overheads and overheads.global_mutex and Protocol.MPCP in protocols:
        mutex = overheads.global_mutex
        yield (
            f"mpcp: a section contains {format_duration(mutex.pair_ns)} for its lock, "
            f"{format_duration(mutex.handover_ns)} for a hand-over to it, and a wake-up; the "
            "kernel may spin for a task that waits"
        )


def _of_servers(system: System) -> Iterator[str]:
    if not system.servers:
        return
    yield "first gap: for so long, from an arrival on, a server may have no time for its tasks"
    for row in server_rows(system):
        if row.is_aligned:
            period = format_duration(row.period_ns)
            yield f"{row.server}: all arrivals fall on multiples of {period}: the gap is its start"
    if system.resources_of_servers:
        yield from _of_sharing(system)


def _of_manager(
    system: System, protocols: tuple[Protocol, ...], overheads: Overheads | None
) -> Iterator[str]:
    """Yield how much of each budget the manager of servers on Linux leaves."""
    if not overheads or not overheads.servers:
        return
    servers = overheads.servers
    each_ns = max(decision_ns(overheads.costs[each.on_one_cpu], servers) for each in protocols)
    each_takes = format_duration(each_ns)
    for server in system.servers:
        decisions = decisions_in_period(system, server)
        sure = format_duration(sure_budget_ns(system, server, each_ns))
        yield (
            f"{server.name}: up to {decisions} decisions of the manager in each budget, of "
            f"{each_takes} each: {sure} of {format_duration(server.budget_ns)} are sure"
        )
    taken = format_duration(servers.pass_ns)
    yield f"servers: a task that wakes up while its server has not the CPU takes {taken} of it"


def _of_reservations(system: System, overheads: Overheads | None) -> Iterator[str]:
    for each in system.reservations:
        budget, period = format_duration(each.budget_ns), format_duration(each.period_ns)
        share = each.budget_ns / each.period_ns
        before = "tasks" if each.task is None else "tasks without a reservation"
        thread = each.task or f"the thread {each.thread('N')}"
        yield (
            f"{each.name}: {thread} comes before all {before}, with {budget} in each {period}, "
            f"{share:.1%} of a CPU"
        )
    for cpu in cpus_in_use(system):
        for each, task in system.reserved_on(cpu):
            gap_ns = supply_of_reservation(system, each, task).gap_ns
            if gap_ns:
                gap = format_duration(gap_ns)
                yield f"{each.name}: from an arrival on, {task.name} may have no time for {gap}"
    if system.reservations and overheads and overheads.tick_ns:
        late = format_duration(taken_late_ns(system, overheads))
        tick = format_duration(overheads.tick_ns)
        yield f"reservations: budgets end up to {tick} late: {late} more in each window"


def _of_sharing(system: System) -> Iterator[str]:
    """Yield notes on the columns of servers that share resources, and on each policy."""
    yield (
        "kept out: for so long a less urgent server, inside a section, keeps one from the core, "
        "once for each budget"
    )
    policies = {server.sharing for server in system.servers}
    if policies & {Sharing.OVERRUN, Sharing.OVERRUN_PAYBACK}:
        yield "overrun: within is the time for the budget and X, and others wait for both"
    if Sharing.OVERRUN_PAYBACK in policies:
        yield "overrun-payback: others wait for X once, and X of the server's own time is owed"
    if Sharing.SKIP in policies:
        yield "skip: a section takes X more, which can pass while it waits for the next budget"


def _of_edf(system: System) -> Iterator[str]:
    yield "floor: deadline floors, eager or lazy; the stack resource policy has the same terms"
    yield "equal absolute deadlines count as earlier than each other"
    if any(task.jitter_ns for task in system.tasks):
        yield "demand: a task is due after its release by its deadline less its jitter"
    for cpu in cpus_in_use(system):
        if system.utilisation(cpu) == 1:
            yield f"CPU {cpu} is asked for all of its time: whatever else takes some is too much"


def _listed(tasks: list[str]) -> str:
    more = [f"{len(tasks) - NAMED} more"] if len(tasks) > NAMED else []
    return ", ".join([*tasks[:NAMED], *more])
