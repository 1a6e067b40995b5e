# SPDX-License-Identifier: MIT
"""What there is to run: proof/checks.toml."""

import os
import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict

from plafond.board.boards import ROOT
from plafond.errors import ArgumentError, RefusedError
from plafond.programs import build_folder
from plafond.prove.model import Extent
from plafond.real_time import run_bounded
from plafond.words import suggestion


class Check(BaseModel):
    """One property of one protocol, and the program that shows it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    protocol: str
    check: str
    module: str  # a program in Python, imported from the repository
    arguments: list[str] = []
    tools: dict[str, str] = {}  # what it calls, and the Debian package that has it
    built: list[str] = []  # in the build tree
    real_time: bool = False  # runs threads of SCHED_FIFO
    slow: str = ""  # why no part of it is quick
    quick: str = ""  # why all of it is: it has no rest
    certified: bool = False  # it has certificates
    longest_s: float

    def command(self, extent: Extent = Extent.WHOLE, reliance: Sequence[str] = ()) -> list[str]:
        """How to run it, or a part of it, with this Python; its row says which part.

        `reliance`: how it uses its certificates, if it has some.
        """
        arguments = [argument.format(build=build_folder()) for argument in self.arguments]
        asked = self._asked(extent)
        if asked is not Extent.WHOLE:
            arguments.append(asked.option)
        if self.certified:
            arguments += reliance
        return [sys.executable, "-m", self.module, *arguments, "--format", "json"]

    def _asked(self, extent: Extent) -> Extent:
        """The option for the program. If the check has one part only, that part is all of it."""
        if not self.slow and not self.quick:
            return extent
        has_argued = extent is not Extent.WHOLE and "--mutants" in self.arguments
        return Extent.UNARGUED if has_argued else Extent.WHOLE

    def left_out(self, extent: Extent) -> str:
        """Why that part of it is empty, and which has it; "": it is not."""
        if extent is Extent.QUICK and self.slow:
            return f"{self.slow} ({Extent.REST.option})"
        if extent is Extent.REST and self.quick:
            return f"{self.quick} ({Extent.QUICK.option})"
        return ""

    @property
    def environment(self) -> dict[str, str]:
        """In which: modules are found from the repository, wherever the command was called."""
        paths = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    @property
    def missing(self) -> Iterator[str]:
        """What it needs and is not here, and how to get it."""
        for tool, package in self.tools.items():
            if not shutil.which(tool):
                yield f"{tool} is missing: apt install {package}"
        if self.real_time and not may_run_real_time():
            yield "SCHED_FIFO is denied here: grant CAP_SYS_NICE or RLIMIT_RTPRIO 99 (ulimit -r)"
        for name in self.built:
            if not (build_folder() / name).exists():
                yield f"{build_folder() / name} is not built: make build"


def may_run_real_time() -> bool:
    """Whether a program may have the highest priority of SCHED_FIFO."""
    done = run_bounded(["chrt", "--fifo", "99", "true"], 10)
    return done.returncode == 0


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    checks: list[Check]


def all_checks() -> list[Check]:
    """Return every check, in order; RefusedError where there is no proof room."""
    file = ROOT / "proof/checks.toml"
    if not file.exists():
        raise RefusedError(
            "the proofs are not installed with the lab: run ./plafond prove in the repository"
        )
    return _File.model_validate(tomllib.loads(file.read_text())).checks


def checks_of(protocol: str | None) -> list[Check]:
    """Return those of a protocol, or all; ArgumentError for one that has none."""
    checks = all_checks()
    if protocol is None:
        return checks
    found = [check for check in checks if check.protocol == protocol]
    if not found:
        known = list(dict.fromkeys(check.protocol for check in checks))
        expected = f"one of {', '.join(known)}{suggestion(protocol, known)}"
        raise ArgumentError(f"PROTOCOL: found {protocol!r}; expected {expected}")
    return found
