# SPDX-License-Identifier: MIT
"""Studies on the workers of a cluster, here a local one."""

import builtins
import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import pytest
from typer.testing import CliRunner

from plafond.cli import app
from plafond.describe.draw import loads_study
from plafond.errors import ArgumentError
from plafond.studies import cluster
from plafond.studies.cluster import ClusterGoneError
from plafond.studies.count import Chunk
from plafond.studies.measure import measure_schedulability
from plafond.studies.pool import WorkerDiedError

STUDY = """\
cpus = 1
scheduler = "priority"
[draw]
sets = 45
utilisation = [0.5, 1, 0.25]
task_utilisation = "uniform 0.1 0.3"
interval = "log-uniform 1ms 20ms"
sections = { resources = 3, length = "uniform 10us 500us" }
vary = "share 0.2 0.8 0.3"
compare = ["ceiling", "inherit"]
deadlines = "hard"
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Yield the address of a scheduler with two worker processes. It gives up after the first
    death."""
    import dask
    from distributed import LocalCluster

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as local,
    ):
        yield local.scheduler_address


def test_a_cluster_gives_equal_bytes(address: str) -> None:
    study = loads_study(STUDY)
    here = measure_schedulability(study, 1, None)
    there = measure_schedulability(study, 1, None, address)

    assert there.stopped_by is None
    assert there.report.model_dump_json() == here.report.model_dump_json()
    assert there.report.conditions.missing == 0


def test_a_cluster_with_another_lab_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "version", lambda: "9.9.9")
    from distributed import Client

    def other(_: Client, what: Any) -> dict[str, str]:
        return {"tcp://worker": "0.0.1"}

    monkeypatch.setattr(Client, "run", other)
    with pytest.raises(ArgumentError, match=r"found the versions 0\.0\.1; expected workers with 9"):
        measure_schedulability(loads_study(STUDY), 1, None, address)


def test_without_a_scheduler_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 1)
    for wrong in ("tcp://127.0.0.1:1", "no address:x"):
        with pytest.raises(ArgumentError, match=r"--cluster: found '.*', which does not answer"):
            measure_schedulability(loads_study(STUDY), 1, None, wrong)


def test_without_the_package_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "distributed":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ArgumentError, match=r"expected it: run `\.ci/venv cluster`"):
        measure_schedulability(loads_study(STUDY), 1, None, "tcp://127.0.0.1:1")


def test_jobs_and_a_cluster_are_refused() -> None:
    done = CliRunner().invoke(
        app, ["bench", "schedulability", "x.toml", "--jobs", "2", "--cluster", "tcp://a:1"]
    )

    assert isinstance(done.exception, ArgumentError)
    assert "found --jobs, too; expected one of them" in str(done.exception)


class _Workers:
    """A client of a cluster, whose workers find these versions and whose futures fail."""

    def __init__(self, versions: dict[str, str] | Exception, failure: Exception) -> None:
        self.versions = versions
        self.failure = failure
        self.cancelled: list[_Workers] = []

    def run(self, _: object) -> dict[str, str]:
        if isinstance(self.versions, Exception):
            raise self.versions
        return self.versions

    def map(self, _: object, chunks: list[Chunk], *, pure: bool) -> list["_Workers"]:
        assert not pure
        return [self] * len(chunks)

    def cancel(self, futures: list["_Workers"]) -> None:
        self.cancelled += futures

    def result(self) -> None:
        raise self.failure


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        ({}, r"found no worker; expected workers with 9\.9\.9"),
        ({"a": "9.9.9", "b": "0.2", "c": "0.1"}, r"found the versions 0\.1, 0\.2; expected work"),
        (ImportError("no lab"), r"workers of tcp://a:1 without this lab \(no lab\); expected the"),
    ],
    ids=["none", "others", "no-lab"],
)
def test_workers_that_do_not_fit_are_named(
    versions: dict[str, str] | Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "version", lambda: "9.9.9")
    workers: Any = _Workers(versions, OSError())

    with pytest.raises(ArgumentError, match=message):
        cluster._refuse_others(workers, "tcp://a:1")


def test_a_cluster_that_goes_is_reported_and_its_chunks_are_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from distributed import CancelledError

    workers = _Workers({}, CancelledError("gone"))
    monkeypatch.setattr(cluster, "_connected", lambda _: nullcontext(workers))
    chunks = [Chunk(loads_study(STUDY), Fraction(1), range(2))] * 2

    with pytest.raises(ClusterGoneError), cluster.counted_on("tcp://a:1", chunks) as results:
        next(results)
    assert workers.cancelled == [workers] * 2


def die(_: Chunk) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_is_reported(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last test of this cluster, because the workers die."""
    monkeypatch.setattr(cluster, "count", die)

    outcome = measure_schedulability(loads_study(STUDY), 1, None, address)

    assert isinstance(outcome.stopped_by, WorkerDiedError)
    assert outcome.report.conditions.missing == 3
