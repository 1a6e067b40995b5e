# SPDX-License-Identifier: MIT
"""Run whole programs without ceilings in pairs: plain, and with the drop-in preloaded."""

import hashlib
import random
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from shlex import join
from statistics import median
from tempfile import TemporaryDirectory

from plafond.bench.pthread.model import ProgramRow
from plafond.bench.pthread.preload import with_preload
from plafond.errors import PlafondError

LONGEST_SECONDS = 60.0
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Program:
    """A program of Debian with threads; it gets a file of random lines."""

    name: str
    arguments: Sequence[str]
    reads_file: bool = True


POOL = (
    "from concurrent.futures import ThreadPoolExecutor as Pool; "
    'print(sum(Pool(2).map(len, ["plafond"] * 20000)))'
)
PROGRAMS = [
    Program("sort", ["sort", "--parallel=2", "--buffer-size=64M"]),
    Program("xz", ["xz", "--threads=2", "--block-size=1MiB", "-0", "--stdout"]),
    Program("python3", ["python3", "-c", POOL], reads_file=False),
]


def measure_programs(
    drop_in: Path,
    pairs: int,
    lines: int,
    step: Callable[[str], None],
    programs: Sequence[Program] = PROGRAMS,
) -> list[ProgramRow]:
    """Run each program `pairs` times plain and as often preloaded; call `step` for each pair.

    The file that they read has `lines` lines.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "lines"
        _write_lines(file, lines)
        return [_measure(program, file, drop_in, pairs, step) for program in programs]


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return two of the values between which the true median is with 95 % confidence.

    The number of values below the true median is binomial with 1/2, whatever their distribution. Of
    20 values the result is the 6th and the 15th; of fewer than 6 values, the smallest and the
    largest.
    """
    ordered = sorted(values)
    count = len(ordered)
    skipped, outside = 0, 2 / 2**count
    while outside + 2 * comb(count, skipped + 1) / 2**count <= 1 - CONFIDENCE:
        skipped += 1
        outside += 2 * comb(count, skipped) / 2**count
    return ordered[skipped], ordered[-1 - skipped]


def program_row(program: Program, seconds: Sequence[tuple[float, float]]) -> ProgramRow:
    """Judge the pairs of times, plain and preloaded."""
    ratios = [preloaded / plain for plain, preloaded in seconds]
    low, high = median_interval(ratios)
    return ProgramRow(
        program=program.name,
        command=join(program.arguments),
        pairs=len(seconds),
        plain_s=median(plain for plain, _ in seconds),
        preloaded_s=median(preloaded for _, preloaded in seconds),
        ratio=median(ratios),
        ratio_low=low,
        ratio_high=high,
        within_noise=low <= 1 <= high,
    )


def _measure(
    program: Program, lines: Path, drop_in: Path, pairs: int, step: Callable[[str], None]
) -> ProgramRow:
    command = [*program.arguments, *([str(lines)] if program.reads_file else [])]
    plain, preloaded = with_preload(None) + command, with_preload(drop_in) + command
    output = lines.with_name("output")
    expected = _run(program, plain, output)[1]  # not measured: it brings all files into memory
    seconds = []
    for pair in range(pairs):
        step(program.name)
        times = {}
        # The order alternates, so that it has no effect.
        for which in (plain, preloaded) if pair % 2 == 0 else (preloaded, plain):
            times[which is preloaded], digest = _run(program, which, output)
            if digest != expected:
                raise PlafondError(f"{program.name} did not write the same twice")
        seconds.append((times[False], times[True]))
    return program_row(program, seconds)


def _run(program: Program, command: list[str], output: Path) -> tuple[float, bytes]:
    """Return the seconds that the program took, and the digest of its output."""
    with output.open("wb") as file:
        begun = time.perf_counter()
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                timeout=LONGEST_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise PlafondError(f"{program.name} took longer than {LONGEST_SECONDS:g} s") from None
        seconds = time.perf_counter() - begun
    if done.returncode != 0 or done.stderr:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise PlafondError(f"{program.name}: {lines[-1] if lines else f'exit {done.returncode}'}")
    with output.open("rb") as file:
        return seconds, hashlib.file_digest(file, "sha256").digest()


def _write_lines(path: Path, count: int) -> None:
    draw = random.Random(1)
    path.write_text("".join(f"{draw.getrandbits(64):016x}\n" for _ in range(count)))
