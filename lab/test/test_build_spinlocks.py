# SPDX-License-Identifier: MIT
"""Resources with users on several CPUs as spinlocks: the rules for their description."""

from pathlib import Path

import pytest

from plafond.board.boards import BOARDS
from plafond.build.configuration import configuration_of
from plafond.build.locks import Locks, locks_of
from plafond.build.refuse import refuse_unfit
from plafond.describe import System, load
from plafond.describe.problems import DescriptionError
from plafond.errors import ArgumentError
from plafond.protocols import GlobalProtocol, KernelProtocol

SIM = BOARDS["sim"]
NESTED = '["lock S", "lock W", "run 1us", "unlock W", "unlock S"]'
TEXT = """
cpus = 2
KERNEL
[task.left]
autostart = true
priority = 1
body = BODY
[task.right]
autostart = true
priority = 2
cpu = 1
body = ["lock S", "lock L", "unlock L", "lock T", "run 1us", "unlock T", "unlock S", "lock W",
  "unlock W"]
[task.third]
autostart = true
priority = 3
resources = ["T"]
body = ["run 1us"]
[resource.S]
SAYS
[resource.T]
successor = "W"
[resource.W]
[resource.L]
"""


def described(
    folder: Path, says: str = 'successor = "T"', body: str = NESTED, kernel: str = ""
) -> System:
    file = folder / "some.toml"
    file.write_text(TEXT.replace("KERNEL", kernel).replace("SAYS", says).replace("BODY", body))
    return load(file)


def problems_of(system: System, name: str | None) -> str:
    with pytest.raises(DescriptionError) as error:
        refuse_unfit(system, SIM, locks_of(system, SIM, name))
    return str(error.value)


@pytest.mark.parametrize("name", [each for each in GlobalProtocol if each.traits.spins])
def test_a_name_chooses_a_spinlock_over_sections_in_user_code(
    tmp_path: Path, name: GlobalProtocol
) -> None:
    system = described(tmp_path)
    assert locks_of(system, SIM, name) == Locks(KernelProtocol.UPRIO_NPRIO, name)
    refuse_unfit(system, SIM, locks_of(system, SIM, name))


def test_under_the_hardware_scheduler_it_is_one_of_its_protocols(tmp_path: Path) -> None:
    system = described(tmp_path, kernel='scheduler = "hardware"')
    chosen = locks_of(system, SIM, "msrp")
    assert chosen == Locks(KernelProtocol.LAZY_CEILING, GlobalProtocol.MSRP)


def test_spinlocks_do_not_go_with_system_calls(tmp_path: Path) -> None:
    system = described(tmp_path, kernel='[kernel]\nprotocol = "syscall"\nglobal = "msrp"')
    with pytest.raises(DescriptionError, match="found msrp; expected with syscall mpcp-called"):
        locks_of(system, SIM, None)


def test_steps_call_the_services_of_spinlocks(tmp_path: Path) -> None:
    system = described(tmp_path)
    made = configuration_of(system, SIM, locks_of(system, SIM, "msrp"), None)
    lines = next(task.lines for task in made.tasks if task.name == "right")
    assert lines[:4] == (
        "GetSpinlock(S);",
        "GetResource(L);",
        "ReleaseResource(L);",
        "GetSpinlock(T);",
    )


def test_successors_are_a_chain(tmp_path: Path) -> None:
    system = described(tmp_path)
    made = configuration_of(system, SIM, locks_of(system, SIM, "msrp"), None)
    assert {each.name: each.successors for each in made.globals} == {"S": 0b110, "T": 0b100, "W": 0}


def test_a_lock_that_keeps_no_task_out_has_no_ceiling(tmp_path: Path) -> None:
    system = described(tmp_path, 'successor = "T"\nlock = "nothing"')
    made = configuration_of(system, SIM, locks_of(system, SIM, "spin-unordered"), None)
    assert [each.user_ceiling == 0 for each in made.globals] == [True, False, False]
    refuse_unfit(system, SIM, locks_of(system, SIM, "spin-unordered"))


