# SPDX-License-Identifier: MIT
"""Files that are written after a program has ended, but checked before it begins."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from plafond.errors import ArgumentError
from plafond.writing import write_whole


def refuse_unwritable(option: str, file: Path, is_replaced: bool = False) -> None:
    """Raise ArgumentError, which names the option, if the file cannot be written.

    `is_replaced`: replace_text() will write it, so it must not be a pipe or a terminal.
    """
    found = _obstacle(file, is_replaced)
    if found:
        raise ArgumentError(f"{option}: cannot write {file}: {found}")


def begin_anew(file: Path) -> Path:
    """Remove the file of an earlier run, so that processes see whether another has written.

    Return its absolute path, because the program may change its folder.
    """
    if not file.is_file():
        return file.absolute()
    target = file.resolve()
    with suppress(OSError):  # then it is overwritten
        target.unlink()
    return target


def _obstacle(file: Path, is_replaced: bool) -> str | None:
    try:
        if file.is_dir() or (is_replaced and file.exists() and not file.is_file()):
            return "found something that is no regular file"
        if file.exists() and not os.access(file, os.W_OK):
            return "Permission denied"
        if is_replaced or not file.exists():
            with tempfile.TemporaryFile(dir=file.resolve().parent):
                return None
    except OSError as error:
        return error.strerror
    return None


def replace_text(file: Path, text: str) -> Path | None:
    """Replace the file as a whole or not at all, and return the path of a copy of the old file."""
    target = file.resolve()
    kept = _keep(target)
    write_whole(target, text)
    return kept


def _keep(target: Path) -> Path | None:
    if not target.exists():
        return None
    kept = target.with_name(f"{target.name}~")
    shutil.copy2(target, kept)
    return kept
