# SPDX-License-Identifier: MIT
"""Show that a proof can fail: put in one fault after the other, and see each found.

A mutant meets the sweeps of one instruction set after the other, first with one arrival, then
with two; the first violation kills it. Where its machine code is the original's in all variants,
so is the verdict. What survives must be argued equivalent, one by one, in equivalent.toml.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from mutation import Mutant

from claim import Case, Claim, Variant
from image import ISAS, CannotBuildError, Image
from walk import Stage

Changes = Mapping[str, bool]  # of Habits
Digests = dict[tuple[str, str], str]  # of each instruction set and variant


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a fault."""

    mutant: str
    line: int
    verdict: str  # killed, same code, equivalent, stillborn, survived
    by: str  # the sweep that killed it, or the argument


def digests(claim: Claim, sources: Path) -> Digests:
    """Of the sources as they are."""
    return {
        (isa, name): image.digest
        for isa in ISAS
        for name, image in claim.images(isa, sources).items()
    }


class _Search:
    """For a fault, on one instruction set: in the images, built when they are needed."""

    def __init__(
        self,
        claim: Claim,
        isa: str,
        sources: Path,
        original: Digests | None = None,
        changes: Changes = MappingProxyType({}),
    ) -> None:
        """`original`: what is the same is not searched; `changes`: the fault is in the habits."""
        self._claim = claim
        self._isa = isa
        self._sources = sources
        self._original = original
        self._changes = changes
        self._images: dict[str, Image | None] = {}
        self._stages: dict[tuple[str, str], Stage] = {}

    @property
    def has_changed(self) -> bool:
        """Whether anything there is other machine code than before."""
        return any(self._image(v) is not None for v in self._claim.variants())

    def _image(self, variant: Variant) -> Image | None:
        """That variant, None if it is the original's code."""
        if variant.name not in self._images:
            image = self._claim.build(self._isa, variant, self._sources)
            is_same = self._original is not None and (
                image.digest == self._original[self._isa, variant.name]
            )
            self._images[variant.name] = None if is_same else image
        return self._images[variant.name]

    def killer(self, arrivals: int) -> str | None:
        """The first scenario that finds the fault."""
        for case in self._claim.cases:
            for variant in case.variants:
                image = self._image(variant)
                if image is None:
                    continue
                result = self._stage(image, case, variant).sweep(arrivals)
                if result.violation is not None:
                    return f"{result.scenario}, {result.variant}, {result.isa}: {result.violation}"
        return None

    def _stage(self, image: Image, case: Case, variant: Variant) -> Stage:
        key = (case.scenario.name, variant.name)
        if key not in self._stages:
            habits = replace(variant.habits, **self._changes)
            self._stages[key] = Stage(image, case.scenario, variant.name, habits)
        return self._stages[key]


def copy(claim: Claim, sources: Path, folder: Path) -> None:
    """Copy what the driver is made of."""
    for room in ("protocol", Path(claim.driver).parent):
        shutil.copytree(sources / room, folder / room, dirs_exist_ok=True)


@dataclass(frozen=True, slots=True)
class OfSource:
    """A trial of a mutant of these sources."""

    claim: Claim
    mutant: Mutant
    sources: Path
    original: Digests
    arguments: dict[str, str]

    def __call__(self) -> Fate:
        """Build it and sweep it until it falls."""
        try:
            verdict, by = self._judge()
        except CannotBuildError as error:
            verdict, by = "stillborn", str(error)
        return Fate(self.mutant.key, self.mutant.line, verdict, by)

    def _judge(self) -> tuple[str, str]:
        with tempfile.TemporaryDirectory(prefix="plafond-mutant-") as name:
            folder = Path(name)
            copy(self.claim, self.sources, folder)
            source = (self.sources / self.mutant.file).read_bytes()
            (folder / self.mutant.file).write_bytes(self.mutant.apply(source))
            searches = [_Search(self.claim, isa, folder, self.original) for isa in ISAS]
            for arrivals in (1, 2):
                for search in searches:
                    by = search.killer(arrivals)
                    if by is not None:
                        return "killed", by
            if not any(search.has_changed for search in searches):
                return "same code", "the compilers make the same machine code of it"
        argument = self.arguments.get(self.mutant.key)
        return ("survived", "") if argument is None else ("equivalent", argument)


@dataclass(frozen=True, slots=True)
class OfHabit:
    """A trial of a fault of the kernel's around the protocol."""

    claim: Claim
    name: str
    changes: Changes
    sources: Path

    def __call__(self) -> Fate:
        """Sweep with it until it falls."""
        for isa in ISAS:
            by = _Search(self.claim, isa, self.sources, changes=self.changes).killer(2)
            if by is not None:
                return Fate(f"by hand: {self.name}", 0, "killed", by)
        return Fate(f"by hand: {self.name}", 0, "survived", "")


Trial = OfSource | OfHabit


def trials(claim: Claim, sources: Path, only: str = "") -> list[Trial]:
    """All faults whose name contains the text."""
    file = sources / Path(claim.driver).parent / "equivalent.toml"
    arguments: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))
    original = digests(claim, sources)
    found: list[Trial] = [
        OfSource(claim, m, sources, original, arguments)
        for m in claim.mutants(sources)
        if only in m.key
    ]
    found += [
        OfHabit(claim, name, changes, sources)
        for name, changes in claim.habits.items()
        if only in name
    ]
    return found
