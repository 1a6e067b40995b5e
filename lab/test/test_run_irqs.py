# SPDX-License-Identifier: MIT
"""`plafond run --irqs`: the additions of a recording to the report of a run."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from kernel_trace_fakes import (
    KERNEL,
    NET_RX,
    PREEMPTED,
    RUNNABLE,
    SLEEPS,
    TIMER,
    Fake,
    pages,
    stats,
)
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # type: ignore[import-untyped]
    Trace as PerfettoTrace,
)
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent
from report_fakes import simulated, system_of
from rich.console import Console
from run_options import OPTIONS

from plafond.errors import PlafondError
from plafond.kernel_trace.model import ThreadKind
from plafond.report.gantt import make_gantt
from plafond.report.page_data import page_data, timeline_end_ns
from plafond.report.rows import State, Stretch
from plafond.report.terminal import print_execution
from plafond.report.threads import MOST_OTHERS, left_out, shown_threads
from plafond.report.write import write_report
from plafond.run import execution, linux
from plafond.run.execution import execute
from plafond.run.job import Job, Outcome
from plafond.run.linux import run_here
from plafond.run.model import Execution, RunReport
from plafond.run.options import Options
from plafond.trace.model import Trace

US = 1_000
ZERO_NS = 7_000_000_123
HIGH, LOW, INTERRUPT = 100, 101, 24
TEXT = """
name = "Beside interrupts"
[task.high]
priority = 30
arrival = "periodic 10ms"
activations = 3
body = ["run 1ms"]
[task.low]
priority = 10
arrival = "periodic 10ms"
body = ["run 2ms"]
"""
THREADS = f"{INTERRUPT}\t24\tirq\tFIFO\t50\t24\tirq/24-virtio1-input\n"
BESIDE = 20  # number of other threads


def softirq(event: str, inside: int) -> bytes:
    return KERNEL.record(f"softirq_{event}", inside, NET_RX)


def activation(at_us: int) -> Iterator[tuple[int, bytes]]:
    """Yield an interrupt that delays `high` for 200 us: 100 us of them in its softirq, 10 us in its
    handler."""
    entry = KERNEL.record("irq_handler_entry", INTERRUPT, 24, "virtio1-input")
    leave = KERNEL.record("irq_handler_exit", INTERRUPT, 24, 1)
    for after_us, data in (
        (-5, KERNEL.wake_up(INTERRUPT, priority=49)),
        (0, KERNEL.switch(0, RUNNABLE, INTERRUPT)),
        (0, KERNEL.wake_up(HIGH, priority=69)),
        (20, entry),
        (30, leave),
        (40, softirq("raise", INTERRUPT)),
        (50, softirq("entry", INTERRUPT)),
        (150, softirq("exit", INTERRUPT)),
        (200, KERNEL.switch(INTERRUPT, SLEEPS, HIGH)),
        (1000, KERNEL.switch(HIGH, SLEEPS, LOW)),
        (3000, KERNEL.switch(LOW, SLEEPS, 0)),
    ):
        yield ZERO_NS + (at_us + after_us) * US, data


def recording(lost: int = 0, others: int = 0) -> bytes:
    events = [(ZERO_NS - 9 * US, KERNEL.switch(LOW, SLEEPS, 0))]
    events += [each for at_us in (0, 10_000, 20_000) for each in activation(at_us)]
    for number in range(others):
        at_ns = ZERO_NS + (5_000 + 10 * number) * US
        events.append((at_ns, KERNEL.wake_up(500 + number, is_new=True)))
        events.append((at_ns + US, KERNEL.switch(0, RUNNABLE, 500 + number)))
        events.append((at_ns + (2 + number % 7) * US, KERNEL.switch(500 + number, PREEMPTED, 0)))
    events.sort(key=lambda each: each[0])
    return Fake([pages(events)], threads=THREADS, stats=[stats(overrun=lost)]).content()


def trace() -> Trace:
    made = simulated(TEXT, ["none"]).traces["none"]
    threads = {"high": HIGH, "low": LOW}
    tasks = [task.model_copy(update={"thread": threads[task.name]}) for task in made.tasks]
    return made.model_copy(update={"zero_ns": ZERO_NS, "tasks": tasks})


def executed(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> Execution:
    run, failure = executed_with(monkeypatch, outcome)
    assert failure is None
    return run


def executed_with(
    monkeypatch: pytest.MonkeyPatch, outcome: Outcome
) -> tuple[Execution, BaseException | None]:
    def run_jobs(jobs: Sequence[Job], _: Options) -> Iterator[Outcome]:
        assert [job.is_recorded for job in jobs] == [True]
        yield outcome

    monkeypatch.setattr(execution, "run_jobs", run_jobs)
    options = replace(OPTIONS, protocols=["none"], irqs=True)
    return execute(system_of(TEXT), options)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Execution:
    return executed(monkeypatch, Outcome(trace(), None, recording()))


def test_threads_are_measured_from_time_0(run: Execution) -> None:
    rows = {row.thread: row for row in run.report.threads}
    assert [(row.thread, row.kind) for row in run.report.threads] == [
        ("irq/24-virtio1-input", ThreadKind.INTERRUPT),
        ("NET_RX in irq/24-virtio1-input", ThreadKind.SOFTIRQ),
        ("low", ThreadKind.TASK),
        ("high", ThreadKind.TASK),
    ]
    # The first wake-up was before time 0.
    interrupt = rows["irq/24-virtio1-input"]
    assert interrupt.execution
    assert (interrupt.execution.samples, interrupt.execution.most_ns) == (2, 200 * US)
    assert interrupt.response
    assert interrupt.response.counts == [(210 * US, 2)]
    assert rows["high"].execution
    assert rows["high"].execution.samples == 3
    assert run.report.lost_events == {"none": 0}
    assert "none: the recording lost 0 events" in run.report.notes


def test_the_worst_activation_is_shared_out(run: Execution) -> None:
    worst = next(each for each in run.report.worst_parts if each.task == "high")
    response = next(row.response for row in run.report.rows if row.task == "high")
    assert response
    assert {part.thread: part.time_ns for part in worst.parts} == {
        "high": 800 * US,
        "NET_RX in irq/24-virtio1-input": 100 * US,
        "irq/24-virtio1-input": 90 * US,
        "interrupt 24 (virtio1-input)": 10 * US,
        "low": response.maximum_ns - 1000 * US,
    }
    times = [part.time_ns for part in worst.parts]
    assert times == sorted(times, reverse=True)


def test_the_data_has_the_threads_and_only_with_a_recording(run: Execution) -> None:
    read = RunReport.model_validate_json(run.report.model_dump_json())
    assert read.threads == run.report.threads
    plain = simulated(TEXT, ["none"]).report.model_dump_json()
    assert not any(f'"{name}"' in plain for name in ("threads", "worst_parts", "lost_events"))


def test_the_report_shows_threads_everywhere(run: Execution, tmp_path: Path) -> None:
    page = write_report(run, tmp_path).read_text()
    assert (tmp_path / "none.recording").read_bytes() == recording()
    assert '<details id="threads">' in page
    assert "NET_RX in irq/24-virtio1-input, under none" in page
    assert "2 samples" in page
    assert "thread that is no task runs" in page  # in the legend of the picture
    assert 'href="none.recording"' in page
    plain = write_report(simulated(TEXT, ["none"]), tmp_path).read_text()
    assert 'id="threads"' not in plain
    assert ".recording" not in plain


def test_the_terminal_shows_the_tables(run: Execution) -> None:
    console = Console(file=StringIO(), width=120)
    print_execution(run, console)
    assert isinstance(console.file, StringIO)
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]
    for line in (
        "Threads: execution",
        "irq/24-virtio1-input none FIFO 50 0 2 200us 0ns 200us 200us",
        "Threads: inter-arrival",
        "high none FIFO 30 0 2 10ms 0ns 10ms 10ms -",
        "The worst activation of high: what had its CPU",
        "NET_RX in irq/24-virtio1-input 100us 9.8%",
    ):
        assert line in lines


def test_the_chart_has_a_row_for_each_thread_of_the_window(run: Execution) -> None:
    rows = {row.task: row for row in make_gantt(run).charts[0].rows}
    assert list(rows) == ["high", "low", "hard interrupts", "irq/24-virtio1-input"]
    assert rows["hard interrupts"].stretches == (Stretch(20 * US, 30 * US, State.INTERRUPT),)
    assert rows["irq/24-virtio1-input"].stretches == (
        Stretch(0, 50 * US, State.THREAD),
        Stretch(50 * US, 150 * US, State.SOFTIRQ),
        Stretch(150 * US, 200 * US, State.THREAD),
    )


def test_the_time_line_of_the_page_has_a_row_for_each_thread(run: Execution) -> None:
    """Threads come after the tasks, because activations are chosen by task."""
    data = json.loads(page_data(run, make_gantt(run)))
    names = [each["name"] for each in data["tasks"]]
    assert names == ["high", "low", "hard interrupts", "irq/24-virtio1-input"]
    assert all(each["cpu"] == 0 for each in data["tasks"])
    paints = len(data["resources"]) + 1
    thread, softirq, interrupt = (
        data["states"].index(name) * paints for name in ("thread", "softirq", "interrupt")
    )
    rows = [each["stretches"] for each in data["runs"][0]["tasks"]]
    assert rows[2][:6] == [20 * US, 10 * US, interrupt, 9_990 * US, 10 * US, interrupt]
    assert rows[3][:9] == [
        *(0, 50 * US, thread),
        *(0, 100 * US, softirq),
        *(0, 50 * US, thread),
    ]
    plain = simulated(TEXT, ["none"])
    without = json.loads(page_data(plain, make_gantt(plain)))
    assert [each["name"] for each in without["tasks"]] == ["high", "low"]


def test_the_time_line_ends_where_threads_are_too_many(
    run: Execution, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page has only so many stretches, and stretches of threads count."""
    monkeypatch.setattr("plafond.report.page_data.MOST_EVENTS", 12)
    end_ns = timeline_end_ns(run)
    assert end_ns is not None
    assert 200 * US < end_ns < 10_200 * US


