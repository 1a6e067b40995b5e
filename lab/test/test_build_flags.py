# SPDX-License-Identifier: MIT
"""Warnings, folders of headers and flags of the compiler for the application's C."""

import subprocess
from pathlib import Path

import pytest
from patience import HUNG_S
from quick_images import build_quickly
from typer.testing import CliRunner

from plafond.cli import app
from plafond.describe import load
from plafond.describe.kernel import Warnings
from plafond.describe.problems import DescriptionError
from plafond.errors import PlafondError

TOML = """\
[kernel]
sources = ["tasks.c"]
trusted = ["hooks.c"]
hooks = ["startup"]
[task.only]
priority = 1
autostart = true
[task.body]
priority = 2
body = ["run 1us"]
autostart = true
"""
TASKS = """\
#include "os.h"
#include "limits of it.h"

TASK(only)
{
	int unused;

	ShutdownOS(LIMIT + sizeof(TEXT) + OF_HOOKS);
}
"""
HOOKS = """\
#include "os.h"
#include "more.h"

void StartupHook(void);
void StartupHook(void)
{
	int also_unused;
	_Static_assert(OF_HOOKS == 1, "the flags and folders are for both");
}
"""
FIELDS = 'include = ["inc", "in c"]\nflags = ["-DOF_HOOKS=1", \'-DTEXT="$(a b)"\', "-O1"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tasks.c").write_text(TASKS)
    (tmp_path / "hooks.c").write_text(HOOKS)
    (tmp_path / "inc").mkdir()
    (tmp_path / "in c").mkdir()
    (tmp_path / "inc" / "limits of it.h").write_text("#define LIMIT 3\n")
    (tmp_path / "in c" / "limits of it.h").write_text("#define LIMIT 99\n")
    (tmp_path / "in c" / "more.h").touch()
    return tmp_path


def write(folder: Path, fields: str) -> Path:
    file = folder / "some.toml"
    file.write_text(TOML.replace("[task.only]", f"{fields}[task.only]"))
    return file


