# SPDX-License-Identifier: MIT
"""The command line of the proofs that sweep boundaries."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from plafond.prove.model import Extent, Fault, Row

from proof.boundary.claim import ROOMS, Claim
from proof.boundary.image import ISAS
from proof.boundary.work import Work, certificate_of
from proof.certificate import Reliance, add_reliance, reliance_of
from proof.engine.walk import Result
from proof.extent import add_extent
from proof.result import ROOT, CouldNotRunError, concluded, print_faults, print_json, row_of

ROW = "{:<28} {:<8} {:<8} {:>10} {:>9} {:>8}  {}"

SMALL = "the smallest scenarios and faults by hand"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command line."""

    isas: tuple[str, ...]
    protocol: str | None
    scenario: str
    mutants: bool
    extent: Extent
    only: str
    as_table: bool
    workers: int
    reliance: Reliance = field(default_factory=Reliance)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        is_chosen = bool(self.scenario or self.only) or self.isas != ISAS
        return self.mutants and self.extent is Extent.WHOLE and not is_chosen


Found = dict[str, object]
More = Callable[[Options], tuple[bool, Found]]


def nothing(_: Options) -> tuple[bool, Found]:
    """The default of `more`: nothing, which is right."""
    return True, {}


@dataclass(frozen=True, slots=True)
class Program:
    """A proof with its claims. `more`: further results for the last row, and whether they are
    right. `check`: the name of its rows in the table."""

    name: str
    description: str | None
    claims: tuple[Claim, ...]
    more: More = nothing
    rows: Callable[[Options], Iterator[Row]] = field(default=lambda _: iter(()))
    check: str = "boundaries"

    @property
    def protocols(self) -> tuple[str, ...]:
        """Each protocol once, in order."""
        return tuple(dict.fromkeys(claim.protocol for claim in self.claims))


def options(program: Program) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog=program.name,
        description=program.description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--isa", choices=ISAS, help="only this instruction set (both)")
    parser.add_argument("--protocol", choices=program.protocols, help="only this one (all)")
    parser.add_argument(
        "--scenario", metavar="TEXT", default="", help="only those whose name begins so"
    )
    parser.add_argument("--mutants", action="store_true", help="put in faults, too")
    add_extent(parser, SMALL)
    add_reliance(parser)
    parser.add_argument(
        "--only", metavar="TEXT", default="", help="of the faults those whose name contains this"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        default=min(2, os.cpu_count() or 1),
        help="processes (2 at most by default)",
    )
    given = parser.parse_args()
    return Options(
        (given.isa,) if given.isa else ISAS,
        given.protocol,
        given.scenario,
        given.mutants,
        given.extent,
        given.only,
        given.format == "table",
        given.jobs,
        reliance_of(given),
    )


def _print_results(results: Iterable[Result], *, as_table: bool) -> list[Result]:
    """Print results as they come, up to the first violation."""
    shown = []
    if as_table:
        print(ROW.format("scenario", "variant", "on", "boundaries", "pairs", "states", "verdict"))
    for r in results:
        shown.append(r)
        if as_table:
            verdict = "holds" if r.violation is None else "BROKEN"
            row = ROW.format(r.scenario, r.variant, r.isa, r.boundaries, r.pairs, r.states, verdict)
            print(row, flush=True)
        if r.violation is not None:
            if as_table:
                print(f"\n{r.violation}\nThe way there:")
                print(*(f"  {line}" for line in r.trace), sep="\n")
            break
    return shown


def _place_of(fate: Fault) -> tuple[bool, str, int, str]:
    """The order in the table: by file and line, then the habits."""
    file = fate.mutant.split(":")[0]
    return file == "by hand", file, fate.line, fate.mutant


def _sums(results: Sequence[Result]) -> tuple[int, ...]:
    return tuple(sum(getattr(r, n) for r in results) for n in ("boundaries", "pairs", "states"))


@dataclass(slots=True)
class _Proved:
    results: list[Result] = field(default_factory=list)
    fates: list[Fault] = field(default_factory=list)


def _summed_up(claim: Claim, check: str, wanted: Options, proved: _Proved, began_s: float) -> Row:
    """The row for these sweeps and trials."""
    results = proved.results
    broken = next((r for r in results if r.violation is not None), None)
    boundaries, pairs, states = _sums(results)
    isas = " and ".join(dict.fromkeys(r.isa for r in results))
    names = len({r.scenario for r in results})
    return row_of(
        claim.protocol,
        check,
        f"{wanted.extent.label(SMALL)}{claim.scope}, on {isas}: {names} scenarios, "
        f"{states} states, {boundaries} boundaries, {pairs} pairs",
        began_s,
        faults=proved.fates,
        trace=() if broken is None else (str(broken.violation), *broken.trace),
    )


def _prove(work: Work, wanted: Options) -> _Proved:
    """Sweep the claims of a protocol, and try the faults."""
    started = time.monotonic()
    swept = work.sweeps(wanted.isas, wanted.extent, wanted.scenario)
    proved = _Proved(_print_results(swept, as_table=wanted.as_table))
    if not proved.results:
        return proved
    if wanted.as_table:
        print("{} boundaries, {} pairs, {} states".format(*_sums(proved.results)), end="")
        print(f", {time.monotonic() - started:.0f} s")
    if wanted.mutants and all(r.violation is None for r in proved.results):
        proved.fates = sorted(work.fates(wanted.extent, wanted.only), key=_place_of)
        if wanted.as_table:
            print_faults(proved.fates)
    return proved


def _rows(program: Program, wanted: Options, found: Found) -> Iterator[Row]:
    """A row for each protocol; `found` gets the details."""
    chosen = (wanted.protocol,) if wanted.protocol else program.protocols
    scenarios: list[dict[str, object]] = []
    found.update(scenarios=scenarios)
    with tempfile.TemporaryDirectory(prefix="plafond-sources-") as name:
        tree = Path(name)  # a copy, because the sources may change meanwhile
        for room in ROOMS:
            ignored = shutil.ignore_patterns("__pycache__", ".*")
            shutil.copytree(ROOT / room, tree / room, ignore=ignored)
        for protocol in chosen:
            claims = [claim for claim in program.claims if claim.protocol == protocol]
            if wanted.as_table and len(program.protocols) > 1:
                print(f"\n{protocol}")
            started = time.monotonic()
            certificate = certificate_of(claims, program.name, program.check, tree, wanted.reliance)
            proved = _prove(Work(claims, certificate, tree, wanted.workers), wanted)
            if proved.results:
                scenarios += [asdict(r) for r in proved.results]
                row = _summed_up(claims[0], program.check, wanted, proved, started)
                yield certificate.certified(row, is_whole=wanted.is_whole)
    yield from program.rows(wanted)


def _proved(program: Program, wanted: Options) -> bool:
    found: Found = {}
    rows = list(_rows(program, wanted, found))
    if not rows:
        raise CouldNotRunError(f"no scenario begins with {wanted.scenario!r}")
    is_right, more = program.more(wanted)
    is_right = is_right and all(row.is_right for row in rows)
    if not wanted.as_table:
        print_json(program.name, rows, {**found, **more}, holds=is_right)
    return is_right


def run(program: Program) -> int:
    """The whole command."""
    wanted = options(program)
    return concluded(program.name, lambda: _proved(program, wanted))