def test_what_ran_little_is_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    run = executed(monkeypatch, Outcome(trace(), None, recording(others=BESIDE)))
    assert len(run.report.threads) == BESIDE + 4
    assert len(shown_threads(run)) == MOST_OTHERS + 4
    said = f"left out: {BESIDE - MOST_OTHERS} of {BESIDE + 4} names, which ran less"
    assert left_out(run).startswith(said)


def test_perfetto_has_a_track_for_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A handler runs on both CPUs at once, but slices of a track may not overlap."""
    other = [
        (ZERO_NS + at_us * US, KERNEL.record(f"softirq_{event}", 0, TIMER))
        for at_us, event in ((0, "raise"), (100, "entry"), (900, "exit"))
    ]
    fake = Fake([pages(other), pages([(at + 10, data) for at, data in other])])
    run = executed(monkeypatch, Outcome(trace(), None, fake.content()))
    write_report(run, tmp_path)
    parsed = PerfettoTrace()
    parsed.ParseFromString((tmp_path / "none.perfetto-trace").read_bytes())
    tracks = {
        packet.track_descriptor.uuid: packet.track_descriptor.name
        for packet in parsed.packet
        if packet.HasField("track_descriptor")
    }
    begun = [
        (packet.timestamp, tracks[packet.track_event.track_uuid])
        for packet in parsed.packet
        if packet.HasField("track_event")
        and packet.track_event.type == TrackEvent.TYPE_SLICE_BEGIN
        and "TIMER" in tracks[packet.track_event.track_uuid]
    ]
    assert begun == [
        (100 * US, "CPU 0: TIMER in other threads"),
        (100 * US + 10, "CPU 1: TIMER in other threads"),
    ]


def test_lost_events_are_counted_in_the_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    run = executed(monkeypatch, Outcome(trace(), None, recording(lost=3)))
    assert run.report.lost_events == {"none": 3}
    assert any("lost 3 events; no activation across" in note for note in run.report.notes)
    assert all(row.execution is None for row in run.report.threads)


def test_a_task_that_the_recording_does_not_know_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    strange = trace()
    strange.tasks[1].thread = 9999
    run = executed(monkeypatch, Outcome(strange, None, recording()))
    assert any("has no thread of low: a container" in note for note in run.report.notes)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (recording()[:-9], "the recording under none: cut at byte"),
        (None, "the recording under none: not a recording: it begins with b''"),
    ],
)
def test_what_is_wrong_with_a_recording_is_said_beside_the_report(
    monkeypatch: pytest.MonkeyPatch, content: bytes | None, message: str
) -> None:
    run, failure = executed_with(monkeypatch, Outcome(trace(), None, content))
    assert isinstance(failure, PlafondError)
    assert str(failure).startswith(message)
    assert run.report.threads == []
    assert [row.task for row in run.report.rows] == ["high", "low"]
    # If the run was interrupted, the interrupt is reported first.
    stopped = executed_with(monkeypatch, Outcome(trace(), KeyboardInterrupt(), content))[1]
    assert isinstance(stopped, KeyboardInterrupt)


def test_on_this_machine_the_plan_runs_inside_the_recorder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands: list[list[str]] = []

    def run_program(command: Sequence[str | Path], *_: object) -> str:
        commands.append(list(map(str, command)))
        Path(command[-1]).write_text(trace().model_dump_json())
        if command[0] == "linux/interrupts/plafond-record":
            Path(command[1]).write_bytes(b"recorded")
        return ""

    monkeypatch.setattr(linux, "run_program", run_program)
    monkeypatch.setattr(linux, "find_program", Path)
    job = Job("none", "a plan", 1, 1)
    outcomes = list(run_here([job, replace(job, is_recorded=True)], tmp_path))
    assert [each.recording for each in outcomes] == [None, b"recorded"]
    assert [Path(command[0]).name for command in commands] == ["plafond-run", "plafond-record"]
    assert commands[1][2:4] == ["--", "linux/run/plafond-run"]
