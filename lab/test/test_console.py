# SPDX-License-Identifier: MIT
"""The console of an image: the guide's example, and typed input, under `run --image`."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from kernel_runs import described, image_of, trace_on
from patience import HUNG_S, until
from quick_images import build_quickly

from plafond.board.terminal import board_of_image, run_at_our_terminal
from plafond.build.image import Image, build_image
from plafond.describe import load
from plafond.errors import ArgumentError, PlafondError, RefusedError

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/osek-console.toml"
GUIDE = ROOT / "docs/kernel/example.md"
SHOWN = re.compile(
    r"^\$ \./plafond run --image build/kernel/osek-console-(?:sim|a53)/image\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)

ONE_BY_ONE = """
name = "one by one"
[kernel]
console = true
sources = ["one_by_one.c"]
trusted = ["one_by_one_isr.c"]
[task.shows]
priority = 1
[task.waits]
priority = 2
autostart = true
events = ["NEVER"]
[isr.one]
source = 1
"""
SHOWS = """
#include <os_console.h>

char came[64];
volatile unsigned count;

TASK(shows)
{
	WriteConsole(came, count);
	ShutdownOS(E_OS_STATE);
}

TASK(waits)
{
	WriteConsole("ready", 5);
	WaitEvent(NEVER);
}
"""
TAKES_ONE = """
#include <kernel/port.h>
#include <os.h>

extern char came[64];
extern volatile unsigned count;

ISR(one)
{
	char key;

	if (!plf_port_read(&key, 1))
		return;
	came[count++ % sizeof(came)] = key;
	if (key == 'x')
		ActivateTask(shows);
}
"""
RECORDED = """
name = "recorded"
[kernel]
console = true
[task.one]
priority = 1
arrival = "periodic 1ms"
activations = 2
body = ["run 10us"]
"""


def shown() -> str:
    """Return the output of the example that the guide shows."""
    found = SHOWN.search(GUIDE.read_text())
    assert found, "the guide shows no run of the example"
    return found[1]


def test_the_guide_shows_the_example_as_it_is() -> None:
    _, _, section = GUIDE.read_text().partition("# A complete system\n")
    blocks = re.findall(r"^```(?:c|toml)\n(.*?)^```$", section.partition("\n## ")[0], re.M | re.S)
    files = [EXAMPLE, *(ROOT / "examples/osek-console").iterdir()]
    texts = [file.read_text() for file in files]
    assert len(blocks) == 3
    for block in blocks:
        for part in block.split("\n\n/* "):
            assert any(part in text for text in texts), f"found nowhere in the example: {part}"


@pytest.fixture(scope="module")
def sim(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return build_quickly(load(EXAMPLE), "sim", folder=tmp_path_factory.mktemp("sim"))


@pytest.fixture(scope="module")
def a53(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return build_image(load(EXAMPLE), "a53", folder=tmp_path_factory.mktemp("a53"))


@pytest.fixture(scope="module")
def one_by_one() -> Image:
    sources = {"one_by_one.c": SHOWS, "one_by_one_isr.c": TAKES_ONE}
    return image_of(described("one_by_one", ONE_BY_ONE, sources), "a53", "uprio-nprio")


@contextmanager
def started(image: Image, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start an image as a user does, with pipes."""
    command = [sys.executable, "-m", "plafond", "run", "--image", str(image.path), *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "lab")}
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    try:
        yield process
    finally:
        process.terminate()  # which also ends the image
        process.communicate(timeout=HUNG_S)


def run(image: Image, typed: bytes = b"", *options: str) -> tuple[int, str, str]:
    with started(image, *options) as process:
        output, errors = process.communicate(typed, HUNG_S)
    return process.returncode, output.decode(), errors.decode()


def wait_for(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    """Read up to this text, and return it all."""
    assert process.stdout
    written = b""
    while text not in written:
        chunk = os.read(process.stdout.fileno(), 999)
        assert chunk, f"found {written!r} and then the end; expected {text!r}"
        written += chunk
    return written


def runs(image: Image) -> bool:
    """Whether a process has the image on its command line."""
    wanted = str(image.path).encode()
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if wanted in file.read_bytes().split(b"\0"):
                return True
        except OSError:  # the process ended meanwhile
            continue
    return False


def test_the_example_writes_what_the_guide_shows(sim: Image) -> None:
    assert run(sim) == (0, shown(), "")


def test_the_simulated_interrupt_brings_what_is_typed(sim: Image) -> None:
    written = subprocess.run(
        [sim.path, "--at", "750000000:1", "--at", "1200000000:1"],
        input=b"hi",
        stdout=subprocess.PIPE,
        timeout=HUNG_S,
        check=True,
    ).stdout.decode()
    assert written == shown().replace("beat 1\n", "beat 1\ntyped h\ntyped i\n")


def test_a_description_without_a_console_has_no_service_for_it(tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace("console = true\n", "").replace("osek-console/", "")
    (tmp_path / "quiet.toml").write_text(text)
    for file in (ROOT / "examples/osek-console").iterdir():
        (tmp_path / file.name).write_text(file.read_text())
    with pytest.raises(PlafondError, match=r"no console: write console = true in \[kernel\]"):
        build_quickly(load(tmp_path / "quiet.toml"), "sim", folder=tmp_path / "image")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99, 0.999])
def test_a_part_of_an_image_is_none(sim: Image, tmp_path: Path, share: float) -> None:
    content = sim.path.read_bytes()
    part = tmp_path / "part"
    part.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ArgumentError, match="expected an image that `plafond build` made"):
        board_of_image(part)


