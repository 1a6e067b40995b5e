# SPDX-License-Identifier: MIT
"""Play the scenes of a stepped proof (proof/step, proof/pthread).

Each scene runs in a separate process that is pinned to a CPU. As many scenes run at a time as there
are CPUs. A scene that needs two CPUs has both for itself.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import TypeVar

from plafond.prove.model import ExitCode
from plafond.real_time import run_bounded

from proof.result import CouldNotRunError


@dataclass(frozen=True)
class Scene:
    """One scene at one strength."""

    name: str
    strength: str
    cpus: int = 1
    has_pairs: bool = False  # --singles makes it shorter


@dataclass(frozen=True)
class Outcome:
    """The program's report on a scene: see proof/step/play.c."""

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

    @property
    def holds(self) -> bool:
        """Whether no violation was found."""
        return self.status == ExitCode.HOLDS


LONGEST_S = 600  # for a scene that no longer watches itself


def scenes_of(program: Path) -> list[Scene]:
    """All scenes of the program, each at all strengths for which it is meant."""
    listing = subprocess.run([program, "--list"], capture_output=True, text=True, check=True)
    rows = (line.split("\t") for line in listing.stdout.splitlines())
    return [
        Scene(name, strength, int(cpus), sweeps == "pairs")
        for name, kinds, cpus, sweeps, _ in rows
        for strength in kinds.split(",")
    ]


def other_than(cpu: int) -> int:
    """Another CPU."""
    others = os.sched_getaffinity(0) - {cpu}
    if not others:
        raise CouldNotRunError("a scene on two CPUs needs two")
    return min(others)


IN_USE: defaultdict[int, Lock] = defaultdict(Lock)  # by CPU, because real-time threads share no CPU


@contextmanager
def alone_on(cpus: Iterable[int]) -> Iterator[None]:
    """Wait until no other scene is played on these CPUs."""
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
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run a scene. The program watches itself, so it ends whatever the library does."""
    command = [str(program), "--cpu", str(cpu), "--patience", str(patience_ms), scene.name]
    if scene.strength == "strict":
        command.insert(1, "--strict")
    cpus = {cpu} if scene.cpus == 1 else {cpu, other_than(cpu)}
    if scene.cpus > 1:
        command[1:1] = ["--other", str(other_than(cpu))]
    if singles_only:
        command.insert(1, "--singles")
    with alone_on(cpus):
        done = run_bounded(command, LONGEST_S, environment=environment)
    if done.returncode not in (ExitCode.HOLDS, ExitCode.VIOLATED):
        raise CouldNotRunError(
            done.stderr.strip() or f"{program.name} exited with {done.returncode}"
        )
    return Outcome(**json.loads(done.stdout))


Item = TypeVar("Item")
Result = TypeVar("Result")


def one_a_cpu(work: Callable[[Item, int], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Do the work on each item, one per CPU at a time, and yield results as they come."""
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
    finally:  # also on Ctrl-C: items that have not begun are dropped
        pool.shutdown(cancel_futures=True)


def sweep(program: Path, scenes: Iterable[Scene], singles_only: bool) -> Iterator[Outcome]:
    """Run the scenes and yield outcomes as they come."""
    return one_a_cpu(lambda scene, cpu: play(program, scene, cpu, singles_only), scenes)
