# SPDX-License-Identifier: MIT
"""Resources of interrupt routines, and category 1: mutual exclusion, and refusals."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from plafond.board.boards import BOARDS
from plafond.build.configuration import configuration_of
from plafond.build.levels import Levels
from plafond.build.locks import locks_of
from plafond.build.refuse import refuse_unfit
from plafond.cli import app
from plafond.describe import System, load
from plafond.describe.problems import DescriptionError

TEXT = """
HEAD
[kernel]
sources = ["tasks.c"]
trusted = ["hooks.c"]
[task.low]
priority = 1
resources = ["R", "T"]
[task.mid]
priority = 5
resources = ["T"]
[task.high]
priority = 9
[task.elsewhere]
priority = 7
LAST
[resource.R]
[resource.T]
[resource.V]
[isr.a]
source = 4
resources = ["R", "V"]
[isr.b]
source = 5
"""


def described(folder: Path, head: str = "", last: str = "", more: str = "") -> System:
    (folder / "tasks.c").touch()
    (folder / "hooks.c").touch()
    file = folder / "some.toml"
    file.write_text(TEXT.replace("HEAD", head).replace("LAST", last) + more)
    return load(file)


def test_by_software_the_level_is_above_all_tasks(tmp_path: Path) -> None:
    system = described(tmp_path)
    levels = Levels(system)
    assert [levels.base(task) for task in system.tasks] == [4, 3, 2, 1]
    assert [levels.ceiling(name) for name in "RTV"] == [5, 2, 5]
    assert [levels.most(task) for task in system.tasks] == [4, 3, 2, 5]
    assert (levels.highest, levels.count) == (4, 6)
    made = configuration_of(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], None), None)
    assert (made.levels, made.isr_resources) == (6, (0b101, 0))


def test_without_such_resources_there_is_no_such_level(tmp_path: Path) -> None:
    system = described(tmp_path)
    text = (tmp_path / "some.toml").read_text().replace('resources = ["R", "V"]\n', "")
    (tmp_path / "some.toml").write_text(text)
    system = load(tmp_path / "some.toml")
    made = configuration_of(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], None), None)
    assert (made.levels, any(made.isr_resources)) == (5, False)
    assert Levels(system).ceiling("V") == 1


def test_by_hardware_it_is_that_of_the_interrupt(tmp_path: Path) -> None:
    levels = Levels(described(tmp_path, 'scheduler = "hardware"'))
    assert [levels.ceiling(name) for name in "RTV"] == [5, 2, 5]
    assert levels.count == 6
    more = '[isr.c]\nsource = 6\npriority = 6\nresources = ["T"]\n'
    system = described(tmp_path, 'scheduler = "hardware"', more=more)
    levels = Levels(system)
    assert [levels.base(task) for task in system.tasks] == [5, 4, 2, 1]
    assert [levels.ceiling(name) for name in "RT"] == [6, 3]
    assert [levels.isr(isr) for isr in system.isrs] == [6, 6, 3]


def test_all_tasks_of_the_cpu_wait_for_a_section(tmp_path: Path) -> None:
    """So in the analysis the section blocks all tasks of the CPU."""
    ceilings = {each.name: each.ceiling for each in described(tmp_path).resources}
    assert ceilings == {"R": 9, "T": 5, "V": 9}
    system = described(tmp_path, "cpus = 2", "cpu = 1")
    assert {each.name: each.ceiling for each in system.resources}["R"] == 9


def test_a_routine_of_another_cpu_that_locks_nothing_is_no_user(tmp_path: Path) -> None:
    system = described(tmp_path, "cpus = 2", more="[isr.c]\nsource = 6\ncpu = 1\n")
    assert [(isr.name, isr.resources) for isr in system.isrs if isr.cpu] == [("c", ())]


def test_the_levels_have_room_for_it(tmp_path: Path) -> None:
    def tasks(count: int) -> str:
        return "".join(f"[task.t{index}]\npriority = {index}\n" for index in range(10, 10 + count))

    fits, too_many = (described(tmp_path, more=tasks(count)) for count in (58, 59))
    refuse_unfit(fits, BOARDS["sim"], locks_of(fits, BOARDS["sim"], None))
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(too_many, BOARDS["sim"], locks_of(too_many, BOARDS["sim"], None))
    assert "found 64 different priorities and ceilings; expected at most 63" in str(refused.value)


def test_category_1_has_no_level(tmp_path: Path) -> None:
    system = described(
        tmp_path, 'scheduler = "hardware"', more="[isr.c]\nsource = 6\ncategory = 1\n"
    )
    assert [isr.category for isr in system.isrs] == [2, 2, 1]
    made = configuration_of(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], None), None)
    assert (made.category_1, made.isr_levels) == (0b100, (5, 5, 1))


def test_by_hardware_it_takes_the_highest_level(tmp_path: Path) -> None:
    tasks = "".join(f"[task.t{index}]\npriority = {index}\n" for index in range(10, 36))
    head, more = 'scheduler = "hardware"', "[isr.c]\nsource = 6\ncategory = 1\n"
    for text in (tasks, tasks.replace("[task.t35]\npriority = 35\n", "") + more):
        system = described(tmp_path, head, more=text)
        refuse_unfit(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], None))
    system = described(tmp_path, head, more=tasks + more)
    with pytest.raises(DescriptionError, match="expected at most 30 on a CPU"):
        refuse_unfit(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], None))


def test_check_names_the_routines(tmp_path: Path) -> None:
    described(tmp_path)
    printed = CliRunner().invoke(app, ["check", str(tmp_path / "some.toml")])
    assert printed.exit_code == 0
    rows = [line.split() for line in printed.stdout.splitlines()]
    assert ["R", "9", "low,", "interrupt", "a"] in rows
    assert ["T", "5", "low,", "mid"] in rows
    assert ["V", "9", "interrupt", "a"] in rows
