# SPDX-License-Identifier: MIT
"""The costs of locks, arrivals and other work of a target: docs/analysis/terms.md."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import ceil
from typing import TypeVar

from plafond.describe.combine import Place, refusals
from plafond.describe.subject import subject_of
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.protocols import Protocol


def refuse_servers(system: System) -> None:
    """Raise ArgumentError for servers, because the costs of their switches are not known."""
    if system.payers:
        names = ", ".join(payer.name for payer in system.payers)
        raise ArgumentError(
            f"--overheads: found the servers {names}; expected none: what these cost is not known"
        )


def refuse_uncosted(system: System, *, has_caches: bool) -> None:
    """Raise ArgumentError for features that no bound with overheads counts together."""
    subject = subject_of(system)
    if not has_caches:
        subject = replace(subject, working_sets=())
    for refusal in refusals(subject, Place.OVERHEADS):
        raise ArgumentError(f"--overheads: {refusal}")


@dataclass(frozen=True)
class Costs:
    """The costs of a protocol in ns; each is the largest that was measured.

    A wake-up is an arrival or the end of a sleep.
    """

    interrupt_ns: int = 0  # a wake-up takes it from the running task, even if that task goes on
    activation_ns: int = 0  # further cost of a wake-up until the job has ended or sleeps
    switch_ns: int = 0  # further cost if the job preempts another job: two switches
    pair_ns: int = 0  # locking and unlocking once, uncontended
    preempted_ns: int = 0  # further cost of a section that delays another task
    disturbed_ns: int = 0  # further cost of a section with arrivals that it does not delay

    @property
    def wake_up_ns(self) -> int:
        """The largest cost of a wake-up."""
        return self.interrupt_ns + self.activation_ns + self.switch_ns

    @property
    def piece_ns(self) -> int:
        """The longest piece of work that the kernel does before it looks at an arrival."""
        section_ns = self.pair_ns + max(self.preempted_ns, self.disturbed_ns)
        return max(self.wake_up_ns, section_ns)


@dataclass(frozen=True)
class GlobalMutex:
    """The costs of libplafond's mutexes across CPUs: the largest times in ns."""

    pair_ns: int  # locking and unlocking once, uncontended
    handover_ns: int  # to a waiting task: two priority changes and two calls of a futex


@dataclass(frozen=True)
class ServerCosts:
    """The further costs of servers on Linux (managed.py): the largest times in ns."""

    # From when a decision of the manager is due until a thread of the chosen server runs.
    decision_ns: int
    pass_ns: int  # a wake-up without budget takes it from the server that has the CPU


_Costs = TypeVar("_Costs", Costs, GlobalMutex, ServerCosts)


@dataclass(frozen=True)
class Overheads:
    """The costs of each protocol on one CPU, and the delays of all tasks."""

    costs: Mapping[Protocol, Costs]
    noise: tuple[tuple[int, int], ...] = ()  # (window_ns, stolen_ns), both ascending: ticks
    step_ns: int = 0  # how much longer each run step may last than it says
    # The short gaps, which a machine without a host has, too; None: not measured apart.
    short_noise: tuple[tuple[int, int], ...] | None = None
    global_mutex: GlobalMutex | None = None  # None: the costs of one CPU apply
    servers: ServerCosts | None = None  # None: not known, or there are none
    tick_ns: int = 0  # how late the kernel looks at the budgets of reservations, at most
    # By task: the cost to load its working set after others had the processor: OSPERT 2010, 4.
    caches_ns: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError for a wrong curve of noise, which would make bounds silently wrong."""
        windows = [window_ns for window_ns, _ in self.noise]
        stolen = [stolen_ns for _, stolen_ns in self.noise]
        if sorted({*windows}) != windows or sorted(stolen) != stolen or 0 in windows:
            raise ValueError("noise: expected ascending windows above 0, stolen time not falling")

    @property
    def are_none(self) -> bool:
        """Whether all costs are 0, as in virtual time."""
        costs = all(each == Costs() for each in self.costs.values())
        mutexes_and_servers = self.global_mutex or self.servers
        besides = self.noise or self.step_ns or mutexes_and_servers or any(self.caches_ns.values())
        return costs and not besides

    def slowed(self, times: float) -> "Overheads":
        """Return the overheads of a processor whose own work takes `times` as long.

        Noise, ticks and the costs of caches stay.
        """
        if times == 1:
            return self

        def slower(costs: _Costs) -> _Costs:
            each = {field.name: ceil(getattr(costs, field.name) * times) for field in fields(costs)}
            return replace(costs, **each)

        return replace(
            self,
            costs={protocol: slower(costs) for protocol, costs in self.costs.items()},
            step_ns=ceil(self.step_ns * times),
            global_mutex=self.global_mutex and slower(self.global_mutex),
            servers=self.servers and slower(self.servers),
        )

    def without_host(self) -> "Overheads":
        """Return the overheads without the gaps that a host causes, if these are known."""
        return self if self.short_noise is None else replace(self, noise=self.short_noise)

    def stolen_ns(self, window_ns: int) -> int:
        """Return the time in ns that others may take in any window of this length."""
        for measured_ns, stolen_ns in self.noise:
            if window_ns <= measured_ns:
                return stolen_ns
        if not self.noise:
            return 0
        longest_ns, stolen_ns = self.noise[-1]
        return -(-window_ns // longest_ns) * stolen_ns
