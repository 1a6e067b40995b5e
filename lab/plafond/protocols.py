# SPDX-License-Identifier: MIT
"""The registry of protocols: what each is called, everywhere; and lists of them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from plafond.errors import ArgumentError
from plafond.words import suggestion


class Protocol(StrEnum):
    """What a lock does to priorities or deadlines, as far as an analysis distinguishes it."""

    CEILING = "ceiling"  # immediate ceilings: plafond in every form, priority protection
    INHERIT = "inherit"  # priority inheritance
    NONE = "none"  # plain mutexes
    FLOOR = "floor"  # deadline floors, under EDF; the stack resource policy has the same terms
    # Across CPUs; on each CPU by itself they are CEILING.
    MPCP = "mpcp"  # a task that waits sleeps; the most urgent one is next
    MSRP = "msrp"  # it spins and is not preempted, in the order of the requests
    SPIN_PRIORITY = "spin-priority"  # the same, the most urgent one is next
    SPIN_UNORDERED = "spin-unordered"  # the same, any one is next

    @property
    def on_one_cpu(self) -> "Protocol":
        """What it is for a resource whose users are on one CPU."""
        return Protocol.CEILING if self in ANALYSED_ACROSS else self


ANALYSED_ACROSS = (
    Protocol.MPCP,
    Protocol.MSRP,
    Protocol.SPIN_PRIORITY,
    Protocol.SPIN_UNORDERED,
)
ON_ONE_CPU = tuple(protocol for protocol in Protocol if protocol not in ANALYSED_ACROSS)


# On Linux as it comes. POSIX's words where it has one: PTHREAD_PRIO_PROTECT, _INHERIT, _NONE.
STOCK = {
    "plafond": Protocol.CEILING,
    "plafond-strict": Protocol.CEILING,
    "plafond-syscall": Protocol.CEILING,
    "protect": Protocol.CEILING,
    "inherit": Protocol.INHERIT,
    "none": Protocol.NONE,
}

# With our kernel modules. The last three run sections in the kernel, under mutexes for drivers.
WITH_MODULES = {
    "plafond-module": Protocol.CEILING,
    "plafond-module-strict": Protocol.CEILING,
    "immpc": Protocol.CEILING,
    "immpc-eager": Protocol.CEILING,
    "rt-mutex": Protocol.INHERIT,
}
ON_LINUX = STOCK | WITH_MODULES

# Across CPUs: which run libplafond's mutexes for that, and which run with users on one CPU only.
GLOBAL = ("plafond", "plafond-module", "plafond-syscall")
OF_ONE_CPU = ("plafond-strict", "plafond-module-strict")

# Whose threads may be in servers: see plf_server_join() of plafond.h.
WITH_SERVERS = ("plafond",)

# Mutexes across CPUs, and a spinlock: only `bench locks` compares them.
ACROSS_CPUS = ("plafond-global", "plafond-global-spin", "ticket-spinlock")


class KernelProtocol(StrEnum):
    """How the tasks of Plafond's own kernel lock: a folder of kernel/resource each."""

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


USERS_IN_WORD = 64


class GlobalProtocol(StrEnum):
    """How they lock resources with users on several CPUs: a folder of kernel/global each."""

    MPCP = "mpcp"
    MPCP_CALLED = "mpcp-called"
    MSRP = "msrp"
    SPIN_UNORDERED = "spin-unordered"
    SPIN_PRIORITY = "spin-priority"

    @property
    def spins(self) -> bool:
        """Whether a task that waits keeps its core, at the ceiling; else it is suspended."""
        return self in SPINLOCKS

    @property
    def is_fair(self) -> bool:
        """Whether a lock is handed over to one of those that wait, in an order."""
        return self is not GlobalProtocol.SPIN_UNORDERED

    @property
    def users_in_word(self) -> int:
        """How many users a word holds: PLF_MPCP_MOST, PLF_SPIN_MOST of protocol/."""
        return 32 if self is GlobalProtocol.SPIN_PRIORITY else USERS_IN_WORD


