# SPDX-License-Identifier: MIT
"""Descriptions with servers: the values that are read, and every mistake with its place."""

from fractions import Fraction
from pathlib import Path

from descriptions import described, mistakes

from plafond.describe.server import Server, ServerKind

PRIORITIES = """
[server.video]
kind = "deferrable"
priority = 10
period = "60us"
budget = "20us"

[server.control]
kind = "idling"
priority = 20
period = "50us"
budget = "20us"
signals = ["video"]

[task.t1]
server = "control"
priority = 1
arrival = "periodic 100us"
body = ["run 5us", "activate t3"]

[task.t2]
server = "control"
priority = 2
arrival = "periodic 150us"
body = ["run 1us", "lock R", "run 1us", "unlock R"]

[task.t3]
server = "video"
priority = 3
body = ["run 10us"]

[resource.R]
"""

SLOTS = """
[server.last]
kind = "slot"
start = "12ms"
period = "20ms"
budget = "8ms"
clock = 450

[server.first]
kind = "slot"
start = "0"
period = "20ms"
budget = "4ms"

[server.second]
kind = "slot"
period = "20ms"
budget = "6ms"

[task.t1]
server = "first"
priority = 1
arrival = "periodic 40ms"
body = ["run 10ms"]
"""


def messages(folder: Path, text: str) -> list[str]:
    return [message.split(": ", 1)[1] for message in mistakes(folder, text)]


def test_servers_come_most_urgent_first_with_what_their_steps_signal(tmp_path: Path) -> None:
    """Each task is in its server, and in no other."""
    system = described(tmp_path, PRIORITIES)
    control = {"kind": ServerKind.IDLING, "priority": 20, "period_ns": 50_000}
    video = {"kind": ServerKind.DEFERRABLE, "priority": 10, "period_ns": 60_000}
    assert system.servers == (
        Server.made("control", **control, budget_ns=20_000, signals=("video",)),
        Server.made("video", **video, budget_ns=20_000),
    )
    assert [task.name for task in system.tasks_of("control")] == ["t2", "t1"]
    assert [task.name for task in system.tasks_of("video")] == ["t3"]
    without = described(tmp_path, PRIORITIES.replace('signals = ["video"]\n', ""))
    assert without.servers == system.servers


def test_a_slot_without_a_start_begins_where_the_one_before_it_in_the_file_ends(
    tmp_path: Path,
) -> None:
    """Slots come in the order of the clock."""
    servers = described(tmp_path, SLOTS).servers
    assert [(server.name, server.start_ns) for server in servers] == [
        ("first", 0),
        ("second", 4_000_000),
        ("last", 12_000_000),
    ]
    assert servers[2].clock_mhz == 450


def test_the_times_of_servers_are_scaled_with_all_others(tmp_path: Path) -> None:
    """A system that is ten times slower has the same schedule."""
    last = described(tmp_path, SLOTS).scaled(Fraction(10)).servers[2]
    assert (last.start_ns, last.period_ns, last.budget_ns) == (120_000_000, 200_000_000, 80_000_000)


def test_there_are_not_more_servers_than_a_word_has_bits(tmp_path: Path) -> None:
    """At most 32, on all CPUs together."""
    one = '[server.s{0}]\nkind = "slot"\nperiod = "100us"\nbudget = "1us"\n'
    text = SLOTS.split("[server", 1)[0] + "".join(one.format(n) for n in range(33))
    text += '[task.t]\nserver = "s0"\npriority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n'
    found = messages(tmp_path, text)
    assert any(message.startswith("server: found a table; expected tables") for message in found)
