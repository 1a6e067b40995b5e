# SPDX-License-Identifier: MIT
"""Names in a description that no C file of the right kind defines: a message has file and line."""

from pathlib import Path

import pytest
from quick_images import build_quickly
from typer.testing import CliRunner

from plafond.board.boards import BOARDS
from plafond.cli import app
from plafond.describe import load
from plafond.describe.problems import DescriptionError
from plafond.errors import PlafondError

pytestmark = pytest.mark.board

TOML = """\
[kernel]
sources = ["tasks.c", "more.c"]
trusted = ["trusted.c"]
hooks = ["startup", "error"]
[task.beat]
priority = 1
autostart = true
[task.rest]
priority = 2
body = ["run 1us"]
autostart = true
[counter.C]
[alarm.A]
counter = "C"
action = "call tick"
[isr.key]
source = 7
"""
OIL = """\
CPU board {
  OS os { STARTUPHOOK = TRUE; ERRORHOOK = TRUE; TRUSTED_SRC = "trusted.c"; };
  TASK beat { PRIORITY = 1; AUTOSTART = TRUE; APP_SRC = "tasks.c"; APP_SRC = "more.c"; };
  TASK rest { PRIORITY = 2; AUTOSTART = TRUE; };
  COUNTER C;
  ALARM A { COUNTER = C;
    ACTION = ALARMCALLBACK { ALARMCALLBACKNAME = "tick"; }; };
  ISR key { INTERRUPT = 7; };
};
"""
BEAT = "TASK(beat)\n{\n\tShutdownOS(7);\n}\n"
KEY = "ISR(key)\n{\n}\n"
TICK = "ALARMCALLBACK(tick)\n{\n}\n"
STARTUP = "void StartupHook(void);\nvoid StartupHook(void)\n{\n}\n"
ERROR = "void ErrorHook(StatusType);\nvoid ErrorHook(StatusType status)\n{\n\t(void)status;\n}\n"
REST = "TASK(rest)\n{\n\tTerminateTask();\n}\n"
ALL = (KEY, TICK, STARTUP, ERROR)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Share one folder, so the kernel's part of an image is compiled once for each board."""
    return tmp_path_factory.mktemp("described")


def write(folder: Path, tasks: tuple[str, ...], trusted: tuple[str, ...], text: str = TOML) -> Path:
    """Write the description and these functions. Functions of user mode are in tasks.c."""
    file = folder / ("it.oil" if text is OIL else "it.toml")
    file.write_text(text)
    for name, functions in (("tasks.c", tasks), ("more.c", ()), ("trusted.c", trusted)):
        (folder / name).write_text("\n".join(['#include "os.h"\n', *functions]))
    return file


def problems(file: Path, board: str = "sim") -> list[str]:
    """Return the message of a build, which must fail, by lines and without the folder."""
    with pytest.raises(DescriptionError) as caught:
        build_quickly(load(file), board, folder=file.parent / board)
    return str(caught.value).replace(f"{file.parent}/", "").splitlines()


def without(function: str) -> tuple[str, ...]:
    return tuple(each for each in ALL if each is not function)


IN_TRUSTED = "in the trusted file trusted.c"
IN_USER = "in one of the user files tasks.c, more.c"


@pytest.mark.parametrize(
    ("tasks", "trusted", "problem"),
    [
        ((), ALL, f"5: task.beat: found no TASK(beat); expected TASK(beat) {IN_USER}"),
        (
            (BEAT.replace("beat", "beet"),),
            ALL,
            f"5: task.beat: found no TASK(beat); expected TASK(beat) {IN_USER}"
            " (did you mean TASK(beet)?)",
        ),
        (
            (),
            (*ALL, BEAT),
            "5: task.beat: found it in the trusted file trusted.c; expected TASK(beat) " + IN_USER,
        ),
        (
            (BEAT,),
            without(KEY),
            f"16: isr.key: found no ISR(key); expected ISR(key) {IN_TRUSTED}",
        ),
        (
            (BEAT, KEY),
            without(KEY),
            f"16: isr.key: found it in the user file tasks.c; expected ISR(key) {IN_TRUSTED}",
        ),
        (
            (BEAT,),
            without(TICK),
            "15: alarm.A.action: found no ALARMCALLBACK(tick); expected ALARMCALLBACK(tick) "
            + IN_TRUSTED,
        ),
        (
            (BEAT,),
            without(ERROR),
            "4: kernel.hooks[1]: found no ErrorHook(); expected ErrorHook() " + IN_TRUSTED,
        ),
        (
            (BEAT, STARTUP),
            without(STARTUP),
            "4: kernel.hooks[0]: found it in the user file tasks.c; expected StartupHook() "
            + IN_TRUSTED,
        ),
        (
            (BEAT, REST),
            ALL,
            "8: task.rest: found TASK(rest) in tasks.c beside a body; expected one of the two",
        ),
    ],
)
def test_what_is_not_where_it_belongs(
    folder: Path, tasks: tuple[str, ...], trusted: tuple[str, ...], problem: str
) -> None:
    assert problems(write(folder, tasks, trusted)) == [f"it.toml:{problem}"]


