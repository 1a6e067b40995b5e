# SPDX-License-Identifier: MIT
"""The bounds of tasks in servers: the supply, whether a budget is sure, and both in one table."""

import json
from itertools import product
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from plafond.analyse.analysis import analyse
from plafond.analyse.model import AnalysisReport, Verdict
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.supply import WHOLE_CPU, Late, Supply
from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.commands.analyse import analyse as command
from plafond.describe import load
from plafond.errors import ArgumentError
from plafond.protocols import Protocol

SLOTS = """
scheduler = "edf"
[server.one]
kind = "slot"
period = "20ms"
budget = "10ms"
[server.two]
kind = "slot"
period = "20ms"
budget = "10ms"
[task.t1]
server = "one"
arrival = "periodic 40ms"
body = ["run 10ms"]
[task.t2]
server = "one"
arrival = "periodic 100ms"
body = ["run 25ms"]
[task.t3]
server = "two"
arrival = "periodic 80ms"
body = ["run 16ms"]
[task.t4]
server = "two"
arrival = "periodic 200ms"
body = ["run 60ms"]
"""


def server(kind: str, period: int, budget: int, priority: int = 1, name: str = "s") -> str:
    return (
        f'[server.{name}]\nkind = "{kind}"\npriority = {priority}\nperiod = "{period}us"\n'
        f'budget = "{budget}us"\n'
    )


def task(body: str, interval: int, priority: int = 1, name: str = "t", of: str = "s") -> str:
    return (
        f'[task.{name}]\nserver = "{of}"\npriority = {priority}\nbody = [{body}]\n'
        f'arrival = "sporadic {interval}us"\n'
    )


def analysed(folder: Path, text: str, protocol: Protocol = Protocol.CEILING) -> AnalysisReport:
    file = folder / "system.toml"
    file.write_text(text)
    return analyse(load(file), [protocol])


def responses(report: AnalysisReport) -> dict[str, int | None]:
    return {row.task: row.response_bound_ns for row in report.rows}


def run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [*map(str, arguments)])


SMALL = [
    Supply(period, budget, lost, delay, later=later)
    for period in range(1, 7)
    for budget in range(1, period + 1)
    for lost, delay in product((0, period - budget, period), range(period - budget + 1))
    for later in ((), tuple(Late(q, period - budget) for q in range(1, budget)[-1:]))
    if not later or delay < period - budget
]


def comes(supply: Supply, instant: int) -> bool:
    """Whether a nanosecond of the supply comes at an instant of the window."""
    if instant < supply.lost_ns:
        return False
    delays = {0: supply.delay_ns} | dict(supply.later)
    after = [max(q for q in delays if q <= number) for number in range(supply.budget_ns)]
    begins = [number + delays[q] for number, q in enumerate(after)]
    return (instant - supply.lost_ns) % supply.period_ns in begins


def test_a_window_holds_what_comes_in_it_one_unit_after_the_other() -> None:
    for each in SMALL:
        found = [comes(each, instant) for instant in range(40)]
        assert [each.provided_ns(window) for window in range(40)] == [
            sum(found[:window]) for window in range(40)
        ]


def test_the_least_window_with_some_work() -> None:
    for each, work in product(SMALL, range(1, 15)):
        window = each.within_ns(work)
        assert each.provided_ns(window) == work
        assert each.provided_ns(window - 1) == work - 1
    assert [WHOLE_CPU.within_ns(work) for work in range(5)] == [0, 1, 2, 3, 4]
    assert {each.within_ns(0) for each in (*SMALL, Supply(6, 4, 2, 2, owed_ns=1))} == {0}