def test_an_image_that_may_not_be_executed_is_named(sim: Image, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(sim.path.read_bytes())
    with pytest.raises(ArgumentError, match="may not be executed"):
        run_at_our_terminal(copy, None, None)


def test_gdb_needs_no_help_of_ours_on_sim(sim: Image) -> None:
    with pytest.raises(ArgumentError, match=f"a program of this machine: gdb {sim.path}"):
        run_at_our_terminal(sim.path, None, 1234)


@pytest.mark.board
def test_the_example_writes_the_same_on_the_board(a53: Image) -> None:
    assert run(a53) == (0, shown(), "")


@pytest.mark.board
def test_what_is_typed_reaches_the_interrupt_on_the_board(a53: Image) -> None:
    code, written, _ = run(a53, b"hiq")
    beats = ("beat", "error")  # as many as this machine has the time for
    lines = [line for line in written.splitlines() if not line.startswith(beats)]
    assert (code, lines) == (
        0,
        ["start: type, and q to end", "typed h", "typed i", "shutdown 00"],
    )


@pytest.mark.board
def test_the_interrupt_comes_until_all_is_taken(one_by_one: Image) -> None:
    """An end other than E_OK gives the exit code and a line that explains it."""
    with started(one_by_one) as process:
        assert process.stdin
        assert process.stderr
        assert wait_for(process, b"ready") == b"ready"
        for typed in (b"abc", b"defghijklmnopqrstuvwx"):
            process.stdin.write(typed)
            process.stdin.flush()
        assert wait_for(process, b"x") == b"abcdefghijklmnopqrstuvwx"
        reported = process.stderr.read().decode()
        assert process.wait(HUNG_S) == 7
    assert reported == (
        f"plafond: {one_by_one.path} on a53 ended with E_OS_STATE: ShutdownOS() in task shows "
        "(/description/one_by_one.c:10)\n"
    )


@pytest.mark.board
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_board_behind(one_by_one: Image, number: signal.Signals) -> None:
    with started(one_by_one) as process:
        wait_for(process, b"ready")
        assert runs(one_by_one)
        process.send_signal(number)
        assert process.wait(HUNG_S) == 128 + number
    assert not runs(one_by_one)


@pytest.mark.board
def test_the_limit_ends_a_board(one_by_one: Image) -> None:
    code, _, reported = run(one_by_one, b"", "--limit", "0.5")
    assert code == 124
    assert reported == f"plafond: {one_by_one.path} had not ended after 0.5 s\n"


@pytest.mark.board
def test_without_qemu_a_line_names_it(one_by_one: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RefusedError, match=r"^qemu-system-aarch64 is missing: "):
        run_at_our_terminal(one_by_one.path, None, None)


@pytest.mark.board
def test_the_board_waits_for_gdb(one_by_one: Image) -> None:
    port = free_port()
    with started(one_by_one, "--gdb", str(port)) as process, connected(port) as gdb:
        assert "T05" in ask(gdb, "?")
        gdb.sendall(packet("c"))
        assert wait_for(process, b"ready") == b"ready"


@pytest.mark.board
def test_what_is_typed_while_the_board_starts_is_not_lost(a53: Image) -> None:
    """Some of the input comes before the console's device is set up, some before its first
    interrupt."""
    port = free_port()
    with started(a53, "--gdb", str(port)) as process, connected(port) as gdb:
        assert process.stdin
        process.stdin.write(b"hiq")
        process.stdin.flush()
        let_the_board_take_what_was_typed(gdb)
        assert ask(gdb, f"Z0,{address_of('StartupHook', a53)},4") == "OK"
        assert "T05" in ask(gdb, "c")
        let_the_board_take_what_was_typed(gdb)
        gdb.sendall(packet(f"z0,{address_of('StartupHook', a53)},4") + packet("c"))
        written = wait_for(process, b"shutdown").decode()
    typed = [line for line in written.splitlines() if line.startswith("typed")]
    assert typed == ["typed h", "typed i"]


@pytest.mark.board
def test_what_qemu_refuses_is_one_line(one_by_one: Image) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, written, reported = run(one_by_one, b"", "--gdb", str(taken.getsockname()[1]))
    assert (code, written) == (1, "")
    assert re.fullmatch(r"plafond: .* did not run: qemu-system-aarch64: .* in use\n", reported)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def packet(text: str) -> bytes:
    """Return a packet of gdb's remote protocol, after the acknowledgement of the last."""
    return f"+${text}#{sum(text.encode()) % 256:02x}".encode()


def ask(gdb: socket.socket, text: str) -> str:
    """Send a packet, and return the content of the answer."""
    gdb.sendall(packet(text))
    answer = ""
    while "#" not in answer:
        answer += gdb.recv(999).decode()
    return answer.partition("$")[2].partition("#")[0]


def let_the_board_take_what_was_typed(gdb: socket.socket) -> None:
    """QEMU handles input and gdb in one loop, so after some answers it has read all that fits."""
    for _ in range(8):
        ask(gdb, "?")


def address_of(name: str, image: Image) -> str:
    symbols = subprocess.check_output(["nm", image.path], text=True)
    return next(line.split()[0] for line in symbols.splitlines() if line.endswith(f" {name}"))


def connected(port: int) -> socket.socket:
    def connect() -> socket.socket | None:
        with suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port))
        return None

    connection = until(connect, "QEMU listens for gdb")
    assert connection
    return connection


@pytest.mark.board
def test_a_run_with_a_console_is_recorded(tmp_path: Path) -> None:
    trace = trace_on("a53", "uprio-nprio", described("recorded_console", RECORDED))
    assert [len(task.arrivals_ns) for task in trace.tasks] == [2]
