# SPDX-License-Identifier: MIT
"""Statistics of samples, with their confidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

CONFIDENCE = 0.95
RESAMPLES = 1000
POWER = 0.8  # the probability with which an effect of the stated size is found


@dataclass(frozen=True)
class Interval:
    """An interval that contains a value with some confidence."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Return half of its width."""
        return (self.high - self.low) / 2

    def is_within(self, bound: float) -> bool:
        """Return whether it lies between -bound and bound."""
        return -bound <= self.low and self.high <= bound

    def is_beyond(self, bound: float) -> bool:
        """Return whether it lies completely outside of -bound to bound."""
        return self.low > bound or self.high < -bound


def numbers(values: Sequence[int]) -> Numbers:
    """Return the values in the form that the functions here need."""
    return np.asarray(values, dtype=np.float64)


def z_of(comparisons: int) -> float:
    """Return the half width in standard errors of intervals that all hold together (Bonferroni)."""
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * comparisons))


def difference(one: Numbers, other: Numbers, comparisons: int) -> Interval:
    """Return the interval of the second mean minus the first mean (Welch 1947)."""
    error = sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other))
    middle, reach = float(other.mean() - one.mean()), z_of(comparisons) * error
    return Interval(middle - reach, middle + reach)


def variation(values: Numbers) -> float:
    """Return the standard deviation divided by the absolute mean."""
    mean = abs(values.mean())
    return float(values.std(ddof=1) / mean) if mean else float("inf")


def variation_interval(values: Numbers, comparisons: int) -> Interval:
    """Return the interval of the variation by resampling (Efron 1979)."""
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
    """Return the least coefficient that counts as a trend, for that many samples."""
    return z_of(comparisons) / sqrt(count - 1)


def findable_correlation(count: int, comparisons: int) -> float:
    """Return the coefficient that would be found with the probability POWER."""
    return (z_of(comparisons) + NormalDist().inv_cdf(POWER)) / sqrt(count - 1)


def _ranks(values: Numbers) -> Numbers:
    """Return the ranks of the values; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: Numbers = (ends - (counts - 1) / 2).astype(np.float64)
    return means[inverse]
