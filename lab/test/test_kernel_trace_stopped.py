# SPDX-License-Identifier: MIT
"""Stops beside the kernel's recording: other threads, interrupts, or no cause at all."""

from plafond.kernel_trace.history import History, OnCpu, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.kernel_trace.stopped import Explained, explain


def thread(kind: ThreadKind, *spans: tuple[int, int], cpu: int = 0) -> Thread:
    return Thread("some", kind, on_cpu=[OnCpu(begin, end, cpu) for begin, end in spans])


def history(threads: list[Thread], interrupts: list[Thread]) -> History:
    return History(threads, [], interrupts, 0, 0)


TICKS = [(tick, tick + 2) for tick in range(0, 100, 10)]
STOPS = [(200, 300), (500, 600)]


def test_a_stop_without_any_event_is_the_machines() -> None:
    task = thread(ThreadKind.TASK, (0, 1000))
    assert explain(history([task], []), 0, STOPS) == Explained(0, 0, 200)


def test_time_of_another_thread_is_a_switch() -> None:
    other = thread(ThreadKind.OTHER, (190, 250))
    assert explain(history([other], []), 0, STOPS) == Explained(50, 0, 150)
    elsewhere = thread(ThreadKind.OTHER, (190, 250), cpu=1)
    assert explain(history([elsewhere], []), 0, STOPS) == Explained(0, 0, 200)


def test_an_interrupt_of_many_times_its_usual_time_is_a_stop() -> None:
    usual = thread(ThreadKind.INTERRUPT, *TICKS, (210, 230))
    longer = thread(ThreadKind.INTERRUPT, *TICKS, (210, 231))
    assert explain(history([], [usual]), 0, STOPS) == Explained(0, 20, 180)
    assert explain(history([], [longer]), 0, STOPS) == Explained(0, 0, 200)


def test_an_interrupt_on_top_of_a_thread_counts_once() -> None:
    other = thread(ThreadKind.OTHER, (200, 300))
    tick = thread(ThreadKind.INTERRUPT, *TICKS, (210, 230))
    long = thread(ThreadKind.INTERRUPT, *TICKS, (210, 290))
    assert explain(history([other], [tick]), 0, STOPS) == Explained(80, 20, 100)
    assert explain(history([other], [long]), 0, STOPS) == Explained(20, 0, 180)
