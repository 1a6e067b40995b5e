# SPDX-License-Identifier: MIT
"""Task sets by UUniFast-discard, and by the distributions of the automotive benchmark."""

from collections import Counter
from fractions import Fraction
from random import Random
from statistics import fmean

import pytest

from plafond.describe.draw import loads_study
from plafond.describe.problems import DescriptionError
from plafond.describe.study import Last, Method, Study
from plafond.errors import PlafondError
from plafond.studies.automotive import KINDS, draw_automotive, draw_kind
from plafond.studies.draw import draw_set, stream
from plafond.studies.measure import measure_schedulability
from plafond.studies.report import DRAWN
from plafond.studies.table import _condition_lines
from plafond.studies.uunifast import MOST_DRAWS, draw_utilisations

WIDE = (Fraction(0), Fraction(1))


def text_of(method: str, more: str = "", cpus: int = 1, utilisation: str = "[0.5, 1, 0.25]") -> str:
    return f"""
cpus = {cpus}
scheduler = "edf"
[draw]
sets = 10
utilisation = {utilisation}
method = "{method}"
{more}
compare = ["partitioned"]
deadlines = "hard"
"""


UUNIFAST = 'tasks = 5\ninterval = "log-uniform 1ms 1s"'


def study_of(method: str, more: str = "", **how: str) -> Study:
    return loads_study(text_of(method, more, 1, **how))


def utilisation_of(costs_ns: tuple[int, ...], intervals_ns: tuple[int, ...]) -> Fraction:
    return sum((Fraction(a, b) for a, b in zip(costs_ns, intervals_ns, strict=True)), Fraction(0))


@pytest.mark.parametrize("total", [Fraction(1, 2), Fraction(1), Fraction(7, 2)])
def test_utilisations_have_their_sum_and_stay_in_range(total: Fraction) -> None:
    random = Random(1)
    for _ in range(50):
        drawn = draw_utilisations(8, total, (Fraction(1, 100), Fraction(9, 10)), random)
        assert sum(drawn) == pytest.approx(float(total), abs=1e-12)
        assert all(0.01 <= each <= 0.9 for each in drawn)


def test_a_single_task_has_the_whole_utilisation() -> None:
    assert draw_utilisations(1, Fraction(1), WIDE, Random(1)) == [1.0]


def test_two_utilisations_are_uniform() -> None:
    """The first of two tasks with the sum 1 is uniform from 0 to 1."""
    random = Random(1)
    drawn = sorted(draw_utilisations(2, Fraction(1), WIDE, random)[0] for _ in range(4000))
    gaps = [abs(value - (place + 0.5) / 4000) for place, value in enumerate(drawn)]
    assert max(gaps) < 1.63 / 4000**0.5  # Kolmogorov and Smirnov, at 1 %


def test_no_place_of_a_task_is_preferred() -> None:
    random = Random(1)
    drawn = [draw_utilisations(4, Fraction(2), WIDE, random) for _ in range(2000)]
    for place in range(4):
        assert fmean(each[place] for each in drawn) == pytest.approx(0.5, abs=0.02)


def test_a_range_that_is_hardly_met_is_given_up() -> None:
    with pytest.raises(PlafondError, match=rf"20 tasks .* found no set in {MOST_DRAWS} draws"):
        draw_utilisations(20, Fraction(2), (Fraction(99, 1000), Fraction(101, 1000)), Random(1))


def test_a_set_of_uunifast_does_not_exceed_its_utilisation() -> None:
    study = study_of("uunifast-discard", UUNIFAST)
    for number in range(20):
        drawn = draw_set(study, Fraction(1), stream(study, Fraction(1), number))
        total = utilisation_of(drawn.costs_ns, drawn.intervals_ns)
        assert len(drawn) == 5
        assert 1 - Fraction(5, 10**6) <= total <= 1  # a nanosecond of each interval
        assert drawn.is_implicit
        assert all(10**6 <= each <= 10**9 for each in drawn.intervals_ns)


def test_a_set_depends_on_its_seed_alone() -> None:
    for method, more in (("uunifast-discard", UUNIFAST), ("kramer-2015", "")):
        study, other = study_of(method, more), study_of(method, f"{more}\nseed = 2")
        first, again = (draw_set(study, Fraction(1), stream(study, Fraction(1), 3)) for _ in "ab")
        assert first == again
        assert first != draw_set(other, Fraction(1), stream(other, Fraction(1), 3))


def test_runnables_have_the_shares_of_the_paper() -> None:
    random = Random(1)
    count = 20_000
    drawn = Counter(draw_kind(random) for _ in range(count))
    for kind in KINDS:
        share = kind.percent / sum(each.percent for each in KINDS)
        assert drawn[kind] / count == pytest.approx(share, abs=4 * (share / count) ** 0.5)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.period_ms}ms")
