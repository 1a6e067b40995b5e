# SPDX-License-Identifier: MIT
"""Columns of variants: figures of the first variant, and the others with their gains."""

from collections.abc import Sequence

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.papers import PaperRow
from plafond.bench.kernel.variants import Variant
from plafond.columns import Column
from plafond.rows import each


def compared(
    figures: Figures,
    rows: Sequence[PaperRow],
    variants: Sequence[Variant],
    *,
    at: bool = True,
    is_text: bool = True,
) -> list[Column]:
    """Return the columns: names of rows, figures of the first variant, and gains of the others."""
    baseline = [row.cost(figures, variants[0]) for row in rows]
    return [
        *named(rows, at=at),
        each(variants[0].heading, baseline),
        *(
            each(variant.heading, gains(baseline, _counts(figures, rows, variant)), text=is_text)
            for variant in variants[1:]
        ),
    ]


def counted(
    figures: Figures, rows: Sequence[PaperRow], variants: Sequence[Variant]
) -> list[Column]:
    """Return the columns: names of rows, and the figures of each variant."""
    columns = (each(variant.heading, _counts(figures, rows, variant)) for variant in variants)
    return [*named(rows), *columns]


def named(rows: Sequence[PaperRow], *, at: bool = True) -> list[Column]:
    """Return the columns that name the rows: their texts, and the place of the activation."""
    names = [each("benchmark", (row.row for row in rows), text=True)]
    return [*names, each("at", (row.at for row in rows), text=True)] if at else names


def gains(baseline: Sequence[int], counts: Sequence[int]) -> list[str]:
    """Return counts, with their gains in braces."""
    return [
        f"{count:>4} {f'({count / before - 1:+.1%})':>8}"
        for count, before in zip(counts, baseline, strict=True)
    ]


def _counts(figures: Figures, rows: Sequence[PaperRow], variant: Variant) -> list[int]:
    return [row.cost(figures, variant) for row in rows]
