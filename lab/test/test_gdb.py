# SPDX-License-Identifier: MIT
"""The commands of gdb that come with an image: with one and two cores, on both boards."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import HUNG_S

from plafond.board.qemu import find_qemu, qemu_command
from plafond.build.image import Image, build_image
from plafond.describe import load

pytestmark = pytest.mark.board

LONG = pytest.mark.long

GDB = "gdb-multiarch"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TOML = """\
cpus = {cpus}
[kernel]
status = "{status}"
protocol = "{protocol}"
sources = ["tasks.c"]
trusted = ["hooks.c"]
hooks = ["error"]
[task.low]
priority = 10
autostart = true
resources = ["OUTER", "INNER"]
[task.mid]
priority = 20
resources = ["OUTER", "INNER"]
[task.high]
priority = 30
queue = 3
[task.waiter]
priority = 40
autostart = true
events = ["GO", "STOP"]
[task.other]
priority = 20
cpu = {last}
autostart = true
events = ["MORE"]
[task.never]
priority = 1
[resource.OUTER]
[resource.INNER]
[counter.clock]
tick = "1ms"
[counter.calls]
highest = 2
[alarm.late]
counter = "clock"
action = "activate never"
autostart = [5000, 300]
[alarm.soft]
counter = "calls"
action = "set waiter STOP"
[alarm.unset]
counter = "calls"
action = "activate never"
"""
TASKS = """\
#include "os.h"

void here(void);
__attribute__((noinline)) void here(void)
{
	__asm__ volatile("" ::: "memory");
}

void there(void);
__attribute__((noinline)) void there(void)
{
	__asm__ volatile("nop" ::: "memory"); /* not the same as here() */
}

TASK(low)
{
	for (unsigned i = 0; i < 4; i++)
		IncrementCounter(calls);
	SetRelAlarm(soft, 1, 0);
	SetEvent(other, MORE);
	GetResource(OUTER);
	GetResource(INNER);
	ActivateTask(mid);
	ActivateTask(high);
	TerminateTask();
}

TASK(mid)
{
	TerminateTask();
}

TASK(high)
{
	ActivateTask(high);
	here();
	ChainTask(99);
	TerminateTask();
}

TASK(waiter)
{
	SetEvent(waiter, STOP);
	WaitEvent(GO);
	TerminateTask();
}

TASK(other)
{
	there();
	WaitEvent(MORE);
	WaitEvent(MORE << 1 | MORE);
	ClearEvent(MORE);
	WaitEvent(MORE);
	TerminateTask();
}

TASK(never)
{
	TerminateTask();
}
"""
HOOKS = """\
#include "os.h"

