# SPDX-License-Identifier: MIT
"""From the guest's output to the report of `plafond bench irqs`, without a guest."""

from dataclasses import replace
from functools import cache
from io import StringIO

import pytest
from kernel_trace_fakes import KERNEL, NET_RX, PREEMPTED, RUNNABLE, SLEEPS, Fake, pages
from rich.console import Console

from plafond.bench.irqs.calibrate import Calibration, calibrate
from plafond.bench.irqs.device import Device, Reservation
from plafond.bench.irqs.disk import DISK
from plafond.bench.irqs.drivers import EXECUTION, ROUNDS, Driver, driver_rows, driver_scenes
from plafond.bench.irqs.frames import parse_frames
from plafond.bench.irqs.model import (
    Conditions,
    DriverRow,
    DriverTimesRow,
    IrqsReport,
    PlayerRow,
    QuantileRow,
    ResponseRow,
    RingRow,
    ShareRow,
    ThroughputRow,
    TransferRow,
)
from plafond.bench.irqs.network import NETWORK, network_times_scenes, parse_packets, response_rows
from plafond.bench.irqs.report import targets, unexplained
from plafond.bench.irqs.rings import BY_RING, ring_device, ring_rows
from plafond.bench.irqs.simulate import Kernel, Outcome, simulate
from plafond.bench.irqs.table import print_report
from plafond.bench.irqs.tasks import RESPONSE, quantile, segment
from plafond.bench.irqs.throughput import (
    CASES,
    TRANSFER,
    TRANSFERS,
    WINDOW_NS,
    throughput_rows,
    transfer_rows,
)
from plafond.bench.irqs.throughput import WORK_NS as LONG_WORK_NS
from plafond.bench.irqs.times import SENT, row_of
from plafond.bench.irqs.together import Task, Together
from plafond.bench.model import Target
from plafond.kernel_trace.history import OnCpu

MS = 1_000_000
BEGIN_NS = 5_000_000_000
# A kernel that adds no visible time, and on which each work takes the requested time.
PLAIN = Calibration(Kernel(), {100_000: 100_000, LONG_WORK_NS: LONG_WORK_NS})


def printed(device: Device, outcome: Outcome) -> bytes:
    lines = [
        f"{BEGIN_NS} {outcome.made} {outcome.served} {outcome.lost} {outcome.backlog_most}",
        *(
            f"{BEGIN_NS + number * device.period_ns} {BEGIN_NS + served if served else 0} 0"
            for number, served in enumerate(outcome.served_ns)
        ),
    ]
    return "\n".join(lines).encode()


def ring_files() -> dict[str, bytes]:
    files = {}
    for reservation, size in BY_RING:
        device = ring_device(reservation, size)
        name = f"ring-{reservation.period_ns}-{size}"
        files[name] = printed(device, simulate(device, reservation))
    return files


def test_frames_are_read_with_and_without_the_execution_of_the_thread() -> None:
    frames = b"1000 3 2 1 2\n1000 1100 1120\n2000 0 0\n3000 3100 0\n"
    for output, executed_ns in ((frames, None), (b"70 1 1\n" + frames + b"95 1 2\n", 25)):
        run = parse_frames(output)
        assert run.executed_ns == executed_ns
        assert [frame.received_ns for frame in run.frames] == [1120, None, None]
        assert run.between_served_ns == [2000]
        assert run.outcome == Outcome(3, 2, 1, 2, [100, None, 2100])
        assert run.outcome.first_lost == 1
        assert run.outcome.served_until(2000) == 1


def test_a_row_of_a_ring_says_if_the_same_frames_were_lost() -> None:
    files = ring_files()
    assert all(row.is_simulated for row in ring_rows(files, PLAIN, BY_RING))

    reservation, size = BY_RING[3]
    device = ring_device(reservation, size)
    outcome = simulate(device, reservation)
    assert outcome.lost == 1
    later = replace(outcome, served_ns=[*outcome.served_ns[:-1], None])
    files[f"ring-{reservation.period_ns}-{size}"] = printed(device, later)
    same = [row.is_simulated for row in ring_rows(files, PLAIN, BY_RING)]
    assert same == [True, True, True, False, True, True, True]


