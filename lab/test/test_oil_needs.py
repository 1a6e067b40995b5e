# SPDX-License-Identifier: MIT
"""OIL files that lack what only a build needs: `check` prints the lines to add, `build` refuses."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from patience import HUNG_S
from quick_images import build_quickly
from typer.testing import CliRunner

from plafond.analyse.analysis import analyse
from plafond.build.image import build_image
from plafond.cli import app
from plafond.describe import load
from plafond.describe.problems import DescriptionError
from plafond.errors import ArgumentError

TITLE = "to build it, add:"
TASK = "TASK T { PRIORITY = 1; AUTOSTART = TRUE; };"
ISR = "ISR I { CATEGORY = 2; };"
# Tasks, a handler and a hook of a file.
BOTH = """#include <os.h>
TASK(T) { TerminateTask(); }
ISR(I) {}
void ShutdownHook(StatusType error) { (void)error; }
"""


def written(folder: Path, *objects: str, system: str = "") -> Path:
    file = folder / "some.oil"
    file.write_text("\n".join([f"CPU c {{ OS o {{ {system} }};", *objects, "};"]))
    return file


def to_add(file: Path) -> list[str]:
    """Return the lines at the end of the output of `check`."""
    printed = CliRunner().invoke(app, ["check", str(file)])
    assert printed.exit_code == 0, printed.exception
    report, _, lines = printed.stdout.partition(f"\n{TITLE}\n")
    assert "Tasks\n" in report or "interrupts: " in report
    as_json = json.loads(CliRunner().invoke(app, ["check", str(file), "--format", "json"]).stdout)
    found = [line.removeprefix("  ") for line in lines.splitlines()]
    assert as_json.get("to_build", []) == found
    return [line.replace(f"{file.parent}/", "") for line in found]


def refusal(file: Path) -> list[str]:
    """Return the message of `build`, without the folder's name."""
    with pytest.raises(DescriptionError) as caught:
        build_image(load(file), "sim")
    return str(caught.value).replace(f"{file.parent}/", "").splitlines()


def test_c_files_are_for_a_build(tmp_path: Path) -> None:
    file = written(tmp_path, TASK)
    lines = ["CPU c {", '  OS o { APP_SRC = "some.c"; };', "};"]
    assert to_add(file) == lines
    assert refusal(file) == [
        "some.oil:1: OS.o.APP_SRC: found nothing; expected the C files with the tasks, beside this "
        "one",
        TITLE,
        *(f"  {line}" for line in lines),
    ]
    for name in ("t.c", "u.c"):
        (tmp_path / name).touch()
    assert to_add(file)[1] == '  OS o { APP_SRC = "t.c"; APP_SRC = "u.c"; };'


