# SPDX-License-Identifier: MIT
"""GLib's own tests of threads, users of threads, and processes: nothing may change.

Debian installs them (libglib2.0-tests). Each test runs plain and, beside that, with the drop-in:
each case must have the same result, and none may fail.

Example:
  build/venv/bin/python linux/pthread/test/programs/glib.py \\
    /usr/libexec/installed-tests/glib build/linux/pthread/libplafond-pthread.so
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from breaks_nothing import Results, compare
from trial import Trial

PROGRAMS = (
    "thread",
    "thread-pool",
    "asyncqueue",
    "rec-mutex",  # uses the C library's mutexes, unlike most others
    "rwlock",
    "once",
    "onceinit",
    "private",
    "slice-concurrent",
    "contexts",
    "spawn-multithreaded",
    "async-splice-output-stream",
    "cancellable",
    "gdbus-peer",
    "pollable",
    "socket-listener",
    "socket-service",
    "task",
    "unix-streams",
)
CASE = re.compile(r"^(ok|not ok) \d+ (\S+)(.*)$", re.MULTILINE)  # of TAP


def run_all(folder: Path, trial: Trial) -> Results:
    """Return the result of every case of every program."""
    results: Results = {}
    for program in PROGRAMS:
        ended = trial.run([str(folder / program), "--tap"])
        ended.refuse_failure(f"{program}, {trial.how}")
        for result, case, remark in CASE.findall(ended.output):
            skipped = "# SKIP" in remark or "# TODO" in remark
            results[f"{program} {case}"] = "skipped" if skipped else result
    return results


def main() -> None:
    """Run both ways, compare, and print the numbers of cases."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="of the programs")
    parser.add_argument("library", type=Path, help="the drop-in")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    compare(lambda trial: run_all(folder, trial), arguments.library.absolute())


if __name__ == "__main__":
    main()
