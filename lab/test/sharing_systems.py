# SPDX-License-Identifier: MIT
"""Small random systems whose servers share resources.

Periods, budgets, arrivals and ends of sections are whole microseconds, so many events share an
instant. A task locks between whole microseconds, because the result of a lock at the instant of
another event is not defined (see server_model.py). Systems that still have such an instant are
drawn again.
"""

import random
from collections.abc import Iterator

from kernel_runs import described
from server_model import Schedule, schedule_of

from plafond.describe.problems import DescriptionError
from plafond.describe.server import Sharing
from plafond.describe.system import System
from plafond.run.arrivals import draw_arrivals

KINDS = ("idling", "polling", "deferrable")
POLICIES = (*Sharing, "mixed")
US = 1_000
ACTIVATIONS = 12


def drawn(seed: int, policy: str) -> tuple[System, Schedule]:
    """Return a system without ambiguous instants, and its schedule by the model."""
    for number in range(200):
        source = random.Random(f"{seed} {number}")
        try:
            system = described(f"sharing-{policy}-{seed}", _text(source, policy))
        except DescriptionError:  # a section takes a whole budget, or a resource has one server
            continue
        schedule = schedule_of(system, draw_arrivals(system, system.seed))
        if not schedule.ambiguous and not schedule.cut_short:
            return system, schedule
    raise AssertionError(f"seed {seed}: no system without an instant that is not defined")


def _text(source: random.Random, policy: str) -> str:
    number = source.choice((2, 2, 3))
    resources = [f"R{index}" for index in range(source.randint(1, 3))]
    lines = [line for index in range(number) for line in _server(source, policy, index, number)]
    for task in range(2 * number):
        lines += _task(source, resources, task, number)
    lines += [f"[resource.{name}]" for name in resources if f"lock {name}" in "".join(lines)]
    return "\n".join(lines) + "\n"


def _server(source: random.Random, policy: str, index: int, number: int) -> list[str]:
    period = source.randrange(20, 90)
    budget = max(4, source.randrange(period // 4, period) // number)
    own = policy if policy != "mixed" else source.choice(list(Sharing))
    return [
        f"[server.s{index}]",
        f'kind = "{source.choice(KINDS)}"',
        f'period = "{period}us"',
        f'budget = "{budget}us"',
        f"priority = {number - index}",
        f'global = "{own}"',
    ]


def _task(source: random.Random, resources: list[str], task: int, number: int) -> list[str]:
    interval = source.randrange(60, 300)
    # The first task of each server locks the first resource, so all servers share it.
    first = resources[0] if task < number else source.choice(resources)
    body = [step for part in _parts(source, resources, first, 10 * task + 1) for step in part]
    return [
        f"[task.t{task}]",
        f'server = "s{task % number}"',
        f"priority = {source.randrange(1, 9) * 10 + task}",
        f'arrival = "periodic {interval}us"',
        f'offset = "{source.randrange(1, 90)}us"',
        f"activations = {ACTIVATIONS}",
        f'deadline = "{interval + task}us"',
        f"body = [{', '.join(body)}]",
    ]


def _parts(
    source: random.Random, resources: list[str], first: str, odd: int
) -> Iterator[list[str]]:
    """Yield runs with one or two sections between. A lock is some ns off a whole microsecond."""
    yield [_run(source.randrange(0, 5) * US + odd)]
    yield _section(source, resources, first, odd)
    if source.random() < 0.3:
        yield [_run(source.randrange(0, 3) * US + odd)]
        yield _section(source, resources, source.choice(resources), odd)
    yield [_run(source.randrange(1, 4) * US)]


def _section(source: random.Random, resources: list[str], name: str, odd: int) -> list[str]:
    """Return a section, sometimes with another section inside."""
    inner = resources[resources.index(name) + 1 :]
    lock, unlock = f'"lock {name}"', f'"unlock {name}"'
    if not inner or source.random() < 0.5:
        return [lock, _run(source.randrange(1, 5) * US - odd), unlock]
    other = source.choice(inner)
    return [
        lock,
        _run(source.randrange(0, 2) * US + 3),
        f'"lock {other}"',
        _run(source.randrange(1, 3) * US - 3),
        f'"unlock {other}"',
        _run(source.randrange(1, 3) * US - odd),
        unlock,
    ]


def _run(time_ns: int) -> str:
    return f'"run {time_ns}ns"'
