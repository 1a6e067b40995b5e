# SPDX-License-Identifier: MIT
"""#include of OIL: search folders, files outside of them, and gcc's preprocessor."""

import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plafond.build.image import build_image
from plafond.cli import app
from plafond.describe import load
from plafond.describe.kernel import Hook, Status
from plafond.describe.oil import preprocessed
from plafond.describe.problems import DescriptionError
from plafond.errors import ArgumentError

TASK = "TASK T { PRIORITY = 1; AUTOSTART = TRUE; };"
SECRET = "topsecret:x:1:1\n"
HIDDEN = "found text that is not shown, because its file lies in no search folder (-I)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the description; `lib` and `other` lie beside it."""
    for name in ("main", "lib", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "secret").write_text(SECRET)
    return tmp_path / "main"


def names(file: Path, *folders: Path) -> list[str]:
    return [task.name for task in load(file, folders).tasks]


def said(folder: Path, text: str, *folders: Path) -> str:
    """Return the message about a wrong description."""
    file = folder / "some.oil"
    file.write_text(text)
    with pytest.raises(DescriptionError) as caught:
        load(file, folders)
    return str(caught.value).replace(f"{folder.parent}/", "")


def test_search_folders(folder: Path) -> None:
    """For "NAME" the folder of the file comes first, for <NAME> the search folders."""
    lib, other = folder.parent / "lib", folder.parent / "other"
    for place in (folder, lib, other):
        (place / "t.oil").write_text(f"CPU c {{ TASK {place.name} {{ PRIORITY = 1; }}; }};")
    file = folder / "some.oil"
    for directive, folders, found in (
        ('"t.oil"', (lib, other), "main"),
        ("<t.oil>", (lib, other), "lib"),
        ("<t.oil>", (other, lib), "other"),
        ("<t.oil>", (), "main"),
        (f'"{other}/t.oil"', (lib,), "other"),
    ):
        file.write_text(f"#include {directive}\n")
        assert names(file, *folders) == [found]
    (folder / "t.oil").unlink()
    file.write_text('#include "t.oil"\n')
    assert names(file, lib, other) == ["lib"]
    message = said(folder, '#include "t.oil"\n')
    assert message == (
        "main/some.oil:1: found no file main/t.oil; expected an OIL file beside the one that "
        "includes it, or in a folder that -I names"
    )


def test_a_missing_file_of_a_tool_is_for_a_build(folder: Path) -> None:
    """A file in brackets belongs to a tool; a file in quotes belongs to the description."""
    file = folder / "some.oil"
    file.write_text(f'#include <arch.oil>\nCPU c {{ OS o {{ APP_SRC = "t.c"; }}; {TASK} }};')
    (folder / "t.c").touch()
    printed = CliRunner().invoke(app, ["check", str(file)])
    assert (printed.exit_code, printed.stderr) == (
        0,
        f"{file}:1: <arch.oil> lies in no search folder, so it is not read\n",
    )
    said = f"{file}:1: found no file <arch.oil>; expected its folder: -I FOLDER"
    assert printed.stdout.endswith(f"to build it, add:\n  // {said}\n")
    with pytest.raises(DescriptionError) as caught:
        build_image(load(file), "sim")
    assert str(caught.value) == said
    (folder.parent / "lib/arch.oil").write_text("IMPLEMENTATION i { };")
    assert load(file, (folder.parent / "lib",)).needs is None


def test_a_file_finds_the_files_beside_the_file_that_includes_it(folder: Path) -> None:
    (folder.parent / "lib/theirs.oil").write_text('#include "ours.oil"\n')
    (folder / "ours.oil").write_text(f"CPU c {{ {TASK} }};")
    file = folder / "some.oil"
    file.write_text('#include "../lib/theirs.oil"\n')
    assert names(file) == ["T"]


def test_a_description_may_name_search_folders(folder: Path) -> None:
    lib = folder.parent / "lib"
    (lib / "a.oil").write_text("#include <b.oil>\n")
    (folder.parent / "other/b.oil").write_text(f"CPU c {{ {TASK} }};")
    file = folder / "some.oil"
    file.write_text(
        '#include <a.oil>\n#pragma include "../lib" // theirs\n#pragma include "../other"'
    )
    assert names(file) == ["T"]
    (lib / "b.oil").write_text('#pragma include "/"\n')
    assert said(folder, file.read_text()) == (
        'main/../lib/b.oil:1: found #pragma include "/"; expected #include "FILE", the only '
        "directive of OIL"
    )
    message = said(folder, '\n#pragma include "no"\n')
    assert message == "main/some.oil:2: found no folder main/no; expected a folder with OIL files"


