# SPDX-License-Identifier: MIT
"""The list of checks: proof/checks.toml."""

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
    """A property of a protocol, and the program that shows it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    protocol: str
    check: str
    module: str  # a Python program, imported from the repository
    arguments: list[str] = []
    tools: dict[str, str] = {}  # from each program that it calls to the Debian package
    built: list[str] = []  # files that it needs in the build tree
    real_time: bool = False  # runs threads of SCHED_FIFO
    slow: str = ""  # the reason why no part of it is quick
    quick: str = ""  # the reason why all of it is quick, so that the rest is empty
    certified: bool = False  # has certificates
    longest_s: float

    def command(self, extent: Extent = Extent.WHOLE, reliance: Sequence[str] = ()) -> list[str]:
        """Return the command to run the check, or a part of it, with this Python.

        The row of the check names the part. `reliance`: options for the use of its certificates.
        """
        arguments = [argument.format(build=build_folder()) for argument in self.arguments]
        asked = self._asked(extent)
        if asked is not Extent.WHOLE:
            arguments.append(asked.option)
        if self.certified:
            arguments += reliance
        return [sys.executable, "-m", self.module, *arguments, "--format", "json"]

    def _asked(self, extent: Extent) -> Extent:
        """Return the extent to ask for; a check without parts has no quick part and no rest."""
        if not self.slow and not self.quick:
            return extent
        has_argued = extent is not Extent.WHOLE and "--mutants" in self.arguments
        return Extent.UNARGUED if has_argued else Extent.WHOLE

    def left_out(self, extent: Extent) -> str:
        """Return why this part of the check is empty, and which part is not; "" if it is not
        empty."""
        if extent is Extent.QUICK and self.slow:
            return f"{self.slow} ({Extent.REST.option})"
        if extent is Extent.REST and self.quick:
            return f"{self.quick} ({Extent.QUICK.option})"
        return ""

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the check, in which modules are found from any working directory."""
        paths = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    @property
    def missing(self) -> Iterator[str]:
        """Yield the requirements that are missing, and how to get them."""
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
    """Return every check in order; RefusedError if this installation has no proofs."""
    file = ROOT / "proof/checks.toml"
    if not file.exists():
        raise RefusedError(
            "the proofs are not installed with the lab: run ./plafond prove in the repository"
        )
    return _File.model_validate(tomllib.loads(file.read_text())).checks


def checks_of(protocol: str | None) -> list[Check]:
    """Return the checks of a protocol, or all; ArgumentError if the protocol has none."""
    checks = all_checks()
    if protocol is None:
        return checks
    found = [check for check in checks if check.protocol == protocol]
    if not found:
        known = list(dict.fromkeys(check.protocol for check in checks))
        expected = f"one of {', '.join(known)}{suggestion(protocol, known)}"
        raise ArgumentError(f"PROTOCOL: found {protocol!r}; expected {expected}")
    return found
