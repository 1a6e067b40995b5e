# SPDX-License-Identifier: MIT
"""Certificates: what the work of a row found, and a hash of all that the finding depends on.

A row consists of units: a sweep, a search, a mutant. Its certificate is one file, with one line for
each unit and for each input. A unit is certified if

- the seal fits: the file was not edited, and no merge mixed two of them;
- the tools and the prover are the same: versions, and the text of each file of Python or C that
  decides what is found;
- its question is the same: the scenario, or the fault's text and the scenario that found it; and
- no source is another: each file that the compiler read, and each name that could hide one of them.

If a source is another, the compiler decides: a unit whose machine code is the same stays certified.
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
NOT_READ = "not read"  # of a file that would hide one that the compiler reads, if it came earlier
TENTH = 10
_DIGITS = 16

# In C: a text, so that no comment begins in it; or a comment.
_COMMENT_OR_TEXT = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|//[^\n]*|/\*.*?\*/""", re.DOTALL
)

Found = Mapping[str, str | int]
Inputs = Mapping[str, str]


def digest(*parts: object) -> str:
    """A hash of texts, numbers, and frozen data classes of them."""
    text = "\0".join(str(part) for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def digest_of(file: Path) -> str:
    """A hash of a file but for its comments; or that it is missing."""
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
    """Of C: no code of ours knows its line."""
    bare = _COMMENT_OR_TEXT.sub(lambda found: found["text"] or " ", text)
    return "\n".join(line for line in map(str.strip, bare.splitlines()) if line)


@dataclass(frozen=True, slots=True)
class Reliance:
    """How a run uses certificates.

    `seed`: with it a tenth of what is certified is proved again. `renews`: the certificate is
    written, if the row holds.
    """

    is_certified: bool = False
    seed: str | None = None
    renews: bool = False

    def draws(self, row: str, unit: str) -> bool:
        """Whether that unit belongs to the tenth."""
        return self.seed is not None and int(digest(self.seed, row, unit), 16) % TENTH == 0


def add_reliance(parser: argparse.ArgumentParser) -> None:
    """Take the options; reliance_of() reads them."""
    parser.add_argument(
        "--certified", action="store_true", help="prove only what its certificate does not show"
    )
    parser.add_argument(
        "--sample", metavar="SEED", help="of what is certified prove a tenth again, drawn by this"
    )
    parser.add_argument("--renew", action="store_true", help="write the certificate")


def reliance_of(given: argparse.Namespace) -> Reliance:
    """Of the command line."""
    return Reliance(given.certified, given.sample, given.renew)


def units_of(kind: str, names: Iterable[str]) -> list[str]:
    """What units of these names are called, of which several may be the same."""
    times: Counter[str] = Counter()
    units = []
    for name in names:
        times[name] += 1
        units.append(f"{kind} {name}" if times[name] == 1 else f"{kind} {name} #{times[name]}")
    return units


class Line(NamedTuple):
    """What was found of a unit."""

    asked: str  # a hash of the question
    code: str  # a hash of the machine code that answered it
    found: dict[str, str | int]


class _UnfitError(Exception):
    """The file is no certificate of this row."""


@dataclass(frozen=True, slots=True)
class _Content:
    """Of a file."""

    prover: Inputs = field(default_factory=dict)
    sources: Inputs = field(default_factory=dict)
    folders: frozenset[str] = frozenset()
    units: Mapping[str, Line] = field(default_factory=dict)

    def lines(self, row: str) -> Iterator[Mapping[str, object]]:
        """As they stand in the file."""
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
    """The file; _UnfitError says why it is none of this row."""
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
    """Of one row: what was found before, as far as it counts, and what is found now."""

    def __init__(
        self, row: str, file: Path, prover: Inputs, reliance: Reliance, tree: Path = ROOT
    ) -> None:
        """`tree`: where the sources are."""
        self.row = row
        self.differences: list[str] = []  # from what is certified
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
        """It is read or written in this run."""
        return self._reliance.is_certified or self._reliance.renews

    @property
    def is_current(self) -> bool:
        """All inputs are those of the file."""
        return not (self._unfit or self._other_prover or self._other_sources)

    # ---- What is certified --------------------------------------------------------------

    def line(self, unit: str) -> Line | None:
        """What was found of it by this prover, of whatever code."""
        return None if self._unfit or self._other_prover else self._before.units.get(unit)

    def taken(self, unit: str, asked: Callable[[Found], str]) -> Found | None:
        """What is certified; `asked`: the question now, of what was found."""
        line = self.candidate(unit, asked)
        return self._take(unit, line) if line is not None and not self._other_sources else None

    def taken_of_code(
        self, unit: str, asked: Callable[[Found], str], code: str, drawn_with: str = ""
    ) -> Found | None:
        """The same, if this is the machine code, wherever it comes from.

        `drawn_with`: the unit that is drawn for this one, if the two are one work.
        """
        line = self.candidate(unit, asked, drawn_with)
        return self._take(unit, line) if line is not None and line.code == code else None

    def candidate(
        self, unit: str, asked: Callable[[Found], str], drawn_with: str = ""
    ) -> Line | None:
        """What is certified if the machine code is the line's."""
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

    # ---- What is found now --------------------------------------------------------------

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
        """What is found of it now; `proved`: not only that its code is the certified one.

        `decisive`: what of it must be found again; all, if nothing is named.
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
        """Whether it must be found again: where no code is known, the sources decide."""
        is_known = bool(now.code) or not self._other_sources
        return is_known and (before.asked, before.code) == (now.asked, now.code)

    def note_read(self, files: Iterable[Path], folders: Iterable[Path]) -> None:
        """The compiler reads these, and looks for headers there; relative to the tree."""
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
        """How much of it is certified, and why the rest is not; "" if none is asked for."""
        if not self._reliance.is_certified:
            return ""
        parts = [f"{self._taken} of {len(self._now)} by certificate"]
        if self._drawn:
            parts.append(f"{self._drawn} certified and proved again")
        parts += [f"{count} proved: {reason}" for reason, count in sorted(self._reasons.items())]
        return "; ".join(parts)

    def certified(self, row: Row, *, is_whole: bool) -> Row:
        """The row with its note; the file is renewed, if that is asked for and the row is right.

        `is_whole`: all its units were looked at, so others are no more.
        """
        if self.differences:
            trace = ["its certificate cannot be reproduced:", *self.differences, *row.trace]
            row = row.model_copy(update={"verdict": Verdict.VIOLATED, "trace": trace})
        if row.is_right and self._reliance.renews:
            self._write(is_whole=is_whole)
        return row.model_copy(update={"certificate": self.note})

    def _write(self, *, is_whole: bool) -> None:
        """Lines of other parts stay if no input is another."""
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
    """What these files are now, and that others are there which a compiler could find first.

    It looks in `folders`, and beside a file that includes another.
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
    """Hashes say nothing to a reader, versions do."""
    was, is_now = before.get(name, ""), now.get(name, "")
    return f"{name} was {was}, is {is_now}" if " " in was and is_now else name


def _few(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _said(found: Found) -> str:
    return ", ".join(
        f"{value}" if name == "verdict" else f"{name} {value}" for name, value in found.items()
    )
