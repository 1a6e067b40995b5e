# SPDX-License-Identifier: MIT
"""Random systems are the same as a description, as OIL, and as the TOML printed from OIL."""

import tomllib
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from oil_systems import Writer, random_tables
from typer.testing import CliRunner

from plafond.cli import app
from plafond.describe import load
from plafond.describe.read import read
from plafond.describe.system import System
from plafond.describe.toml_text import toml_text

SYSTEMS = 30
MORE = 200


def system(file: Path) -> System:
    """Return the system of a file without the file's place."""
    return replace(load(file), file=None)


def check(folder: Path, seed: int) -> None:
    random = Random(seed)
    tables = random_tables(random)
    text, part = Writer(random).text(tables)
    for name in ("tasks.c", "more.c", "own.c", "trusted.c", "mixed.c", "types.h"):
        (folder / name).touch()
    (folder / "part.oil").write_text(part)
    (folder / "some.oil").write_text(text)
    described = folder / "some.toml"
    described.write_text(toml_text(tables))
    assert system(folder / "some.oil") == system(described)
    raw = read(folder / "some.oil").raw
    described.write_text(toml_text(raw))
    assert tomllib.loads(described.read_text()) == raw
    assert system(described) == system(folder / "some.oil")


@pytest.mark.parametrize("seed", range(SYSTEMS))
def test_a_system_is_the_same_as_oil_and_as_what_is_printed(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


@pytest.mark.long
def test_many_systems_are_the_same(tmp_path: Path) -> None:
    for seed in range(SYSTEMS, SYSTEMS + MORE):
        check(tmp_path, seed)


def test_the_command_prints_what_is_read(tmp_path: Path) -> None:
    check(tmp_path, 1)
    printed = CliRunner().invoke(app, ["check", str(tmp_path / "some.oil"), "--toml"])
    assert printed.exit_code == 0
    assert tomllib.loads(printed.stdout) == read(tmp_path / "some.oil").raw
