# SPDX-License-Identifier: MIT
"""The inputs of a finding except the code: Python modules, the engine and the tools."""

from __future__ import annotations

import ast
import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from proof.certificate import digest_of
from proof.result import ROOT, CouldNotRunError

ENGINE = "proof.engine."
# These modules report findings or order the tries, and none of them decides a finding. The
# generators of mutants are among them, because the text of each mutant is part of its question.
NEUTRAL = {
    f"proof.{name}"
    for name in (
        *("certificate", "extent", "prover", "published", "result", "workers"),
        *("mutator", "kernel.operators"),
    )
}

_READERS = ("plafond.describe.oil", "plafond.describe.rt_app")  # their files are no input of proofs


def modules(*names: str, rooms: Sequence[str] = ("proof",)) -> dict[str, str]:
    """Return hashes of the files of these modules and of all that they import from `rooms`."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += (each for each in _imported(name) if each.partition(".")[0] in rooms)
    files = {_file(name) for name in found}
    if any(name.startswith(ENGINE) for name in found):
        files.update((ROOT / "proof/engine").glob("*.[ch]"))
    return {str(file.relative_to(ROOT)): digest_of(file) for file in files}


def _file(name: str) -> Path:
    folder = ROOT / "lab" if name.partition(".")[0] == "plafond" else ROOT
    path = folder / name.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _imported(name: str) -> tuple[str, ...]:
    return tuple(filter(_decides, imports_of(_file(name))))


@cache
def imports_of(file: Path) -> tuple[str, ...]:
    """Return the names that the file imports. Some are functions or classes in modules."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return tuple(name for node in ast.walk(tree) for name in _named(node))


def _named(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (each.name for each in names)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            yield module
            yield from (f"{module}.{each.name}" for each in names)


def _decides(name: str) -> bool:
    room, _, rest = name.partition(".")
    is_ours = room in ("proof", "plafond") and rest != ""
    is_neutral = name in NEUTRAL or name.startswith(_READERS)
    return is_ours and not is_neutral and _file(name).exists()


def packages(*names: str) -> dict[str, str]:
    """Return the versions of Python and of these packages."""
    python = f"Python {'.'.join(platform.python_version_tuple()[:2])} on {platform.machine()}"
    return {"python": python, **{name: f"version {version(name)}" for name in names}}


def compilers(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of these compilers and of their assemblers and linkers."""
    return {
        tool: said
        for name in names
        for tool, said in (*_with_helpers(name), (name, version_of(name)))
    }


def _with_helpers(compiler: str) -> Iterator[tuple[str, str]]:
    for helper in ("as", "ld"):
        path = _output(compiler, f"-print-prog-name={helper}").strip()
        yield f"{compiler}, {helper}", version_of(path)


def version_of(tool: str) -> str:
    """Return the first line of the tool's --version."""
    return next(iter(_output(tool, "--version").splitlines()), "")


@cache
def _output(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise CouldNotRunError(f"{command[0]}: {error}") from error
