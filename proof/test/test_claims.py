# SPDX-License-Identifier: MIT
"""A claim must name tests that exist, because a wrong name would leave a file with fewer tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proof.stepped.subjects import CALLS


@pytest.mark.parametrize(
    ("file", "claiming", "named"),
    [
        ("linux/lib/cond.c", ("condition", "conditoin"), "conditoin"),
        ("linux/lib/cnd.c", ("condition",), "the file"),
    ],
)
def test_a_claim_that_names_nothing_is_refused(
    file: str, claiming: tuple[str, ...], named: str
) -> None:
    with pytest.raises(ValueError, match=f"library: the claim of {file} names {named}; expected"):
        replace(CALLS, claims={**CALLS.claims, file: claiming})
