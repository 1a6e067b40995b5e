# SPDX-License-Identifier: MIT
"""Sweep the AArch64 code of libplafond: an arrival at every instruction, and at every pair.

The library is cross-compiled unchanged, and executed in Unicorn under a model of one CPU of Linux.
The model itself is compared with the kernel of this machine.

Exit code: 0 all holds, 1 a rule is broken, 2 could not run, 130 Ctrl-C.

Examples:
  python -m proof.aarch64
  python -m proof.aarch64 --sources /tmp/mutant --no-kernel
  python -m proof.aarch64 --scenario flat --strength strict --format json
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from plafond.prove.model import Row

from proof.aarch64.image import Image, build_image
from proof.aarch64.recorded import Comparison, build_recorder, compare
from proof.aarch64.scenarios import SCENARIOS, STRENGTHS
from proof.aarch64.subject import Staged, staged
from proof.engine.native import prepare
from proof.engine.walk import Result, Stage
from proof.extent import add_extent
from proof.result import ROOT, CouldNotRunError, concluded, print_json, row_of
from proof.workers import done_by_workers, in_order

NAME = "proof.aarch64"
SMALLEST = "flat"
SMALL = f"the comparison and the scenarios that begin with {SMALLEST}"
ROW = "{:<32} {:<8} {:>10} {:>10} {:>10}  {}"

Task = tuple[Image, Staged]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=NAME,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--sources",
        type=Path,
        default=ROOT,
        metavar="DIR",
        help="the tree to compile, with protocol/, linux/core/ and linux/lib/ (this one)",
    )
    parser.add_argument(
        "--build-dir", type=Path, metavar="DIR", help="where to compile (a temporary folder)"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")
    parser.add_argument(
        "--jobs",
        type=int,
        default=min(2, os.cpu_count() or 1),
        metavar="N",
        help="processes (2 at most by default)",
    )
    parser.add_argument(
        "--scenario", metavar="TEXT", default="", help="only those whose name begins so"
    )
    add_extent(parser, SMALL)
    parser.add_argument("--strength", choices=STRENGTHS, help="only this one")
    parser.add_argument(
        "--no-kernel",
        action="store_true",
        help="do not compare the model with the kernel (needs SCHED_FIFO)",
    )
    parser.add_argument(
        "--digest",
        action="store_true",
        help="only print a digest of the machine code: equal code, equal verdict",
    )
    return parser.parse_args()


def _run(task: Task) -> Result:
    return Stage(*task).sweep()


def _haste(task: Task) -> tuple[bool, int]:
    """Low for long tasks: a thread that sleeps inside arrives once more."""
    scenario = task[1].scenario
    return not any(p.suspends for p in scenario.programs), -len(scenario.ceilings)


def _results(tasks: list[Task], jobs: int) -> Iterator[Result]:
    if jobs <= 1:
        yield from map(_run, tasks)
        return
    # The longest first. Otherwise a worker would be left with the last of them.
    order = sorted(range(len(tasks)), key=lambda i: _haste(tasks[i]))
    done = done_by_workers(_run, (tasks[i] for i in order), jobs, most=1)
    yield from in_order((order[number], result) for number, result in done)


def _tasks(image: Image, given: argparse.Namespace) -> list[Task]:
    return [
        (image, each)
        for scenario in SCENARIOS
        if scenario.name.startswith(given.scenario)
        if given.extent.takes(scenario.name.startswith(SMALLEST))
        for each in staged(scenario)
        if given.strength in (None, each.variant.name)
    ]


def _print_violation(result: Result) -> None:
    print(f"\n{result.scenario}, {result.variant}: {result.violation}\nThe way there:")
    for line in result.trace:
        print(f"  {line}")


def _print_results(results: Iterable[Result]) -> list[Result]:
    """Print results as they come, up to the first violation."""
    shown = []
    print(ROW.format("scenario", "strength", "boundaries", "pairs", "states", "verdict"))
    for result in results:
        shown.append(result)
        verdict = "holds" if result.violation is None else "BROKEN"
        print(
            ROW.format(
                result.scenario,
                result.variant,
                result.boundaries,
                result.pairs,
                result.states,
                verdict,
            ),
            flush=True,
        )
        if result.violation is not None:
            _print_violation(result)
            break
    return shown


def _row(comparison: Comparison | None, shown: list[Result], began_s: float, part: str) -> Row:
    """The row for the sweeps. They show nothing if the model differs from the kernel."""
    broken = next((r for r in shown if r.violation is not None), None)
    trace: tuple[str, ...] = ()
    if comparison is not None and comparison.difference is not None:
        trace = ("the kernel model differs from this kernel:", comparison.difference)
    elif broken is not None:
        trace = (f"{broken.scenario}, {broken.variant}: {broken.violation}", *broken.trace)
    operations = "" if comparison is None else f", {comparison.operations} operations as the kernel"
    return row_of(
        "ceiling-stack",
        "aarch64",
        f"{part}up to 3 threads and sections nested to 3: "
        f"{len({r.scenario for r in shown})} scenarios, "
        f"{sum(r.states for r in shown)} states, {sum(r.boundaries for r in shown)} boundaries, "
        f"{sum(r.pairs for r in shown)} pairs{operations}",
        began_s,
        trace=trace,
    )


def _until_violation(results: Iterable[Result]) -> list[Result]:
    shown = []
    for result in results:
        shown.append(result)
        if result.violation is not None:
            break
    return shown


@contextmanager
def _build_folder(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        wanted.mkdir(parents=True, exist_ok=True)
        yield wanted
        return
    with tempfile.TemporaryDirectory(prefix="plafond-aarch64-") as folder:
        yield Path(folder)


def _print_comparison(comparison: Comparison) -> None:
    if comparison.difference is None:
        print(
            f"kernel model: {comparison.operations} operations in {comparison.sequences} "
            f"sequences, all as kernel {os.uname().release} does them"
        )
    else:
        print(f"kernel model: differs from kernel {os.uname().release}\n{comparison.difference}")


def _prove(arguments: argparse.Namespace, build: Path) -> bool:
    began_s = time.monotonic()
    as_table = arguments.format == "table"
    image = build_image(arguments.sources.resolve(), build)
    if arguments.digest:
        print(image.digest)
        return True
    tasks = _tasks(image, arguments)
    if not tasks:
        raise CouldNotRunError(f"no scenario begins with {arguments.scenario!r}")
    comparison = None
    if not arguments.no_kernel and arguments.extent.takes(is_small=True):
        comparison = compare(build_recorder(ROOT / "proof/aarch64/futex_record.c", build))
        if as_table:
            _print_comparison(comparison)
        if comparison.difference is not None:
            tasks = []  # because a sweep with a wrong model shows nothing
    prepare()
    results = _results(tasks, arguments.jobs)
    shown = _print_results(results) if as_table else _until_violation(results)
    row = _row(comparison, shown, began_s, arguments.extent.label(SMALL))
    if as_table:
        print(
            f"{sum(r.boundaries for r in shown)} boundaries, {sum(r.pairs for r in shown)} pairs, "
            f"{sum(r.states for r in shown)} states, {row.seconds:.0f} s"
        )
    else:
        details = {
            "kernel": None if comparison is None else asdict(comparison),
            "scenarios": [asdict(r) for r in shown],
        }
        print_json(NAME, [row], details, holds=row.is_right)
    return row.is_right


def _prove_in(arguments: argparse.Namespace) -> bool:
    with _build_folder(arguments.build_dir) as build:
        return _prove(arguments, build)


if __name__ == "__main__":
    given = _arguments()
    sys.exit(concluded(NAME, lambda: _prove_in(given)))
