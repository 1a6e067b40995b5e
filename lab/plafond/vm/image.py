# SPDX-License-Identifier: MIT
"""What lies in the guest when it starts: busybox, our programs, and what is to be run."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from plafond.errors import RefusedError
from plafond.programs import find_program
from plafond.vm.archive import Entry, file_entry, pack
from plafond.vm.kernel import SCRIPTS

BUSYBOX = Path("/bin/busybox")
FOLDERS = ("/proc", "/sys", "/dev", "/tmp", "/results")


def make_image(
    files: Mapping[str, Path | bytes], commands: Sequence[str], modules: Sequence[Path]
) -> bytes:
    """Return the initial file system; programs bring the libraries that they need."""
    if not os.access(BUSYBOX, os.X_OK):
        raise RefusedError(f"{BUSYBOX} is missing: apt install busybox-static")
    entries = {f"{folder}/.keep": file_entry(b"", False) for folder in FOLDERS}
    entries["/bin/busybox"] = _copy(BUSYBOX)
    entries["/bin/post"] = _copy(find_program("linux/vm/plafond-post"))
    entries["/init"] = _copy(SCRIPTS / "init")
    entries["/commands"] = file_entry("\n".join([*commands, ""]).encode(), False)
    entries |= {f"/modules/{module.name}": _copy(module) for module in modules}
    for path, content in files.items():
        if isinstance(content, bytes):
            entries[path] = file_entry(content, False)
        else:
            entries[path] = _copy(content)
            entries |= {str(library): _copy(library) for library in _libraries(content)}
    return pack(entries)


def _copy(file: Path) -> Entry:
    return file_entry(file.read_bytes(), os.access(file, os.X_OK))


def _libraries(file: Path) -> list[Path]:
    """Return what the loader of this machine would load for the program, itself included."""
    with file.open("rb") as stream:
        if stream.read(4) != b"\x7fELF":
            return []
    listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=False).stdout
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", listed)]
