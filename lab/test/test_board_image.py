# SPDX-License-Identifier: MIT
"""Images that end well, and images that hang, trap or end with an error: one clear message."""

import subprocess
from pathlib import Path

import pytest
from kernel_runs import described, image_of
from patience import HUNG_S

from plafond.board.boards import BOARDS
from plafond.board.image import run_image
from plafond.board.qemu import cpus_of
from plafond.errors import PlafondError, RefusedError

pytestmark = pytest.mark.board

BOTH = pytest.mark.parametrize("board", ["sim", "a53"])

SPINNING = """
[kernel]
sources = ["spinning_tasks.c"]
trusted = ["spinning_hooks.c"]
hooks = ["startup"]
[task.T]
priority = 1
autostart = true
"""
TASK = '#include "os.h"\nTASK(T)\n{{\n\t{body}\n}}\n'
HOOK = """\
#include "os.h"
void StartupHook(void);
void StartupHook(void)
{{
	{body}
}}
"""


def image(board: str, task: str, hook: str = "") -> Path:
    """Build an image with this code in its task and start-up hook, in place of the last image.

    All images have one description, so only their C is compiled again.
    """
    sources = {
        "spinning_tasks.c": TASK.format(body=task),
        "spinning_hooks.c": HOOK.format(body=hook),
    }
    system = described("spinning", SPINNING, sources)
    return image_of(system, board, "uprio-nprio").path


def script(folder: Path, text: str) -> Path:
    file = folder / "image"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def fault_of(file: Path, board: str = "sim", limit_s: float = HUNG_S) -> str:
    with pytest.raises(PlafondError) as raised:
        run_image(file, BOARDS[board], limit_s)
    return str(raised.value)


@BOTH
def test_an_image_that_shuts_down_is_fine(board: str) -> None:
    assert run_image(image(board, "ShutdownOS(E_OK);"), BOARDS[board], HUNG_S) == ""


@BOTH
def test_an_error_is_named(board: str) -> None:
    said = fault_of(image(board, "ShutdownOS(E_OS_LIMIT);"), board)
    place = ": ShutdownOS() in task T" if board == "sim" else ""
    assert said == f"image on {board} ended with E_OS_LIMIT{place}; it wrote nothing"


@BOTH
def test_an_image_that_hangs_is_ended(board: str) -> None:
    file = image(board, "for (;;)\n\t\t;")
    assert fault_of(file, board, 1).startswith(f"image on {board} hung: it had not ended after 1 s")
    left = subprocess.run(["pgrep", "-f", str(file)], capture_output=True, check=False)
    assert left.returncode == 1


def test_an_image_that_waits_for_ever_says_so() -> None:
    file = image("sim", "TerminateTask();")
    assert "image on sim hung: nothing runs, and nothing will ever come" in fault_of(file)


def test_a_trap_in_the_kernel_fails_with_its_line() -> None:
    said = fault_of(image("a53", ";", "__builtin_trap();"), "a53")
    assert said.startswith("image on a53 trapped: the kernel did what it may not, in StartupHook (")
    assert "trap in the kernel" in said


TWO_CORES = """
cpus = 2
[task.T]
priority = 1
autostart = true
cpu = 1
body = ["run 1us"]
"""


def test_an_image_says_how_many_cores_it_is_for() -> None:
    assert cpus_of(image_of(described("absent", TWO_CORES), "a53", "uprio-nprio").path) == 2
    assert cpus_of(image("a53", ";")) == 1


def test_a_core_that_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plafond.board.qemu.cpus_of", lambda _: 1)
    file = image_of(described("absent", TWO_CORES), "a53", "uprio-nprio").path
    with pytest.raises(PlafondError, match="a core does not start: run QEMU with -smp as the"):
        run_image(file, BOARDS["a53"], HUNG_S)


def test_a_trap_of_the_simulated_processor_names_the_signal() -> None:
    said = fault_of(image("sim", ";", "__builtin_trap();"))
    assert "image on sim was ended by SIGILL" in said


def test_the_last_lines_are_shown(tmp_path: Path) -> None:
    said = fault_of(script(tmp_path, "seq 100; echo oh >&2; exit 100"))
    assert said.splitlines()[0].endswith(
        "trapped: the kernel did what it may not; the last lines that it wrote:"
    )
    assert said.splitlines()[-2:] == ["  | 100", "  | oh"]
    assert len(said.splitlines()) == 21


def test_an_unknown_exit_code_is_reported(tmp_path: Path) -> None:
    assert "ended with the exit code 77" in fault_of(script(tmp_path, "exit 77"))


def test_a_missing_emulator_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RefusedError, match="apt install qemu-system-arm"):
        run_image(tmp_path / "image", BOARDS["a53"], HUNG_S)


def test_what_the_emulator_says_is_shown(tmp_path: Path) -> None:
    said = fault_of(tmp_path / "missing", "a53")
    assert "missing on a53 did not run: qemu-system-aarch64: " in said
