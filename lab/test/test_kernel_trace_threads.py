# SPDX-License-Identifier: MIT
"""From events to threads: activations, softirqs, missing samples, and the statistics."""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from kernel_trace_fakes import (
    DEAD,
    KERNEL,
    NET_RX,
    PREEMPTED,
    RUNNABLE,
    SLEEPS,
    TIMER,
    WAITS,
    Fake,
    pages,
    stats,
)

from plafond.kernel_trace.history import Activation, History, OnCpu, Thread
from plafond.kernel_trace.infer import infer_period
from plafond.kernel_trace.measure import distribution, measure_threads, rounded_up
from plafond.kernel_trace.model import ThreadKind
from plafond.kernel_trace.parts import less
from plafond.kernel_trace.recording import parse_recording
from plafond.kernel_trace.threads import read_history

Timed = Sequence[tuple[int, bytes]]
THREADS = (
    "24\t24\tirq\tFIFO\t50\t24\tirq/24-virtio1-input\n"
    "9\t-\tksoftirqd\tOTHER\t0\t9\tksoftirqd/0\n"
    "7\t-\tuser\tRR\t3\t7\tthread-7\n"
    "6\t-\tuser\tOTHER\t0\t6\tanother program by now\n"
)
switch, wake_up = KERNEL.switch, KERNEL.wake_up


def history(
    *of_cpus: Timed, tasks: dict[int, str] | None = None, stats: Sequence[str] = ()
) -> History:
    fake = Fake([pages(each) for each in of_cpus], threads=THREADS, stats=list(stats))
    return read_history(parse_recording(fake.content(), "some"), tasks or {})


def thread(found: History, name: str) -> Thread:
    return next(each for each in [*found.threads, *found.softirqs] if each.name == name)


def softirq(event: str, inside: int, number: int) -> bytes:
    return KERNEL.record(f"softirq_{event}", inside, number)


def test_an_activation_lasts_from_the_wake_up_to_the_sleep() -> None:
    found = history(
        [
            (100, wake_up(24, priority=49)),
            (130, switch(0, RUNNABLE, 24)),
            (160, switch(24, PREEMPTED, 7)),
            (175, switch(7, SLEEPS, 24)),
            (180, wake_up(24)),  # awake already: nothing new
            (200, switch(24, SLEEPS, 0)),
            (900, wake_up(24)),
            (901, switch(0, RUNNABLE, 24)),
            (950, switch(24, SLEEPS, 0)),
        ]
    )
    of_interrupt = thread(found, "irq/24-virtio1-input")
    assert of_interrupt.activations == [Activation(100, 200, 55), Activation(900, 950, 49)]
    assert of_interrupt.inter_arrivals_ns == [800]
    assert of_interrupt.on_cpu == [OnCpu(130, 160, 0), OnCpu(175, 200, 0), OnCpu(901, 950, 0)]
    # The recording has no wake-up of this thread.
    assert thread(found, "thread-7").activations == []
    assert thread(found, "thread-7").on_cpu == [OnCpu(160, 175, 0)]


def test_a_wait_for_a_lock_is_part_of_the_activation_of_an_interrupt() -> None:
    def waits(tid: int) -> Timed:
        return [
            (100, wake_up(tid)),
            (110, switch(0, RUNNABLE, tid)),
            (120, switch(tid, WAITS, 0)),
            (150, wake_up(tid)),
            (160, switch(0, RUNNABLE, tid)),
            (190, switch(tid, SLEEPS, 0)),
        ]

    of_interrupt = thread(history(waits(24)), "irq/24-virtio1-input")
    assert of_interrupt.activations == [Activation(100, 190, 40)]
    assert of_interrupt.inter_arrivals_ns == []
    other = thread(history(waits(7)), "thread-7")
    assert other.activations == [Activation(100, 120, 10), Activation(150, 190, 30)]


def test_a_thread_may_migrate() -> None:
    found = history(
        [(100, wake_up(7)), (110, switch(0, RUNNABLE, 7)), (140, switch(7, RUNNABLE, 24))],
        [(5, switch(8, SLEEPS, 0)), (150, switch(0, RUNNABLE, 7)), (190, switch(7, SLEEPS, 0))],
    )
    migrated = thread(found, "thread-7")
    assert migrated.activations == [Activation(100, 190, 70)]
    assert migrated.on_cpu == [OnCpu(110, 140, 0), OnCpu(150, 190, 1)]
    assert measure_threads(found, "none")[-1].cpus == [0, 1]


