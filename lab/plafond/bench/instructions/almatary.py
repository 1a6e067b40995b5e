# SPDX-License-Identifier: MIT
"""Almatary, Audsley, Burns 2015, Table I, and the conclusions of Section VII.C.

The paper's nanoseconds and the rows of its savings are shared with `bench kernel`.
"""

from plafond.bench.instructions.figures import MODULE_ROBUST, MODULE_STRICT, PROTECT, Figures
from plafond.bench.instructions.model import FunctionRow, Loaded, SavingRow
from plafond.bench.kernel.almatary import SAVED, paper_ns, paper_saving
from plafond.bench.kernel.papers import PaperRow

WORDS = {"lock": "lock", "unlock-contended": "unlock, contended", "unlock": "unlock, uncontended"}
# "lazy, drop-in" is the paper's own prototype: pthread_mutex_lock() of a program that knows only
# pthreads (Section VII). The last two are libplafond's inline calls.
VERSIONS = [
    (PROTECT, Loaded.NOTHING, "glibc, PRIO_PROTECT", "standard"),
    (PROTECT, Loaded.DROP_IN, "lazy, drop-in", "new"),
    (MODULE_STRICT, Loaded.MODULE, "lazy, strict", "new"),
    (MODULE_ROBUST, Loaded.MODULE, "lazy, robust", "new"),
]


def function_rows(figures: Figures) -> list[FunctionRow]:
    """Return the rows of Table I, and the real cost of raising in the hook."""
    calls = [
        FunctionRow(
            version=version,
            function=words,
            instructions=figures.average("call", lock, call, loaded),
            paper_ns=paper_ns([f"{paper}:{call}"]),
        )
        for lock, loaded, version, paper in VERSIONS
        for call, words in WORDS.items()
    ]
    switch = figures.yielding(Loaded.NOTHING, "none-registered")
    others = [
        ("dummy system call", figures.average("system", "", "dummy"), "standard:dummy-syscall"),
        ("sched_setparam, kernel part", _set_param(figures), "change"),
        ("context switch and scheduling", switch, "standard:context-switch"),
        ("raise in the hook, as it is", _raise(figures, MODULE_STRICT), "raise"),
    ]
    return calls + [
        FunctionRow(
            version="other", function=function, instructions=count, paper_ns=paper_ns([row])
        )
        for function, count, row in others
    ]


def saving_rows(figures: Figures) -> list[SavingRow]:
    """Return the paper's saving of 86 % and ours, by its calculation and with all costs."""
    return [_saving(figures, row) for row in SAVED.rows]


def _saving(figures: Figures, row: PaperRow) -> SavingRow:
    parts = {"change": _set_param(figures), "raise": _raise(figures, MODULE_STRICT)}

    def total(lock: str, loaded: Loaded) -> float:
        calls = (name.partition(":")[2] for name in row.new)
        return sum(figures.average("call", lock, call, loaded) for call in calls if call)

    def share(lock: str, loaded: Loaded) -> float:
        raised = sum(parts[name] for name in row.new if name in parts)
        return 1 - (total(lock, loaded) + raised) / total(PROTECT, Loaded.NOTHING)

    return SavingRow(
        what=row.row.replace("the change,", "sched_setparam's"),
        paper=paper_saving(row),
        drop_in=share(PROTECT, Loaded.DROP_IN),
        strict=share(MODULE_STRICT, Loaded.MODULE),
        robust=share(MODULE_ROBUST, Loaded.MODULE),
    )


def _set_param(figures: Figures) -> float:
    return figures.average("system", "", "raise") - figures.average("system", "", "dummy")


def _raise(figures: Figures, lock: str) -> float:
    """Return how much more a pass through the scheduler costs inside a section than outside."""
    in_section = figures.average("call", lock, "yield-in-section")
    return in_section - figures.average("call", lock, "yield")
