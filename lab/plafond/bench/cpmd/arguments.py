# SPDX-License-Identifier: MIT
"""The options of `plafond bench cpmd`."""

from dataclasses import dataclass
from fractions import Fraction

from plafond.bench.cpmd.caches import Caches
from plafond.bench.cpmd.plan import (
    PAPER_RATIO,
    QUICK_SAMPLES,
    RATIOS,
    SAMPLES,
    Cell,
    Load,
    cells_of,
    quick_sizes_of,
    sizes_of,
)
from plafond.errors import ArgumentError
from plafond.units import parse_size

LINE_BYTES = 64
LARGEST_BYTES = 1 << 34
LARGEST_DIVISOR = 1 << 20


@dataclass(frozen=True)
class Wanted:
    """The parameters of a measurement."""

    loads: tuple[Load, ...]
    sizes: tuple[int, ...] | None  # None: sizes that fit the caches
    ratios: tuple[Fraction, ...]
    samples: int
    seed: int
    is_quick: bool

    @staticmethod
    def of(
        quick: bool,
        samples: int | None,
        sizes: str | None,
        ratios: str | None,
        loads: str,
        seed: int,
    ) -> "Wanted":
        """Parse the options; ArgumentError for a wrong word."""
        return Wanted(
            loads=loads_of(loads),
            sizes=None if sizes is None else tuple({_size(word) for word in sizes.split(",")}),
            ratios=_ratios(ratios, quick),
            samples=samples or (QUICK_SAMPLES if quick else SAMPLES),
            seed=seed,
            is_quick=quick,
        )

    def cells(self, caches: Caches) -> list[Cell]:
        """Return the cells to measure on a machine with these caches."""
        found = quick_sizes_of(caches) if self.is_quick else sizes_of(caches)
        return cells_of(self.loads, self.sizes or found, self.ratios)


def loads_of(words: str) -> tuple[Load, ...]:
    """Parse --load; ArgumentError for a wrong word."""
    return tuple(dict.fromkeys(_load(word) for word in words.split(",")))


def refuse_with_schedule(**options: object) -> None:
    """Raise ArgumentError for options of the synthetic method, which --schedule does not use."""
    for name, value in options.items():
        if value:
            raise ArgumentError(
                f"--{name.replace('_', '-')}: found it with --schedule; expected one of the two: "
                "sets and samples are up to the tasks"
            )


def _load(word: str) -> Load:
    try:
        return Load(word.strip())
    except ValueError:
        raise ArgumentError(f"--load: found {word!r}; expected some of idle,polluted") from None


def _size(word: str) -> int:
    try:
        size = parse_size(word)
    except ValueError as error:
        raise ArgumentError(f"--size: found {word!r}; expected {error}") from None
    if size % LINE_BYTES or size > LARGEST_BYTES:
        raise ArgumentError(
            f"--size: found {word!r}; expected whole lines of {LINE_BYTES} bytes, up to 16GiB"
        )
    return size


def _ratios(words: str | None, quick: bool) -> tuple[Fraction, ...]:
    if words is None:
        return (PAPER_RATIO,) if quick else RATIOS
    return tuple(dict.fromkeys(_ratio(word.strip()) for word in words.split(",")))


def _ratio(word: str) -> Fraction:
    try:
        ratio = Fraction(word)
    except (ValueError, ZeroDivisionError):
        ratio = Fraction(-1)
    is_part = ratio.numerator == 1 and ratio.denominator <= LARGEST_DIVISOR
    if ratio != 0 and not is_part:
        raise ArgumentError(f"--write-ratio: found {word!r}; expected 0, 1, or 1/N")
    return ratio