def test_the_least_window_with_all_that_arrives_in_it() -> None:
    """A search from below never skips the least window, for a supply ahead of its share or behind
    it."""
    for each, interval, fixed in product(SMALL, (7, 12), range(1, 6)):
        if interval * each.budget_ns <= 2 * each.period_ns:
            continue
        effort = Effort()
        effort.begin_row()
        window = Window([Arrivals(interval, 2)], effort, Background(supply=each))

        found = window.least_ns(fixed)

        enough = (
            length
            for length in range(1, 1_000)
            if each.provided_ns(length) >= fixed + 2 * -(-length // interval)
        )
        assert found == next(enough)


def test_what_a_period_loses_anywhere_comes_no_more() -> None:
    """The last of the budget is missing, all else comes as late, and the window begins sooner."""
    for each, taken in product(SMALL, range(3)):
        if taken >= each.budget_ns:
            continue
        found = each.without(taken)
        assert (found.budget_ns, found.lost_ns) == (each.budget_ns - taken, each.lost_ns + taken)
        for work in range(1, found.budget_ns + 1):
            later = each.within_ns(work + taken) - each.lost_ns
            assert found.within_ns(work) - found.lost_ns == later


def test_two_windows_hold_together_what_each_holds() -> None:
    worst = [each for each in SMALL if each.lost_ns >= each.period_ns - each.budget_ns]
    for each, first, second in product(worst, range(20), range(20)):
        both = each.provided_ns(first) + each.provided_ns(second)
        assert each.provided_ns(first + second) >= both


@pytest.mark.parametrize(("kind", "gap_us"), [("idling", 30), ("deferrable", 30), ("polling", 50)])
def test_each_kind_has_its_first_gap(tmp_path: Path, kind: str, gap_us: int) -> None:
    """The gap is P-Q, or P. Then 20 us come in the next period, and 10 us at once in the last."""
    report = analysed(tmp_path, server(kind, 50, 20) + task('"run 30us"', 500))

    assert report.servers[0].gap_ns == gap_us * 1_000
    assert responses(report) == {"t": (gap_us + 50 + 10) * 1_000}


def test_published_bounds_of_servers(tmp_path: Path) -> None:
    """Davis and Burns, Hierarchical Fixed Priority Pre-emptive Scheduling, RTSS 2005.

    w = L + (ceil(L/C) - 1)(T - C) + sum of ceil(max(0, w - (ceil(L/C) - 1)T)/T_X) * C_X, and
    T - C before. L is the load of the task, C and T are of its server, and X are more urgent.
    """
    urgent = server("idling", 10, 4, priority=9, name="a")
    low = urgent + server("idling", 20, 6, priority=8, name="b")

    def bound(servers: str, work: int, of: str) -> int | None:
        return responses(analysed(tmp_path, servers + task(f'"run {work}us"', 500, of=of)))["t"]

    assert bound(urgent, 1, "a") == 7_000
    assert bound(urgent, 4, "a") == 10_000
    assert bound(urgent, 5, "a") == 17_000
    assert bound(low, 6, "b") == 24_000
    assert bound(low, 7, "b") == (14 + 20 + 4 + 1) * 1_000


@pytest.mark.parametrize(("kind", "gap"), [("idling", 14), ("deferrable", 14), ("polling", 20)])
def test_a_budget_comes_between_more_urgent_budgets(tmp_path: Path, kind: str, gap: int) -> None:
    """2 of each 5 are taken from the begin on: 3 come within 5, and the fourth after two more."""
    servers = server("idling", 5, 2, priority=2, name="a") + server(kind, 20, 6)
    for work, within in ((1, 3), (3, 5), (4, 8), (6, 10), (7, 23)):
        text = servers + task(f'"run {work}us"', 500)
        assert responses(analysed(tmp_path, text))["t"] == (gap + within) * 1_000


def test_a_more_urgent_budget_that_is_kept_comes_twice(tmp_path: Path) -> None:
    """Two budgets of 2 come at once, and the third 3 after them, when 3 of 8 have come."""
    servers = server("deferrable", 5, 2, priority=2, name="a") + server("idling", 40, 8)
    for work, within in ((1, 5), (3, 7), (4, 10), (6, 12), (7, 15)):
        text = servers + task(f'"run {work}us"', 500)
        assert responses(analysed(tmp_path, text))["t"] == (32 + within) * 1_000


def test_a_slot_has_the_gap_from_its_end_to_its_start(tmp_path: Path) -> None:
    text = server("slot", 50, 20).replace("priority = 1\n", "") + task('"run 30us"', 500)

    report = analysed(tmp_path, text)

    assert (report.servers[0].gap_ns, report.servers[0].is_aligned) == (30_000, False)
    assert responses(report) == {"t": (30 + 20 + 30 + 10) * 1_000}


def test_local_blocking_and_interference_take_time_of_the_server(tmp_path: Path) -> None:
    text = (
        server("idling", 50, 20)
        + task('"run 5us", "lock R", "run 3us", "unlock R"', 200, priority=2, name="urgent")
        + task('"lock R", "run 6us", "unlock R"', 500, name="low")
        + "[resource.R]\n"
    )

    report = analysed(tmp_path, text)

    assert responses(report) == {"urgent": (30 + 8 + 6) * 1_000, "low": (30 + 6 + 8) * 1_000}
    assert [row.blocking_bound_ns for row in report.rows] == [6_000, 0]


def test_tasks_of_other_servers_do_not_count(tmp_path: Path) -> None:
    """Their priorities, their intervals and their waits do not matter."""
    two = server("idling", 50, 20, priority=2) + server("idling", 50, 20, name="other")
    other = task('"sleep 30us", "run 1us"', 60, priority=98, name="greedy", of="other")

    report = analysed(tmp_path, two + task('"run 10us"', 500) + other)

    assert responses(report)["t"] == 40_000


@pytest.mark.parametrize(
    ("kind", "verdict"), [("idling", Verdict.SCHEDULABLE), ("deferrable", Verdict.LATE)]
)
def test_a_budget_that_was_kept_comes_late_for_another(
    tmp_path: Path, kind: str, verdict: Verdict
) -> None:
    """20 + 20 is at most 50. With a jitter of 20, 20 + 2 * 20 is more than 50."""
    servers = server(kind, 40, 20, priority=2, name="first") + server("idling", 50, 20)

    report = analysed(tmp_path, servers + task('"run 10us"', 500))

    assert [row.verdict for row in report.servers] == [Verdict.SCHEDULABLE, verdict]
    assert (responses(report)["t"] is None) == (verdict is Verdict.LATE)
    said = "ceiling: no bound for t: s is not sure of 20us in each 50us after first"
    assert (said in report.notes) == (verdict is Verdict.LATE)


def test_budgets_that_fill_a_period_to_its_end_are_sure(tmp_path: Path) -> None:
    """60 us hold 20 of the first server, twice 10 of the second, and 20. A microsecond more is
    late."""
    first = server("idling", 60, 20, priority=3, name="first")
    second = server("idling", 40, 10, priority=2, name="second")

    for budget, sure in ((20, 60_000), (21, None)):
        text = first + second + server("idling", 60, budget) + task('"run 10us"', 500)
        assert analysed(tmp_path, text).servers[2].response_bound_ns == sure


@pytest.mark.parametrize(
    ("kind", "has_bound"), [("idling", True), ("deferrable", True), ("polling", False)]
)
def test_a_sleep_costs_a_polling_server_its_budget(
    tmp_path: Path, kind: str, has_bound: bool
) -> None:
    first = server("idling", 60, 10, priority=2, name="first")
    text = server(kind, 60, 40) + task('"run 10us", "sleep 10us", "run 10us"', 900)

    report = analysed(tmp_path, first + text)

    assert (responses(report)["t"] is not None) == has_bound
    said = "ceiling: no bound for t: t sleeps, and s drops its budget meanwhile"
    assert (said in report.notes) == (not has_bound)


def test_a_sleep_costs_the_second_of_two_polling_servers_its_budget(tmp_path: Path) -> None:
    first = server("polling", 60, 10, priority=2, name="first") + task(
        '"run 1us"', 900, name="u", of="first"
    )
    text = server("polling", 60, 20) + task('"run 10us", "sleep 10us"', 900)

    report = analysed(tmp_path, first + text)

    assert responses(report)["t"] is None
    assert responses(report)["u"] is not None


def test_all_of_a_server_is_too_much_but_in_a_slot_under_edf(tmp_path: Path) -> None:
    """Time that is lost before the first period never comes back."""
    edf = 'scheduler = "edf"\n'
    one = task('"run 20us"', 50).replace("priority = 1\n", "")
    slot = server("slot", 50, 20).replace("priority = 1\n", "")

    assert responses(analysed(tmp_path, server("idling", 50, 20) + task('"run 20us"', 50))) == {
        "t": None
    }
    served = analysed(tmp_path, edf + server("idling", 50, 20) + one, Protocol.FLOOR)
    assert responses(served) == {"t": None}
    assert responses(analysed(tmp_path, edf + slot + one, Protocol.FLOOR)) == {"t": 50_000}


@pytest.mark.parametrize("first", ['"periodic 40ms"', '"periodic 40ms"\noffset = "60ms"'])
def test_slots_hold_what_is_due_at_multiples_of_their_period(tmp_path: Path, first: str) -> None:
    """OSPERT 2010, 3, Section VIII: the tasks of both slots need all of their time."""
    report = analysed(tmp_path, SLOTS.replace('"periodic 40ms"', first), Protocol.FLOOR)

    assert all(row.schedulable for row in report.rows)
    assert [(row.server, row.utilisation, row.schedulable) for row in report.demand] == [
        ("one", 0.5, True),
        ("two", 0.5, True),
    ]
    assert [(row.gap_ns, row.is_aligned) for row in report.servers] == [
        (0, True),
        (10_000_000, True),
    ]
    assert [row.response_bound_ns for row in report.servers] == [10_000_000, 20_000_000]
    falls = "all arrivals fall on multiples of 20ms: the gap is its start"
    assert [note for note in report.notes if falls in note] == [f"one: {falls}", f"two: {falls}"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"periodic 40ms"', '"sporadic 40ms"'),
        ('"periodic 40ms"', '"random 40ms 60ms"'),
        ('"periodic 40ms"', '"periodic 40ms"\noffset = "5ms"'),
        ('"periodic 40ms"', '"periodic 50ms"'),
    ],
)
def test_the_start_of_a_slot_counts_where_all_arrivals_are_aligned(
    tmp_path: Path, old: str, new: str
) -> None:
    """Without alignment the gap is P-Q, with which deadlines at multiples of P are kept, too."""
    report = analysed(tmp_path, SLOTS.replace(old, new), Protocol.FLOOR)

    assert [(row.gap_ns, row.is_aligned) for row in report.servers] == [
        (10_000_000, False),
        (10_000_000, True),
    ]
    assert all(row.schedulable for row in report.rows)


