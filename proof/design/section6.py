# SPDX-License-Identifier: MIT
"""The queries of Section VI of Almatary 2015, for each form."""

from __future__ import annotations

from dataclasses import replace

from proof.design.cases import AFTER, CEILING, Case, Query

_BOTH = "in_mutex(w, 1) && in_mutex(w, 2)"
_FLAT = (
    Query("E<> Task1.Mutex and Task2.Mutex", _BOTH, is_reachable=False),
    Query("E<> Task1.Mutex and pri1 == 1", "in_mutex(w, 1) && priority_of(w, 1) == 1", True),
    Query("E<> Task1.Mutex and pri1 == 4", "in_mutex(w, 1) && priority_of(w, 1) == 4", True),
    Query(
        "E<> Task1.Mutex and any other pri1",
        "in_mutex(w, 1) && priority_of(w, 1) != 1 && priority_of(w, 1) != 4",
        is_reachable=False,
    ),
)
_NESTED = (
    _FLAT[0],
    Query("E<> Task2.Asleep and pri1 == 1", "asleep(w, 2) && priority_of(w, 1) == 1", True),
    Query("E<> Task2.Asleep and pri1 > 1", "asleep(w, 2) && priority_of(w, 1) > 1", False),
)


def _at(level: str, is_reachable: bool) -> Query:
    text = f"E<> Task1.Mutex and Task2.Mutex and level {level}"
    return Query(text, f"{_BOTH} && nesting(w, 1) {level}", is_reachable)


# Our queries: level 3 has the ceiling 8, and levels from 4 on have a ceiling of at least 10.
_HIGHER = (_at("== 2", True), _at("== 6", False), _at("== 3", True), _at(">= 4", False))
_DEPTH = 10
_CEILINGS = ",".join(str(4 + 2 * level) for level in range(_DEPTH))
_FLAT_SCOPE: dict[str, str | int] = {
    "BASES": "1,2",
    "CEILINGS": "4",
    "DEPTH": 1,
    "FOUL": 0,
    "INTERRUPTS": 0,
}
_NESTED_SCOPE: dict[str, str | int] = {
    "BASES": "1,2",
    "CEILINGS": _CEILINGS,
    "DEPTH": _DEPTH,
    "FOUL": 0,
    "INTERRUPTS": 0,
    "MAY_GET(task,resource,depth)": "((task)==0?(resource)==(depth):(resource)==0&&(depth)==0)",
}
_HIGHER_SCOPE = _NESTED_SCOPE | {
    "BASES": "1,10",
    "MAY_GET(task,resource,depth)": "((task)==0?(resource)==(depth):(resource)==4&&(depth)==0)",
}


def _paper(form: str, repaired: int = 0, *, is_without_start: bool = False) -> dict[str, str | int]:
    return {
        "FORM": form,
        "REPAIRED": repaired,
        "WITHOUT_START": int(is_without_start),
        "ONLY_TASK1": 1,
    }


def _flat(form: str, source: str, defines: dict[str, str | int]) -> Case:
    scope = "2 tasks, 1 resource, flat"
    return Case(form, "flat", scope, source, _FLAT_SCOPE | defines, _FLAT)


def _nested(form: str, source: str, defines: dict[str, str | int]) -> tuple[Case, Case]:
    scope = "2 tasks, 10 resources, ceilings 4 + 2*level, nested to 10"
    return (
        Case(form, "nested", scope, source, _NESTED_SCOPE | defines, _NESTED),
        Case(form, "nested, pri2 = 10", scope, source, _HIGHER_SCOPE | defines, _HIGHER),
    )


def _both(case: Case, broken: str) -> tuple[Case, Case]:
    """Return two cases of a form that breaks a rule: the reachable states, and the rule."""
    return replace(case, asks_queries_only=True), replace(case, queries=(), broken=broken)


_PRINTED = tuple(
    each
    for case in _nested("Section V as printed", "paper.c", _paper("NESTED"))
    for each in _both(case, AFTER)
)
_UNPROTECTED = _both(
    replace(
        _flat("no protection", "paper.c", _paper("NONE")),
        queries=(replace(_FLAT[0], is_reachable=True),),
    ),
    CEILING,
)
_EAGER = replace(_flat("Set_Priority at both ends", "paper.c", _paper("CALLS")), queries=_FLAT[:1])
_NO_START = replace(
    _flat("Section III without start", "paper.c", _paper("FLAT", is_without_start=True)),
    queries=(),
    broken=AFTER,
)

PAPER = (
    *_UNPROTECTED,
    _EAGER,
    _flat("Section III as printed", "paper.c", _paper("FLAT")),
    _NO_START,
    *_PRINTED,
    *_nested("Section V, repaired", "paper.c", _paper("NESTED", 15)),
)
SHIPPED = (
    _flat("lazy_claim.h", "claim.c", {"SIMPLY": 0}),
    *_nested("lazy_claim.h", "claim.c", {"SIMPLY": 0}),
    _flat("lazy_claim.h, simple", "claim.c", {"SIMPLY": 1}),
    *_nested("lazy_claim.h, simple", "claim.c", {"SIMPLY": 1}),
    _flat("lazy_ceiling.h", "linux.c", {"STRENGTH": "PLF_LAZY_STRICT"}),
    *_nested("lazy_ceiling.h", "linux.c", {"STRENGTH": "PLF_LAZY_STRICT"}),
)
