# SPDX-License-Identifier: MIT
"""Two mistakes of a kind in one description: each has a message at its own place."""

from pathlib import Path

import pytest
from descriptions import mistakes


def task(name: str, *lines: str, priority: int = 5, body: str = '"run 1ms"') -> str:
    return "\n".join(
        [
            f"[task.{name}]",
            f"priority = {priority}",
            'arrival = "periodic 10ms"',
            f"body = [{body}]",
            *lines,
            "",
        ]
    )


def server(name: str, *lines: str, kind: str = "idling", budget: str = "5ms") -> str:
    fields = [f'kind = "{kind}"', 'period = "10ms"', f'budget = "{budget}"', *lines]
    return "\n".join([f"[server.{name}]", *fields, ""])


def each(make: str) -> str:
    """Return `make` twice: as `a` on CPU 0, and as `b` on CPU 1."""
    return "cpus = 2\n" + "".join(
        make.replace("{n}", name).replace("{cpu}", cpu) for name, cpu in (("a", "0"), ("b", "1"))
    )


IN = task("t{n}", 'server = "{n}"', "cpu = {cpu}")
SECTION = '"lock R{n}", "run 1ms", "unlock R{n}"'
HIGH = server("high{n}", "priority = 2", "cpu = {cpu}", 'global = "skip"') + task(
    "th{n}", 'server = "high{n}"', "cpu = {cpu}", body=SECTION
)
SHARED = HIGH + "[resource.R{n}]\n" + task("t{n}", 'server = "{n}"', "cpu = {cpu}", body=SECTION)


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (IN + server("{n}", "priority = 1", "cpu = {cpu}", budget="11ms"), "server.{n}.budget"),
        (IN + server("{n}", "cpu = {cpu}"), "server.{n}.priority"),
        (IN + server("{n}", "priority = 1", "cpu = {cpu}", 'start = "1ms"'), "server.{n}.start"),
        (
            IN + server("{n}", "priority = 1", "cpu = {cpu}", 'signals = ["no", "none"]'),
            "server.{n}.signals[0] server.{n}.signals[1]",
        ),
        (
            IN
            + server("{n}", "cpu = {cpu}", 'start = "6ms"', kind="slot")
            + server("next{n}", "cpu = {cpu}", 'start = "2ms"', kind="slot")
            + task("u{n}", 'server = "next{n}"', "cpu = {cpu}"),
            "server.{n}.start server.{n}.budget",
        ),
        (
            IN
            + server("{n}", "cpu = {cpu}", kind="slot")
            + server("next{n}", "cpu = {cpu}", "priority = 1")
            + task("u{n}", 'server = "next{n}"', "cpu = {cpu}"),
            "server.{n}.kind",
        ),
        (
            IN
            + server("{n}", "cpu = {cpu}", "priority = 1")
            + server("next{n}", "cpu = {cpu}", "priority = 1")
            + task("u{n}", 'server = "next{n}"', "cpu = {cpu}"),
            "server.next{n}.priority",
        ),
        (
            IN
            + server("{n}", "cpu = {cpu}")
            + server("first{n}", "cpu = {cpu}", "priority = 1", budget="1ms")
            + server("other{n}", "cpu = {cpu}", "priority = 1", budget="1ms"),
            "server.{n}.priority server.other{n}.priority",
        ),
        (
            IN + server("{n}", "priority = 1", "cpu = {cpu}") + task("u{n}", "cpu = {cpu}"),
            "task.u{n}.server",
        ),
        (task("t{n}", 'server = "none{n}"'), "task.t{n}.server"),
        (SHARED + server("{n}", "priority = 1", "cpu = {cpu}"), "server.{n}.global"),
        (
            SHARED
            + server("{n}", "priority = 1", "cpu = {cpu}", 'global = "skip"', budget="900us"),
            "server.{n}.budget",
        ),
        (
            SHARED
            + server("{n}", "priority = 1", "cpu = {cpu}", 'global = "skip"', 'overrun = "1us"'),
            "server.{n}.overrun",
        ),
        (
            SHARED
            + server("{n}", "priority = 1", "cpu = {cpu}", 'global = "skip"', 'overrun = "6ms"'),
            "server.{n}.overrun",
        ),
        (task("t{n}", 'jitter = "10ms"'), "task.t{n}.jitter"),
        (
            task("t{n}", body=SECTION) + "[resource.R{n}]\nceiling = 4\n",
            "resource.R{n}.ceiling",
        ),
        (
            server("{n}", 'irq = "{n}"', kind="reservation", budget="11ms"),
            "server.{n}.budget",
        ),
        (
            SHARED
            + server("{n}", "priority = 1", "cpu = {cpu}", 'global = "skip"')
            + "[resource.L{n}]\n"
            + task(
                "u{n}",
                'server = "{n}"',
                "cpu = {cpu}",
                body='"lock L{n}", "lock R{n}", "run 1ms", "unlock R{n}", "unlock L{n}", '
                '"lock R{n}", "lock L{n}", "run 1ms", "unlock L{n}", "unlock R{n}"',
            ),
            "task.u{n}.body[1] task.u{n}.body[6]",
        ),
        (
            server("{n}", kind="reservation", budget="2ms")
            + "".join(task(f"{name}{{n}}", 'server = "{n}"') for name in "tuv"),
            "task.u{n}.server task.v{n}.server",
        ),
        (
            server("{n}", kind="reservation", budget="2ms")
            + task("t{n}", 'server = "{n}"', body=SECTION)
            + "[resource.R{n}]\n",
            "task.t{n}.body[0]",
        ),
        (
            HIGH
            + server("{n}", "priority = 1", "cpu = {cpu}", 'global = "skip"')
            + task("t{n}", 'server = "{n}"', "cpu = {cpu}", 'internal = "I{n}"', body=SECTION)
            + task("u{n}", 'server = "high{n}"', "cpu = {cpu}", 'internal = "I{n}"')
            + "[resource.I{n}]\ninternal = true\n[resource.R{n}]\n",
            "resource.I{n}.internal",
        ),
        (
            server("{n}", kind="reservation", budget="1ms")
            + task("t{n}", 'server = "{n}"')
            + server("first{n}", 'irq = "{n}"', kind="reservation", budget="1ms")
            + server("other{n}", 'irq = "{n}"', kind="reservation", budget="1ms"),
            "server.other{n}.irq",
        ),
    ],
)
def test_both_are_reported(tmp_path: Path, make: str, place: str) -> None:
    lines = mistakes(tmp_path, each(make))
    for name in "ab":
        for where in place.replace("{n}", name).split():
            assert any(f" {where}: " in line for line in lines), (where, lines)