void ErrorHook(StatusType status);
void ErrorHook(StatusType status)
{
	(void)status;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Share one folder, so each image is built once."""
    return tmp_path_factory.mktemp("described")


def built(
    folder: Path, board: str, cpus: int, protocol: str = "uprio-nprio", status: str = "extended"
) -> Image:
    (folder / "tasks.c").write_text(TASKS)
    (folder / "hooks.c").write_text(HOOKS)
    file = folder / "some.toml"
    file.write_text(TOML.format(cpus=cpus, last=cpus - 1, protocol=protocol, status=status))
    name = f"{board}-{cpus}-{protocol}-{status}"
    return build_image(load(file), board, folder=folder / "the images" / name)


@contextmanager
def waiting(image: Image) -> Iterator[list[str]]:
    """Let the image wait for gdb. Yield the commands by which gdb reaches it."""
    if image.board.name == "sim":
        yield []
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*qemu_command(find_qemu(), image.path), "-S", "-gdb", f"tcp:127.0.0.1:{port}"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as board:
        try:
            yield [f"target remote :{port}"]  # which gdb tries until QEMU listens
        finally:
            board.kill()


def asked(image: Image, commands: list[str]) -> str:
    """Return gdb's output behind a line with an equals sign."""
    with waiting(image) as way:
        before = ["set pagination off", "set debuginfod enabled off", *way]
        script = [*before, f"source {image.folder}/image.gdb.py", "echo =\\n", *commands]
        words = [word for command in script for word in ("-ex", command)]
        done = subprocess.run(
            [GDB, "-nx", "-batch", str(image.path), *words],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=HUNG_S,
            check=False,
        )
    sys.stderr.write(done.stderr)
    return done.stdout.partition("=\n")[2]


def rows(text: str) -> dict[str, list[list[str]]]:
    """Return the cells of each table, by the first two words of its heading."""
    found: dict[str, list[list[str]]] = {}
    table: list[list[str]] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
        if cells[:1] in (["task"], ["resource"], ["alarm"], ["counter"]):
            table = found[" ".join(cells[:2])] = []
        elif len(cells) > 3:
            table.append(cells)
    return found


def line(code: str) -> int:
    return TASKS[: TASKS.index(code)].count("\n") + 1


ALL = [f"info {each}" for each in ("tasks", "resources", "events", "alarms", "counters", "stacks")]
SIXTEEN = range(16, 1024)  # bytes of a used stack


@pytest.mark.parametrize("cpus", [1, 2])
@pytest.mark.parametrize(
    "protocol",
    ["uprio-nprio", *(pytest.param(name, marks=LONG) for name in ("syscall", "lazy-ceiling"))],
)
@pytest.mark.parametrize("board", ["sim", "a53"])
def test_what_the_commands_show(folder: Path, board: str, cpus: int, protocol: str) -> None:
    image = built(folder, board, cpus, protocol)
    start = "run" if board == "sim" else "continue"
    found = rows(asked(image, ["break here", start, *ALL]))
    is_board = board == "a53"

    def at(code: str, task: str) -> str:
        return f"tasks.c:{line(code)} {task}" if is_board else "-"

    here = f"tasks.c:{line('__asm__')} here"
    tasks = {row[0]: row[1:] for row in found["task core"]}
    other = tasks.pop("other")
    waits = at("WaitEvent(GO)", "plf_task_waiter")
    inside = at("ActivateTask(high);\n\tTerm", "plf_task_low")
    assert tasks == {
        "waiter": ["0", "40", "1 of 1", "waiting for GO", waits],
        "high": ["0", "30", "2 of 3", "running", here],
        "mid": ["0", "20", "1 of 1", "ready", "its begin" if is_board else "-"],
        "low": ["0", "10", "1 of 1", "preempted", inside],
        "never": ["0", "1", "0 of 1", "suspended", "-"],
    }
    assert other[:3] == [str(cpus - 1), "20", "1 of 1"]
    if cpus == 1:
        assert other[3:] == ["waiting for MORE", at("WaitEvent(MORE);\n\tTerm", "plf_task_other")]
    users = ["20", "low mid", "low"]
    assert found["resource ceiling"] == [["OUTER", *users], ["INNER", *users]]
    events = {tuple(row[:2]): row[2:] for row in found["task event"]}
    assert events["waiter", "GO"] == ["0x1", "-", "yes"]
    assert events["waiter", "STOP"] == ["0x2", "yes", "-"]
    assert len(events) == 3
    assert found["alarm counter"] == [
        ["late", "clock", "activate never", "at 5000", "300"],
        ["soft", "calls", "set waiter STOP", "in 1", "once"],
        ["unset", "calls", "activate never", "-", "-"],
    ]
    assert found["counter core"] == [
        ["clock", "0", "1ms", "65535", "-", "1"],
        ["calls", "0", "calls", "2", "1", "1"],
    ]
    stacks = {row[0]: row[1:] for row in found["task stack"]}
    if not is_board:
        assert set(map(tuple, stacks.values())) == {("the board's own", "-", "-", "-")}
        return
    assert {size for _, size, _, _ in stacks.values()} == {"4096"}
    assert stacks["never"][2] == stacks["mid"][2] == "0"
    assert int(stacks["low"][2]) in SIXTEEN
    assert int(stacks["high"][2]) in SIXTEEN


def test_other_cores_are_threads(folder: Path) -> None:
    """The second core has stopped in its task."""
    image = built(folder, "a53", 2)
    found = rows(asked(image, ["break there", "continue", "info tasks"]))
    (other,) = [row for row in found["task core"] if row[0] == "other"]
    there = TASKS[: TASKS.index("there(void)\n{\n")].count("\n") + 3
    assert other[4:] == ["running", f"tasks.c:{there} there"]


@pytest.mark.parametrize("board", ["sim", "a53"])
def test_a_hook_that_runs_and_registers_that_are_as_before(folder: Path, board: str) -> None:
    start = "run" if board == "sim" else "continue"
    image = built(folder, board, 1)
    registers = ["info registers pc sp", "backtrace 2"]
    commands = ["break ErrorHook", start, "echo <\n", *registers, "echo <\n"]
    text = asked(
        image, [*commands, "info tasks", "echo <\n", *registers, "echo <\n", "info symbol $pc"]
    )
    _, before, shown, after, end = text.split("<\n")
    assert before == after
    assert "ErrorHook (status=" in before
    assert end.startswith("ErrorHook in section")
    (high,) = [row for row in rows(shown)["task core"] if row[0] == "high"]
    assert high[3:] == ["2 of 3", "running, under ErrorHook", "hooks.c:6 ErrorHook"]


def test_standard_status_keeps_no_holders(folder: Path) -> None:
    image = built(folder, "sim", 1, status="standard")
    found = rows(asked(image, ["break here", "run", "info resources"]))
    assert [row[3] for row in found["resource ceiling"]] == ["not kept", "not kept"]


def test_an_image_that_does_not_run(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    image = built(folder, "sim", 1)
    assert asked(image, ["info alarms"]) == ""
    assert capfd.readouterr().err == "info alarms: the image does not run\n"


@LONG
@pytest.mark.parametrize(
    ("name", "tasks"),
    [("servers", 4), ("mueller-2014-mpcp", 5), ("almatary-2015-floor", 4), ("across-cpus", 9)],
)
def test_images_of_other_kinds(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, tasks: int
) -> None:
    """For servers, global resources and deadlines, each table comes without an error of Python."""
    image = build_image(load(EXAMPLES / f"{name}.toml"), "a53", folder=tmp_path / "image")
    found = rows(asked(image, ["break plf_idle", "continue", *ALL]))
    assert len(found["task core"]) == len(found["task stack"]) == tasks
    assert "rror" not in capfd.readouterr().err
