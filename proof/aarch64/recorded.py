# SPDX-License-Identifier: MIT
"""Compares the kernel model with the kernel of this machine, operation by operation.

futex_record.c plays systematically generated short sequences with real FIFO threads. The model
plays the same sequences. Every line of the two records must be equal.
"""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.real_time import run_bounded

from proof.aarch64.kernel_model import ASLEEP, OWNER_DIED, READY, TID_MASK, Kernel
from proof.result import CouldNotRunError

NO_THREAD = 0x3FFFFFFE
WORDS = 2
# In steps. A model that does not come to rest before this limit is wrong.
STEP_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Comparison:
    """The number of sequences and of operations that were played, and the first difference."""

    sequences: int
    operations: int
    difference: str | None


class _Replay:
    """A sequence on the model. Implements kernel_model.Words."""

    def __init__(self, line: str) -> None:
        priorities, _, programs = line.partition("/")
        tasks = [(i + 1, int(p)) for i, p in enumerate(priorities.split(","))]
        self.kernel = Kernel(tasks)
        texts = programs.split(",") + [""] * len(tasks)
        self.programs = [
            [text[i : i + 2] for i in range(0, len(text), 2)] for text in texts[: len(tasks)]
        ]
        self.next = [0] * len(tasks)
        self.result: list[int | None] = [None] * len(tasks)
        self.started = [False] * len(tasks)
        self.words = [0] * WORDS
        self.lines: list[str] = []

    def read32(self, address: int) -> int:
        return self.words[address - 1]

    def write32(self, address: int, value: int) -> None:
        self.words[address - 1] = value

    def _record(self, head: str) -> None:
        words = [f"{word:08x}" for word in self.words]
        seen = [f"{t.priority}{'R' if t.state == READY else 'S'}" for t in self.kernel.tasks]
        self.lines.append(" ".join([head, *words, *seen]))

    def _start(self, index: int) -> None:
        if not self.started[index]:
            self.started[index] = True
            self.kernel.wake(index)

    def _swap(self, address: int, expected: int, desired: int) -> int:
        if self.read32(address) != expected:
            return 0
        self.write32(address, desired)
        return 1

    def _perform(self, index: int, operation: str) -> int | None:
        kind, operand = operation[0], operation[1]
        tid = self.kernel.tasks[index].tid
        if kind == "S":
            self._start(int(operand))
            return 0
        address = ord(operand) - ord("a") + 1
        match kind:
            case "L":
                return self.kernel.lock_pi(self, index, address)
            case "U":
                return self.kernel.unlock_pi(self, index, address)
            case "C":
                return self._swap(address, 0, tid)
            case "R":
                return self._swap(address, tid, 0)
            case "O":
                self.write32(address, NO_THREAD & TID_MASK)
                return 0
            case _:
                self.write32(address, OWNER_DIED)
                return 0

    def _step(self, index: int) -> None:
        if self.kernel.is_completing(index):
            if self.kernel.complete(self, index):
                self.result[index] = 0
            return
        result = self.result[index]
        if result is not None:
            self._record(f"{index} {self.next[index]} {result}")
            self.result[index] = None
            self.next[index] += 1
        elif self.next[index] == len(self.programs[index]):
            self.kernel.stop(index, ASLEEP)
        else:
            self.result[index] = self._perform(index, self.programs[index][self.next[index]])

    def play(self) -> list[str]:
        self._start(0)
        for _ in range(STEP_LIMIT):
            index = self.kernel.running
            if index is None:
                self._record("end")
                return self.lines
            self._step(index)
        raise RuntimeError("the model does not come to rest")


def replay(line: str) -> list[str]:
    """Return the model's record of this sequence, in the format of futex_record."""
    return _Replay(line).play()


