# SPDX-License-Identifier: MIT
"""Sweep uprio_kprio.h and uprio_nprio.h: an arrival at every instruction, and at every pair.

GetResource and ReleaseResource, the kernel's half and the portable kernel around it are compiled as
shipped, and executed in Unicorn; spoilt words come at every instruction, too. Exit code: 0 all as
it should be, 1 a rule is broken or a fault is not found, 2 could not run.

Examples:
  python3 proof/uprio
  python3 proof/uprio --mutants
  python3 proof/uprio --isa aarch64 --scenario flat --format json
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

sys.path.extend(str(Path(__file__).resolve().parents[1] / room) for room in ("", "boundary"))

from command import (
    BROKEN,
    CANNOT_RUN,
    FAILED,
    HOLDS,
    INTERRUPTED,
    Options,
    options,
    print_fates,
    print_results,
)
from image import CannotBuildError
from trial import Fate
from walk import Result

from faults import Trial, copy, trials
from sweeping import ROOT, Job, jobs


def _run(job: Job) -> Result:
    return job.run()


def _try(trial: Trial) -> Fate:
    return trial()


def swept(wanted: Options) -> Iterator[Result]:
    """Sweep all that is wanted, as it comes."""
    work = [j for j in jobs(wanted.isas) if j.scenario.name.startswith(wanted.scenario)]
    # Leaving the block ends the workers: after a violation, after an error, after Ctrl-C.
    with multiprocessing.Pool(wanted.workers, maxtasksperchild=4) as pool:
        yield from pool.imap(_run, work, chunksize=1)


def tried(wanted: Options) -> Iterator[Fate]:
    """Put in all faults that are wanted, as it comes."""
    with tempfile.TemporaryDirectory(prefix="plafond-sources-") as name:
        copy(ROOT, Path(name))  # as they are now, whatever becomes of them meanwhile
        work = trials(Path(name), wanted.only)
        with multiprocessing.Pool(wanted.workers, maxtasksperchild=4) as pool:
            for done, fate in enumerate(pool.imap_unordered(_try, work, chunksize=1), 1):
                text = f"{done}/{len(work)} faults: {fate.verdict} {fate.mutant}"
                print(text, file=sys.stderr, flush=True)
                yield fate


def prove(wanted: Options) -> bool:
    """Sweep, try the faults, and print; whether all is as it should be."""
    started = time.monotonic()
    results = print_results(swept(wanted), as_table=wanted.as_table)
    if not results:
        raise CannotBuildError(f"no scenario begins with {wanted.scenario!r}")
    is_right = all(r.violation is None for r in results)
    if wanted.as_table:
        sums = (sum(getattr(r, n) for r in results) for n in ("boundaries", "pairs", "states"))
        print("{} boundaries, {} pairs, {} states".format(*sums), end="")
        print(f", {time.monotonic() - started:.0f} s")
    fates: list[Fate] = []
    if wanted.mutants and is_right:
        fates = sorted(tried(wanted), key=lambda f: (f.mutant.split(":")[0], f.line, f.mutant))
        is_right = not any(f.verdict in FAILED for f in fates)
        if wanted.as_table:
            print_fates(fates)
    if not wanted.as_table:
        found = {
            "scenarios": [asdict(r) for r in results],
            "faults": [asdict(f) for f in fates],
        }
        print(json.dumps({"proof": "uprio", **found, "holds": is_right}, indent=2))
    return is_right


def main() -> int:
    """The whole command."""
    wanted = options("uprio", __doc__)
    try:
        return HOLDS if prove(wanted) else BROKEN
    except (CannotBuildError, OSError, ValueError) as error:
        print(f"proof/uprio: {error}", file=sys.stderr)
        return CANNOT_RUN
    except KeyboardInterrupt:
        print("proof/uprio: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