def throughput_files() -> dict[str, bytes]:
    files = {}
    for case in CASES:
        kernel = Kernel(tick_first_ns=-BEGIN_NS, polices_by_tick=case.polices_by_tick)
        outcome = simulate(case.device, case.reservation, kernel)
        files[case.name] = printed(case.device, outcome)
    for reservation in TRANSFERS:
        name = f"transfer-{reservation.budget_ns if reservation else 'all'}"
        files[name] = printed(TRANSFER, simulate(TRANSFER, reservation))
    return files


@cache
def simulated_rows() -> tuple[list[RingRow], list[ThroughputRow], list[TransferRow]]:
    """Return rows of runs that agree with the simulation."""
    files = throughput_files()
    rings = ring_rows(ring_files(), PLAIN, BY_RING)
    return rings, throughput_rows(files, PLAIN), transfer_rows(files, PLAIN)


def driver_files(driver: Driver) -> dict[str, bytes]:
    """Return runs of a second. A thread of 5 us a unit has at most 25 %, and each round does
    more."""
    files = {}
    for number, name in enumerate(driver.names(ROUNDS), start=1):
        shares = [min(case.share, 0.25) if case else 0.25 for case in driver.cases]
        done = [round(share * 1e9 / 5000) * number for share in shares]
        files[name] = b"".join(
            b"%d 1 1\n9 1 1\n%d 1000000000\n%d 1 1\n10000009 1 1\n" % (77, count, 77 + 1e9 * share)
            for count, share in zip(done, shares, strict=True)
        )
    return files


def test_a_run_of_a_driver_is_compared_with_that_of_its_round() -> None:
    files = driver_files(DISK)
    rows = driver_rows(DISK, files)

    assert [row.share for row in rows] == [None, 0.05, 0.1, 0.15, 0.2, 0.3]
    assert [row.runs for row in rows] == [10] * 6
    for row, ratio in zip(rows, [1, 0.2, 0.4, 0.6, 0.8, 1], strict=True):
        assert row.thread_percent == pytest.approx(25 * ratio)
        assert row.left_percent == pytest.approx(1)
        assert row.done_per_s == pytest.approx(50_000 * ratio * 5.5)
        found = (row.expected_ratio, row.ratio, row.least_ratio, row.most_ratio)
        assert found == pytest.approx((ratio,) * 4)

    odd = {**files, "disk-3": files["disk-3"].replace(b"\n30000 ", b"\n15000 ")}
    row = driver_rows(DISK, odd)[1]
    assert (row.least_ratio, row.most_ratio) == pytest.approx((0.1, 0.2))
    assert row.ratio == pytest.approx(0.19)


@pytest.mark.parametrize(("driver", "place", "limit"), [(DISK, -2, None), (NETWORK, -1, 0.01)])
def test_a_driver_s_proportion_is_of_the_rows_that_its_thread_would_exceed(
    driver: Driver, place: int, limit: float | None
) -> None:
    def judged(rows: list[DriverRow]) -> Target:
        others = driver_rows(DISK, driver_files(DISK))
        disk, network = (rows, others) if driver is DISK else (others, rows)
        found = targets(rings, throughput, transfers, disk, network, PLAIN)[place]
        assert found.limit == limit
        return found

    rings, throughput, transfers = simulated_rows()
    rows = driver_rows(driver, driver_files(driver))
    assert judged(rows).value == pytest.approx(0)
    above = next(place for place, row in enumerate(rows) if (row.share or 0) > 0.25)
    slow = rows[above].model_copy(update={"done_per_s": 1.0})
    assert judged([*rows[:above], slow, *rows[above + 1 :]]).value == pytest.approx(0)
    off = rows[2].model_copy(update={"done_per_s": 1.0})
    assert (judged([*rows[:2], off, *rows[3:]]).value or 0) > 0.1
    assert judged([*rows[:2], off, *rows[3:]]).reached is (None if limit is None else False)
    assert judged(rows[:3]).value is None


