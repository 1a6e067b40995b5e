# SPDX-License-Identifier: MIT
"""`plafond run --image` with a file that is no image of ours, and with a program at the
terminal."""

import os
import pty
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from patience import HUNG_S
from refusal import refusal

from plafond.programs import run_at_terminal

LAB = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to run: name a description, or an image with --image"),
        (["--image", "none"], "--image: cannot read none: No such file or directory"),
        (["--image", "."], "--image: cannot read .: Is a directory"),
        (["--image", "empty"], "--image: found empty; expected an image that `plafond build` made"),
        (["--image", "text"], "--image: found text; expected an image that `plafond build` made"),
        (["--image", "head"], "--image: found head; expected an image that `plafond build` made"),
        (["--image", sys.executable], "expected an image that `plafond build` made"),
        (["--image", "text", "text"], "found a description beside --image; expected --limit"),
        (["--image", "text", "--on", "sim"], "found --on beside --image; expected --limit"),
        (["text", "--limit", "1"], "--limit and --gdb are of an image: they need --image"),
        (["text", "--gdb", "1234"], "--limit and --gdb are of an image: they need --image"),
        (["--image", "text", "--limit", "0"], "0.1"),
        (["--image", "text", "--limit", "inf"], "1000000"),
        (["--image", "text", "--limit", "nan"], "1000000"),
        (["--image", "text", "--gdb", "65536"], "65535"),
    ],
)
def test_what_is_no_image_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("no image\n" * 99)
    (tmp_path / "head").write_bytes(Path(sys.executable).read_bytes()[:512])
    assert message in refusal(["run", *arguments])


def test_a_program_at_the_terminal_keeps_its_code_and_its_limit() -> None:
    reported: list[str] = []
    ended = run_at_terminal(["/bin/sh", "-c", "echo why >&2; exit 17"], reported.append, None)
    assert (ended.code, reported) == (17, ["why"])
    ended = run_at_terminal(["/bin/sleep", f"{HUNG_S}"], reported.append, 0.2)
    assert (ended.code, ended.took_too_long) == (-signal.SIGKILL, True)


AT_TERMINAL = """
import signal, sys
from plafond.programs import run_at_terminal
signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
run_at_terminal(["/bin/sh", "-c", sys.argv[1]], lambda _: None, None)
"""
SPOILED = f"stty raw -echo; echo $$; exec sleep {HUNG_S}"


def in_terminal(script: str, its: int) -> subprocess.Popen[bytes]:
    """Run a script at its end of a terminal as run_at_terminal() does."""
    return subprocess.Popen(
        [sys.executable, "-c", AT_TERMINAL, script],
        stdin=its,
        stdout=its,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(LAB)},
    )


def is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_neither_the_program_nor_its_terminal_behind(
    number: signal.Signals,
) -> None:
    ours, its = pty.openpty()
    before = termios.tcgetattr(its)
    process = in_terminal(SPOILED, its)
    program = int(os.read(ours, 99))
    assert is_there(program)
    assert termios.tcgetattr(its) != before
    process.send_signal(number)
    process.wait(HUNG_S)
    assert not is_there(program)
    assert termios.tcgetattr(its) == before
    for end in (ours, its):
        os.close(end)


def test_what_is_typed_reaches_the_program_and_comes_out_at_once() -> None:
    ours, its = pty.openpty()
    process = in_terminal(f"stty -echo; echo ready; read line; echo got $line; sleep {HUNG_S}", its)
    written = b""
    try:
        for awaited, typed in ((b"ready", b"this\n"), (b"got this", b"")):
            until = time.monotonic() + HUNG_S
            while awaited not in written and time.monotonic() < until:
                written += os.read(ours, 99)
            os.write(ours, typed)
        assert b"got this" in written
        assert process.poll() is None
    finally:
        process.terminate()
        process.wait(HUNG_S)
        for end in (ours, its):
            os.close(end)
