# SPDX-License-Identifier: MIT
"""Resources of several servers: from the lines of a trace to every report."""

import io
import json
import re

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # type: ignore[import-untyped]
    Trace as PerfettoTrace,
)
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent
from report_fakes import SHARED, SHARED_ARRIVALS, SHARED_CONSOLE, served, shared, system_of
from rich.console import Console

from plafond.board.console import parse_console
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.describe.server import Sharing
from plafond.errors import PlafondError
from plafond.report.gantt import make_gantt
from plafond.report.gantt_picture import draw_gantt
from plafond.report.gantt_terminal import print_gantt
from plafond.report.html import make_page
from plafond.report.perfetto import perfetto_trace
from plafond.report.rows import OF_SHARING, Row, State, Stretch
from plafond.report.terminal import print_execution
from plafond.report.waiting import split_ready
from plafond.run.model import Execution
from plafond.trace.activations import activations
from plafond.trace.model import Kind, ServerEvent, ServerEventKind, ServerTrace, Trace, parse_trace
from plafond.trace.served import overrun_spans
from plafond.trace.sharing import KeptOut, Times, measure_sharing

BEGIN, END = TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_SLICE_END
INSTANT = TrackEvent.TYPE_INSTANT
NONE = Times(count=0, longest_ns=0, total_ns=0)


def once(time_ns: int) -> Times:
    return Times(count=1, longest_ns=time_ns, total_ns=time_ns)


def trace(console: str = SHARED_CONSOLE, text: str = SHARED) -> Trace:
    recording = Recording(system_of(text), SHARED_ARRIVALS)
    return trace_of(parse_console(console), recording, "uprio-nprio")


def printed(execution: Execution) -> str:
    text = io.StringIO()
    print_execution(execution, Console(file=text, width=110, highlight=False))
    return text.getvalue()


# ---- Traces ------------------------------------------------------------------------


def test_a_task_that_skips_is_not_ready_until_its_server_is_replenished() -> None:
    (activation,) = activations(trace().tasks[0])
    assert activation.budget_waits == [(37_000, 50_000)]
    assert activation.waits == [(37_000, 50_000, 0)]
    assert activation.running() == [(25_000, 37_000), (50_000, 60_000)]
    assert activation.able() == [(22_000, 37_000), (50_000, 60_000)]


def test_from_then_on_it_is_without_the_processor() -> None:
    """Its server has budget, but another server has the processor."""
    late = SHARED_CONSOLE.replace("server 50000 get", "server 52000 get")
    late = late.replace("event 50000 resume", "event 52000 resume").replace(
        "50000 grant", "52000 grant"
    )
    (activation,) = activations(trace(late).tasks[0])
    assert activation.budget_waits == [(37_000, 50_000)]
    assert activation.suspensions == [(50_000, 52_000)]


def test_its_request_comes_before_it_and_the_grant_behind() -> None:
    kinds = [event.kind for event in trace().tasks[0].events]
    begin = kinds.index(Kind.REQUEST)
    assert kinds[begin : begin + 6] == [
        *(Kind.REQUEST, Kind.AWAIT, Kind.AFFORD, Kind.SUSPEND, Kind.RESUME, Kind.GRANT)
    ]


def test_a_task_granted_at_the_instant_at_which_it_skips_waits_no_time() -> None:
    """Its server is replenished immediately afterwards."""
    at_once = SHARED_CONSOLE.replace("50000 resume", "37000 resume").replace(
        "server 50000 replenish", "server 37000 replenish"
    )
    (activation,) = activations(trace(at_once).tasks[0])
    assert activation.budget_waits == [(37_000, 37_000)]


@pytest.mark.parametrize(("replenished", "until_ns"), [(True, 50_000), (False, None)])
def test_a_run_that_is_cut_while_a_task_waits(replenished: bool, until_ns: int | None) -> None:
    head = SHARED_CONSOLE[: SHARED_CONSOLE.index("server 50000 get")]
    lines = head if replenished else head.replace("server 50000 replenish urgent\n", "")
    found = trace(f"{lines}note 37000 request t1 R\nend limit\n")
    times = [event.time_ns for event in found.tasks[0].events if event.kind is Kind.AFFORD]
    assert times == ([until_ns] if until_ns else [])
    (row, _) = measure_sharing(system_of(SHARED), found)
    assert row.skips == (once(13_000) if until_ns else NONE)


