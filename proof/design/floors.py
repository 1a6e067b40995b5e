# SPDX-License-Identifier: MIT
"""The lazy deadline floor under EDF: Theorem 1 with real clock values, and its gaps."""

from __future__ import annotations

from proof.design.cases import AFTER, ALL_BUT_VAIN, CEILING, ONLY_SECTIONS, VAIN, Case

_FORM = "lazy_floor.h"
# The clock stands here, so future deadlines are beyond the wrap, or beyond the change of sign.
_WRAP, _SIGN = "(UINT64_MAX-1)", "((UINT64_C(1)<<63)-2)"
_FLAT: dict[str, str | int] = {
    "DEADLINES": "4,3,2",
    "FLOORS": "3,2",
    "DEPTH": 1,
    "LATE": 2,
    "OVERDUE": 1,
    "MAY_WAIT": 1,
    "FOUL": 0,
    "GAP": 0,
    "EXACT": 0,
    "CLOCK": _WRAP,
}
_SMALL = _FLAT | {"LATE": 1, "OVERDUE": 0}
_NESTED = _SMALL | {"DEPTH": 2}
_LATE = "any time; an arrival handled up to {} late"


def _scope(text: str, defines: dict[str, str | int]) -> str:
    tasks = str(defines["DEADLINES"]).count(",") + 1
    late = int(defines["LATE"])
    ticks = f"{late} tick" if late == 1 else f"{late} ticks"
    return f"{tasks} tasks, {text}; {_LATE.format(ticks)}"


def _case(name: str, text: str, defines: dict[str, str | int], *, is_small: bool = False) -> Case:
    scope = _scope(text, defines)
    return Case(_FORM, name, scope, "floor.c", defines, is_small=is_small)


def _gap(name: str, gap: str, text: str, defines: dict[str, str | int]) -> Case:
    """Return a control. Only exclusion and the floor rule count, because Theorem 1 states these."""
    changed = defines | {"GAP": gap, "ONLY": ONLY_SECTIONS}
    scope = _scope(text, defines)
    return Case(f"{_FORM}, gap open", name, scope, "floor.c", changed, broken=CEILING)


_TWO = "2 resources, flat"
_NESTS = "2 resources, any nests to 2"
GAPS = (
    _gap("1: floors count from a later reading of the clock", "GAP_CLOCK", _TWO, _FLAT),
    _gap("1: the holder does not win ties", "GAP_TIES", _TWO, _FLAT),
    _gap("2: a task that wakes up keeps an old deadline", "GAP_WAKE", _TWO, _FLAT),
    _gap("3: floors count from the leave", "GAP_SINCE", _NESTS, _NESTED),
)

# Section IV is flat. Theorem 1 assumes that the kernel handles an arrival in its instant. A wake-up
# with a new deadline is then an arrival, so no task waits.
_PREMISES = _SMALL | {"LATE": 0, "MAY_WAIT": 0, "FORM": "FLAT", "WITHOUT_START": 0}
_TWO_CALLS = "Section IV, Set_Deadline at both ends"
_PRINTED = "Section IV as printed"


def _paper(
    form: str, name: str, changes: dict[str, str | int], broken: str = "", wanted: str = ""
) -> Case:
    """`wanted`: the only rules that count, in C."""
    defines = _PREMISES | changes | ({"ONLY": wanted} if wanted else {})
    return Case(form, name, _scope(_TWO, defines), "paper_floor.c", defines, broken=broken)


_EAGER: dict[str, str | int] = {"FORM": "CALLS"}
_LATER: dict[str, str | int] = {"LATE": 1, "GAP": "GAP_CLOCK"}
_WAKE: dict[str, str | int] = {"MAY_WAIT": 1, "GAP": "GAP_WAKE"}
PAPER = (
    _paper(_TWO_CALLS, "premises of Theorem 1", _EAGER),
    _paper(_TWO_CALLS, "an arrival is handled late", _EAGER | _LATER, CEILING),
    _paper(_PRINTED, "premises of Theorem 1", {}, wanted=ALL_BUT_VAIN),
    _paper(_PRINTED, "the released task is not more urgent", {}, VAIN),
    _paper(_PRINTED, "an arrival is handled late", _LATER, CEILING, ONLY_SECTIONS),
    _paper(_PRINTED, "a task wakes up with its old deadline", _WAKE, CEILING, ONLY_SECTIONS),
    _paper(_PRINTED, "start is not set", {"WITHOUT_START": 1}, AFTER, ALL_BUT_VAIN),
)
CASES = (
    *GAPS,
    *PAPER,
    _case("small", _TWO, _SMALL, is_small=True),
    _case("nested", _NESTS, _NESTED, is_small=True),
    _case("flat", f"{_TWO}, waits; clock at 2^64", _FLAT),
    _case("flat, signs", f"{_TWO}, waits; clock at 2^63", _FLAT | {"CLOCK": _SIGN}),
    _case("later", f"{_NESTS}; clock at 2^64", _NESTED | {"LATE": 2, "OVERDUE": 1}),
    _case(
        "three",
        "3 resources, any nests to 3; clock at 2^64",
        _NESTED | {"DEPTH": 3, "FLOORS": "4,3,2", "MAY_WAIT": 0},
    ),
    _case(
        "as by calls",
        f"{_NESTS}: never more urgent than by two calls a section",
        _NESTED | {"EXACT": 1, "MAY_WAIT": 0},
    ),
    _case(
        "as by calls, three",
        "3 resources, one task nests with falling floors to 3: as above",
        _SMALL
        | {
            "DEADLINES": "6,4,1",
            "FLOORS": "4,2,1",
            "DEPTH": 3,
            "LATE": 0,
            "EXACT": 1,
            "MAY_WAIT": 0,
            "MAY_GET(task,resource,depth)": "((task)==0&&(resource)==(depth))",
        },
        is_small=True,
    ),
    _case(
        "four",
        "4 resources, one task nests with falling floors to 4, one more than there are raises",
        _SMALL
        | {
            "DEADLINES": "6,4,1",
            "FLOORS": "4,3,2,1",
            "DEPTH": 4,
            "LATE": 0,
            "MAY_WAIT": 0,
            "MAY_GET(task,resource,depth)": "((task)==0?(resource)==(depth):(depth)==0)",
        },
    ),
    _case(
        "foul",
        "1 resource, flat; anything in the words of one at any moment",
        _SMALL | {"DEADLINES": "4,2", "FLOORS": "2", "FOUL": 1, "MAY_WAIT": 0},
        is_small=True,
    ),
)
