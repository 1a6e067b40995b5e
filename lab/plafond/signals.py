# SPDX-License-Identifier: MIT
"""Hold signals back while what they would interrupt could not be cleaned up."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class HeldSignals:
    """What came while `held`, and who is to be told."""

    def __init__(self) -> None:
        """Nothing came, and nothing is let through."""
        self.held = True  # set, it holds from the very next instruction on
        self._handlers: dict[int, Handler] = {}
        self._came: list[int] = []

    def let_through(self) -> None:
        """Handle what came, and from now on at once what comes."""
        self.held = False
        while self._came:
            number = self._came.pop(0)
            self._handlers[number](number, None)

    def install(self) -> None:
        """Take the place of the handlers, of those that are functions of Python."""
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                signal.signal(number, self._handle)

    def remove(self) -> None:
        """Give the handlers back, and handle what came."""
        self.held = False  # should one of them end this early, the others are still told
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self.let_through()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.held:
            self._came.append(number)
        else:
            self._handlers[number](number, frame)


@contextmanager
def held_signals() -> Iterator[HeldSignals]:
    """Hold SIGINT and SIGTERM back, until they are let through; none is lost.

    They stay unblocked: processes that are started would inherit the mask. In a thread
    that is not the main one nothing is to be held, for no handler runs there.
    """
    signals = HeldSignals()
    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    try:
        signals.install()
        yield signals
    finally:
        signals.remove()
