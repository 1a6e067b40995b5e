# SPDX-License-Identifier: MIT
"""Run a program's own tests plain and, at the same time, with the drop-in; compare the results."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from trial import Trial, cyclictest_beside

Results = dict[str, str]  # of a test's name: "ok", "skipped", or another word of its program
GOOD = {"ok", "skipped"}


def compare(run: Callable[[Trial], Results], library: Path) -> None:
    """End the test if one of the program's tests failed, or has another result with the drop-in."""
    with ExitStack() as stack:
        folders = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2)]
        trials = [
            Trial(used, folder=Path(folder))
            for used, folder in zip((None, library), folders, strict=True)
        ]
        pool = stack.enter_context(ThreadPoolExecutor(2))
        plain, preloaded = pool.map(lambda trial: beside(run, trial), trials)
    for how, results in (("plain", plain), ("preloaded", preloaded)):
        print(f"{how:9} {dict(Counter(results.values()))}")
    failed = {name for name, result in plain.items() if result not in GOOD}
    changed = {name for name, _ in plain.items() ^ preloaded.items()}
    for name in sorted(failed | changed):
        print(f"{name}: plain {plain.get(name)}, preloaded {preloaded.get(name)}")
    if failed or changed or not plain:
        raise SystemExit(f"{len(failed)} failed, {len(changed)} changed of {len(plain)} tests")


def beside(run: Callable[[Trial], Results], trial: Trial) -> Results:
    """Run the tests beside a cyclictest."""
    with cyclictest_beside(trial):
        return run(trial)