def test_runnables_have_the_times_of_the_paper(kind: object) -> None:
    assert kind in KINDS
    (own,) = (each for each in KINDS if each is kind)
    random = Random(1)
    averages = [own._average_us(random) for _ in range(5000)]
    costs_ns = [own.cost_ns(random) for _ in range(5000)]
    low, high = own.factors

    assert own.least_us <= min(averages) <= max(averages) <= own.most_us
    assert fmean(averages) == pytest.approx(own.average_us, rel=0.05)
    assert round(own.least_us * low * 1000) <= min(costs_ns)
    assert max(costs_ns) <= round(own.most_us * high * 1000)
    assert fmean(costs_ns) == pytest.approx(own.average_us * (low + high) / 2 * 1000, rel=0.1)


@pytest.mark.parametrize("utilisation", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_a_set_of_the_automotive_benchmark_has_a_task_for_each_period(
    utilisation: Fraction,
) -> None:
    periods_ns = {kind.period_ms * 10**6 for kind in KINDS}
    for number in range(10):
        scaled = draw_automotive(utilisation, Last.SCALE, Random(number))
        discarded = draw_automotive(utilisation, Last.DISCARD, Random(number))
        total = utilisation_of(scaled.costs_ns, scaled.intervals_ns)

        assert len(set(scaled.intervals_ns)) == len(scaled) <= len(KINDS)
        assert {*scaled.intervals_ns} <= periods_ns
        assert utilisation - Fraction(1, 10**6) < total <= utilisation
        assert utilisation_of(discarded.costs_ns, discarded.intervals_ns) <= total


@pytest.mark.parametrize(
    ("method", "more", "words"),
    [
        ("uunifast-discard", UUNIFAST, "5.0 tasks a set, drawn by uunifast-discard, seed 1"),
        ("kramer-2015", 'last = "scale"', "drawn by kramer-2015, last runnable: scale, seed 1"),
    ],
)
def test_the_result_names_the_method(method: str, more: str, words: str) -> None:
    report = measure_schedulability(study_of(method, more), jobs=1, checkpoint=None).report

    assert words in " ".join(_condition_lines(report))
    assert report.conditions.notes[0] == DRAWN[Method(method)]
    assert report.model_dump(mode="json")["conditions"]["method"] == method
    # On one CPU EDF takes each set with at most its utilisation.
    assert [row.ratio.value for row in report.acceptance] == [1.0] * 3


def test_without_a_method_tasks_are_drawn_until_the_set_is_full() -> None:
    more = 'task_utilisation = "uniform 0.1 0.3"\ninterval = "uniform 1ms 9ms"'
    given = study_of("until-full", more)
    text = text_of("until-full", more).replace('method = "until-full"\n', "")

    assert loads_study(text) == given
    assert given.method is Method.UNTIL_FULL
    report = measure_schedulability(given, jobs=1, checkpoint=None).report
    assert "last task: discard, seed 1" in " ".join(_condition_lines(report))


@pytest.mark.parametrize(
    ("method", "more", "cpus", "words"),
    [
        ("until-full", "", 1, 'draw.task_utilisation: found nothing; expected "uniform 0.5 0.9"'),
        ("until-full", "tasks = 5", 1, "draw.tasks: found a value; expected none, as it is of"),
        ("uunifast-discard", 'interval = "uniform 1ms 2ms"', 1, "draw.tasks: found nothing"),
        ("uunifast-discard", "tasks = 5", 1, "draw.interval: found nothing"),
        ("uunifast-discard", UUNIFAST.replace("5", "0"), 1, "draw.tasks: found 0"),
        ("kramer-2015", UUNIFAST, 1, "draw.interval: found a value; expected none, as it is of"),
        ("kramer-2015", "", 2, "draw.method: found kramer-2015 with 2 CPUs; expected 1 CPU"),
        ("uunifast", "", 1, 'draw.method: found "uunifast"; expected "until-full" or'),
        (
            *("uunifast-discard", f'{UUNIFAST}\ntask_utilisation = "uniform 0.05 0.19"', 1),
            "found 5 tasks of 0.05 to 0.19; expected a number and a range that allow the "
            "utilisation 1",
        ),
        (
            *("uunifast-discard", f'{UUNIFAST}\ntask_utilisation = "log-uniform 0.01 0.9"', 1),
            'draw.task_utilisation: found "log-uniform"; expected "uniform ..."',
        ),
    ],
)
def test_a_method_with_wrong_keys_is_refused(method: str, more: str, cpus: int, words: str) -> None:
    with pytest.raises(DescriptionError) as failed:
        loads_study(text_of(method, more, cpus))
    assert words in str(failed.value)


def test_exactly_the_least_and_the_most_of_all_tasks_are_allowed() -> None:
    more = f'{UUNIFAST}\ntask_utilisation = "uniform 0.1 0.2"'
    study = study_of("uunifast-discard", more, utilisation="[0.5, 1, 0.5]")
    assert study.tasks == 5
