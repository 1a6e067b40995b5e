# SPDX-License-Identifier: MIT
"""Turn C functions into litmus tests: herd7 reads the machine code that gcc makes of them.

**Retries are cut.** A failed compare-and-swap is tried again with the value that it found. After a
failed store-exclusive, the load is made again. herd7 would explore every number of retries. But any
result that is reached with failed tries is also reached without them. In that shorter execution,
the first look reads the value of the last failed try, from the same store:

- A failed try writes nothing. A CAS may write back the value that it read. Then others can read the
  same value from the store before, because they were ordered behind that store, too.
- So the shorter execution keeps loads and stores of the longer execution, in the same order, with
  the same values.
- The look takes the place of the last failed try's load, and the rest depends on it in the same
  way. It orders no more than that load: loads of compare-and-swaps are acquires, and a look is at
  most an acquire.
- So the longer execution has every relation by which the model may forbid the shorter execution. A
  model that allows the longer execution allows the shorter.

A thread that would try again returns CUT instead, and conditions ignore such executions. A failed
try must be an acquire. A separate fault tests this, in a case that lets a thread try again
(`retries`).

The compiler may place the first try of such a loop apart, in front of the loop. If a rule does not
depend on a thread that goes on after its first tries, a case may cut the thread there (`tries`).
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from proof.result import CouldNotRunError

_LABEL = re.compile(r"\.?(\w+):")
_OWN_LABEL = re.compile(r"\.L(\d+)\b")
_OPERANDS = re.compile(r",\s*(?![^\[]*\])")  # between operands, not inside an address
_FRAME = re.compile(r"LF[BE]\d+")  # labels for unwinding
_JUMP = re.compile(r"LABEL\d+_\d+")  # a jump's target, or the label itself
_TRY = re.compile(r"CAS|LDA?XR")  # a compare-and-swap, or the first half of an exclusive pair

CUT = 99  # returned by threads that were cut


def code_of(source: Path, headers: Path, flags: Sequence[str]) -> dict[str, list[str]]:
    """Compile the source; return the lines of each function."""
    command = ["aarch64-linux-gnu-gcc", "-std=c11", "-O2", "-ffreestanding", "-Wall", "-Wextra"]
    command += ["-Werror=implicit-function-declaration"]  # herd7 has no calls
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
    return re.sub(r"(LS[LR]) (\d+)", r"\1 #\2", text.upper())


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
    """Replace instructions that herd7 does not read: UBFIZ, NEG, a mask without the highest bit."""
    negated = re.fullmatch(r"neg\t(\w+), (\w+)", line)
    if negated:
        to, of = negated.groups()
        return [f"sub\t{to}, {to[0]}zr, {of}"]
    moved = re.fullmatch(r"ubfiz\t(\w+), (\w+), (\d+), (\d+)", line)
    if moved:
        to, of, place, width = moved.groups()
        return [f"and\t{to}, {of}, {(1 << int(width)) - 1}", f"lsl\t{to}, {to}, {place}"]
    cut = re.fullmatch(rf"and\t(\w+), (\w+), {(1 << 63) - 1}", line)
    if cut:
        return [f"lsl\t{cut[1]}, {cut[2]}, 1", f"lsr\t{cut[1]}, {cut[1]}, 1"]
    return [line]


def _behind(lines: Sequence[str], begin: int) -> set[int]:
    """Return all lines that may be executed from this line on."""
    found: set[int] = set()
    work = [begin]
    while work:
        at = work.pop()
        if at in found or at == len(lines):
            continue
        found.add(at)
        label = _JUMP.search(lines[at])
        if label and not lines[at].endswith(":"):
            work += [lines.index(f"{label[0]}:")]
        if not lines[at].startswith("B "):
            work.append(at + 1)
    return found


def _is_retry(lines: Sequence[str], at: int, name: str) -> bool:
    """Whether this line jumps back, and may then be executed again."""
    to = lines.index(f"{name}:")
    return to < at and at in _behind(lines, to)


def _tries(lines: Sequence[str], thread: int, retries: int) -> Iterator[str]:
    """Let the thread jump back `retries` times, each time into another copy of its code."""
    for copy in range(retries + 1):
        for at, line in enumerate(lines):
            label = _JUMP.search(line)
            if label is None:
                yield line
                continue
            to = copy + _is_retry(lines, at, label[0])
            yield line.replace(label[0], f"{label[0]}_{to}" if to <= retries else f"CUT{thread}")


def _at_most(lines: Sequence[str], thread: int, tries: int) -> Iterator[str]:
    """Cut the thread at the first try after `tries` others in its code."""
    begun = 0
    for line in lines:
        is_try = _TRY.match(line) is not None
        begun += is_try
        yield f"B CUT{thread}" if is_try and begun > tries else line


def _column(code: Sequence[str], thread: int, retries: int, tries: int | None) -> list[str]:
    lines = [_instruction(plain, thread) for line in code for plain in _plain(line)]
    if tries is not None:
        lines = list(_at_most(lines, thread, tries))
    end = [f"CUT{thread}:", f"MOV W0,#{CUT}", f"END{thread}:"]
    return [*_tries(lines, thread, retries), *end]


def _cell(kind: str, cell: str, value: int | Sequence[int]) -> str:
    """Return the declaration of a cell. Elements of an array without a value are 0."""
    of, _, length = kind.removesuffix("]").partition("[")
    if isinstance(value, int) and not length:
        return f"{kind} {cell}={value:#x};"
    given = [] if isinstance(value, int) else list(value)
    values = given + [0] * (int(length) - len(given))
    return f"{of} {cell}[{length}]={{{','.join(map(hex, values))}}};"


def litmus(
    name: str,
    threads: Sequence[Sequence[str]],
    shared: Mapping[str, str],
    begin: Mapping[str, int | Sequence[int]],
    condition: str,
    retries: Mapping[int, int] = MappingProxyType({}),
    tries: Mapping[int, int] = MappingProxyType({}),
) -> str:
    """Return the litmus test, which asks whether the condition can come true.

    `shared`: the cells whose addresses all threads get, in this order. `retries`, `tries`: the
    bounds of a thread, by number, if it has any.
    """
    numbers = range(len(threads))
    cells = [_cell(kind, cell, begin.get(cell, 0)) for cell, kind in shared.items()]
    for thread in numbers:
        cells.append(" ".join(f"{thread}:X{i}={cell};" for i, cell in enumerate(shared)))
    columns = [
        _column(code, thread, retries.get(thread, 0), tries.get(thread))
        for thread, code in enumerate(threads)
    ]
    height = max(map(len, columns))
    filled = [column + [""] * (height - len(column)) for column in columns]
    widths = [max(map(len, column)) for column in columns]
    rows = [[f"P{thread}" for thread in numbers], *map(list, zip(*filled, strict=True))]
    table = [
        " " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " ;"
        for row in rows
    ]
    asked = " /\\ ".join([f"({condition})", *(f"~{thread}:X0={CUT}" for thread in numbers)])
    head = f"AArch64 {name.replace(' ', '-')}"
    return "\n".join([head, "{", *cells, "}", *table, f"exists ({asked})", ""])
