# SPDX-License-Identifier: MIT
"""The interrupt thread of a network card in reservations: two guests with two cards, equal runs."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from stirred import stirred_emulator
from supplied import supplied_percent

from plafond.bench.irqs.drivers import driver_rows, driver_scenes, driver_times_rows
from plafond.bench.irqs.guest import Scene, run_scenes
from plafond.bench.irqs.network import (
    NETWORK,
    network_times_rows,
    network_times_scenes,
    response_rows,
)
from plafond.bench.irqs.times import COUNTS, EXECUTED, RECEIVED

pytestmark = pytest.mark.guest

MS = 1_000_000
RUN_NS = 100 * MS
NOT_THERE = Scene("refused", ["network eth0 eth9 1000 2>/refused || echo $? >>/refused"])
DOWN = Scene("down", ["ip link set eth1 down", "network eth0 eth1 1000 2>/down || echo $? >>/down"])
LOG = Scene("log", ["dmesg >/log"])


def run() -> Mapping[str, bytes]:
    scenes = [*driver_scenes(NETWORK, rounds=1), *network_times_scenes(), NOT_THERE, DOWN, LOG]
    return run_scenes(scenes, lambda _: None, NETWORK.setting)[0]


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    """Return the files of a round, two recordings, and the frames of a period."""
    return run()


def test_the_thread_of_the_card_takes_what_its_reservation_has(files: Mapping[str, bytes]) -> None:
    unreserved, *rows = driver_rows(NETWORK, files, rounds=1)

    assert unreserved.done_per_s > 0
    for row in rows:
        least, most = supplied_percent(row, RUN_NS)
        assert row.thread_percent < most, row
        if row.expected_ratio < 1:
            assert row.thread_percent > least, row


def test_frames_are_in_proportion_to_what_it_and_ksoftirqd_execute_whatever_the_period(
    files: Mapping[str, bytes],
) -> None:
    unreserved, *rows = driver_rows(NETWORK, files, rounds=1)

    assert {row.period_ns for row in rows} == {5 * MS, 10 * MS}
    assert {row.expected_ratio < 1 for row in rows} == {True, False}
    executed = unreserved.thread_percent + unreserved.left_percent
    for row in rows:
        # The thread leaves frames to ksoftirqd when a budget ends while it runs softirqs.
        ratio = (row.thread_percent + row.left_percent) / executed
        assert row.ratio == pytest.approx(ratio, rel=0.1), row


def test_its_times_and_what_runs_softirqs_are_found_in_a_recording(
    files: Mapping[str, bytes],
) -> None:
    times = driver_times_rows(NETWORK, files)
    assert [row.budget_ns for row in times] == [None, None, MS, MS]
    assert all(row.samples > 10 for row in times)

    responses = {(row.what.partition("/")[0], row.budget_ns): row for row in response_rows(files)}
    assert {what for what, _ in responses} >= {"NET_RX in irq", "irq", "ktimers"}
    receiving = [row for row in response_rows(files) if "virtio1-input" in row.what]
    assert [row.what.startswith("NET_RX in ") for row in receiving] == [False, False, True, True]
    for thread, softirq in zip(receiving[:2], receiving[2:], strict=True):
        assert thread.executed_us / 2 < softirq.executed_us < thread.executed_us


def test_what_needs_softirqs_waits_for_the_budget_of_the_thread_that_holds_them(
    files: Mapping[str, bytes],
) -> None:
    sender = [row for row in response_rows(files) if row.what.endswith("-virtio0-output.0")][:2]

    unreserved, reserved = sender
    assert (unreserved.budget_ns, reserved.budget_ns) == (None, MS)
    assert unreserved.most_us < 1000
    assert 5000 < reserved.most_us < 10_000


def test_each_frame_of_a_period_wakes_the_thread_up_once(files: Mapping[str, bytes]) -> None:
    tables = network_times_rows(files)

    assert [row.samples for row in tables[EXECUTED]] == list(COUNTS.values())
    for rows in tables.values():
        assert [row.what for row in rows] == [f"T{period}" for period in COUNTS]
    for period, row in zip(COUNTS, tables[RECEIVED], strict=True):
        assert row.average_us == pytest.approx(1000 * period, rel=0.01)


def test_a_second_guest_does_the_same_to_the_nanosecond(
    files: Mapping[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in stirred_emulator(tmp_path).items():
        monkeypatch.setenv(name, value)

    assert run() == files


def test_a_card_that_is_not_there_or_not_up_is_named(files: Mapping[str, bytes]) -> None:
    assert files["refused"] == b"network: eth9: No such device\n1\n"
    assert files["down"] == b"network: no frame arrives: Network is down\n1\n"


def test_the_kernel_finds_no_fault(files: Mapping[str, bytes]) -> None:
    log = files["log"].decode(errors="replace")

    assert "Linux version" in log
    assert not re.search(r"BUG:|Oops|WARNING:|irq \d+: ", log)