SPINLOCKS = (GlobalProtocol.MSRP, GlobalProtocol.SPIN_UNORDERED, GlobalProtocol.SPIN_PRIORITY)


# What only the tables of `bench kernel` compare; nothing else runs it.
FOR_BENCH = {
    KernelProtocol.SYSCALL_BARE,
    KernelProtocol.SYSCALL_ID_UPRIO,
    KernelProtocol.IRQ_OFF,
}
UNDER_EDF = {KernelProtocol.DEADLINE_FLOOR, KernelProtocol.LAZY_FLOOR}
# A section's ceiling is the mask of the interrupt controller; the others store it, and the kernel
# sets the mask.
UNDER_HARDWARE = {
    KernelProtocol.MASK,
    KernelProtocol.UPRIO_KPRIO,
    KernelProtocol.UPRIO_KPRIO_LAZY,
    KernelProtocol.LAZY_CEILING,
}

# Without ceilings: a task waits while another one holds the resource. For comparison.
WAITING = {KernelProtocol.NONE, KernelProtocol.INHERIT}

# Sections are system calls; those of all others are user code.
CALLED = {
    KernelProtocol.SYSCALL,
    KernelProtocol.SYSCALL_BARE,
    KernelProtocol.SYSCALL_ID_UPRIO,
    KernelProtocol.MASK,
    KernelProtocol.DEADLINE_FLOOR,
    *WAITING,
}

# Which of the folders lock resources with users in several servers, by protocol/lazy_global.h.
OF_SERVERS = (KernelProtocol.SYSCALL, KernelProtocol.UPRIO_NPRIO, KernelProtocol.LAZY_CEILING)

ON_BOARD = {
    name.value: Protocol.CEILING
    for name in KernelProtocol
    if name not in {*FOR_BENCH, *UNDER_EDF, *WAITING, KernelProtocol.MASK}
}
# By the names that they have on Linux; a run takes them only when it is asked for them.
ON_BOARD_WAITING = {name.value: ON_LINUX[name.value] for name in WAITING}
ON_BOARD_HARDWARE = {
    name.value: Protocol.CEILING for name in KernelProtocol if name in UNDER_HARDWARE
}
ON_BOARD_EDF = {name.value: Protocol.FLOOR for name in KernelProtocol if name in UNDER_EDF}
# Of a run whose resources are global; with all others it is as immediate ceilings.
ON_BOARD_GLOBAL = {name.value: Protocol.CEILING for name in GlobalProtocol}
ANALYSED = ON_LINUX | ON_BOARD | ON_BOARD_HARDWARE | ON_BOARD_EDF | ON_BOARD_GLOBAL
# Those of one CPU go with MPCP, unless the description says otherwise.
ACROSS = dict.fromkeys((*GLOBAL, *ON_BOARD, *ON_BOARD_HARDWARE), Protocol.MPCP) | {
    "mpcp": Protocol.MPCP,
    "mpcp-called": Protocol.MPCP,
    "msrp": Protocol.MSRP,
    "spin-priority": Protocol.SPIN_PRIORITY,
    "spin-unordered": Protocol.SPIN_UNORDERED,
}


def analysed(name: str, *, across_cpus: bool) -> Protocol:
    """Return the analysis that a protocol falls under; `across_cpus`: some resources are global."""
    return ACROSS.get(name, ANALYSED[name]) if across_cpus else ANALYSED[name]


def parse_protocols(
    text: str, known: Sequence[str], elsewhere: Mapping[str, str] | None = None
) -> list[str]:
    """Turn `inherit,none` into a list without repetitions; ArgumentError names the wrong word.

    `elsewhere`: what is known, but not here, and what it needs.
    """
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            needs = (elsewhere or {}).get(word)
            hint = f" ({word} needs {needs})" if needs else suggestion(word, list(known))
            expected = f"{', '.join(known)}{hint}"
            raise ArgumentError(f"--protocol: found {word!r}; expected some of {expected}")
    return list(dict.fromkeys(words))
