# SPDX-License-Identifier: MIT
"""The sweeps and mutants of a row: taken from its certificate, or done now."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.prove.model import ARGUED, Extent, Fault

from proof.boundary.claim import Claim, Images, Key, Subject, images
from proof.boundary.image import COMPILERS, ISAS, Image
from proof.boundary.trial import Argued, Original, PutIn, Tried, killing, named, trials
from proof.certificate import FOLDER, Certificate, Found, Reliance, digest, units_of
from proof.engine.explore import prepare
from proof.engine.walk import Result
from proof.prover import compilers, modules, packages
from proof.result import KILLED, ROOT
from proof.workers import done_by_workers, in_order

MOST_TASKS = 4  # by a process, because its memory grows
# The compiler reads these headers from the repository, and not from its copy.
_HEADERS = [file.relative_to(ROOT) for file in (ROOT / "proof/boundary").glob("*.h")]
_COUNTS = ("boundaries", "pairs", "states")


def certificate_of(
    claims: Sequence[Claim], program: str, check: str, tree: Path, reliance: Reliance
) -> Certificate:
    """The certificate of a row of this program."""
    protocol = claims[0].protocol
    of_scenarios = (module for claim in claims for module in claim.modules)
    prover = {
        **packages("unicorn", "pyelftools"),
        **compilers(command[0] for command in COMPILERS.values()),
        **modules("proof.boundary.trial", *of_scenarios),
    }
    file = FOLDER / protocol / f"{program.rpartition('.')[2]}.jsonl"
    return Certificate(f"{protocol}, {check}", file, prover, reliance, tree)


@dataclass(frozen=True, slots=True)
class _Sweep:
    """A scenario on an instruction set."""

    claim: int
    subject: Subject
    isa: str

    @property
    def key(self) -> Key:
        return self.isa, self.subject.variant.name

    @property
    def unit(self) -> str:
        return f"sweep {named(self.subject, self.isa)}"

    def asked(self, found: Found) -> str:
        return digest(repr(self.subject), *sorted(found))

    def result(self, found: Found) -> Result:
        """The result of a sweep that holds."""
        name, variant = self.subject.name, self.subject.variant.name
        boundaries, pairs, states = (int(found[count]) for count in _COUNTS)
        return Result(name, variant, self.isa, boundaries, pairs, states, None)


@dataclass(frozen=True, slots=True)
class _Job:
    image: Image
    subject: Subject


def _folders(image: Image, tree: Path) -> Iterator[Path]:
    """The folders in which the compiler looks for headers, relative to the tree."""
    for word in {word for each in image.objects for word in each.command}:
        path = Path(word.removeprefix("-I"))
        if word.startswith("-I"):
            yield path.relative_to(tree if path.is_relative_to(tree) else ROOT)


def _swept(job: _Job) -> Result:
    return job.subject.stage(job.image).sweep()


def _put_in(trial: PutIn) -> Tried:
    return trial()


class Work:
    """The work of a row."""

    def __init__(
        self, claims: Sequence[Claim], certificate: Certificate, tree: Path, workers: int
    ) -> None:
        """`tree`: the sources."""
        self._claims, self._tree = claims, tree
        self._certificate, self._workers = certificate, workers
        self._images_by_claim: list[dict[Key, Image]] = [{} for _ in claims]

    # ---- Sweeps ---------------------------------------------------------------------------

    def sweeps(self, isas: Iterable[str], extent: Extent, scenario: str) -> Iterator[Result]:
        """Sweep the scenarios whose name begins so, in order, up to the first violation."""
        planned = [
            _Sweep(number, subject, isa)
            for isa in isas
            for number, claim in enumerate(self._claims)
            for subject in claim.part(extent)
            if subject.name.startswith(scenario)
        ]
        found = {s.unit: self._certificate.taken(s.unit, s.asked) for s in planned}
        opened = [sweep for sweep in planned if found[sweep.unit] is None]
        built = self._built(opened)
        for sweep in opened:
            code = built[sweep.claim][sweep.key].code
            found[sweep.unit] = self._certificate.taken_of_code(sweep.unit, sweep.asked, code)
        jobs = [_Job(built[s.claim][s.key], s.subject) for s in opened if found[s.unit] is None]
        if jobs:
            prepare()  # before the fork, so that all processes share it
        results = in_order(done_by_workers(_swept, jobs, self._workers, most=MOST_TASKS))
        for sweep in planned:
            certified = found[sweep.unit]
            if certified is not None:
                yield sweep.result(certified)
                continue
            result = next(results)
            if result.violation is None:
                counts = {count: getattr(result, count) for count in _COUNTS}
                code = built[sweep.claim][sweep.key].code
                self._certificate.found(sweep.unit, sweep.asked(counts), code, counts)
            yield result

    def _built(self, sweeps: Iterable[_Sweep]) -> list[Images]:
        """The images of these sweeps, by claim."""
        wanted: list[list[Key]] = [[] for _ in self._claims]
        for sweep in sweeps:
            wanted[sweep.claim].append(sweep.key)
        return [self._images(number, keys) for number, keys in enumerate(wanted)]

    def _images(self, number: int, keys: Iterable[Key]) -> Images:
        """The images with these keys. Each is built once."""
        built = self._images_by_claim[number]
        built |= images(
            self._claims[number], sorted(set(keys) - set(built)), self._tree, self._workers
        )
        for image in built.values():
            self._certificate.note_read({*image.sources, *_HEADERS}, _folders(image, self._tree))
        return built

    # ---- Mutants --------------------------------------------------------------------------

    def fates(self, extent: Extent, only: str) -> Iterator[Fault]:
        """The fates of the mutants whose name contains this, as they come."""
        found = [
            (number, trial)
            for number, claim in enumerate(self._claims)
            for trial in trials(claim, self._tree, extent, only)
        ]
        yield from (trial.fault for _, trial in found if isinstance(trial, Argued))
        put_in = [(n, trial) for n, trial in found if not isinstance(trial, Argued)]
        units = units_of("mutant", (trial.key for _, trial in put_in))
        opened: dict[str, tuple[int, PutIn]] = {}
        for unit, (number, trial) in zip(units, put_in, strict=True):
            certified = self._certificate.taken(unit, trial.asked)
            if certified is None:
                opened[unit] = number, trial
            else:
                yield trial.fault(certified)
        yield from self._tried(dict(self._prepared(opened)))

    def _prepared(self, opened: Mapping[str, tuple[int, PutIn]]) -> Iterator[tuple[str, PutIn]]:
        """The trials with the images that they are compared with."""
        for number, claim in enumerate(self._claims):
            own = {unit: trial for unit, (of, trial) in opened.items() if of == number}
            needed = {key for unit in own for key in self._needed(claim, unit)}
            built = self._images(number, needed)
            originals = {key: Original.of(built[key]) for key in needed}
            for unit, trial in own.items():
                line = self._certificate.line(unit)
                candidate = self._certificate.candidate(unit, trial.asked)
                yield unit, trial.prepared(originals, line, candidate)

    def _needed(self, claim: Claim, unit: str) -> Iterable[Key]:
        """The image in which the mutant was killed if all inputs are the same, else all images."""
        keys = {named(s, isa): (isa, s.variant.name) for s in claim.played for isa in ISAS}
        line = self._certificate.line(unit)
        if line is not None and self._certificate.is_current:
            known = keys.get(killing(line.found))
            if known is not None:
                return (known,)
        return keys.values()

    def _tried(self, opened: Mapping[str, PutIn]) -> Iterator[Fault]:
        """Put in all these faults, and yield each as it ends."""
        units = list(opened)
        if units:
            prepare()
        work = done_by_workers(_put_in, opened.values(), self._workers, most=MOST_TASKS)
        for done, (number, tried) in enumerate(work, 1):
            fault, unit = tried.fault, units[number]
            text = f"{done}/{len(units)} faults: {fault.verdict} {fault.mutant}"
            print(text, file=sys.stderr, flush=True)
            if fault.verdict == KILLED or fault.verdict in ARGUED:
                found = {"verdict": fault.verdict, "by": fault.by}
                asked = opened[unit].asked(found)
                self._certificate.found(unit, asked, tried.code, found, proved=tried.is_proved)
            yield fault