@pytest.mark.parametrize("name", ["msrp", "spin-priority"])
def test_a_lock_is_not_handed_over_to_a_preempted_task(tmp_path: Path, name: str) -> None:
    system = described(tmp_path, 'successor = "T"\nlock = "nothing"')
    assert f"resource.S.lock: found nothing, with {name}; expected tasks" in problems_of(
        system, name
    )


def test_nesting_keeps_to_the_successors(tmp_path: Path) -> None:
    body = '["lock W", "lock S", "run 1us", "unlock S", "unlock W"]'
    found = problems_of(described(tmp_path, body=body), "msrp")
    assert "task.left.body[1]: found lock S while the task holds W" in found
    assert "or in one to whose successors it belongs" in found


def test_nothing_nests_under_mpcp(tmp_path: Path) -> None:
    assert "its sections are outermost" in problems_of(described(tmp_path), "mpcp")


def test_a_spinlock_does_not_nest_in_a_section_of_one_cpu(tmp_path: Path) -> None:
    body = '["lock S", "lock OWN", "lock W", "run 1us", "unlock W", "unlock OWN", "unlock S"]'
    system = described(tmp_path, 'successor = "T"\n[resource.OWN]', body)
    assert "found lock W while the task holds S, OWN" in problems_of(system, "msrp")


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ('successor = "L"', "resource.S.successor: found L; expected a resource with users on"),
        ('successor = "X"', "resource.S.successor: found X; expected a resource that is described"),
        ('lock = "all"', 'resource.S.lock: found "all"; expected "tasks" or "nothing"'),
        ('successor = "S"', "S, which leads back to S: S -> S; expected an order"),
        (
            'lock = "tasks"\n[resource.OWN]\nsuccessor = "S"',
            "resource.OWN.successor: found S, of a resource with users on no CPU; expected users",
        ),
    ],
)
def test_what_is_said_of_a_spinlock_has_to_make_sense(
    tmp_path: Path, says: str, expected: str
) -> None:
    with pytest.raises(DescriptionError) as error:
        described(tmp_path, says)
    assert expected in str(error.value)


def test_a_circle_of_three_is_no_order(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    text = TEXT.replace("KERNEL", "").replace("SAYS", 'successor = "T"').replace("BODY", NESTED)
    file.write_text(text.replace("[resource.W]", '[resource.W]\nsuccessor = "S"'))
    with pytest.raises(DescriptionError) as error:
        load(file)
    for circle in ("S -> T -> W -> S", "T -> W -> S -> T", "W -> S -> T -> W"):
        assert f"leads back to {circle[0]}: {circle}; expected an order" in str(error.value)


def test_a_spinlock_that_no_other_cpu_uses_is_named(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text(
        '[task.a]\npriority = 1\nautostart = true\nbody = ["lock S", "run 1us", "unlock S"]\n'
        '[resource.S]\nlock = "tasks"\n'
    )
    with pytest.raises(DescriptionError) as error:
        load(file)
    assert (
        "some.toml:6: resource.S.lock: found tasks, of a resource with users on the CPU 0"
        in str(error.value)
    )


def test_a_word_holds_so_many_users(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    tasks = "".join(
        f"[task.t{i}]\npriority = {i + 1}\ncpu = {i % 2}\nautostart = true\n"
        'body = ["lock S", "unlock S", "run 1us"]\n'
        for i in range(33)
    )
    file.write_text(f"cpus = 2\n{tasks}[resource.S]\n")
    system = load(file)
    refuse_unfit(system, SIM, locks_of(system, SIM, "msrp"))
    found = problems_of(system, "spin-priority")
    assert "found 33 users; expected at most 32 with spin-priority" in found


def test_an_unknown_protocol_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="found 'spin'"):
        locks_of(described(tmp_path), SIM, "spin")
