# SPDX-License-Identifier: MIT
"""A system of tasks in C, stopped by gdb inside its most urgent task."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from patience import HUNG_S

from plafond.board.qemu import find_qemu, qemu_command
from plafond.build.image import Image, build_image
from plafond.describe import load

GDB = "gdb-multiarch"
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


def built(
    folder: Path, board: str, cpus: int, protocol: str = "uprio-nprio", status: str = "extended"
) -> Image:
    """Build the system for a board, in a folder beside its sources."""
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
    """Return gdb's output behind a line with an equals sign, after these commands."""
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
