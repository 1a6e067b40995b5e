# SPDX-License-Identifier: MIT
"""Results from samples of cache-related delay: statistics, verdicts, tables and figures."""

import io
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import count
from random import Random

import numpy as np
import pytest
from cpmd_fakes import MS, US, paper_machine, sample, two_cores
from rich.console import Console

from plafond.bench.cpmd import paper
from plafond.bench.cpmd.caches import KIB, MEMORY, PAPER_KINDS, PREEMPTION, Caches, through
from plafond.bench.cpmd.collect import Measured, Outcome
from plafond.bench.cpmd.largest import LEAST_VALID, largest_ns
from plafond.bench.cpmd.model import CpmdReport, Observation, Verdict
from plafond.bench.cpmd.numbers import (
    Interval,
    difference,
    findable_correlation,
    least_correlation,
    numbers,
    rank_correlation,
    variation,
    variation_interval,
    z_of,
)
from plafond.bench.cpmd.plan import PAPER_SIZES, Cell, Load
from plafond.bench.cpmd.report import make_report
from plafond.bench.cpmd.samples import Dropped, Sample
from plafond.bench.cpmd.table import csv_text, print_report
from plafond.errors import PlafondError
from plafond.report.cpmd import draw_lengths, draw_sizes
from plafond.trace.outside import LONGEST_OWN_NS

SAMPLES = 400
ENOUGH = 1300  # for a verdict about trends
L3 = through(3)
QUARTER = Fraction(1, 4)
Delay = Callable[[Random, str, int, int], float]  # from a kind, a size, and a time away


def cell(
    load: Load, size_kib: int, delay: Delay, caches: Caches, samples: int = SAMPLES
) -> Measured:
    random = Random(f"{load}/{size_kib}")
    valid: dict[str, list[Sample]] = {kind: [] for kind in caches.kinds}
    for kind, own in valid.items():
        for _ in range(samples):
            away_ns = random.randrange(50 * MS)
            own.append(sample(round(delay(random, kind, size_kib, away_ns)), away_ns))
    return Measured(Cell(load, size_kib * KIB, QUARTER), valid, tries=samples * len(valid))


def like_the_paper(random: Random, kind: str, size_kib: int, away_ns: int) -> float:
    """Draw a delay as in Figures 2 (c) and 3, with an L2 of 1 MiB."""
    mean = size_kib * US
    if size_kib >= 1024:
        return random.gauss(mean, 1.5 * mean)
    change = 0.5 if kind == PREEMPTION else -0.5
    early = max(0.0, 1 - away_ns / ((10 if kind == PREEMPTION else 5) * MS))
    return random.gauss(mean * (1 - change * early), 0.1 * mean)


def report_of(
    loaded: Mapping[int, Delay] | None = None,
    idle: Mapping[int, Delay] | None = None,
    caches: Caches | None = None,
    others_share: float | None = 0.01,
    samples: int = SAMPLES,
) -> CpmdReport:
    caches = caches or two_cores()
    finished = [
        cell(load, size_kib, delay, caches, samples)
        for load, cells in ((Load.POLLUTED, loaded or {}), (Load.IDLE, idle or {}))
        for size_kib, delay in cells.items()
    ]
    outcome = Outcome(finished, others_share=others_share)
    return make_report(caches, outcome, samples, 1, len(finished), quick=False)


def observed(number: int, **options: object) -> Observation:
    report = report_of(**options)  # type: ignore[arg-type]
    return next(each for each in report.observations if each.number == number)


def by_kind(means: Mapping[str, float], deviation: float = 0.1) -> Delay:
    return lambda random, kind, *_: random.gauss(means[kind], deviation * abs(means[kind]))


SIZES = (4, 64, 256, 1024, 4096)
AS_IN_THE_PAPER = dict.fromkeys(SIZES, like_the_paper)
STEADY = by_kind({PREEMPTION: 9 * US, L3: 10 * US})
CHEAP = by_kind({PREEMPTION: US, L3: 10 * US})