@pytest.mark.parametrize(("arrival", "kept"), [("periodic", True), ("sporadic", False)])
def test_a_short_deadline_is_kept_by_a_slot_that_begins_with_each_arrival(
    tmp_path: Path, arrival: str, kept: bool
) -> None:
    text = SLOTS.replace('"periodic 40ms"', f'"{arrival} 40ms"\ndeadline = "10ms"')
    text = text.replace("run 25ms", "run 5ms")

    report = analysed(tmp_path, text, Protocol.FLOOR)

    assert report.rows[0].schedulable == kept
    assert report.rows[0].response_bound_ns == (10_000_000 if kept else 20_000_000)


def test_a_slot_without_tasks_is_not_aligned(tmp_path: Path) -> None:
    empty = SLOTS.replace("10ms", "5ms") + server("slot", 20_000, 5_000, name="empty")

    report = analysed(tmp_path, empty.replace("priority = 1\n", ""), Protocol.FLOOR)

    assert [row.is_aligned for row in report.servers] == [True, True, False]


def test_a_period_that_does_not_divide_is_seen_late(tmp_path: Path) -> None:
    """OSPERT 2010, 3, Figure 3: 4.5 ms are due within 10, and slots of 4 in 8 have 4."""
    text = SLOTS.replace("20ms", "8ms").replace('"10ms"', '"4ms"').replace("run 10ms", "run 2ms")
    text = text.replace("run 16ms", "run 2ms").replace("40ms", "8ms").replace("80ms", "8ms")
    text = text.replace("run 25ms", "run 2500us").replace("run 60ms", "run 2500us")
    text = text.replace("100ms", "10ms").replace("200ms", "10ms")

    report = analysed(tmp_path, text, Protocol.FLOOR)

    assert [(row.window_ns, row.demand_ns) for row in report.demand] == [
        (10_000_000, 4_500_000)
    ] * 2


