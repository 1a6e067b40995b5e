# SPDX-License-Identifier: MIT
"""Certificates: the findings of a row, and a hash of everything on which each finding depends.

A row consists of units: a sweep, a search, a mutant. Its certificate is one file, with one line for
each unit and for each input. A unit is certified if

- the seal fits, so the file was not edited, and no merge mixed two certificates;
- the tools and the prover are unchanged: versions, and each file of Python or C that decides a
  finding;
- its question is unchanged: the scenario, or the text of the fault and the scenario that found it;
- no source changed: neither a file that the compiler read, nor a file that would now hide another.

If a source changed, the compiler decides: a unit whose machine code is the same stays certified.
All other units are proved again, and the note of the row names the reason.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from plafond.prove.model import Row, Verdict

from proof.result import ROOT

FOLDER = ROOT / "proof/certificates"
NOT_READ = "not read"  # a file that the compiler would find before a source of the same name
TENTH = 10
_DIGITS = 16

# Matches a C literal, so that no comment begins inside it, or a comment.
_COMMENT_OR_TEXT = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|//[^\n]*|/\*.*?\*/""", re.DOTALL
)

Found = Mapping[str, str | int]
Inputs = Mapping[str, str]


def digest(*parts: object) -> str:
    """Return a hash of texts, numbers, or frozen data classes of these."""
    text = "\0".join(str(part) for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def digest_of(file: Path) -> str:
    """Return a hash of the file without comments or docstrings, or "missing"."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return "missing"
    return digest(_without_docstrings(text) if file.suffix == ".py" else _without_comments(text))


def _without_docstrings(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                if ast.get_docstring(node, clean=False) is not None:
                    node.body = node.body[1:]
    return ast.dump(tree)


def _without_comments(text: str) -> str:
    """Return C code without comments and empty lines. No code of ours depends on line numbers."""
    bare = _COMMENT_OR_TEXT.sub(lambda found: found["text"] or " ", text)
    return "\n".join(line for line in map(str.strip, bare.splitlines()) if line)


@dataclass(frozen=True, slots=True)
class Reliance:
    """How a run uses certificates.

    `is_certified`: prove only units that are not certified. `seed`: prove a random tenth of the
    certified units again. `renews`: write the certificate if the row holds.
    """

    is_certified: bool = False
    seed: str | None = None
    renews: bool = False

    def draws(self, row: str, unit: str) -> bool:
        """Whether the seed draws this unit for the tenth that is proved again."""
        return self.seed is not None and int(digest(self.seed, row, unit), 16) % TENTH == 0


def add_reliance(parser: argparse.ArgumentParser) -> None:
    """Add the options that reliance_of() reads."""
    parser.add_argument(
        "--certified", action="store_true", help="prove only what its certificate does not show"
    )
    parser.add_argument(
        "--sample", metavar="SEED", help="of what is certified prove a tenth again, drawn by this"
    )
    parser.add_argument("--renew", action="store_true", help="write the certificate")


def reliance_of(given: argparse.Namespace) -> Reliance:
    """Return the reliance that the command line asks for."""
    return Reliance(given.certified, given.sample, given.renew)


def units_of(kind: str, names: Iterable[str]) -> list[str]:
    """Return the unit names. A repeated name gets a number, so that each is unique."""
    times: Counter[str] = Counter()
    units = []
    for name in names:
        times[name] += 1
        units.append(f"{kind} {name}" if times[name] == 1 else f"{kind} {name} #{times[name]}")
    return units


class Line(NamedTuple):
    """The finding of a unit."""

    asked: str  # hash of the question
    code: str  # hash of the machine code that answered the question
    found: dict[str, str | int]


class _UnfitError(Exception):
    """The file is no valid certificate of this row."""


@dataclass(frozen=True, slots=True)
class _Content:
    """The parsed content of a certificate file."""

    prover: Inputs = field(default_factory=dict)
    sources: Inputs = field(default_factory=dict)
    folders: frozenset[str] = frozenset()
    units: Mapping[str, Line] = field(default_factory=dict)

    def lines(self, row: str) -> Iterator[Mapping[str, object]]:
        """Yield the lines of the file, without the seal."""
        yield {"row": row}
        for kind, inputs in (("prover", self.prover), ("source", self.sources)):
            yield from ({kind: name, "is": inputs[name]} for name in sorted(inputs))
        yield from ({"folder": name} for name in sorted(self.folders))
        for name, line in sorted(self.units.items()):
            yield {"unit": name, **line.found, "asked": line.asked, "code": line.code}


def _sealed(lines: Iterable[str]) -> str:
    return json.dumps({"seal": digest(*lines)})


def _text(content: _Content, row: str) -> str:
    lines = [json.dumps(line, ensure_ascii=False) for line in content.lines(row)]
    return "".join(f"{line}\n" for line in (*lines, _sealed(lines)))


def _read(file: Path, row: str) -> _Content:
    """Parse the file. Raise _UnfitError with the reason if it does not fit this row."""
    try:
        *lines, seal = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise _UnfitError("there is no certificate") from None
    except (OSError, ValueError) as error:
        raise _UnfitError(f"its certificate cannot be read: {error}") from None
    if seal != _sealed(lines):
        raise _UnfitError("the seal of its certificate does not fit: it was edited or merged")
    try:
        first, *others = map(json.loads, lines)
        content = _parsed(others)
    except (TypeError, ValueError) as error:
        raise _UnfitError(f"its certificate cannot be read: {error}") from None
    if first != {"row": row}:
        raise _UnfitError(f"its file has another certificate: {lines[0]}")
    return content


def _parsed(lines: Iterable[object]) -> _Content:
    prover: dict[str, str] = {}
    sources: dict[str, str] = {}
    folders: set[str] = set()
    units: dict[str, Line] = {}
    for line in lines:
        match line:
            case {"prover": str(name), "is": str(value)}:
                prover[name] = value
            case {"source": str(name), "is": str(value)}:
                sources[name] = value
            case {"folder": str(name)}:
                folders.add(name)
            case {"unit": str(name), "asked": str(asked), "code": str(code), **found}:
                units[name] = Line(asked, code, dict(_values(found)))
            case _:
                raise ValueError(f"found {line}; expected an input or a unit")
    return _Content(prover, sources, frozenset(folders), units)


def _values(found: Mapping[object, object]) -> Iterator[tuple[str, str | int]]:
    for name, value in found.items():
        if not isinstance(value, str | int):
            raise TypeError(f"found {value}; expected a text or a number")
        yield str(name), value


class Certificate:
    """The certificate of a row: the findings that still count, and the findings of this run."""

    def __init__(
        self, row: str, file: Path, prover: Inputs, reliance: Reliance, tree: Path = ROOT
    ) -> None:
        """`tree`: the root of the sources."""
        self.row = row
        self.differences: list[str] = []  # between certified findings and findings of this run
        self._file, self._tree = file, tree
        self._prover, self._reliance = prover, reliance
        self._reasons: Counter[str] = Counter()
        self._now: dict[str, Line] = {}
        self._read: set[str] = set()
        self._folders: set[str] = set()
        self._taken = self._drawn = 0
        self._before = _Content()
        self._unfit = "" if self.is_used else "not asked for"
        if not self._unfit:
            try:
                self._before = _read(file, row)
            except _UnfitError as error:
                self._unfit = str(error)
        before = self._before
        self._other_prover = _changed(before.prover, prover)
        self._other_sources = _changed(
            before.sources, sources_in(tree, _read_of(before.sources), before.folders)
        )

    @property
    def is_used(self) -> bool:
        """Whether this run reads or writes the certificate."""
        return self._reliance.is_certified or self._reliance.renews

    @property
    def is_current(self) -> bool:
        """Whether the file fits, and its inputs are equal to the inputs of this run."""
        return not (self._unfit or self._other_prover or self._other_sources)

    # ---- Certified findings -------------------------------------------------------------

    def line(self, unit: str) -> Line | None:
        """Return the unit's line, whatever its machine code, unless the prover changed."""
        return None if self._unfit or self._other_prover else self._before.units.get(unit)

    def taken(self, unit: str, asked: Callable[[Found], str]) -> Found | None:
        """Return the certified finding if no source changed. `asked` hashes the present
        question."""
        line = self.candidate(unit, asked)
        return self._take(unit, line) if line is not None and not self._other_sources else None

    def taken_of_code(
        self, unit: str, asked: Callable[[Found], str], code: str, drawn_with: str = ""
    ) -> Found | None:
        """Return the certified finding if the machine code is `code`, even if sources changed.

        `drawn_with`: the unit whose draw also decides for this unit, because both are one piece of
        work.
        """
        line = self.candidate(unit, asked, drawn_with)
        return self._take(unit, line) if line is not None and line.code == code else None

    def candidate(
        self, unit: str, asked: Callable[[Found], str], drawn_with: str = ""
    ) -> Line | None:
        """Return the line that is certified if the machine code equals the line's code."""
        line = self.line(unit)
        if not self._reliance.is_certified or line is None or line.asked != asked(line.found):
            return None
        return None if self._reliance.draws(self.row, drawn_with or unit) else line

    def _take(self, unit: str, line: Line) -> Found:
        self._keep(unit, line)
        self._taken += 1
        return line.found

    def _keep(self, unit: str, line: Line) -> None:
        if unit in self._now:
            raise ValueError(f"{self.row}: two units are named {unit}")
        self._now[unit] = line

    # ---- Findings of this run -----------------------------------------------------------

    def found(
        self,
        unit: str,
        asked: str,
        code: str,
        found: Found,
        *,
        proved: bool = True,
        decisive: Iterable[str] = (),
    ) -> None:
        """Note the finding of this run. `proved` is false if only the machine code was compared.

        `decisive`: the values that must equal the certified values; empty means all.
        """
        before, now = self.line(unit), Line(asked, code, dict(found))
        self._keep(unit, now)
        if not proved:
            self._taken += 1
        elif before is None or not self._is_same(before, now):
            self._reasons[self._reason(before, asked)] += 1
        else:
            self._drawn += 1
            names = set(decisive) or {*before.found, *now.found}
            if any(before.found.get(name) != now.found.get(name) for name in names):
                what = f"certified {_said(before.found)}, found {_said(now.found)}"
                self.differences.append(f"{unit}: {what}")

    def _is_same(self, before: Line, now: Line) -> bool:
        """Whether the certified finding must be reproduced. If no code is known, the sources
        decide."""
        is_known = bool(now.code) or not self._other_sources
        return is_known and (before.asked, before.code) == (now.asked, now.code)

    def note_read(self, files: Iterable[Path], folders: Iterable[Path]) -> None:
        """Note files that the compiler read and folders of headers, both relative to the tree."""
        self._read.update(map(str, files))
        self._folders.update(map(str, folders))

    def _reason(self, before: Line | None, asked: str) -> str:
        if self._unfit:
            return self._unfit
        if self._other_prover:
            return f"another prover: {_few(self._other_prover)}"
        if before is None:
            return "no line in its certificate"
        if before.asked != asked:
            return "another scenario or fault"
        return f"other machine code: {_few(self._other_sources) or 'of other sources'}"

    @property
    def note(self) -> str:
        """How many units are certified, and why the others were proved; "" without --certified."""
        if not self._reliance.is_certified:
            return ""
        parts = [f"{self._taken} of {len(self._now)} by certificate"]
        if self._drawn:
            parts.append(f"{self._drawn} certified and proved again")
        parts += [f"{count} proved: {reason}" for reason, count in sorted(self._reasons.items())]
        return "; ".join(parts)

    def certified(self, row: Row, *, is_whole: bool) -> Row:
        """Return the row with its note. Its verdict is violated if a certified finding differs.

        If the row holds and the run renews, write the file. `is_whole`: the run covered all units,
        so lines of other units are dropped.
        """
        if self.differences:
            trace = ["its certificate cannot be reproduced:", *self.differences, *row.trace]
            row = row.model_copy(update={"verdict": Verdict.VIOLATED, "trace": trace})
        if row.is_right and self._reliance.renews:
            self._write(is_whole=is_whole)
        return row.model_copy(update={"certificate": self.note})

    def _write(self, *, is_whole: bool) -> None:
        """Write the file. Lines of units that this run did not cover stay if no input changed."""
        before = self._before if self.is_current else _Content()
        folders = before.folders | self._folders
        sources = sources_in(self._tree, {*_read_of(before.sources), *self._read}, folders)
        units = self._now if is_whole else {**before.units, **self._now}
        content = _Content(self._prover, sources, folders, units)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(_text(content, self.row), encoding="utf-8")


def _read_of(sources: Inputs) -> Iterator[str]:
    return (name for name, value in sources.items() if value != NOT_READ)


def sources_in(tree: Path, read: Iterable[str], folders: Iterable[str]) -> dict[str, str]:
    """Return hashes of the files read, and mark files that would now hide one of them.

    The compiler searches for headers in `folders` and beside the file that includes them.
    """
    names = set(read)
    found = {name: digest_of(tree / name) for name in names}
    places = {Path(folder) for folder in folders} | {Path(name).parent for name in names}
    for name in map(Path, names):
        for place in places & {*name.parents}:
            for other in (str(each / name.relative_to(place)) for each in places):
                if other not in names and (tree / other).is_file():
                    found[other] = NOT_READ
    return found


def _changed(before: Inputs, now: Inputs) -> list[str]:
    names = sorted({*before, *now})
    return [_change(name, before, now) for name in names if before.get(name) != now.get(name)]


def _change(name: str, before: Inputs, now: Inputs) -> str:
    """Name the versions if both are known. A hash says nothing to a reader."""
    was, is_now = before.get(name, ""), now.get(name, "")
    return f"{name} was {was}, is {is_now}" if " " in was and is_now else name


def _few(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _said(found: Found) -> str:
    return ", ".join(
        f"{value}" if name == "verdict" else f"{name} {value}" for name, value in found.items()
    )
