# SPDX-License-Identifier: MIT
"""Student's t-tests, and the smallest effect that a test can show.

A difference is always the second sample less the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev, variance

from plafond.errors import RefusedError

try:
    from scipy import optimize, stats
except ModuleNotFoundError:
    raise RefusedError("the t-tests need scipy: run `.ci/venv statistics`") from None

SIGNIFICANCE = 0.001  # as in the papers
POWER = 0.9  # the probability with which a test should show an effect
FEWEST = 2  # a variance needs two values


@dataclass(frozen=True)
class Verdict:
    """The outcome of a t-test."""

    difference: float
    standard_error: float
    degrees_of_freedom: int

    @property
    def t(self) -> float:
        """Return the difference in standard errors; infinite if the samples do not vary."""
        if self.standard_error == 0:
            return 0.0 if self.difference == 0 else float("inf") * self.difference
        return self.difference / self.standard_error

    @property
    def p(self) -> float:
        """Return the probability of such a t if there is no difference."""
        return float(2 * stats.t.sf(abs(self.t), self.degrees_of_freedom))

    @property
    def is_significant(self) -> bool:
        """Return whether the averages differ, at SIGNIFICANCE."""
        return self.p < SIGNIFICANCE

    @property
    def smallest_effect(self) -> float:
        """Return the smallest difference that such a test shows with probability POWER.

        If there is a true difference, t has the noncentral distribution (Cohen 1988, Chapter 2).
        Its parameter is the difference in standard errors.
        """
        return _noncentrality(self.degrees_of_freedom) * self.standard_error


def two_samples(
    count: int, averages: tuple[float, float], variances: tuple[float, float]
) -> Verdict:
    """Return the test of two independent samples of `count` values each, as in the papers."""
    pooled = fmean(variances)
    return Verdict(averages[1] - averages[0], (2 * pooled / count) ** 0.5, 2 * (count - 1))


def unpaired(first: Sequence[float], second: Sequence[float]) -> Verdict:
    """Return the papers' test of two samples of equal length, at least FEWEST."""
    averages, variances = (fmean(first), fmean(second)), (variance(first), variance(second))
    return two_samples(len(first), averages, variances)


def paired(first: Sequence[float], second: Sequence[float]) -> Verdict:
    """Return the test of the differences in pairs; at least FEWEST pairs."""
    differences = [b - a for a, b in zip(first, second, strict=True)]
    count = len(differences)
    return Verdict(fmean(differences), stdev(differences) / count**0.5, count - 1)


def _noncentrality(degrees_of_freedom: int) -> float:
    critical = float(stats.t.isf(SIGNIFICANCE / 2, degrees_of_freedom))

    def missing(noncentrality: float) -> float:
        return float(stats.nct.sf(critical, degrees_of_freedom, noncentrality)) - POWER

    return float(optimize.brentq(missing, 0, 10 * critical))
