# SPDX-License-Identifier: MIT
"""Descriptions with servers: what is read, and every mistake with its place."""

from fractions import Fraction
from pathlib import Path

import pytest
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
    """Return the messages about it, without the file and the line."""
    return [message.split(": ", 1)[1] for message in mistakes(folder, text)]


def test_servers_come_most_urgent_first_with_what_their_steps_signal(tmp_path: Path) -> None:
    """Their tasks are in them, and nowhere else."""
    system = described(tmp_path, PRIORITIES)
    control = Server("control", ServerKind.IDLING, 0, 20, 50_000, 20_000, signals=("video",))
    video = Server("video", ServerKind.DEFERRABLE, 0, 10, 60_000, 20_000)
    assert system.servers == (control, video)
    assert [task.name for task in system.tasks_of("control")] == ["t2", "t1"]
    assert [task.name for task in system.tasks_of("video")] == ["t3"]
    without = described(tmp_path, PRIORITIES.replace('signals = ["video"]\n', ""))
    assert without.servers == system.servers


def test_a_slot_without_a_start_begins_where_the_one_before_it_in_the_file_ends(
    tmp_path: Path,
) -> None:
    """They come in the order of the clock."""
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


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        (
            PRIORITIES,
            'budget = "20us"\n\n[server.control]',
            'budget = "61us"\n\n[server.control]',
            "server.video.budget: found 61us; expected at most the period, 60us",
        ),
        (
            PRIORITIES,
            'period = "60us"\nbudget = "20us"',
            'period = "60us"\nbudget = "37us"',
            "server: found budgets of 101.7% of CPU 0: video, control; "
            "expected at most 100% in all",
        ),
        (
            PRIORITIES,
            'server = "video"\n',
            "",
            "task.t3.server: found nothing; expected a server: CPU 0 has some, such as control",
        ),
        (
            PRIORITIES,
            'server = "video"\n',
            'server = "vide"\n',
            "task.t3.server: found vide; expected a server that is described: "
            "a table [server.vide] (did you mean video?)",
        ),
        (
            PRIORITIES,
            'signals = ["video"]',
            'signals = ["audio"]',
            "server.control.signals[0]: found audio; expected a server that is described: "
            "a table [server.audio]",
        ),
        (
            PRIORITIES,
            "priority = 10\n",
            "",
            "server.video.priority: found nothing; expected a priority among the servers of its "
            'CPU, or kind = "slot"',
        ),
        (
            PRIORITIES,
            "priority = 10\n",
            "priority = 20\n",
            "server.control.priority: found 20; expected a priority of its own: video has that one",
        ),
        (
            PRIORITIES,
            "priority = 10\n",
            'priority = 10\nstart = "0"\n',
            "server.video.start: found 0; expected no start: that is of slots, and this server is "
            "deferrable",
        ),
        (
            PRIORITIES,
            'kind = "deferrable"\npriority = 10\n',
            'kind = "slot"\n',
            'server.video.kind: found "slot", beside control, which is idling; expected '
            "on CPU 0 either slots, or servers with priorities",
        ),
        (
            PRIORITIES,
            '[task.t3]\nserver = "video"\npriority = 3\nbody = ["run 10us"]',
            '[task.t3]\nserver = "video"\npriority = 3\nbody = ["lock R", "run 10us", "unlock R"]',
            "server.video.global: found nothing; expected one of overrun, overrun-payback, skip: "
            "its tasks use R, which has users in the servers video and control",
        ),
        (
            "cpus = 2\n" + PRIORITIES,
            'server = "video"\n',
            'server = "video"\ncpu = 1\n',
            "task.t3.server: found video, which is on CPU 0; expected a server of its own CPU, 1",
        ),
        (
            PRIORITIES,
            "[server.video]\n",
            "[server.video]\ncpu = 1\n",
            "server.video.cpu: found 1; expected a CPU below cpus, which is 1",
        ),
        (
            'scheduler = "hardware"\n' + PRIORITIES,
            "",
            "",
            'scheduler: found "hardware", with servers; expected "priority" or "edf": '
            "a server takes the core from tasks that are interrupts",
        ),
        (
            SLOTS,
            'start = "12ms"\n',
            'start = "12ms"\npriority = 1\n',
            "server.last.priority: found 1; expected no priority: the clock says when a slot has "
            "its CPU",
        ),
        (
            SLOTS,
            'start = "12ms"\n',
            'start = "9ms"\n',
            "server.last.start: found 9ms; expected from 10ms on, where second ends",
        ),
        (
            SLOTS,
            'period = "20ms"\nbudget = "6ms"',
            'period = "21ms"\nbudget = "6ms"',
            "server.second.period: found 21ms; expected 20ms, as last has: slots have one period",
        ),
        (
            SLOTS,
            'budget = "8ms"',
            'budget = "9ms"',
            "server.last.budget: found an end at 21ms; expected at most the end of the period, "
            "20ms",
        ),
        (
            SLOTS,
            'kind = "slot"\nstart = "12ms"',
            'kind = "slots"\nstart = "12ms"',
            'server.last.kind: found "slots"; expected one of idling, polling, deferrable, slot, '
            "reservation (did you mean slot?)",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(
    tmp_path: Path, text: str, old: str, new: str, expected: str
) -> None:
    """What was found, and what was expected."""
    assert expected in messages(tmp_path, text.replace(old, new, 1) if old else text)


def test_there_are_not_more_servers_than_a_word_has_bits(tmp_path: Path) -> None:
    """32, on all CPUs."""
    one = '[server.s{0}]\nkind = "slot"\nperiod = "100us"\nbudget = "1us"\n'
    text = SLOTS.split("[server", 1)[0] + "".join(one.format(n) for n in range(33))
    text += '[task.t]\nserver = "s0"\npriority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n'
    found = messages(tmp_path, text)
    assert any(message.startswith("server: found a table; expected tables") for message in found)
