# SPDX-License-Identifier: MIT
"""pi_stress, which depends on priority inheritance, under ceilings that were learned from it.

It has groups of three threads, in which the least urgent thread holds a mutex that the most urgent
thread wants. Each group makes as many priority inversions as it can, and a watchdog finds a group
that stands still. pi_stress runs to be learned, plain, and under the learned ceilings, and must
work each time.

Example:
  build/venv/bin/python linux/pthread/test/programs/inherit.py \\
    build/venv/bin/plafond build/linux/pthread/libplafond-pthread.so
"""

from __future__ import annotations

import argparse
import re
import tempfile
import tomllib
from pathlib import Path

from trial import Ended, Statistics, Trial, cyclictest_beside

GROUPS = 2
PROGRAM = ("pi_stress", "--quiet", "--duration=1", f"--groups={GROUPS}")
INVERSIONS = re.compile(r"^Total inversion performed: (\d+)$", re.MULTILINE)


def refuse_failure(ended: Ended, how: str) -> None:
    """End the test unless it ended well and made inversions. Print their number."""
    ended.refuse_failure(f"pi_stress, {how}")
    made = INVERSIONS.search(ended.output)
    if not made or not int(made[1]):
        raise SystemExit(f"pi_stress, {how}: no inversions\n{ended.output}{ended.errors}")
    print(f"pi_stress, {how}: {made[1]} inversions")


def refuse_other_ceilings(learned: Path) -> int:
    """End the test unless each group's mutex has the right ceiling. Return the CPU of a group.

    The groups share plain mutexes, too, which are only offered.
    """
    raw = tomllib.loads(learned.read_text())
    group_cpus: list[int] = []
    for name, mutex in raw["mutex"].items():
        lockers = {locker["priority"] for locker in mutex["lockers"]}
        cpus = {locker["cpu"] for locker in mutex["lockers"]}
        ceiling = raw["resource"][name]["ceiling"]
        is_inherit = mutex["protocol"] == "inherit"
        print(f"{name}: {mutex['protocol']}, locked at {sorted(lockers)}, ceiling {ceiling}")
        if mutex["use"] != is_inherit or ceiling != max(lockers):
            raise SystemExit(
                f"{name}: expected inherit to be used, and the highest locker's ceiling"
            )
        if is_inherit and len(cpus) != 1:
            raise SystemExit(f"{name}: expected the lockers on one CPU, found them on {cpus}")
        group_cpus += cpus if is_inherit else ()
    if len(group_cpus) != GROUPS:
        raise SystemExit(f"expected {GROUPS} inherit mutexes in\n{learned.read_text()}")
    return min(group_cpus)


def refuse_no_gain(statistics: Statistics) -> None:
    """End the test unless all mutexes were converted, and locked lazily."""
    print(statistics)
    if statistics.converted != GROUPS or statistics.above_ceiling:
        raise SystemExit(f"expected {GROUPS} converted mutexes, no locker above their ceilings")
    if not statistics.lazy or statistics.eager:
        raise SystemExit("expected lazy locks only")


def main() -> None:
    """Run it all three ways."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plafond", type=Path, help="the command")
    parser.add_argument("library", type=Path, help="the drop-in, for cyclictest")
    arguments = parser.parse_args()
    library: Path = arguments.library.absolute()
    preload = (str(arguments.plafond.absolute()), "preload")
    somewhere = Trial(None)  # pi_stress pins each group to a CPU itself

    with tempfile.TemporaryDirectory() as folder:
        learned = Path(folder) / "pi_stress.toml"
        learning = somewhere.run((*preload, "--learn", str(learned), "--", *PROGRAM))
        refuse_failure(learning, "learned")
        cpu = refuse_other_ceilings(learned)

        with cyclictest_beside(Trial(None, cpu)):
            refuse_failure(somewhere.run(PROGRAM), "plain")

        counts = Path(folder) / "statistics.json"
        options = ("--ceilings", str(learned), "--stats-file", str(counts))
        with cyclictest_beside(Trial(library, cpu)):
            refuse_failure(somewhere.run((*preload, *options, "--", *PROGRAM)), "under ceilings")
        refuse_no_gain(Statistics.read(counts))


if __name__ == "__main__":
    main()
