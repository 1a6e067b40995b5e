# SPDX-License-Identifier: MIT
"""The output of an image becomes a trace: recorded lines of real runs, and broken lines."""

import re
from pathlib import Path

import pytest
from report_fakes import system_of

from plafond.board.console import parse_console
from plafond.board.recording import Recording
from plafond.board.status import STATUS_NAMES
from plafond.board.trace import trace_of
from plafond.errors import PlafondError
from plafond.trace.activations import activations
from plafond.trace.model import TaskTrace, Trace, parse_trace

ROOT = Path(__file__).parents[2]

TWO = """
[task.high]
priority = 2
arrival = "periodic 10us"
offset = "3us"
activations = 2
body = ["run 1us"]
[task.low]
priority = 1
arrival = "periodic 5us"
offset = "1us"
pending = "skip"
body = ["lock R", "run 4us", "unlock R", "run 1us"]
[resource.R]
"""

# On the simulated processor, `low` is preempted at 3, ends at 7 and begins again at once.
PREEMPTED = """\
what the application wrote
plafond-trace 2
zero 0
event 1000 arrival low
event 1000 activate low
event 1000 start low
event 3000 arrival high
event 3000 activate high
event 3000 suspend low
event 3000 start high
event 4000 end high
event 4000 resume low
event 6000 arrival low
event 6000 refused low
event 7000 end low
event 7000 activate low
event 7000 start low
event 12000 end low
note 1000 request low R
note 1000 grant low R
note 6000 unlock low R
note 7000 request low R
note 7000 grant low R
note 11000 unlock low R
calls high 0
stack high 96
calls low 3
stack low 0
end idle
"""

EVENTS = """
[task.T]
priority = 1
arrival = "periodic 9us"
activations = 1
events = ["EV"]
body = ["run 1us", "wait EV", "run 1us"]
"""
WAITED = """\
plafond-trace 2
zero 0
event 0 arrival T
event 0 activate T
event 0 start T
event 1000 wait T
event 2000 wake T
event 2500 resume T
event 3500 end T
calls T 0
end idle
"""

SERVED = """
[server.S]
kind = "polling"
priority = 1
period = "9us"
budget = "3us"
[task.T]
priority = 1
server = "S"
arrival = "periodic 9us"
activations = 1
body = ["run 1us"]
"""
# A late event is written late, with the instant at which it was due.
PAID = """\
plafond-trace 2
zero 100
server 9100 get S
event 9100 arrival T
event 9100 activate T
event 9100 start T
event 10100 end T
server 10100 lose S
server 8100 replenish S
calls T 0
end idle
"""


def trace(console: str, text: str = TWO, low: tuple[int, ...] = (1_000, 6_000, 11_000)) -> Trace:
    system = system_of(text)
    arrivals = {"high": [3_000, 13_000], "low": low, "T": [0]}
    chosen = {task.name: arrivals[task.name] for task in system.tasks}
    return trace_of(parse_console(console), Recording(system, chosen), "uprio-nprio")


def task_of(found: Trace, name: str) -> TaskTrace:
    return next(task for task in found.tasks if task.name == name)


def test_events_and_notes_become_activations() -> None:
    found = trace(PREEMPTED)
    first, second = activations(task_of(found, "low"))
    assert (first.arrival_ns, first.start_ns, first.end_ns) == (1_000, 1_000, 7_000)
    assert first.sections == [(1_000, 6_000, 0)]
    assert first.suspensions == [(3_000, 4_000)]
    assert (found.cut, found.resources, found.cpus) == (None, ["R"], [])
    # At 7000 an activation ends and the next activation locks. The lock belongs to the next.
    assert second.sections == [(7_000, 11_000, 0)]


def test_times_count_from_time_0_of_the_run() -> None:
    first, _ = activations(task_of(trace(PREEMPTED.replace("zero 0", "zero 900")), "low"))
    assert (first.arrival_ns, first.start_ns, first.end_ns) == (1_000, 100, 6_100)
    assert first.sections == [(100, 5_100, 0)]


