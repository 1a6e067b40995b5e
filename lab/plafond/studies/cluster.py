# SPDX-License-Identifier: MIT
"""Count on the workers of a dask.distributed cluster, with the same result as processes here.

The package comes with the extra `cluster`. Each worker needs this version of the lab, which is
checked first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plafond.errors import ArgumentError, PlafondError
from plafond.studies.count import Chunk, Counts, count
from plafond.studies.pool import WorkerDiedError
from plafond.version import version

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10


class ClusterGoneError(PlafondError):
    """The scheduler does not answer any more."""

    def __init__(self) -> None:
        """Set the message."""
        super().__init__("--cluster: the scheduler has gone")


@contextmanager
def counted_on(address: str, chunks: Sequence[Chunk]) -> Iterator[Iterator[Counts]]:
    """Yield an iterator over the counts of each chunk, in order.

    The end of the context cancels chunks that have not begun. WorkerDiedError if a worker dies with
    a chunk again and again. ArgumentError if there is no such cluster.
    """
    with _connected(address) as client:
        futures = client.map(count, chunks, pure=False)
        try:
            yield map(_result, futures)
        finally:
            client.cancel(futures)


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        from distributed import Client
    except ImportError:
        raise ArgumentError(
            "--cluster: found no package distributed; expected it: run `.ci/venv cluster`"
        ) from None
    try:
        client = Client(address, timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"--cluster: found {address!r}, which does not answer ({type(error).__name__}); "
            "expected the address of a scheduler of dask, such as tcp://host:8786"
        ) from None
    with client:
        _refuse_others(client, address)
        yield client


def _refuse_others(client: Client, address: str) -> None:
    """Raise ArgumentError if there are no workers, or if they have another lab."""
    try:
        found: dict[str, str] = client.run(version)
    except Exception as error:  # any error of a worker without the lab
        raise ArgumentError(
            f"--cluster: found workers of {address} without this lab ({error}); expected the same "
            "on all"
        ) from None
    others = {each for each in found.values() if each != version()}
    if others or not found:
        what = f"the versions {', '.join(sorted(others))}" if others else "no worker"
        raise ArgumentError(f"--cluster: found {what}; expected workers with {version()}")


def _result(future: Any) -> Counts:
    from distributed import CancelledError, KilledWorker

    try:
        counts: Counts = future.result()
    except KilledWorker:
        raise WorkerDiedError from None
    except CancelledError:
        raise ClusterGoneError from None
    return counts
