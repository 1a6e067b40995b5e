# SPDX-License-Identifier: MIT
"""An OIL file with conditionals or macros: its text from gcc's preprocessor."""

import re
import resource
import shutil
import subprocess
from pathlib import Path

from plafond.describe.file_text import LARGEST_FILE
from plafond.describe.oil.included import Origin, PreprocessorNeededError, Whole, whole_text
from plafond.describe.problems import DescriptionError
from plafond.errors import RefusedError

_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)".*')
_ERROR = re.compile(r"(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)")
# A file may include itself, or have macros that grow without end.
LONGEST_S = 10
MOST_MEMORY = 1 << 30  # bytes
FLAGS = ("-E", "-x", "c", "-undef", "-nostdinc", "-w", "-fdiagnostics-plain-output")


def whole_of(file: Path, text: str, folders: tuple[Path, ...]) -> Whole:
    """Return the text as whole_text() does, and through gcc if a file has other directives."""
    try:
        return whole_text(file, text, folders)
    except PreprocessorNeededError as needed:
        return _preprocessed(Whole(file, needed.folders))


def _preprocessed(whole: Whole) -> Whole:
    """Add the lines of the main file and of included files; DescriptionError names a mistake."""
    if not shutil.which("gcc"):
        raise RefusedError("gcc is missing, which reads OIL with conditionals: apt install gcc")
    folders = [whole.main.parent, *whole.folders]
    command = ["gcc", *FLAGS, *(f"-I{folder}" for folder in folders), str(whole.main)]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=LONGEST_S,
            preexec_fn=_limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _endless(whole) from None
    if done.returncode:
        raise _error(whole, done.stderr.decode(errors="replace"))
    _add(whole, _text(done.stdout))
    if sum(map(len, whole.lines)) > LARGEST_FILE:
        found = "more than 1 MiB with what is included"
        raise whole.error(Origin(None, 1), found, "a description")
    return whole


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_S, LONGEST_S))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _text(output: bytes) -> str:
    try:
        return output.decode()
    except UnicodeDecodeError:
        return output.decode("latin-1")


def _add(whole: Whole, text: str) -> None:
    """Add gcc's lines; its markers say from where the next ones are."""
    file, number = whole.main, 1
    for line in text.split("\n"):
        marker = _MARKER.fullmatch(line)
        if marker:
            number, file = int(marker[1]), Path(re.sub(r"\\(.)", r"\1", marker[2]))
            continue
        if not line.lstrip().startswith("#"):
            whole.lines.append(line)
            whole.origins.append(Origin(None if file == whole.main else file, number))
        number += 1


def _error(whole: Whole, said: str) -> DescriptionError:
    for line in said.splitlines():
        match = _ERROR.fullmatch(line)
        if match:
            file = Path(match[1])
            origin = Origin(None if file == whole.main else file, int(match[2]))
            return whole.error(origin, f"gcc's error: {match[3]}", "text that gcc -E takes")
    return _endless(whole)


def _endless(whole: Whole) -> DescriptionError:
    found = "a file that gcc -E cannot read to its end"
    return whole.error(Origin(None, 1), found, "a description")
