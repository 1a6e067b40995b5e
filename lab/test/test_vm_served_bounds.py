# SPDX-License-Identifier: MIT
"""Servers in the virtual machine have a verdict, because their bounds contain their costs."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from descriptions import described
from run_options import OPTIONS

from plafond.run.execution import execute
from plafond.run.model import Execution
from plafond.run.server_costs import servers_in_guest
from plafond.trace.verdicts import Verdict
from plafond.units import UNIT_NS
from plafond.vm.guest import Guest

pytestmark = pytest.mark.guest

# Servers use the whole CPU, in phase. Sections are suspended with their server, tasks sleep, and
# jobs arrive with and without the CPU.
HARD = """
[server.quick]
kind = "idling"
priority = 20
period = "10ms"
budget = "4ms"

[server.slow]
kind = "idling"
priority = 10
period = "20ms"
budget = "12ms"

[task.often]
server = "quick"
priority = 2
arrival = "periodic 20ms"
offset = "1ms"
activations = 9
body = ["run 500us", "lock state", "run 1ms", "unlock state"]

[task.long]
server = "quick"
priority = 1
arrival = "periodic 45ms"
offset = "3900us"
activations = 4
body = ["run 1ms", "lock state", "run 3ms", "unlock state", "run 500us"]

[task.part]
server = "slow"
priority = 3
arrival = "periodic 33ms"
offset = "3ms"
activations = 5
body = ["run 2ms", "sleep 1ms", "run 2ms"]

[task.rest]
server = "slow"
priority = 1
arrival = "periodic 60ms"
offset = "5ms"
activations = 3
body = ["run 12ms"]

[resource.state]
"""
MS = UNIT_NS["ms"]
# A decision takes some microseconds. More than this would be a manager with other work, too.
MOST_NS = 100_000


@cache
def executed(folder: Path) -> Execution:
    options = replace(OPTIONS, out=folder, overheads=True, guest=Guest())
    run, failure = execute(described(folder, HARD), options)
    assert failure is None
    return run


@pytest.fixture(name="run")
def hard_run(tmp_path_factory: pytest.TempPathFactory) -> Execution:
    return executed(tmp_path_factory.getbasetemp())


def test_each_task_has_a_verdict_and_keeps_its_bound(run: Execution) -> None:
    assert [row.verdict for row in run.report.rows] == [Verdict.KEPT] * 4
    assert all(0.2 < (row.ratio or 0) <= 1 for row in run.report.rows)


def test_bounds_with_overheads_are_above_those_of_the_theory(run: Execution) -> None:
    """Even if budgets are used completely in theory, a bound grows by less than a period."""
    for row in run.report.rows:
        added_ns = (row.response_bound_with_overheads_ns or 0) - (row.response_bound_ns or 0)
        assert 0 < added_ns < 10 * MS


def test_what_a_decision_takes_contains_how_late_the_manager_was(run: Execution) -> None:
    costs = servers_in_guest(run.system, Guest())
    managers = [server.manager for server in run.traces["plafond"].servers]
    latest_ns = max(manager.latest_ns for manager in managers if manager)
    assert 0 < latest_ns < costs.decision_ns < MOST_NS
    assert 0 < costs.pass_ns < MOST_NS
