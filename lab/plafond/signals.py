# SPDX-License-Identifier: MIT
"""Hold signals back while an interruption could not be cleaned up, without losing a signal."""

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
AGAIN_S = 0.001  # enough time for most destructors; if not, the signal is sent again


class HeldSignals:
    """Records signals that arrive while `held`, and calls their handlers later."""

    def __init__(self) -> None:
        """Begin with no recorded signal, in the state `held`."""
        self.held = True  # if set, signals are held from the very next instruction
        self._handlers: dict[int, Handler] = {}
        self._came: list[int] = []
        self._bell, self._ring = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._ring_before = -1

    def read(self, file: int, end: int) -> bytes:
        """Return the bytes of `file`; b"" at its end, or when `end` becomes readable.

        A handler would run only after a blocking read() if its signal came just before. Here the
        signal wakes the read.
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
        """Handle the recorded signals, and from now on handle signals at once."""
        self.held = False
        while self._came:
            number = self._came.pop(0)
            self._handlers[number](number, None)

    def install(self) -> None:
        """Replace the handlers that are Python functions."""
        self._ring_before = signal.set_wakeup_fd(self._ring, warn_on_full_buffer=False)
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                signal.signal(number, self._handle)

    def remove(self) -> None:
        """Restore the handlers, and handle the recorded signals."""
        self.held = False  # if a handler ends this function early, the others are still called
        signal.set_wakeup_fd(self._ring_before)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self.let_through()

    def close(self) -> None:
        """Close the pipe; nothing is read any more."""
        os.close(self._ring)
        os.close(self._bell)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.held:
            self._came.append(number)
        else:
            self._handlers[number](number, frame)


@contextmanager
def held_signals() -> Iterator[HeldSignals]:
    """Hold SIGINT and SIGTERM back until they are let through; none is lost.

    The signals are not blocked, because child processes would inherit the mask. Nothing is held
    outside the main thread, because no handler runs there.
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
    """Let SIGTERM and SIGINT end the command by an exception, and let no signal be lost.

    SIGINT remains ignored if the caller of the command ignores it, as a shell does in background.
    Python drops an exception that is raised in a destructor or in the callback of a weak reference.
    Such a signal is sent again until its exception is raised elsewhere.
    """
    # Exceptions, so that real-time programs are ended on the way out.
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # see plafond.starting
        signal.signal(signal.SIGINT, signal.default_int_handler)
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
        # it came before start() returned, so Python drops it
        except (KeyboardInterrupt, SystemExit):
            continue
