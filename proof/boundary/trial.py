# SPDX-License-Identifier: MIT
"""Show that a proof can fail: put in one fault after the other, and see each found.

A mutant first meets the sweep that killed it before, which its certificate names. Without a
certificate, the published results name this sweep, and so does a fault made by hand. If the mutant
survives, it meets all sweeps of one instruction set after the other. They allow one arrival, then
two, or as many as the claim says. The first violation kills it.

If the machine code is the original's in all variants, the verdict says so. A mutant that survives
one arrival may be argued equivalent in equivalent.toml. All others must fall to more arrivals. A
part of the proof does not put in argued mutants, because this could show nothing. If the machine
code is the certified code, a mutant is not swept.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from plafond.prove.model import Extent, Fault

from proof.boundary.claim import Claim, Key, Subject, Sweeper, Variant
from proof.boundary.image import ISAS, CannotBuildError, Compiled, Image
from proof.certificate import Found, Line, digest
from proof.mutation import Mutant, function_around
from proof.published import killers
from proof.result import EQUIVALENT, KILLED, SAME_CODE, STILLBORN, SURVIVED


@dataclass(frozen=True, slots=True)
class Original:
    """The image without a fault, to compare a mutant's image with."""

    digest: str
    code: str
    sources: frozenset[Path]
    objects: tuple[Compiled, ...]
    names: tuple[frozenset[str], ...]  # for each object, the functions on which it may depend

    @staticmethod
    def of(image: Image) -> Original:
        """The original of an image. Its tree must still exist."""
        names = tuple(each.names() for each in image.objects)
        return Original(image.digest, image.code, image.sources, image.objects, names)

    def unchanged(self, file: Path, within: str) -> list[Compiled]:
        """The objects that a fault in this file leaves alone; `within`: its function, or ""."""
        return [
            each
            for each, names in zip(self.objects, self.names, strict=True)
            if file not in each.read or (within and within not in names)
        ]


Originals = Mapping[Key, Original]


@lru_cache
def _original(variant: Variant, isa: str, tree: Path) -> Original:
    """An original that was not built for all trials, because few need it."""
    return Original.of(variant.build(isa, tree))


@dataclass(frozen=True, slots=True)
class Tried:
    """The fate of a mutant, and its machine code. `is_proved` is false if it was only compiled."""

    fault: Fault
    code: str = ""
    is_proved: bool = True


class _Kill(NamedTuple):
    by: str
    code: str


class _Search:
    """A search for a killer on an instruction set, in images that differ from the original's."""

    def __init__(self, trial: OfSource, isa: str, tree: Path) -> None:
        self._trial = trial
        self._subjects = trial.claim.played
        self._known = trial.known
        self._arrivals = trial.claim.arrivals
        self._file = Path(trial.mutant.file)
        self._within = function_around((trial.tree / self._file).read_bytes(), trial.mutant)
        self._isa = isa
        self._tree = tree
        self._images: dict[str, Image | None] = {}
        self._stages: dict[tuple[str, str], Sweeper] = {}
        self.has_changed = False

    def _original(self, variant: Variant) -> Original:
        known = self._trial.originals.get((self._isa, variant.name))
        return known or _original(variant, self._isa, self._trial.tree)

    def _image(self, variant: Variant) -> Image | None:
        """The image of this variant, or None if it has the original's code."""
        if variant.name not in self._images:
            original = self._original(variant)
            same = original.unchanged(self._file, self._within)
            image = None
            if len(same) < len(original.objects):
                self._put_in(original.sources)
                image = variant.build(self._isa, self._tree, same)
                image = None if image.digest == original.digest else image
            self._images[variant.name] = image
            self.has_changed |= image is not None
        return self._images[variant.name]

    def _put_in(self, sources: Iterable[Path]) -> None:
        """Copy these sources, except the file that has the fault."""
        for source in sources:
            target = self._tree / source
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self._trial.tree / source, target)

    def killer(self, arrivals: int | None) -> _Kill | None:
        """The first scenario that finds the fault."""
        return _first(self._found(subject, arrivals) for subject in self._subjects)

    def known_killer(self) -> _Kill | None:
        """The scenario that found the fault before, if it still does."""
        known = [s for s in self._subjects if named(s, self._isa) in self._known]
        return _first(
            self._found(subject, arrivals) for arrivals in self._arrivals for subject in known
        )

    def code_of(self, sweep: str) -> str | None:
        """The machine code in which this sweep looks, or None if it is the original's."""
        known = [s for s in self._subjects if named(s, self._isa) == sweep]
        image = self._image(known[0].variant) if known else None
        return None if image is None else image.code

    def codes(self) -> list[str]:
        """The machine codes of all images."""
        variants = {subject.variant.name: subject.variant for subject in self._subjects}
        found = ((variant, self._image(variant)) for variant in variants.values())
        return [i.code if i is not None else self._original(v).code for v, i in found]

    def _found(self, subject: Subject, arrivals: int | None) -> _Kill | None:
        image = self._image(subject.variant)
        if image is None:
            return None
        by = _found(subject, self._stage(image, subject), arrivals)
        return None if by is None else _Kill(by, image.code)

    def _stage(self, image: Image, subject: Subject) -> Sweeper:
        key = (subject.name, subject.variant.name)
        if key not in self._stages:
            self._stages[key] = subject.stage(image)
        return self._stages[key]


