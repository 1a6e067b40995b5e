# SPDX-License-Identifier: MIT
"""A set of OSPERT 2010, 5, Table I, and a section without contention, in the virtual machine."""

import os
from pathlib import Path

import pytest
from stirred import stirred_emulator

from plafond.bench.kernel.asberg import COMPARED, set_arrivals, set_system
from plafond.describe.server import Sharing
from plafond.describe.system import Lock
from plafond.servers.model import SectionRow
from plafond.servers.sections import measure_sections
from plafond.servers.sets import LONGER, cases_of, counts_on_linux, manager_of, run_on_linux
from plafond.trace.activations import activations
from plafond.trace.model import ServerEventKind, Trace
from plafond.trace.served import beyond_spans

pytestmark = pytest.mark.guest

# The case with the most failed tests of its sections. None of its sections keeps a server out.
CASES = [case for case in cases_of([5]) if case.policy in COMPARED]


@pytest.fixture(name="runs", scope="module")
def runs_of_a_set() -> dict[Sharing, Trace]:
    traces = run_on_linux(CASES)
    return {case.policy: trace for case, trace in zip(CASES, traces, strict=True)}


def planned_sections(folder: Path) -> int:
    system = set_system(*CASES[0], folder)
    arrivals = set_arrivals(system)
    return sum(
        len(arrivals[task.name]) * sum(isinstance(step, Lock) for step in task.body)
        for task in system.tasks
    )


def test_all_sections_are_entered_and_left_whatever_the_policy(
    runs: dict[Sharing, Trace], tmp_path: Path
) -> None:
    locks = [counts_on_linux(trace).locks for trace in runs.values()]
    assert locks == [2 * planned_sections(tmp_path)] * 2


def test_under_skip_no_section_overruns_and_no_unlock_calls(runs: dict[Sharing, Trace]) -> None:
    found = counts_on_linux(runs[Sharing.SKIP])
    assert (found.overruns, found.paybacks, found.kept_out, found.scheduler) == (0, 0, 0, 0)
    assert found.failed_tests >= 8
    served = [each for task in runs[Sharing.SKIP].tasks for each in activations(task)]
    waits = [wait for each in served for wait in each.budget_waits]
    assert len(waits) == found.failed_tests
    assert all(begin < end for begin, end in waits)


def test_under_overrun_no_test_fails_and_each_overrun_has_a_call_and_is_paid_back(
    runs: dict[Sharing, Trace],
) -> None:
    """An overrun that X ended counts, too: the suspended section calls at its end."""
    found = counts_on_linux(runs[Sharing.OVERRUN_PAYBACK])
    assert (found.failed_tests, found.kept_out) == (0, 0)
    assert found.overruns >= 8
    assert found.scheduler == found.overruns
    for server in runs[Sharing.OVERRUN_PAYBACK].servers:
        kinds = [event.kind for event in server.events]
        assert kinds.count(ServerEventKind.PAYBACK) == kinds.count(ServerEventKind.OVERRUN)


def test_no_overrun_is_longer_than_x(runs: dict[Sharing, Trace], tmp_path: Path) -> None:
    trace = runs[Sharing.OVERRUN_PAYBACK]
    system = set_system(5, Sharing.OVERRUN_PAYBACK, tmp_path)
    holds_ns = {server.name: (server.hold_ns or 0) * LONGER for server in system.servers}
    for server in trace.servers:
        for begin, end in beyond_spans(server, manager_of(trace).run_ns):
            assert 0 < end - begin <= holds_ns[server.name] + 1, server.name


def test_the_manager_decides_once_for_each_instant(runs: dict[Sharing, Trace]) -> None:
    for trace in runs.values():
        instants = {event.time_ns for server in trace.servers for event in server.events}
        manager = manager_of(trace)
        assert len(instants) * 0.99 < manager.decisions <= len(instants) + 1
        assert manager.periods > 200


def test_the_same_again_whatever_the_host_does(
    runs: dict[Sharing, Trace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in stirred_emulator(tmp_path).items():
        monkeypatch.setitem(os.environ, name, value)
    assert run_on_linux(CASES) == [runs[case.policy] for case in CASES]


@pytest.fixture(name="sections", scope="module")
def sections_by_resource() -> dict[str, SectionRow]:
    rows, _ = measure_sections()
    return {row.resource: row for row in rows}


def test_a_section_without_contention_has_no_system_call(sections: dict[str, SectionRow]) -> None:
    assert sections.keys() == {"own", *Sharing}
    assert [row.system_calls for row in sections.values()] == [0] * 4


def test_skipping_reads_the_clock_and_overrun_does_not(sections: dict[str, SectionRow]) -> None:
    assert all(row.pair == row.pair_median for row in sections.values())
    assert sections["own"].pair < sections[Sharing.OVERRUN].pair < sections[Sharing.SKIP].pair
    overrun, payback = (sections[each] for each in (Sharing.OVERRUN, Sharing.OVERRUN_PAYBACK))
    assert overrun == payback.model_copy(update={"resource": Sharing.OVERRUN})
