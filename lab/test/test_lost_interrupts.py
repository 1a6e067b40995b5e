# SPDX-License-Identifier: MIT
"""Equations 1 and 2 of OSPERT 2010, 6: each answer against the equation itself, and mutants."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from plafond.analyse.lost_interrupts import (
    least_budget_by_load,
    least_budget_by_pending,
    least_pending,
    served_in_interval_ns,
)

SMALL = range(1, 13)
Equation = Callable[[int, int, int], int]


def by_load(period: int, execution: int, interval: int) -> int:
    """Solve equation 1 by trial."""
    enough = (
        q
        for q in range(period * execution + 1)
        if Fraction(q, period) >= Fraction(execution, interval)
    )
    return next(enough)


def by_pending(period: int, interval: int, pending: int) -> int:
    """Solve equation 2 for Q by trial."""
    all_budgets = range(-period * interval * pending, period + 1)
    return next(q for q in all_budgets if Fraction(period - q, interval) < pending)


def needed(period: int, budget: int, interval: int) -> int:
    """Solve equation 2 for N_c by trial."""
    return next(n for n in range(period + 2) if Fraction(period - budget, interval) < n)


def differ(one: Equation, other: Equation, is_possible: Callable[[int, int, int], bool]) -> bool:
    """Whether two equations differ for some small values."""
    return any(
        one(*each) != other(*each) for each in product(SMALL, repeat=3) if is_possible(*each)
    )


def always(_one: int, _two: int, _three: int) -> bool:
    return True


def is_budget(period: int, budget: int, _interval: int) -> bool:
    return budget <= period


def test_each_answer_is_the_least_that_keeps_the_equation() -> None:
    assert not differ(least_budget_by_load, by_load, always)
    assert not differ(least_budget_by_pending, by_pending, always)
    assert not differ(least_pending, needed, is_budget)


@pytest.mark.parametrize(
    ("mutant", "right", "is_possible"),
    [
        # Equation 1: rounded down; more than, instead of at least; C and P exchanged.
        (lambda t, c, p: t * c // p, by_load, always),
        (lambda t, c, p: t * c // p + 1, by_load, always),
        (lambda t, c, p: -(-t * p // c), by_load, always),
        # Equation 2: at most, instead of less; T instead of T - Q; rounded up.
        (lambda t, p, n: t - n * p, by_pending, always),
        (lambda t, p, n: t - (n - 1) * p, by_pending, always),
        (lambda t, q, p: -(-(t - q) // p), needed, is_budget),
        (lambda t, q, p: (t - q) // p, needed, is_budget),
        (lambda t, q, p: t // p + 1, needed, is_budget),
    ],
)
def test_no_mutant_of_an_equation_is_taken_for_it(
    mutant: Equation, right: Equation, is_possible: Callable[[int, int, int], bool]
) -> None:
    assert differ(mutant, right, is_possible)


@pytest.mark.parametrize(
    ("period", "execution", "interval", "budget"),
    [
        (10_000_000, 50_000, 500_000, 1_000_000),  # equality is enough
        (10_000_000, 50_000, 500_001, 999_999),  # 999,998.00..: rounded up
        (10_000_000, 50_001, 500_000, 1_000_020),
        (3, 1, 3, 1),
        (3_600_000_000_000, 1, 3_599_999_999_999, 2),  # 1.0000000000003: no float shows it
    ],
)
def test_the_load_is_kept_at_its_boundary(
    period: int, execution: int, interval: int, budget: int
) -> None:
    assert least_budget_by_load(period, execution, interval) == budget


def test_pending_interrupts_are_fewer_than_places() -> None:
    """(T - Q)/P = N_c loses an interrupt, so Q needs a nanosecond more, or N_c another place."""
    assert least_budget_by_pending(10_000_000, 500_000, 18) == 1_000_001
    assert least_pending(10_000_000, 1_000_000, 500_000) == 19
    assert least_pending(10_000_000, 1_000_001, 500_000) == 18
    assert least_pending(10_000_000, 10_000_000, 500_000) == 1


def test_what_is_served_in_an_interval_is_exact() -> None:
    assert served_in_interval_ns(3, 1, Fraction(1, 3)) == Fraction(1, 9)
