# SPDX-License-Identifier: MIT
"""Servers on Plafond's own kernel, in virtual time: against what their definitions say."""

import random

import pytest
from kernel_runs import described, trace_on
from server_model import Stretch, joined, stretches_of

from plafond.run.arrivals import draw_arrivals
from plafond.trace.model import Trace

pytestmark = [pytest.mark.board]

KINDS = ("idling", "polling", "deferrable", "slot")


def ran(trace: Trace) -> list[Stretch]:
    """Which task had the processor, from when to when."""
    found = []
    for task in trace.tasks:
        begin = None
        for event in task.events:
            if event.kind in ("start", "resume"):
                begin = event.time_ns
            elif event.kind in ("suspend", "end") and begin is not None:
                found.append((task.name, begin, event.time_ns))
                begin = None
    return joined(found)


def drawn(seed: int, kind: str, scheduler: str) -> str:
    """A description: servers of that kind, or of all three with priorities, and their tasks."""
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


def compared(name: str, text: str) -> tuple[list[Stretch], list[Stretch]]:
    """What ran, and what should."""
    system = described(name, text)
    protocol = "lazy-floor" if system.scheduler == "edf" else "uprio-nprio"
    trace = trace_on("sim", protocol, system)
    assert trace.cut is None
    return ran(trace), stretches_of(system, draw_arrivals(system, system.seed))


@pytest.mark.parametrize("scheduler", ["priority", "edf"])
@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_the_schedule_is_that_of_the_definitions(kind: str, scheduler: str) -> None:
    """Tasks that arrive at any phase of their servers, to the nanosecond."""
    found, expected = compared(f"servers-{kind}-{scheduler}", drawn(7, kind, scheduler))
    assert len(expected) > 40
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
    """Beside a server that asks for all it can get, too: where its kind promises that."""
    text = GOOD.format(bad=bad, good=good)
    name = f"servers-isolated-{bad}-{good}".translate(str.maketrans('"\n =', "----"))
    alone = ran(trace_on("sim", "uprio-nprio", described(name, text)))
    beside = ran(trace_on("sim", "uprio-nprio", described(f"{name}-beside", text + ALARMS)))
    own = [stretch for stretch in beside if stretch[0] in ("a", "b")]
    assert len(beside) > len(own) + 40
    assert own == alone