def test_users_in_servers_and_in_none_are_all_named(tmp_path: Path) -> None:
    """The last task of R, and the first task of S, are in no server."""
    both = '"lock R", "run 1ms", "unlock R", "lock S", "run 1ms", "unlock S"'
    text = (
        "cpus = 2\n"
        + server("s", "priority = 1")
        + task("one", 'server = "s"', body='"lock R", "run 1ms", "unlock R"')
        + task("none", "cpu = 1", body=both)
        + task("two", 'server = "s"', body='"lock S", "run 1ms", "unlock S"')
        + "[resource.R]\n[resource.S]\n"
    )
    found = "\n".join(mistakes(tmp_path, text))
    assert "resource.R: found users in servers and in none: one in s, none in none;" in found
    assert "resource.S: found users in servers and in none: none in none, two in s;" in found


def test_each_slot_of_another_period_is_named(tmp_path: Path) -> None:
    slots = (
        server(name, kind="slot", budget="1ms").replace("10ms", period)
        + task(f"t{name}", f'server = "{name}"')
        for name, period in (("a", "10ms"), ("b", "11ms"), ("c", "12ms"))
    )
    found = mistakes(tmp_path, "".join(slots))
    for name in "bc":
        assert any(f"server.{name}.period: " in line for line in found)


def test_reservations_of_a_cpu_are_added_up_for_each_cpu(tmp_path: Path) -> None:
    """a and b have 96% of CPU 0, and c and d have 96% of CPU 1."""
    shares = [("a", 0, "50ms"), ("b", 0, "46ms"), ("c", 1, "48ms"), ("d", 1, "48ms")]
    text = "cpus = 4\n" + "".join(
        server(name, kind="reservation", budget=budget).replace("10ms", "100ms")
        + task(f"t{name}", f'server = "{name}"', f"cpu = {cpu}")
        for name, cpu, budget in shares
    )
    found = "\n".join(mistakes(tmp_path, text))
    assert "reservations of 96.0% of CPU 0: a, b;" in found
    assert "reservations of 96.0% of CPU 1: c, d;" in found