T = TypeVar("T")


def _first(found: Iterable[T | None]) -> T | None:
    return next((by for by in found if by is not None), None)


def named(subject: Subject, isa: str) -> str:
    """A sweep's name in the table."""
    return f"{subject.name}, {subject.variant.name}, {isa}"


def killing(found: Found) -> str:
    """The sweep that killed the mutant, or ""."""
    return str(found.get("by")).split(":")[0] if found.get("verdict") == KILLED else ""


def _found(subject: Subject, stage: Sweeper, arrivals: int | None) -> str | None:
    result = stage.sweep(arrivals)
    if result.violation is None:
        return None
    return f"{named(subject, result.isa)}: {result.violation}"


def _asked(subjects: Iterable[Subject], found: Found, *more: object) -> str:
    """A killed mutant's question has the scenario that killed it. Others have all scenarios."""
    sweep = killing(found)
    played = (s for s in subjects if not sweep or sweep in (named(s, isa) for isa in ISAS))
    return digest(*sorted(found), *more, *map(repr, played))


@dataclass(frozen=True, slots=True)
class OfSource:
    """A trial of a mutant of the sources in this tree."""

    claim: Claim
    mutant: Mutant
    tree: Path
    originals: Originals
    argument: str | None
    known: frozenset[str]  # sweeps that killed it
    certified: Line | None = None  # holds if its code is the same

    @property
    def key(self) -> str:
        """The mutant's name in the table."""
        return self.mutant.key

    def asked(self, found: Found) -> str:
        """A hash of the question with this answer."""
        mutant, claim = self.mutant, self.claim
        before = (self.tree / mutant.file).read_bytes()[mutant.start : mutant.end]
        edit = (mutant.file, mutant.function, before, mutant.text, claim.arrivals)
        argument = "" if killing(found) else self.argument
        return _asked(claim.played, found, *edit, argument)

    def fault(self, found: Found) -> Fault:
        """The mutant's entry in the table."""
        verdict, by = str(found["verdict"]), str(found["by"])
        return Fault(mutant=self.key, verdict=verdict, by=by, line=self.mutant.line)

    def prepared(self, originals: Originals, line: Line | None, certified: Line | None) -> OfSource:
        """The trial with all facts that are known before the mutant is put in."""
        known = self.known if line is None else frozenset({killing(line.found)})
        return replace(self, originals=originals, known=known, certified=certified)

    def __call__(self) -> Tried:
        """Build the mutant and sweep it until it falls."""
        try:
            return self._tried()
        except CannotBuildError as error:
            return Tried(self.fault({"verdict": STILLBORN, "by": str(error)}))

    def _tried(self) -> Tried:
        with tempfile.TemporaryDirectory(prefix="plafond-mutant-") as name:
            folder = Path(name)
            self._put_into(folder)
            searches = [_Search(self, isa, folder) for isa in ISAS]
            line = self.certified
            if line is not None and _code(searches, killing(line.found)) == line.code:
                return Tried(self.fault(line.found), line.code, is_proved=False)
            return self._judged(searches)

    def _judged(self, searches: Sequence[_Search]) -> Tried:
        first, *others = self.claim.arrivals
        kill = _first(s.known_killer() for s in searches)
        kill = kill or _first(s.killer(first) for s in searches)
        verdict, by = SURVIVED, ""
        if kill is None and not any(search.has_changed for search in searches):
            verdict, by = SAME_CODE, "the compilers make the same machine code of it"
        elif kill is None and self.argument is not None:
            verdict, by = EQUIVALENT, self.argument
        elif kill is None:
            kill = _first(search.killer(most) for most in others for search in searches)
        if kill is not None:
            return Tried(self.fault({"verdict": KILLED, "by": kill.by}), kill.code)
        return Tried(self.fault({"verdict": verdict, "by": by}), _code(searches, "") or "")

    def _put_into(self, folder: Path) -> None:
        """Write the file with the fault. Other files follow when an image needs them."""
        file = Path(self.mutant.file)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(self.mutant.apply((self.tree / file).read_bytes()))


