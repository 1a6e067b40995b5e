# SPDX-License-Identifier: MIT
"""Sentences and lines of a report with given figures: two of everything, and exact equality."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from report_fakes import damaged, execution_of, served, shared, small, system_of

from plafond.kernel_trace.history import History, OnCpu, Thread
from plafond.kernel_trace.model import Distribution, ThreadKind, ThreadMeasures
from plafond.kernel_trace.parts import Part, Parts
from plafond.report.alarm import alarm_lines
from plafond.report.alike import names_of
from plafond.report.cells import time_tables
from plafond.report.conditions import condition_rows
from plafond.report.gantt import Chart, Worst
from plafond.report.gantt_words import sentence
from plafond.report.headline import headline
from plafond.report.histograms import Histogram, Measure, Strip, clip_words
from plafond.report.rows import Row, State, Stretch
from plafond.report.sharing import sharing_tables
from plafond.report.tail import make_tail
from plafond.report.thread_rows import thread_rows
from plafond.report.threads import thread_tables
from plafond.run.model import Execution
from plafond.trace.excess import Excess
from plafond.trace.measures import Measures, Spread
from plafond.trace.model import Event, Kind, Trace
from plafond.trace.sharing import KeptOut, Times
from plafond.trace.verdicts import Verdict

PROTOCOLS = ("none", "inherit", "protect", "plafond")
SYSTEM = """
name = "Made"
[task.T]
priority = 1
arrival = "periodic 1us"
body = ["run 1ns"]"""


def spread(maximum_ns: int) -> Spread:
    return Spread(average_ns=maximum_ns, deviation_ns=0, maximum_ns=maximum_ns)


def row(task: str, protocol: str, response_ns: int | None, **changes: Any) -> Measures:
    """Return a row without deadline and bound unless these are given. None: no activation
    finished."""
    quiet = None if response_ns is None else spread(response_ns)
    none = dict.fromkeys(("deadline_ns", "verdict", "no_bound_yet", "excess"))
    figures = {
        **none,
        "activations": 0 if response_ns is None else 5,
        "deadline_misses": 0,
        "response": quiet,
        "response_without_stops": quiet,
        "response_bound_ns": None,
        "response_bound_with_overheads_ns": None,
    }
    (first, *_) = small().report.rows
    return first.model_copy(update={"task": task, "protocol": protocol, **figures, **changes})


def reported(rows: Sequence[Measures]) -> Execution:
    run = small()
    return replace(run, report=run.report.model_copy(update={"rows": list(rows)}))


def bounded(task: str, protocol: str, response_ns: int, bound_ns: int, **changes: Any) -> Measures:
    kept = {"response_bound_with_overheads_ns": bound_ns, "verdict": Verdict.KEPT}
    return row(task, protocol, response_ns, **(kept | changes))


# ---- The headline --------------------------------------------------------------------


def test_four_tasks_that_are_late_under_all_protocols() -> None:
    late = [
        row(task, protocol, 20, deadline_ns=10, deadline_misses=1 + count)
        for task in "abcd"
        for count, protocol in enumerate(PROTOCOLS)
    ]
    missed = "none (1 of 5), inherit (2 of 5), protect (3 of 5) and plafond (4 of 5)."
    assert headline(reported(late))[:-1] == [
        *(f"{task} missed its deadline of 10ns under {missed}" for task in "abc"),
        "So did d: the first table has their misses.",
    ]


def test_where_nothing_finished_no_deadline_is_denied() -> None:
    rows = [row("a", "none", None, deadline_ns=10), row("b", "none", 5)]
    assert headline(reported(rows))[0] == "No task with a deadline has finished an activation."
    assert headline(reported(rows[1:]))[0] == "No task has a deadline."
    assert headline(damaged())[0] != "No task has a deadline."


def test_a_task_that_finished_nothing_kept_no_deadline() -> None:
    rows = [
        row(task, protocol, finished, deadline_ns=10)
        for task, finished in (("a", 5), ("b", None), ("c", 5))
        for protocol in PROTOCOLS
    ]
    assert headline(reported(rows))[:2] == [
        "Every activation that ended kept its deadline under all 4 protocols.",
        "b has finished no activation under all 4 protocols.",
    ]
    rows[0] = row("a", PROTOCOLS[0], None, deadline_ns=10)
    assert headline(reported(rows))[1] == f"a has finished no activation under {PROTOCOLS[0]}."
    rows[-1] = row("c", PROTOCOLS[-1], 20, deadline_ns=10, deadline_misses=1)
    assert headline(reported(rows))[2].startswith("c missed its deadline of 10ns")


def test_one_task_whose_bounds_two_runs_left_unjudged() -> None:
    rows = [
        *(bounded("a", each, 9, 8, verdict=Verdict.NOT_JUDGED) for each in PROTOCOLS[:2]),
        bounded("b", "none", 5, 10),
    ]
    assert headline(reported(rows))[1:] == [
        "Bounds of a under none and inherit were not judged: the machine took too much.",
        "Every other bound was kept; the closest is b under none: 5ns of 10ns, kept, 50.0% of the "
        "bound left.",
    ]


def test_tasks_without_a_bound_yet_stand_by_their_reasons() -> None:
    rows = [
        row(task, "none", 5, no_bound_yet=why)
        for task, why in (("a", "one"), ("b", "other"), ("c", "one"))
    ]
    assert headline(reported(rows))[1:3] == [
        "a and c have no bound yet: one.",
        "b has no bound yet: other.",
    ]


def test_two_tasks_longer_than_bounds_without_overheads() -> None:
    longer = {"response_bound_ns": 4, "response_bound_with_overheads_ns": None, "verdict": None}
    rows = [bounded(task, "none", 5, 4, **longer) for task in "ab"]
    assert headline(reported(rows))[1] == (
        "a and b took longer than their bounds without overheads; with overheads none is known."
    )


def test_of_equal_margins_only_protocols_of_the_first_task_are_named() -> None:
    rows = [
        bounded(*each, 6, 8)
        for each in (("a", "none"), ("b", "inherit"), ("a", "protect"), ("b", "plafond"))
    ]
    assert "the closest is a under none and protect: " in headline(reported(rows))[1]


def test_a_bound_kept_by_activations_that_were_all_stopped_is_known() -> None:
    stopped = bounded("a", "none", 5, 10, response_without_stops=None)
    assert headline(reported([stopped]))[1:] == [
        "Every bound was kept, though the machine stopped each activation."
    ]
    withheld = bounded("b", "none", 9, 8, verdict=Verdict.NOT_JUDGED)
    assert headline(reported([stopped, withheld]))[1:] == [
        "The bound of b under none was not judged: the machine took too much."
    ]


def excess(response_ns: int, **parts: int) -> Excess:
    fields = ("run_steps_ns", "locks_ns", "switches_ns", "interrupts_ns", "host_ns", "rest_ns")
    return Excess(
        activation=3,
        response_ns=response_ns,
        bound_ns=100,
        window_ns=400,
        described_ns=300,
        **dict.fromkeys(fields, 0) | parts,
    )


def test_each_of_two_excesses_is_reported_with_its_parts() -> None:
    exceeded = [
        bounded("a", "none", 150, 100, verdict=Verdict.EXCEEDED, excess=excess(150, locks_ns=7)),
        bounded("b", "none", 250, 100, verdict=Verdict.EXCEEDED, excess=excess(250)),
    ]
    run = reported(exceeded)
    assert headline(run)[1:] == [
        "The bound of a under none was EXCEEDED, by 50.0%.",
        "The bound of b under none was EXCEEDED, by 150.0%.",
    ]
    assert alarm_lines(run) == [
        f"EXCEEDED: {task} under none: activation 3 took {took}ns, {more}ns more than its bound "
        "with overheads of 100ns. Of the 400ns since its level had no work, 300ns are run steps "
        f"as described; the rest: {rest}"
        for task, took, more, rest in (("a", 150, 50, "7ns locks"), ("b", 250, 150, "0ns"))
    ]


@pytest.mark.parametrize(
    ("protocols", "count", "words"),
    [
        (("a",), 1, "a"),
        (("a", "b"), 2, "both protocols"),
        (("a", "b"), 3, "a and b"),
        (("a", "b", "c"), 3, "all 3 protocols"),
    ],
)
def test_all_protocols_have_one_name(protocols: Sequence[str], count: int, words: str) -> None:
    assert names_of(protocols, count) == words


# ---- Charts --------------------------------------------------------------------------


def chart(response_ns: int, finished: int = 1, stopped: int = 0, **changes: Any) -> Chart:
    worst = Worst(0, 0, response_ns, finished, stopped, longest_ns=99)
    made = Chart(("p",), "p", "T", worst, None, "no bound", None, None, (0, 100), None, ())
    return replace(made, **changes)


def test_a_response_equal_to_its_deadline_and_bound_keeps_both() -> None:
    limits = {"bound_ns": 10, "deadline_ns": 10}
    kept = chart(10, verdict=Verdict.KEPT, **limits)
    assert sentence(kept) == "only response 10ns, within its bound of 10ns; deadline 10ns"
    for verdict, words in (
        (Verdict.EXCEEDED, "EXCEEDS its bound of 10ns by 1ns"),
        (Verdict.NOT_JUDGED, "exceeds its bound of 10ns by 1ns, not judged"),
        (None, "exceeds its bound of 10ns without overheads by 1ns, no verdict"),
    ):
        said = f"only response 11ns, {words}; deadline 10ns MISSED"
        assert sentence(chart(11, verdict=verdict, **limits)) == said


@pytest.mark.parametrize(
    ("stopped", "which", "left_out"),
    [
        (0, "worst of 3 responses", ""),
        (1, "worst of 2 responses", " (without 1 stopped, longest 99ns)"),
        (2, "only response", " (without 2 stopped, longest 99ns)"),
        (3, "worst of 3 responses", " (all stopped)"),
    ],
)
def test_responses_are_counted_without_stopped_activations(
    stopped: int, which: str, left_out: str
) -> None:
    said = f"{which} 10ns, no bound; no deadline{left_out}"
    assert sentence(chart(10, finished=3, stopped=stopped)) == said


# ---- Conditions ----------------------------------------------------------------------


def conditions(run: Execution, **changes: Any) -> dict[str, str]:
    report = run.report
    changed = report.conditions.model_copy(update=changes)
    run = replace(run, report=report.model_copy(update={"conditions": changed}))
    return dict(condition_rows(run))


@pytest.mark.parametrize(
    ("limit_us", "words"),
    [
        ((999_999, 1_000_000), "limited to 1s in each 1s"),
        ((1_000_000, 1_000_000), "not limited"),
        ((-1, 1_000_000), "not limited"),
        ((0, 1_000_000), "limited to 0ns in each 1s"),
        ((None, 1_000_000), "not known"),
    ],
)
def test_a_limit_of_a_whole_period_is_none(limit_us: tuple[int, int], words: str) -> None:
    assert conditions(small(), priority_limit_us=limit_us)["SCHED_FIFO"] == words


def test_page_faults_of_all_tasks_and_kinds_are_counted_for_each_run() -> None:
    run = small()
    faults = {"minor_faults": 2, "major_faults": 3}
    trace = run.traces["none"]
    tasks = [*(task.model_copy(update=faults) for task in trace.tasks[:2]), trace.tasks[2]]
    traces = {**run.traces, "none": trace.model_copy(update={"tasks": tasks})}
    words = conditions(replace(run, traces=traces))["page faults"]
    assert words == "none 10, inherit 0, protect 0, plafond 0"
    assert conditions(run)["page faults"] == "0"


def test_time_of_the_host_is_that_of_all_cpus_that_know_it() -> None:
    (cpu, *_) = small().report.conditions.cpus["none"]
    cpus = [cpu.model_copy(update={"steal_ns": each}) for each in (5, None, 7)]
    words = conditions(small(), cpus={"none": cpus[:2], "inherit": cpus[2:]})
    assert words["taken by the host, as it says"] == "12ns"


def test_a_task_of_a_server_has_its_priority_in_the_heading() -> None:
    assert time_tables(served())[0].caption.startswith("priority ")


# ---- Histograms and tails ------------------------------------------------------------


def strip(protocol: str, unstopped_ns: int, stopped_ns: int) -> Strip:
    return Strip(protocol, (unstopped_ns, stopped_ns), (unstopped_ns,), None, None, cut=False)


def test_a_histogram_ends_at_a_value_that_is_as_near_as_can_be() -> None:
    near = Histogram("T", Measure.LATENCY, None, (strip("none", 100, 135),))
    assert (near.end_ns, near.beyond(near.strips[0]), clip_words(near)) == (135, 0, "")
    far = replace(near, strips=(strip("none", 100, 136), strip("inherit", 90, 500)))
    assert [far.beyond(each) for each in far.strips] == [1, 1]
    assert "(none: 1 of 2, the longest 136ns; inherit: 1 of 2, the longest 500ns)" in (
        clip_words(far)
    )


def made(*responses_ns: int) -> Execution:
    """Return a run whose activations begin when they arrive and take these times."""
    system = system_of(SYSTEM)
    kinds = [(Kind.START, 0), (Kind.END, 1)]
    events = [
        Event(1_000 * index + is_end * response_ns, kind, index, None)
        for index, response_ns in enumerate(responses_ns)
        for kind, is_end in kinds
    ]
    arrivals_ns = [1_000 * index for index in range(len(responses_ns))]
    (task, *_) = small().traces["none"].tasks
    changed = {"name": "T", "arrivals_ns": arrivals_ns, "events": events}
    trace: Trace = (
        small()
        .traces["none"]
        .model_copy(update={"tasks": [task.model_copy(update=changed)], "resources": []})
    )
    return execution_of(system, {"none": trace})


def test_a_tail_has_no_more_times_than_asked_for() -> None:
    tail = make_tail(made(10, 4, 4), Measure.RESPONSE, 10)
    assert tail.times_ns == (0, 2, 4, 6, 8, 10)
    assert tail.counts == {"none": (3, 3, 3, 1, 1, 1)}
    assert len(make_tail(made(9), Measure.RESPONSE, 10).times_ns) == 10


# ---- Servers that share --------------------------------------------------------------


def test_protocols_that_differ_have_their_lines_and_two_holders_theirs() -> None:
    run = shared()
    rows = [each for each in run.report.sharing if each.server == "video"]
    times = Times(count=2, longest_ns=3, total_ns=5)
    holders = [KeptOut(holder=name, **times.model_dump()) for name in ("x", "y")]
    one, other = (
        each.model_copy(update={"kept_out": kept_out, "paybacks": paybacks})
        for each, kept_out, paybacks in zip(
            rows, (holders, []), (times, rows[1].paybacks), strict=True
        )
    )
    third = one.model_copy(update={"protocol": "third"})
    run = replace(run, report=run.report.model_copy(update={"sharing": [one, other, third]}))
    policies, kept_out = sharing_tables(run)
    assert kept_out.lines == [
        ("video", "syscall", "x", "2", "3ns", "5ns"),
        ("", "syscall", "y", "2", "3ns", "5ns"),
        ("", "uprio-nprio", "-", "0", "-", "-"),
        ("", "third", "x", "2", "3ns", "5ns"),
        ("", "third", "y", "2", "3ns", "5ns"),
    ]
    assert policies.lines == [
        ("video", "syscall", "overrun-payback", "1", "5us", "5us", "2", "5ns", "-", "-"),
        ("", "uprio-nprio", "overrun-payback", "1", "5us", "5us", "1", "5us", "-", "-"),
        ("", "third", "overrun-payback", "1", "5us", "5us", "2", "5ns", "-", "-"),
    ]


def test_a_skip_is_reported_with_its_longest_wait() -> None:
    run = shared()
    times = Times(count=2, longest_ns=3, total_ns=5)
    rows = [each for each in run.report.sharing if each.server == "urgent"]
    skipped = [each.model_copy(update={"skips": times}) for each in rows]
    run = replace(run, report=run.report.model_copy(update={"sharing": skipped}))
    policies, _ = sharing_tables(run)
    assert [line[-2:] for line in policies.lines] == [("2", "3ns")]


# ---- Threads of the kernel -----------------------------------------------------------


def thread(name: str, *on_cpu: tuple[int, int, int], inside: str | None = None) -> Thread:
    spans = [OnCpu(*each) for each in on_cpu]
    return Thread(name, ThreadKind.OTHER, inside=inside, on_cpu=spans)


def in_rows(history: History, most: int) -> Iterator[tuple[str, tuple[Stretch, ...]]]:
    return ((row.task, row.stretches) for row in thread_rows(history, 1, (10, 20), most))


def test_threads_of_a_cpu_beyond_the_first_few_share_a_row() -> None:
    """Time that ends with the window's begin, or begins with its end, is outside."""
    threads = [
        thread("long", (5, 14, 1)),
        thread("short", (14, 15, 1)),
        thread("middle", (18, 30, 1)),
        thread("before", (0, 10, 1)),
        thread("behind", (20, 30, 1)),
        thread("elsewhere", (10, 20, 0)),
    ]
    softirqs = [
        thread("NET_RX in long", (11, 12, 1), inside="long"),
        thread("NET_RX in short", (14, 15, 1), inside="short"),
    ]
    rows = dict(in_rows(History(threads, softirqs, [], 0, 0), 2))
    assert rows == {
        "softirqs": (Stretch(14, 15, State.SOFTIRQ),),
        "long": (
            Stretch(10, 11, State.THREAD),
            Stretch(11, 12, State.SOFTIRQ),
            Stretch(12, 14, State.THREAD),
        ),
        "middle": (Stretch(18, 20, State.THREAD),),
        "more threads": (Stretch(14, 15, State.THREAD),),
    }
    names = [name for name, _ in in_rows(History(threads, softirqs, [], 0, 0), 9)]
    assert names == ["long", "middle", "short"]


