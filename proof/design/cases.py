# SPDX-License-Identifier: MIT
"""A case: a model, its expected answers, and its scope."""

from __future__ import annotations

from dataclasses import dataclass, field

from proof.design.spin import Model, Search

# Texts of world.h with which a control may be expected to end.
EXCLUSION = "two tasks are inside one section"
CEILING = "a task runs that may use a section which another one is inside"
AFTER = "after a release a task is more urgent than the sections that it still holds"
LOST = "a task waits that is more urgent than the running one and all its sections"
VAIN = "a task calls the kernel, and no task came that demands it"
ONLY_SECTIONS = "(1U<<BREAKS_EXCLUSION|1U<<BREAKS_CEILING)"
ALL_BUT_VAIN = "(~(1U<<BREAKS_VAIN))"
ONLY_QUERIES = "(1U<<BREAKS_QUERY)"
# A search shows that rules hold only if it looked at these rules: names of world.h.
ALWAYS_ASKED = frozenset({"EXCLUSION", "CEILING", "LOST", "BASE"})
# For the models of several cores.
ASKED_OF_EVENTS = frozenset({"LOST", "VAIN", "ONCE", "EVENTS", "STATUS", "STATE"})
ASKED_OF_INBOX = frozenset({"LOST", "ONCE", "ORDER", "VAIN"})
ASKED_OF_LANES = frozenset({"SENT", "LINEAR"})
ASKED_OF_QUEUES = frozenset({"SENT", "ONCE", "ORDER", "LOST", "FULL", "TURN"})
ASKED_OF_MPCP = frozenset(
    {"EXCLUSION", "LOST", "TWICE", "HIGHEST", "USER", "ONCE", "QUEUE", "STATE", "STALE"}
)
ASKED_OF_FOUL_MPCP = frozenset({"USER", "ONCE", "STATE", "STALE"})
ASKED_OF_SPINLOCKS = frozenset({"EXCLUSION", "LOST", "VAIN"})
# Rules that a search must look at if it has the define.
ASKED_WITH = {"FOUL": "BOUND", "EXACT": "EAGER", "ORDERED": "ORDER"}


@dataclass(frozen=True, slots=True)
class Query:
    """A state, in the paper's words and in C, and whether it is reachable."""

    text: str
    condition: str
    is_reachable: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A search and its expected finding."""

    form: str  # the protocol, or its variant
    name: str
    scope: str
    source: str
    defines: dict[str, str | int]
    queries: tuple[Query, ...] = ()
    broken: str = ""  # the rule that a control breaks; "": all rules must hold
    is_small: bool = False  # mutants are searched in small cases
    asks_queries_only: bool = False  # look for reachable states, although rules are broken
    asks: frozenset[str] = ALWAYS_ASKED

    @property
    def must_ask(self) -> frozenset[str]:
        """The rules that the search must look at, because it shows nothing of other rules."""
        return self.asks | {rule for name, rule in ASKED_WITH.items() if self.defines.get(name)}

    @property
    def question(self) -> str:
        """All inputs of the answer except the sources."""
        return repr((self.model(), self.queries, self.broken, sorted(self.must_ask)))

    def model(self) -> Model:
        """Return the model for Spin."""
        return Model(
            self.source,
            (*self.defines.items(), *([("ONLY", ONLY_QUERIES)] if self.asks_queries_only else [])),
            tuple(q.condition for q in self.queries),
            tuple(not q.is_reachable for q in self.queries),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """A row of the answers: a query, or the rules."""

    form: str
    name: str
    query: str
    scope: str
    states: int
    found: str
    expected: str
    way: tuple[str, ...] = field(default=())

    @property
    def is_expected(self) -> bool:
        """Whether the finding is as expected."""
        return self.found == self.expected


def _reach(is_reachable: bool) -> str:
    return "reachable" if is_reachable else "not reachable"


def _rules(case: Case, search: Search) -> Answer:
    """Return the answer on the rules. It is unknown if the search did not look at all of them."""
    left_out = ", ".join(sorted(case.must_ask - search.asked))
    if search.way:
        found = f"broken: {search.broken}"
    else:
        found = f"unknown: it never looked at {left_out}" if left_out else "hold"
    expected = f"broken: {case.broken}" if case.broken else "hold"
    where = (case.form, case.name, "rules", case.scope, search.states)
    return Answer(*where, found, expected, search.way)


def answers(case: Case, search: Search) -> list[Answer]:
    """Return the answers on the rules and on each query."""
    start = (case.form, case.name)
    rows = [] if case.asks_queries_only and not search.way else [_rules(case, search)]
    for query, is_reached in zip(case.queries, search.reached, strict=True):
        reported = _reach(is_reached)
        if search.way and not is_reached:
            reported = "unknown: the search stopped at the broken rule"
        rows.append(
            Answer(
                *start, query.text, case.scope, search.states, reported, _reach(query.is_reachable)
            )
        )
    return rows