def test_what_servers_cost_is_not_left_out(tmp_path: Path) -> None:
    file = tmp_path / "system.toml"
    file.write_text(server("idling", 50, 20) + task('"run 10us"', 500))
    free = Overheads({Protocol.CEILING: Costs()})

    found = run(file, "--overheads", "a53").exception

    assert isinstance(found, ArgumentError)
    assert "found the servers s; expected none" in str(found)
    with pytest.raises(ArgumentError, match="found the servers s"):
        analyse(load(file), [Protocol.CEILING], Overheads({Protocol.CEILING: Costs(pair_ns=1)}))
    assert responses(analyse(load(file), [Protocol.CEILING], free)) == {"t": 40_000}


def test_servers_are_shown_where_there_are_some(tmp_path: Path) -> None:
    file = tmp_path / "system.toml"
    file.write_text(server("idling", 50, 20) + task('"run 10us"', 500))

    lines = [line.split() for line in run(file, "--protocol", "ceiling").stdout.splitlines()]
    report = json.loads(run(file, "--protocol", "ceiling", "--format", "json").stdout)

    assert ["s", "t", "ceiling", "0ns", "40us", "500us", "schedulable"] in lines
    assert ["s", "idling", "0", "50us", "20us", "20us", "30us", "any", "schedulable"] in lines
    assert report["rows"][0]["server"] == "s"
    assert report["servers"][0]["response_bound_ns"] == 20_000


def test_equal_priorities_in_two_servers_are_not_noted(tmp_path: Path) -> None:
    two = server("idling", 50, 20, priority=2) + server("idling", 50, 20, name="other")
    apart = two + task('"run 1us"', 500) + task('"run 1us"', 500, name="u", of="other")
    together = two + task('"run 1us"', 500) + task('"run 1us"', 500, name="u")

    equal = "tasks of equal priority count as more urgent than each other"
    assert equal not in analysed(tmp_path, apart).notes
    assert equal in analysed(tmp_path, together).notes


def test_nothing_is_said_of_servers_where_there_are_none(tmp_path: Path) -> None:
    file = tmp_path / "system.toml"
    file.write_text(task('"run 10us"', 500).replace('server = "s"\n', ""))

    table = run(file, "--protocol", "ceiling").stdout
    report = json.loads(run(file, "--protocol", "ceiling", "--format", "json").stdout)

    assert "erver" not in table
    assert list(report) == ["name", "rows", "demand", "notes", "overheads"]
    assert "server" not in report["rows"][0]