@pytest.mark.parametrize("board", BOARDS)
def test_all_are_named_at_once_though_an_image_links(folder: Path, board: str) -> None:
    found = problems(write(folder, (*ALL,), (BEAT,)), board)
    assert [line.split(": ")[1] for line in found] == [
        *("kernel.hooks[0]", "kernel.hooks[1]", "task.beat", "alarm.A.action", "isr.key"),
    ]
    assert all("found it in the " in line for line in found)


def test_a_main_that_would_never_run(folder: Path) -> None:
    main = "int main(void);\nint main(void)\n{\n\treturn 0;\n}\n"
    assert problems(write(folder, (BEAT, main), ALL), "a53") == [
        "it.toml:2: kernel.sources[0]: found main() in tasks.c; "
        "expected it in a trusted or a mixed file, or only tasks"
    ]


def test_a_main_in_a_file_of_an_application(tmp_path: Path) -> None:
    text = TOML.replace(
        "[task.beat]", '[application]\nX = { trusted = true, sources = ["own.c"] }\n[task.beat]'
    )
    for table in ("[task.beat]", "[task.rest]", "[counter.C]", "[alarm.A]", "[isr.key]"):
        text = text.replace(table, f'{table}\napplication = "X"')
    (tmp_path / "own.c").write_text("int main(void);\nint main(void)\n{\n\treturn 0;\n}\n")
    found = problems(write(tmp_path, (BEAT,), ALL, text))
    assert found == [
        "it.toml:6: application.X.sources[0]: found main() in own.c; expected it in a trusted or a "
        "mixed file, or only tasks"
    ]


def with_functions() -> str:
    table = 'X = { trusted = true, functions = ["F", "G"] }'
    text = TOML.replace("[task.beat]", f"[application]\n{table}\n[task.beat]")
    for table in ("[task.beat]", "[task.rest]", "[counter.C]", "[alarm.A]", "[isr.key]"):
        text = text.replace(table, f'{table}\napplication = "X"')
    return text


def trusted_function(name: str) -> str:
    head = f"void TRUSTED_{name}(TrustedFunctionIndexType i, TrustedFunctionParameterRefType p)"
    return f"{head};\n{head}\n{{\n\t(void)i, (void)p;\n}}\n"


def test_trusted_functions_and_what_is_none(tmp_path: Path) -> None:
    f, g, h = map(trusted_function, "FGH")
    assert problems(write(tmp_path, (BEAT, f), (*ALL, h), with_functions())) == [
        "it.toml:6: application.X.functions[0]: found it in the user file tasks.c; expected "
        f"TRUSTED_F() {IN_TRUSTED}",
        "it.toml:6: application.X.functions[1]: found no TRUSTED_G(); expected "
        f"TRUSTED_G() {IN_TRUSTED} (did you mean TRUSTED_H()?)",
    ]
    file = write(tmp_path, (BEAT,), (*ALL, f, g, h), with_functions())
    warnings = build_quickly(load(file), "sim", folder=tmp_path / "sim").warnings
    assert [each.replace(f"{tmp_path}/", "") for each in warnings] == [
        "trusted.c: TRUSTED_H() is never called: the description does not name it"
    ]


def test_data_of_an_application_that_is_not_described(tmp_path: Path) -> None:
    text = TOML.replace("[task.beat]", "[application]\nX = { trusted = true }\n[task.beat]")
    for table in ("[task.beat]", "[task.rest]", "[counter.C]", "[alarm.A]", "[isr.key]"):
        text = text.replace(table, f'{table}\napplication = "X"')
    own = "static int volatile own APPLICATION_DATA(Y);\n"
    beat = BEAT.replace("ShutdownOS(7)", "ShutdownOS((StatusType)own)")
    with pytest.raises(PlafondError) as caught:
        build_quickly(
            load(write(tmp_path, (own, beat), ALL, text)), "a53", folder=tmp_path / "image"
        )
    expected = "APPLICATION_DATA(NAME): expected the name of an application"
    assert expected in str(caught.value)


def mixed(folder: Path, functions: tuple[str, ...]) -> Path:
    text = TOML.replace('sources = ["tasks.c", "more.c"]\ntrusted', "mixed")
    return write(folder, (), functions, text)


