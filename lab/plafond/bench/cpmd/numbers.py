# SPDX-License-Identifier: MIT
"""What samples say, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

CONFIDENCE = 0.95
RESAMPLES = 1000
POWER = 0.8  # with which an effect is found that is as large as said


@dataclass(frozen=True)
class Interval:
    """Where a value is, with some confidence."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of its width."""
        return (self.high - self.low) / 2

    def is_within(self, bound: float) -> bool:
        """Whether it lies between -bound and bound."""
        return -bound <= self.low and self.high <= bound

    def is_beyond(self, bound: float) -> bool:
        """Whether all of it lies outside of that."""
        return self.low > bound or self.high < -bound


def numbers(values: Sequence[int]) -> Numbers:
    """Return them for the functions here."""
    return np.asarray(values, dtype=np.float64)


def z_of(comparisons: int) -> float:
    """Return how many standard errors intervals reach, of so many that all hold (Bonferroni)."""
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * comparisons))


def difference(one: Numbers, other: Numbers, comparisons: int) -> Interval:
    """Return the interval of the mean of the second less that of the first (Welch 1947)."""
    error = sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other))
    middle, reach = float(other.mean() - one.mean()), z_of(comparisons) * error
    return Interval(middle - reach, middle + reach)


def variation(values: Numbers) -> float:
    """Return the standard deviation over the mean's size."""
    mean = abs(values.mean())
    return float(values.std(ddof=1) / mean) if mean else float("inf")


def variation_interval(values: Numbers, comparisons: int) -> Interval:
    """Return the interval of the variation, from samples of the samples (Efron 1979)."""
    random = np.random.default_rng(1)
    found = [variation(random.choice(values, len(values))) for _ in range(RESAMPLES)]
    tail = (1 - CONFIDENCE) / (2 * comparisons)
    low, high = np.quantile(found, [tail, 1 - tail])
    return Interval(float(low), float(high))


def rank_correlation(one: Numbers, other: Numbers) -> float:
    """Return Spearman's coefficient: 1 if the second always grows with the first; 0: no trend."""
    first, second = _ranks(one), _ranks(other)
    if not first.std() or not second.std():
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def least_correlation(count: int, comparisons: int) -> float:
    """Return the least coefficient that counts as a trend with so many samples."""
    return z_of(comparisons) / sqrt(count - 1)


def findable_correlation(count: int, comparisons: int) -> float:
    """Return the coefficient that would be found with the probability POWER."""
    return (z_of(comparisons) + NormalDist().inv_cdf(POWER)) / sqrt(count - 1)


def _ranks(values: Numbers) -> Numbers:
    """The places of the values in order; equal ones share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: Numbers = (ends - (counts - 1) / 2).astype(np.float64)
    return means[inverse]
