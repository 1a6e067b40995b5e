# SPDX-License-Identifier: MIT
"""The share of preempted sections at which two locks cost the same."""

import pytest

from plafond.bench.break_even import break_even_share


def test_costs_are_equal_at_the_share() -> None:
    p = break_even_share(fast=8, preempted=5000, rival_fast=1200, rival_preempted=3000)

    assert p is not None
    assert (1 - p) * 8 + p * 5000 == pytest.approx((1 - p) * 1200 + p * 3000)


@pytest.mark.parametrize(
    ("fast", "preempted", "share"),
    [(8, 2000, 1.0), (8, 3000, 1.0), (1300, 4000, 0.0), (1200, 4000, 0.0), (1300, 2000, None)],
    ids=["cheaper always", "as dear", "dearer always", "as cheap", "dearer then cheaper"],
)
def test_ends_of_the_range(fast: float, preempted: float, share: float | None) -> None:
    assert break_even_share(fast, preempted, rival_fast=1200, rival_preempted=3000) == share