@pytest.mark.parametrize("driver", [DISK, NETWORK])
def test_each_round_of_a_driver_has_all_cases_and_none_counts_what_was_before(
    driver: Driver,
) -> None:
    scenes = list(driver_scenes(driver))

    assert [scene.name for scene in scenes[:ROUNDS]] == list(driver_files(driver))
    reserved = [False] + [True] * len(driver.reservations)
    for scene in scenes[:ROUNDS]:
        counted = [each for each in scene.commands if each.endswith(f" >>/{scene.name}")]
        assert ["plafond-reserve" in each for each in counted] == reserved
    assert scenes[0].commands[: -len(reserved)][-1] == f"{driver.command} >/dev/null"
    assert len(scenes[1].commands) == len(reserved)
    recorded = [scene.commands[0] for scene in scenes[ROUNDS:]]
    assert ["plafond-reserve $thread 1000000 10000000" in each for each in recorded] == [
        False,
        True,
    ]


def test_the_modules_of_a_card_are_loaded_after_what_they_need_and_go_before_it() -> None:
    setting = NETWORK.setting
    modules = ["failover", "net_failover", "virtio_net"]

    begin = [line for line in setting.begin if line.startswith("insmod")]
    assert begin == [f"insmod /modules/{module}.ko" for module in modules]
    end = [line for line in setting.end if line.startswith("rmmod")]
    assert end == [f"rmmod {module}" for module in reversed(modules)]


def test_the_frames_of_a_card_are_read_as_those_of_the_device() -> None:
    commands = [scene.commands[0] for scene in network_times_scenes()]
    assert commands[0] == (
        "plafond-record /network-times-1-recording -- network eth0 eth1 1000000 400 "
        ">/network-times-1"
    )
    assert parse_packets(b"1000 1200\n2000 2300\n") == ([1000, 2000], [1200, 2300])


def recorded(throttled_ns: int) -> bytes:
    """Return a recording of an activation of 200 ns, 80 ns of it in NET_RX, which loses the CPU for
    `throttled_ns` in its midst."""
    end_ns = 1190 + throttled_ns
    events = [
        (1000, KERNEL.wake_up(24, priority=49)),
        (1010, KERNEL.switch(0, RUNNABLE, 24)),
        (1100, KERNEL.record("softirq_raise", 24, NET_RX)),
        (1110, KERNEL.record("softirq_entry", 24, NET_RX)),
        (1150, KERNEL.switch(24, PREEMPTED, 0)),
        (1150 + throttled_ns, KERNEL.switch(0, RUNNABLE, 24)),
        (end_ns, KERNEL.record("softirq_exit", 24, NET_RX)),
        (end_ns + 20, KERNEL.switch(24, SLEEPS, 31)),
        (end_ns + 90, KERNEL.switch(31, SLEEPS, 0)),
    ]
    threads = "24\t24\tirq\tFIFO\t50\t24\tirq/24-virtio1-input.0\n"
    return Fake([pages(events)], threads=threads).content()


def test_what_runs_softirqs_is_shown_without_and_with_the_reservation() -> None:
    names = [*NETWORK.recordings]
    rows = response_rows({names[0]: recorded(0), names[1]: recorded(5000)})

    thread, softirq = "irq/24-virtio1-input.0", "NET_RX in irq/24-virtio1-input.0"
    assert [(row.what, row.budget_ns) for row in rows] == [
        *((thread, None), (thread, MS)),
        *((softirq, None), (softirq, MS)),
    ]
    assert [row.executed_us for row in rows] == [0.2, 0.2, 0.08, 0.08]
    assert [row.most_us for row in rows] == [0.21, 5.21, 0.09, 5.09]
    assert [row.samples for row in rows] == [1] * 4