def test_a_file_with_all_needs_no_line(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text("#include <os.h>\nTASK(T) { TerminateTask(); }\n")
    file = written(tmp_path, TASK, system='APP_SRC = "t.c";')
    assert to_add(file) == []
    assert load(file).needs is None


def test_the_number_of_an_interrupt_is_for_a_build(tmp_path: Path) -> None:
    """Each proposal is a number that no other interrupt has."""
    (tmp_path / "t.c").write_text(BOTH)
    isrs = "ISR J { INTERRUPT = 1; }; ISR K { SOURCE = UART; };"
    file = written(tmp_path, TASK, ISR, isrs, system='MIXED_SRC = "t.c";')
    assert to_add(file) == [
        "CPU c {",
        "  ISR I { INTERRUPT = 2; };",
        "  ISR K { INTERRUPT = 3; };",
        "};",
    ]
    assert refusal(file)[:2] == [
        "some.oil:3: ISR.I.INTERRUPT: found nothing; expected a whole number from 0 to 987",
        "some.oil:4: ISR.K.INTERRUPT: found nothing; expected a whole number from 0 to 987",
    ]


@pytest.mark.parametrize("objects", ["ALARM", "SCHEDULETABLE"])
def test_a_system_counter_need_not_be_described(tmp_path: Path, objects: str) -> None:
    (tmp_path / "t.c").touch()
    action = "ACTION = ACTIVATETASK { TASK = T; };"
    rest = {
        "ALARM": f"COUNTER = SystemCounter; {action}",
        "SCHEDULETABLE": "COUNTER = SystemCounter; LENGTH = 9; EXPIRY_POINT p "
        f"{{ OFFSET = 1; {action} }};",
    }[objects]
    file = written(
        tmp_path, TASK, f"{objects} A {{ {rest} }}; {objects} B {{ {rest} }};", system=SOURCE
    )
    assert to_add(file) == [
        "CPU c {",
        "  COUNTER SystemCounter { SECONDSPERTICK = 0.001; };",
        "};",
    ]
    assert refusal(file)[0] == (
        "some.oil:3: COUNTER.SystemCounter.SECONDSPERTICK: found nothing; expected the seconds "
        "of a tick"
    )
    described = written(
        tmp_path, "COUNTER SystemCounter;", TASK, f"{objects} A {{ {rest} }};", system=SOURCE
    )
    assert to_add(described) == []
    other = written(
        tmp_path, TASK, f"{objects} A {{ {rest.replace('SystemC', 'C')} }};", system=SOURCE
    )
    with pytest.raises(DescriptionError, match="found Counter; expected the name of an object"):
        load(other)


SOURCE = 'APP_SRC = "t.c";'


def test_files_that_are_missing_are_named_in_comments(tmp_path: Path) -> None:
    """No line of OIL can add them."""
    file = written(tmp_path, TASK, system='APP_SRC = "no.c"; APP_SRC = "t.cpp"; INCLUDE = "inc";')
    found = [
        "some.oil:1: OS.o.APP_SRC: found no file no.c; expected a C file beside the description",
        "some.oil:1: OS.o.APP_SRC: found t.cpp; expected the name of a C file, which ends in .c: "
        "C++ is not compiled",
        "some.oil:1: OS.o.INCLUDE: found no folder inc; expected a folder beside the description",
    ]
    assert to_add(file) == [f"// {line}" for line in found]
    assert refusal(file) == found
    wrong = written(tmp_path, TASK, system='APP_SRC = "t.txt";')
    with pytest.raises(DescriptionError, match=r"found t\.txt; expected the name of a C file"):
        load(wrong)


def test_the_files_of_handlers_are_for_a_build(tmp_path: Path) -> None:
    """A file with handlers and tasks is mixed, and a file with handlers alone is trusted."""
    (tmp_path / "t.c").write_text("TASK(T) {}")
    (tmp_path / "both.c").write_text(BOTH)
    (tmp_path / "hooks.c").write_text("void ErrorHook(StatusType error) {}")
    sources = 'APP_SRC = "t.c"; APP_SRC = "both.c"; APP_SRC = "hooks.c"; ERRORHOOK = TRUE;'
    file = written(tmp_path, TASK, "ISR I { INTERRUPT = 1; };", system=sources)
    lines = ["CPU c {", '  OS o { MIXED_SRC = "both.c"; TRUSTED_SRC = "hooks.c"; };', "};"]
    assert to_add(file) == lines
    said = refusal(file)
    assert [line.partition(" expected ")[0] for line in said[:2]] == [
        "some.oil:1: OS.o.TRUSTED_SRC: found nothing;"
    ] * 2
    assert said[2:] == [TITLE, *(f"  {line}" for line in lines)]


def test_a_system_of_interrupts_alone(tmp_path: Path) -> None:
    """`check` shows the interrupts; all other commands need a task."""
    (tmp_path / "t.c").write_text("ISR(I) {}")
    file = written(tmp_path, "ISR I { INTERRUPT = 1; }; ISR J { INTERRUPT = 2; };", system=MIXED)
    idle = "TASK idle { PRIORITY = 1; };  // with TASK(idle) { TerminateTask(); } in a C file"
    assert to_add(file) == ["CPU c {", f"  {idle}", "};"]
    assert "no tasks; interrupts: I, J\n" in CliRunner().invoke(app, ["check", str(file)]).stdout
    for arguments in (["analyse"], ["build", "--board", "sim"], ["run", "--on", "sim"]):
        done = CliRunner().invoke(app, [*arguments, str(file)])
        assert isinstance(done.exception, DescriptionError)
        assert "found nothing; expected at least one object TASK" in str(done.exception)
    with pytest.raises(ArgumentError, match="some: found no task; expected one"):
        analyse(load(file))
    toml = CliRunner().invoke(app, ["check", str(file), "--toml"])
    assert (toml.exit_code, toml.stderr.splitlines()[0]) == (0, TITLE)


MIXED = 'MIXED_SRC = "t.c";'


def test_a_description_in_toml_has_all_from_the_beginning(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text('[kernel]\nsources = ["no.c"]\n[task.t]\npriority = 1\n[isr.i]\n')
    with pytest.raises(DescriptionError) as caught:
        load(file)
    assert [problem.where for _, problem in caught.value.problems] == [
        ("kernel", "trusted"),
        ("kernel", "sources", 0),
        ("isr", "i", "source"),
    ]


@pytest.mark.board
def test_the_printed_lines_are_all_that_a_build_needs(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text(
        BOTH.replace("{ TerminateTask", "{ ShutdownOS(E_OK); TerminateTask")
    )
    alarm = "ALARM A { COUNTER = SystemCounter; ACTION = ACTIVATETASK { TASK = T; }; };"
    file = written(tmp_path, TASK, ISR, alarm, system="SHUTDOWNHOOK = TRUE;")
    lines = to_add(file)
    assert [re.sub(r"\W.*", "", line.strip()) for line in lines[1:-1]] == ["OS", "ISR", "COUNTER"]
    overlay = tmp_path / "ours.oil"
    overlay.write_text("\n".join(['#include "some.oil"', *lines]))
    image = build_quickly(load(overlay), "sim", None, tmp_path / "image")
    done = subprocess.run([image.path], capture_output=True, timeout=HUNG_S, check=False)
    assert done.returncode == 0
