# SPDX-License-Identifier: MIT
"""Test that the models and the compiled code are the same.

Both include the same header. So it remains to show that a half of the models, which makes an access
at a time, does the same as the compiled half: the same accesses in the same order, the same result,
the same words after it. The compiled half runs in an emulator, for both instruction sets, with the
shipped accessors. A control shows that the comparison can fail: it must see a fault in the model's
copy alone.
"""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from unicorn import (
    UC_ARCH_ARM64,
    UC_ARCH_X86,
    UC_HOOK_MEM_READ,
    UC_HOOK_MEM_WRITE,
    UC_MODE_64,
    UC_MODE_ARM,
    arm64_const,
    unicorn_py3,
    x86_const,
)

from proof.design.cases import Answer
from proof.design.spin import HERE, PROTOCOL, run
from proof.result import ROOT, CouldNotRunError

_WORDS, _PAGE, _STACK, _BACK = 10, 0x1000, 0x700000, 0x600000
_FLAGS = ["-std=gnu17", "-O2", "-w", "-ffreestanding", "-fno-pie", "-static", "-nostdlib"]
_COMPILERS = {
    "x86-64": ["x86_64-linux-gnu-gcc", "-fcf-protection=none"],
    "aarch64": ["aarch64-linux-gnu-gcc", "-mno-outline-atomics"],
}
# The store and the load that must follow it, in a leave or a lowering.
_SWAPPED = re.compile(
    r"(plf_store(?:32|64)\([&>\w-]+, \w+\);)\n\treturn (.*plf_load(?:32|64)\([&>\w-]+\).*);\n",
    re.ASCII,
)


class _Compiled:
    """The shipped halves in an emulator. The report of a run has the format of
    halves_replayed.c."""

    def __init__(self, isa: str, image: Path) -> None:
        self._is_arm = isa == "aarch64"
        arch = (UC_ARCH_ARM64, UC_MODE_ARM) if self._is_arm else (UC_ARCH_X86, UC_MODE_64)
        self._uc: Any = unicorn_py3.Uc(*arch)
        self._seen: list[str] = []
        with image.open("rb") as stream:
            self._load(ELFFile(stream))
        for page in (_STACK, _BACK):
            self._uc.mem_map(page, _PAGE)
        end = self._words + 8 * _WORDS - 1
        self._uc.hook_add(UC_HOOK_MEM_READ, self._on_read, None, self._words, end)
        self._uc.hook_add(UC_HOOK_MEM_WRITE, self._on_write, None, self._words, end)

    def _load(self, elf: ELFFile) -> None:
        for segment in elf.iter_segments():
            if segment["p_type"] == "PT_LOAD":
                start = segment["p_vaddr"] & -_PAGE
                end = -(-(segment["p_vaddr"] + segment["p_memsz"]) // _PAGE) * _PAGE
                self._uc.mem_map(start, end - start)
                self._uc.mem_write(segment["p_vaddr"], segment.data())
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}
        self._words: int = symbols["shared_words"]
        self._entry: int = symbols["run_half"]
        counts = self._uc.mem_read(symbols["half_counts"], 16)
        self.tasks, self.kernels = (int.from_bytes(counts[at : at + 8], "little") for at in (0, 8))

    def _on_read(self, uc: Any, _kind: int, at: int, size: int, _value: int, _: Any) -> None:
        value = int.from_bytes(uc.mem_read(at, size), "little")
        self._seen.append(f"R{(at - self._words) // 8}={value}")

    def _on_write(self, _uc: Any, _kind: int, at: int, size: int, value: int, _: Any) -> None:
        self._seen.append(f"W{(at - self._words) // 8}={value & (1 << 8 * size) - 1}")

    def _call(self, arguments: tuple[int, int, int]) -> int:
        stack = _STACK + _PAGE - 64
        if self._is_arm:
            names = (arm64_const.UC_ARM64_REG_X0, arm64_const.UC_ARM64_REG_X1)
            registers = (*names, arm64_const.UC_ARM64_REG_X2)
            self._uc.reg_write(arm64_const.UC_ARM64_REG_SP, stack)
            self._uc.reg_write(arm64_const.UC_ARM64_REG_LR, _BACK)
            result = arm64_const.UC_ARM64_REG_X0
        else:
            names = (x86_const.UC_X86_REG_RDI, x86_const.UC_X86_REG_RSI)
            registers = (*names, x86_const.UC_X86_REG_RDX)
            self._uc.mem_write(stack - 8, _BACK.to_bytes(8, "little"))
            self._uc.reg_write(x86_const.UC_X86_REG_RSP, stack - 8)
            result = x86_const.UC_X86_REG_RAX
        for register, value in zip(registers, arguments, strict=True):
            self._uc.reg_write(register, value)
        self._uc.emu_start(self._entry, _BACK)
        return int(self._uc.reg_read(result))

    def said(self, half: int, a: int, b: int, words: tuple[int, ...]) -> str:
        """Return the accesses of a task's half, the result, and the words after it."""
        self._uc.mem_write(self._words, b"".join(w.to_bytes(8, "little") for w in words))
        self._seen.clear()
        result = self._call((half, a, b))
        seen = self._seen if half < self.tasks else []
        memory = self._uc.mem_read(self._words, 8 * _WORDS)
        after = [int.from_bytes(memory[8 * i : 8 * i + 8], "little") for i in range(_WORDS)]
        return " ".join([*seen, "->", str(result), *map(str, after)])