def test_a_load_as_in_the_paper_confirms_what_it_can_show() -> None:
    report = report_of(AS_IN_THE_PAPER, dict.fromkeys(SIZES, CHEAP), samples=ENOUGH)

    assert [each.verdict for each in report.observations] == [
        *(Verdict.CONFIRMED, Verdict.CONFIRMED, Verdict.CONFIRMED, Verdict.CONFIRMED),
        Verdict.OPEN,  # a single task shows nothing about many
    ]
    assert all(each.power for each in report.observations)


def test_steady_large_sets_refute_the_first() -> None:
    found = observed(1, loaded=dict.fromkeys(SIZES, STEADY))

    assert found.verdict is Verdict.REFUTED
    assert found.power.startswith("the variation is known to +-0.0")
    assert "from the L2 on" in found.finding


def test_the_first_needs_small_and_large_sets() -> None:
    found = observed(1, loaded={4: like_the_paper, 64: like_the_paper})

    assert found.verdict is Verdict.OPEN
    assert found.power.startswith("none: expected sizes")


def test_dear_migrations_refute_the_second() -> None:
    found = observed(2, loaded=dict.fromkeys(SIZES, CHEAP))

    assert found.verdict is Verdict.REFUTED
    assert "more with 5 (KiB: 4, 64, 256, 1024, 4096)" in found.finding


def test_wide_intervals_leave_the_second_open() -> None:
    wild = by_kind({PREEMPTION: 9 * US, L3: 10 * US}, deviation=30)

    found = observed(2, loaded={64: wild})

    assert found.verdict is Verdict.OPEN
    assert found.power.startswith("none:")


def test_between_both_the_second_is_open() -> None:
    half_more = by_kind({PREEMPTION: 10 * US, L3: 15 * US}, deviation=0.5)

    assert observed(2, loaded={64: half_more}).verdict is Verdict.OPEN


def test_dear_preemptions_refute_the_third() -> None:
    dear = by_kind({PREEMPTION: 12 * US, L3: 10 * US})

    found = observed(3, idle={4: CHEAP, 64: dear})

    assert found.verdict is Verdict.REFUTED
    assert "more with 1 (KiB: 64)" in found.finding


def test_a_busy_machine_leaves_the_third_open() -> None:
    found = observed(3, idle={4: CHEAP}, others_share=0.4)

    assert found.verdict is Verdict.OPEN
    assert found.power == "none: others used 40% of the CPUs, so the system was not idle"


def test_without_that_the_third_is_open() -> None:
    assert observed(3, idle={4: CHEAP}, others_share=None).verdict is Verdict.OPEN


@pytest.mark.parametrize(
    ("third_us", "verdict", "ratio"),
    [(15, Verdict.CONFIRMED, "1.50"), (16, Verdict.OPEN, "1.60"), (4, Verdict.OPEN, "0.40")],
)
def test_the_third_compares_l3_and_memory_where_both_are(
    third_us: int, verdict: Verdict, ratio: str
) -> None:
    """Half of a delay is no little difference if it is exceeded."""
    kinds = dict(zip(PAPER_KINDS, (US, 4 * US, third_us * US, 10 * US), strict=True))

    found = observed(3, idle={4: by_kind(kinds, deviation=0)}, caches=paper_machine())

    assert found.verdict is verdict
    assert found.finding.endswith(f"through L3 {ratio} to {ratio} times those through memory")


def test_a_delay_without_trend_refutes_the_fourth() -> None:
    found = observed(4, loaded={64: STEADY}, samples=ENOUGH)

    assert found.verdict is Verdict.REFUTED
    assert "rank correlation" in found.power


def test_few_samples_leave_the_fourth_open() -> None:
    found = observed(4, loaded={64: like_the_paper}, samples=150)

    assert found.verdict is Verdict.OPEN
    assert found.finding == ""


def test_without_the_size_of_figure_3_the_fourth_is_open() -> None:
    assert observed(4, loaded={4: STEADY}).power == (
        "none: under load there is no set of 64 KiB to judge"
    )


def test_with_few_samples_nothing_is_judged() -> None:
    report = report_of({64: CHEAP}, {64: CHEAP}, samples=20)

    assert {each.verdict for each in report.observations} == {Verdict.OPEN}
    assert report.observations[1].power == "none: 20 samples are fewer than 30"


