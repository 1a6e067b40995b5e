# SPDX-License-Identifier: MIT
"""`plafond bench servers`: from the guest's output to the report, and its command line."""

import io
import os
from pathlib import Path
from typing import Any

import pytest
from forked import run_forked
from pydantic import ValidationError
from rich.console import Console

from plafond.describe.server import Sharing
from plafond.servers.model import Counts, Manager, SectionRow, ServersReport, SetRow
from plafond.servers.report import make_report
from plafond.servers.sections import parse_sections
from plafond.servers.sets import cases_of, counts_on_kernel, counts_on_linux, manager_of
from plafond.servers.table import print_report
from plafond.trace.model import Trace

MS = 1_000_000
# Output of the program.
SECTIONS = b"""[
{"resource": "own", "enter": 28, "leave": 29, "pair": 43, "pair_median": 43, "system_calls": 0},
{"resource": "skip", "enter": 199, "leave": 101, "pair": 288, "pair_median": 288, "system_calls": 0}
]
"""


def manager(decisions: int, calls: int, latest_ns: int) -> dict[str, int]:
    return {
        "decisions": decisions,
        "busy_ns": 1000 * decisions,
        "priority_changes": 3,
        "calls": calls,
        "latest_ns": latest_ns,
    }


def task(name: str, lock_calls: int, *events: tuple[int, str]) -> dict[str, Any]:
    return {
        "name": name,
        "arrivals_ns": [0],
        "voluntary_switches": 1,
        "involuntary_switches": 0,
        "minor_faults": 0,
        "major_faults": 0,
        "lock_calls": lock_calls,
        "lost_gaps": 0,
        "events": [(time_ns, kind, 0, None) for time_ns, kind in events],
    }


@pytest.fixture(name="trace")
def a_trace() -> Trace:
    """Return a trace of two servers. One overruns and pays back. The other is kept out and
    waits."""
    return Trace.model_validate(
        {
            "version": 1,
            "protocol": "plafond",
            "cut": None,
            "kernel": "6.12",
            "priority_limit_us": (-1, 1_000_000),
            "backend": "user",
            "cpus": [],
            "resources": ["R"],
            "tasks": [
                task("t1", 5, (0, "start"), (1, "request"), (2, "await"), (10 * MS, "afford")),
                task(
                    "t2",
                    2,
                    *((2 * MS, "start"), (3 * MS, "request"), (3 * MS, "grant")),
                    *((5 * MS, "unlock"), (16 * MS, "end")),
                ),
            ],
            "servers": [
                {
                    "name": "s1",
                    "manager": manager(9, 0, 700),
                    "events": [
                        *((0, "replenish"), (0, "get"), (2 * MS, "lose")),
                        *((4 * MS, "keep-out"), (5 * MS, "get")),
                    ],
                },
                {
                    "name": "s2",
                    "manager": manager(8, 1, 900),
                    "events": [
                        *((0, "replenish"), (2 * MS, "get"), (4 * MS, "overrun")),
                        *((5 * MS, "deplete"), (5 * MS, "lose")),
                        *((8 * MS, "replenish"), (8 * MS, "payback")),
                    ],
                },
            ],
            "lock_calls_not_counted": None,
            "spare_cpu_time_ns": None,
        }
    )


def test_what_happened_in_a_run_is_counted(trace: Trace) -> None:
    expected = Counts(
        locks=2, scheduler=1, failed_tests=1, overruns=1, paybacks=1, kept_out=1, calls=7
    )
    assert counts_on_linux(trace) == expected
    assert expected.other_calls == 5


def test_on_the_kernel_an_unlock_calls_at_the_instant_of_what_it_ends(trace: Trace) -> None:
    """The unlock that ends an overrun also lets the other server in, so there is one call.

    Without a manager, only the instants show it.
    """
    trace.servers[1].manager = None
    assert counts_on_kernel(trace).scheduler == 1


def test_the_manager_is_counted_from_when_the_last_server_began(trace: Trace) -> None:
    assert manager_of(trace) == Manager(
        periods=3,
        decisions=8,
        busy_ns=8000,
        run_ns=16 * MS,
        priority_changes=3,
        latest_ns=900,
    )


