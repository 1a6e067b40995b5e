# SPDX-License-Identifier: MIT
"""Mistakes in the tests. Each is a change of the source of a test, which some set must show."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from proof.result import CouldNotRunError


@dataclass(frozen=True)
class Mutant:
    """A mistake in the test of a check: `new` replaces `old` in its source."""

    check: str
    name: str
    old: str
    new: str

    def of(self, module: ModuleType) -> ModuleType:
        """Return the module with the mistake. Raise CouldNotRunError unless `old` occurs exactly
        once."""
        assert module.__file__
        text = Path(module.__file__).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise CouldNotRunError(f"{self.name}: found {self.old!r} {text.count(self.old)} times")
        changed = ModuleType(f"{module.__name__}_mutant")
        sys.modules[changed.__name__] = changed  # its dataclasses look there
        code = compile(text.replace(self.old, self.new), module.__file__, "exec")
        exec(code, changed.__dict__)
        return changed


MUTANTS = (
    Mutant("gfb", "the densest task does not matter", "(cpus - 1) * densest", "0"),
    Mutant("gfb", "utilisations for densities", "sum(tasks.densities)", "sum(tasks.utilisations)"),
    Mutant("gfb", "the densest by utilisation", "max(tasks.densities", "max(tasks.utilisations"),
    Mutant("bcl", "a job less in the window", "// interval_ns + 1", "// interval_ns"),
    Mutant(
        "bcl",
        "no job from before the window",
        " + min(cost_ns, max(0, window_ns - jobs * interval_ns))",
        "",
    ),
    Mutant("bcl", "a sum of m times the slack is enough", "above < cpus", "True"),
    Mutant("bcl", "slack below 0", "if slack_ns < 0:", "if False:"),
    Mutant("bcl", "one task is enough", "return all(_keeps", "return any(_keeps"),
    Mutant("bcl", "a processor more", "< cpus * slack_ns or", "< (cpus + 1) * slack_ns or"),
    Mutant("baruah", "a sum of m*x is enough, as printed", "(can_do_more >= cpus)", "False"),
    Mutant("baruah", "no job under way", "return cpus - 1", "return 0"),
    Mutant(
        "baruah",
        "no idle time long before the arrival",
        "max(span_ns[0], deadline), span_ns[1]",
        "max(span_ns[0], deadline), min(span_ns[1], deadline + 1)",
    ),
    Mutant(
        "baruah",
        "a job less in the window",
        "(windows[:, None] - self.deadlines) // self.intervals + 1",
        "(windows[:, None] - self.deadlines) // self.intervals",
    ),
    Mutant(
        "baruah",
        "no task has a margin",
        "(self.excess >= -margin_ns).any()",
        "(self.excess >= 0).any()",
    ),
    Mutant(
        "baruah",
        "no task has one in the windows that it looks at",
        "np.nonzero(self.excess >= -margin_ns)",
        "np.nonzero(self.excess >= 0)",
    ),
    Mutant("baruah", "a processor more", "limit = cpus *", "limit = (cpus + 1) *"),
    Mutant("one_cpu", "no demand test", "if tasks.is_implicit:", "if True:"),
    Mutant("one_cpu", "more than all of the processor", "if sum(", "if False and sum("),
    Mutant("one_cpu", "less than all of it", ") > tasks.unit", ") >= tasks.unit"),
    Mutant("partitioned", "the task alone", "[*packed[cluster], place]", "[place]"),
    Mutant("clustered", "the task alone", "[*packed[cluster], place]", "[place]"),
    Mutant("partitioned", "no test", "(test is None or ", "(True or "),
    Mutant("clustered", "no test", "(test is None or ", "(True or "),
    Mutant("soft", "a task above a processor", "most <= tasks.unit and ", ""),
    Mutant(
        "soft", "more than all processors", " and sum(tasks.utilisations) <= cpus * tasks.unit", ""
    ),
    Mutant("soft", "less than all processors", "<= cpus * tasks.unit", "< cpus * tasks.unit"),
    Mutant("soft", "less than a processor", "most <= tasks.unit", "most < tasks.unit"),
)