def test_sets_of_which_many_samples_were_dropped_are_not_judged() -> None:
    caches = two_cores()
    measured = cell(Load.POLLUTED, 64, CHEAP, caches)
    measured.dropped[Dropped.INTERRUPT] = 400
    measured.tries += 400

    report = make_report(caches, Outcome([measured]), SAMPLES, 1, 1, quick=False)

    assert report.observations[1].power.startswith("none: under load no set was measured")
    assert len(report.rows) == 2


def test_means_and_deviations_are_those_of_the_samples() -> None:
    delays = count(-3000, 1000)
    report = report_of({64: lambda *_: next(delays)}, samples=5)

    first = report.rows[0]

    assert (first.least_ns, first.largest_ns, first.negative) == (-3000, 1000, 3)
    assert first.mean_ns == -1000
    assert first.deviation_ns == pytest.approx(np.std([-3, -2, -1, 0, 1], ddof=1) * 1000)
    assert [point.delay_ns for point in report.points[:5]] == list(range(-3000, 2000, 1000))


def printed(report: CpmdReport) -> str:
    text = io.StringIO()
    print_report(report, Console(file=text, width=160))
    return text.getvalue()


def table(text: str, title: str) -> list[list[str]]:
    lines = text.partition(f"\n{title}\n")[2].partition("\n\n")[0].splitlines()
    return [row.split() for row in lines[2:]]


def test_tables_show_the_paper_beside() -> None:
    constant = by_kind({PREEMPTION: 9 * US, L3: -10 * US}, deviation=0)

    text = printed(report_of({64: constant, 5000: constant}, {64: constant}))

    largest = table(text, "Table 1: largest delay under load, us")
    assert largest == [
        ["64", "9.00", "248.86", "-10.00", "252.63"],
        ["5000", "9.00", "-10.00"],
    ]
    assert table(text, "Table 4: average delay in an idle system, us") == [
        ["64", "9.00", "0.29", "0.00", "0.15", "-10.00", "59.79", "0.00", "0.22"]
    ]
    negative = table(text, "Negative delays: the warm pass took longer")
    assert negative[0] == [
        *("polluted", "migration", "through", "L3", "64", str(SAMPLES), str(SAMPLES), "-10.00")
    ]
    assert "not on this machine: migration through memory: all allowed CPUs share a cache" in text


def test_the_table_says_what_was_dropped_and_left_out() -> None:
    caches = two_cores()
    kept, left_out = (cell(Load.IDLE, size, STEADY, caches, 40) for size in (4, 64))
    kept.dropped[Dropped.PAGE_FAULT] = 3
    left_out.dropped[Dropped.INTERRUPT] = 99
    left_out.valid = {kind: [] for kind in caches.kinds}

    report = make_report(caches, Outcome([kept], [left_out]), 40, 1, 3, quick=True)
    text = printed(report)

    assert table(text, "Samples: tried, valid, and dropped") == [
        ["idle", "1/4", "4", "80", "80", "3", "0"],
        ["idle", "1/4", "64", "80", "0", "0", "99", "LEFT", "OUT:", "too", "few", "are", "valid"],
    ]
    assert text.startswith("QUICK RUN")
    assert "NOT COMPLETE: 1 working sets were not measured" in text
    assert {row.size_bytes for row in report.rows} == {4 * KIB}


def test_the_report_says_how_many_samples_had_a_stop() -> None:
    caches = two_cores()
    kept, left_out = (cell(Load.IDLE, size, STEADY, caches, 40) for size in (4, 64))
    kept.dropped[Dropped.STEAL], left_out.dropped[Dropped.STEAL] = 2, 5

    report = make_report(caches, Outcome([kept], [left_out]), 40, 1, 2, quick=False)

    assert report.conditions.again == 7
    assert "7 samples measured again" in printed(report)


def test_csv_has_a_row_for_each_kind() -> None:
    rows = csv_text(report_of({64: STEADY, 4: STEADY})).splitlines()

    assert len(rows) == 1 + 2 * 2
    assert rows[1].startswith(f"polluted,65536,1/4,preemption,{SAMPLES},")


