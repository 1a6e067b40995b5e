# SPDX-License-Identifier: MIT
"""Figures beside another one, as the paper prints them."""

from collections.abc import Iterator, Sequence

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.variants import Variant


def compared(figures: Figures, name: str, variants: Sequence[Variant]) -> Iterator[str]:
    """The first as it is, the others with what they gain over it."""
    baseline = figures.count(name, variants[0])
    yield str(baseline)
    for variant in variants[1:]:
        yield relative(figures.count(name, variant), baseline)


def relative(count: int, baseline: int) -> str:
    """Return a count, and in braces what it gains."""
    return f"{count:>4} {f'({percent(count / baseline - 1)})':>8}"


def percent(share: float | None) -> str:
    """Return a share; nothing if there is none."""
    return "" if share is None else f"{share:+.1%}"
