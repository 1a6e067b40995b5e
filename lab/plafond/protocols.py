# SPDX-License-Identifier: MIT
"""The registry of protocols: a row for each, with its name and its traits.

Other packages add rows for Plafond's own kernel: plugin.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from plafond.errors import ArgumentError
from plafond.plugin import ANALYSES, load_plugins
from plafond.words import suggestion

PLUGINS = load_plugins()


class Protocol(StrEnum):
    """The effect of a lock on priorities or deadlines, as far as an analysis distinguishes it."""

    CEILING = "ceiling"  # immediate ceilings: all forms of plafond, and priority protection
    INHERIT = "inherit"  # priority inheritance
    NONE = "none"  # plain mutexes
    FLOOR = "floor"  # deadline floors, under EDF; the stack resource policy has the same terms
    # The protocols below are for resources across CPUs; on each CPU they behave as CEILING.
    MPCP = "mpcp"  # a waiting task sleeps; the most urgent waiting task is next
    MSRP = "msrp"  # a waiting task spins without preemption; the first request is next
    SPIN_PRIORITY = "spin-priority"  # as MSRP, but the most urgent waiting task is next
    SPIN_UNORDERED = "spin-unordered"  # as MSRP, but any waiting task may be next
    # A plug-in, unless it has the analysis of another protocol.
    vars().update({name: name for name, each in PLUGINS.items() if each.analysis not in ANALYSES})

    @property
    def is_across(self) -> bool:
        """Return whether the protocol is for resources with users on several CPUs."""
        spinning = (Protocol.MSRP, Protocol.SPIN_PRIORITY, Protocol.SPIN_UNORDERED)
        return self is Protocol.MPCP or self in spinning

    @property
    def on_one_cpu(self) -> "Protocol":
        """Return the protocol's effect on a resource with users on one CPU."""
        return Protocol.CEILING if self.is_across else self


class KernelProtocol(StrEnum):
    """The protocols of Plafond's own kernel, each a folder of kernel/resource or of a plug-in."""

    SYSCALL = "syscall"
    SYSCALL_BARE = "syscall-bare"
    SYSCALL_ID_UPRIO = "syscall-id-uprio"
    UPRIO_KPRIO = "uprio-kprio"
    UPRIO_KPRIO_LAZY = "uprio-kprio-lazy"
    UPRIO_NPRIO = "uprio-nprio"
    LAZY_CEILING = "lazy-ceiling"
    LAZY_CEILING_SIMPLE = "lazy-ceiling-simple"
    IRQ_OFF = "irq-off"
    MASK = "mask"
    DEADLINE_FLOOR = "deadline-floor"
    LAZY_FLOOR = "lazy-floor"
    NONE = "none"
    INHERIT = "inherit"
    vars().update({name: name for name in PLUGINS})

    @property
    def traits(self) -> "InKernel":
        """Return the traits in the registry."""
        found = row_of(self).kernel
        assert found
        return found

    @property
    def folder(self) -> Path:
        """Return its folder, absolute or in kernel/resource."""
        return PLUGINS[self].kernel.resolve() if self in PLUGINS else Path(self)


