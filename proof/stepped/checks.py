# SPDX-License-Identifier: MIT
"""The checks that may find a fault: scenes of a stepped proof, and tests of the library."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from plafond.real_time import run_bounded

from proof.result import ROOT, CouldNotRunError
from proof.stepped.patience import Bounds, Patience
from proof.stepped.scenes import Scene, alone_on, play
from proof.stepped.workshop import Workshop

# Tests need a tenth of a second, and at most half a second. A fault that spins uses up its bound.
BOUNDS = Bounds(processor_s=2.0, asleep_s=1.0, idle_s=3.0, clock_s=20.0)
# Tests that trap each instruction of a call need up to two seconds.
BOUNDS_IN_STEPS = replace(BOUNDS, processor_s=5.0)
# Tests that wait for no clock need a fifth of a second. Many faults make them wait for ever.
BOUNDS_WITHOUT_CLOCK = replace(BOUNDS, processor_s=0.5, idle_s=1.0)
WITHOUT_CLOCK = ("budgets", "server_steps", "sharing_steps")


@dataclass(frozen=True)
class Sweep:
    """A scene: an arrival at every boundary, or every pair of arrivals."""

    scene: Scene
    singles_only: bool
    patience_ms: int

    @property
    def name(self) -> str:
        """The check's name in the table."""
        kind = "single" if self.singles_only else "pairs"
        return f"{self.scene.name}/{self.scene.strength} {kind}"

    @property
    def subject(self) -> str:
        """The scene's name."""
        return self.scene.name

    def finding(
        self, workshop: Workshop, cpu: int, environment: Mapping[str, str] | None = None
    ) -> str | None:
        """The scene's finding, or None."""
        step = workshop.step
        try:
            outcome = play(step, self.scene, cpu, self.singles_only, self.patience_ms, environment)
        except CouldNotRunError as problem:  # a fault, because the pristine library can run
            return f"{self.name}: {problem}"
        return None if outcome.holds else f"{self.name}: {outcome.finding}"


@dataclass(frozen=True)
class Test:
    """A test program, run in one of its ways."""

    test: str
    way: str
    on_one_cpu: bool  # on the given CPU; otherwise on all
    environment: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """The check's name in the table."""
        return f"test {self.test} {self.way}"

    @property
    def subject(self) -> str:
        """The test's name."""
        return self.test

    @property
    def bounds(self) -> Bounds:
        """The bounds on the test's time."""
        if self.test in WITHOUT_CLOCK:
            return BOUNDS_WITHOUT_CLOCK
        return BOUNDS_IN_STEPS if self.test.endswith("_in_steps") else BOUNDS

    def finding(
        self, workshop: Workshop, cpu: int, environment: Mapping[str, str] | None = None
    ) -> str | None:
        """The test's finding, or None."""
        variables = {**self.environment, **(environment or {})}
        command = [str(workshop.build_test(self.test)), self.way]
        if workshop.bench.plan.preloads:  # taskset must not load it
            command = ["env", f"LD_PRELOAD={workshop.library}", *command]
        if self.on_one_cpu:
            command = ["taskset", "--cpu-list", str(cpu), *command]
        cpus = {cpu} if self.on_one_cpu else os.sched_getaffinity(0)
        try:
            with alone_on(cpus):
                done = run_bounded(
                    command,
                    self.bounds.clock_s,
                    environment=variables,
                    real_time_seconds=self.bounds.processor_s,
                    watch=lambda leader: Patience(leader, self.bounds).is_over,
                )
        except subprocess.TimeoutExpired:
            return f"{self.name}: hangs"
        return None if done.returncode == 0 else f"{self.name}: fails"


# A pytest session. Most of its time goes into starts of programs.
BOUNDS_OF_SCRIPT = Bounds(processor_s=60.0, asleep_s=5.0, idle_s=20.0, clock_s=120.0)


@dataclass(frozen=True)
class Script:
    """Tests in Python of programs that are run with the library preloaded."""

    file: str
    without: tuple[str, ...]  # tests that are left out because they take long
    programs: Mapping[str, str] = field(compare=False)  # programs of the plan, by variable
    library: str  # the variable that names the library
    environment: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """The check's name in the table."""
        return f"script {self.subject}"

    @property
    def subject(self) -> str:
        """The file's name."""
        return self.file.rpartition("/")[2]

    def finding(
        self, workshop: Workshop, cpu: int, environment: Mapping[str, str] | None = None
    ) -> str | None:
        """The tests' finding, or None. They pin their programs themselves."""
        programs = {name: str(workshop.build_test(p)) for name, p in self.programs.items()}
        files = {**programs, self.library: str(workshop.library)}
        chosen = " and ".join(f"not {name}" for name in self.without)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        try:
            with alone_on({cpu, *os.sched_getaffinity(0)}):
                done = run_bounded(
                    [*command, "-k", chosen, str(ROOT / self.file)],
                    BOUNDS_OF_SCRIPT.clock_s,
                    environment={**self.environment, **files, **(environment or {})},
                    real_time_seconds=BOUNDS.processor_s,
                    watch=lambda leader: Patience(leader, BOUNDS_OF_SCRIPT).is_over,
                )
        except subprocess.TimeoutExpired:
            return f"{self.name}: hangs"
        failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
        return None if done.returncode == 0 else f"{self.name}: {_test_of(failed)} fails"


def _test_of(failed: list[str]) -> str:
    """The name of the first failed test, without its parameters."""
    return failed[0].partition("::")[2].partition(" ")[0].partition("[")[0] if failed else "it"


Check = Sweep | Test | Script
