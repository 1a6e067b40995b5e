# SPDX-License-Identifier: MIT
"""Build the guest's initial file system: busybox, our programs, and the commands to run."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from plafond.errors import RefusedError
from plafond.programs import find_program
from plafond.vm.archive import Entry, file_entry, pack
from plafond.vm.guest import Processor
from plafond.vm.kernel import SCRIPTS, Kernel
from plafond.vm.libraries import libraries_of

BUSYBOX = Path("/bin/busybox")
FOLDERS = ("/proc", "/sys", "/dev", "/tmp", "/results")


def make_image(
    kernel: Kernel,
    files: Mapping[str, Path | bytes],
    commands: Sequence[str],
    modules: Sequence[Path],
) -> bytes:
    """Return the initial file system; the libraries of programs are added."""
    busybox, post = _tools(kernel)
    entries = {f"{folder}/.keep": file_entry(b"", False) for folder in FOLDERS}
    entries["/bin/busybox"] = _copy(busybox)
    entries["/bin/post"] = _copy(post)
    entries["/init"] = _copy(SCRIPTS / "init")
    entries["/commands"] = file_entry("\n".join([*commands, ""]).encode(), False)
    entries |= {f"/modules/{module.name}": _copy(module) for module in modules}
    for path, content in files.items():
        if isinstance(content, bytes):
            entries[path] = file_entry(content, False)
        else:
            entries[path] = _copy(content)
            libraries = libraries_of(content, kernel.processor)
            entries |= {place: _copy(library) for place, library in libraries.items()}
    return pack(entries)


def _tools(kernel: Kernel) -> tuple[Path, Path]:
    """Return busybox and `post` for the guest's processor."""
    if kernel.processor is not Processor.X86_64:
        return kernel.folder / "busybox", SCRIPTS / "post-by-port"
    if not os.access(BUSYBOX, os.X_OK):
        raise RefusedError(f"{BUSYBOX} is missing: apt install busybox-static")
    return BUSYBOX, find_program("linux/vm/plafond-post")


def _copy(file: Path) -> Entry:
    return file_entry(file.read_bytes(), os.access(file, os.X_OK))
