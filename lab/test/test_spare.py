# SPDX-License-Identifier: MIT
"""`--spare-cpu`: the papers' statistics, and tests that claim no more than they can show."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from report_fakes import simulate
from rich.console import Console
from run_options import OPTIONS
from scipy import stats

from plafond.describe import System, load
from plafond.run.arrivals import draw_arrivals
from plafond.run.job import Job, Outcome
from plafond.run.options import Options
from plafond.run.plan import SpareTask
from plafond.run.spare import experiment
from plafond.run.spare.account import Account, Events, account_of, can_account, events_of
from plafond.run.spare.model import SpareReport, SpareRow
from plafond.run.spare.paper import EXPERIMENTS, WITH_FAST_PATH, WITHOUT_FAST_PATH
from plafond.run.spare.report import judgements, row_of
from plafond.run.spare.statistics import POWER, SIGNIFICANCE, Verdict, paired, unpaired
from plafond.run.spare.table import print_spare

MS = 1_000_000
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("paper", EXPERIMENTS.values(), ids=lambda paper: paper.paper)
def test_the_papers_t_follows_from_their_averages_and_variances(paper: object) -> None:
    assert isinstance(paper, type(WITHOUT_FAST_PATH))
    test = paper.test()
    assert f"{test.t:.2f}" == f"{paper.t:.2f}"
    by_scipy = stats.ttest_ind_from_stats(
        *(paper.averages[1], paper.deviations[1], paper.count),
        *(paper.averages[0], paper.deviations[0], paper.count),
    )
    assert (test.t, test.p) == pytest.approx((by_scipy.statistic, by_scipy.pvalue))


@pytest.mark.parametrize("paper", EXPERIMENTS.values(), ids=lambda paper: paper.paper)
def test_the_papers_degrees_of_freedom_are_misprints_without_consequence(paper: object) -> None:
    assert isinstance(paper, type(WITHOUT_FAST_PATH))
    assert paper.test().degrees_of_freedom == 2 * paper.count - 2 != paper.degrees_of_freedom
    as_printed = 2 * stats.t.sf(abs(paper.t), paper.degrees_of_freedom)
    assert (as_printed < SIGNIFICANCE) == paper.test().is_significant


def test_the_papers_effect_is_less_than_a_hundredth() -> None:
    assert f"{WITHOUT_FAST_PATH.effect:.2%}" == "-0.87%"


def test_both_tests_are_students() -> None:
    draw = np.random.default_rng(1)
    first, second = draw.normal(100, 9, 12), draw.normal(103, 9, 12)
    for ours, theirs in (
        (unpaired(list(first), list(second)), stats.ttest_ind(second, first)),
        (paired(list(first), list(second)), stats.ttest_rel(second, first)),
    ):
        assert ours.degrees_of_freedom == theirs.df
        assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))


@pytest.mark.parametrize("count", [4, 40])
def test_the_smallest_effect_is_shown_as_often_as_said(count: int) -> None:
    draw = np.random.default_rng(1)
    drawn = 4000
    effect = Verdict(0, 5 / count**0.5, count - 1).smallest_effect
    differences = draw.normal(effect, 5, (drawn, count))
    found = stats.ttest_1samp(differences, 0, axis=1).pvalue < SIGNIFICANCE
    # Four standard deviations of the mean of these draws.
    assert np.mean(found) == pytest.approx(POWER, abs=4 * (POWER * (1 - POWER) / drawn) ** 0.5)


def test_what_never_varies_differs_or_does_not() -> None:
    assert paired([1, 2], [3, 4]).is_significant
    assert not paired([1, 2], [1, 2]).is_significant
    assert paired([1, 2], [3, 4]).smallest_effect == 0


def accounts(left: Iterable[float]) -> list[Account]:
    return [Account(int(each), 0, 0) for each in left]


@pytest.mark.parametrize(
    ("deviation", "effect", "shift", "verdict"),
    [
        (1000, 10, 0, "shows nothing: blind to the paper's"),
        (1, 10, 0, "none as large as the paper's"),
        (1, 10, 20, "they differ"),
        (1000, None, 0, "none shown; smaller ones it cannot see"),
    ],
)
def test_a_verdict_says_no_more_than_the_power_allows(
    deviation: float, effect: float | None, shift: float, verdict: str
) -> None:
    draw = np.random.default_rng(1)
    arrivals = draw.normal(10_000, 5000, 40)  # common to both runs of a pair
    second = arrivals + draw.normal(shift, deviation, 40)
    rows = [
        row_of("rt-mutex", accounts(arrivals), False),
        row_of("immpc", accounts(second), False),
    ]
    in_pairs = {test.test: test for test in judgements(rows, effect)}["left, in pairs"]
    assert in_pairs.verdict == verdict


def test_overhead_is_compared_in_pairs_where_what_is_left_hides_it() -> None:
    draw = np.random.default_rng(1)
    skipped = draw.normal(0, 2 * MS, 40)  # work that a run of the pair did not get
    overhead = draw.normal(3 * MS, MS, 40)  # for the arrivals of the pair

    def row(name: str, more_ns: float, less_work: Iterable[float]) -> SpareRow:
        return row_of(
            name,
            [
                Account(int(100 * MS - worked - own - more_ns), int(worked), int(own + more_ns))
                for own, worked in zip(overhead, less_work, strict=True)
            ],
            True,
        )

    rows = [row("rt-mutex", 0, -skipped), row("immpc-eager", 0.1 * MS, skipped)]
    tests = {test.test: test for test in judgements(rows, 0.1 * MS)}
    assert tests["left, in pairs"].verdict == "shows nothing: blind to the paper's"
    assert tests["overhead, in pairs"].verdict == "they differ"
    assert tests["overhead, in pairs"].difference_ns == pytest.approx(0.1 * MS, rel=1e-3)


def scaled_example() -> System:
    return load(EXAMPLES / "carminati-2012-table-5.toml").scaled(Fraction(1, 10))


def test_the_account_counts_what_arrived_before_the_measuring_task_saw_its_end() -> None:
    system = scaled_example()
    arrivals = {task.name: [0] for task in system.tasks}
    arrivals["T0"] = [0, 20 * MS, 30 * MS]
    trace = simulate(system, "protect", arrivals, wake_up_ns=(0, 0))
    # T0 to T6 at once: 1.7 ms each, and twice that for T1 to T3. T0 comes again at 20 and 30 ms.
    once = 1_700_000 * (4 + 2 * 3)
    trace = trace.model_copy(update={"spare_cpu_time_ns": 2_000_000})
    for duration_ns, end_ns, worked_ns in (
        (18 * MS, 18 * MS, once),
        (once - 1, once, once),  # in the middle of the last task, so it sees its end after that
        (20 * MS + 1, 21_700_000, once + 1_700_000),
    ):
        account = account_of(system, trace, SpareTask(1, 0, duration_ns))
        assert account == Account(2_000_000, worked_ns, end_ns - worked_ns - 2_000_000)


def test_what_sleeps_or_has_two_processors_has_no_account() -> None:
    system = scaled_example()
    assert can_account(system)
    assert not can_account(replace(system, cpus=2))


def test_waits_for_a_lock_show_as_context_switches() -> None:
    system = scaled_example()
    arrivals = {task.name: [0] for task in system.tasks}
    arrivals["T0"] = [20 * MS]
    arrivals["T1"] = [19 * MS]  # T0 comes in its section
    locks = 4 + 2 * 3
    found = {
        protocol: events_of(simulate(system, protocol, arrivals, wake_up_ns=(0, 0)))
        for protocol in ("inherit", "protect")
    }
    # Each task starts once.
    assert found == {"inherit": Events(locks, 7 + 1), "protect": Events(locks, 7)}


def options(out: Path) -> Options:
    return replace(
        OPTIONS,
        protocols=["rt-mutex", "immpc-eager"],
        scale=Fraction(1, 10),
        activations=4,
        seed=7,
        out=out,
    )


def compared(
    monkeypatch: pytest.MonkeyPatch, out: Path, left_ns: Sequence[int]
) -> tuple[SpareReport, list[Job]]:
    """Compare runs with made-up times left to the measuring task, in the given order."""
    ran: list[Job] = []
    system = scaled_example()
    trace = simulate(system, "protect", draw_arrivals(system, 1))

    def run(jobs: Iterable[Job], _: Options) -> Iterator[Outcome]:
        for job, time_ns in zip(jobs, left_ns, strict=True):
            ran.append(job)
            yield Outcome(trace.model_copy(update={"spare_cpu_time_ns": time_ns}), None)

    monkeypatch.setattr(experiment, "run_jobs", run)
    system = load(EXAMPLES / "carminati-2012-table-5.toml")
    report, interrupted = experiment.compare_spare(system, options(out), len(left_ns) // 2)
    assert interrupted is None
    return report, ran


def test_both_runs_of_a_pair_have_the_same_arrivals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    report, ran = compared(monkeypatch, tmp_path, [100, 200, 300, 400])
    plans = [job.plan.splitlines() for job in ran]
    arrivals = [[line for line in plan if line.startswith("arrivals")] for plan in plans]
    assert arrivals[0] == arrivals[1] != arrivals[2] == arrivals[3]
    assert [plan[1] for plan in plans] == [
        f"protocol {name}" for name in ("immpc-eager", "rt-mutex", "rt-mutex", "immpc-eager")
    ]
    assert report.rows[0].left.samples_ns == [200, 300]
    assert report.rows[1].left.samples_ns == [100, 400]
    times = [int(time) for plan in arrivals for line in plan for time in line.split()[1:]]
    assert max(times) < report.duration_ns


def test_a_blind_experiment_prints_that_it_shows_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    report, _ = compared(monkeypatch, tmp_path, [100 * MS, 140 * MS, 110 * MS, 90 * MS])
    text = io.StringIO()
    print_spare(report, Console(file=text, width=112))
    printed = text.getvalue()
    assert "…" not in printed
    assert printed.count("shows nothing: blind to the paper's") == 3
    assert printed.index("The smallest difference") < printed.index("Do the averages differ?")
    assert "In a run, on average" in printed
    assert "t = -12.51" in printed
    assert "408,605,162" in printed
    assert "0.87% of what is left" in printed


def test_what_no_paper_measured_has_no_paper_beside_it() -> None:
    assert ("Carminati 2012, Table V", "inherit", "plafond") not in EXPERIMENTS
    assert EXPERIMENTS["Carminati 2012, Table V", "rt-mutex", "immpc"] is WITH_FAST_PATH
