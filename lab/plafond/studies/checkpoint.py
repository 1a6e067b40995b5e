# SPDX-License-Identifier: MIT
"""A file of finished points, from which an interrupted study continues.

The first line identifies the study. Each other line is a point. A line that is incomplete, because
the command was killed, is removed.
"""

import hashlib
import json
import os
from fractions import Fraction
from pathlib import Path

from plafond.describe.study import Study
from plafond.errors import ArgumentError, PlafondError
from plafond.regular import open_regular
from plafond.studies.costs import KnownCosts
from plafond.studies.count import Counts
from plafond.writing import write_whole

Points = dict[Fraction, Counts]


class Checkpoint:
    """The points of a study, with a file if there is one."""

    def __init__(self, file: Path | None, study: Study, costs: KnownCosts | None = None) -> None:
        """Read the points of an existing file; ArgumentError if it belongs to another study."""
        self.points: Points = {}
        self._file = file
        self._study = study
        self._head = json.dumps(
            {"study": hashlib.sha256(repr((study, costs)).encode()).hexdigest()}
        )
        if file is not None:
            try:
                self._begin(file)
            except OSError as error:
                raise PlafondError(f"{file}: {error.strerror}; expected a checkpoint") from None

    def add(self, utilisation: Fraction, counts: Counts) -> None:
        """Store a finished point."""
        self.points[utilisation] = counts
        if self._file is not None:
            point = [str(utilisation), counts.tasks, counts.schedulable]
            try:
                _append(self._file, json.dumps(point))
            except OSError as error:
                raise PlafondError(f"{self._file}: {error.strerror}; a point is lost") from None

    def _begin(self, file: Path) -> None:
        content = _content_of(file) if file.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.decode(errors="replace").splitlines()
        if not lines and self._head.encode().startswith(content):
            write_whole(file, f"{self._head}\n")
            return
        if not lines or lines[0] != self._head:
            raise ArgumentError(
                f"{file}: found no checkpoint of this description; expected one, or no file"
            )
        for number, line in enumerate(lines[1:], start=2):
            try:
                self._read(line)
            except (ArithmeticError, TypeError, ValueError):  # ArithmeticError: Fraction("1/0")
                raise ArgumentError(
                    f"{file}:{number}: found {line[:40]!r}; expected a point"
                ) from None
        os.truncate(file, len(whole))

    def _read(self, line: str) -> None:
        utilisation, tasks, schedulable = json.loads(line)
        point, rows = Fraction(utilisation), tuple(map(tuple, schedulable))
        expected = [len(self._study.compared)] * len(self._study.cases)
        if point not in self._study.utilisations or list(map(len, rows)) != expected:
            raise ValueError
        self.points[point] = Counts(tasks, rows)


def _content_of(file: Path) -> bytes:
    with open_regular(file) as opened:
        return opened.read()


def _append(file: Path, line: str) -> None:
    with file.open("a") as opened:
        opened.write(f"{line}\n")
        opened.flush()
        os.fsync(opened.fileno())
