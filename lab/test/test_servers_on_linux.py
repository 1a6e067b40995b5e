# SPDX-License-Identifier: MIT
"""Servers on Linux: the supported kinds, their priorities, and refusals. Nothing runs here."""

from pathlib import Path

import pytest
from descriptions import described
from refusal import refusal

from plafond.describe.linux import needs_kernel, server_priorities
from plafond.run.arrivals import draw_arrivals
from plafond.run.conditions import disturbances
from plafond.run.plan import limit_ns, plan_text
from plafond.run.targets import protocols_on
from plafond.trace.model import parse_trace

TEXT = """
cpus = 2
[server.quick]
kind = "idling"
priority = 20
period = "10ms"
budget = "4ms"
[server.slow]
kind = "idling"
priority = 10
period = "20ms"
budget = "10ms"
[server.other]
kind = "idling"
cpu = 1
priority = 5
period = "20ms"
budget = "5ms"
[task.first]
server = "quick"
priority = 2
arrival = "periodic 20ms"
activations = 1
body = ["lock R", "run 1ms", "unlock R"]
[task.second]
server = "quick"
priority = 1
arrival = "periodic 20ms"
activations = 1
body = ["lock R", "run 1ms", "unlock R"]
[task.third]
server = "slow"
priority = 7
arrival = "periodic 100ms"
activations = 1
body = ["run 10ms"]
[task.fourth]
server = "other"
cpu = 1
priority = 1
arrival = "periodic 20ms"
activations = 1
body = ["run 4ms"]
[resource.R]
"""
DEFERRABLE = TEXT.replace('kind = "idling"\npriority = 10', 'kind = "deferrable"\npriority = 10')
SHARED = TEXT.replace('body = ["run 10ms"]', 'body = ["lock R", "run 1ms", "unlock R"]').replace(
    'budget = "4ms"', 'budget = "4ms"\nglobal = "overrun"'
)
SHARED = SHARED.replace('budget = "10ms"', 'budget = "10ms"\nglobal = "skip"')


def test_bands_lie_one_above_the_other(tmp_path: Path) -> None:
    """Each band begins above all tasks of the less urgent server on its CPU."""
    system = described(tmp_path, TEXT)
    assert needs_kernel(system) is None
    assert server_priorities(system) == {"slow": 1, "quick": 9, "other": 1}


def test_the_plan_has_servers_before_the_tasks_in_them(tmp_path: Path) -> None:
    system = described(tmp_path, TEXT)
    lines = plan_text(system, "plafond", draw_arrivals(system, 1)).splitlines()
    assert lines[3:7] == [
        "resource R 2",
        "server quick 9 0 10000000 4000000",
        "server slow 1 0 20000000 10000000",
        "server other 1 1 20000000 5000000",
    ]
    assert [line for line in lines if line.startswith("task")] == [
        "task third 7 0 queue slow",
        "task first 2 0 queue quick",
        "task second 1 0 queue quick",
        "task fourth 1 1 queue other",
    ]


def test_the_limit_has_room_for_a_server_that_is_nearly_used_up(tmp_path: Path) -> None:
    """The tasks of `other` need 20 % of the CPU, and the server has 25 %."""
    system = described(tmp_path, TEXT)
    arrivals = {"first": [100], "second": [0], "third": [0], "fourth": [0]}
    assert limit_ns(system, arrivals) == int(100 * 2.8) + 5_000_000_000


def test_the_plan_says_what_servers_share(tmp_path: Path) -> None:
    """The plan has each server's longest section, and the ceiling in it: of all tasks, or of the
    users."""
    text = SHARED.replace("[resource.R]", "[resource.R]\nceiling = 9")
    system = described(tmp_path, text)
    assert needs_kernel(system) is None
    lines = plan_text(system, "plafond", draw_arrivals(system, 1)).splitlines()
    assert lines[3:9] == [
        "resource R 9",
        "server quick 9 0 10000000 4000000 overrun 1000000",
        "server slow 1 0 20000000 10000000 skip 1000000",
        "server other 1 1 20000000 5000000",
        "share R quick 2",
        "share R slow 9",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (DEFERRABLE, 'server.slow.kind = "deferrable"'),
        (
            TEXT.replace("priority = 7", "priority = 47"),
            "server.quick with priorities up to 2, above those of the less urgent servers",
        ),
    ],
)
def test_what_only_the_kernel_has_is_refused(tmp_path: Path, text: str, found: str) -> None:
    assert (needs_kernel(described(tmp_path, text)) or "").startswith(found)
    for target in ("linux", "vm"):
        out = tmp_path / "out"
        printed = refusal(["run", str(tmp_path / "some.toml"), "--on", target, "--out", str(out)])
        assert "which only Plafond's own kernel has; expected --on sim" in printed
        assert not out.exists()


def test_the_only_protocol_is_plafond(tmp_path: Path) -> None:
    system = described(tmp_path, TEXT)
    assert protocols_on("vm", system, None) == ["plafond"]
    printed = refusal(
        ["run", str(tmp_path / "some.toml"), "--protocol", "inherit", "--out", str(tmp_path / "o")]
    )
    assert "expected some of plafond (inherit needs no servers)" in printed


TRACE = b"""{"version": 2, "protocol": "plafond", "cut": null, "kernel": "6.12",
"priority_limit_us": [-1, 1000000], "backend": "user", "cpus": [], "resources": [],
"tasks": [{"name": "fourth", "arrivals_ns": [0], "voluntary_switches": 0,
  "involuntary_switches": 0, "minor_faults": 0, "major_faults": 0, "lock_calls": 0, "lost_gaps": 0,
  "events": [[0, "start", 0, null], [1000000, "end", 0, null]]}],
"servers": [
  {"name": "quick", "manager": {"decisions": 4, "busy_ns": 20000, "priority_changes": 3,
   "latest_ns": 900}, "events": [[0, "replenish"]]},
  {"name": "slow", "manager": {"decisions": 4, "busy_ns": 20000, "priority_changes": 3,
   "latest_ns": 1200}, "events": []},
  {"name": "other", "manager": null, "events": []}],
"lock_calls_not_counted": null, "spare_cpu_time_ns": null}"""


def test_what_the_manager_of_a_cpu_takes_is_said_once(tmp_path: Path) -> None:
    system = described(tmp_path, TEXT)
    said = list(disturbances(system, {"plafond": parse_trace(TRACE, "a trace")}))
    assert said == [
        "plafond: the manager of the servers on CPU 0 decided 4 times, for 5us on average and "
        "2.00% of the run, late by 1.2us at most; 3 priorities were changed"
    ]


def test_where_servers_share_the_calls_of_all_of_them_are_said(tmp_path: Path) -> None:
    called = TRACE.replace(b'"latest_ns": 900', b'"latest_ns": 900, "calls": 2')
    called = called.replace(b'"latest_ns": 1200', b'"latest_ns": 1200, "calls": 3')
    said = list(disturbances(described(tmp_path, SHARED), {"plafond": parse_trace(called, "it")}))
    assert len(said) == 1
    assert said[0].endswith("; 3 priorities were changed; ends of sections called it 5 times")
