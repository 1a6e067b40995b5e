# SPDX-License-Identifier: MIT
"""The table of combinations as text: a matrix of all features, and the reasons."""

from collections.abc import Iterator
from itertools import product

from plafond.check.columns import entry
from plafond.describe.combine import FEATURES, ROWS, Place
from plafond.describe.features import Feature

NAMES = 29  # the width of the column
REASONS = 48
MARKS = {Place.EVERYWHERE: "x", Place.KERNEL: "k", Place.ANALYSIS: "a", Place.OVERHEADS: "o"}
BOTH, NEITHER = ".", "-"
LEGEND = f"""\
{BOTH}  a description may have both
x  no description may: `check` refuses it
k  no image of the kernel may, on sim and a53: `build` and `run` refuse it
a  tasks with both have no bound: `analyse` says so
o  tasks with both have no bound with overheads: `analyse --overheads` says so
{NEITHER}  two values of one field"""


def combination_text() -> str:
    """Return the matrix, the legend of its marks, and a line for each refused combination."""
    numbers = range(1, len(FEATURES) + 1)
    heads = [
        " " * NAMES + " ".join(digits)
        for digits in ([f"{n:2}"[0] for n in numbers], [str(n % 10) for n in numbers])
    ]
    lines = ["What combines", *map(str.rstrip, heads)]
    for number, feature in enumerate(FEATURES, start=1):
        marks = " ".join(_mark(feature, other) for other in FEATURES[:number])
        lines.append(f"{number:2} {feature.name:{NAMES - 3}}{marks}".rstrip())
    return "\n".join(
        [
            *lines,
            "",
            LEGEND,
            "",
            "Where they run",
            *_places(),
            "",
            "Why not",
            *_reasons(),
            "",
            "Protocols",
            *_protocols(),
        ]
    )


def _places() -> Iterator[str]:
    """Yield the features that only the kernel has, that only Linux has, and that no target has."""
    no_linux, no_kernel = (
        [row.feature.name for row in ROWS if row.place is place and row.other is None]
        for place in (Place.LINUX, Place.KERNEL)
    )
    yield entry("the kernel alone", "; ".join(_without(no_linux, no_kernel)), NAMES)
    yield entry("Linux alone", "; ".join(_without(no_kernel, no_linux)), NAMES)
    yield entry("no target", "; ".join(name for name in no_linux if name in no_kernel), NAMES)


def _without(names: list[str], others: list[str]) -> list[str]:
    return [name for name in names if name not in others]


def _mark(feature: Feature, other: Feature) -> str:
    if any(one.excludes(two) for one, two in _pairs(feature, other)):
        return NEITHER
    pairs: list[set[Feature | None]] = [{*pair} for pair in _pairs(feature, other)]
    if feature is other:
        pairs = [{each, None} for each in feature.with_implied]
    places = {row.place for row in ROWS if {row.feature, row.other} in pairs}
    return next((mark for place, mark in MARKS.items() if place in places), BOTH)


def _pairs(feature: Feature, other: Feature) -> Iterator[tuple[Feature, Feature]]:
    return product(feature.with_implied, other.with_implied)


def _reasons() -> Iterator[str]:
    for feature in FEATURES:
        for row in ROWS:
            if row.feature is feature and row.place in MARKS:
                other = f" + {row.other.name}" if row.other else ""
                yield entry(f"{MARKS[row.place]}  {feature.name}{other}", row.why, REASONS)


def _protocols() -> Iterator[str]:
    for feature in FEATURES:
        if feature.protocols:
            yield entry(feature.name, ", ".join(feature.protocols), NAMES)