def test_events_of_servers_that_share_are_theirs() -> None:
    urgent, video = trace().servers
    assert urgent.events[1:3] == [(22_000, "keep-out"), (25_000, "get")]
    assert [event.kind for event in video.events] == [
        *("replenish", "get", "overrun", "deplete", "lose", "replenish", "payback", "get")
    ]


def test_a_trace_of_them_can_be_read_again() -> None:
    found = trace()
    assert parse_trace(found.model_dump_json().encode(), "trace") == found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("overrun video", "overrun urgent", "server urgent: .* 'overrun' .* is skip; expected"),
        ("payback video", "payback urgent", "server urgent: .* 'payback' .* is skip"),
        ("server 60000 payback", "server 60001 payback", "only right behind a replenish"),
        ("skip t1", "skip t2", "task t2: .* 'skip' .* is overrun-payback; expected .* skip"),
        ("server 20000 overrun video", "event 20000 overrun video", "expected a line of a trace"),
        ("event 37000 skip t1", "server 37000 skip urgent", "expected a line of a trace"),
    ],
)
def test_what_a_policy_has_not_is_reported(old: str, new: str, message: str) -> None:
    with pytest.raises(PlafondError, match=message):
        trace(SHARED_CONSOLE.replace(old, new))


def test_without_payback_nothing_is_paid_back() -> None:
    with pytest.raises(
        PlafondError, match=r"'payback' .* is overrun; expected only under overrun-"
    ):
        trace(text=SHARED.replace("overrun-payback", "overrun"))


def test_servers_that_share_nothing_keep_none_out() -> None:
    alone = SHARED.replace('global = "skip"', "").replace('global = "overrun-payback"', "")
    text = alone.replace('"lock R", ', "").replace('"unlock R", ', "")
    console = re.sub("(note|server \\d+ (overrun|payback)|event \\d+ skip).*\n", "", SHARED_CONSOLE)
    with pytest.raises(PlafondError, match=r"server urgent: .* 'keep-out' .* is none"):
        trace(console, text)


# ---- Measures ---------------------------------------------------------------------------


def test_the_measures() -> None:
    urgent, video = measure_sharing(system_of(SHARED), trace())
    assert (urgent.sharing, video.sharing) == (Sharing.SKIP, Sharing.OVERRUN_PAYBACK)
    assert urgent.kept_out == [KeptOut(holder="video", count=1, longest_ns=3_000, total_ns=3_000)]
    assert video.kept_out == []
    assert (urgent.overruns, urgent.paybacks, urgent.skips) == (NONE, NONE, once(13_000))
    assert (video.overruns, video.paybacks, video.skips) == (once(5_000), once(5_000), NONE)


def test_an_overrun_is_without_the_time_of_other_servers() -> None:
    events = [(0, "get"), (5, "overrun"), (7, "lose"), (9, "get"), (12, "deplete"), (12, "lose")]
    server = ServerTrace(
        name="S", events=[ServerEvent(time, ServerEventKind(kind)) for time, kind in events]
    )
    assert overrun_spans(server, 20) == [(5, 7), (9, 12)]


def test_what_takes_no_time_does_not_count() -> None:
    """In virtual time a section can end exactly with the budget, or as another server gets
    ready."""
    console = SHARED_CONSOLE.replace("20000 overrun", "25000 overrun").replace(
        "server 22000 keep-out", "server 25000 keep-out"
    )
    urgent, video = measure_sharing(system_of(SHARED), trace(console))
    assert (urgent.kept_out, video.overruns) == ([], NONE)


# ---- Reports --------------------------------------------------------------------------------


def test_the_tables_of_the_terminal() -> None:
    text = printed(shared())
    tables = text[text.index("Resources of several servers") :].split("\n\n")[:2]
    rows = [[line.split("  ") for line in table.splitlines()[3:]] for table in tables]
    cells = [[[cell.strip() for cell in row if cell.strip()] for row in each] for each in rows]
    assert cells == [
        [
            ["urgent", "both protocols", "skip", *("-" * 5), "1", "13us"],
            ["video", "both protocols", "overrun-payback", "1", "5us", "5us", "1", "5us", "-", "-"],
        ],
        [
            ["urgent", "both protocols", "video", "1", "3us", "3us"],
            ["video", "both protocols", "-", "0", "-", "-"],
        ],
    ]


