# SPDX-License-Identifier: MIT
"""Run every scene of a stepped proof (proof/step, proof/pthread) and print one table.

Each scene runs in a process of its own, pinned to one CPU; as many run at a time
as there are CPUs. Those that need two run alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import TypeVar

from row import Row

HOLDS, VIOLATED, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130


@dataclass(frozen=True)
class Scene:
    """One scene at one strength."""

    name: str
    strength: str
    cpus: int = 1


@dataclass(frozen=True)
class Outcome:
    """What the program says of a scene: see proof/step/play.c."""

    scene: str
    strength: str
    boundaries: int
    singles: int
    waiter_pairs: int
    holder_pairs: int
    status: int
    finding: str
    first: str
    second: str


class CouldNotRunError(Exception):
    """The program did not get as far as a verdict."""


def scenes_of(program: Path) -> list[Scene]:
    """All scenes that the program knows, at the strengths that each is meant for."""
    listing = subprocess.run([program, "--list"], capture_output=True, text=True, check=True)
    rows = (line.split("\t") for line in listing.stdout.splitlines())
    return [
        Scene(name, strength, int(cpus))
        for name, kinds, cpus, _ in rows
        for strength in kinds.split(",")
    ]


def other_than(cpu: int) -> int:
    """Another CPU."""
    others = os.sched_getaffinity(0) - {cpu}
    if not others:
        raise CouldNotRunError("a scene on two CPUs needs two")
    return min(others)


IN_USE: defaultdict[int, Lock] = defaultdict(Lock)  # by CPU: real-time threads share none


@contextmanager
def alone_on(cpus: Iterable[int]) -> Iterator[None]:
    """Wait until no other scene is played there."""
    with ExitStack() as held:
        for cpu in sorted(cpus):
            held.enter_context(IN_USE[cpu])
        yield


def play(
    program: Path,
    scene: Scene,
    cpu: int,
    singles_only: bool,
    patience_ms: int = 2000,
) -> Outcome:
    """Run one scene. The program watches itself: it ends, whatever the library does."""
    command = [str(program), "--cpu", str(cpu), "--patience", str(patience_ms), scene.name]
    if scene.strength == "strict":
        command.insert(1, "--strict")
    cpus = {cpu} if scene.cpus == 1 else {cpu, other_than(cpu)}
    if scene.cpus > 1:
        command[1:1] = ["--other", str(other_than(cpu))]
    if singles_only:
        command.insert(1, "--singles")
    with alone_on(cpus):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (HOLDS, VIOLATED):
        raise CouldNotRunError(
            done.stderr.strip() or f"{program.name} exited with {done.returncode}"
        )
    return Outcome(**json.loads(done.stdout))


Item = TypeVar("Item")
Result = TypeVar("Result")


def one_a_cpu(work: Callable[[Item, int], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Do the work on each item, one a CPU at a time, and yield results as they come."""
    free: SimpleQueue[int] = SimpleQueue()
    cpus = sorted(os.sched_getaffinity(0))
    for cpu in cpus:
        free.put(cpu)

    def on_some_cpu(item: Item) -> Result:
        cpu = free.get()
        try:
            return work(item, cpu)
        finally:
            free.put(cpu)

    pool = ThreadPoolExecutor(len(cpus))
    try:
        for future in as_completed([pool.submit(on_some_cpu, item) for item in items]):
            yield future.result()
    finally:  # also on Ctrl-C: what has not begun does not begin
        pool.shutdown(cancel_futures=True)


def sweep(program: Path, scenes: Iterable[Scene], singles_only: bool) -> Iterator[Outcome]:
    """Run the scenes and yield outcomes as they come."""
    return one_a_cpu(lambda scene, cpu: play(program, scene, cpu, singles_only), scenes)


