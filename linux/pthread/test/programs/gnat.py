# SPDX-License-Identifier: MIT
"""Ada programs whose run-time locks with ceilings: same verdicts and output with the drop-in.

Each program runs three times: plain on one CPU, preloaded on one CPU, and preloaded on all CPUs.
On one CPU all its locks must be lazy, on all CPUs they must be eager.

Example:
  build/venv/bin/python linux/pthread/test/programs/gnat.py \\
    build/linux/pthread/test/programs/gnat build/linux/pthread/libplafond-pthread.so
"""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from gnat_programs import CONFORMITY, OWN
from trial import Ended, Statistics, Trial, cyclictest_beside

NAMES = (*CONFORMITY, OWN)
DATE = re.compile(r"^,\.,\. .*$", re.MULTILINE)  # the first line has the time of the run
VERDICT = re.compile(r"^==== (\w+) PASSED ", re.MULTILINE)


def run_all(folder: Path, trial: Trial) -> dict[str, Ended]:
    """Run every program beside a cyclictest, and refuse a program that did not pass."""
    ended = {}
    with cyclictest_beside(trial):
        for name in NAMES:
            ended[name] = trial.run([str(folder / name)])
            refuse_other_verdict(name, trial.how, ended[name])
    return ended


def refuse_other_verdict(name: str, how: str, ended: Ended) -> None:
    """End the test unless the program passed; test_prio prints nothing then."""
    ended.refuse_failure(f"{name}, {how}")
    verdicts = VERDICT.findall(ended.output)
    expected = [] if name == OWN else [name.upper()]
    if verdicts != expected or (name == OWN and ended.output):
        raise SystemExit(f"{name}, {how}: it did not pass\n{ended.output}")


def refuse_difference(name: str, plain: Ended, preloaded: Ended) -> None:
    """End the test if the drop-in changes the program's output."""
    for of in ("output", "errors"):
        before, after = (DATE.sub("", getattr(ended, of)) for ended in (plain, preloaded))
        if before != after:
            raise SystemExit(f"{name}, {of}: plain\n{before}\npreloaded\n{after}")


def counted(ended: Ended) -> Statistics:
    """Return the statistics of a run with the drop-in."""
    assert ended.statistics
    return ended.statistics


def main() -> None:
    """Run all three ways, compare, and print the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="of the programs")
    parser.add_argument("library", type=Path, help="the drop-in")
    arguments = parser.parse_args()
    folder: Path = arguments.folder.absolute()
    library: Path = arguments.library.absolute()
    cpu = min(os.sched_getaffinity(0))

    plain = run_all(folder, Trial(None, cpu))
    pinned = run_all(folder, Trial(library, cpu))
    free = run_all(folder, Trial(library))
    print(f"{'program':9} {'lazy':>6} {'eager':>6} {'commits':>8} {'calls saved':>12}")
    for name in NAMES:
        refuse_difference(name, plain[name], pinned[name])
        refuse_difference(name, plain[name], free[name])
        seen = counted(pinned[name])
        print(f"{name:9} {seen.lazy:6} {seen.eager:6} {seen.commits:8} {seen.saved:12}")
        if not seen.lazy or seen.eager:
            raise SystemExit(f"{name}, on one CPU: expected lazy locks only")
        unpinned = counted(free[name])
        if unpinned.lazy or not unpinned.not_pinned:
            raise SystemExit(f"{name}, on all CPUs: expected eager locks only, found {unpinned}")


if __name__ == "__main__":
    main()
