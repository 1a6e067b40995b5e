# SPDX-License-Identifier: MIT
"""Long work for the processes of a study, in a module that they can import."""

import os
import time
from pathlib import Path

LONG_S = 5.0  # of processor time, so that a busy machine does not matter


class Long:
    """A chunk that leaves `begun-PID` when its counting has begun, and `ended-PID` at its end."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of these files."""
        self._folder = folder

    @property
    def study(self) -> object:
        """Take long, and fail."""
        (self._folder / f"begun-{os.getpid()}").touch()
        while time.process_time() < LONG_S:
            pass
        (self._folder / f"ended-{os.getpid()}").touch()
        raise TimeoutError
