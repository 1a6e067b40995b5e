# SPDX-License-Identifier: MIT
"""A trap in the kernel's mode is reported with the function and the line."""

from pathlib import Path

import pytest
from patience import HUNG_S
from typer.testing import CliRunner

from plafond.board.image import run_image
from plafond.board.terminal import EndedBadlyError
from plafond.build.image import Image, build_image
from plafond.cli import app
from plafond.describe import load
from plafond.errors import PlafondError

pytestmark = pytest.mark.board

TOML = """\
[kernel]
hooks = ["startup"]
trusted = ["hooks.c"]
[task.only]
priority = 1
autostart = true
body = ["run 1us"]
"""
HOOKS = """\
#include "os.h"

void StartupHook(void);
void StartupHook(void)
{
	*(volatile int *)16 = 1;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Share one folder, so each image is built once."""
    return tmp_path_factory.mktemp("described")


def built(folder: Path, *, for_tools: bool = True) -> Image:
    (folder / "hooks.c").write_text(HOOKS)
    (folder / "some.toml").write_text(TOML)
    system = load(folder / "some.toml")
    image = folder / ("for-tools" if for_tools else "plain")
    return build_image(system, "a53", folder=image, for_tools=for_tools)


def test_the_line_is_named(folder: Path) -> None:
    image = built(folder)
    with pytest.raises(PlafondError) as caught:
        run_image(image.path, image.board, HUNG_S)
    first, *console = str(caught.value).splitlines()
    assert first == (
        "image on a53 trapped: the kernel did what it may not, in StartupHook "
        "(/description/hooks.c:6); the last lines that it wrote:"
    )
    assert console[0].startswith("  | plafond: trap in the kernel: ESR 0x")


def test_without_lines_the_function_is_named(folder: Path) -> None:
    image = built(folder, for_tools=False)
    with pytest.raises(PlafondError, match=r"may not, in StartupHook; the last lines"):
        run_image(image.path, image.board, HUNG_S)


def test_at_the_terminal_a_command_is_named(folder: Path) -> None:
    image = built(folder)
    result = CliRunner().invoke(app, ["run", "--image", str(image.path), "--limit", f"{HUNG_S}"])
    assert isinstance(result.exception, EndedBadlyError)
    assert str(result.exception) == (
        f"{image.path} on a53 trapped: the kernel did what it may not; "
        f"aarch64-linux-gnu-addr2line -fe {image.path} ELR names the line"
    )