def symbol(place: str) -> str:
    """Name the source line of "file+offset#execution"."""
    if "+" not in place:
        return place
    file, rest = place.rsplit("+", 1)
    offset, execution = rest.split("#")
    named = subprocess.run(
        ["addr2line", "-fse", file, offset], capture_output=True, text=True, check=False
    )
    function, _, line = named.stdout.partition("\n")
    return f"{function} {line.strip()}, execution {execution}"


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Print the outcomes as text, the counts in full."""
    header = f"{'scene':16} {'strength':8} {'boundaries':>10} {'singles':>8} {'waiter pairs':>13} "
    print(header + f"{'holder pairs':>13}  verdict")
    for o in outcomes:
        counts = f"{o.boundaries:10} {o.singles:8} {o.waiter_pairs:13} {o.holder_pairs:13}"
        print(f"{o.scene:16} {o.strength:8} {counts}  {o.finding or 'holds'}")
        if o.status != HOLDS:
            print(f"    first arrival: {symbol(o.first)}\n    second arrival: {symbol(o.second)}")
    runs = sum(o.singles + o.waiter_pairs + o.holder_pairs for o in outcomes)
    ended_early = sum(o.status != HOLDS for o in outcomes)
    left_out = f"{ended_early} scenes ended early" if ended_early else "none left out"
    print(f"{runs} arrivals and pairs of arrivals, {left_out}")


# What is stepped, and how far.
SCOPES = {
    "ceiling-stack": "up to 3 threads and sections nested to 3, on this kernel and processor",
    "drop-in": "up to 3 threads and sections nested to 3, on one CPU and on two, of this kernel "
    "and processor",
}


def row_of(protocol: str, outcomes: Sequence[Outcome], seconds: float) -> Row:
    """What all scenes came to."""
    arrivals = sum(o.singles for o in outcomes)
    pairs = sum(o.waiter_pairs + o.holder_pairs for o in outcomes)
    broken = next((o for o in outcomes if o.status != HOLDS), None)
    names = len({o.scene for o in outcomes})
    return Row(
        protocol,
        "stepped",
        f"{SCOPES[protocol]}: {names} scenes, "
        f"{sum(o.boundaries for o in outcomes)} boundaries, {arrivals} arrivals, {pairs} pairs",
        "holds" if broken is None else "violated",
        seconds=round(seconds, 1),
        trace=() if broken is None else trace_of(broken),
    )


def trace_of(outcome: Outcome) -> tuple[str, ...]:
    """The way to a violation."""
    return (
        f"{outcome.scene}, {outcome.strength}: {outcome.finding}",
        f"first arrival: {symbol(outcome.first)}",
        f"second arrival: {symbol(outcome.second)}",
    )


def parse_arguments() -> argparse.Namespace:
    """Command line of the sweep."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 all hold, 1 a violation was found, 2 could not run, 130 Ctrl-C\n"
        "example: proof/sweep.py build/proof/step/step --scene flat --format json",
    )
    parser.add_argument("program", type=Path, help="the built proof/step/step, or step-pthread")
    parser.add_argument("--protocol", choices=tuple(SCOPES), default="ceiling-stack")
    parser.add_argument("--scene", action="append", help="only this one (may be repeated)")
    parser.add_argument("--singles", action="store_true", help="one arrival at a time, no pairs")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def main() -> int:
    """Run, print, tell."""
    arguments = parse_arguments()
    program = arguments.program.resolve()
    started = time.monotonic()
    try:
        chosen = [s for s in scenes_of(program) if not arguments.scene or s.name in arguments.scene]
        outcomes: list[Outcome] = []
        for outcome in sweep(program, chosen, arguments.singles):
            outcomes.append(outcome)
            print(f"\r{len(outcomes)}/{len(chosen)} scenes", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    except (CouldNotRunError, OSError, subprocess.CalledProcessError) as problem:
        print(f"sweep: {problem}", file=sys.stderr)
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        print("\nsweep: interrupted", file=sys.stderr)
        return INTERRUPTED
    order = [(s.name, s.strength) for s in chosen]
    outcomes.sort(key=lambda o: order.index((o.scene, o.strength)))
    if arguments.format == "json":
        row = row_of(arguments.protocol, outcomes, time.monotonic() - started)
        scenes = [vars(o) for o in outcomes]
        told = {"proof": "step", "rows": [row.as_json()], "scenes": scenes, "holds": row.is_right}
        print(json.dumps(told, indent=2))
    else:
        print_table(outcomes)
    return VIOLATED if any(o.status != HOLDS for o in outcomes) else HOLDS


if __name__ == "__main__":
    sys.exit(main())