def test_the_chart_shows_skips_overruns_and_what_is_kept_out() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print_gantt(make_gantt(shared()), Console(file=file, width=79, highlight=False))
    file.seek(0)
    text = "".join(f"{line.rstrip()}\n" for line in file.read().splitlines())
    assert (
        """\
server urgent               oooo^^^^^^^^^^^^^^^^               R^^^^^^^^^^^^
           t1               ----###############wwwwwwwwwwwwwwww==== R ===###
 server video ^^^^^^^^^^^^++++++___________________________________________R^^
"""
        in text
    )
    assert "w waits for its server's next budget" in text
    assert "+ server is beyond its budget" in text
    assert "o server is kept out by a section" in text


def test_the_rows_have_them_to_the_nanosecond() -> None:
    rows = make_gantt(shared()).charts[0].rows
    urgent, t1, video, _ = (
        [(s.begin_ns, s.end_ns, s.state) for s in row.stretches] for row in rows
    )
    assert urgent[0] == (0, 3_000, State.SHUT_OUT)
    assert (15_000, 28_000, State.POSTPONED) in t1
    assert (-2_000, 3_000, State.OVERRUN) in video


def test_one_that_waits_for_a_budget_keeps_out_those_below_its_ceiling() -> None:
    """No task runs meanwhile, but the task set causes this, so they count as kept out."""
    wait = Row("low", (Stretch(5, 20, State.POSTPONED),), (), (), ())
    kept_out, below = (
        Row(name, (Stretch(8, 30, State.READY),), (), (), ()) for name in ("high", "lower")
    )
    rows = split_ready([kept_out, wait, below], [lambda _: 3, lambda _: 2, lambda _: 1])
    assert rows[0].stretches[0] == Stretch(8, 20, State.KEPT_OUT)
    assert rows[2].stretches[0] == Stretch(8, 20, State.READY)


def test_the_picture_and_the_page_have_them_in_their_legends() -> None:
    gantt = make_gantt(shared())
    picture = draw_gantt(gantt)
    page = make_page(shared(), gantt, picture)
    for state in OF_SHARING:
        assert state.value.replace("'", "&#39;") in page
        assert state.value.split("'")[0] in picture
    assert "<h3>Resources of several servers</h3>" in page
    assert ".overrun" in page


def test_only_runs_that_share_speak_of_it() -> None:
    execution = served()
    gantt = make_gantt(execution)
    page = make_page(execution, gantt, draw_gantt(gantt))
    text = printed(execution)
    for words in ("several servers", ".overrun", *(state.value for state in OF_SHARING)):
        assert words not in page
        assert words not in text
    assert "sharing" not in json.loads(execution.report.model_dump_json())
    assert len(json.loads(shared().report.model_dump_json())["sharing"]) == 4


def test_slices_of_servers_and_tasks_are_nested() -> None:
    parsed = PerfettoTrace()
    execution = shared()
    parsed.ParseFromString(perfetto_trace(execution.traces["syscall"], "name", execution.system))
    packets = list(parsed.packet)
    tracks = {p.track_descriptor.name: p.track_descriptor.uuid for p in packets}
    found = {
        name: [
            (p.timestamp, p.track_event.type, p.track_event.name)
            for p in packets
            if p.HasField("track_event") and p.track_event.track_uuid == uuid
        ]
        for name, uuid in tracks.items()
    }
    assert found["server video"] == [
        (0, INSTANT, "replenished"),
        (0, BEGIN, "has the processor"),
        (20_000, BEGIN, "beyond its budget, to end a section"),
        (25_000, END, ""),
        (25_000, INSTANT, "depleted"),
        (25_000, END, ""),
        (60_000, INSTANT, "replenished"),
        (60_000, INSTANT, "pays back what it overran"),
        (60_000, BEGIN, "has the processor"),
    ]
    assert found["server urgent"][1:4] == [
        (22_000, BEGIN, "kept out by a section of another server"),
        (25_000, END, ""),
        (25_000, BEGIN, "has the processor"),
    ]
    begin = found["t1"].index((37_000, BEGIN, "waits for R"))
    assert found["t1"][begin + 1 : begin + 6] == [
        (37_000, BEGIN, "waits for the next budget of its server"),
        (50_000, END, ""),
        (50_000, BEGIN, "without the processor"),
        (50_000, END, ""),
        (50_000, END, ""),
    ]
