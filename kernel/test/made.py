# SPDX-License-Identifier: MIT
"""The command of an image, or why it was not built: build.py writes it beside the image.

So a test starts without an import of the builder. An image that was not built fails only its tests.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from table import Case


@dataclass(frozen=True)
class Made:
    """The result of building the image of a case."""

    command: list[str]
    at_once: list[str]  # the same with cores in parallel; []: not used
    error: str = ""  # the reason if it was not built

    def write(self, case: Case, build: Path) -> None:
        """Keep the result for the tests."""
        case.record(build).write_text(json.dumps(asdict(self)))


def made_of(case: Case, build: Path) -> Made:
    """Return the result of building an image."""
    try:
        return Made(**json.loads(case.record(build).read_text()))
    except FileNotFoundError:
        return Made([], [], "build.py has not come to it")
