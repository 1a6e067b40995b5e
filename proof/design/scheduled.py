# SPDX-License-Identifier: MIT
"""Test that the scheduler of the models and the shipped scheduler are the same.

The models contain a scheduler in a few lines (world.h, priority_kernel.h, edf_kernel.h). Both run
side by side through all reachable states of a case. scheduler/linked.c compares each decision, and
the queue behind it. Controls show that the comparison can fail: it must see a fault in the model's
copy alone, and a fault in the shipped scheduler alone.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.build.kernel_files import kernel_files
from plafond.prove.model import Extent

from proof.design.cases import Answer, Case
from proof.design.spin import TIME_S, run
from proof.mutation import ByHand
from proof.result import ROOT, CouldNotRunError

_ROOMS = ("protocol", "kernel", "proof")
_FLAGS = ("-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function")
_LINUX = "linux.c"  # a model that schedules by itself


@dataclass(frozen=True, slots=True)
class _Scheduler:
    """A folder of kernel/scheduler, and a protocol that changes urgencies only by calls."""

    name: str
    resource: str
    in_model: tuple[ByHand, ...]
    in_shipped: tuple[ByHand, ...]


_NEW, _PREEMPTED = (
    "while (place < w->ready && !is_above(&w->task[task].rank, &w->task[w->queue[place]].rank))",
    "while (place < w->ready && is_above(&w->task[w->queue[place]].rank, &w->task[task].rank))",
)
_QUEUE = (
    ByHand("a preempted task is behind its equals", "proof/design/world.h", _PREEMPTED, _NEW),
    ByHand("of equals the last comer is first", "proof/design/world.h", _NEW, _PREEMPTED),
)
_PRIORITY, _EDF = "kernel/scheduler/priority/plf_", "kernel/scheduler/edf/"
_BY_LEVEL = _Scheduler(
    "priority",
    "syscall",
    (
        *_QUEUE,
        ByHand(
            "a task of the next level does not preempt",
            "proof/design/priority_kernel.h",
            "if (first_level(w) > level)",
            "if (first_level(w) > level + 1)",
        ),
    ),
    (
        ByHand(
            "a preempted task is behind its equals",
            f"{_PRIORITY}schedule.h",
            "plf_preempted_level(core) < highest",
            "plf_preempted_level(core) <= highest && highest > 0",
        ),
        ByHand(
            "a task preempts its equals",
            f"{_PRIORITY}schedule.h",
            "\telse if (highest > level)\n\t\tplf_preempt_below(core, level);",
            "\telse if (highest >= level)\n\t\tplf_preempt_below(core, level);",
        ),
        ByHand(
            "a level counts as empty after its first task",
            f"{_PRIORITY}ready.h",
            "\tif (ring->head == ring->tail && !plf_has_front(core, level))\n",
            "",
        ),
    ),
)
_BY_DEADLINE = _Scheduler(
    "edf",
    "deadline-floor",
    (
        *_QUEUE,
        ByHand(
            "a task that is earlier by a tick does not preempt",
            "proof/design/edf_kernel.h",
            "return plf_is_earlier(first, running->deadline) ||",
            "return plf_is_earlier(first + 1, running->deadline) ||",
        ),
        ByHand(
            "floors count from the reading of the clock",
            "proof/design/edf_kernel.h",
            "\t\t\tinstant = w->task[i].rank.arrived;\n",
            "\t\t\t(void)0;\n",
        ),
    ),
    (
        ByHand(
            "a preempted task is behind its equals",
            f"{_EDF}schedule.c",
            "!task || plf_is_earlier(earliest->deadline, task->urgency.floor.deadline)",
            "!task || !plf_is_earlier(task->urgency.floor.deadline, earliest->deadline)",
        ),
        ByHand(
            "of equals the last comer is first",
            f"{_EDF}ready.c",
            "one->order < other->order",
            "one->order > other->order",
        ),
        ByHand(
            "the heap keeps its order on the way down only",
            f"{_EDF}ready.c",
            "\t\tif (!is_before(&entry, &entries[parent]))\n",
            "\t\tif (parent < place)\n",
        ),
        ByHand(
            "floors count from the reading of the clock",
            f"{_EDF}plf_schedule.h",
            "\t\t\tinstant = queue->timers[kind];\n",
            "\t\t\t(void)0;\n",
        ),
    ),
)


def _scheduler_of(case: Case) -> _Scheduler:
    return _BY_DEADLINE if "DEADLINES" in case.defines else _BY_LEVEL


def _is_linked(case: Case) -> bool:
    """Whether a case is linked. EXACT is left out, because it only adds state for a rule."""
    is_shipped = not case.source.startswith("paper") and case.source != _LINUX
    is_other = case.broken or case.defines["FOUL"] or case.defines.get("EXACT")
    return is_shipped and case.is_small and not is_other


class _Link:
    """A case and its scheduler, from the sources of a tree."""

    def __init__(self, case: Case, tree: Path, folder: Path) -> None:
        self._case, self._tree, self._folder = case, tree, folder
        self._scheduler = _scheduler_of(case)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "queries.h").write_text(
            "static inline void look_for_queries(struct world *w)\n{\n\t(void)w;\n}\n",
            encoding="utf-8",
        )

    def said(self) -> tuple[bool, str]:
        """Return whether the two decide alike, and the first line of the program's output."""
        self._compile()
        done = subprocess.run(
            [self._folder / "linked"], capture_output=True, text=True, timeout=TIME_S, check=False
        )
        if done.returncode not in (0, 1):
            raise CouldNotRunError(
                f"linked, {self._case.name}: {done.returncode} {done.stdout}{done.stderr}"
            )
        return done.returncode == 0, done.stdout.splitlines()[0]

    def _compile(self) -> None:
        name, design = self._scheduler.name, self._tree / "proof/design"
        kernel, port = self._tree / "kernel", self._tree / "proof/kernel/port"
        shipped = kernel_files(scheduler=name, resource=self._scheduler.resource)
        self._gcc(
            *(design / "scheduler", port / name, port, kernel, kernel / "include"),
            *(*(kernel / folder for folder in shipped.headers), self._tree),
            options=[
                *("-ffreestanding", "-DPROOF_EXTENDED=0", "-DPROOF_CALLED=1"),
                *("-DPROOF_SERVERS=0", "-DPROOF_SHARING=0", "-c"),
            ],
            files=[design / "scheduler" / name / "shipped.c", "-o", "shipped.o"],
        )
        defines = [f"-D{key}={value}" for key, value in self._case.defines.items()]
        self._gcc(
            *(design, design / "scheduler" / name, design / "scheduler"),
            *(self._tree / "protocol", self._folder),
            options=[*defines, f'-DFORM="{self._case.source}"'],
            files=[design / "scheduler/linked.c", "shipped.o", "-o", "linked"],
        )

    def _gcc(self, *include: Path, options: Sequence[str], files: Sequence[Path | str]) -> None:
        run(["gcc", *_FLAGS, *options, *(f"-I{path}" for path in include), *files], self._folder)


