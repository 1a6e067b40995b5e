# SPDX-License-Identifier: MIT
"""Descriptions whose servers share resources: derived values, and every mistake with its place."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described, mistakes

from plafond.board.boards import BOARDS
from plafond.build.configuration import configuration_of
from plafond.build.locks import locks_of
from plafond.build.refuse import refuse_unfit
from plafond.describe.lock_order import find_deadlock, refuse_deadlock
from plafond.describe.problems import DescriptionError
from plafond.describe.server import Server, Sharing
from plafond.errors import ArgumentError, PlafondError
from plafond.protocols import KernelProtocol, Protocol
from plafond.run.targets import protocols_on

SHARED = """
[server.control]
kind = "idling"
priority = 20
period = "50us"
budget = "20us"
global = "overrun"

[server.video]
kind = "deferrable"
priority = 10
period = "60us"
budget = "20us"
global = "skip"

[task.t1]
server = "control"
priority = 4
arrival = "periodic 100us"
body = ["run 1us", "lock L", "run 1us", "unlock L"]

[task.t2]
server = "control"
priority = 1
arrival = "periodic 150us"
body = [
    "lock R", "run 3us", "lock S", "run 4us", "unlock S", "unlock R",
    "lock L", "run 1us", "unlock L",
]

[task.t3]
server = "video"
priority = 3
arrival = "periodic 25us"
body = ["run 2us"]

[task.t4]
server = "video"
priority = 2
arrival = "periodic 200us"
body = ["lock S", "run 5us", "unlock S", "lock R", "run 6us", "unlock R"]

