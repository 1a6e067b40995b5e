# SPDX-License-Identifier: MIT
"""The certificate of bounds: the tables of a part, and the mistakes that were seen in it.

A part is a single piece of work, because the mistakes are sought in the schedules of its sets. So
all of the part is drawn together, and is proved again if any of its inputs changed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import NamedTuple

from plafond.prove.model import Fault, Row

from proof.certificate import FOLDER, Certificate, Found, digest, digest_of, reliance_of, units_of
from proof.prover import compilers, modules, packages
from proof.result import ROOT

_HERE = ROOT / "proof/analysis"
# Options that do not change the findings.
_NOT_ASKED = ("program", "jobs", "format", "certified", "sample", "renew")

Line = dict[str, str | int | float]


class Tables(NamedTuple):
    """The tables of results, under fixed priorities and under EDF."""

    scope: str
    fixed: list[Line]
    edf: list[Line]


class CertifiedBounds:
    """The certified lines of the part that is asked for."""

    def __init__(self, given: argparse.Namespace, mutants: Sequence[str]) -> None:
        """`mutants`: the names of the mistakes of this part."""
        prover = {
            **packages(),
            **compilers(["gcc"]),
            **modules("proof.analysis.__main__", rooms=("proof", "plafond")),
        }
        file = FOLDER / "analysis/bounds.jsonl"
        self._row = Certificate("analysis, bounds", file, prover, reliance_of(given))
        self._unit = f"sets, {given.extent}"
        self._mutants = units_of(f"mutant, {given.extent}:", mutants)
        asked = {name: value for name, value in vars(given).items() if name not in _NOT_ASKED}
        self._asked = digest(*sorted(asked.items()))
        sources = sorted(f for kind in ("*.c", "*.h", "*.txt") for f in _HERE.glob(kind))
        self._code = digest(*(f"{file.name} {digest_of(file)}" for file in sources))

    def taken(self) -> tuple[Tables, list[Fault]] | None:
        """Return the certified tables and faults if all of the part is certified, else None."""
        units = (self._unit, *self._mutants)
        lines = [self._row.candidate(unit, self._question, self._unit) for unit in units]
        if any(line is None or line.code != self._code for line in lines):
            return None
        tables, *faults = map(self._taken, units)
        return _tables(tables), [
            Fault(mutant=str(each["mutant"]), verdict=str(each["verdict"]), by=str(each["by"]))
            for each in faults
        ]

    def _taken(self, unit: str) -> Found:
        found = self._row.taken_of_code(unit, self._question, self._code, self._unit)
        assert found is not None
        return found

    def _question(self, found: Found) -> str:
        return digest(*sorted(found), self._asked)

    def note(self, tables: Tables, faults: Sequence[Fault]) -> None:
        """Note the findings of this run."""
        found: Found = {
            "scope": tables.scope,
            "fixed": json.dumps(tables.fixed),
            "edf": json.dumps(tables.edf),
        }
        self._row.found(self._unit, self._question(found), self._code, found)
        for unit, fault in zip(self._mutants, faults, strict=True):
            found = {"mutant": fault.mutant, "verdict": fault.verdict, "by": fault.by}
            self._row.found(unit, self._question(found), self._code, found)

    def certified(self, row: Row) -> Row:
        """Return the row with its note. Lines of other parts stay."""
        return self._row.certified(row, is_whole=False)


def _tables(found: Found) -> Tables:
    fixed, edf = json.loads(str(found["fixed"])), json.loads(str(found["edf"]))
    return Tables(str(found["scope"]), fixed, edf)