def problem(folder: Path, fields: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        load(write(folder, fields))
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.board
@pytest.mark.parametrize("board", ["sim", pytest.param("a53", marks=pytest.mark.long)])
def test_warnings_do_not_keep_an_image_from_being_built(folder: Path, board: str) -> None:
    command = ["build", str(write(folder, FIELDS)), "--board", board]
    result = CliRunner().invoke(app, [*command, "--out", str(folder / "image")])
    assert result.exit_code == 0
    for file in ("tasks.c:6:13", "hooks.c:7:13"):
        assert f"{folder}/{file}: warning: unused variable" in result.stderr
    if board == "sim":
        ended = subprocess.run([folder / "image" / "image"], timeout=HUNG_S, check=False)
        assert ended.returncode == 3 + len("$(a b)") + 1 + 1


@pytest.mark.board
def test_warnings_are_errors_where_asked_and_silent_where_asked(folder: Path) -> None:
    image = folder / "image"
    with pytest.raises(PlafondError, match=r"tasks.c:6:13: error: unused variable"):
        build_quickly(load(write(folder, FIELDS + 'warnings = "errors"\n')), "sim", folder=image)
    silent = build_quickly(load(write(folder, FIELDS + 'warnings = "none"\n')), "sim", folder=image)
    assert silent.warnings == ()
    unless_one = FIELDS.replace('"-O1"', '"-Werror=unused-variable"')
    with pytest.raises(PlafondError, match=r"error: unused variable"):
        build_quickly(load(write(folder, unless_one)), "sim", folder=image)


@pytest.mark.board
def test_what_is_no_c_stays_an_error(folder: Path) -> None:
    (folder / "tasks.c").write_text(TASKS.replace("int unused;", "ActivateTaks(body);"))
    with pytest.raises(PlafondError, match=r"error: implicit declaration of function"):
        build_quickly(load(write(folder, FIELDS)), "sim", folder=folder / "image")


@pytest.mark.board
def test_a_header_that_the_kernel_hides_is_a_warning(folder: Path) -> None:
    for name in ("config.h", "system.h", "other.h"):
        (folder / "inc" / name).touch()
    warnings = build_quickly(load(write(folder, FIELDS)), "sim", folder=folder / "image").warnings
    hidden = [line.replace(f"{folder}/", "") for line in warnings if "not found" in line]
    assert hidden == [
        'inc/config.h: not found by trusted files that include "config.h": the kernel has a '
        "header of this name",
        'inc/system.h: not found by user and trusted files that include "system.h": the kernel '
        "has a header of this name",
    ]


def test_what_is_read(folder: Path) -> None:
    kernel = load(write(folder, FIELDS)).kernel
    assert kernel.include == ("inc", "in c")
    assert kernel.flags == ("-DOF_HOOKS=1", '-DTEXT="$(a b)"', "-O1")
    assert kernel.warnings is Warnings.SHOWN


@pytest.mark.parametrize(
    "flag",
    [
        *("-DA", "-DA=", "-DA(x, ...)=f(x) + 1", "-UA", "-O", "-O0", "-Os", "-g3", "-w"),
        *("-Wshadow", "-Wno-error=unused-variable", "-Wimplicit-fallthrough=3", "-std=gnu11"),
        *("-fno-strict-aliasing", "-fwrapv", "-funsigned-char", "-fno-builtin-memcpy"),
    ],
)
def test_flags_that_are_taken(folder: Path, flag: str) -> None:
    assert load(write(folder, f"flags = ['{flag}']\n")).kernel.flags == (flag,)


@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        ("-Iinc", "expected the folder in include of [kernel]"),
        ("-isystem", "expected the folder in include of [kernel]"),
        ("-include", "expected the header where the C files include it"),
        ("-mcpu=cortex-m4", "expected no flag of the processor: the board has its own"),
        ("-lm", "expected no library: "),
        *(
            (flag, "expected another macro: __, plf_ and PLF_ begin reserved names")
            for flag in (
                *("-DPLF_CONSOLE=1", "-Dplf_call=f", "-Dmain=f", "-D__GNUC__=3", "-D__BOARD__"),
                "-UPLF_TASKS",
            )
        ),
        *(
            (flag, "expected -D, -U, -O, -W, -std, -g, or -f of the language and of optimization")
            for flag in (
                *("O2", "-D", "-D 3"),
                *("-Wl,-z", "-Wa,x", "-Wp,-P", "-fPIC", "-flto", "-fshort-enums"),
                *("-fpack-struct", "-ffixed-x4", "-fno-function-sections", "-fsanitize=address"),
                *("-fplugin=x.so", "-fstack-protector", "-finstrument-functions", "-ansi"),
                *("-std=c89", "-O9", "-gsplit-dwarf", "-x", "-c", "-o", "-S", "-E", "-M", "-pg"),
                *(
                    "-specs=x",
                    "-B.",
                    "-T",
                    "@file",
                    "file.c",
                    "-nostdinc",
                    "-wrapper",
                    "-save-temps",
                ),
            )
        ),
    ],
)
def test_flags_that_would_break_the_image(folder: Path, flag: str, expected: str) -> None:
    fields = f'flags = ["-DA", "{flag}"]\n'
    assert problem(folder, fields).startswith(
        f"some.toml:5: kernel.flags[1]: found {flag}; {expected}"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            'include = ["inc", "cni"]',
            "5: kernel.include[1]: found no folder cni; expected a folder",
        ),
        ('include = ["tasks.c"]', "5: kernel.include[0]: found no folder tasks.c; expected a"),
        ('include = "inc"', '5: kernel.include: found "inc"; expected a list of folders beside'),
        ('flags = ["-x", "-DA", "-c"]', "5: kernel.flags[0]: found -x; expected -D, -U, -O, -W"),
        ('flags = ["-x", "-DA", "-c"]', "5: kernel.flags[2]: found -c; expected -D, -U, -O, -W"),
        ("flags = [3]", "5: kernel.flags[0]: found 3; expected a list of flags of the compiler"),
        (r'flags = ["-DA=\n"]', '5: kernel.flags[0]: found "-DA=\\n"; expected a list of flags'),
        ('warnings = "error"', '5: kernel.warnings: found "error"; expected one of shown, errors'),
    ],
)
def test_fields_that_are_wrong(folder: Path, fields: str, message: str) -> None:
    assert f"some.toml:{message}" in problem(folder, f"{fields}\n")