[resource.R]
[resource.S]
[resource.L]
"""
RESOURCE_R = 43  # line of [resource.R]


def messages(folder: Path, text: str) -> list[str]:
    return [message.removeprefix("some.toml:") for message in mistakes(folder, text)]


def changed(*pairs: tuple[str, str]) -> str:
    text = SHARED
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_what_follows(tmp_path: Path) -> None:
    """Under overrun the ceiling is the highest of the server, and under skip that of its users."""
    system = described(tmp_path, SHARED)
    shared = system.resources_of_servers
    assert [(each.name, each.servers) for each in shared] == [
        ("R", ("control", "video")),
        ("S", ("control", "video")),
    ]
    assert [system.local_ceiling(shared[0], name) for name in ("control", "video")] == [4, 2]
    control, video = system.servers
    assert (control.sharing, video.sharing) == (Sharing.OVERRUN, Sharing.SKIP)
    # Nested sections are one hold. t3 comes at most three times in the 60 us of its server.
    assert (control.hold_ns, video.hold_ns) == (7_000, 6_000 + 3 * 2_000)


def test_a_given_ceiling_keeps_out_all_up_to_it(tmp_path: Path) -> None:
    text = changed(("[resource.R]", "[resource.R]\nceiling = 4"))
    text = text.replace("[resource.S]", "[resource.S]\nceiling = 4")
    assert described(tmp_path, text).server("video").hold_ns == 6_000


def test_a_longer_hold_is_taken_as_given(tmp_path: Path) -> None:
    text = changed(('global = "skip"', 'global = "skip"\noverrun = "19us"'))
    assert described(tmp_path, text).server("video").hold_ns == 19_000


def test_a_policy_may_be_there_before_it_is_needed(tmp_path: Path) -> None:
    text = changed(('"lock R", "run 6us", "unlock R"', '"run 6us"'))
    text = text.replace('"lock S", "run 5us", "unlock S", ', "")
    system = described(tmp_path, text)
    assert not system.resources_of_servers
    assert system.server("control").sharing is Sharing.OVERRUN


def test_all_mistakes_come_at_once(tmp_path: Path) -> None:
    """Holds of well-formed parts are known, whatever other mistakes the description has."""
    text = changed(
        ('budget = "20us"\nglobal = "overrun"', 'budget = "6us"\nglobal = "overrun"'),
        ('global = "skip"', 'global = "skip"\noverrun = "1us"'),
        ('"lock L", "run 1us", "unlock L"]', '"lock L", "run 1us", "unlock L", "activate t9"]'),
        ('"run 5us", "unlock S"', '"lock RES_SCHEDULER", "unlock RES_SCHEDULER", "unlock S"'),
        ("[resource.L]", '[resource.L]\nfloor = "1us"'),
    )
    places = [" ".join(line.split(" ")[:2]) for line in messages(tmp_path, text)]
    assert places == [
        "6: server.control.budget:",
        "15: server.video.overrun:",
        "21: task.t1.body[4]:",
        "42: task.t4.body[1]:",
        "47: resource.L.floor:",
    ]


def test_a_slot_may_skip(tmp_path: Path) -> None:
    slots = changed(
        ('kind = "idling"\npriority = 20\nperiod = "50us"', 'kind = "slot"\nperiod = "60us"')
    )
    slots = slots.replace('kind = "deferrable"\npriority = 10', 'kind = "slot"')
    skipping = described(tmp_path, slots.replace('global = "overrun"', 'global = "skip"'))
    assert skipping.resources_of_servers


def test_what_c_holds_is_given(tmp_path: Path) -> None:
    (tmp_path / "some.c").touch()
    body = 'body = ["lock S", "run 5us", "unlock S", "lock R", "run 6us", "unlock R"]'
    text = changed((body, 'resources = ["R", "S"]')) + '[kernel]\nsources = ["some.c"]\n'
    given = text.replace('global = "skip"', 'global = "skip"\noverrun = "1us"')
    assert described(tmp_path, given).server("video").hold_ns == 1_000


def test_of_what_is_given_the_sections_that_are_known_are_a_part(tmp_path: Path) -> None:
    """t3 preempts, but it comes only when a task activates it, so its load is unknown."""
    text = changed(
        ('arrival = "periodic 25us"\n', "autostart = true\n"),
        ('global = "skip"', 'global = "skip"\noverrun = "6us"'),
    )
    exact = described(tmp_path, text)
    assert exact.server("video").hold_ns == 6_000


def test_each_server_has_its_own_scheduler_resource(tmp_path: Path) -> None:
    inside = '"lock RES_SCHEDULER", "run 1us", "unlock RES_SCHEDULER"'
    text = changed(('"run 2us"', inside), ('"lock L", "run 1us", "unlock L"]', f"{inside}]"))
    for table in ("", "[resource.RES_SCHEDULER]\n"):
        names = [each.name for each in described(tmp_path, text + table).resources_of_servers]
        assert names == ["R", "S"]


def test_opposite_orders_deadlock_without_ceilings_only(tmp_path: Path) -> None:
    text = changed(
        (
            '"lock S", "run 5us", "unlock S", "lock R", "run 6us", "unlock R"',
            '"lock S", "lock R", "run 6us", "unlock R", "unlock S"',
        )
    )
    system = described(tmp_path, text)
    assert find_deadlock(system)
    refuse_deadlock(system, [Protocol.CEILING])
    with pytest.raises(PlafondError, match="t4 holds S and wants R; t2 holds R and wants S"):
        refuse_deadlock(system, [Protocol.INHERIT])


def with_given_holds(servers: Sequence[Server]) -> tuple[Server, ...]:
    return tuple(server.changed(is_hold_given=True) for server in servers)


def test_a_board_needs_room_for_the_kernels_entries_in_a_section(tmp_path: Path) -> None:
    """An X that follows from the bodies assumes that the kernel takes no time."""
    system = described(tmp_path, SHARED)
    locks = locks_of(system, BOARDS["sim"], KernelProtocol.SYSCALL)
    refuse_unfit(system, BOARDS["sim"], locks)
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, BOARDS["a53"], locks)
    expected = (
        "server.control.budget: found 20us; expected more than 31us on a53: so long a section may "
        "take there, with the kernel's entries; or an overrun of your own"
    )
    assert expected in str(refused.value)
    configuration = configuration_of(system.scaled(Fraction(1000)), BOARDS["a53"], locks, None)
    holds = configuration.server_holds
    bare = [(server.hold_ns or 0) * 1000 for server in system.servers]
    assert all(hold > least for hold, least in zip(holds, bare, strict=True))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("protocol", KernelProtocol)
def test_three_protocols_lock_them(tmp_path: Path, board: str, protocol: KernelProtocol) -> None:
    """The protocol may come from --protocol or from the description."""
    system = replace(
        described(tmp_path, SHARED), servers=with_given_holds(described(tmp_path, SHARED).servers)
    )
    if protocol not in BOARDS[board].protocols(system.scheduler):
        return
    locks = locks_of(system, BOARDS[board], protocol)
    if protocol.traits.is_of_servers:
        refuse_unfit(system, BOARDS[board], locks)
        return
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, BOARDS[board], locks)
    expected = (
        f"some.toml:{RESOURCE_R}: resource.R: found users in the servers control and video, with "
        f"{protocol}; expected with such users one of syscall, uprio-nprio, lazy-ceiling"
    )
    assert expected in str(refused.value)


def test_a_run_takes_these_three(tmp_path: Path) -> None:
    system = described(tmp_path, SHARED)
    assert protocols_on("sim", system, None) == ["syscall", "uprio-nprio", "lazy-ceiling"]
    assert protocols_on("a53", system, "lazy-ceiling") == ["lazy-ceiling"]
    with pytest.raises(ArgumentError) as refused:
        protocols_on("sim", system, "syscall,uprio-kprio")
    assert str(refused.value) == (
        "--protocol: found 'uprio-kprio'; expected some of syscall, uprio-nprio, lazy-ceiling "
        "(uprio-kprio needs resources of one server each: R is of the servers control and video)"
    )


def test_servers_of_several_cpus_share_none(tmp_path: Path) -> None:
    text = "cpus = 2\n" + SHARED.replace('server = "video"', 'server = "video"\ncpu = 1')
    text = text.replace("[server.video]", "[server.video]\ncpu = 1")
    system = described(tmp_path, text)
    assert not system.resources_of_servers
    board = BOARDS["sim"]
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, board, locks_of(system, board, None))
    expected = (
        "resource.R: found users on the CPUs 0 and 1, with servers; expected users on one CPU: a "
        "server without the core would keep other CPUs waiting"
    )
    assert expected in str(refused.value)
