# SPDX-License-Identifier: MIT
"""Find the task or hook, the service and the line with which an image ended with an error.

An image of a board contains no code for this. QEMU stops it at its end, and its structures are read
with debugging information. An image of the simulated processor writes a line.
"""

import contextlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from elftools.elf.elffile import ELFFile

from plafond.board.boards import Board
from plafond.board.gdb_remote import EndedError, Remote
from plafond.board.layout import Structure, structures_of
from plafond.board.trap import UNKNOWN, addr2line

# Functions with which the kernel ends, with the status in the first register; and the service.
ENDS = {
    "plf_shutdown_os": "ShutdownOS()",
    "plf_shutdown_all_cores": "ShutdownAllCores()",
    "plf_shut_down": "",
}
PC = 32  # the register's number in gdb's protocol
INSTRUCTION = 4  # bytes
SVC = 0xD4000001  # stands before the address to which the kernel returns
IN_TASK = 1
# enum plf_place of kernel/core.h
PLACES = {
    2: "a handler",
    4: "ErrorHook",
    8: "PreTaskHook",
    16: "PostTaskHook",
    32: "StartupHook",
    64: "ShutdownHook",
    128: "ProtectionHook",
    256: "main()",
    512: "a callback",
    1024: "a handler of category 1",
    2048: "a callback of a message",
    4096: "a trusted function",
}
STRUCTURES = ("plf_core", "plf_task", "plf_task_config", "plf_port_core")
OURS = "/plafond/"  # the name of the kernel's folder inside an image
DOOR = "plf_mixed_call"
# The line that kernel/ports/sim/ending.c writes.
OF_SIM = re.compile(
    r"sim: ended by '(?P<service>\w*)' in place (?P<place>\d+) of task '(?P<task>\w*)' at(?P<at>.*)"
)


def is_for_tools(image: Path) -> bool:
    """Return whether an image has debugging information."""
    with image.open("rb") as file:
        return bool(ELFFile(file).has_dwarf_info())


def written_ending(board: Board, image: Path, line: str) -> str | None:
    """Return the ending that an image's line describes, as a phrase to append to a message.

    None: the line does not describe an ending.
    """
    found = OF_SIM.fullmatch(line)
    if not found:
        return None
    service = f"{found['service']}()" if found["service"] else ""
    places = (_places(board, image, int(address, 16)) for address in found["at"].split())
    return _described(service, int(found["place"]), found["task"], _first_line(places))


def _described(service: str, place: int, task: str, line: str) -> str:
    at = f" ({line})" if line else ""
    by = f": {service} in" if service else ", in"
    whose = f"task {task}" if task else "no task"
    if place == IN_TASK:
        return f"{by} {whose}{at}"
    return f"{by} {PLACES.get(place, 'the kernel')}, when {whose} ran{at}"


def _first_line(places: Iterable[Mapping[str, str]]) -> str:
    """Return the first line of the application; empty if there is none."""
    lines = (line.partition(" ")[0] for each in places for line in each.values())
    return next((line for line in lines if not line.startswith((UNKNOWN, OURS))), "")


def _places(board: Board, image: Path, address: int) -> dict[str, str]:
    """Return the lines of the function at an address, and of the functions that inline it."""
    command = [*addr2line(board, image, f"{address:#x}"), "-i"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return {}
    lines = said.stdout.splitlines()
    return dict(zip(lines[::2], lines[1::2], strict=False))


class Witness:
    """Examines an image in QEMU when it ends with an error."""

    def __init__(self, board: Board, image: Path, symbols: Mapping[str, int], path: Path) -> None:
        """`path`: a socket that does not exist yet."""
        self.found = ""  # a phrase to append to a message; empty: not known
        self._board, self._image, self._symbols, self._path = board, image, symbols, path
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the arguments that QEMU needs."""
        return ("-S", "-gdb", f"unix:{self._path},server=on,wait=off")

    def start(self) -> None:
        """Start to wait for the image; call this before QEMU is started."""
        self._thread.start()

    def end(self) -> None:
        """Wait for the end of the examination; call this after QEMU has ended."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        # signals are for the main thread
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        connection = self._connected()
        if not connection:
            return
        known = contextlib.suppress(EndedError, OSError, ValueError, KeyError)
        with known, connection, Remote(connection) as remote:
            self.found = self._look(remote)

    def _connected(self) -> socket.socket | None:
        while not self._over.is_set():
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(self._path))
                return connection
            except OSError:
                connection.close()
                self._over.wait(0.01)
        return None

    def _look(self, remote: Remote) -> str:
        ends = {self._symbols[name]: name for name in ENDS if name in self._symbols}
        for address in ends:
            remote.stop_at(address)
        core = remote.go()
        if not remote.register(0) & 0xFF:
            return ""
        name = ends[remote.register(PC)]
        kernel = _Kernel(remote, structures_of(self._image, STRUCTURES), self._symbols, core)
        line = self._line(kernel) if kernel.task else ""
        return _described(ENDS[name], kernel.place, kernel.task, line)

    def _line(self, kernel: "_Kernel") -> str:
        """Return the line of the application at which the task is; empty: not known."""
        places = _places(self._board, self._image, kernel.at)
        if DOOR in places:
            places = _places(self._board, self._image, kernel.link - INSTRUCTION)
        return _first_line([places])


class _Kernel:
    """The kernel's structures on a core that has stopped."""

    def __init__(
        self,
        remote: Remote,
        structures: dict[str, Structure],
        symbols: Mapping[str, int],
        core: int,
    ) -> None:
        def member(address: int, structure: str, name: str) -> int:
            for each in structures[structure].members:
                if each.name == name:
                    return remote.number(address + each.offset, each.size)
            raise ValueError(f"no {name} in {structure}")

        def of_core(symbol: str, structure: str) -> int:
            return symbols[symbol] + core * structures[structure].size

        own = of_core("plf_cores", "plf_core")
        running = member(own, "plf_core", "running")
        self.place = member(own, "plf_core", "place")
        self.at = remote.system_register("ELR_EL1")
        if remote.holds(self.at - INSTRUCTION, SVC, INSTRUCTION):
            self.at -= INSTRUCTION
        self.link = member(of_core("plf_port_cores", "plf_port_core"), "plf_port_core", "link")
        self.task = ""
        if running:
            config = member(running, "plf_task", "config")
            self.task = remote.text(member(config, "plf_task_config", "name"))


@contextlib.contextmanager
def witness_of(board: Board, image: Path, symbols: Mapping[str, int]) -> Iterator[Witness]:
    """Start a witness for an image, and end it afterwards."""
    with tempfile.TemporaryDirectory(prefix="plafond-") as folder:
        witness = Witness(board, image, symbols, Path(folder) / "gdb")
        witness.start()
        try:
            yield witness
        finally:
            witness.end()
