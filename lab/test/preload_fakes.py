# SPDX-License-Identifier: MIT
"""Raw evidence as the drop-in writes it, and a drop-in that does nothing."""

import json
import subprocess
from pathlib import Path
from typing import Any

from plafond.preload.evidence import Evidence
from plafond.preload.library import IN_BUILD

US = 1_000
MS = 1_000_000


def thread(number: int, name: str, priority: int, **fields: Any) -> dict[str, Any]:
    """Return a periodic SCHED_FIFO thread on CPU 1, or a SCHED_OTHER thread if it has no
    priority."""
    return {
        "thread": number,
        "name": name,
        "start": "robot+0x10",
        "policy": "fifo" if priority else "other",
        "priority": priority,
        "cpu": 1,
        "activations": 100,
        "shortest_gap_ns": 10 * MS,
        "longest_run_ns": MS,
        **fields,
    }


def locker(number: int, hold_ns: int, **fields: int) -> dict[str, Any]:
    """Return a thread's use of a mutex."""
    return {
        "thread": number,
        "locks": 100,
        "waits": 3,
        "longest_hold_ns": hold_ns,
        "total_hold_ns": 50 * hold_ns,
        "preempted": 2,
        **fields,
    }


def mutex(number: int, *lockers: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a mutex with priority inheritance."""
    return {
        "mutex": number,
        "module": "robot",
        "offset": "0x1234",
        "symbol": f"make_{number}",
        "order": 1,
        "protocol": "inherit",
        "ceiling": 0,
        "lockers": list(lockers),
        "inside": [],
        **fields,
    }


def raw_evidence(
    threads: list[dict[str, Any]], mutexes: list[dict[str, Any]], **fields: Any
) -> dict[str, Any]:
    """Return a process of two seconds."""
    for number, each in enumerate(mutexes):
        each["offset"] = f"0x{0x1000 + number:x}"
    return {
        "format": 1,
        "program": "/usr/bin/robot",
        "duration_ns": 2_000 * MS,
        "dropped": 0,
        "threads": threads,
        "mutexes": mutexes,
        **fields,
    }


def evidence(*arguments: Any, **fields: Any) -> Evidence:
    """Return the parsed evidence."""
    return Evidence.model_validate_json(json.dumps(raw_evidence(*arguments, **fields)))


def robot() -> dict[str, Any]:
    """Return three tasks. `plan` takes the mutex of `log` inside the mutex of `control`."""
    return raw_evidence(
        [
            thread(1, "robot", 0, cpu=-1, activations=0),
            thread(2, "control", 30),
            thread(3, "plan", 20),
            thread(4, "log", 10),
        ],
        [
            mutex(1, locker(2, 10 * US), locker(3, 200 * US)),
            mutex(2, locker(3, 50 * US), locker(4, 300 * US), inside=[1]),
        ],
    )


def idle_library(build: Path) -> None:
    """Build a drop-in without any function."""
    library = build / IN_BUILD
    library.parent.mkdir(parents=True)
    subprocess.run(["cc", "-shared", "-o", library, "-x", "c", "/dev/null"], check=True)
