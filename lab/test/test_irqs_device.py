# SPDX-License-Identifier: MIT
"""The device of plafond_frames.ko in the guest: its simulation, and its state after a killed
user."""

import re
from collections.abc import Callable, Mapping

import pytest

from plafond.bench.irqs.calibrate import Calibration, calibrate, calibration_scenes
from plafond.bench.irqs.device import Device, Reservation, holds_all
from plafond.bench.irqs.frames import FramesRun, parse_frames
from plafond.bench.irqs.guest import Scene, device_command, run_scenes
from plafond.bench.irqs.rings import CASES, WORK_NS, ring_device, ring_rows, ring_scenes
from plafond.bench.irqs.throughput import WORK_NS as LONG_WORK_NS
from plafond.bench.irqs.throughput import Case, throughput_rows, throughput_scenes

pytestmark = pytest.mark.guest

MS = 1_000_000
WORKS_NS = (WORK_NS, LONG_WORK_NS)
# Both sides of the boundary: a gap of 8 and rings of 7 to 9, a ring of 7 and gaps of 6 and 7.
RINGS = [case for case in CASES if case[1] in (7, 8, 9) and case[0].period_ns >= 8 * MS]
RINGS = [case for case in RINGS if case[0].period_ns <= 10 * MS]
THROUGHPUT = [
    Case(Reservation(20 * MS, 100 * MS)),
    Case(Reservation(400 * MS, 1000 * MS)),
    Case(Reservation(95 * MS, 100 * MS)),
    Case(Reservation(20 * MS, 100 * MS), polices_by_tick=True),
]
OTHERS = [
    Scene(
        "killed",
        [
            # The user is killed while its thread works for a long time and is mostly throttled.
            "frames 10000000 60000 4096 1000000000 1000000000 >/dev/null & user=$!",
            "plafond-reserve $thread 10000000 1000000000 -- sh -c "
            '"sleep 2.5; kill -9 $user; sleep 1.5"',
            "wait $user || echo $? >/killed",
            "count() { sed -n 's/^ *[0-9]*: *\\([0-9]*\\) .*frames$/\\1/p' /proc/interrupts; }",
            "before=$(count); sleep 0.1; echo $(($(count) - before)) >>/killed",
            f"{device_command(Device(MS, 5, 8, 1000))} >>/killed",
        ],
    ),
    Scene("received", [f"{device_command(Device(MS, 20, 8, 1000), receives=True)} >/received"]),
    Scene("log", ["dmesg >/log"]),
]


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    """Return the files of all scenes. The guest unloads the module at its end."""
    scenes = [
        *calibration_scenes(WORKS_NS),
        *ring_scenes(RINGS),
        *throughput_scenes(THROUGHPUT),
        *OTHERS,
    ]
    return run_scenes(scenes, lambda _: None)[0]


@pytest.fixture(scope="module")
def calibration(files: Mapping[str, bytes]) -> Calibration:
    return calibrate(files, WORKS_NS)


def test_losses_begin_where_equation_2_and_the_model_say(
    files: Mapping[str, bytes], calibration: Calibration
) -> None:
    rows = ring_rows(files, calibration, RINGS)

    assert {row.holds_all for row in rows} == {True, False}
    for row in rows:
        assert row.is_simulated, row
        assert row.holds_all == (row.lost == 0), row
        assert row.lost == max(round(row.gap) + 1 - row.ring_size, 0), row


@pytest.mark.parametrize(
    "mutant",
    [
        lambda wait_ns, room_ns, _: wait_ns <= room_ns,
        lambda wait_ns, room_ns, period_ns: wait_ns < room_ns + period_ns,
        lambda wait_ns, room_ns, period_ns: wait_ns < room_ns - period_ns,
    ],
    ids=["not more", "one entry more", "one entry less"],
)
def test_the_device_finds_every_mutant_of_equation_2(
    files: Mapping[str, bytes], calibration: Calibration, mutant: Callable[[int, int, int], bool]
) -> None:
    lost = [row.lost for row in ring_rows(files, calibration, RINGS)]
    said = [
        mutant(
            reservation.period_ns - reservation.budget_ns,
            size * ring_device(reservation, size).period_ns,
            ring_device(reservation, size).period_ns,
        )
        for reservation, size in RINGS
    ]

    assert [each == 0 for each in lost] != said
    equation = [holds_all(ring_device(*case), case[0]) for case in RINGS]
    assert [each == 0 for each in lost] == equation


def test_throughput_is_that_of_the_simulation(
    files: Mapping[str, bytes], calibration: Calibration
) -> None:
    for row in throughput_rows(files, calibration, THROUGHPUT):
        assert abs(row.served - row.simulated) <= 1, row
        assert row.served > 100, row


def test_what_the_kernel_adds_is_measured(calibration: Calibration) -> None:
    kernel = calibration.kernel

    for time_ns in (kernel.interrupt_ns, kernel.start_ns, kernel.tick_ns):
        assert 500 < time_ns < 20_000
    assert kernel.unpaid_ns < kernel.start_ns
    for asked_ns, took_ns in calibration.frame_ns.items():
        assert abs(took_ns - asked_ns) < 2000


def test_a_receiver_gets_each_frame_when_it_was_served(files: Mapping[str, bytes]) -> None:
    frames = parse_frames(files["received"]).frames

    assert len(frames) == 20
    for frame, following in zip(frames, [*frames[1:], None], strict=True):
        assert frame.served_ns is not None
        assert frame.received_ns is not None
        assert frame.sent_ns < frame.served_ns < frame.received_ns
        assert following is None or frame.received_ns < following.sent_ns


def test_when_its_user_is_killed_no_interrupt_comes_any_more(files: Mapping[str, bytes]) -> None:
    status, interrupts, *rest = files["killed"].decode().splitlines()
    after: FramesRun = parse_frames("\n".join(rest).encode())

    assert status == "137"
    assert interrupts == "0"
    assert after.outcome.served == 5


def test_the_kernel_finds_no_fault(files: Mapping[str, bytes]) -> None:
    log = files["log"].decode(errors="replace")

    assert "plafond" in log
    assert not re.search(r"BUG:|Oops|WARNING:|irq \d+: |corruption", log)
