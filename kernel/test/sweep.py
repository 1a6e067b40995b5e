# SPDX-License-Identifier: MIT
"""Run the images of a behaviour on sim once for each instruction of its tasks, and for pairs.

Usage: sweep.py FOLDER first|rest|all NAME [sim]. table.py defines the tiers. Before each
instruction comes the interrupt of the task that shares a resource and preempts. Before each second
instruction a pair of interrupts comes, too, at several distances.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from made import made_of
from table import Case, images_of

HIGH = 2
SOURCES = (1, HIGH, 3)
# The second interrupt comes at once, after the handler, or during the first interrupt's task.
APART = (0, 1, 2, 7, 31)
LIMIT_S = 7200.0  # only ends an image that hangs
MOST_SHOWN = 3

Schedule = tuple[str, ...]


def count_instructions(image: Path) -> int:
    """Return the number of instructions of the tasks without interrupts."""
    done = subprocess.run([image, "--step", "0"], capture_output=True, text=True, timeout=LIMIT_S)
    counted = re.search(r"sim: (\d+) instructions", done.stderr)
    if done.returncode or not counted:
        raise SystemExit(f"{image}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return int(counted[1])


def schedules(instructions: int) -> Iterator[Schedule]:
    """Return the options of each run."""
    for step in range(1, instructions + 1):
        yield "--step", f"{step}:{HIGH}"
        if step % 2:
            turn = step // 2
            first, second = SOURCES[turn % 3], SOURCES[turn // 3 % 3]
            apart = APART[turn % len(APART)]
            yield "--step", f"{step}:{first}", "--step", f"{step + apart}:{second}"


def run_one(image: Path, options: Schedule) -> str | None:
    """Return the fault of a run; None: it had none."""
    try:
        done = subprocess.run([image, *options], capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"{' '.join(options)}: hung"
    if done.returncode:
        return f"{' '.join(options)}: exit code {done.returncode}\n{done.stdout}"
    return None


def sweep(case: Case, build: Path) -> int:
    """Sweep an image, and return the number of runs."""
    if error := made_of(case, build).error:
        raise SystemExit(f"{case.label} was not built: {error}")
    image = case.image(build)
    runs = list(schedules(count_instructions(image)))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        failed = (error for error in pool.map(lambda run: run_one(image, run), runs) if error)
        shown = list(islice(failed, MOST_SHOWN))
        pool.shutdown(cancel_futures=True)
    if shown:
        raise SystemExit("\n".join([f"{case.label}:", *shown]))
    return len(runs)


def main() -> None:
    """Stop at the first image that fails."""
    folder, tier, name = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    counts = {case.label: sweep(case, folder) for case in images_of(tier) if case.name == name}
    for image, count in counts.items():
        print(f"{image}: {count} schedules")
    sys.exit(0 if counts else f"{name} is not in tests.txt")


if __name__ == "__main__":
    main()
