# SPDX-License-Identifier: MIT
"""Place labels along a line without overlap."""

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Literal, NamedTuple

Alignment = Literal["center", "left", "right"]
ALIGNMENTS: tuple[Alignment, ...] = ("center", "left", "right")
PAD_IN = 0.03  # between a place and the text beside it
GAP_IN = 0.05  # between two texts


class Label(NamedTuple):
    """A text at a place, in inches from the left end."""

    x_in: float
    text: str
    alignment: Alignment = "center"

    def span(self, letter_in: float) -> tuple[float, float]:
        """Return the begin and end of the text."""
        width = len(self.text) * letter_in
        begin = self.x_in + self.pad_in
        begin -= {"center": width / 2, "left": 0, "right": width}[self.alignment]
        return (begin, begin + width)

    @property
    def pad_in(self) -> float:
        """The distance of the text from its place; negative to the left."""
        return {"center": 0.0, "left": PAD_IN, "right": -PAD_IN}[self.alignment]


def align(labels: Sequence[Label], room: tuple[float, float], letter_in: float) -> list[Label]:
    """Return the labels, given from left to right, with alignments that avoid overlap.

    If there is no room, return a single label with all texts at the last place. The time grows
    exponentially with the number of labels.
    """
    one = Label(labels[-1].x_in, ", ".join(label.text for label in labels))
    for several in (labels, [one]):
        for alignments in product(ALIGNMENTS, repeat=len(several)):
            chosen = [
                label._replace(alignment=alignment)
                for label, alignment in zip(several, alignments, strict=True)
            ]
            if _fit([label.span(letter_in) for label in chosen], room):
                return chosen
    return [one]


def _fit(spans: Sequence[tuple[float, float]], room: tuple[float, float]) -> bool:
    apart = all(a[1] + GAP_IN <= b[0] for a, b in pairwise(spans))
    return apart and spans[0][0] >= room[0] and spans[-1][1] <= room[1]
