# SPDX-License-Identifier: MIT
"""Judge Observations 1 to 5 of OSPERT 2010, 4, Section 4.2, by the measurements on this machine.

Each judge first states which effects the samples could show, and then their result. If the samples
could not show the effect, or if there are none, the verdict is open. All verdicts are for write
ratio 1/4, as in the paper, and for all kinds of moves of this machine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plafond.bench.cpmd.caches import KIB, MEMORY, PREEMPTION, Caches, through
from plafond.bench.cpmd.model import Observation, Verdict
from plafond.bench.cpmd.numbers import (
    Interval,
    difference,
    findable_correlation,
    least_correlation,
    numbers,
    rank_correlation,
    variation,
    variation_interval,
)
from plafond.bench.cpmd.plan import FIGURE_3_SIZE, Load
from plafond.bench.cpmd.samples import Sample
from plafond.units import UNIT_NS, format_duration

# A difference of means is substantial from half of the mean after a preemption on.
SUBSTANTIAL = 0.5
QUIET = 0.05  # an idle system: others use at most this share of its CPUs
FINDABLE = 0.3  # a verdict needs samples that would show a trend of this strength
LEAST_SAMPLES = 30  # for a normal approximation
# A set with a larger dropped share is not judged. Interrupts hit long passes more often than short
# passes, so the valid samples would be of short passes.
MOST_DROPPED = 0.25

MS = UNIT_NS["ms"]
RISES_UNTIL_NS = 10 * MS
FALLS_UNTIL_NS = 5 * MS  # after migrations
SETTLED_FROM_NS = 25 * MS


@dataclass(frozen=True)
class Evidence:
    """The valid samples with write ratio 1/4, by size and kind, and the conditions of the run.

    It has no sets with a dropped share above MOST_DROPPED.
    """

    caches: Caches
    samples: int
    of_load: Mapping[Load, Mapping[tuple[int, str], Sequence[Sample]]]
    others_share: float | None

    def sizes(self, load: Load) -> list[int]:
        """Return the measured sizes."""
        return sorted({size for size, _ in self.of_load[load]})

    @property
    def migrations(self) -> list[str]:
        """Return the kinds of moves to another CPU."""
        return [kind for kind in self.caches.kinds if kind != PREEMPTION]


@dataclass(frozen=True)
class Judged:
    """An observation without its number and claim."""

    power: str
    finding: str
    verdict: Verdict


CLAIMS = (
    "Under load the delay of sets as large as the L2 is not predictable: its deviation is its size",
    "Under load preemptions and migrations differ by no substantial delay",
    "Idle, preemptions always cause less delay than migrations; those through L3 and memory differ "
    "little",
    "Under load the delay rises with the length of preemptions up to 10 ms, falls with that of "
    "migrations through L3 up to 5 ms, and from 25 ms on does neither",
    "The delay does not depend on how many tasks there are",
)


def observe(evidence: Evidence) -> list[Observation]:
    """Judge all observations."""
    judges: tuple[Callable[[Evidence], Judged], ...] = (
        *(_predictability, _no_difference, _preemptions_less, _length, _task_count),
    )
    found = [judge(evidence) for judge in judges]
    return [
        Observation(
            number=number,
            claim=claim,
            power=judged.power,
            finding=judged.finding,
            verdict=judged.verdict,
        )
        for number, (claim, judged) in enumerate(zip(CLAIMS, found, strict=True), start=1)
    ]


def _not_shown(power: str) -> Judged:
    return Judged(power, "", Verdict.OPEN)


def _too_little(evidence: Evidence, load: Load) -> str | None:
    if not evidence.of_load[load]:
        return (
            f"none: {WORDS[load]} no set was measured with write ratio 1/4 of which at most "
            f"{MOST_DROPPED:.0%} of the samples were dropped"
        )
    if evidence.samples < LEAST_SAMPLES:
        return f"none: {evidence.samples} samples are fewer than {LEAST_SAMPLES}"
    return None


WORDS = {Load.IDLE: "without load", Load.POLLUTED: "under load"}


def _delays(samples: Sequence[Sample]) -> list[int]:
    return [sample.delay_ns for sample in samples]


def _predictability(evidence: Evidence) -> Judged:
    """Claim: the variation is below 1 up to half of an L2, and at least 1 from an L2 on."""
    if none := _too_little(evidence, Load.POLLUTED):
        return _not_shown(none)
    l2_bytes = max(evidence.caches.sizes(2), default=0)
    cells = evidence.of_load[Load.POLLUTED]
    small = {cell: s for cell, s in cells.items() if 2 * cell[0] <= l2_bytes}
    large = {cell: s for cell, s in cells.items() if cell[0] >= l2_bytes}
    if not l2_bytes or not small or not large:
        return _not_shown(
            "none: expected sizes of at most half an L2, and of an L2 or more, with at most "
            f"{MOST_DROPPED:.0%} of their samples dropped"
        )
    count = len(small) + len(large)
    intervals = {
        cell: variation_interval(numbers(_delays(samples)), count)
        for cell, samples in (small | large).items()
    }
    power = f"the variation is known to +-{max(i.half for i in intervals.values()):.2g} or better"
    calm = [variation(numbers(_delays(samples))) for samples in small.values()]
    wild = [variation(numbers(_delays(samples))) for samples in large.values()]
    finding = (
        f"deviation over mean: {min(calm):.2f} to {max(calm):.2f} up to half of the L2, "
        f"{min(wild):.2f} to {max(wild):.2f} from the L2 on"
    )
    if all(intervals[cell].high < 1 for cell in small) and any(
        intervals[cell].low >= 1 for cell in large
    ):
        return Judged(power, finding, Verdict.CONFIRMED)
    if all(intervals[cell].high < 1 for cell in large) or any(
        intervals[cell].low >= 1 for cell in small
    ):
        return Judged(power, finding, Verdict.REFUTED)
    return Judged(power, finding, Verdict.OPEN)


@dataclass(frozen=True)
class Compared:
    """The mean delay of a migration minus that of a preemption."""

    size_bytes: int
    kind: str
    preemption_ns: float
    interval: Interval


def _compared(evidence: Evidence, load: Load) -> list[Compared]:
    cells = evidence.of_load[load]
    pairs = [(size, kind) for size in evidence.sizes(load) for kind in evidence.migrations]
    found = []
    for size, kind in pairs:
        preempted = numbers(_delays(cells[size, PREEMPTION]))
        migrated = numbers(_delays(cells[size, kind]))
        interval = difference(preempted, migrated, len(pairs))
        found.append(Compared(size, kind, float(preempted.mean()), interval))
    return found


def _no_difference(evidence: Evidence) -> Judged:
    if none := _too_little(evidence, Load.POLLUTED):
        return _not_shown(none)
    compared = _compared(evidence, Load.POLLUTED)
    if not compared:
        return _not_shown("none: there are no migrations here")
    clear = [each for each in compared if each.interval.half < _margin_ns(each)]
    power = (
        f"a difference of {SUBSTANTIAL:.0%} of a preemption's mean could be seen with "
        f"{len(clear)} of {len(compared)} pairs of size and kind"
    )
    if not clear:
        return _not_shown(f"none: {power}")
    beyond = [each for each in clear if each.interval.is_beyond(_margin_ns(each))]
    unclear = [each for each in clear if not each.interval.is_within(_margin_ns(each))]
    within = len(clear) - len(unclear)
    finding = f"no more than that with {within} of these, more with {len(beyond)}{_named(beyond)}"
    if beyond:
        return Judged(power, finding, Verdict.REFUTED)
    return Judged(power, finding, Verdict.OPEN if unclear else Verdict.CONFIRMED)


def _margin_ns(compared: Compared) -> float:
    return SUBSTANTIAL * abs(compared.preemption_ns)


def _named(some: Sequence[Compared]) -> str:
    sizes = sorted({each.size_bytes for each in some})
    return f" (KiB: {', '.join(str(size // KIB) for size in sizes)})" if sizes else ""


def _preemptions_less(evidence: Evidence) -> Judged:
    if none := _too_little(evidence, Load.IDLE):
        return _not_shown(none)
    if evidence.others_share is None:
        return _not_shown("none: how much of the CPUs others used is not known")
    if evidence.others_share > QUIET:
        return _not_shown(
            f"none: others used {evidence.others_share:.0%} of the CPUs, so the system was not idle"
        )
    compared = _compared(evidence, Load.IDLE)
    if not compared:
        return _not_shown("none: there are no migrations here")
    power = "a difference could be seen of " + ", ".join(
        f"{format_duration(each.interval.half, 2)} at {each.size_bytes // KIB} KiB"
        for each in (compared[0], compared[-1])
    )
    less = [each for each in compared if each.interval.low > 0]
    more = [each for each in compared if each.interval.high < 0]
    ratios = _third_to_memory(evidence)
    beside = (
        f"through L3 {min(ratios):.2f} to {max(ratios):.2f} times those through memory"
        if ratios
        else "migrations through L3 and memory are not both here"
    )
    finding = (
        f"less with {len(less)} of {len(compared)} pairs of size and kind, more with {len(more)}"
        f"{_named(more)}; {beside}"
    )
    if more:
        return Judged(power, finding, Verdict.REFUTED)
    differ_little = all(abs(ratio - 1) <= SUBSTANTIAL for ratio in ratios)
    is_shown = differ_little and len(less) == len(compared)
    return Judged(power, finding, Verdict.CONFIRMED if is_shown else Verdict.OPEN)


def _third_to_memory(evidence: Evidence) -> list[float]:
    """Return the ratio of their mean delays for each size; empty: not both are here."""
    if not {through(3), MEMORY} <= {*evidence.caches.kinds}:
        return []
    cells = evidence.of_load[Load.IDLE]
    return [
        numbers(_delays(cells[size, through(3)])).mean()
        / numbers(_delays(cells[size, MEMORY])).mean()
        for size in evidence.sizes(Load.IDLE)
    ]


@dataclass(frozen=True)
class Trend:
    """The trend of the delay with the length of the preemption, in a range of lengths."""

    what: str
    count: int
    coefficient: float
    expected: int  # 1: rises; -1: falls; 0: neither


def _length(evidence: Evidence) -> Judged:
    if none := _too_little(evidence, Load.POLLUTED):
        return _not_shown(none)
    trends = list(_trends(evidence))
    if not trends:
        return _not_shown(
            f"none: under load there is no set of {FIGURE_3_SIZE // KIB} KiB to judge"
        )
    fewest = min(trend.count for trend in trends)
    if fewest < LEAST_SAMPLES:
        return _not_shown(f"none: {fewest} samples in a range of lengths")
    findable = findable_correlation(fewest, len(trends))
    power = f"a rank correlation of {findable:.2f} would be found"
    if findable > FINDABLE:
        return _not_shown(f"too little: {power}, expected {FINDABLE}")
    finding = "rank correlation with the length: " + ", ".join(
        f"{trend.coefficient:+.2f} {trend.what}" for trend in trends
    )
    agree = [_is_as_expected(trend, len(trends)) for trend in trends]
    return Judged(power, finding, Verdict.CONFIRMED if all(agree) else Verdict.REFUTED)


def _trends(evidence: Evidence) -> Iterator[Trend]:
    """Yield the trends of Figure 3: preemptions, and migrations through L3."""
    cells = evidence.of_load[Load.POLLUTED]
    ranges = (
        (PREEMPTION, 1, RISES_UNTIL_NS),
        (through(3), -1, FALLS_UNTIL_NS),
    )
    for kind, expected, until_ns in ranges:
        samples = cells.get((FIGURE_3_SIZE, kind))
        if not samples:
            continue
        short = [each for each in samples if each.away_ns <= until_ns]
        long = [each for each in samples if each.away_ns >= SETTLED_FROM_NS]
        yield _trend(f"up to {until_ns // MS} ms ({kind})", short, expected)
        yield _trend(f"from {SETTLED_FROM_NS // MS} ms on ({kind})", long, 0)


def _trend(what: str, samples: Sequence[Sample], expected: int) -> Trend:
    away = numbers([sample.away_ns for sample in samples])
    delays = numbers(_delays(samples))
    coefficient = rank_correlation(away, delays) if len(samples) > 1 else 0.0
    return Trend(what, len(samples), coefficient, expected)


def _is_as_expected(trend: Trend, comparisons: int) -> bool:
    """Return whether a trend agrees; 0 means no trend that a verdict would have to find."""
    if trend.expected == 0:
        return abs(trend.coefficient) < FINDABLE
    return trend.expected * trend.coefficient > least_correlation(trend.count, comparisons)


def _task_count(_: Evidence) -> Judged:
    return _not_shown("none: one task was measured; --schedule runs several")