def test_threads_are_known_by_number_and_whole_name() -> None:
    found = history(
        [
            (1, wake_up(24, priority=49)),
            (2, switch(0, RUNNABLE, 24)),
            (3, switch(24, SLEEPS, 9)),
            (4, switch(9, SLEEPS, 7)),
            (5, switch(7, SLEEPS, 6)),
            (6, switch(6, SLEEPS, 5, 19)),
            (7, switch(5, SLEEPS, 4, -1, own=19)),
            (8, switch(4, SLEEPS, 0, own=-1)),
        ],
        tasks={5: "control"},
    )
    rows = {
        each.thread: (each.kind, each.irq, each.policy, each.priority)
        for each in measure_threads(found, "none")
    }
    assert rows == {
        "irq/24-virtio1-input": (ThreadKind.INTERRUPT, 24, "FIFO", 50),
        "ksoftirqd/0": (ThreadKind.SOFTIRQ, None, "OTHER", None),
        "control": (ThreadKind.TASK, None, "FIFO", 80),
        "thread-4": (ThreadKind.OTHER, None, "DEADLINE", None),
        "thread-6": (ThreadKind.OTHER, None, "OTHER", None),
        "thread-7": (ThreadKind.OTHER, None, "RR", 3),
    }


def test_a_switch_that_was_not_recorded_is_noticed() -> None:
    """This happens if a thread must not be traced. Activations around it are unknown."""
    found = history(
        [
            (100, wake_up(7)),
            (101, wake_up(8)),
            (105, wake_up(6)),
            (110, switch(0, RUNNABLE, 6)),
            (120, switch(6, RUNNABLE, 8)),  # and from 8 to 7
            (130, softirq("raise", 7, TIMER)),
            (131, softirq("entry", 7, TIMER)),
            (135, softirq("exit", 7, TIMER)),
            (150, switch(7, SLEEPS, 8)),  # and from 8 to 6
            (170, switch(6, SLEEPS, 0)),
            (180, switch(0, RUNNABLE, 8)),
            (190, switch(8, SLEEPS, 0)),
        ]
    )
    assert found.missing_switches == 2
    assert [each.activations for each in found.threads] == [[], [], []]
    assert {each.name: each.on_cpu for each in found.threads} == {
        "thread-7": [OnCpu(130, 150, 0)],
        "thread-6": [OnCpu(110, 120, 0)],
        "thread-8": [OnCpu(180, 190, 0)],
    }
    assert thread(found, "TIMER in other threads").activations == [Activation(130, 135, 4)]


@pytest.mark.parametrize(
    ("priority", "expected"), [(49, ("FIFO", 50)), (3, ("FIFO", 50)), (-1, ("DEADLINE", None))]
)
def test_a_thread_is_scheduled_as_listed_but_in_a_reservation(
    priority: int, expected: tuple[str, int | None]
) -> None:
    found = history(
        [
            (1, wake_up(24, priority=priority)),
            (2, switch(0, RUNNABLE, 24, priority)),
            (3, switch(24, SLEEPS, 0, own=priority)),
        ]
    )
    seen = thread(found, "irq/24-virtio1-input")
    assert (seen.policy, seen.priority) == expected


def test_a_priority_is_that_of_the_wake_up_not_of_a_lock() -> None:
    found = history(
        [
            (1, wake_up(5, priority=69)),
            (2, switch(0, RUNNABLE, 5, 69)),
            (3, switch(5, PREEMPTED, 7, own=29)),
            (4, switch(7, SLEEPS, 5, 29)),
            (5, switch(5, SLEEPS, 0, own=69)),
        ]
    )
    assert thread(found, "thread-5").priority == 30


@pytest.mark.parametrize(("end", "is_new"), [(DEAD, True), (DEAD, False), (SLEEPS, True)])
def test_a_number_can_become_that_of_another_thread(end: int, is_new: bool) -> None:
    """The old thread's end, or the new thread's begin, may be missing in the recording."""
    found = history(
        [
            (1, wake_up(5, is_new=True)),
            (2, switch(0, RUNNABLE, 5)),
            (3, switch(5, end, 0)),
            (50, wake_up(5, is_new=is_new)),
            (51, switch(0, RUNNABLE, 5)),
            (55, switch(5, SLEEPS, 0)),
        ]
    )
    assert [each.activations for each in found.threads] == [
        [Activation(1, 3, 1)],
        [Activation(50, 55, 4)],
    ]
    assert [each.inter_arrivals_ns for each in found.threads] == [[], []]


