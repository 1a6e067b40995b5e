# SPDX-License-Identifier: MIT
"""The mutant of a loop runs its body once, and changes no other code."""

import subprocess
from pathlib import Path

import pytest

from proof.kernel.operators import CoreMutator, ImageMutator
from proof.mutator import Mutator

SOURCE = """
#include <stdio.h>
static int all(void)
{
	int rounds = 0, left = 3, found, tries = 0;
	for (int i = 0; i < 3; i++) {
		rounds++;
		if (i == 0)
			continue;
	}
	if (rounds > 9)
		rounds = 0;
	else
		while (left > 0 && rounds < 99)
			left--;
	for (found = 0; found < 3; found++)
		;
	for (;;)
		if (++tries > 1)
			break;
	while (++tries < 4)
		;
	do
		tries++;
	while (tries < 6);
	return 1000 * rounds + 100 * left + 10 * found + tries;
}
int main(void)
{
	printf("%d", all());
	return 0;
}
"""
FOUND = {
    "once for (int i = 0; i < 3; i++)": "1036",
    "once while (left > 0 && rounds < 99)": "3236",
    "once for (found = 0; found < 3; found++)": "3016",
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return the source's folder."""
    (tmp_path / "all.c").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def printed(folder: Path, source: bytes) -> str:
    """Return the output of the program."""
    flags = ("-Wall", "-Wextra", "-Werror", "-x", "c", "-o", "all", "-")
    subprocess.run(["gcc", *flags], input=source, cwd=folder, check=True)
    return subprocess.run([folder / "all"], capture_output=True, text=True, check=True).stdout


def test_a_loop_ends_after_its_first_round(program: Path) -> None:
    """Loops that only try again, and `do` loops, have no such mutant."""
    assert printed(program, SOURCE.encode()) == "3036"
    mutants = [m for m in Mutator(program, "all.c").mutants() if m.what.startswith("once ")]
    assert {m.what: printed(program, m.apply(SOURCE.encode())) for m in mutants} == FOUND


def test_the_kernels_operators_make_them_for_images(program: Path) -> None:
    """Only images have such mutants, because no sweep judges them."""
    assert not any(m.what.startswith("once ") for m in CoreMutator(program, "all.c").mutants())
    made = {m.what for m in ImageMutator(program, "all.c").mutants() if m.what.startswith("once ")}
    assert made == {*FOUND}
