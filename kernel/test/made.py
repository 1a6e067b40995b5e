# SPDX-License-Identifier: MIT
"""How an image is run, or why it was not built: build.py writes that beside it for the tests.

So a test starts without importing what builds images, and what was not built fails its own tests
alone.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from table import Case


@dataclass(frozen=True)
class Made:
    """What became of the image of a case."""

    command: list[str]
    at_once: list[str]  # the same with its cores in parallel; []: not run so
    error: str = ""  # why it was not built

    def write(self, case: Case, build: Path) -> None:
        """Keep it for the tests."""
        case.record(build).write_text(json.dumps(asdict(self)))


def made_of(case: Case, build: Path) -> Made:
    """Return what became of an image."""
    try:
        return Made(**json.loads(case.record(build).read_text()))
    except FileNotFoundError:
        return Made([], [], "build.py has not come to it")
