# SPDX-License-Identifier: MIT
"""Hold signals back while what they would interrupt could not be cleaned up; lose none."""

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]

SIGNALS = (signal.SIGINT, signal.SIGTERM)
CHUNK = 65536
ENDED = 128 + signal.SIGTERM  # the exit code
AGAIN_S = 0.001  # long enough for most destructors to end; one that has not is met again


class HeldSignals:
    """What came while `held`, and what is to be called."""

    def __init__(self) -> None:
        """Nothing came, and nothing is let through."""
        self.held = True  # set, it holds from the very next instruction on
        self._handlers: dict[int, Handler] = {}
        self._came: list[int] = []
        self._bell, self._ring = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._ring_before = -1

    def read(self, file: int, end: int) -> bytes:
        """Return what there is to read; b"" at the end of the file, or once `end` can be read, too.

        A signal that comes just before a blocking read() is handled only after it: not so here.
        """
        while True:
            ready, _, _ = select.select([file, end, self._bell], [], [])
            if self._bell in ready:
                os.read(self._bell, CHUNK)
            if file in ready:
                return os.read(file, CHUNK)
            if end in ready:
                return b""

    def let_through(self) -> None:
        """Handle what came, and from now on at once what comes."""
        self.held = False
        while self._came:
            number = self._came.pop(0)
            self._handlers[number](number, None)

    def install(self) -> None:
        """Take the place of the handlers, of those that are functions of Python."""
        self._ring_before = signal.set_wakeup_fd(self._ring, warn_on_full_buffer=False)
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                signal.signal(number, self._handle)

    def remove(self) -> None:
        """Give the handlers back, and handle what came."""
        self.held = False  # should one of them end this early, the others are still handled
        signal.set_wakeup_fd(self._ring_before)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self.let_through()

    def close(self) -> None:
        """Nothing is read any more."""
        os.close(self._ring)
        os.close(self._bell)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.held:
            self._came.append(number)
        else:
            self._handlers[number](number, frame)


@contextmanager
def starting() -> Iterator[None]:
    """End without a traceback if Ctrl-C comes while modules are imported, which takes a second."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


@contextmanager
def held_signals() -> Iterator[HeldSignals]:
    """Hold SIGINT and SIGTERM back, until they are let through; none is lost.

    They stay unblocked: processes that are started would inherit the mask. In a thread
    that is not the main one nothing is to be held, for no handler runs there.
    """
    signals = HeldSignals()
    is_main = threading.current_thread() is threading.main_thread()
    try:
        if is_main:
            signals.install()
        yield signals
    finally:
        try:
            if is_main:
                signals.remove()
        finally:
            signals.close()


def end_by_signals() -> None:
    """Let SIGTERM end the command by an exception, as SIGINT does, and let neither be swallowed.

    Python drops what is raised in a destructor or a weak reference's callback: such a signal
    is sent again, until it comes elsewhere.
    """
    # As an exception, so that real-time programs are ended on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))
    sys.unraisablehook = _send_again


def _send_again(dropped: "sys.UnraisableHookArgs") -> None:
    if isinstance(dropped.exc_value, KeyboardInterrupt):
        number = signal.SIGINT
    elif isinstance(dropped.exc_value, SystemExit) and dropped.exc_value.code == ENDED:
        number = signal.SIGTERM
    else:
        sys.__unraisablehook__(dropped)
        return
    while True:
        try:
            threading.Timer(AGAIN_S, os.kill, (os.getpid(), number)).start()
            return
        except (KeyboardInterrupt, SystemExit):  # it came before start() returned: Python drops it
            continue
