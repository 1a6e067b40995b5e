# SPDX-License-Identifier: MIT
"""Read which scene or case killed each mutant in the published results.

This only saves time: the named scene or case is tried first, and must find the fault again.
"""

from __future__ import annotations

import re
from collections import defaultdict

from proof.result import ROOT

# The format of `plafond prove PROTOCOL --faults`: the killer's name precedes the colon.
_KILLED = re.compile(r"^killed +(?P<mutant>\S.*)\n +(?P<killer>[^:\n]+): ", re.MULTILINE)


def killers(protocol: str) -> dict[str, frozenset[str]]:
    """Return the killers by mutant name. Several mutants may share a name."""
    table = ROOT / f"docs/results/prove-{protocol}.txt"
    found: defaultdict[str, set[str]] = defaultdict(set)
    if table.exists():
        for killed in _KILLED.finditer(table.read_text(encoding="utf-8")):
            found[killed["mutant"]].add(killed["killer"])
    return {mutant: frozenset(names) for mutant, names in found.items()}
