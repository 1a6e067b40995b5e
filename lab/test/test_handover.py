# SPDX-License-Identifier: MIT
"""The section length from which a sleeping waiter costs less than a spinning waiter."""

from conftest import SECTIONS_NS

from plafond.bench.handover import spin_limits
from plafond.bench.locks import make_report
from plafond.bench.model import HandoverRow
from plafond.bench.samples import Output


def test_a_hand_over_is_reported_without_the_section(output: Output) -> None:
    rows = make_report(output, 3, quick=False).handover
    times = {(row.lock, row.section_ns): row.ns_median for row in rows}

    assert len(rows) == 5 * len(SECTIONS_NS)
    assert times["plafond-global", 5000] == 4000
    assert times["plafond-global-spin", 5000] == 5500


def test_sleeping_wins_from_the_first_section_that_is_longer_than_its_price(
    output: Output,
) -> None:
    limits = {
        (row.spinning, row.sleeping): row.section_ns
        for row in make_report(output, 3, quick=False).spin_limits
    }

    assert limits["plafond-global-spin", "plafond-global"] == 5000
    assert limits["ticket-spinlock", "plafond-global"] == 1000
    assert limits["plafond-global-spin", "none"] is None
    assert limits["plafond-global-spin", "inherit"] == 20000


def row(lock: str, section_ns: int, processor_ns: float) -> HandoverRow:
    return HandoverRow(
        lock=lock,
        section_ns=section_ns,
        ns_median=1,
        ns_min=1,
        ns_max=1,
        processor_ns=processor_ns,
        system_calls=None,
        context_switches=0,
    )


def test_one_cheap_length_below_a_dear_one_is_no_limit() -> None:
    spinning = [
        row(lock, ns, 100)
        for lock in ("plafond-global-spin", "ticket-spinlock")
        for ns in (1, 2, 3)
    ]
    asleep = [
        row(lock, ns, cost)
        for lock in ("plafond-global", "none", "inherit")
        for ns, cost in ((1, 90.0), (2, 110.0), (3, 90.0))
    ]

    assert {limit.section_ns for limit in spin_limits(spinning + asleep)} == {3}


def test_one_cpu_has_no_hand_over(output: Output) -> None:
    kept = [run for run in output.benchmarks if not run.name.startswith("handover")]
    report = make_report(output.model_copy(update={"benchmarks": kept}), 3, quick=False)

    assert report.handover == []
    assert report.spin_limits == []
