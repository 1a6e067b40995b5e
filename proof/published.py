# SPDX-License-Identifier: MIT
"""What killed each mutant when the results were published.

It saves time and nothing else: the scene or case named here is tried first, and must find the
fault again.
"""

from __future__ import annotations

import re
from collections import defaultdict

from proof.result import ROOT

# As `plafond prove PROTOCOL --faults` prints it: what found the fault, and what it found.
_KILLED = re.compile(r"^killed +(?P<mutant>\S.*)\n +(?P<killer>[^:\n]+): ", re.MULTILINE)


def killers(protocol: str) -> dict[str, frozenset[str]]:
    """By the name of the mutant, which several may have."""
    table = ROOT / f"docs/results/prove-{protocol}.txt"
    found: defaultdict[str, set[str]] = defaultdict(set)
    if table.exists():
        for killed in _KILLED.finditer(table.read_text(encoding="utf-8")):
            found[killed["mutant"]].add(killed["killer"])
    return {mutant: frozenset(names) for mutant, names in found.items()}
