# SPDX-License-Identifier: MIT
"""Build the report from the counts of the program."""

from collections.abc import Mapping

from plafond.bench.instructions.almatary import function_rows, saving_rows
from plafond.bench.instructions.figures import (
    INHERIT,
    MODULE_ROBUST,
    MODULE_STRICT,
    NO_LOCK,
    NONE,
    PROTECT,
    Figures,
)
from plafond.bench.instructions.model import (
    Conditions,
    DropInRow,
    InstructionsReport,
    KernelRow,
    Loaded,
    Output,
    PreemptedRow,
    ScheduleRow,
    WayRow,
)
from plafond.bench.instructions.targets import targets
from plafond.vm.guest import Guest

NOTES = [
    "Instructions, of user and kernel mode together, as QEMU counts them with one CPU and "
    "-icount shift=0. They are no times: they do not show which of two is faster on a processor.",
    "Each figure is the least of its samples; loops and reading the counter are not in it.",
    "Nested: three, ceilings rising inwards, so protect changes the priority six times.",
    "The drop-in: with PLAFOND_BACKEND=user, by a thread of one CPU; protect-shared is a mutex "
    "that a thread which cannot be lazy has locked before, as a thread of another CPU would.",
    "Preempted: the holder wakes the arrival in the section; until the holder runs again and "
    "no thread is ready, less the same without a lock and without plafond.ko. Where the arrival "
    "uses the lock, that is in it.",
    "Table I: the average of all samples, as in the paper; lazy, drop-in is pthread_mutex_lock() "
    "with the drop-in preloaded, and plafond.ko.",
    "Unlock, contended: the holder was raised; the switch to the arrival is not in it.",
    "Rows of module are with plafond.ko loaded, in a program with its fast path inline "
    "(PLAFOND_INLINE_MODULE); all others without.",
    "Mutexes of the kernel: in a loop of a driver. rt_mutex is called, immpc is inline; empty-call "
    "is two calls of an empty function.",
]
ARRIVALS = ("uses-lock", "passes-by")
AT_CEILING = "-at-ceiling"
# The states of the threads that yield, and of other threads, in the module.
STATES = {
    "none-registered": "module loaded, no thread registered",
    "another-registered": "another thread registered",
    "both-registered": "these threads registered, in no section",
}


def make_report(outputs: Mapping[Loaded, Output], guest: Guest) -> InstructionsReport:
    """Build the tables of a run."""
    figures = Figures({loaded: output.figures for loaded, output in outputs.items()})
    ways, preempted, schedule = _ways(figures), _preempted(figures), _schedule(figures)
    drop_in, kernel_mutexes = _drop_in(figures), _kernel_mutexes(figures)
    return InstructionsReport(
        conditions=_conditions(outputs),
        ways=ways,
        drop_in=drop_in,
        preempted=preempted,
        schedule=schedule,
        functions=function_rows(figures),
        savings=saving_rows(figures),
        kernel_mutexes=kernel_mutexes,
        targets=targets(ways, drop_in, preempted, kernel_mutexes, guest),
        figures={loaded: output.figures for loaded, output in outputs.items()},
    )


def _conditions(outputs: Mapping[Loaded, Output]) -> Conditions:
    program = outputs[Loaded.NOTHING].conditions
    unstable = [
        figure
        for output in outputs.values()
        for figure in output.figures
        if figure.least != figure.median
    ]
    return Conditions(**program.model_dump(), unstable=len(unstable), notes=NOTES)


def _ways(figures: Figures) -> list[WayRow]:
    return [_way(figures, lock) for lock in figures.locks("pair")]


# The mutexes, and the corresponding mutex of plain glibc.
DROP_IN_MUTEXES = {NONE: NONE, INHERIT: INHERIT, PROTECT: PROTECT, "protect-shared": PROTECT}


def _drop_in(figures: Figures) -> list[DropInRow]:
    return [
        DropInRow(
            mutex=mutex,
            plain=figures.count("pair", plain, "flat"),
            preloaded=figures.count("drop-in", mutex, "flat"),
        )
        for mutex, plain in DROP_IN_MUTEXES.items()
    ]


def _way(figures: Figures, lock: str) -> WayRow:
    is_preempted = lock in figures.locks("preempted")
    of_module = lock in (MODULE_STRICT, MODULE_ROBUST)
    return WayRow(
        lock=lock,
        pair=figures.count("pair", lock, "flat"),
        nested=figures.count("pair", lock, "nested"),
        uses_lock=_net(figures, lock, "uses-lock") if is_preempted else None,
        passes_by=_net(figures, lock, "passes-by") if is_preempted else None,
        schedule=_added(figures, "another-registered") if of_module else 0,
    )


def _net(figures: Figures, lock: str, scene: str) -> float:
    return figures.count("preempted", lock, scene) - figures.count("preempted", NO_LOCK, scene)


def _preempted(figures: Figures) -> list[PreemptedRow]:
    return [
        _preempted_row(figures, lock, arrival, suffix)
        for lock in figures.locks("preempted")
        if lock != NO_LOCK
        for suffix in ("", AT_CEILING)
        for arrival in ARRIVALS
    ]


def _preempted_row(figures: Figures, lock: str, arrival: str, suffix: str) -> PreemptedRow:
    figure = figures.of("preempted", lock, arrival + suffix)
    return PreemptedRow(
        lock=lock,
        arrival=arrival,
        at_ceiling=bool(suffix),
        instructions=_net(figures, lock, arrival + suffix),
        switches=figure.switches,
        inside=figure.inside,
    )


def _added(figures: Figures, state: str) -> float:
    before = figures.yielding(Loaded.NOTHING, "none-registered")
    return figures.yielding(Loaded.MODULE, state) - before


def _schedule(figures: Figures) -> list[ScheduleRow]:
    before = figures.yielding(Loaded.NOTHING, "none-registered")
    rows = [
        ScheduleRow(
            state=words,
            instructions=figures.yielding(Loaded.MODULE, state),
            added=_added(figures, state),
        )
        for state, words in STATES.items()
    ]
    return [ScheduleRow(state="no module", instructions=before, added=0), *rows]


def _kernel_mutexes(figures: Figures) -> list[KernelRow]:
    return [
        KernelRow(
            mutex=mutex,
            flat=figures.count("kernel", mutex, "flat"),
            nested=figures.count("kernel", mutex, "nested"),
        )
        for mutex in figures.locks("kernel")
    ]