def test_the_figures_are_reached_by_the_simulation_itself_and_missed_by_a_row_that_is_off() -> None:
    rings, throughput, transfers = simulated_rows()

    def missed(
        rings: list[RingRow] = rings,
        throughput: list[ThroughputRow] = throughput,
        transfers: list[TransferRow] = transfers,
    ) -> list[str]:
        disk, network = (driver_rows(each, driver_files(each)) for each in (DISK, NETWORK))
        judged = targets(rings, throughput, transfers, disk, network, PLAIN)
        return [target.name.partition(":")[0] for target in judged if target.reached is False]

    assert missed() == []
    wrong_ring = rings[0].model_copy(update={"is_simulated": False})
    assert missed(rings=[wrong_ring, *rings[1:]]) == ["equation 2"]
    lossless = rings[0].model_copy(update={"lost": 0})
    assert missed(rings=[lossless, *rings[1:]]) == ["equation 2"]
    off = throughput[3].model_copy(update={"served": throughput[3].served + 2})
    assert missed(throughput=[*throughput[:3], off, *throughput[4:]]) == ["throughput"]
    slow = transfers[1].model_copy(update={"total_ns": transfers[1].total_ns * 3})
    assert missed(transfers=[transfers[0], slow, *transfers[2:]]) == ["1 - r^2", "1 - r^2"]


