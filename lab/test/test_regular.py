# SPDX-License-Identifier: MIT
"""Files that commands read: a FIFO, a device, a socket or ARXML gets a message at once."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import HUNG_S
from typer.testing import CliRunner

from plafond.cli import app
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read
from plafond.errors import PlafondError
from plafond.kernel_trace.recording import read_recording
from plafond.preload.loadable import why_not_loaded
from plafond.regular import open_regular
from plafond.reserve.report import read_recorded

FIFO = "found a FIFO, which is no regular file"
ARXML = (
    "found ARXML; expected another form: ARXML is not read; export OIL, or write the tasks as "
    "`plafond check --schema` says"
)
AUTOSAR = '<AUTOSAR xmlns="http://autosar.org/schema/r4.0"><AR-PACKAGES/></AUTOSAR>'


def fifo(file: Path) -> Path:
    """Make a FIFO without a writer: a plain open() for reading waits for ever."""
    os.mkfifo(file, 0o700)
    return file


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["check", "f.toml"], "expected a description (TOML)"),
        (["check", "f.json"], "expected a description (rt-app's JSON)"),
        (["analyse", "f.oil"], "expected a description (OIL)"),
        (["build", "f.toml", "--board", "sim"], "expected a description (TOML)"),
        (["run", "f.toml", "--on", "sim"], "expected a description (TOML)"),
        (["bench", "schedulability", "f.toml"], "expected a description (TOML)"),
        (["preload", "--ceilings", "f.toml", "true"], "expected a description (TOML)"),
        (["run", "--image", "f.elf"], "--image: cannot read f.elf"),
    ],
)
def test_a_command_does_not_wait_for_a_writer(
    tmp_path: Path, arguments: list[str], expected: str
) -> None:
    fifo(tmp_path / next(each for each in arguments if each.startswith("f.")))
    result = subprocess.run(
        [sys.executable, "-m", "plafond", *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
        timeout=HUNG_S,
    )
    assert result.returncode != 0
    assert FIFO in result.stderr
    assert expected in result.stderr


def included(file: Path) -> None:
    main = file.with_name("main.oil")
    main.write_text(f'#include "{file.name}"\nCPU C {{}};', encoding="utf-8")
    read(main)


@pytest.mark.parametrize("reads", [read, included, read_recording, read_recorded])
def test_no_reader_of_a_file_waits_for_a_writer(
    tmp_path: Path, reads: Callable[[Path], object]
) -> None:
    with pytest.raises(PlafondError):
        reads(fifo(tmp_path / "f"))


def test_a_program_that_is_a_fifo_is_left_to_the_kernel(tmp_path: Path) -> None:
    assert why_not_loaded(str(fifo(tmp_path / "app"))) is None


def test_other_kinds_of_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="found a device, which is no regular file"):
        open_regular(Path("/dev/zero"))
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="No such device"):
            open_regular(tmp_path / "socket")
    link = tmp_path / "link"
    link.symlink_to(fifo(tmp_path / "f"))
    with pytest.raises(OSError, match=FIFO):
        open_regular(link)
    (tmp_path / "plain").write_bytes(b"as it is")
    with open_regular(tmp_path / "plain") as opened:
        assert opened.read() == b"as it is"


@pytest.mark.parametrize("name", ["os.arxml", "OS.ARXML", "os.xml", "os.toml", "os.oil", "os.json"])
@pytest.mark.parametrize(
    "text",
    [
        f'<?xml version="1.0" encoding="UTF-8"?>{AUTOSAR}',
        f"\n<!-- of a > tool -->\n{AUTOSAR}",
        AUTOSAR.replace("AUTOSAR", "ar:AUTOSAR"),
    ],
)
def test_arxml_is_known_by_its_name_and_by_its_content(
    tmp_path: Path, name: str, text: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DescriptionError) as caught:
        read(file)
    assert str(caught.value) == f"{file}:1: {ARXML}"


def test_arxml_of_any_encoding_is_known_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "os.arxml"
    file.write_text(AUTOSAR, encoding="utf-16")
    with pytest.raises(DescriptionError, match="ARXML is not read"):
        read(file)


def test_a_report_on_arxml_is_json(tmp_path: Path) -> None:
    file = tmp_path / "os.arxml"
    file.write_text(AUTOSAR, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(file), "--format", "json"])
    assert [each["found"] for each in json.loads(result.stdout)["problems"]] == ["ARXML"]


@pytest.mark.parametrize("text", ["# <AUTOSAR>", 'name = "<AUTOSAR>"'])
def test_a_description_may_name_autosar(tmp_path: Path, text: str) -> None:
    file = tmp_path / "some.toml"
    file.write_text(text, encoding="utf-8")
    assert read(file).raw.keys() <= {"name"}