@pytest.mark.parametrize("board", BOARDS)
def test_a_mixed_file_may_hold_all(folder: Path, board: str) -> None:
    main = "int main(void);\nint main(void)\n{\n\treturn 0;\n}\n"
    file = mixed(folder, (BEAT, main, *ALL))
    assert build_quickly(load(file), board, folder=folder / board).warnings == ()


def test_what_a_mixed_file_lacks(folder: Path) -> None:
    file = mixed(folder, (BEAT.replace("beat", "beet"), *without(KEY)))
    (folder / "more.c").write_text('#include "os.h"\n' + KEY)
    file.write_text(file.read_text().replace("hooks", 'sources = ["more.c"]\nhooks'))
    assert problems(file) == [
        "it.toml:5: task.beat: found no TASK(beat); expected TASK(beat) in the user file more.c or "
        "the mixed file trusted.c (did you mean TASK(beet)?)",
        "it.toml:16: isr.key: found it in the user file more.c; expected ISR(key) in the mixed "
        "file trusted.c",
    ]


def test_oil_is_named_by_its_own_objects(folder: Path) -> None:
    found = problems(write(folder, (BEAT, ERROR), (STARTUP,), OIL))
    assert [line.split("; ")[0] for line in found] == [
        "it.oil:2: OS.os.ERRORHOOK: found it in the user file tasks.c",
        "it.oil:4: TASK.rest: found no TASK(rest)",
        "it.oil:7: ALARM.A.ACTION: found no ALARMCALLBACK(tick)",
        "it.oil:8: ISR.key: found no ISR(key)",
    ]


def test_what_the_compiler_finds_comes_first(folder: Path) -> None:
    file = write(folder, (), ())
    (folder / "more.c").write_text("no C at all\n")
    result = CliRunner().invoke(
        app, ["build", str(file), "--board", "sim", "--out", str(folder / "sim")]
    )
    assert not isinstance(result.exception, DescriptionError)
    assert "more.c:1:1: error: " in str(result.exception)


def test_what_is_never_called_is_a_warning(folder: Path) -> None:
    pretask = STARTUP.replace("StartupHook", "PreTaskHook")
    file = write(folder, (BEAT, BEAT.replace("beat", "more")), (*ALL, pretask))
    command = ["build", str(file), "--board", "sim", "--out", str(folder / "sim")]
    for _ in range(2):  # the second build compiles nothing
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0
        assert result.stderr.replace(f"{folder}/", "").splitlines() == [
            'trusted.c: PreTaskHook() is never called: no "pretask" among the hooks',
            "tasks.c: TASK(more) is never called: the description does not name it",
        ]


def test_callbacks_and_hooks_of_messages(folder: Path) -> None:
    messages = """\
[com]
error_hook = true
extension = true
[message.SENT]
type = "int"
[message.CAME]
from = "SENT"
action = "call came"
"""
    error = ERROR.replace("ErrorHook", "COMErrorHook")
    extension = (
        "StatusType StartCOMExtension(void);\nStatusType StartCOMExtension(void)\n"
        "{\n\treturn E_OK;\n}\n"
    )
    callback = "COMCallback(came)\n{\n}\n"
    file = write(folder, (BEAT, extension), (*ALL, error, callback), TOML + messages)
    assert build_quickly(load(file), "sim", folder=folder / "sim").warnings == ()
    file = write(folder, (BEAT, error, callback), ALL, TOML + messages)
    assert problems(file) == [
        f"it.toml:19: com.error_hook: found it in the user file tasks.c; expected COMErrorHook() "
        f"{IN_TRUSTED}",
        f"it.toml:20: com.extension: found no StartCOMExtension(); expected StartCOMExtension() "
        f"{IN_USER}",
        f"it.toml:25: message.CAME.action: found it in the user file tasks.c; expected "
        f"COMCallback(came) {IN_TRUSTED}",
    ]


def test_hooks_of_applications(tmp_path: Path) -> None:
    text = TOML
    for table in ("[task.beat]", "[task.rest]", "[counter.C]", "[alarm.A]", "[isr.key]"):
        text = text.replace(table, f'{table}\napplication = "X"')
    text += '[application.X]\ntrusted = true\nhooks = ["error"]\n'
    own = ERROR.replace("ErrorHook", "ErrorHook_X")
    startup = STARTUP.replace("StartupHook", "StartupHook_X")
    file = write(tmp_path, (BEAT,), (*ALL, own, startup), text)
    assert build_quickly(load(file), "sim", folder=tmp_path / "sim").warnings == (
        f'{tmp_path}/trusted.c: StartupHook_X() is never called: no "startup" among the hooks of X',
    )
    file = write(tmp_path, (BEAT,), ALL, text)
    assert problems(file) == [
        "it.toml:25: application.X.hooks: found no ErrorHook_X(); expected ErrorHook_X() "
        f"{IN_TRUSTED} (did you mean ErrorHook()?)",
    ]