def test_commands_take_search_folders(folder: Path) -> None:
    """Errors of a build read the file once more, with the same folders."""
    lib = folder.parent / "lib"
    (lib / "t.oil").write_text("CPU c {\n  TASK int { PRIORITY = 1; };\n};")
    (folder / "t.c").touch()
    file = folder / "some.oil"
    file.write_text('#include <t.oil>\nCPU c { OS o { APP_SRC = "t.c"; }; };')
    for arguments in (["check", str(file)], ["analyse", str(file)], ["check", "--toml", str(file)]):
        for option in (["-I", str(lib)], ["-I", str(folder), "--include", str(lib)]):
            assert CliRunner().invoke(app, [*arguments, *option]).exit_code == 0
    for arguments in (["build", "--board", "sim"], ["run", "--on", "sim"]):
        done = CliRunner().invoke(app, [*arguments, str(file), "-I", str(lib)])
        assert f"{lib}/t.oil:2: TASK.int: found int; expected another name" in str(done.exception)
    done = CliRunner().invoke(app, ["check", str(file), "-I", str(folder / "no")])
    assert isinstance(done.exception, ArgumentError)
    assert str(done.exception) == f"-I: found {folder}/no; expected a folder"
    with pytest.raises(DescriptionError, match=r"t.oil:2: TASK.int: found int; expected another"):
        build_image(load(file, (lib,)), "sim")


@pytest.mark.parametrize("path", ["../secret", "{}/secret", "link", "../lib/nested"])
@pytest.mark.parametrize("before", ["", "#define X\n"])
def test_the_text_of_a_file_outside_is_not_shown(folder: Path, path: str, before: str) -> None:
    """Also behind a link, by way of another file, and through gcc."""
    (folder / "link").symlink_to(folder.parent / "secret")
    (folder.parent / "lib/nested").write_text('#include "../secret"\n')
    message = said(folder, f'{before}#include "{path.format(folder.parent)}"\n')
    assert HIDDEN in message
    assert "topsecret" not in message
    shown = said(folder, f'{before}#include "{path.format(folder.parent)}"\n', folder.parent)
    assert 'found "topsecret"; expected' in shown


@pytest.mark.parametrize(
    "text",
    [
        "# a topsecret comment\n",
        "CPU c { TASK T { PRIORITY = topsecret; }; };",
        "CPU c { TASK T { PRIORITY = 1; EVENT = topsecret; }; };",
        "CPU c { TASK T { PRIORITY = 1; }; ISR I { INTERRUPT = 1; PRIORITY = 3; RESOURCE = R; };"
        " RESOURCE R { RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = topsecret; }; };"
        " RESOURCE topsecret { RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = R; }; }; };",
    ],
)
def test_no_kind_of_mistake_shows_the_text_of_a_file_outside(folder: Path, text: str) -> None:
    (folder.parent / "secret").write_text(text)
    message = said(folder, '#include "../secret"\n')
    assert HIDDEN in message
    assert "found topsecret" not in message


def test_conditionals_and_macros(folder: Path) -> None:
    """Lines keep their numbers, also behind an included file."""
    (folder.parent / "lib/config.oil").write_text("#ifndef FAST\n#define PERIOD 7\n#endif\n")
    text = """#define FAST%s
#include <config.oil>
/* it's a comment */
CPU c {
#ifdef FAST
  TASK T { PRIORITY = 2; };
#else
  TASK U { PRIORITY = 2; };
#endif
  COUNTER C;
  ALARM A { COUNTER = C; ACTION = ACTIVATETASK { TASK = %s; };
    AUTOSTART = TRUE { ALARMTIME = PERIOD; CYCLETIME = 0; }; };
};
"""
    lib = folder.parent / "lib"
    file = folder / "some.oil"
    file.write_text(text % ("_", "U"))
    system = load(file, (lib,))
    assert ([task.name for task in system.tasks], system.alarms[0].autostart) == (["U"], (7, 0))
    message = said(folder, text % ("", "W"), lib)
    assert message.splitlines() == [
        "main/some.oil:11: ALARM.A.ACTION.TASK: found W; expected the name of an object TASK that "
        "is described",
        "main/some.oil:12: ALARM.A.AUTOSTART.ALARMTIME: found PERIOD; expected a whole number, "
        "from 0 to 4294967295",
    ]


