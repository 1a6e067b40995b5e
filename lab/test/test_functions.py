# SPDX-License-Identifier: MIT
"""Protected functions: the domains of a description, their limits, and the guide's example."""

import re
from pathlib import Path

import pytest
from descriptions import described

from plafond.board.boards import BOARDS
from plafond.board.image import run_image
from plafond.board.qemu import serial_at_stdio
from plafond.build.functions import domains_of
from plafond.build.image import build_image
from plafond.build.locks import locks_of
from plafond.build.names import problems_of_names
from plafond.build.refuse import MOST_DOMAINS, refuse_unfit
from plafond.build.report import report_of
from plafond.describe import load
from plafond.describe.problems import DescriptionError, Problem

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/components.toml"
GUIDE = ROOT / "docs/kernel/protected-functions.md"
SHOWN = re.compile(
    r"^\$ \./plafond run --image build/kernel/components-a53/image\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LONGEST_S = 60.0
TOML = """
[kernel]
sources = ["tasks.c"]
[application]
A = {}
B = { stack = 5000, function = { F.callers = ["A"], G.callers = ["C"] } }
C = { function.H.callers = ["A"] }
D = { function.I.callers = ["B"] }
[task]
HIGH = { application = "A", priority = 2 }
LOW = { application = "C", priority = 1 }
"""


def with_files(folder: Path, text: str) -> Path:
    (folder / "tasks.c").write_text("")
    file = folder / "some.toml"
    file.write_text(text)
    return file


def test_a_task_has_a_domain_in_each_application_that_it_reaches(tmp_path: Path) -> None:
    system = load(with_files(tmp_path, TOML))
    found = [(each.task, each.application) for each in domains_of(system, 4096)]
    assert found == [
        *(("HIGH", "A"), ("LOW", "C")),
        *(("HIGH", "B"), ("HIGH", "C"), ("HIGH", "D"), ("LOW", "B"), ("LOW", "D")),
    ]
    # By function, in the order F, G, H, I.
    assert [each.to for each in domains_of(system, 4096)] == [
        *((2, 0, 3, 0), (0, 5, 0, 0)),
        *((0, 0, 0, 4), (0, 2, 0, 0), (0, 0, 0, 0), (0, 0, 0, 6), (0, 0, 0, 0)),
    ]
    assert [each.stack_bytes for each in domains_of(system, 4096)] == [
        *(0, 0),
        *(8192, 4096, 4096, 8192, 4096),
    ]
    assert {each.stack_bytes for each in domains_of(system, 0)} == {0}


def test_names_of_functions_are_those_of_c(tmp_path: Path) -> None:
    text = TOML.replace("LOW =", "F =").replace("HIGH", "Call_G").replace("D =", "FUNCTION_H =")
    found = list(problems_of_names(load(with_files(tmp_path, text))))
    assert [(each.where, each.found) for each in found] == [
        (("application", "B", "function", "F"), "F"),
        (("application", "B", "function", "G"), "Call_G"),
        (("application", "C", "function", "H"), "FUNCTION_H"),
    ]


@pytest.mark.parametrize("more", [0, 1])
def test_a_byte_numbers_the_domains(tmp_path: Path, more: int) -> None:
    """Tasks in A have four domains each. Tasks in E, which call nothing, have a single domain."""
    in_a = 4
    owners = ["A"] * in_a + ["E"] * (MOST_DOMAINS - 4 * in_a + more)
    tasks = "".join(
        f'T{i} = {{ application = "{owner}", priority = 1 }}\n' for i, owner in enumerate(owners)
    )
    text = TOML.partition("[task]")[0].replace("A = {}", "A = {}\nE = {}")
    system = load(with_files(tmp_path, f"{text}[task]\n{tasks}"))
    count = len(domains_of(system, 4096))
    assert count == MOST_DOMAINS + more
    if not more:
        return
    with pytest.raises(DescriptionError) as refused:
        refuse_unfit(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], None))
    expected = Problem(
        ("application",),
        f"{count} tasks, and tasks in other applications",
        f"at most {MOST_DOMAINS} on sim",
    )
    assert expected in [problem for _, problem in refused.value.problems]


def test_systems_without_functions_have_no_domains(tmp_path: Path) -> None:
    system = described(
        tmp_path, '[task.T]\npriority = 1\nbody = ["run 1ms"]\narrival = "periodic 9ms"\n'
    )
    assert domains_of(system, 4096) == ()


@pytest.mark.board
def test_the_guide_shows_what_the_example_prints(tmp_path: Path) -> None:
    image = build_image(load(EXAMPLE), "a53", "uprio-nprio", tmp_path)
    shown = SHOWN.search(GUIDE.read_text())
    assert shown
    assert run_image(image.path, image.board, LONGEST_S, serial_at_stdio()) == shown[1]
    stacks = {row.task: (row.given, row.by_compiler) for row in report_of(image).stacks}
    assert stacks["steer in SENSORS"] == (4096, 0)