class GlobalProtocol(StrEnum):
    """The kernel's protocols for resources with users on several CPUs, each in kernel/global."""

    MPCP = "mpcp"
    MPCP_CALLED = "mpcp-called"
    MSRP = "msrp"
    SPIN_UNORDERED = "spin-unordered"
    SPIN_PRIORITY = "spin-priority"

    @property
    def traits(self) -> "AcrossCores":
        """Return the traits in the registry."""
        found = row_of(self).across
        assert found
        return found

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders in kernel/global; the last has the headers of the contract."""
        return (f"spin/{self}", "spin") if self.traits.spins else (self.value,)


USERS_IN_WORD = 64  # PLF_MPCP_MOST, and for most spinlocks PLF_SPIN_MOST, of protocol/


@dataclass(frozen=True)
class OnLinux:
    """The traits of a protocol of threads on Linux."""

    needs_modules: bool = False  # needs our kernel modules; otherwise any kernel runs it
    is_global: bool = False  # libplafond's mutexes across CPUs run under it
    is_of_one_cpu: bool = False  # it refuses resources across CPUs
    has_servers: bool = False  # its threads may be in servers: plf_server_join() of plafond.h


@dataclass(frozen=True)
class InKernel:
    """The traits of a folder of kernel/resource."""

    schedulers: tuple[str, ...]  # folders of kernel/scheduler that it supports
    globals: tuple[GlobalProtocol, ...] = ()  # can run beside it; the first is the default
    is_called: bool = False  # its sections are system calls; otherwise they are user code
    waits: bool = False  # no ceilings: a task waits while another task holds the resource
    is_of_servers: bool = False  # resources may have users in several servers: lazy_global.h


@dataclass(frozen=True)
class AcrossCores:
    """The traits of a folder of kernel/global."""

    analysis: Protocol  # the analysis of the global resources
    spins: bool = True  # a waiting task keeps its core, at the ceiling; otherwise it is suspended
    is_fair: bool = True  # a lock is handed over to a waiting task, in an order
    users_in_word: int = USERS_IN_WORD  # the number of users that a word can hold


@dataclass(frozen=True)
class Row:
    """A protocol by its name, with its traits in each place that has it."""

    name: str
    analysis: Protocol | None  # for resources of one CPU; None: only benches run it
    linux: OnLinux | None = None
    kernel: InKernel | None = None
    across: AcrossCores | None = None

    @property
    def is_stock(self) -> bool:
        """Return whether it runs on Linux without our modules."""
        return self.linux is not None and not self.linux.needs_modules

    @property
    def analysis_across(self) -> Protocol | None:
        """Return how it is analysed if some resources are global."""
        if self.across:
            return self.across.analysis
        is_global = (self.linux and self.linux.is_global) or (self.kernel and self.kernel.globals)
        return Protocol.MPCP if is_global else self.analysis

    def runs_under(self, scheduler: str) -> bool:
        """Return whether a run on a board takes it by default under that scheduler."""
        if not (self.kernel and self.analysis):
            return False
        return scheduler in self.kernel.schedulers and not self.kernel.waits


_CEILING, _FLOOR = Protocol.CEILING, Protocol.FLOOR
_BY_SOFTWARE, _BY_EITHER = ("priority",), ("priority", "hardware")
# User code stores its ceiling and enters the queue or spins; under _BY_CALLS the kernel does both.
_BY_USERS = (
    *(GlobalProtocol.MPCP, GlobalProtocol.MSRP),
    *(GlobalProtocol.SPIN_UNORDERED, GlobalProtocol.SPIN_PRIORITY),
)
_BY_CALLS = (GlobalProtocol.MPCP_CALLED,)
_WAITS = InKernel(_BY_SOFTWARE, is_called=True, waits=True)

PROTOCOLS = (
    # These use POSIX's words, if there are any: PTHREAD_PRIO_PROTECT, _INHERIT, _NONE.
    Row("plafond", _CEILING, OnLinux(is_global=True, has_servers=True)),
    Row("plafond-strict", _CEILING, OnLinux(is_of_one_cpu=True)),
    Row("plafond-syscall", _CEILING, OnLinux(is_global=True)),
    Row("protect", _CEILING, OnLinux()),
    Row("inherit", Protocol.INHERIT, OnLinux(), _WAITS),
    Row("none", Protocol.NONE, OnLinux(), _WAITS),
    Row("plafond-module", _CEILING, OnLinux(needs_modules=True, is_global=True)),
    Row("plafond-module-strict", _CEILING, OnLinux(needs_modules=True, is_of_one_cpu=True)),
    # These run sections in the kernel, under mutexes for drivers.
    Row("immpc", _CEILING, OnLinux(needs_modules=True)),
    Row("immpc-eager", _CEILING, OnLinux(needs_modules=True)),
    Row("rt-mutex", Protocol.INHERIT, OnLinux(needs_modules=True)),
    Row(
        *("syscall", _CEILING),
        kernel=InKernel(_BY_SOFTWARE, _BY_CALLS, is_called=True, is_of_servers=True),
    ),
    Row("syscall-bare", None, kernel=InKernel(_BY_SOFTWARE, _BY_CALLS, is_called=True)),
    Row("syscall-id-uprio", None, kernel=InKernel(_BY_SOFTWARE, _BY_CALLS, is_called=True)),
    Row("uprio-kprio", _CEILING, kernel=InKernel(_BY_EITHER, _BY_USERS)),
    Row("uprio-kprio-lazy", _CEILING, kernel=InKernel(_BY_EITHER, _BY_USERS)),
    Row("uprio-nprio", _CEILING, kernel=InKernel(_BY_SOFTWARE, _BY_USERS, is_of_servers=True)),
    Row("lazy-ceiling", _CEILING, kernel=InKernel(_BY_EITHER, _BY_USERS, is_of_servers=True)),
    Row("lazy-ceiling-simple", _CEILING, kernel=InKernel(_BY_SOFTWARE, _BY_USERS)),
    Row("irq-off", None, kernel=InKernel(_BY_SOFTWARE)),
    # A section's ceiling is the mask of the interrupt controller. Under other protocols sections
    # store the ceiling, and the kernel sets the mask.
    Row("mask", _CEILING, kernel=InKernel(("hardware",), _BY_CALLS, is_called=True)),
    Row("deadline-floor", _FLOOR, kernel=InKernel(("edf",), is_called=True)),
    Row("lazy-floor", _FLOOR, kernel=InKernel(("edf",))),
    # Under these, the resources of one CPU have immediate ceilings.
    Row("mpcp", _CEILING, across=AcrossCores(Protocol.MPCP, spins=False)),
    Row("mpcp-called", _CEILING, across=AcrossCores(Protocol.MPCP, spins=False)),
    Row("msrp", _CEILING, across=AcrossCores(Protocol.MSRP)),
    Row("spin-unordered", _CEILING, across=AcrossCores(Protocol.SPIN_UNORDERED, is_fair=False)),
    Row("spin-priority", _CEILING, across=AcrossCores(Protocol.SPIN_PRIORITY, users_in_word=32)),
    # Mutexes across CPUs, and a spinlock, which `bench locks` compares.
    Row("plafond-global", None),
    Row("plafond-global-spin", None),
    Row("ticket-spinlock", None),
    *(
        Row(
            name,
            Protocol(each.analysis if each.analysis in ANALYSES else name),
            kernel=InKernel(each.schedulers, is_called=each.is_called, waits=each.waits),
        )
        for name, each in PLUGINS.items()
    ),
)
_BY_NAME = {row.name: row for row in PROTOCOLS}


def row_of(name: str) -> Row:
    """Return the row of a protocol; KeyError if there is none."""
    return _BY_NAME[name]


def names_of(trait: Callable[[Row], object]) -> tuple[str, ...]:
    """Return the names of the protocols with a trait, in the order of the registry."""
    return tuple(row.name for row in PROTOCOLS if trait(row))


def analysed(name: str, *, across_cpus: bool = False) -> Protocol:
    """Return the analysis for a protocol; `across_cpus`: some resources are global.

    KeyError if there is no analysis.
    """
    row = row_of(name)
    found = row.analysis_across if across_cpus else row.analysis
    if row.analysis is None or found is None:
        raise KeyError(name)
    return found


def parse_protocols(
    text: str, known: Sequence[str], elsewhere: Mapping[str, str] | None = None
) -> list[str]:
    """Turn `inherit,none` into a list without repetitions; ArgumentError names the wrong word.

    `elsewhere`: protocols that other targets know, and their requirements.
    """
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            needs = (elsewhere or {}).get(word)
            hint = f" ({word} needs {needs})" if needs else suggestion(word, list(known))
            expected = f"{', '.join(known)}{hint}"
            raise ArgumentError(f"--protocol: found {word!r}; expected some of {expected}")
    return list(dict.fromkeys(words))
