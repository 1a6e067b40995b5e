# SPDX-License-Identifier: MIT
"""Priorities of interrupts: routines that nest, in TOML and in OIL, and refusals."""

from pathlib import Path

import pytest

from plafond.board.boards import BOARDS
from plafond.build.configuration import Configuration, configuration_of
from plafond.build.levels import Levels
from plafond.build.locks import locks_of
from plafond.build.refuse import refuse_unfit
from plafond.describe import System, load
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read
from plafond.describe.toml_text import toml_text

TEXT = """
HEAD
[kernel]
sources = ["tasks.c"]
trusted = ["hooks.c"]
[task.low]
priority = 3
deadline = "1ms"
[task.high]
priority = 9
deadline = "1ms"
"""
OIL = """
CPU c {
  OS o { APP_SRC = "tasks.c"; TRUSTED_SRC = "hooks.c"; USERESSCHEDULER = FALSE; };
  TASK t { PRIORITY = 3; };
  OBJECTS
};
"""


def described(folder: Path, isrs: str, head: str = "") -> System:
    (folder / "tasks.c").touch()
    (folder / "hooks.c").touch()
    file = folder / "some.toml"
    file.write_text(TEXT.replace("HEAD", head) + isrs)
    return load(file)


def described_in_oil(folder: Path, objects: str) -> System:
    (folder / "tasks.c").touch()
    (folder / "hooks.c").touch()
    file = folder / "some.oil"
    file.write_text(OIL.replace("OBJECTS", objects))
    return load(file)


def isr(source: int, fields: str) -> str:
    return f"[isr.i{source}]\nsource = {source}\n{fields}\n"


def prioritised(*priorities: int | None) -> str:
    fields = [f"priority = {each}" if each else "" for each in priorities]
    return "".join(isr(source, each) for source, each in enumerate(fields))


def made_of(system: System) -> Configuration:
    return configuration_of(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], None), None)


def levels_of(system: System) -> list[int]:
    return [*made_of(system).isr_levels]


@pytest.mark.parametrize(
    ("priorities", "nesting", "levels"),
    [
        ((7, 2, 7, 63), 3, [3, 2, 3, 4]),
        ((7, None, 2), 3, [3, 4, 2]),  # without a priority it is above all others, as by hardware
        ((None, 1), 2, [3, 2]),
        ((7, 7, 7), 0, [1, 1, 1]),  # the same image as without priorities
        ((None, None), 0, [1, 1]),
        ((4,), 0, [1]),
    ],
)
def test_different_priorities_nest(
    tmp_path: Path, priorities: tuple[int | None, ...], nesting: int, levels: list[int]
) -> None:
    system = described(tmp_path, prioritised(*priorities))
    assert (made_of(system).nesting, levels_of(system)) == (nesting, levels)


def test_they_are_no_priorities_of_tasks(tmp_path: Path) -> None:
    """By software, interrupts are above all tasks, and share no level with a task."""
    isrs = isr(1, "priority = 5") + isr(2, 'priority = 2\nresources = ["R"]') + "[resource.R]\n"
    system = described(tmp_path, isrs)
    assert [Levels(system).base(task) for task in system.tasks] == [2, 1]
    assert [Levels(system).ceiling("R"), made_of(system).levels] == [3, 4]
    assert [each.ceiling for each in system.resources] == [9]


def test_each_cpu_by_itself(tmp_path: Path) -> None:
    isrs = isr(1, "priority = 5") + isr(2, "cpu = 1\npriority = 9") + isr(3, "priority = 9")
    system = described(tmp_path, isrs, "cpus = 2")
    assert (made_of(system).nesting, levels_of(system)) == (2, [2, 2, 3])
    system = described(tmp_path, isrs.replace("priority = 5", "priority = 9"), "cpus = 2")
    assert (made_of(system).nesting, levels_of(system)) == (0, [1, 1, 1])


def test_category_1_has_no_rank(tmp_path: Path) -> None:
    system = described(tmp_path, prioritised(4, None) + isr(7, "category = 1"))
    assert (made_of(system).nesting, levels_of(system)) == (2, [2, 3, 1])
    system = described(tmp_path, prioritised(4, 4) + isr(7, "category = 1"))
    assert made_of(system).nesting == 0


def test_by_hardware_none_nest(tmp_path: Path) -> None:
    system = described(tmp_path, prioritised(3, 5, None), 'scheduler = "hardware"')
    assert (made_of(system).nesting, levels_of(system)) == (0, [1, 2, 4])


@pytest.mark.parametrize(("most", "more"), [(30, ""), (29, isr(40, "category = 1"))])
def test_the_controller_has_levels_for_them(tmp_path: Path, most: int, more: str) -> None:
    def refuse(count: int) -> None:
        system = described(tmp_path, prioritised(*range(1, count + 1)) + more)
        refuse_unfit(system, BOARDS["a53"], locks_of(system, BOARDS["a53"], None))

    refuse(most)
    message = f"{most + 1} different priorities of interrupts on a CPU; expected at most {most}: "
    with pytest.raises(DescriptionError, match=message):
        refuse(most + 1)


def test_in_oil(tmp_path: Path) -> None:
    system = described_in_oil(
        tmp_path,
        "ISR a { INTERRUPT = 4; PRIORITY = 20; }; ISR b { INTERRUPT = 5; PRIORITY = 3; };"
        "ISR c { INTERRUPT = 6; };",
    )
    assert [each.priority for each in system.isrs] == [20, 3, None]
    assert levels_of(system) == [3, 2, 4]
    source = read(tmp_path / "some.oil")
    assert source.notes == ()
    (tmp_path / "again.toml").write_text(toml_text(source.raw))
    assert load(tmp_path / "again.toml").isrs == system.isrs


def test_in_oil_any_numbers_are_ranked(tmp_path: Path) -> None:
    system = described_in_oil(
        tmp_path,
        "ISR a { INTERRUPT = 4; PRIORITY = 200; }; ISR b { INTERRUPT = 5; PRIORITY = 0; };\n"
        "ISR c { INTERRUPT = 6; CATEGORY = 1; PRIORITY = 255; };",
    )
    assert [each.priority for each in system.isrs] == [2, 1, None]
    notes = read(tmp_path / "some.oil").notes
    [ranked, beside] = sorted(notes, key=lambda note: "ignored" in note)
    assert "ISR.a.PRIORITY: 200 is not from 1 to " in ranked
    assert ranked.endswith("so each priority becomes its rank: 0 becomes 1, 200 becomes 2")
    assert beside.endswith("some.oil:6: ISR.c.PRIORITY: ignored: category 1 is above all others")