def _code(searches: Sequence[_Search], sweep: str) -> str | None:
    """The code of the image in which this sweep looks, or a hash of all."""
    if sweep:
        return _first(search.code_of(sweep) for search in searches)
    return digest(*(code for search in searches for code in search.codes()))


@dataclass(frozen=True, slots=True)
class OfHabit:
    """A trial of a fault of the model around the protocol."""

    name: str
    subjects: tuple[Subject, ...]
    tree: Path

    @property
    def key(self) -> str:
        """The habit's name in the table."""
        return f"by hand: {self.name}"

    def asked(self, found: Found) -> str:
        """A hash of the question with this answer."""
        return _asked(self.subjects, found, self.name)

    def fault(self, found: Found) -> Fault:
        """The habit's entry in the table."""
        return Fault(mutant=self.key, verdict=str(found["verdict"]), by=str(found["by"]))

    def prepared(self, *_: object) -> OfHabit:
        """Nothing is known about a habit before."""
        return self

    def __call__(self) -> Tried:
        """Sweep with the habit until it falls."""
        for isa in ISAS:
            built = {s.variant.name: s.variant for s in self.subjects}
            images = {name: variant.build(isa, self.tree) for name, variant in built.items()}
            for subject in self.subjects:
                image = images[subject.variant.name]
                by = _found(subject, subject.stage(image), 2)
                if by is not None:
                    return Tried(self.fault({"verdict": KILLED, "by": by}), image.code)
        return Tried(self.fault({"verdict": SURVIVED, "by": ""}))


@dataclass(frozen=True, slots=True)
class Argued:
    """A mutant that is not put in."""

    mutant: Mutant
    argument: str

    @property
    def fault(self) -> Fault:
        """The mutant's entry in the table, with its argument."""
        return Fault(
            mutant=self.mutant.key, verdict=EQUIVALENT, by=self.argument, line=self.mutant.line
        )


PutIn = OfSource | OfHabit
Trial = PutIn | Argued


def trials(claim: Claim, tree: Path, extent: Extent = Extent.WHOLE, only: str = "") -> list[Trial]:
    """The faults of this part whose name contains the text."""
    text = (tree / claim.equivalent).read_text(encoding="utf-8")
    arguments: dict[str, str] = tomllib.loads(text)
    published = killers(claim.protocol)
    named = {fault.mutant(tree).key: frozenset({fault.scene}) for fault in claim.by_hand}

    def known(mutant: Mutant) -> frozenset[str]:
        return published.get(mutant.key, frozenset()) | named.get(mutant.key, frozenset())

    def trial(mutant: Mutant) -> Trial:
        argument = arguments.get(mutant.key)
        if argument is not None and not extent.tries_argued:
            return Argued(mutant, argument)
        return OfSource(claim, mutant, tree, {}, argument, known(mutant))

    found: list[Trial] = [trial(m) for m in claim.mutants(tree, extent) if only in m.key]
    if extent.takes(is_small=True):
        found += [
            OfHabit(name, subjects, tree) for name, subjects in claim.habits.items() if only in name
        ]
    return found
