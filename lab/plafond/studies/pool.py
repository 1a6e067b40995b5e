# SPDX-License-Identifier: MIT
"""Count on several processes; the result does not depend on their number."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from plafond.errors import PlafondError
from plafond.studies.count import Chunk, Counts, count


class WorkerDiedError(PlafondError):
    """A process was killed."""

    def __init__(self) -> None:
        """Set the message, which cannot name the process."""
        super().__init__("a worker died, as the kernel kills one where memory runs out")


@contextmanager
def counted(chunks: Sequence[Chunk], jobs: int) -> Iterator[Iterator[Counts]]:
    """Yield an iterator over the counts of each chunk, in order.

    The end of the context cancels chunks that have not begun, and an exception also chunks that
    have. WorkerDiedError if a process dies.
    """
    if jobs == 1:
        yield map(count, chunks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_end_with_parent) as pool:
        try:
            # Ctrl-C is for this process only; the workers inherit that SIGINT is blocked.
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                futures = [pool.submit(count, chunk) for chunk in chunks]
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            yield map(_result, futures)
        except BaseException:
            # A chunk may take ten seconds, and its counts are of no use any more.
            for worker in multiprocessing.active_children():
                worker.kill()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """End the worker if its parent is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _result(future: Future[Counts]) -> Counts:
    try:
        return future.result()
    except BrokenProcessPool:
        raise WorkerDiedError from None