def measured(name: str, protocol: str, kind: ThreadKind) -> ThreadMeasures:
    once = Distribution(
        samples=1, average_ns=1, deviation_ns=0, least_ns=1, most_ns=1, counts=[(1, 1)]
    )
    return ThreadMeasures(
        protocol=protocol,
        thread=name,
        kind=kind,
        irq=None,
        policy="FIFO",
        priority=5,
        cpus=[0],
        execution=once,
        inter_arrival=None,
        response=None,
        period_ns=None,
    )


def test_each_thread_and_protocol_is_named_in_its_first_line() -> None:
    run = small()
    parts = [Part(thread="x", kind=None, time_ns=3), Part(thread="y", kind=None, time_ns=1)]
    worst = [
        Parts(protocol=protocol, task=task, activation=0, parts=parts)
        for protocol in ("none", "inherit")
        for task in ("low", "high")
    ]
    kinds = {"a": ThreadKind.TASK, "b": ThreadKind.OTHER}
    threads = [
        measured(*each, kinds[each[0]])
        for each in zip("aabb", ("none", "inherit") * 2, strict=True)
    ]
    changed = {"threads": threads, "worst_parts": worst}
    run = replace(run, report=run.report.model_copy(update=changed))
    execution, _, _, of_worst = thread_tables(run)
    assert [line[:2] for line in execution.lines] == [
        *(("a", "none"), ("", "inherit")),
        *(("b", "none"), ("", "inherit")),
    ]
    assert of_worst.lines == [
        *(("none", "x", "3ns", "75.0%"), ("", "y", "1ns", "25.0%")),
        *(("inherit", "x", "3ns", "75.0%"), ("", "y", "1ns", "25.0%")),
    ]


def test_labels_of_rows_name_servers_and_cpus() -> None:
    band = Row("S", (), (), (), (), is_server=True)
    assert (band.label, replace(band, cpu=1).label) == ("server S", "CPU 1: server S")
