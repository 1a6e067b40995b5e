# SPDX-License-Identifier: MIT
"""The certificates of mutants that are stepped or tested on the real kernel.

They show that the checks can find these faults. The kernel of this machine is no part of the key,
because a fault that was found once can be found. The shipped code on this kernel is never
certified: the row `stepped` plays all of it.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from plafond.prove.model import ARGUED, Fault

from proof.certificate import FOLDER, Certificate, Found, Reliance, digest, digest_of, units_of
from proof.mutation import Mutant
from proof.prover import compilers, modules, packages
from proof.result import KILLED, ROOT
from proof.stepped.subjects import Subject

SUFFIXES = (".c", ".h", ".S", ".py")
_DECISIVE = ("verdict",)  # the check that is first depends on time


class CertifiedMutants:
    """The certified mutants of a subject."""

    def __init__(
        self, subject: Subject, arguments: Mapping[str, str], reliance: Reliance, tree: Path = ROOT
    ) -> None:
        """`tree`: the sources."""
        prover = {
            **packages(),
            **compilers(["gcc"]),
            "libc": " ".join(platform.libc_ver()),
            **modules("proof.stepped.checks"),
        }
        file = FOLDER / subject.protocol / "mutants.jsonl"
        self.row = Certificate(f"{subject.protocol}, mutants", file, prover, reliance)
        self._subject, self._arguments, self._tree = subject, arguments, tree
        self._codes: dict[str, str] = {}  # by the check that kills
        self._units: dict[Mutant, str] = {}

    def taken(self, mutants: Sequence[Mutant], all_of_row: Sequence[Mutant]) -> dict[Mutant, Fault]:
        """The certified fates of these mutants. Several mutants of the row may share a name."""
        units = units_of("mutant", (mutant.key for mutant in all_of_row))
        self._units = dict(zip(all_of_row, units, strict=True))
        taken: dict[Mutant, Fault] = {}
        for mutant in mutants:

            def asked(found: Found, mutant: Mutant = mutant) -> str:
                return self._asked(mutant, found)

            unit = self._units[mutant]
            line = self.row.candidate(unit, asked)
            code = self._code(_killing(line.found)) if line is not None else ""
            certified = self.row.taken_of_code(unit, asked, code)
            if certified is not None:
                verdict, by = str(certified["verdict"]), str(certified["by"])
                fault = Fault(mutant=mutant.key, verdict=verdict, by=by, line=mutant.line)
                taken[mutant] = fault
        return taken

    @property
    def killers(self) -> dict[str, frozenset[str]]:
        """By a mutant's name, the check that killed it, whatever its code was."""
        lines = {mutant.key: self.row.line(unit) for mutant, unit in self._units.items()}
        return {
            key: frozenset({_killing(line.found)})
            for key, line in lines.items()
            if line is not None
        }

    def note(self, mutant: Mutant, fault: Fault) -> None:
        """Note the fate of a mutant."""
        if fault.verdict == KILLED or fault.verdict in ARGUED:
            found = {"verdict": fault.verdict, "by": fault.by}
            asked, code = self._asked(mutant, found), self._code(_killing(found))
            self.row.found(self._units[mutant], asked, code, found, decisive=_DECISIVE)

    def _code(self, killing: str) -> str:
        """A hash of all code that is built and played up to this check; "": up to the last."""
        if killing not in self._codes:
            is_used = self.row.is_used
            sources = _sources(self._subject, self._tree, killing) if is_used else ()
            self._codes[killing] = digest(*sources)
        return self._codes[killing]

    def _asked(self, mutant: Mutant, found: Found) -> str:
        subject, killing = self._subject, _killing(found)
        before = (self._tree / mutant.file).read_bytes()[mutant.start : mutant.end]
        edit = (mutant.file, mutant.function, before, mutant.text)
        played = [repr(subject.plan), str(subject.patience_ms), repr(subject.environment)]
        if not killing:
            may_find = (subject.tests, subject.pairs, subject.claims, subject.scripts)
            played += [repr(may_find), self._arguments.get(mutant.key, "")]
        return digest(*sorted(found), *edit, *played)


def _killing(found: Found) -> str:
    """The check that killed the mutant, or ""."""
    return str(found.get("by")).split(":")[0] if found.get("verdict") == KILLED else ""


def _sources(subject: Subject, tree: Path, killing: str) -> Iterator[str]:
    """Hashes of the sources, except Python of the provers, which counts by its imports.

    If another check kills a mutant, a new test must not change its hash. So only that check's code
    and all headers count among the tests.
    """
    kind, _, rest = killing.partition(" ")
    tests = subject.plan.tests.get(rest.split(" ")[0]) if kind == "test" else ()
    own = {os.path.normpath(unit.source) for unit in tests or ()}
    counts_all = kind in ("", "script") or tests is None  # also if the test no longer exists
    for part in subject.plan.parts:
        for file in sorted((tree / part).rglob("*.*")):
            name = file.relative_to(tree)
            is_prover = part.startswith("proof/") and file.suffix == ".py"
            is_other_test = "test" in name.parts and file.suffix != ".h" and str(name) not in own
            if file.suffix in SUFFIXES and not is_prover and (counts_all or not is_other_test):
                yield f"{name} {digest_of(file)}"
