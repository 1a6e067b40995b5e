# SPDX-License-Identifier: MIT
"""Count how many priority inversions pi_stress of rt-tests completes in a fixed time.

Its threads cause inversions as often as they can, and priority inheritance ends each. With the
drop-in the same mutexes have ceilings that were learned in an earlier run.
"""

import json
import re
from pathlib import Path

from plafond.bench.programs.model import Pair
from plafond.bench.programs.trial import PRELOAD, Command, refuse_missing, run
from plafond.errors import PlafondError

NAME = "pi_stress"
TOTAL = re.compile(r"^Total inversion performed: (\d+)$", re.MULTILINE)


class Inversions:
    """The program, and its learned ceilings."""

    program = NAME

    def __init__(self, folder: Path, seconds: int) -> None:
        """Learn the ceilings; RefusedError if the program is not installed."""
        refuse_missing(NAME, "rt-tests")
        self._command = (NAME, "--quiet", "--groups=1", f"--duration={seconds}")
        self.counted = f"inversions in {seconds} s"
        self._ceilings = folder / "pi_stress.toml"
        self._statistics = folder / "statistics.json"
        report = ("--report", str(folder / "report.txt"))
        run((*PRELOAD, "--learn", self._ceilings, *report, "--", *self._command))

    def pair(self) -> Pair:
        """Run the program plain and with the drop-in."""
        return Pair(plain=self._plain(), drop_in=self._with_drop_in())

    def _plain(self) -> int:
        """Count inversions under inheritance."""
        return self._count(self._command)

    def _with_drop_in(self) -> int:
        """Count inversions under ceilings; PlafondError if a lock was not lazy."""
        options = ("--ceilings", self._ceilings, "--stats-file", self._statistics)
        made = self._count((*PRELOAD, *options, "--", *self._command))
        locks = json.loads(self._statistics.read_text())["locks"]
        if not locks["lazy"] or locks["eager"] or locks["inherited"]:
            raise PlafondError(f"{NAME}: found locks {locks}; expected lazy ones only")
        return made

    def _count(self, command: Command) -> int:
        output = run(command)
        found = TOTAL.search(output)
        if not found or not int(found[1]):
            raise PlafondError(f"{NAME}: found no inversions in its output:\n{output}")
        return int(found[1])
