# SPDX-License-Identifier: MIT
"""The marks show which code ran, even in children and in processes that end without cleanup."""

import os
import subprocess
from pathlib import Path

import pytest

from proof.mutation import Mutant
from proof.result import ROOT
from proof.stepped.marks import Block, Marks, Reached, mark

SOURCE = """
#include <sys/wait.h>
#include <unistd.h>
static int way(int argc)
{
	switch (argc) {
	case 1: { return 1; }
	default: { return 2; }
	}
}
int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		if (fork() == 0) { _exit(way(1)); }
		wait(0);
	}
	_exit(0);
}
"""


@pytest.fixture
def blocks(tmp_path: Path) -> list[Block]:
    """Return the blocks of the program, which is built with marks."""
    (tmp_path / "program.c").write_text(SOURCE, encoding="utf-8")
    found = mark(tmp_path, ["program.c"])
    marks = ROOT / "proof/stepped/marks.c"
    subprocess.run(["gcc", "-o", "program", "program.c", marks], cwd=tmp_path, check=True)
    return found


def ran(folder: Path, *arguments: str) -> frozenset[int]:
    """Return the marks of a run."""
    marks = Marks(folder / "marks")
    environment = {**os.environ, **marks.environment}
    subprocess.run([folder / "program", *arguments], env=environment, check=True)
    return marks.numbers()


def texts(blocks: list[Block], numbers: frozenset[int]) -> list[str]:
    """Return the beginnings of the blocks that ran."""
    return sorted(SOURCE[blocks[n].start : blocks[n].end].split(";")[0].strip() for n in numbers)


def test_only_the_blocks_that_ran_are_marked(tmp_path: Path, blocks: list[Block]) -> None:
    """The body of a `switch` is no block, because its first statement is jumped over."""
    assert texts(blocks, ran(tmp_path)) == ["(void)argv"]
    assert len(blocks) == 6


def test_a_child_that_exits_at_once_leaves_its_marks(tmp_path: Path, blocks: list[Block]) -> None:
    """The file is shared, so the child need not write it at its end."""
    assert "return 1" in texts(blocks, ran(tmp_path, "child"))
    assert "return 2" not in texts(blocks, ran(tmp_path, "child"))


def test_a_fault_shows_only_where_its_innermost_block_ran(
    tmp_path: Path, blocks: list[Block]
) -> None:
    """A fault outside of all blocks may show anywhere."""
    reached = Reached(blocks, {"alone": ran(tmp_path), "child": ran(tmp_path, "child")})

    def fault(text: str) -> Mutant:
        start = SOURCE.index(text)
        return Mutant("program.c", "way", 1, text, start, start + len(text), ";")

    assert reached.may_show("child", fault("return 1;"))
    assert not reached.may_show("alone", fault("return 1;"))
    assert not reached.may_show("child", fault("return 2;"))
    assert reached.may_show("alone", fault("#include <unistd.h>"))
