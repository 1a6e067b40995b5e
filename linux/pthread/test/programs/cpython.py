# SPDX-License-Identifier: MIT
"""CPython's own tests of threads: nothing may change.

Debian installs them (libpython3.11-testsuite). They run plain and, beside that, with the drop-in:
each must have the same result, and none may fail.

A test leaves its trace function behind for all threads that start after it. If two such threads
start at once, sys.settrace() refuses the second: it never runs, and its starter waits for ever.
So that test runs in a separate process.

Example:
  build/venv/bin/python linux/pthread/test/programs/cpython.py \\
    /usr/bin/python3.11 build/linux/pthread/libplafond-pthread.so
"""

from __future__ import annotations

import argparse
from pathlib import Path
from xml.etree import ElementTree

from breaks_nothing import Results, compare
from trial import Trial

LEAVES_TRACE = "test.test_threading.ThreadTests.test_frame_tstate_tracing"
MODULES = (
    "test_thread",
    "test_threading",
    "test_threading_local",
    "test_threadedtempfile",
    "test_threadsignals",
    "test_queue",
    "test_sched",
    "test_fork1",
    "test_asyncio.test_threads",
    "test_importlib.test_locks",
)


def run_all(python: Path, trial: Trial) -> Results:
    """Return the result of every test."""
    apart = run(python, trial, "--match", LEAVES_TRACE)
    if list(apart) != [LEAVES_TRACE]:
        raise SystemExit(f"tests of CPython: expected {LEAVES_TRACE} alone, not {sorted(apart)}")
    return run(python, trial, "--ignore", LEAVES_TRACE) | apart


def run(python: Path, trial: Trial, *choice: str) -> Results:
    """Return the results of the chosen tests, run in one process."""
    assert trial.folder
    report = trial.folder / "report.xml"
    options = ("--junit-xml", str(report), "--tempdir", str(trial.folder), *choice)
    ended = trial.run([str(python), "-m", "test", *options, *MODULES])
    ended.refuse_failure(f"tests of CPython, {trial.how}")
    return {
        case.attrib["name"]: result(case) for case in ElementTree.parse(report).iter("testcase")
    }


def result(case: ElementTree.Element) -> str:
    """Return the result in a test's element of the report."""
    for bad in ("failure", "error", "skipped"):
        if case.find(bad) is not None:
            return bad
    return "ok"


def main() -> None:
    """Run both ways, compare, and print the numbers of tests."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", type=Path, help="the program")
    parser.add_argument("library", type=Path, help="the drop-in")
    arguments = parser.parse_args()
    python: Path = arguments.python
    compare(lambda trial: run_all(python, trial), arguments.library.absolute())


if __name__ == "__main__":
    main()
