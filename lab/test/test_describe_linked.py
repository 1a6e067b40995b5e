# SPDX-License-Identifier: MIT
"""Linked resources: one resource under several names."""

from dataclasses import replace
from pathlib import Path

from descriptions import described

from plafond.analyse.blocking import blocking_ns, reach_of
from plafond.build.levels import Levels
from plafond.describe.linux import needs_kernel
from plafond.describe.lock_order import find_deadlock
from plafond.describe.system import System
from plafond.protocols import Protocol

RESOURCES = '[resource.R]\n[resource.S]\n[resource.L]\nlinked = "R"\n[resource.M]\nlinked = "L"\n'
TASK = '[task.{}]\npriority = {}\narrival = "periodic 100ms"\nbody = {}\n'


def body(*steps: str) -> list[str]:
    """Lock by `+R` and unlock by `-R`, with runs of 1 ms around each step."""
    words = {"+": "lock", "-": "unlock"}
    return ["run 1ms", *(s for step in steps for s in (f"{words[step[0]]} {step[1:]}", "run 1ms"))]


def system_of(folder: Path, **bodies: list[str]) -> System:
    tasks = [TASK.format(name, 9 - i, steps) for i, (name, steps) in enumerate(bodies.items())]
    return described(folder, RESOURCES + "".join(tasks))


def test_all_names_have_the_ceiling_of_all_users(tmp_path: Path) -> None:
    system = system_of(
        tmp_path, A=body(), B=body("+M", "-M"), C=body("+R", "+L", "-L", "-R"), D=body("+S", "-S")
    )
    ceilings = {each.name: each.ceiling for each in system.resources}
    assert ceilings == {"R": 8, "L": 8, "M": 8, "S": 6}
    levels = Levels(system)
    assert [levels.ceiling(name) for name in "RLM"] == [3, 3, 3]
    a, b, c, _ = system.tasks
    assert (levels.most(a), levels.most(b), levels.most(c)) == (4, 3, 3)
    assert needs_kernel(system) == "the linked resource L"


def test_a_given_ceiling_and_a_floor_are_those_of_all_names(tmp_path: Path) -> None:
    given = RESOURCES.replace("[resource.R]\n", "[resource.R]\nceiling = {}\n")
    tasks = TASK.format("A", 9, body("+M", "-M")) + TASK.format("B", 5, body("+R", "-R"))
    system = described(tmp_path, given.format(11) + tasks)
    assert [each.ceiling for each in system.resources if each.name in "RLM"] == [11, 11, 11]
    deadlines = tasks.replace("priority = 9", 'deadline = "2ms"').replace("priority = 5", "")
    floors = described(tmp_path, f'scheduler = "edf"\n{RESOURCES}{deadlines}')
    assert {each.name: each.floor for each in floors.resources} == {
        "R": 2_000_000,
        "L": 2_000_000,
        "M": 2_000_000,
        "S": 100_000_000,
    }
    given = RESOURCES.replace("[resource.R]\n", '[resource.R]\nfloor = "1ms"\n')
    floors = described(tmp_path, f'scheduler = "edf"\n{given}{deadlines}')
    assert [each.floor for each in floors.resources if each.name in "RLM"] == [1_000_000] * 3


def test_what_blocks_counts_nested_names_once(tmp_path: Path) -> None:
    """C holds R alone for 2 ms, and both names for 1 ms. Under inheritance D's section counts,
    too."""
    system = system_of(
        tmp_path, A=body("+M", "-M"), B=body(), C=body("+R", "+L", "-L", "-R"), D=body("+L", "-L")
    )
    for name, ceiling_ms, inherit_ms in (("A", 3, 4), ("B", 3, 4), ("C", 1, 1), ("D", 0, 0)):
        (task,) = (task for task in system.tasks if task.name == name)
        for protocol, bound_ms in (
            (Protocol.CEILING, ceiling_ms),
            (Protocol.INHERIT, inherit_ms),
        ):
            found_ns = blocking_ns(system, task, protocol, reach_of(system, protocol))
            assert found_ns == bound_ms * 1_000_000


def test_each_name_lifts_as_the_others_do(tmp_path: Path) -> None:
    first, last = body("+R", "-R"), body("+M", "-M")
    for upper, lower in ((first, last), (last, first)):
        system = system_of(tmp_path, A=upper, B=body(), C=lower)
        reach = reach_of(system, Protocol.INHERIT)
        assert blocking_ns(system, system.tasks[1], Protocol.INHERIT, reach) == 1_000_000
        reversed_names = replace(system, resources=system.resources[::-1])
        assert reach_of(reversed_names, Protocol.INHERIT) == reach


def test_a_task_does_not_wish_for_what_it_holds_by_another_name(tmp_path: Path) -> None:
    """So the search still finds a single order, although there are too many chains to follow."""
    names = [f"P{i}" for i in range(25)]
    orders = [(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
    tasks = [body(f"+{one}", f"+{other}", f"-{other}", f"-{one}") for one, other in orders]
    tasks.append(body("+R", "+L", "-L", "-R"))
    text = RESOURCES + "".join(f"[resource.{name}]\n" for name in names)
    text += "".join(TASK.format(f"T{i}", 1, steps) for i, steps in enumerate(tasks))
    assert find_deadlock(described(tmp_path, text)) is None


def test_names_of_one_resource_are_no_order_of_locking(tmp_path: Path) -> None:
    """Names of one resource give no order, but each name gives an order with another resource."""
    one = system_of(tmp_path, A=body("+R", "+L", "-L", "-R"), B=body("+L", "+R", "-R", "-L"))
    assert find_deadlock(one) is None
    two = system_of(tmp_path, A=body("+R", "+S", "-S", "-R"), B=body("+S", "+M", "-M", "-S"))
    assert find_deadlock(two) is not None
    order = system_of(tmp_path, A=body("+R", "+S", "-S", "-R"), B=body("+M", "+S", "-S", "-M"))
    assert find_deadlock(order) is None


def test_a_name_inside_a_global_section_raises_all_names(tmp_path: Path) -> None:
    """In that section the task runs at the global ceiling, above a task that holds another name."""
    outer = TASK.format("A", 2, ["lock S", "lock R", "run 1ms", "unlock R", "unlock S"])
    rest = TASK.format("B", 3, body("+L", "-L")) + TASK.format("C", 4, body("+S", "-S"))
    text = f"cpus = 2\n{RESOURCES}{outer}{rest}cpu = 1\n"
    levels = Levels(described(tmp_path, text))
    assert levels.ceiling("R") == levels.ceiling("L") == levels.ceiling("S")


def test_users_of_the_names_are_in_one_server(tmp_path: Path) -> None:
    servers = "".join(
        f'[server.S{i}]\nkind = "polling"\npriority = {i + 1}\nperiod = "10ms"\nbudget = "2ms"\n'
        for i in range(2)
    )
    tasks = TASK.format("A", 9, body("+M", "-M")) + 'server = "S0"\n'
    other = TASK.format("B", 5, body("+R", "-R")) + 'server = "S0"\n'
    text = RESOURCES + servers + tasks + other
    assert described(tmp_path, text).resources_of_servers == ()