def test_figures_have_a_line_or_a_picture_for_each_kind() -> None:
    report = report_of({4: STEADY, 64: STEADY}, {4: CHEAP, 64: CHEAP})

    sizes = draw_sizes(report)
    assert all(words in sizes for words in (PREEMPTION, L3, "(d) average, idle"))
    assert L3 in draw_lengths(report)


def test_the_paper_has_its_tables() -> None:
    for tables in (paper.LARGEST, paper.MEANS, paper.DEVIATIONS):
        for figures in tables.values():
            assert len(figures) == len(PAPER_SIZES) * len(PAPER_KINDS)
    assert paper.LARGEST[Load.IDLE][4096, through(2)] == 288.22
    assert paper.MEANS[Load.POLLUTED][12288, MEMORY] == 274.23
    assert paper.DEVIATIONS[Load.IDLE][64, PREEMPTION] == 0.15


def test_ranks_show_any_trend() -> None:
    rising = [1, 2, 3, 4, 50]

    def of(one: Sequence[int], other: Sequence[int]) -> float:
        return rank_correlation(numbers(one), numbers(other))

    assert of(rising, [1, 4, 9, 16, 17]) == pytest.approx(1)
    assert of(rising, [5, 4, 3, 2, 0]) == pytest.approx(-1)
    assert of(rising, [7, 7, 7, 7, 7]) == 0
    # By hand: ranks 1 2 3 4 5 and 1.5 1.5 3 5 4.
    assert of(rising, [1, 1, 2, 9, 4]) == pytest.approx(0.8721, abs=1e-4)


def test_intervals_are_as_wide_as_they_say() -> None:
    """Intervals of drawn samples hold the true value as often as they promise."""
    random = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        one, other = random.normal(5, 2, 50), random.normal(6, 3, 80)
        interval = difference(one, other, comparisons=1)
        held += interval.low <= 1 <= interval.high
    assert 0.91 <= held / 400 <= 0.98
    assert z_of(1) == pytest.approx(1.96, abs=0.01)
    assert z_of(10) == pytest.approx(2.81, abs=0.01)

    steady = random.normal(10, 2, 500)
    interval = variation_interval(steady, comparisons=1)
    assert interval.low < 0.2 < interval.high
    assert variation(numbers([1, -1])) == float("inf")
    assert Interval(-1, 2).is_within(2)
    assert not Interval(-1, 2).is_beyond(0)
    assert Interval(3, 4).is_beyond(2)
    assert Interval(-4, -3).is_beyond(2)


def test_an_interval_that_ends_at_a_bound_is_within_it() -> None:
    assert Interval(-2, 2).is_within(2)
    assert not Interval(2, 3).is_beyond(2)
    assert not Interval(-3, -2).is_beyond(2)
    assert Interval(2.1, 3).is_beyond(2)
    assert Interval(-3, -2.1).is_beyond(2)


@pytest.mark.parametrize("chunk", ["warm_chunk_ns", "after_chunk_ns"])
def test_a_chunk_of_either_pass_may_last_as_long_as_can_be_its_own(chunk: str) -> None:
    for longer_ns, why in ((0, None), (1, Dropped.STEAL)):
        found = sample(0, MS, **{chunk: LONGEST_OWN_NS + longer_ns})
        assert found.dropped(found.cpu) is why


def test_as_many_samples_as_needed_are_enough_and_a_negative_delay_is_none() -> None:
    assert largest_ns([-1] * LEAST_VALID, KIB) == 0
    assert largest_ns([*[3] * (LEAST_VALID - 1), 7], KIB) == 7
    with pytest.raises(PlafondError, match=f"found {LEAST_VALID - 1} of "):
        largest_ns([1] * (LEAST_VALID - 1), KIB)


def test_a_trend_that_is_to_be_found_is_found_as_often_as_said() -> None:
    random = np.random.default_rng(5)
    samples = 120
    strength, found = findable_correlation(samples, 1), 0
    for _ in range(300):
        one = random.normal(size=samples)
        other = strength * one + np.sqrt(1 - strength**2) * random.normal(size=samples)
        found += rank_correlation(one, other) > least_correlation(samples, 1)
    assert 0.7 <= found / 300 <= 0.9
