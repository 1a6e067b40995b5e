# SPDX-License-Identifier: MIT
"""An image for sim that ends with an error: the message names the task, the service and the
line."""

from pathlib import Path

import pytest

from plafond.board.terminal import EndedBadlyError, run_at_our_terminal
from plafond.build.image import build_image
from plafond.describe import load

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
KINDS = {
    "apart": 'sources = ["tasks.c"]\ntrusted = ["hooks.c"]',
    "mixed": 'mixed = ["tasks.c", "hooks.c"]',
}
# An environment variable selects the ending, because an image for sim is a program of this machine.
HOW = """\
char *getenv(const char *);
void abort(void);
static inline _Bool how(char letter)
{
	const char *found = getenv("HOW");

	return found && *found == letter;
}
"""
TASKS = """\
#include "os.h"
#include "how.h"
static volatile int ended;
static void fail(void)
{
	ShutdownOS(E_OS_VALUE);
	ended = 1;
}
TASK(beat)
{
	if (how('s'))
		fail();
	if (how('f'))
		*(volatile int *)16 = 1;
	if (how('a'))
		abort();
	(void)ActivateTask(beat);
	TerminateTask();
}
"""
HOOKS = """\
#include "os.h"
#include "kernel/port.h"
#include "how.h"
void StartupHook(void);
void ErrorHook(StatusType status);
void StartupHook(void)
{
	if (how('i'))
		plf_port_raise(5);
	if (how('S'))
		ShutdownOS(E_OS_ID);
}
void ErrorHook(StatusType status)
{
	if (how('k'))
		*(volatile int *)16 = 1;
	ShutdownOS(status);
}
ISR(key)
{
	ShutdownOS(E_OS_STATE);
}
"""
# For each letter, the exit code of `run` and its message.
ENDINGS = {
    "s": (8, "ended with E_OS_VALUE: ShutdownOS() in task beat (/description/tasks.c:6)"),
    "f": (139, "was ended by SIGSEGV, in task beat (/description/tasks.c:14)"),
    "a": (134, "was ended by SIGABRT, in task beat (/description/tasks.c:16)"),
    "e": (
        4,
        "ended with E_OS_LIMIT: ShutdownOS() in ErrorHook, when task beat ran "
        "(/description/tasks.c:17)",
    ),
    "k": (
        139,
        "was ended by SIGSEGV, in ErrorHook, when task beat ran (/description/hooks.c:16)",
    ),
    "S": (3, "ended with E_OS_ID: ShutdownOS() in StartupHook, when no task ran"),
    "i": (7, "ended with E_OS_STATE: ShutdownOS() in a handler, when task beat ran"),
}


@pytest.fixture(scope="module", params=KINDS)
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    (folder / "how.h").write_text(HOW)
    (folder / "tasks.c").write_text(TASKS)
    (folder / "hooks.c").write_text(HOOKS)
    (folder / "it.toml").write_text(TOML.format(files=KINDS[request.param]))
    return build_image(load(folder / "it.toml"), "sim", folder=folder / "image").path


@pytest.mark.parametrize("how", ENDINGS)
def test_the_end_is_named(
    image: Path, how: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOW", how)
    with pytest.raises(EndedBadlyError) as caught:
        run_at_our_terminal(image, 60, None)
    assert (caught.value.exit_code, str(caught.value)) == (
        ENDINGS[how][0],
        f"{image} on sim {ENDINGS[how][1]}",
    )
    assert capfd.readouterr().err == ""
