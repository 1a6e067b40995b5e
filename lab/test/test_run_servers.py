# SPDX-License-Identifier: MIT
"""Servers on Plafond's own kernel, in virtual time, against the model of their definitions."""

import random

import pytest
from kernel_runs import described, trace_on
from server_model import stretches_of
from server_runs import holds, ran, trace_of

from plafond.run.arrivals import draw_arrivals

pytestmark = [pytest.mark.board]

KINDS = ("idling", "polling", "deferrable", "slot")


def drawn(seed: int, kind: str, scheduler: str) -> str:
    """Return a description of servers of that kind, or of all three with priorities, and their
    tasks."""
    source = random.Random(seed)
    slots = kind == "slot"
    period = source.randrange(20, 60)
    lines = [f'scheduler = "{scheduler}"']
    number = source.choice((2, 3))
    for index in range(number):
        own = period if slots else source.randrange(20, 90)
        budget = max(1, source.randrange(own // 4, own) // number)
        one = kind if kind != "mixed" else source.choice(KINDS[:3])
        lines += [f"[server.s{index}]", f'kind = "{one}"', f'period = "{own}us"']
        lines += [f'budget = "{budget}us"', *([] if slots else [f"priority = {number - index}"])]
    for task in range(2 * number):
        interval = source.randrange(60, 300)
        run = source.randrange(1, 12)
        lines += [f"[task.t{task}]", f'server = "s{task % number}"', f"priority = {task + 1}"]
        lines += [f'arrival = "periodic {interval}us"', f'body = ["run {run}us"]']
        lines += [f'offset = "{source.randrange(1, 90)}us"', "activations = 12"]
        lines += [f'deadline = "{interval + task}us"']
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("scheduler", ["priority", "edf"])
@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_the_schedule_is_that_of_the_definitions(kind: str, scheduler: str) -> None:
    """Tasks arrive at any phase of their servers. The schedules agree to the nanosecond."""
    system = described(f"servers-{kind}-{scheduler}", drawn(7, kind, scheduler))
    expected = stretches_of(system, draw_arrivals(system, system.seed))
    assert len(expected) > 40
    assert ran(trace_of(system)) == expected


@pytest.mark.parametrize("scheduler", ["priority", "edf"])
@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_tasks_run_while_their_servers_have_the_processor(kind: str, scheduler: str) -> None:
    """No server has the processor for longer than its budget in a period."""
    system = described(f"servers-{kind}-{scheduler}", drawn(7, kind, scheduler))
    trace = trace_of(system)
    for server in system.servers:
        own = holds(trace, server.name)
        tasks = [task.name for task in system.tasks_of(server.name)]
        for task, begin, end in ran(trace):
            inside = [since for since, until in own if since <= begin and end <= until]
            assert len(inside) == (task in tasks), (server.name, task, begin)
        start, end = server.start_ns or 0, own[-1][1]
        used = [
            sum(
                max(min(until, since + server.period_ns) - max(begin, since), 0)
                for begin, until in own
            )
            for since in range(start, end, server.period_ns)
        ]
        assert 0 < max(used) <= server.budget_ns


# A task of each server: t1 arrives at 10 us, t2 at 30 us.
TWO = """
[server.control]
kind = "idling"
priority = 2
period = "50us"
budget = "20us"
[server.video]
kind = "deferrable"
priority = 1
period = "60us"
budget = "20us"
[task.t1]
server = "control"
priority = 1
arrival = "periodic 1ms"
offset = "10us"
activations = 1
body = ["run 5us"]
[task.t2]
server = "video"
priority = 1
arrival = "periodic 1ms"
offset = "30us"
activations = 1
body = ["run 25us"]
"""
SLOTS = """
[server.control]
kind = "slot"
period = "20us"
budget = "10us"
[server.video]
kind = "slot"
start = "12us"
period = "20us"
budget = "5us"
""" + TWO[TWO.index("[task.t1]") :].replace("25us", "7us").replace("30us", "11us")
# `video` is first looked at when `control` is depleted, after four periods of `video`.
LATE = (
    TWO.replace('period = "50us"\nbudget = "20us"', 'period = "100us"\nbudget = "48us"')
    .replace('period = "60us"\nbudget = "20us"', 'period = "11us"\nbudget = "2us"')
    .replace("25us", "2500ns")
)
# The instants in us of the events of `control`, and of `video`.
INSTANTS = {
    "idling and deferrable": (
        TWO,
        "0 replenish, 0 get, 20 deplete, 20 lose, 50 replenish, 50 get, 70 deplete, 70 lose",
        "0 replenish, 30 get, 50 deplete, 50 lose, 60 replenish, 70 get, 75 lose",
    ),
    "polling and deferrable": (
        TWO.replace("idling", "polling"),
        "0 replenish, 0 deplete, 50 replenish, 50 get, 55 deplete, 55 lose",
        "0 replenish, 30 get, 50 deplete, 50 lose, 60 replenish, 60 get, 65 lose",
    ),
    "slots": (
        SLOTS,
        "0 replenish, 0 get, 10 deplete, 10 lose, 20 replenish, 20 get, 30 deplete, 30 lose",
        "12 replenish, 12 get, 17 deplete, 17 lose, 32 replenish, 32 get",
    ),
    "seen late": (
        LATE,
        "0 replenish, 0 get, 48 deplete, 48 lose",
        "0 replenish, 48 get, 50 deplete, 50 lose, 55 replenish, 55 get, 55.5 lose",
    ),
}


@pytest.mark.parametrize("name", INSTANTS)
def test_what_happens_to_servers_is_traced_as_of_its_instant(name: str) -> None:
    text, *expected = INSTANTS[name]
    trace = trace_of(described(f"servers-instants-{name.replace(' ', '-')}", text))
    found = [
        ", ".join(f"{event.time_ns / 1_000:g} {event.kind}" for event in server.events)
        for server in trace.servers
    ]
    assert found == expected


GOOD = """
[server.bad]
{bad}
period = "50us"
budget = "15us"
[server.good]
{good}
period = "50us"
budget = "20us"
[task.a]
server = "good"
priority = 2
arrival = "periodic 90us"
offset = "7us"
activations = 20
body = ["run 6us", "lock R", "run 2us", "unlock R"]
[task.b]
server = "good"
priority = 1
arrival = "periodic 130us"
activations = 14
body = ["lock R", "run 13us", "unlock R"]
[resource.R]
"""
ALARMS = """
[task.flood]
server = "bad"
priority = 9
arrival = "periodic 10us"
pending = "skip"
activations = 100
body = ["run 1us"]
[task.endless]
server = "bad"
priority = 1
arrival = "periodic 2ms"
activations = 1
body = ["lock S", "run 400us", "unlock S"]
[resource.S]
"""


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        ('kind = "idling"\npriority = 2', 'kind = "idling"\npriority = 1'),
        ('kind = "idling"\npriority = 2', 'kind = "polling"\npriority = 1'),
        ('kind = "deferrable"\npriority = 1', 'kind = "deferrable"\npriority = 2'),
        ('kind = "slot"', 'kind = "slot"'),
    ],
    ids=["idling above idling", "idling above polling", "below", "slots"],
)
def test_the_tasks_of_a_server_run_as_they_do_beside_nothing(bad: str, good: str) -> None:
    """This holds beside a server that asks for all that it can get, if the server's kind promises
    it."""
    text = GOOD.format(bad=bad, good=good)
    name = f"servers-isolated-{bad}-{good}".translate(str.maketrans('"\n =', "----"))
    alone = ran(trace_on("sim", "uprio-nprio", described(name, text)))
    beside = ran(trace_on("sim", "uprio-nprio", described(f"{name}-beside", text + ALARMS)))
    own = [stretch for stretch in beside if stretch[0] in ("a", "b")]
    assert len(beside) > len(own) + 40
    assert own == alone


def test_budgets_end_when_they_are_due_where_the_kernel_takes_time() -> None:
    """On a board the next server gets the processor a bit later than the budget ends."""
    system = described("servers-instants-on-a53", TWO)
    control = trace_on("a53", "uprio-nprio", system).servers[0].events
    assert [event.kind for event in control] == ["replenish", "get", "deplete", "lose"] * 2
    for period, events in enumerate((control[:4], control[4:])):
        replenished, began, depleted, ended = (event.time_ns for event in events)
        assert replenished == period * 50_000 <= began
        assert depleted == began + 20_000 < ended < depleted + 1_000
