# SPDX-License-Identifier: MIT
"""The command line that the proofs of this kind have in common."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from claim import ROOT, Claim, Job, jobs
from image import ISAS, CannotBuildError
from trial import Fate, Trial, copy, trials
from walk import Result

HOLDS, BROKEN, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130
ROW = "{:<28} {:<8} {:<8} {:>10} {:>9} {:>8}  {}"
VERDICTS = ("killed", "same code", "equivalent", "stillborn", "survived")
FAILED = ("stillborn", "survived")


@dataclass(frozen=True, slots=True)
class Options:
    """Of the command line."""

    isas: tuple[str, ...]
    scenario: str
    mutants: bool
    only: str
    as_table: bool
    workers: int


def options(name: str, description: str | None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog=f"proof/{name}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--isa", choices=ISAS, help="only this instruction set (both)")
    parser.add_argument(
        "--scenario", metavar="TEXT", default="", help="only those whose name begins so"
    )
    parser.add_argument("--mutants", action="store_true", help="put in faults, too")
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
        given.scenario,
        given.mutants,
        given.only,
        given.format == "table",
        given.jobs,
    )


def _run(job: Job) -> Result:
    return job.run()


def _try(trial: Trial) -> Fate:
    return trial()


def swept(claims: Sequence[Claim], wanted: Options) -> Iterator[Result]:
    """Sweep all that is wanted, as it comes."""
    work = [
        job
        for claim in claims
        for job in jobs(claim, wanted.isas)
        if job.scenario.name.startswith(wanted.scenario)
    ]
    # Leaving the block ends the workers: after a violation, after an error, after Ctrl-C.
    with multiprocessing.Pool(wanted.workers, maxtasksperchild=4) as pool:
        yield from pool.imap(_run, work, chunksize=1)


def tried(claims: Sequence[Claim], wanted: Options) -> Iterator[Fate]:
    """Put in all faults that are wanted, as it comes."""
    with tempfile.TemporaryDirectory(prefix="plafond-sources-") as name:
        sources = Path(name)  # as they are now, whatever becomes of them meanwhile
        for claim in claims:
            copy(claim, ROOT, sources)
        work = [t for claim in claims for t in trials(claim, sources, wanted.only)]
        with multiprocessing.Pool(wanted.workers, maxtasksperchild=4) as pool:
            for done, fate in enumerate(pool.imap_unordered(_try, work, chunksize=1), 1):
                text = f"{done}/{len(work)} faults: {fate.verdict} {fate.mutant}"
                print(text, file=sys.stderr, flush=True)
                yield fate


def print_results(results: Iterable[Result], *, as_table: bool) -> list[Result]:
    """As they come; up to the first violation."""
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


def print_fates(fates: Sequence[Fate]) -> None:
    """One fault a line, and the sums."""
    for row in fates:
        print(f"{row.verdict:10} {row.line:4} {row.mutant}\n{'':16}{row.by}")
    counts = ", ".join(f"{sum(f.verdict == v for f in fates)} {v}" for v in VERDICTS)
    print(f"{len(fates)} faults: {counts}")


def _place_of(fate: Fate) -> tuple[bool, int, str]:
    """In the table: in the order of the lines, then the habits."""
    return fate.mutant.startswith("by hand:"), fate.line, fate.mutant


def prove(claims: Sequence[Claim], wanted: Options) -> tuple[bool, dict[str, object]]:
    """Sweep, and try the faults; whether all is as it should be, and what is to be printed."""
    started = time.monotonic()
    results = print_results(swept(claims, wanted), as_table=wanted.as_table)
    if not results:
        raise CannotBuildError(f"no scenario begins with {wanted.scenario!r}")
    is_right = all(r.violation is None for r in results)
    if wanted.as_table:
        sums = (sum(getattr(r, n) for r in results) for n in ("boundaries", "pairs", "states"))
        print("{} boundaries, {} pairs, {} states".format(*sums), end="")
        print(f", {time.monotonic() - started:.0f} s")
    fates: list[Fate] = []
    if wanted.mutants and is_right:
        fates = sorted(tried(claims, wanted), key=_place_of)
        is_right = not any(f.verdict in FAILED for f in fates)
        if wanted.as_table:
            print_fates(fates)
    return is_right, {
        "scenarios": [asdict(r) for r in results],
        "faults": [asdict(f) for f in fates],
    }


Found = tuple[bool, dict[str, object]]
More = Callable[[Options], Found]


def nothing(_: Options) -> Found:
    """No more to show."""
    return True, {}


def run(name: str, description: str | None, claims: Sequence[Claim], more: More = nothing) -> int:
    """The whole command; `more`: what else there is to show, and whether it is right."""
    wanted = options(name, description)
    try:
        is_right, found = prove(claims, wanted)
        more_right, more_found = more(wanted)
        is_right = is_right and more_right
        if not wanted.as_table:
            print(json.dumps({"proof": name, **found, **more_found, "holds": is_right}, indent=2))
    except (CannotBuildError, OSError, ValueError) as error:
        print(f"proof/{name}: {error}", file=sys.stderr)
        return CANNOT_RUN
    except KeyboardInterrupt:
        print(f"proof/{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    return HOLDS if is_right else BROKEN
