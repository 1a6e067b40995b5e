# SPDX-License-Identifier: MIT
"""An image of a board that ends with an error: the message names the task, the service and the
line."""

import subprocess
from pathlib import Path

import pytest

from plafond.board.terminal import EndedBadlyError, run_at_our_terminal
from plafond.build.image import Image, build_image
from plafond.describe import load

pytestmark = pytest.mark.board

TOML = """\
[kernel]
hooks = ["startup", "error"]
{files}
[task.beat]
priority = 1
autostart = true
[isr.key]
source = 5
"""
APART = 'sources = ["tasks.c"]\ntrusted = ["hooks.c"]'
MIXED = 'mixed = ["tasks.c", "hooks.c"]'
TASKS = """\
#include "os.h"
static volatile int ended;
static void fail(void)
{
	ShutdownOS(E_OS_VALUE);
	ended = 1;
}
TASK(beat)
{
	STEP;
	TerminateTask();
}
"""
FAILS, STEP = 5, 10  # lines of the file
HOOKS = """\
#include "os.h"
#include "kernel/port.h"
void StartupHook(void);
void ErrorHook(StatusType status);
void StartupHook(void)
{
	START;
}
void ErrorHook(StatusType status)
{
	ShutdownOS(status);
}
ISR(key)
{
	ShutdownOS(E_OS_STATE);
}
"""
NOTHING = "(void)0"
CALLED = "(void)fail"  # every image refers to `fail`


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Share one folder, so the kernel's part of an image is compiled once, and once for mixed
    files."""
    return tmp_path_factory.mktemp("described")


def built(
    folder: Path, files: str, step: str, start: str = NOTHING, *, for_tools: bool = True
) -> Image:
    """Build an image with these steps, in place of the last image."""
    place = folder / ("mixed" if files == MIXED else "apart")
    place.mkdir(exist_ok=True)
    (place / "tasks.c").write_text(TASKS.replace("STEP", f"{CALLED}; {step}"))
    (place / "hooks.c").write_text(HOOKS.replace("START", start))
    (place / "it.toml").write_text(TOML.format(files=files))
    system, name = load(place / "it.toml"), "for-tools" if for_tools else "plain"
    return build_image(system, "a53", folder=place / name, for_tools=for_tools)


def ending(
    folder: Path, files: str, step: str, start: str = NOTHING, *, for_tools: bool = True
) -> str:
    """Return the message about the end, without the image's path."""
    image = built(folder, files, step, start, for_tools=for_tools)
    with pytest.raises(EndedBadlyError) as caught:
        run_at_our_terminal(image.path, 60, None)
    return str(caught.value).removeprefix(f"{image.path} on a53 ended with ")


@pytest.mark.parametrize("files", [APART, MIXED])
def test_a_task_that_ends_the_system_is_named_with_its_line(folder: Path, files: str) -> None:
    assert ending(folder, files, "fail()") == (
        f"E_OS_VALUE: ShutdownOS() in task beat (/description/tasks.c:{FAILS})"
    )


@pytest.mark.parametrize("files", [APART, MIXED])
def test_a_fault_is_named_with_its_line(folder: Path, files: str) -> None:
    step = '__asm__ volatile("str xzr, [%0]" ::"r"((uintptr_t)16) : "memory")'
    assert ending(folder, files, step) == (
        f"E_OS_PROTECTION_MEMORY, in task beat (/description/tasks.c:{STEP})"
    )


def test_a_fault_at_no_line(folder: Path) -> None:
    step = '__asm__ volatile("br %0" ::"r"((uintptr_t)16))'
    assert ending(folder, APART, step) == "E_OS_PROTECTION_MEMORY, in task beat"


@pytest.mark.parametrize("files", [APART, MIXED])
def test_a_hook_is_named_with_the_service_that_called_it(folder: Path, files: str) -> None:
    assert ending(folder, files, "ActivateTask(beat)") == (
        f"E_OS_LIMIT: ShutdownOS() in ErrorHook, when task beat ran (/description/tasks.c:{STEP})"
    )


def test_a_handler_is_named_with_what_it_interrupted(folder: Path) -> None:
    assert ending(folder, APART, "for (;;)\n\t\t", "plf_port_raise(5)").startswith(
        "E_OS_STATE: ShutdownOS() in a handler, when task beat ran"
    )
    idle = ending(folder, APART, "TerminateTask()", "plf_port_raise(5)")
    assert idle.startswith("E_OS_STATE: ShutdownOS() in a handler, when ")


def test_a_hook_before_all_tasks(folder: Path) -> None:
    assert ending(folder, APART, NOTHING, "ShutdownOS(E_OS_ID)") == (
        "E_OS_ID: ShutdownOS() in StartupHook, when no task ran"
    )


def test_without_what_debuggers_read_the_status_is_named(folder: Path) -> None:
    assert ending(folder, APART, "fail()", for_tools=False) == "E_OS_VALUE"


def test_an_image_that_is_no_longer_awaited_leaves_nothing(folder: Path) -> None:
    image = built(folder, APART, "for (;;)\n\t\t")
    with pytest.raises(EndedBadlyError, match="had not ended after 1 s"):
        run_at_our_terminal(image.path, 1, None)
    left = subprocess.run(["pgrep", "-f", str(image.path)], capture_output=True, check=False)
    assert left.returncode == 1