def _inputs(protocol: str, halves: int) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """Return small values and the greatest value, in all combinations."""
    is_global = protocol == "lazy-global"
    most = (1 << (64 if is_global or protocol == "lazy-floor" else 32)) - 1
    values = (0, 1, 2, 3, most)
    return [
        (half, a, b, (first, second, second if is_global else 0, *[0] * (_WORDS - 3)))
        for half in range(halves)
        for first, second, a, b in itertools.product(values, values, values, (0, 2, 4))
    ]


def _replayed(
    folder: Path, protocol: Path, define: str, inputs: list[tuple[int, int, int, tuple[int, ...]]]
) -> list[str]:
    """Return the reports of the same runs by the models' replay."""
    program = folder / f"replayed{define}{protocol.name}"
    source = HERE / "halves_replayed.c"
    include = [f"-I{HERE}", f"-I{protocol}", define]
    run(["gcc", "-std=gnu17", "-O2", "-w", *include, source, "-o", program], folder)
    lines = "\n".join(f"{half} {a} {b} {' '.join(map(str, w))}" for half, a, b, w in inputs)
    done = subprocess.run(
        [program], input=lines, capture_output=True, text=True, check=True, timeout=9000
    )
    return done.stdout.splitlines()


def _faulty(protocol: Path, folder: Path) -> Path:
    """Return headers in which each leave looks before it stores."""
    copy = folder / "swapped"
    shutil.copytree(protocol, copy, dirs_exist_ok=True)
    for header in copy.glob("*.h"):
        text = header.read_text(encoding="utf-8")
        swapped = _SWAPPED.sub(r"bool seen = \2;\n\t\1\n\treturn seen;\n", text)
        header.write_text(swapped, encoding="utf-8")
    return copy


def linked(name: str, folder: Path) -> list[Answer]:
    """Return a row for each instruction set, and a row for the control."""
    define = "-D" + name.upper().replace("-", "_")
    rows = []
    said: list[str] = []
    for isa, compiler in _COMPILERS.items():
        if shutil.which(compiler[0]) is None:
            raise CouldNotRunError(f"{compiler[0]}: not installed")
        image = folder / f"{name}-{isa}.elf"
        source = HERE / "halves_shipped.c"
        flags = [*_FLAGS, "-Wl,-e,0", "-Wl,--build-id=none", define]
        run([*compiler, *flags, f"-I{HERE}", f"-I{PROTOCOL}", source, "-o", image], ROOT)
        compiled = _Compiled(isa, image)
        inputs = _inputs(name, compiled.tasks + compiled.kernels)
        said = [compiled.said(*each) for each in inputs]
        differing = sum(
            one != other
            for one, other in zip(said, _replayed(folder, PROTOCOL, define, inputs), strict=True)
        )
        halves = f"{compiled.tasks} halves of tasks, {compiled.kernels} of the kernel"
        rows.append(_row(isa, f"{halves}, {len(inputs)} runs", differing))
    broken = _replayed(folder, _faulty(PROTOCOL, folder), define, inputs)
    is_seen = broken != said
    rows.append(
        Answer(
            "link",
            "control",
            "a fault in the model's copy alone is seen",
            "the leave looks before it stores",
            0,
            "holds" if is_seen else "it is not seen",
            "holds",
        )
    )
    return rows


def _row(isa: str, scope: str, differing: int) -> Answer:
    return Answer(
        "link",
        isa,
        "model and code make the same accesses",
        scope,
        0,
        f"{differing} runs differ" if differing else "holds",
        "holds",
    )