ROUND: Timed = [
    (0, wake_up(7)),
    (10, switch(0, RUNNABLE, 7)),
    (30, switch(7, SLEEPS, 0)),
]


def shifted(events: Timed, by_ns: int) -> Timed:
    return [(time_ns + by_ns, data) for time_ns, data in events]


def test_an_activation_across_a_loss_is_not_sampled() -> None:
    before = [*ROUND, (100, wake_up(7)), (110, switch(0, RUNNABLE, 7))]
    after = [(500, switch(7, SLEEPS, 0)), *shifted(ROUND, 600), *shifted(ROUND, 700)]
    fake = Fake([[*pages(before), *pages(after, lost=4)]])
    found = read_history(parse_recording(fake.content(), "some"), {})
    seen = thread(found, "thread-7")
    assert [each.begin_ns for each in seen.activations] == [0, 600, 700]
    assert seen.inter_arrivals_ns == [100, 100]
    assert seen.on_cpu[1] == OnCpu(110, 110, 0)  # until the last event that was seen
    assert found.lost_events == 4


def test_nor_is_one_of_another_cpu_meanwhile() -> None:
    """During the loss the thread may have run on the other CPU, too."""
    losing = [*pages([(1, switch(0, RUNNABLE, 8))]), *pages([(500, switch(8, SLEEPS, 0))], None)]
    seen = [each for begin in (0, 200, 450, 480, 600) for each in shifted(ROUND, begin)]
    fake = Fake([losing, pages(seen)], stats=[stats(overrun=7), stats()])
    found = read_history(parse_recording(fake.content(), "some"), {})
    assert [each.begin_ns for each in thread(found, "thread-7").activations] == [600]
    assert thread(found, "thread-7").inter_arrivals_ns == []
    assert len(thread(found, "thread-7").on_cpu) == 5
    assert found.lost_events == 7


def test_nor_is_a_softirq() -> None:
    before = [(10, switch(7, SLEEPS, 0)), (20, softirq("raise", 0, TIMER))]
    after = [
        (500, softirq("exit", 0, TIMER)),
        *((at + 600, softirq(event, 0, TIMER)) for at, event in enumerate(("entry", "exit"))),
    ]
    for place in (2, 3):  # the softirq is raised before the loss, and begins in it or before it
        seen = [*before, (30, softirq("entry", 0, TIMER))][:place]
        fake = Fake([[*pages(seen), *pages(after, lost=1)]])
        found = read_history(parse_recording(fake.content(), "some"), {})
        assert thread(found, "TIMER in other threads").activations == []


def test_only_the_time_of_the_run_is_sampled() -> None:
    events = [each for begin in (0, 100, 200, 300) for each in shifted(ROUND, begin)]
    before = [(1, switch(0, RUNNABLE, 8)), (9, switch(8, SLEEPS, 0))]
    fake = Fake([pages(events), pages([*before, (20, switch(0, RUNNABLE, 6))])])
    found = read_history(parse_recording(fake.content(), "some"), {}, (25, 315))
    seen = thread(found, "thread-7")
    assert [each.begin_ns for each in seen.activations] == [100, 200]
    assert seen.on_cpu[0] == OnCpu(25, 30, 0)
    assert seen.on_cpu[-1] == OnCpu(310, 310, 0)
    assert {each.name for each in found.threads} == {"thread-7", "thread-6"}


def test_nothing_is_sampled_if_events_are_lost_at_any_time() -> None:
    found = history(ROUND, [], stats=[stats(dropped=1)])
    assert thread(found, "thread-7").activations == []
    assert found.lost_events == 1


def test_a_softirq_runs_inside_the_thread_of_its_interrupt() -> None:
    """As under PREEMPT_RT, the softirq can be preempted. It has no CPU then."""
    found = history(
        [
            (100, wake_up(24)),
            (110, switch(0, RUNNABLE, 24)),
            (120, softirq("raise", 24, NET_RX)),
            (125, softirq("raise", 24, NET_RX)),
            (130, softirq("entry", 24, NET_RX)),
            (140, switch(24, PREEMPTED, 7)),
            (170, switch(7, SLEEPS, 24)),
            (190, softirq("exit", 24, NET_RX)),
            (200, switch(24, SLEEPS, 0)),
            (300, softirq("raise", 0, TIMER)),
            (301, softirq("entry", 0, TIMER)),
            (305, softirq("exit", 0, TIMER)),
        ]
    )
    inside = thread(found, "NET_RX in irq/24-virtio1-input")
    assert inside.activations == [Activation(120, 190, 30)]
    assert inside.on_cpu == [OnCpu(130, 140, 0), OnCpu(170, 190, 0)]
    assert (inside.kind, inside.policy, inside.priority) == (ThreadKind.SOFTIRQ, "FIFO", 50)
    assert thread(found, "TIMER in other threads").activations == [Activation(300, 305, 4)]