def test_throughput_is_of_the_frames_that_were_served_in_the_window() -> None:
    _, rows, _ = simulated_rows()

    assert [row.served for row in rows] == [row.simulated for row in rows]
    first = rows[0]
    assert first.served == first.budget_ns * (WINDOW_NS // first.period_ns) // LONG_WORK_NS
    assert first.percent == pytest.approx(100 * first.served / 2000)


def test_a_straight_line_leaves_nothing_unexplained() -> None:
    assert unexplained([1, 2, 3], [2, 4, 6]) == pytest.approx(0)
    assert unexplained([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(1 - 0.64)


def test_the_kernel_s_part_is_found_in_runs_that_it_is_put_into() -> None:
    kernel = Kernel(interrupt_ns=1500, start_ns=4000, tick_ns=2500, tick_first_ns=-BEGIN_NS)
    large = Reservation(95 * MS, 100 * MS)
    runs = {
        "apart": Device(2 * MS, 50, 8, 100_000),
        "interrupted": Device(100_000, 50, 64, MS),
        "in-a-row-100000": Device(10_000, 24, 64, 100_000),
        "in-a-row-1000000": Device(10_000, 24, 64, MS),
    }
    files = {}
    for name, device in runs.items():
        frames = printed(device, simulate(device, large, kernel))
        executed_ns = device.count * (device.work_ns + kernel.start_ns - 300)
        files[name] = b"%d 0 0\n%s\n%d 0 0\n" % (0, frames, executed_ns)

    found = calibrate(files, [100_000])

    assert found.frame_ns == {100_000: 100_000, MS: MS}
    assert found.kernel == replace(kernel, unpaid_ns=300, tick_first_ns=0)


def made_up_report() -> IrqsReport:
    rings, throughput, transfers = simulated_rows()
    times = [row_of("T1", [1_000_000, 1_002_000], [1190, 29, 1569, 1040])]
    disk, network = (driver_rows(each, driver_files(each)) for each in (DISK, NETWORK))
    driver_times = DriverTimesRow(
        what=EXECUTION,
        budget_ns=MS,
        period_ns=10 * MS,
        samples=216,
        quantiles_us={"50%": 72.7, "100%": 290.4},
    )
    return IrqsReport(
        conditions=Conditions(
            kernel="6.12",
            interrupt_ns=1500,
            start_ns=4000,
            unpaid_ns=300,
            tick_ns=2500,
            frame_ns={100_000: 100_021},
            notes=["A note."],
        ),
        rings=rings,
        throughput=throughput,
        transfers=transfers,
        disk=disk,
        disk_times=[driver_times],
        network=network,
        network_times=[driver_times],
        network_responses=[
            ResponseRow(
                what="NET_RX in irq/28-virtio1-input.0",
                budget_ns=None,
                period_ns=None,
                samples=352,
                executed_us=36_660.25,
                median_us=77.7,
                most_us=206.3,
            )
        ],
        network_frames={SENT: times},
        times={SENT: times},
        tasks={RESPONSE: times},
        quantiles=[QuantileRow(task="task-1", quantiles_us={"50%": 2.5})],
        shares=[
            ShareRow(
                thread="greedy-4",
                reservation="(1 ms, 4 ms)",
                percent=25.04,
                expected_percent=25,
                segment="##..",
            )
        ],
        players=[
            PlayerRow(
                figure="11",
                scene="alone",
                average_us=40_000,
                deviation_us=10,
                most_us=40_010,
                least_us=39_990,
                samples=29,
                device_percent=None,
                paper="about 40",
            )
        ],
        targets=targets(rings, throughput, transfers, disk, network, PLAIN),
    )


def test_all_tables_fit_beside_the_guides() -> None:
    text = StringIO()
    print_report(made_up_report(), Console(file=text, width=112))
    lines = [" ".join(line.split()) for line in text.getvalue().splitlines()]

    assert not [line for line in lines if "continued" in line or "not reached" in line]
    for row in (
        "- A note.",
        "The work of a frame takes: 100021 ns for 100000",
        "(2, 10) 1 8 8 does not 1 10 8 same",
        "(2, 10) 1 9 8 holds 0 9 same",
        "(20, 100) 0.2 1024 holds exact 425 425 425 21.25 21.58",
        "priority 50 10 275000 25.0 1.00 1.00 1.00 1.00 1.00",
        "(0.5, 10) 0.05 10 55000 5.0 1.00 0.20 0.20 0.20 0.20",
        "(0.25, 5) 0.05 10 55000 5.0 1.00 0.20 0.20 0.20 0.20",
        "NET_RX in irq/28-virtio1-input.0 priority 50 352 36660.2 77.7 206.3",
        "Figure 8: execution (1, 10) 216 72.7 290.4",
        "T1 1001.0 1.0 1002.0 1000.0 2 1190, 29, 1569, 1040",
        "task-1 2.5",
        "greedy-4 (1 ms, 4 ms) 25.04 25.00 ##..",
        "11 alone 40.00 0.01 40.01 29 about 40",
        "equation 2: rows that differ from it or from the model 0 0 reached",
    ):
        assert row in lines, row


def test_a_quantile_is_one_of_the_samples() -> None:
    assert [quantile([30, 10, 20], share) for share in (0.1, 0.5, 1.0)] == [10, 20, 30]


def test_a_piece_of_a_schedule_shows_what_had_most_of_a_column() -> None:
    columns = [OnCpu(0, 600_000, 0), OnCpu(900_000, 1_300_000, 0)]

    assert segment(columns, 0) == "#.#" + "." * 37


def test_tasks_with_reservations_are_started_before_they_get_them() -> None:
    task = Task("greedy", 0, 0, 5 * MS, 1, Reservation(MS, 4 * MS))
    together = Together("some", [task], 300 * MS, Device(MS, 2, 3, 4), Reservation(2 * MS, 8 * MS))
    script = "\n".join(together.scene.commands)

    started = script.index("worker 0 100000000 0 5000000 1 >/some-greedy &\nt0=$!")
    reserved = script.index("plafond-reserve $thread 2000000 8000000 $t0 1000000 4000000 -- sh -c")
    assert started < reserved < script.index("frames 1000000 2 3 4 4 >/some-device")
