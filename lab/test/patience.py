# SPDX-License-Identifier: MIT
"""When a test takes a process for hung: nothing on a busy machine takes as long."""

import time
from collections.abc import Callable
from typing import TypeVar

HUNG_S = 7200.0
LOOK_EVERY_S = 0.01

Answer = TypeVar("Answer")


def until(look: Callable[[], Answer], awaited: str) -> Answer:
    """Look again and again until the answer is true; return it. A failure names what is awaited."""
    end_s = time.monotonic() + HUNG_S
    while not (answer := look()):
        assert time.monotonic() < end_s, f"hung: {awaited}"
        time.sleep(LOOK_EVERY_S)
    return answer
