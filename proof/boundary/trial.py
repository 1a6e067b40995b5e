# SPDX-License-Identifier: MIT
"""Show that a proof can fail: put in one fault after the other, and see each found.

A mutant meets the sweep that killed it when the results were published, and the one that a fault
made by hand names. If it survives that, it meets the sweeps of one instruction set after the other,
first with one arrival, then with two, or as many as its claim says; the first violation kills it.
Where its machine code is the original's in all variants, so is the verdict. What survives one
arrival may be argued equivalent, one by one, in equivalent.toml; what is not must fall to more.
A part of the proof does not put in what is argued: nothing of it could fail.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from plafond.prove.model import Extent, Fault

from proof.boundary.claim import Claim, Images, Subject, Sweeper, Variant
from proof.boundary.image import ISAS, CannotBuildError, Compiled, Image
from proof.mutation import Mutant, function_around
from proof.published import killers
from proof.result import EQUIVALENT, KILLED, SAME_CODE, STILLBORN, SURVIVED


@dataclass(frozen=True, slots=True)
class Original:
    """What a mutant's image is compared with."""

    digest: str
    sources: frozenset[Path]
    objects: tuple[Compiled, ...]
    names: tuple[frozenset[str], ...]  # of each object the functions that it can depend on

    def unchanged(self, file: Path, within: str) -> list[Compiled]:
        """The objects that a fault of this file leaves alone; `within`: its function, or ""."""
        return [
            each
            for each, names in zip(self.objects, self.names, strict=True)
            if file not in each.read or (within and within not in names)
        ]


Originals = Mapping[tuple[str, str], Original]


class _Search:
    """For a mutant, on one instruction set: in the images that differ, built when needed."""

    def __init__(self, trial: OfSource, isa: str, tree: Path) -> None:
        self._subjects = (*trial.claim.subjects, *trial.claim.also)
        self._known = trial.known
        self._arrivals = trial.claim.arrivals
        self._originals = trial.originals
        self._file = Path(trial.mutant.file)
        self._within = function_around((trial.tree / self._file).read_bytes(), trial.mutant)
        self._isa = isa
        self._tree = tree
        self._images: dict[str, Image | None] = {}
        self._stages: dict[tuple[str, str], Sweeper] = {}
        self.has_changed = False

    def _image(self, variant: Variant) -> Image | None:
        """That variant, None if it is the original's code."""
        if variant.name not in self._images:
            original = self._originals[self._isa, variant.name]
            same = original.unchanged(self._file, self._within)
            image = None
            if len(same) < len(original.objects):
                image = variant.build(self._isa, self._tree, same)
                image = None if image.digest == original.digest else image
            self._images[variant.name] = image
            self.has_changed |= image is not None
        return self._images[variant.name]

    def killer(self, arrivals: int | None) -> str | None:
        """The first scenario that finds the fault."""
        return _first(self._found(subject, arrivals) for subject in self._subjects)

    def known_killer(self) -> str | None:
        """The one that found it before, if it still does."""
        known = [s for s in self._subjects if _sweep(s, self._isa) in self._known]
        return _first(
            self._found(subject, arrivals) for arrivals in self._arrivals for subject in known
        )

    def _found(self, subject: Subject, arrivals: int | None) -> str | None:
        image = self._image(subject.variant)
        return None if image is None else _found(subject, self._stage(image, subject), arrivals)

    def _stage(self, image: Image, subject: Subject) -> Sweeper:
        key = (subject.name, subject.variant.name)
        if key not in self._stages:
            self._stages[key] = subject.stage(image)
        return self._stages[key]


def _first(found: Iterable[str | None]) -> str | None:
    return next((by for by in found if by is not None), None)


def _sweep(subject: Subject, isa: str) -> str:
    return f"{subject.name}, {subject.variant.name}, {isa}"


def _found(subject: Subject, stage: Sweeper, arrivals: int | None) -> str | None:
    result = stage.sweep(arrivals)
    if result.violation is None:
        return None
    return f"{_sweep(subject, result.isa)}: {result.violation}"