def test_softirqs_of_several_cpus_do_not_meet() -> None:
    def of_cpu(base: int) -> Timed:
        return [
            (base + at, softirq(event, 0, TIMER))
            for turn in (0, 1000)
            for at, event in ((turn, "raise"), (turn + 1, "entry"), (turn + 2, "exit"))
        ]

    found = history(of_cpu(0), of_cpu(500))
    assert thread(found, "TIMER in other threads").inter_arrivals_ns == [1000, 1000]


def test_a_softirq_that_was_not_seen_being_raised_is_not_sampled() -> None:
    found = history(
        [
            (5, softirq("exit", 0, TIMER)),
            (9, softirq("entry", 0, NET_RX)),
            (12, softirq("exit", 0, NET_RX)),
        ]
    )
    assert [each.name for each in found.softirqs] == ["NET_RX in other threads"]
    assert found.softirqs[0].activations == []
    assert found.softirqs[0].on_cpu == [OnCpu(9, 12, 0)]


def test_handlers_of_interrupts_have_their_times_by_number_and_name() -> None:
    def handler(event: str, value: int | str) -> bytes:
        return KERNEL.record(f"irq_handler_{event}", 7, 24, value)

    found = history(
        [(5, handler("exit", 1)), (9, handler("entry", "net")), (12, handler("exit", 1))]
    )
    assert [(each.name, each.on_cpu) for each in found.interrupts] == [
        ("interrupt 24 (net)", [OnCpu(9, 12, 0)])
    ]


def test_statistics_have_their_samples() -> None:
    found = history([*ROUND, *shifted(ROUND, 100), *shifted(ROUND, 250)])
    row = next(each for each in measure_threads(found, "protect") if each.thread == "thread-7")
    assert row.protocol == "protect"
    assert row.execution == distribution([20, 20, 20])
    assert row.response == distribution([30, 30, 30])
    assert row.inter_arrival == distribution([100, 150])
    assert row.inter_arrival
    assert row.inter_arrival.model_dump() == {
        "samples": 2,
        "average_ns": 125.0,
        "deviation_ns": 25.0,
        "least_ns": 100,
        "most_ns": 150,
        "counts": [(100, 1), (150, 1)],
    }
    assert row.period_ns is None


def test_threads_of_a_program_under_one_name_share_a_row() -> None:
    events = [
        (time_ns + begin, data)
        for begin, tid in ((0, 31), (100, 32), (200, 31), (300, 24), (400, 24))
        for time_ns, data in (
            (0, wake_up(tid)),
            (10, switch(0, RUNNABLE, tid)),
            (20, switch(tid, SLEEPS, 0)),
        )
    ]
    rows = {row.thread: row for row in measure_threads(history(events), "none")}
    assert set(rows) == {"worker", "irq/24-virtio1-input"}
    assert rows["worker"].execution == distribution([10, 10, 10])
    assert rows["worker"].inter_arrival == distribution([200])


@pytest.mark.parametrize(
    ("spans", "taken", "left"),
    [
        ([(0, 10)], [], [(0, 10)]),
        ([(0, 10)], [(2, 3), (5, 12)], [(0, 2), (3, 5)]),
        ([(0, 10), (20, 30)], [(0, 25), (3, 4), (26, 27)], [(25, 26), (27, 30)]),
        ([(5, 6), (6, 8)], [(0, 5), (6, 7)], [(5, 6), (7, 8)]),
        ([(0, 10)], [(0, 10)], []),
    ],
)
def test_what_is_taken_is_no_part(
    spans: list[tuple[int, int]], taken: list[tuple[int, int]], left: list[tuple[int, int]]
) -> None:
    assert list(less(spans, taken)) == left


@pytest.mark.parametrize("seed", range(30))
def test_parts_agree_with_a_look_at_each_moment(seed: int) -> None:
    dice = random.Random(seed)
    spans, taken = (
        sorted((begin, begin + dice.randrange(9)) for begin in dice.sample(range(0, 200, step), 15))
        for step in (10, 2)
    )
    moments = {at for begin, end in spans for at in range(begin, end)}
    moments -= {at for begin, end in taken for at in range(begin, end)}
    found = [at for begin, end in less(spans, taken) for at in range(begin, end)]
    assert found == sorted(moments)