def test_an_arrival_counts_as_planned_and_another_activation_as_it_came() -> None:
    assert task_of(trace(PREEMPTED), "low").arrivals_ns == [1_000, 6_000, 7_000, 11_000]


def test_a_refused_arrival_is_skipped() -> None:
    low = task_of(trace(PREEMPTED), "low")
    assert [(event.kind, event.activation) for event in low.events if event.kind == "skip"] == [
        ("skip", 1)
    ]


def test_preemptions_and_kernel_calls_are_counted() -> None:
    low = task_of(trace(PREEMPTED), "low")
    assert (low.voluntary_switches, low.involuntary_switches, low.lock_calls) == (2, 1, 3)


def test_stacks_are_reported_where_the_image_has_its_own() -> None:
    assert [task.stack_bytes for task in trace(PREEMPTED).tasks] == [96, None]


def test_a_waiting_task_is_ready_from_its_event_on() -> None:
    (activation,) = activations(task_of(trace(WAITED, EVENTS), "T"))
    assert activation.sleeps == [(1_000, 2_000)]
    assert activation.suspensions == [(2_000, 2_500)]
    assert activation.running() == [(0, 1_000), (2_500, 3_500)]


def test_events_of_servers_are_theirs_and_in_order_of_time() -> None:
    (server,) = trace(PAID, SERVED).servers
    assert server.name == "S"
    assert server.events == [(8_000, "replenish"), (9_000, "get"), (10_000, "lose")]


def test_only_a_trace_with_servers_has_a_field_for_them() -> None:
    with_servers, without = trace(PAID, SERVED), trace(PREEMPTED)
    assert '"servers":[{"name":"S","events":[[8000,"replenish"],' in with_servers.model_dump_json()
    assert "servers" not in without.model_dump_json()
    for each in (with_servers, without):
        assert parse_trace(each.model_dump_json().encode(), "trace") == each


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("zero 100\n", ""),
        ("lose S", "end S"),
        ("get S", "get"),
        ("server 9100 get", "server 9100 start"),
        ("event 9100 start T", "event 9100 get T"),
    ],
)
def test_what_no_server_does_is_reported(old: str, new: str) -> None:
    with pytest.raises(PlafondError, match="expected a line of a trace"):
        trace(PAID.replace(old, new), SERVED)


def test_a_run_over_its_limit_is_cut() -> None:
    found = trace(PREEMPTED.replace("end idle", "end limit"))
    assert "had not come to its end" in str(found.cut)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("plafond-trace 2\n", "", "wrote no trace"),
        ("zero 0\n", "", "event 1000 arrival low"),
        ("end idle\n", "", "without an end"),
        ("end idle", "end room", "no room for the whole trace"),
        ("event 1000 start low", "event 1000 begin low", "'event 1000 begin low'"),
        ("note 6000 unlock low R", "note 6000 garbage low R", "garbage"),
    ],
)
def test_what_is_no_trace_is_reported(old: str, new: str, message: str) -> None:
    with pytest.raises(PlafondError, match=message):
        trace(PREEMPTED.replace(old, new))


def test_more_pending_arrivals_than_the_kernel_keeps_are_reported() -> None:
    with pytest.raises(PlafondError, match="task low: more arrivals than the kernel can keep"):
        trace(PREEMPTED, TWO.replace('pending = "skip"', 'pending = "queue"'))


def test_a_described_queue_drops_what_it_has_no_room_for() -> None:
    trace(PREEMPTED, TWO.replace('pending = "skip"', "queue = 1"))


def test_the_kernel_and_the_lab_have_the_same_status_codes() -> None:
    types = (ROOT / "kernel/include/os_types.h").read_text()
    assert "#define E_OK 0\n" in types
    codes = re.search(r"enum \{[^,}]*\bE_OS_ACCESS = 1,.*?\};", types, re.DOTALL)
    assert codes
    assert ("E_OK", *re.findall(r"\bE_OS_\w+", codes[0])) == STATUS_NAMES