def _strings(operations: list[str], longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        for chosen in itertools.product(operations, repeat=length):
            yield "".join(chosen)


def _line(priorities: tuple[int, ...], *programs: str) -> str:
    return ",".join(map(str, priorities)) + "/" + ",".join(programs)


def _two_threads() -> Iterator[str]:
    """One word: each first program of up to three calls; the second starts anywhere in it."""
    calls = ["La", "Ua", "Ca", "Ra"]
    for first, second in itertools.product(_strings(calls, 3), ["La", "Ca", "LaUa", "CaUa"]):
        for at in range(0, len(first) + 1, 2):
            program = first[:at] + "S1" + first[at:]
            for priorities in (10, 20), (20, 20):
                yield _line(priorities, program, second)


def _three_threads() -> Iterator[str]:
    """One word, which the first thread holds. Two more lock it, in every order and place."""
    orders = [(10, 20, 30), (10, 30, 20), (10, 20, 20), (20, 20, 30), (20, 20, 20), (20, 10, 30)]
    for priorities in orders:
        for places in itertools.product(range(4), repeat=2):
            steps = ["Ca", "", "Ua", "La"]
            for index, place in enumerate(places, 1):
                steps[place] += f"S{index}"
            for second, third in itertools.product(
                ["LaUa", "La", "LaS2Ua", "S2LaUa", "LaUaS2La"], ["LaUa", "La", "LaUaLaUa", "CaUa"]
            ):
                yield _line(priorities, "".join(steps), second, third)


def _chains() -> Iterator[str]:
    """Two words: chains of lending over three and four threads, and cycles."""
    for priorities in itertools.product((10, 20, 30), repeat=3):
        for middle in "CbLaUaUb", "LbLaUbUa", "LbLaUaUb":
            for last in "LbUb", "LaUa", "LaLbUbUa":
                yield _line(priorities, "CaS1S2Ua", middle, last)
                yield _line(priorities, "CaS1S2LbUbUa", middle, last)
                yield _line((*priorities, 25), "CaS1S2S3UaS2", middle, last, "LbUb")
                yield _line((*priorities, 25), "CaS1S3UaS2", middle, last, "LaS2Ua")


def _dead_owners() -> Iterator[str]:
    for setting, rest in itertools.product(["Oa", "Da"], _strings(["La", "Ua", "Ca", "Ra"], 3)):
        yield _line((10, 20), setting + rest, "")
        yield _line((10, 20), setting + "S1" + rest, "LaUa")
        yield _line((10, 20), setting + rest[:2] + "S1" + rest[2:], "LaUa")


def sequences() -> list[str]:
    """Return all sequences, each once."""
    return list(dict.fromkeys([*_two_threads(), *_three_threads(), *_chains(), *_dead_owners()]))


def build_recorder(source: Path, build: Path) -> Path:
    """Compile futex_record.c for this machine."""
    program = build / "futex_record"
    command = ["gcc", "-std=gnu17", "-O2", "-pthread", str(source), "-o", str(program)]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except OSError as error:
        raise CouldNotRunError(f"gcc: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise CouldNotRunError(str(error.stderr)) from error
    return program


def _records(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("# "):
            current = found.setdefault(line[2:], [])
        else:
            current.append(line)
    return found


def compare(recorder: Path, time_limit_s: float = 120) -> Comparison:
    """Play all sequences on the kernel and on the model."""
    wanted = sequences()
    try:
        done = run_bounded([recorder], time_limit_s, given="\n".join(wanted) + "\n")
    except subprocess.TimeoutExpired as error:
        raise CouldNotRunError("futex_record took too long") from error
    if done.returncode != 0:
        raise CouldNotRunError(done.stderr.strip() or f"exit code {done.returncode}")
    records = _records(done.stdout)
    operations = 0
    for line in wanted:
        kernel, model = records[line], replay(line)
        operations += len(kernel) - 1
        if kernel != model:
            return Comparison(len(wanted), operations, _explain(line, kernel, model))
    return Comparison(len(wanted), operations, None)


def _explain(line: str, kernel: list[str], model: list[str]) -> str:
    rows = [f"sequence {line}"]
    for left, right in itertools.zip_longest(kernel, model, fillvalue="(nothing)"):
        rows.append(f"  kernel {left}" if left == right else f"  kernel {left}  MODEL {right}")
    return "\n".join(rows)
