# SPDX-License-Identifier: MIT
"""The driver of a network card, virtio-net: its throughput, and Tables II to V.

A card of the guest sends to another card. The measured interrupt thread belongs to the receiving
card. On PREEMPT_RT the thread runs the softirq NET_RX, in which the driver receives, under the
kernel's lock of the CPU's softirqs. ksoftirqd does the rest, outside the thread's reservation.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from plafond.bench.irqs.device import Reservation
from plafond.bench.irqs.drivers import Driver, recorded_histories
from plafond.bench.irqs.guest import Scene, Setting
from plafond.bench.irqs.model import ResponseRow, TimesRow
from plafond.bench.irqs.times import FrameTimes, recorded_rows, recorded_scenes
from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.vm.guest import Guest

MS = 1_000_000
CARDS = "eth0 eth1"
NETWORK = Driver(
    name="network",
    setting=Setting(
        Guest(network=True),
        ["failover", "net_failover", "virtio_net"],
        "virtio1-input.0",
        ["network", "plafond-record", "plafond-reserve"],
    ),
    command=f"network {CARDS} {100 * MS}",
    # 5 to 50 % of T = 5 ms, and 10 and 20 % of T = 10 ms.
    reservations=[
        *(Reservation(share * MS // 20, 5 * MS) for share in (5, 10, 20, 30, 50)),
        *(Reservation(share * MS // 10, 10 * MS) for share in (10, 20)),
    ],
    recorded=Reservation(MS, 10 * MS),
    begin=[
        # The kernel must send nothing by itself.
        "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6",
        *(f"ip link set {card} up" for card in CARDS.split()),
    ],
)
TIMES = "network-times"


def network_times_scenes() -> Iterator[Scene]:
    """Yield the runs of Tables II to V."""
    return recorded_scenes(TIMES, lambda period_ns, count: f"network {CARDS} {period_ns} {count}")


def network_times_rows(files: Mapping[str, bytes]) -> dict[str, list[TimesRow]]:
    """Return the four tables, with a row for each period."""
    return recorded_rows(TIMES, files, parse_packets, NETWORK.setting.action)


def parse_packets(output: bytes) -> FrameTimes:
    """Parse the program `network`'s output about periodic frames."""
    lines = [line.split() for line in output.decode().splitlines()]
    return [int(sent) for sent, _ in lines], [int(received) for _, received in lines]


def response_rows(files: Mapping[str, bytes]) -> list[ResponseRow]:
    """Return the recorded threads that run softirqs, and the softirqs, with their responses."""
    rows = [
        _response_row(each, reservation)
        for reservation, history in recorded_histories(NETWORK, files)
        for each in _with_softirqs(history)
    ]
    names = list(dict.fromkeys(row.what for row in rows))
    return sorted(rows, key=lambda row: names.index(row.what))


def _with_softirqs(history: History) -> Sequence[Thread]:
    """Return the threads that run softirqs, and the softirqs by name."""
    kinds = (ThreadKind.INTERRUPT, ThreadKind.SOFTIRQ)
    threads = [each for each in history.threads if each.kind in kinds]
    return [each for each in (*threads, *history.softirqs) if each.activations]


def _response_row(thread: Thread, reservation: Reservation | None) -> ResponseRow:
    response_us = [(each.end_ns - each.begin_ns) / 1000 for each in thread.activations]
    return ResponseRow(
        what=thread.name,
        budget_ns=reservation.budget_ns if reservation else None,
        period_ns=reservation.period_ns if reservation else None,
        samples=len(response_us),
        executed_us=sum(each.execution_ns for each in thread.activations) / 1000,
        median_us=median(response_us),
        most_us=max(response_us),
    )
