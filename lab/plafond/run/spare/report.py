# SPDX-License-Identifier: MIT
"""Build the report from the accounts of the pairs."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from plafond.run.spare.account import Account, Events
from plafond.run.spare.model import Occurrences, Paper, SpareRow, TTest, spread
from plafond.run.spare.paper import EXPERIMENTS, Experiment
from plafond.run.spare.statistics import Verdict, paired, unpaired

Accounts = Mapping[str, Sequence[Account]]  # by protocol; the index is the number of the pair
DIFFER = "they differ"


def row_of(protocol: str, accounts: Sequence[Account], is_whole: bool) -> SpareRow:
    """Summarise a protocol; `is_whole`: all processor time can be accounted for."""
    return SpareRow(
        protocol=protocol,
        left=spread([account.left_ns for account in accounts]),
        worked=spread([account.worked_ns for account in accounts]) if is_whole else None,
        overhead=spread([account.overhead_ns for account in accounts]) if is_whole else None,
    )


def occurrences_of(protocol: str, events: Sequence[Events]) -> Occurrences:
    """Average over the runs under a protocol."""
    return Occurrences(
        protocol=protocol,
        locks=fmean(each.locks for each in events),
        switches=fmean(each.switches for each in events),
    )


def paper_of(name: str, protocols: Sequence[str]) -> Experiment | None:
    """Return the paper's experiment that a description and its two protocols repeat, or None."""
    first, second = protocols
    return EXPERIMENTS.get((name, first, second))


def paper_row(experiment: Experiment) -> Paper:
    """Return the paper's figures for the report."""
    return Paper(
        name=experiment.paper,
        pairs=experiment.count,
        averages=experiment.averages,
        deviations=experiment.deviations,
        t=experiment.t,
        effect=experiment.effect,
    )


def judgements(rows: Sequence[SpareRow], effect_ns: float | None) -> Iterator[TTest]:
    """Test the two rows; `effect_ns`: the difference that the experiment looks for."""
    first, second = rows
    left = first.left.samples_ns, second.left.samples_ns
    yield _test("left, two samples (the papers')", unpaired(*left), effect_ns)
    yield _test("left, in pairs", paired(*left), effect_ns)
    if first.overhead and second.overhead:
        overhead = first.overhead.samples_ns, second.overhead.samples_ns
        yield _test("overhead, in pairs", paired(*overhead), effect_ns)


def _test(name: str, test: Verdict, effect_ns: float | None) -> TTest:
    return TTest(
        test=name,
        difference_ns=test.difference,
        smallest_effect_ns=test.smallest_effect,
        t=test.t,
        degrees_of_freedom=test.degrees_of_freedom,
        p=test.p,
        verdict=_verdict(test, effect_ns),
    )


def _verdict(test: Verdict, effect_ns: float | None) -> str:
    """Return a verdict within the power: a test that is blind to the effect shows nothing."""
    if test.is_significant:
        return DIFFER
    if effect_ns is None:
        return "none shown; smaller ones it cannot see"
    if test.smallest_effect > effect_ns:
        return "shows nothing: blind to the paper's"
    return "none as large as the paper's"
