# SPDX-License-Identifier: MIT
"""The locks of an image, and its limits: resources with users on several CPUs."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from plafond.board.boards import BOARDS
from plafond.board.recording import Recording
from plafond.build.configuration import GlobalTable, GlobalUser, configuration_of
from plafond.build.levels import Levels
from plafond.build.locks import Locks, locks_of
from plafond.build.refuse import refuse_unfit
from plafond.describe import System, load
from plafond.describe.problems import DescriptionError
from plafond.errors import ArgumentError
from plafond.protocols import GlobalProtocol, KernelProtocol

MPCP, CALLED = GlobalProtocol.MPCP, GlobalProtocol.MPCP_CALLED
TEXT = """
cpus = 2
KERNEL
[task.low]
autostart = true
priority = 1
body = ["lock G", "run 1us", "lock L", "run 1us", "unlock L", "unlock G"]
[task.high]
autostart = true
priority = 9
body = ["lock L", "run 1us", "unlock L"]
[task.other]
autostart = true
priority = 5
cpu = 1
body = ["lock G", "run 1us", "unlock G", "lock H", "run 1us", "unlock H"]
[task.last]
autostart = true
priority = 7
body = ["lock H", "run 1us", "unlock H"]
[resource.L]
[resource.G]
[resource.H]
"""


def described(folder: Path, kernel: str = "", text: str = TEXT) -> System:
    file = folder / "some.toml"
    file.write_text(text.replace("KERNEL", kernel))
    return load(file)


@pytest.mark.parametrize(
    ("kernel", "name", "expected"),
    [
        ("", None, Locks(KernelProtocol.UPRIO_NPRIO, MPCP)),
        ("", "lazy-ceiling", Locks(KernelProtocol.LAZY_CEILING, MPCP)),
        ("", "syscall", Locks(KernelProtocol.SYSCALL, CALLED)),
        ("", "mpcp", Locks(KernelProtocol.UPRIO_NPRIO, MPCP)),
        ("", "mpcp-called", Locks(KernelProtocol.SYSCALL, CALLED)),
        ('[kernel]\nprotocol = "lazy-ceiling"', "mpcp", Locks(KernelProtocol.LAZY_CEILING, MPCP)),
        ('[kernel]\nprotocol = "syscall"', None, Locks(KernelProtocol.SYSCALL, CALLED)),
        ('scheduler = "hardware"', None, Locks(KernelProtocol.LAZY_CEILING, MPCP)),
        ('scheduler = "hardware"', "mpcp-called", Locks(KernelProtocol.MASK, CALLED)),
    ],
)
def test_what_goes_with_what(
    tmp_path: Path, kernel: str, name: str | None, expected: Locks
) -> None:
    assert locks_of(described(tmp_path, kernel), BOARDS["sim"], name) == expected


def test_without_global_resources_there_are_no_locks_for_them(tmp_path: Path) -> None:
    text = TEXT.replace("cpu = 1", "cpu = 0")
    system = described(tmp_path, text=text)
    assert locks_of(system, BOARDS["sim"], None) == Locks(KernelProtocol.UPRIO_NPRIO, None)
    with pytest.raises(ArgumentError, match=r"found 'mpcp'.*\(mpcp is for resources with users on"):
        locks_of(system, BOARDS["sim"], "mpcp")


def test_a_misspelled_protocol_gets_the_whole_list(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"one of mpcp, .*, msrp, .*syscall.*mean msrp"):
        locks_of(described(tmp_path), BOARDS["a53"], "msrq")


def test_two_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    system = described(tmp_path, '[kernel]\nprotocol = "syscall"\nglobal = "mpcp"')
    with pytest.raises(DescriptionError) as refused:
        locks_of(system, BOARDS["sim"], None)
    assert "5: kernel.global: found mpcp; expected with syscall mpcp-called" in str(refused.value)


def test_a_wrong_word_is_named_with_what_is_known(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError) as refused:
        described(tmp_path, '[kernel]\nglobal = "mcpc"')
    assert 'kernel.global: found "mcpc"; expected one of mpcp, mpcp-called' in str(refused.value)


def test_global_ceilings_are_above_all_levels_of_all_cores(tmp_path: Path) -> None:
    levels = Levels(described(tmp_path))
    assert [levels.base(task) for task in described(tmp_path).tasks] == [3, 2, 1, 1]
    assert (levels.ceiling("G"), levels.ceiling("H")) == (4, 5)
    assert levels.highest == 5


def test_a_resource_inside_a_global_section_has_its_ceiling(tmp_path: Path) -> None:
    """Otherwise a task at H's ceiling could enter L while the holder of G is in it."""
    system = described(tmp_path)
    assert Levels(system).ceiling("L") == Levels(system).ceiling("G")
    plain = '"run 1us", "lock L", "run 1us", "unlock L", "unlock G"'
    outside = '"run 1us", "unlock G", "lock L", "run 1us", "unlock L"'
    system = described(tmp_path, text=TEXT.replace(plain, outside))
    assert Levels(system).ceiling("L") == 3