def test_the_output_of_the_program_is_read() -> None:
    own, skip = parse_sections(SECTIONS)
    assert (own.resource, own.pair, own.system_calls) == ("own", 43, 0)
    assert (skip.enter, skip.leave) == (199, 101)
    with pytest.raises(ValidationError, match="pair_median"):
        parse_sections(SECTIONS.replace(b'"pair_median": 43, ', b""))


def test_each_set_comes_under_each_policy() -> None:
    cases = cases_of([0, 7])
    assert [case.seed for case in cases] == [0, 0, 0, 7, 7, 7]
    assert {case.policy for case in cases[:3]} == set(Sharing)


# ---- The report ----------------------------------------------------------------------------------


def counts(scheduler: int, locks: int = 100) -> Counts:
    return Counts(
        locks=locks,
        scheduler=scheduler,
        failed_tests=0,
        overruns=scheduler,
        paybacks=0,
        kept_out=0,
        calls=300,
    )


def set_rows(
    scheduler: dict[Sharing, int], locks_on_kernel: int = 100, busy_ns: int = 2 * MS
) -> list[SetRow]:
    return [
        SetRow(
            number=1,
            policy=policy,
            paper_locks=None if policy is Sharing.OVERRUN else 306,
            paper_scheduler=None if policy is Sharing.OVERRUN else 8,
            linux=counts(calls),
            kernel=counts(calls, locks_on_kernel),
            manager=Manager(
                periods=250,
                decisions=400,
                busy_ns=busy_ns,
                run_ns=100 * MS,
                priority_changes=200,
                latest_ns=12_500,
            ),
        )
        for policy, calls in scheduler.items()
    ]


AS_IN_THE_PAPER = {Sharing.SKIP: 1, Sharing.OVERRUN_PAYBACK: 4, Sharing.OVERRUN: 5}


def report(
    rows: list[SetRow] | None = None, sections: list[SectionRow] | None = None
) -> ServersReport:
    return make_report(
        rows or set_rows(AS_IN_THE_PAPER), sections or parse_sections(SECTIONS), "6.12-rt"
    )


def test_all_figures_are_reached_where_all_is_as_it_should_be() -> None:
    assert [target.reached for target in report().targets] == [True] * 4


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (0, report(set_rows(AS_IN_THE_PAPER | {Sharing.SKIP: 4}))),
        (1, report(sections=[parse_sections(SECTIONS)[0].model_copy(update={"system_calls": 1})])),
        (2, report(set_rows(AS_IN_THE_PAPER, locks_on_kernel=98))),
        (3, report(set_rows(AS_IN_THE_PAPER, busy_ns=6 * MS))),
    ],
    ids=["skipping calls", "system calls", "other sections", "manager"],
)
def test_a_figure_is_missed_where_that_is_wrong(place: int, wrong: ServersReport) -> None:
    assert [target.reached for target in wrong.targets] == [each != place for each in range(4)]


def test_the_tables_have_the_paper_both_kernels_and_the_means() -> None:
    output = io.StringIO()
    print_report(report(), Console(file=output, width=112))
    lines = [line.split() for line in output.getvalue().splitlines()]
    calls = lines.index(next(line for line in lines if line[:3] == ["Asberg", "2010,", "Table"]))
    assert lines[calls + 3 : calls + 9] == [
        ["1", "skip", "306", "100", "100", "8", "1", "1"],
        ["overrun-payback", "306", "100", "100", "8", "4", "4"],
        ["overrun", "100", "100", "5", "5"],
        ["mean", "skip", "306", "100", "100", "8", "1", "1"],
        ["overrun-payback", "306", "100", "100", "8", "4", "4"],
        ["overrun", "100", "100", "5", "5"],
    ]
    manager = ["250", "400", "1.6", "2000", "5", "8", "2", "200", "12.5"]
    assert ["1", "skip", *manager] in lines
    assert ["skip", "199", "101", "288", "0"] in lines


# ---- The command ---------------------------------------------------------------------------------


def test_help_has_examples() -> None:
    result = run_forked("bench", "servers", "--help")
    assert result.returncode == 0
    assert "plafond bench servers --format json" in result.stdout


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    program = tmp_path / "build/bench/sharing"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    fakes = {"PATH": str(tmp_path), "PLAFOND_BUILD": str(tmp_path / "build")}
    result = run_forked("bench", "servers", environment={**os.environ, **fakes})
    assert result.returncode == 2
    assert "qemu-system-x86_64 is missing: apt install qemu-system-x86" in result.stderr
    assert result.stderr.count("\n") == 1