@dataclass(frozen=True, slots=True)
class OfSource:
    """A trial of a mutant of the sources in that tree."""

    claim: Claim
    mutant: Mutant
    tree: Path
    originals: Originals
    argument: str | None
    known: frozenset[str]  # sweeps that killed it

    def __call__(self) -> Fault:
        """Build it and sweep it until it falls."""
        try:
            verdict, by = self._judged()
        except CannotBuildError as error:
            verdict, by = STILLBORN, str(error)
        return Fault(mutant=self.mutant.key, verdict=verdict, by=by, line=self.mutant.line)

    def _judged(self) -> tuple[str, str]:
        with tempfile.TemporaryDirectory(prefix="plafond-mutant-") as name:
            folder = Path(name)
            self._put_into(folder)
            searches = [_Search(self, isa, folder) for isa in ISAS]
            first, *others = self.claim.arrivals
            by = _first(s.known_killer() for s in searches)
            by = by or _first(s.killer(first) for s in searches)
            if by is not None:
                return KILLED, by
            if not any(search.has_changed for search in searches):
                return SAME_CODE, "the compilers make the same machine code of it"
            if self.argument is not None:
                return EQUIVALENT, self.argument
            by = _first(search.killer(most) for most in others for search in searches)
            return (SURVIVED, "") if by is None else (KILLED, by)

    def _put_into(self, folder: Path) -> None:
        """Copy what the affected images are made of."""
        file = Path(self.mutant.file)
        affected = (o.sources for o in self.originals.values() if file in o.sources)
        for source in frozenset().union(*affected):
            target = folder / source
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.tree / source, target)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(self.mutant.apply((self.tree / file).read_bytes()))


@dataclass(frozen=True, slots=True)
class OfHabit:
    """A trial of a fault of the model around the protocol."""

    name: str
    subjects: tuple[Subject, ...]
    tree: Path

    def __call__(self) -> Fault:
        """Sweep with it until it falls."""
        for isa in ISAS:
            built = {s.variant.name: s.variant for s in self.subjects}
            images = {name: variant.build(isa, self.tree) for name, variant in built.items()}
            for subject in self.subjects:
                by = _found(subject, subject.stage(images[subject.variant.name]), 2)
                if by is not None:
                    return Fault(mutant=f"by hand: {self.name}", verdict=KILLED, by=by)
        return Fault(mutant=f"by hand: {self.name}", verdict=SURVIVED, by="")


@dataclass(frozen=True, slots=True)
class Argued:
    """A mutant that is not put in."""

    mutant: Mutant
    argument: str

    def __call__(self) -> Fault:
        """Say why."""
        return Fault(
            mutant=self.mutant.key, verdict=EQUIVALENT, by=self.argument, line=self.mutant.line
        )


Trial = OfSource | OfHabit | Argued


def trials(
    claim: Claim, tree: Path, images: Images, extent: Extent = Extent.WHOLE, only: str = ""
) -> list[Trial]:
    """The faults of that part whose name contains the text."""
    text = (tree / claim.equivalent).read_text(encoding="utf-8")
    arguments: dict[str, str] = tomllib.loads(text)
    originals = {
        key: Original(
            image.digest,
            image.sources,
            image.objects,
            tuple(each.names() for each in image.objects),
        )
        for key, image in images.items()
    }
    published = killers(claim.protocol)
    named = {fault.mutant(tree).key: frozenset({fault.scene}) for fault in claim.by_hand}

    def known(mutant: Mutant) -> frozenset[str]:
        return published.get(mutant.key, frozenset()) | named.get(mutant.key, frozenset())

    def trial(mutant: Mutant) -> Trial:
        argument = arguments.get(mutant.key)
        if argument is not None and not extent.tries_argued:
            return Argued(mutant, argument)
        return OfSource(claim, mutant, tree, originals, argument, known(mutant))

    found: list[Trial] = [trial(m) for m in claim.mutants(tree, extent) if only in m.key]
    if extent.takes(is_small=True):
        found += [
            OfHabit(name, subjects, tree) for name, subjects in claim.habits.items() if only in name
        ]
    return found
