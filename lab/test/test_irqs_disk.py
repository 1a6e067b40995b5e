# SPDX-License-Identifier: MIT
"""The interrupt thread of a real driver in reservations: one round in a guest with a disk."""

import re
from collections.abc import Mapping

import pytest
from supplied import supplied_percent

from plafond.bench.irqs.disk import DISK
from plafond.bench.irqs.drivers import driver_rows, driver_scenes, driver_times_rows
from plafond.bench.irqs.guest import Scene, run_scenes

pytestmark = pytest.mark.guest

RUN_NS = 200_000_000


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    """Return the files of a round, and two recordings."""
    scenes = [*driver_scenes(DISK, rounds=1), Scene("log", ["dmesg >/log"])]
    return run_scenes(scenes, lambda _: None, DISK.setting)[0]


def test_the_thread_of_the_disk_takes_no_more_than_its_reservation(
    files: Mapping[str, bytes],
) -> None:
    unreserved, *rows = driver_rows(DISK, files, rounds=1)

    assert unreserved.done_per_s > 0
    for row in rows:
        _, most = supplied_percent(row, RUN_NS)
        assert 0 < row.thread_percent < most, row
        assert row.done_per_s > 0


def test_its_times_are_found_in_a_recording(files: Mapping[str, bytes]) -> None:
    rows = driver_times_rows(DISK, files)

    assert [row.budget_ns for row in rows] == [None, None, 1_000_000, 1_000_000]
    for row in rows:
        assert row.samples > 10
        assert list(row.quantiles_us.values()) == sorted(row.quantiles_us.values())


def test_the_kernel_finds_no_fault(files: Mapping[str, bytes]) -> None:
    log = files["log"].decode(errors="replace")

    assert "virtio_blk" in log
    assert not re.search(r"BUG:|Oops|WARNING:|irq \d+: |I/O error", log)
