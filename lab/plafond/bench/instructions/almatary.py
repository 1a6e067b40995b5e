# SPDX-License-Identifier: MIT
"""Almatary, Audsley, Burns 2015, Table I, and what Section VII.C concludes from it."""

from plafond.bench.instructions.figures import MODULE_ROBUST, MODULE_STRICT, PROTECT, Figures
from plafond.bench.instructions.model import FunctionRow, Loaded, SavingRow

# The paper's nanoseconds, by our names of the calls: standard glibc, and theirs.
STANDARD_NS = {"lock": 63389, "unlock-contended": 8739, "unlock": 3072}
LAZY_NS = {"lock": 1979, "unlock-contended": 8070, "unlock": 1790}
DUMMY_NS, SET_PARAM_NS, SWITCH_NS = 1675, 7130, 8805

WORDS = {"lock": "lock", "unlock-contended": "unlock, contended", "unlock": "unlock, uncontended"}
# The second is the paper's own prototype: pthread_mutex_lock() of a program that knows pthreads
# only (Section VII). The last two are libplafond's calls, inline.
VERSIONS = [
    (PROTECT, Loaded.NOTHING, "glibc, PRIO_PROTECT", STANDARD_NS),
    (PROTECT, Loaded.DROP_IN, "lazy, drop-in", LAZY_NS),
    (MODULE_STRICT, Loaded.MODULE, "lazy, strict", LAZY_NS),
    (MODULE_ROBUST, Loaded.MODULE, "lazy, robust", LAZY_NS),
]


def function_rows(figures: Figures) -> list[FunctionRow]:
    """Return the rows of Table I, and what raising by the hook really costs."""
    calls = [
        FunctionRow(
            version=version,
            function=words,
            instructions=figures.average("call", lock, call, loaded),
            paper_ns=paper_ns[call],
        )
        for lock, loaded, version, paper_ns in VERSIONS
        for call, words in WORDS.items()
    ]
    others: list[tuple[str, float, int | None]] = [
        ("dummy system call", figures.average("system", "", "dummy"), DUMMY_NS),
        ("sched_setparam, kernel part", _set_param(figures), SET_PARAM_NS),
        (
            "context switch and scheduling",
            figures.yielding(Loaded.NOTHING, "none-registered"),
            SWITCH_NS,
        ),
        ("raise in the hook, as it is", _raise(figures, MODULE_STRICT), None),
    ]
    return calls + [
        FunctionRow(version="other", function=function, instructions=count, paper_ns=paper_ns)
        for function, count, paper_ns in others
    ]


def saving_rows(figures: Figures) -> list[SavingRow]:
    """Return the paper's 86 % and ours, as they reckon and as it is."""
    return [
        _saving(
            figures,
            "lock, uncontended",
            ["lock"],
            raised=0,
            paper=_share(LAZY_NS["lock"], STANDARD_NS["lock"]),
        ),
        _saving(
            figures,
            "lock, and sched_setparam's kernel part (the paper's 86 %)",
            ["lock"],
            raised=_set_param(figures),
            paper=_share(LAZY_NS["lock"] + SET_PARAM_NS, STANDARD_NS["lock"]),
        ),
        _saving(
            figures,
            "lock, and the raise as it is",
            ["lock"],
            raised=_raise(figures, MODULE_STRICT),
            paper=None,
        ),
        _saving(
            figures,
            "lock and unlock, uncontended",
            ["lock", "unlock"],
            raised=0,
            paper=_share(
                LAZY_NS["lock"] + LAZY_NS["unlock"], STANDARD_NS["lock"] + STANDARD_NS["unlock"]
            ),
        ),
        _saving(
            figures,
            "lock, the raise as it is, and unlock, contended",
            ["lock", "unlock-contended"],
            raised=_raise(figures, MODULE_STRICT),
            paper=None,
        ),
    ]


def _saving(
    figures: Figures, what: str, calls: list[str], raised: float, paper: float | None
) -> SavingRow:
    def total(lock: str, loaded: Loaded) -> float:
        return sum(figures.average("call", lock, call, loaded) for call in calls)

    standard = total(PROTECT, Loaded.NOTHING)
    return SavingRow(
        what=what,
        paper=paper,
        drop_in=_share(total(PROTECT, Loaded.DROP_IN) + raised, standard),
        strict=_share(total(MODULE_STRICT, Loaded.MODULE) + raised, standard),
        robust=_share(total(MODULE_ROBUST, Loaded.MODULE) + raised, standard),
    )


def _share(cost: float, standard: float) -> float:
    return 1 - cost / standard


def _set_param(figures: Figures) -> float:
    return figures.average("system", "", "raise") - figures.average("system", "", "dummy")


def _raise(figures: Figures, lock: str) -> float:
    """What it costs more to go through the scheduler in a section than outside."""
    in_section = figures.average("call", lock, "yield-in-section")
    return in_section - figures.average("call", lock, "yield")
