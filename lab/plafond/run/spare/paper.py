# SPDX-License-Identifier: MIT
"""The averages and variances that Carminati et al. printed, and figures derived from them.

The paper of 2012 has nanoseconds of processor time (Tables VI and VII). The paper of 2010 has
values of a counter (Tables 6 to 8). The second protocol of each experiment is immediate ceilings.
"""

from dataclasses import dataclass

from plafond.run.spare.statistics import Verdict, two_samples


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper: two samples of `count` runs each, inheritance first."""

    paper: str
    count: int
    averages: tuple[float, float]
    variances: tuple[float, float]
    t: float  # as printed: ceilings less inheritance
    degrees_of_freedom: int  # as printed; two of them are misprints, because it is 2 (count - 1)

    @property
    def effect(self) -> float:
        """Return how much more ceilings left than inheritance, as a share of inheritance."""
        return self.averages[1] / self.averages[0] - 1

    @property
    def deviations(self) -> tuple[float, float]:
        """Return the standard deviations of the two samples."""
        return self.variances[0] ** 0.5, self.variances[1] ** 0.5

    def test(self) -> Verdict:
        """Return Student's test, computed again from the averages and variances."""
        return two_samples(self.count, self.averages, self.variances)


WITHOUT_FAST_PATH = Experiment(
    paper="Carminati 2012, Tables VI and VII, without fast path",
    count=40,
    averages=(408_605_162, 405_042_463),
    variances=(1_535_642_083_490, 1_706_936_654_588),
    t=-12.51,
    degrees_of_freedom=80,
)
WITH_FAST_PATH = Experiment(
    paper="Carminati 2012, Tables VI and VII, with fast path",
    count=40,
    averages=(409_095_489, 410_076_756),
    variances=(943_973_889_922, 13_330_393_417_558),
    t=1.64,
    degrees_of_freedom=80,
)
OF_2010 = Experiment(
    paper="Carminati 2010, Tables 6 to 8",
    count=32,
    averages=(189_682_847.91, 189_136_685.72),
    variances=(191_603_683_258.35, 524_003_070_588.27),
    t=-3.65,
    degrees_of_freedom=60,
)
# Key: the name of the description, and the two protocols.
EXPERIMENTS = {
    ("Carminati 2012, Table V", "rt-mutex", "immpc-eager"): WITHOUT_FAST_PATH,
    ("Carminati 2012, Table V", "rt-mutex", "immpc"): WITH_FAST_PATH,
    ("Carminati 2010, Table 5", "rt-mutex", "immpc-eager"): OF_2010,
}
