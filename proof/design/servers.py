# SPDX-License-Identifier: MIT
"""Sections that servers share: overruns with and without payback, and skipping, in each mixture."""

from __future__ import annotations

from dataclasses import replace

from proof.design.cases import Case, Query

_FORM = "lazy_global.h"
_ASKED = frozenset({"EXCLUSION", "CEILING", "KEPT", "BUDGET", "VAIN"})
_ASKED_OF_HONEST = _ASKED | {"LOST", "BEYOND"}
SPLIT = "a section under skipping is not paid out of one budget"
HONEST = "the kernel ends a section that keeps to X"

_TWO: dict[str, str | int] = {
    "BUDGETS": "4,3",
    "HOLDS": "2,1",
    "SERVER_OF": "0,1",
    "BASES": "1,1",
    "USES": "1,1",
    "DEPTH": 1,
    "FOUL": 0,
    "GAP": 0,
}
# Each task of the first server shares a resource with the task of the other server.
_SAME = _TWO | {
    "BUDGETS": "3,2",
    "SERVER_OF": "0,0,1",
    "BASES": "1,2,1",
    "USES": "1,2,3",
    "DEPTH": 2,
}
_NESTS = _TWO | {
    "BUDGETS": "3,3,2",
    "HOLDS": "2,1,1",
    "SERVER_OF": "0,1,2",
    "BASES": "1,1,1",
    "USES": "3,1,2",
    "DEPTH": 2,
}
_NEST = _NESTS | {"BUDGETS": "2,2,2", "HOLDS": "1,1,1"}
_FOUL = _TWO | {"BUDGETS": "3,2", "HOLDS": "1,1", "FOUL": 1}
# The foul task belongs to the middle server, and shares nothing with the most urgent server.
_BELOW = _FOUL | {
    "BUDGETS": "2,2,2",
    "HOLDS": "1,1,1",
    "SERVER_OF": "1,0,2",
    "BASES": "1,1,1",
    "USES": "1,1,0",
}
_BESIDE = _BELOW | {"SERVER_OF": "0,1,2", "USES": "1,3,2"}

_RUNS = "w->running != NO_TASK"
_KEPT_OUT = Query("a server is kept out", f"{_RUNS} && w->page.late > 1", is_reachable=True)
_ALONE = Query(
    "an overrun that keeps no server out",
    "w->core == 0 && w->server[0].is_over && w->page.late == 1",
    is_reachable=True,
)
_WHOLE = Query(
    "all of an overrun is used",
    "w->server[0].spent == budget_of[0] - w->server[0].debt + hold_of[0]",
    is_reachable=True,
)
_OVERRUNS = (_KEPT_OUT, _ALONE, _WHOLE)
_PAYS = Query(
    "what was used beyond is paid back, and used beyond again",
    "w->server[0].debt > 0 && w->server[0].is_over",
    is_reachable=True,
)
_SKIPS = (
    _KEPT_OUT,
    Query("a task waits for its next budget", "w->task[0].life == SKIPPING", is_reachable=True),
    Query(
        "a server loses the core between the test and the claim",
        f"{_RUNS} && w->core == 1 && w->task[0].stage == ENTERS",
        is_reachable=True,
    ),
    Query(
        "a server loses the core inside the test",
        f"{_RUNS} && w->core == 1 && w->task[0].half.made == 1 && w->task[0].stage == TESTS",
        is_reachable=True,
    ),
)
_WITHIN = Query(
    "a task enters inside a section of its own server",
    "w->running == 1 && w->task[0].claim && w->page.claim",
    is_reachable=True,
)
_FALLS = Query(
    "a claim falls, and keeps out less",
    "w->server[2].spent && w->task[0].claim == 2 && w->core == 2",
    is_reachable=True,
)