def scheduled(cases: Sequence[Case], folder: Path, extent: Extent) -> list[Answer]:
    """Return a row for each small case and each fault. The first fault of each kind is quick."""
    linked = [case for case in cases if _is_linked(case)]
    tree, own = folder / "scheduled", folder / "linked"
    for room in _ROOMS:
        ignored = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(ROOT / room, tree / room, ignore=ignored, dirs_exist_ok=True)
    rows = []
    for case in linked if extent.takes(is_small=True) else ():
        is_alike, said = _Link(case, tree, own).said()
        name = f"{case.form}, {case.name}"
        rows.append(_row(name, "model and shipped scheduler decide alike", said, is_alike))
    scheduler = _scheduler_of(linked[0])
    for where, faults in (
        ("the model's copy", scheduler.in_model),
        ("the shipped scheduler", scheduler.in_shipped),
    ):
        for fault in (f for f in faults if extent.takes(f is faults[0])):
            is_seen, said = _is_seen(fault, linked, tree, own)
            query = f"a fault in {where} alone is seen: {fault.name}"
            rows.append(_row("control", query, said, is_seen))
    return rows


def _is_seen(fault: ByHand, cases: Sequence[Case], tree: Path, own: Path) -> tuple[bool, str]:
    mutant = fault.mutant(tree)
    file = tree / mutant.file
    before = file.read_bytes()
    file.write_bytes(mutant.apply(before))
    try:
        for case in cases:
            is_alike, said = _Link(case, tree, own).said()
            if not is_alike:
                return True, said
    finally:
        file.write_bytes(before)
    return False, "in none of the cases"


def _row(name: str, query: str, scope: str, holds: bool) -> Answer:
    return Answer("scheduler", name, query, scope, 0, "holds" if holds else scope, "holds")
