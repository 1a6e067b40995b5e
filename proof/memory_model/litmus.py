# SPDX-License-Identifier: MIT
"""Litmus tests of C functions: the machine code that gcc makes of them, as herd7 reads it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from proof.result import CouldNotRunError

_LABEL = re.compile(r"\.?(\w+):")
_OWN_LABEL = re.compile(r"\.L(\d+)\b")
_OPERANDS = re.compile(r",\s*(?![^\[]*\])")  # between operands, not inside an address
_FRAME = re.compile(r"LF[BE]\d+")  # labels for unwinding


def code_of(source: Path, headers: Path, flags: Sequence[str]) -> dict[str, list[str]]:
    """Compile the source; return the lines of each function."""
    command = ["aarch64-linux-gnu-gcc", "-std=c11", "-O2", "-ffreestanding", "-Wall", "-Wextra"]
    done = subprocess.run(
        [*command, *flags, f"-I{headers}", "-S", "-o", "-", source],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CouldNotRunError(f"{source.name} does not compile: {done.stderr.strip()[-300:]}")
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for raw in done.stdout.splitlines():
        line = raw.partition("//")[0].strip()
        label = _LABEL.fullmatch(line)
        if label and not line.startswith("."):
            lines = found[label[1]] = []
        elif label and _FRAME.fullmatch(label[1]):
            continue
        elif label or (line and not line.startswith(".")):
            lines.append(line)
    return found


def _operand(text: str) -> str:
    if re.fullmatch(r"-?(\d+|0x[0-9a-f]+)", text):
        return f"#{int(text, 0)}"
    return re.sub(r"LSL (\d+)", r"LSL #\1", text.upper())


def _instruction(line: str, thread: int) -> str:
    line = _OWN_LABEL.sub(rf"LABEL{thread}_\1", line)
    if line.endswith(":"):
        return line
    name, _, rest = line.partition("\t")
    if name == "ret":
        return f"B END{thread}"
    conditional = re.fullmatch(r"b(eq|ne|hi|ls|cs|cc|mi|pl)", name)
    name = f"b.{conditional[1]}" if conditional else name
    return f"{name.upper()} {','.join(map(_operand, _OPERANDS.split(rest)))}".strip()


def _plain(line: str) -> list[str]:
    """Say with others what herd7 does not read: UBFIZ, and a mask of all bits but the highest."""
    moved = re.fullmatch(r"ubfiz\t(\w+), (\w+), (\d+), (\d+)", line)
    if moved:
        to, of, place, width = moved.groups()
        return [f"and\t{to}, {of}, {(1 << int(width)) - 1}", f"lsl\t{to}, {to}, {place}"]
    cut = re.fullmatch(rf"and\t(\w+), (\w+), {(1 << 63) - 1}", line)
    if cut:
        return [f"lsl\t{cut[1]}, {cut[2]}, 1", f"lsr\t{cut[1]}, {cut[1]}, 1"]
    return [line]


def _column(code: Sequence[str], thread: int) -> Iterator[str]:
    for line in code:
        yield from (_instruction(plain, thread) for plain in _plain(line))
    yield f"END{thread}:"


def litmus(
    name: str,
    threads: Sequence[Sequence[str]],
    shared: Mapping[str, str],
    begin: Mapping[str, int],
    condition: str,
) -> str:
    """Lay the threads out beside each other; herd7 is asked whether the condition can come true.

    `shared`: what all get the addresses of, in this order.
    """
    numbers = range(len(threads))
    cells = [f"{kind} {cell}={begin.get(cell, 0):#x};" for cell, kind in shared.items()]
    for thread in numbers:
        cells.append(" ".join(f"{thread}:X{i}={cell};" for i, cell in enumerate(shared)))
    columns = [list(_column(code, thread)) for thread, code in enumerate(threads)]
    height = max(map(len, columns))
    filled = [column + [""] * (height - len(column)) for column in columns]
    widths = [max(map(len, column)) for column in columns]
    rows = [[f"P{thread}" for thread in numbers], *map(list, zip(*filled, strict=True))]
    table = [
        " " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " ;"
        for row in rows
    ]
    asked = f"exists ({condition})"
    return "\n".join([f"AArch64 {name.replace(' ', '-')}", "{", *cells, "}", *table, asked, ""])
