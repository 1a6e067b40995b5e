# SPDX-License-Identifier: MIT
"""Run commands in a guest with a PREEMPT_RT kernel, and return their results."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from plafond.errors import PlafondError
from plafond.programs import run_program
from plafond.vm.guest import Guest
from plafond.vm.image import make_image
from plafond.vm.kernel import Kernel, built_modules, fetched_drivers, fetched_kernel
from plafond.vm.messages import Mailbox, Message
from plafond.vm.qemu import find_qemu, qemu_command
from plafond.writing import write_whole

LOOK_S = 0.1
CONSOLE_LINES = 20
# The names of the messages that `init` sends.
READY, FAILURE, END = "ready", "failure", "end"
OURS = (READY, FAILURE, END)


@dataclass(frozen=True)
class Results:
    """The files that a guest sent by name, the status of its commands, and its console."""

    files: dict[str, bytes]
    status: int  # the exit status of the last command
    console: str


def prepare(guest: Guest) -> tuple[str, Kernel, list[Path]]:
    """Return QEMU, the kernel and the modules, which are fetched and built on first use."""
    qemu = find_qemu(guest.processor)
    kernel = fetched_kernel(guest.kernel, guest.processor)
    drivers = fetched_drivers(kernel) if guest.has_drivers else []
    return qemu, kernel, [*drivers, *(built_modules(kernel) if guest.modules else [])]


def run_in_vm(
    guest: Guest,
    files: Mapping[str, Path | bytes],
    commands: Sequence[str],
    longest_s: float,
    on_message: Callable[[Message], None] = lambda _: None,
) -> Results:
    """Boot the guest, run `commands` (lines of a shell script) as root, and return their results.

    `files` are put into the guest by absolute path, and programs with their libraries. A file that
    is executable here is executable there. The commands run in `/`. Files in `/results` are
    returned in `Results.files`, by file name, after the script's end. `post NAME [FILE]` sends a
    file, or standard input, at once. `on_message` receives each message as soon as it arrives, in
    another thread. The first message is named "ready"; it says that the guest has booted.

    With one processor an instruction takes a nanosecond of the guest, so equal calls give equal
    results. PlafondError has the reason of a failure and the last lines of the guest's console.
    Reasons are no kernel, no QEMU, a module that does not load, a panic, or more than `longest_s`
    seconds of this machine. The guest's process has ended whenever this function ends.
    """
    qemu, kernel, modules = prepare(guest)
    with TemporaryDirectory(prefix="plafond-vm-") as scratch:
        image, console, sent = (Path(scratch) / name for name in ("image", "console", "sent"))
        write_whole(image, make_image(kernel, files, commands, modules))
        files_sent: dict[str, bytes] = {}

        def keep(message: Message) -> None:
            files_sent[message.name] = message.content
            on_message(message)

        command = qemu_command(qemu, guest, kernel.image, image, console, sent)
        with _collecting(Mailbox(sent), keep):
            fault = _run_qemu(command, longest_s)
        return _results(files_sent, _read_console(console), fault)


@contextmanager
def _collecting(mailbox: Mailbox, keep: Callable[[Message], None]) -> Iterator[None]:
    """Hand over each message when it arrives; at the end all have been handed over."""
    over = threading.Event()

    def follow() -> None:
        while not over.wait(LOOK_S):
            for message in mailbox.collect():
                keep(message)

    thread = threading.Thread(target=follow, daemon=True)
    try:
        thread.start()
        yield
    finally:
        over.set()
        if thread.is_alive():  # a signal may have come before the thread started
            thread.join()
        for message in mailbox.collect():
            keep(message)


def _run_qemu(command: list[str], longest_s: float) -> str | None:
    """Return why QEMU did not end as it should, or None."""
    said: list[str] = []
    begun_s = monotonic()
    try:
        run_program(command, said.append, longest_s)
    except PlafondError as error:
        if monotonic() - begun_s >= longest_s:
            return f"the guest had not finished after {longest_s:.0f} s and was ended"
        silent = f"exit code {error.exit_code}"  # with exit code 2, the error has no text
        return f"QEMU failed: {said[-1] if said else str(error) or silent}"
    return None


def _read_console(file: Path) -> str:
    return file.read_text(errors="replace").replace("\r", "") if file.exists() else ""


def _results(sent: dict[str, bytes], console: str, fault: str | None) -> Results:
    """Return the messages except those of `init`; PlafondError if `init` did not reach its end."""
    own = {name: sent.pop(name) for name in OURS if name in sent}
    if END in own:
        return Results(sent, int(own[END]), console)
    failure = own.get(FAILURE, b"").decode(errors="replace").strip()
    panic = next((line for line in console.splitlines() if "Kernel panic" in line), None)
    reason = failure or (panic and f"the guest died: {panic.strip()}") or fault
    raise PlafondError(f"virtual machine: {reason or 'the guest ended early'}{_tail(console)}")


def _tail(console: str) -> str:
    lines = [line for line in console.splitlines() if line.strip()][-CONSOLE_LINES:]
    if not lines:
        return "; its console is empty"
    return "".join(["; the last lines of its console:", *(f"\n  | {line}" for line in lines)])
