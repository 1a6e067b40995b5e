# SPDX-License-Identifier: MIT
"""How long a test waits before it takes a process for hung. No busy machine takes as long."""

import time
from collections.abc import Callable
from typing import TypeVar

HUNG_S = 7200.0
LOOK_EVERY_S = 0.01

Answer = TypeVar("Answer")


def until(look: Callable[[], Answer], awaited: str) -> Answer:
    """Call `look` repeatedly until its answer is true, and return it. A failure names `awaited`."""
    end_s = time.monotonic() + HUNG_S
    while not (answer := look()):
        assert time.monotonic() < end_s, f"hung: {awaited}"
        time.sleep(LOOK_EVERY_S)
    return answer
