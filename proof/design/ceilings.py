# SPDX-License-Identifier: MIT
"""Lazy ceilings: larger scopes than in the paper, and the faults of its nested form."""

from __future__ import annotations

from proof.design.cases import AFTER, CEILING, LOST, Case
from proof.design.section6 import PAPER, SHIPPED

_THREE: dict[str, str | int] = {
    "BASES": "1,2,3",
    "CEILINGS": "2,3,4",
    "DEPTH": 3,
    "FOUL": 0,
    "INTERRUPTS": 1,
}
_TWO = _THREE | {"CEILINGS": "2,3", "DEPTH": 2}

# Name, scope, tasks and resources, for all protocols with priorities. A task uses every resource
# with a ceiling at or above its base, in any order, so ceilings rise and fall.
SCOPES: tuple[tuple[str, str, dict[str, str | int], bool], ...] = (
    ("small", "3 tasks, 2 resources, any nests to 2", _TWO, True),
    ("three", "3 tasks, 3 resources, any nests to 3", _THREE, False),
    (
        "between",
        "3 tasks, 3 resources, ceilings between the tasks, any nests to 3",
        _THREE | {"BASES": "1,3,6", "CEILINGS": "5,2,4"},
        False,
    ),
    ("equal", "3 tasks, two of one priority, any nests to 2", _TWO | {"BASES": "1,2,2"}, True),
    (
        "four",
        "4 tasks, 2 resources, any nests to 2",
        _TWO | {"BASES": "1,2,3,4", "CEILINGS": "2,4"},
        False,
    ),
    (
        "foul",
        "3 tasks, 1 resource, flat; anything in the words of one at any moment",
        _TWO | {"CEILINGS": "2", "DEPTH": 1, "FOUL": 1},
        True,
    ),
)


def of(form: str, source: str, defines: dict[str, str | int]) -> tuple[Case, ...]:
    """Return the cases of a form in all scopes."""
    return tuple(
        Case(form, name, scope, source, tasks | defines, is_small=is_small)
        for name, scope, tasks, is_small in SCOPES
    )


_ALL = 15


def _literal(name: str, repaired: int, broken: str) -> Case:
    """Return the nested form as printed, with the faults of the bits `repaired` repaired."""
    form = "Section V, repaired" if repaired == _ALL else "Section V as printed"
    defines: dict[str, str | int] = {
        "FORM": "NESTED",
        "REPAIRED": repaired,
        "WITHOUT_START": 0,
        "ONLY_TASK1": 0,
        "INTERRUPTS": 0,
    }
    scope = "3 tasks, 2 resources, any nests to 2"
    return Case(form, name, scope, "paper.c", _TWO | defines, broken=broken)


FAULTS = (
    _literal("all four faults repaired", _ALL, ""),
    _literal("(a) new_pri := PO.ceiling is no maximum", _ALL - 1, CEILING),
    _literal("(b) PO.old_pri is written before the PO is held", _ALL - 2, AFTER),
    _literal("(c) a nested acquire sets to_raise again", _ALL - 4, AFTER),
    _literal("(d) PO.old_pri is read when the PO is not held any more", _ALL - 8, LOST),
)
# No garbage here: the claim is part of a lock's word, and proof/lazy sweeps the whole word.
LINUX = tuple(
    case
    for strength in ("strict", "robust")
    for case in of(
        f"lazy_ceiling.h, {strength}",
        "linux.c",
        {"STRENGTH": f"PLF_LAZY_{strength.upper()}"},
    )
    if case.name in ("small", "between")
)
CASES = (
    *PAPER,
    *SHIPPED,
    *FAULTS,
    *of("lazy_claim.h", "claim.c", {"SIMPLY": 0}),
    *of("lazy_claim.h, simple", "claim.c", {"SIMPLY": 1}),
    *LINUX,
)