def test_what_c_sources_nest_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "some.c").write_text("")
    body = 'body = ["lock G", "run 1us", "lock L", "run 1us", "unlock L", "unlock G"]'
    text = TEXT.replace(body, 'resources = ["G", "L"]')
    levels = Levels(described(tmp_path, '[kernel]\nsources = ["some.c"]', text))
    assert levels.ceiling("L") == levels.ceiling("G")


def test_global_sections_are_outermost(tmp_path: Path) -> None:
    system = described(
        tmp_path,
        text=TEXT.replace(
            '"lock G", "run 1us", "unlock G", "lock H"', '"lock G", "lock H"'
        ).replace('"unlock H"]\n[task.last]', '"unlock H", "unlock G"]\n[task.last]'),
    )
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, BOARDS["a53"], locks_of(system, BOARDS["a53"], None))
    expected = (
        "some.toml:16: task.other.body[1]: found lock H while the task holds G; expected no "
        "resource around H, which is global (users on the CPUs 0 and 1): its sections are outermost"
    )
    assert expected in " ".join(str(refused.value).split())


def test_a_task_that_may_wait_has_one_activation(tmp_path: Path) -> None:
    """A second activation would begin while the first waits for its section."""
    system = described(tmp_path, text=TEXT.replace("[task.other]", "[task.other]\nqueue = 2"))
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, BOARDS["a53"], locks_of(system, BOARDS["a53"], None))
    expected = (
        "task.other.queue: found 2 for a user of G, which has users on the CPUs 0 and 1, with "
        "mpcp; expected 1: a task that may wait for another CPU is not activated again before its "
        "end"
    )
    assert expected in " ".join(str(refused.value).split())


def test_in_a_run_too(tmp_path: Path) -> None:
    body = 'arrival = "periodic 1ms"\npriority = 9'
    text = TEXT.replace("autostart = true\npriority = 9", body)
    text = text.replace("autostart = true\npriority = 7", body.replace("9", "7"))
    system = described(tmp_path, text=text)
    recording = Recording(system, {"high": [0], "last": [0]})
    locks = locks_of(system, BOARDS["sim"], None)
    tasks = configuration_of(system, BOARDS["sim"], locks, recording).tasks
    assert {task.name: task.activations for task in tasks} == {
        "last": 1,  # it may wait for H; `high` uses L alone
        "high": 255,
        "other": 1,
        "low": 1,
    }


def crowd(folder: Path, cpus: Sequence[int]) -> System:
    """Return a system with a task on each of these CPUs, the most urgent first. All tasks use G."""
    users = "".join(
        f"[task.t{i}]\nautostart = true\npriority = {90 - i // 2}\ncpu = {cpu}\n"
        'resources = ["G"]\nbody = ["run 1us"]\n'
        for i, cpu in enumerate(cpus)
    )
    return described(folder, text=f"cpus = 3\n{users}[resource.G]\n")


def global_of(system: System) -> GlobalTable:
    board = BOARDS["sim"]
    (found,) = configuration_of(system, board, locks_of(system, board, None), None).globals
    return found


def test_up_to_64_users_have_one_word(tmp_path: Path) -> None:
    table = global_of(crowd(tmp_path, [i % 2 for i in range(64)]))
    assert table.on_cores == ()
    assert table.users == tuple(GlobalUser(i, f"t{63 - i}") for i in range(64))


def test_more_have_a_word_for_each_core(tmp_path: Path) -> None:
    """The core of t0, the most urgent user, has the highest place, and t0 has the highest bit
    there.

    Most users of CPU 2 are less urgent than the users of CPU 0, but have higher numbers.
    """
    table = global_of(crowd(tmp_path, [2, *[0] * 24, 1, *[2] * 40]))
    number = {user.task: user.number for user in table.users}
    assert table.on_cores == (1, 24, 41)  # for the CPUs 1, 0 and 2
    assert number["t25"] == 0
    assert [number[f"t{i}"] for i in (24, 1)] == [64, 64 + 23]
    assert [number[f"t{i}"] for i in (65, 26, 0)] == [128, 128 + 39, 128 + 40]
    assert list(number.values()) == sorted(number.values())


@pytest.mark.parametrize("protocol", ["mpcp", "mpcp-called"])
def test_a_core_has_64_users_at_most(tmp_path: Path, protocol: str) -> None:
    board = BOARDS["a53"]
    system = crowd(tmp_path, [1, *[0] * 64])
    refuse_unfit(system, board, locks_of(system, board, protocol))
    system = crowd(tmp_path, [1, *[0] * 65])
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, board, locks_of(system, board, protocol))
    expected = (
        f"resource.G: found 65 users on CPU 0; expected at most 64 on a CPU with {protocol}: so "
        "many the CPU's word holds"
    )
    assert expected in " ".join(str(refused.value).split())


def test_a_spinlock_has_one_word(tmp_path: Path) -> None:
    system = crowd(tmp_path, [i % 2 for i in range(65)])
    locks = locks_of(system, BOARDS["a53"], "msrp")
    with pytest.raises(DescriptionError, match=r"found 65 users; expected at most 64 with msrp"):
        refuse_unfit(system, BOARDS["a53"], locks)