def _case(
    text: str,
    policies: str,
    defines: dict[str, str | int],
    queries: tuple[Query, ...] = (),
    *,
    is_small: bool,
) -> Case:
    each = policies.split(",")
    foul = bool(defines["FOUL"])
    asked = _ASKED | {"HONEST"} if foul else _ASKED_OF_HONEST
    of_foul = int(str(defines["SERVER_OF"])[0]) if foul else None
    if any(policy == "SKIP" and i != of_foul for i, policy in enumerate(each)):
        asked |= {"SPLIT"}
    tasks = str(defines["SERVER_OF"]).count(",") + 1
    words = "; anything in the words of one at any moment" if foul else ""
    return Case(
        _FORM,
        f"{text}, {' '.join(each).lower()}",
        f"{len(each)} servers, {tasks} tasks, nests to {defines['DEPTH']}, budgets "
        f"{defines['BUDGETS']}, X {defines['HOLDS']}{words}",
        "global.c",
        defines | {"POLICIES": policies},
        queries,
        is_small=is_small,
        asks=asked,
    )


def _gap(name: str, gap: str, policies: str, defines: dict[str, str | int], broken: str) -> Case:
    return replace(
        _case("", policies, defines | {"GAP": gap}, is_small=False),
        form=f"{_FORM}, gap open",
        name=name,
        broken=broken,
    )


CASES = (
    _case("two", "OVERRUN,OVERRUN", _TWO, _OVERRUNS, is_small=True),
    _case("two", "PAYBACK,PAYBACK", _TWO, (*_OVERRUNS, _PAYS), is_small=True),
    _case("two", "SKIP,SKIP", _TWO, _SKIPS, is_small=True),
    _case("two", "PAYBACK,SKIP", _TWO, (*_OVERRUNS, _PAYS), is_small=False),
    _case("two", "SKIP,PAYBACK", _TWO, _SKIPS, is_small=False),
    _case("two tasks of one", "SKIP,SKIP", _SAME, (*_SKIPS, _WITHIN), is_small=True),
    _case("two tasks of one", "SKIP,OVERRUN", _SAME, (*_SKIPS, _WITHIN), is_small=False),
    _case("two tasks of one", "PAYBACK,SKIP", _SAME, (*_OVERRUNS, _PAYS), is_small=False),
    _case("foul", "SKIP,OVERRUN", _FOUL | {"BUDGETS": "2,2"}, is_small=True),
    _case("foul, longer", "SKIP,OVERRUN", _FOUL, is_small=False),
    _case("foul", "PAYBACK,SKIP", _FOUL, is_small=False),
    _case("foul, below another", "PAYBACK,SKIP,OVERRUN", _BELOW, is_small=False),
    _case("foul, beside another", "SKIP,OVERRUN,SKIP", _BESIDE, is_small=False),
    _case("short nests", "SKIP,SKIP,SKIP", _NEST, (*_SKIPS, _FALLS), is_small=True),
    _case("short nests", "SKIP,OVERRUN,OVERRUN", _NEST, (*_SKIPS, _FALLS), is_small=False),
    _case("short nests", "OVERRUN,SKIP,SKIP", _NEST, (*_OVERRUNS, _FALLS), is_small=False),
    _case("nests", "SKIP,SKIP,SKIP", _NESTS, (*_SKIPS, _FALLS), is_small=False),
    _case("nests", "SKIP,OVERRUN,PAYBACK", _NESTS, (*_SKIPS, _FALLS), is_small=False),
    _case("nests", "OVERRUN,PAYBACK,SKIP", _NESTS, (*_OVERRUNS, _FALLS), is_small=False),
    _gap("the claim before the test", "CLAIM_FIRST", "SKIP,SKIP", _TWO, SPLIT),
    _gap(
        "what waited for a budget is granted any rest of it", "ONE_TEST", "SKIP,SKIP", _SAME, SPLIT
    ),
    _gap("X counts on, and no server is kept out", "LIMIT_STAYS", "SKIP,SKIP,SKIP", _NEST, HONEST),
)