@pytest.mark.parametrize(
    ("time_ns", "rounded"),
    [(0, 0), (9, 9), (99, 99), (100, 100), (101, 110), (991, 1000), (12_345, 13_000)],
)
def test_times_are_rounded_up_to_two_digits(time_ns: int, rounded: int) -> None:
    assert rounded_up(time_ns) == rounded


def test_no_times_have_no_statistics() -> None:
    assert distribution([]) is None


Draw = Callable[[random.Random], list[float]]
MS = 1_000_000


def times_of(arrivals: Sequence[float]) -> list[int]:
    return [round(later - earlier) for earlier, later in pairwise(sorted(arrivals))]


def grid(count: int, jitter: float, dropped: float, extra: float = 0.0) -> Draw:
    """Return a function that draws arrivals with a period of 1 ms, late by up to a share of it."""

    def draw(dice: random.Random) -> list[float]:
        kept = [
            (place + jitter * dice.random()) * MS
            for place in range(count)
            if dice.random() >= dropped
        ]
        return kept + [dice.random() * count * MS for _ in range(round(extra * count))]

    return draw


def drifting(dice: random.Random) -> list[float]:
    """Draw arrivals whose distance is the period and up to a tenth more: OSPERT 2010, 6, Table
    II."""
    arrivals = [0.0]
    for _ in range(200):
        arrivals.append(arrivals[-1] + MS * (1 + 0.1 * dice.random()))
    return arrivals


@pytest.mark.parametrize(
    ("draw", "within"),
    [
        (grid(200, 0.0, 0.0), 0.0),
        (grid(200, 0.1, 0.0), 0.01),
        (grid(200, 0.0, 0.15), 0.0),
        (grid(200, 0.1, 0.15), 0.01),
        (grid(200, 0.05, 0.0, extra=0.05), 0.01),
        (grid(14, 0.05, 0.0), 0.02),
    ],
)
@pytest.mark.parametrize("seed", range(20))
def test_a_period_is_found_in_spite_of_jitter_and_drops(
    draw: Draw, within: float, seed: int
) -> None:
    period_ns = infer_period(times_of(draw(random.Random(seed))))
    assert period_ns is not None
    assert abs(period_ns - MS) <= within * MS


@pytest.mark.parametrize("seed", range(20))
def test_a_period_that_drifts_is_found(seed: int) -> None:
    period_ns = infer_period(times_of(drifting(random.Random(seed))))
    assert period_ns is not None
    assert abs(period_ns - 1.05 * MS) <= 0.01 * MS


def gaps(draw: Callable[[random.Random], float], count: int = 200) -> Draw:
    """Return a function that draws arrivals with independent distances."""

    def arrivals(dice: random.Random) -> list[float]:
        at = [0.0]
        for _ in range(count):
            at.append(at[-1] + draw(dice))
        return at

    return arrivals


def by_turns(_: random.Random) -> list[float]:
    """Return wake-ups of a thread by a timer, and again by a lock that it gets."""
    return [time for turn in range(100) for time in (turn * 40 * MS, (turn * 40 + 13.5) * MS)]


@pytest.mark.parametrize(
    "draw",
    [
        gaps(lambda dice: dice.expovariate(1 / MS)),
        gaps(lambda dice: dice.expovariate(1 / MS), count=14),
        gaps(lambda dice: dice.uniform(1, 2) * MS),
        gaps(lambda dice: dice.uniform(0, 2) * MS),
        gaps(lambda dice: dice.paretovariate(1) * MS),
        gaps(lambda dice: dice.choice((1, 1, 1, 30)) * MS),  # bursts
        gaps(lambda dice: dice.choice((2, 3)) * MS),
        gaps(lambda dice: dice.choice((1, 2)) * MS),
        by_turns,
        gaps(lambda dice: 0),
        grid(200, 0.0, 0.6),
        grid(200, 0.9, 0.0),
    ],
)
@pytest.mark.parametrize("seed", range(20))
def test_no_period_is_invented(draw: Draw, seed: int) -> None:
    assert infer_period(times_of(draw(random.Random(seed)))) is None


def test_a_few_times_say_nothing_of_a_period() -> None:
    assert infer_period([MS] * 11) is None
    assert infer_period([MS] * 12) == MS
