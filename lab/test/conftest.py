# SPDX-License-Identifier: MIT
"""Choose the modules to import, and provide fakes of the program `locks` and of its output."""

import gc
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import HUNG_S

from plafond.bench.samples import Output

# Hundreds of thousands of objects, mostly of modules, live until the tests end. A collection after
# each 700 new objects would take a sixth of the processor time.
gc.set_threshold(50_000)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a module without a mark that `-m` asks for, because to import all modules takes 5
    s."""
    terms = str(config.option.markexpr).split(" and ")
    if collection_path.suffix != ".py" or not all(re.fullmatch(r"(not )?\w+", t) for t in terms):
        return None
    text = collection_path.read_text()
    return any(f"mark.{term}" not in text for term in terms if " " not in term) or None


@pytest.fixture(scope="session", autouse=True)
def _quick_images() -> Iterator[None]:
    """Make `plafond run --on sim` build quickly, in this process and in its forks."""
    from quick_images import build_quickly

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plafond.run.board.build_image", build_quickly)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_progress() -> Iterator[None]:
    """Print no lines of progress, whose number depends on the load of the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plafond.progress.LINE_S", HUNG_S)
        yield


CONTEXT = {
    "cpu": "1",
    "kernel": "6.0",
    "libc": "glibc 2.36",
    "compiler": "12",
    "flags": "-O2",
    "priority": "10",
    "arrival_priority": "20",
    "ceiling": "30",
    "date": "of no interest",
}

PAIR_NS = {
    "empty-loop": 0.5,
    "bound": 2.0,
    "plafond-strict": 3.0,
    "plafond": 8.0,
    "plafond-syscall": 1000.0,
    "none": 20.0,
    "inherit": 25.0,
    "protect": 1200.0,
}

PREEMPTED_NS = {
    "no-lock-sem_wait": (None, 2000.0),
    "plafond-strict": (5000.0, 5000.0),
    "plafond": (5000.0, 5000.0),
    "plafond-syscall": (4000.0, 3000.0),
    "inherit": (5000.0, 2000.0),
    "protect": (4000.0, 3000.0),
}

SECTIONS_NS = (1000, 5000, 20000)

# The cost of a hand-over: a constant in ns, and a fraction of the section.
HANDOVER_NS = {
    "plafond-global": (4000.0, 0.0),
    "plafond-global-spin": (500.0, 1.0),
    "none": (30000.0, 0.0),
    "inherit": (4000.0, 0.5),
    "ticket-spinlock": (3500.0, 1.0),
}


def _names() -> list[tuple[str, float]]:
    rows = [(f"{group}/{lock}", ns) for group in ("pair", "nested") for lock, ns in PAIR_NS.items()]
    rows += [("hook/plafond", 1.0)]
    for lock, (uses, passes) in PREEMPTED_NS.items():
        rows += [(f"preempted/{lock}/uses-lock", uses)] if uses else []
        rows += [(f"preempted/{lock}/passes-by", passes)]
    for threads in (2, 64):
        rows += [(f"scaling/{lock}/{threads}", 3.0) for lock in ("plafond-strict", "plafond")]
    for lock, (asleep, awake) in HANDOVER_NS.items():
        rows += [(f"handover/{lock}/{ns}", ns + asleep + awake * ns) for ns in SECTIONS_NS]
    return rows


def _run(index: int, name: str, ns: float) -> dict[str, Any]:
    return {
        "name": f"{name}/iterations:1000/real_time",
        "family_index": index,
        "run_type": "iteration",
        "real_time": ns,
        "time_unit": "ns",
        "instructions": 2.0 if "empty-loop" in name else 22.0,
        "system_calls": 0.0,
        "context_switches": 4.0,
        "processor_ns": ns - float(name.split("/")[2]) if name.startswith("handover") else None,
    }


@pytest.fixture
def raw() -> dict[str, Any]:
    """Return three repetitions of every row in a mixed order: 0.9, 1.0 and 1.1 times the same
    time."""
    rows = list(enumerate(_names()))
    runs = [
        _run(index, name, ns * factor)
        for factor in (1.1, 0.9, 1.0)
        for index, (name, ns) in reversed(rows)
    ]
    return {"context": CONTEXT, "benchmarks": runs}


@pytest.fixture
def output(raw: dict[str, Any]) -> Output:
    """Return the parsed output."""
    return Output.model_validate_json(json.dumps(raw))


@pytest.fixture
def fake_program(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that replaces the program by a shell script and returns its build
    folder."""

    def write(script: str) -> Path:
        program = tmp_path / "bench" / "locks"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return tmp_path

    return write