def test_a_file_that_the_preprocessor_refuses(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(folder, "#define A\n\n#if\n#endif") == (
        "main/some.oil:3: found gcc's error: #if with no expression; expected text that gcc -E "
        "takes"
    )
    assert "error: no.oil: No such file" in said(folder, '#define A\n#include "no.oil"')
    assert "more than 1 MiB" in said(
        folder, "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(20)) + "#define A0 x\nA20"
    )
    monkeypatch.setattr(preprocessed, "LONGEST_S", 1)
    endless = '#define A\n#include "some.oil"\n#include "some.oil"\n'
    assert said(folder, endless).startswith("main/some.oil:1: found a file that gcc -E cannot read")


def test_gcc_reads_a_file_only_if_it_has_its_directives(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(subprocess, "run", refuse)
    file = folder / "some.oil"
    (folder / "t.oil").write_text(f"CPU c {{ {TASK} }}; // #define X\n/*\n#define X\n*/")
    file.write_text('#pragma include "../lib"\n#include "t.oil"\n')
    assert names(file) == ["T"]


CONFIG = """#includeifexists <options.oil>
        #includeifexists "options.oil"
        IMPLEMENTATION common {
          LIBRARY [] { LIBRARY_TYPE NEEDS []; BOOLEAN [TRUE { STRING V = ""; }, FALSE] P = FALSE; };
          TASK [] { BOOLEAN [TRUE { UINT32 EXECUTIONBUDGET; UINT32 TIMEFRAME; }, FALSE]
            TIMING_PROTECTION = FALSE; };
          APPLICATION [] {
            BOOLEAN [TRUE { IDENTIFIER TRUSTED_FUNCTION []; }, FALSE] TRUSTED = FALSE;
            MESSAGE_TYPE MESSAGE []; };
          IOC [] { STRUCT { ENUM [DATA, REFERENCE] KIND; } DATATYPENAME [];
            STRUCT { APPLICATION_TYPE SND_OSAPPLICATION; } SENDER [];
            ENUM [QUEUED { UINT32 BUFFER_LENGTH; }] SEMANTICS = QUEUED; };
          SCHEDULETABLE [] { UINT64 LENGTH; STRUCT { UINT64 OFFSET; } EXPIRY_POINT []; };
        };
        CPU defaultObjects { LIBRARY l { NEEDS = m; }; OS features { ERRORHOOK = TRUE; };
          COUNTER SystemCounter { TYPE = HARDWARE; }; };
"""
OURS = """#include <config.oil>
        CPU c { OS config { STATUS = EXTENDED; };
          APPLICATION a { TASK = T; COUNTER = SystemCounter;
            TRUSTED = TRUE { TRUSTED_FUNCTION = f; TRUSTED_FUNCTION = g; }; };
          TASK T { PRIORITY = 1;
            TIMING_PROTECTION = TRUE { EXECUTIONBUDGET = 2; TIMEFRAME = 5; }; };
        };"""


def test_the_files_of_trampolines_tool(folder: Path) -> None:
    """They have other types than ours, objects of the tool, and a CPU of another name."""
    lib = folder.parent / "lib"
    (lib / "config.oil").write_text(CONFIG)
    file = folder / "some.oil"
    file.write_text(OURS)
    system = load(file, (lib,))
    assert system.applications[0].functions == ("f", "g")
    assert system.tasks[0].budget_ns == 2 * 10**9
    assert (system.kernel.status, system.kernel.hooks) == (Status.EXTENDED, (Hook.ERROR,))
    assert system.needs
    assert "CPU c {" in system.needs.lines
    message = said(folder, f"{file.read_text()}\nCPU d {{ }};", lib)
    assert message == "main/some.oil:8: CPU: found d; expected c again: a system has one CPU"
