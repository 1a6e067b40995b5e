# SPDX-License-Identifier: MIT
"""A check that did not look does not pass."""

import pytest

from proof.analysis.__main__ import Explorable, scope_of
from proof.analysis.certified import Line
from proof.analysis.sets import Costly, random_systems
from proof.design.cases import ALL_BUT_VAIN, ALWAYS_ASKED, VAIN, Case, answers
from proof.design.ceilings import CASES
from proof.design.floors import PAPER
from proof.design.spin import Search
from proof.result import CouldNotRunError
from proof.stress.__main__ import Played, finding, missing
from proof.stress.__main__ import summed_up as stress_row

CASE = Case("a form", "small", "2 tasks", "claim.c", {})


def search(asked: frozenset[str]) -> Search:
    return Search(states=39, depth=9, reached=(), asked=asked, way=())


def played(**changes: object) -> Played:
    row: dict[str, object] = {
        "configuration": "none",
        "strength": "robust",
        "activations": 5,
        "sections": 20,
        "gate_waits": 3,
        "deaths": 0,
        "intrusions": 0,
        "signals": 0,
        "findings": {"ceiling": {"count": 0, "promised": True, "first": ""}},
        "verdict": "holds",
    }
    return row | changes


def test_rules_that_were_looked_at_hold() -> None:
    (row,) = answers(CASE, search(ALWAYS_ASKED))

    assert (row.found, row.is_expected) == ("hold", True)


@pytest.mark.parametrize("left_out", sorted(ALWAYS_ASKED))
def test_a_search_that_never_looked_at_a_rule_does_not_say_that_it_holds(left_out: str) -> None:
    (row,) = answers(CASE, search(ALWAYS_ASKED - {left_out}))

    assert row.found == f"unknown: it never looked at {left_out}"
    assert not row.is_expected


def test_a_case_with_garbage_must_ask_for_its_bound() -> None:
    foul = Case("a form", "foul", "2 tasks", "claim.c", {"FOUL": 1})

    assert not answers(foul, search(ALWAYS_ASKED))[0].is_expected
    assert answers(foul, search(ALWAYS_ASKED | {"BOUND"}))[0].is_expected


def test_a_case_of_queries_alone_says_nothing_of_rules() -> None:
    quiet = [case for case in CASES if case.asks_queries_only]

    assert {case.form for case in quiet} == {"Section V as printed", "no protection"}
    for case in quiet:
        found = Search(9, 9, tuple(q.is_reachable for q in case.queries), frozenset({"QUERY"}), ())
        assert [row.query for row in answers(case, found)] == [q.text for q in case.queries]


def test_what_breaks_a_rule_is_asked_for_it_too() -> None:
    for quiet in (case for case in CASES if case.asks_queries_only):
        assert any(c.broken and (c.form, c.name) == (quiet.form, quiet.name) for c in CASES)


def test_a_case_that_leaves_out_the_rule_on_calls_has_one_that_breaks_it() -> None:
    kept = [c for c in PAPER if not c.broken and c.defines.get("ONLY") == ALL_BUT_VAIN]

    assert kept
    for case in kept:
        asked = {name: value for name, value in case.defines.items() if name != "ONLY"}
        assert any((c.form, c.broken, c.defines) == (case.form, VAIN, asked) for c in PAPER)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"sections": 0}, "sections"),
        ({"gate_waits": 0}, "gate waits"),
        ({"configuration": "death-inside"}, "deaths"),
        ({"configuration": "signal-storm", "strength": "syscall"}, "signals"),
        ({"configuration": "intruder"}, "intrusions"),
    ],
)
def test_a_stress_run_without_its_fault_shows_nothing(
    changes: dict[str, object], what: str
) -> None:
    assert missing(played(**changes)).endswith(f"found no {what}")
    with pytest.raises(CouldNotRunError, match="shows nothing"):
        stress_row([played(**changes)], 1, 0.0)


def test_a_stress_run_with_all_that_must_come_is_a_row() -> None:
    by_kernel = {"configuration": "intruder", "strength": "syscall", "gate_waits": 0}
    rows = [played(), played(**by_kernel), played(configuration="no-hook", verdict="caught")]

    row = stress_row(rows, 1, 0.0)

    assert (row.is_right, row.mutants, row.mutants_killed) == (True, 1, 1)


def test_a_control_that_the_oracle_does_not_catch_survives() -> None:
    row = stress_row([played(), played(configuration="no-hook", verdict="NOT CAUGHT")], 1, 0.0)

    assert (row.is_right, row.survivors) == (False, 1)


def test_a_broken_promise_of_the_stress_run_is_a_violation() -> None:
    broken = {"ceiling": {"count": 2, "promised": True, "first": "T1 ran"}}

    assert "ceiling 2 times, first: T1 ran" in finding(played(findings=broken, verdict="VIOLATED"))
    assert finding(played(verdict="livelock or deadlock"))


def test_bounds_of_sets_that_were_all_left_out_are_no_row() -> None:
    no_costs = Costly([], {})
    sets = Explorable(
        *(random_systems(1, 5), [], [], [], [], [], no_costs, no_costs),
        *([], no_costs, [], [], no_costs, [], []),
    )
    line: Line = {"protocol": "ceiling", "sets": 5, "left out": 5, "states": 0}

    with pytest.raises(CouldNotRunError, match="no set was explored under ceiling"):
        scope_of([[line]], sets, 1)
    assert scope_of([[line | {"left out": 4}]], sets, 1)
