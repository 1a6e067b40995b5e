# SPDX-License-Identifier: MIT
"""Bounds of servers that share resources, by hand (proof/analysis explores hundreds of systems)."""

import json
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from plafond.analyse.analysis import analyse, protocols_of
from plafond.analyse.model import AnalysisReport, Verdict
from plafond.analyse.supply import Supply
from plafond.commands.analyse import analyse as command
from plafond.describe import load
from plafond.errors import ArgumentError
from plafond.protocols import Protocol

ROOT = Path(__file__).parents[2]
US = 1_000


def server(
    name: str,
    priority: int,
    period: int,
    budget: int,
    policy: str | None = None,
    hold: int | None = None,
    kind: str = "idling",
) -> str:
    lines = [f"[server.{name}]", f'kind = "{kind}"', f'period = "{period}us"']
    lines += [f'budget = "{budget}us"']
    lines += [f"priority = {priority}"] if kind != "slot" else []
    lines += [f'global = "{policy}"'] if policy else []
    lines += [f'overrun = "{hold}us"'] if hold else []
    return "\n".join([*lines, ""])


def task(name: str, of: str, body: str, interval: int = 1000, priority: int = 1) -> str:
    return (
        f'[task.{name}]\nserver = "{of}"\npriority = {priority}\nbody = [{body}]\n'
        f'arrival = "sporadic {interval}us"\n'
    )


def section(length: int, resource: str = "R") -> str:
    return f'"lock {resource}", "run {length}us", "unlock {resource}"'


def analysed(folder: Path, *parts: str) -> AnalysisReport:
    file = folder / "system.toml"
    used = sorted({word[:1] for part in parts for word in part.split('"lock ')[1:]})
    file.write_text("".join([*parts, *(f"[resource.{each}]\n" for each in used)]))
    return analyse(load(file), [Protocol.CEILING])


def whole_us(time_ns: int | None) -> int | None:
    """Return a bound in whole microseconds, because all times of the descriptions are whole."""
    assert not (time_ns or 0) % US
    return None if time_ns is None else time_ns // US


def responses(report: AnalysisReport) -> dict[str, int | None]:
    return {row.task: whole_us(row.response_bound_ns) for row in report.rows}


def within(report: AnalysisReport) -> dict[str, int | None]:
    return {row.server: whole_us(row.response_bound_ns) for row in report.servers}


def kept_out(report: AnalysisReport) -> dict[str, int | None]:
    return {row.server: whole_us(row.kept_out_ns) for row in report.servers}


def why(report: AnalysisReport) -> str:
    return "\n".join(note for note in report.notes if "no bound for" in note)


def run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [*map(str, arguments)])


# ---- Between servers -----------------------------------------------------------------


def test_a_less_urgent_server_keeps_out_all_up_to_the_ceiling(tmp_path: Path) -> None:
    """R has the ceiling a, so it keeps out b, which uses nothing. S has the ceiling c."""
    report = analysed(
        tmp_path,
        server("a", 4, 100, 20, "skip"),
        server("b", 3, 100, 20),
        server("c", 2, 100, 20, "skip"),
        server("d", 1, 200, 20, "skip"),
        task("ta", "a", section(1)),
        task("tb", "b", '"run 1us"'),
        task("tc", "c", section(2, "S")),
        task("td", "d", f"{section(7)}, {section(9, 'S')}"),
    )

    assert kept_out(report) == {"a": 7, "b": 7, "c": 9, "d": 0}
    assert within(report) == {"a": 27, "b": 47, "c": 69, "d": 80}


def test_sections_that_nest_are_one_hold(tmp_path: Path) -> None:
    nested = '"lock R", "run 3us", "lock S", "run 4us", "unlock S", "run 1us", "unlock R"'
    report = analysed(
        tmp_path,
        server("a", 2, 100, 20, "skip"),
        server("b", 1, 100, 20, "skip"),
        task("ta", "a", f"{section(1)}, {section(1, 'S')}"),
        task("tb", "b", nested),
    )

    assert kept_out(report)["a"] == 8


@pytest.mark.parametrize("activates", [False, True])
@pytest.mark.parametrize(("above", "out"), [(3, 9), (1, 5)])
def test_a_hold_that_tasks_above_preempt_lasts_until_the_kernel_ends_it(
    tmp_path: Path, above: int, out: int, activates: bool
) -> None:
    """If a task above runs inside, the hold is the server's limit, whether its load is known or
    not."""
    activator = task("other", "b", '"run 1us", "activate tabove"', 5_000)
    report = analysed(
        tmp_path,
        server("a", 2, 100, 20, "skip"),
        server("b", 1, 100, 20, "skip", hold=9),
        task("ta", "a", section(1)),
        task("tabove", "b", '"run 2us"', priority=above),
        task("tb", "b", section(5), priority=2),
        activator if activates else "",
    )

    assert kept_out(report) == {"a": out, "b": 0}


@pytest.mark.parametrize(
    ("policy", "found"),
    [("overrun", 40 + 2 * (20 + 5)), ("overrun-payback", 40 + 2 * 20 + 5), ("skip", 40 + 2 * 20)],
)
def test_what_a_server_takes_from_a_less_urgent_one(
    tmp_path: Path, policy: str, found: int
) -> None:
    """In two periods of a, its overrun X counts twice, once or not at all."""
    report = analysed(
        tmp_path,
        server("a", 2, 50, 20, policy),
        server("b", 1, 100, 40, "skip"),
        task("ta", "a", section(5)),
        task("tb", "b", section(1)),
    )

    assert within(report) == {"a": 20 + 1 + (5 if "overrun" in policy else 0), "b": found}


def test_each_of_two_more_urgent_servers_pays_back_once(tmp_path: Path) -> None:
    report = analysed(
        tmp_path,
        server("a", 3, 100, 10, "overrun-payback"),
        server("b", 2, 100, 10, "overrun-payback"),
        server("c", 1, 100, 20, "skip"),
        task("ta", "a", section(5)),
        task("tb", "b", section(4)),
        task("tc", "c", section(1)),
    )

    assert within(report)["c"] == 20 + 2 * 10 + 5 + 4


def test_a_budget_that_is_kept_comes_with_its_overrun(tmp_path: Path) -> None:
    """ceil((t + P - Q)/P) * (Q + X): two budgets of a up to t = 80, and three up to t = 140."""
    parts = [
        server("a", 2, 60, 20, "overrun", kind="deferrable"),
        task("ta", "a", section(5)),
        task("tb", "b", section(1)),
    ]

    assert within(analysed(tmp_path, *parts, server("b", 1, 100, 20, "skip")))["b"] == 70
    assert within(analysed(tmp_path, *parts, server("b", 1, 200, 40, "skip")))["b"] == 115


def test_no_bound_where_a_replenishment_may_cut_an_overrun(tmp_path: Path) -> None:
    def report(period: int, kind: str = "idling", policy: str = "overrun") -> AnalysisReport:
        return analysed(
            tmp_path,
            server("a", 2, 100, 30, "skip"),
            server("b", 1, period, 20, policy, kind=kind),
            task("ta", "a", section(5)),
            task("tb", "b", section(10)),
        )

    assert within(report(60))["b"] == 30 + 20 + 10
    cut = report(59)
    assert responses(cut)["tb"] is None
    assert cut.servers[1].verdict is Verdict.NO_BOUND
    assert why(cut) == (
        "ceiling: no bound for tb: a replenishment may cut an overrun: b is not sure of 20us and "
        "10us more in each 59us after a"
    )
    assert within(report(59, policy="skip"))["b"] == 50
    kept = report(60, kind="deferrable")
    assert responses(kept)["tb"] is None
    assert why(kept) == (
        "ceiling: no bound for tb: b may begin with its budget at any time: a replenishment may "
        "cut its overrun"
    )
    late = report(49)
    assert late.servers[1].verdict is Verdict.LATE
    assert why(late) == "ceiling: no bound for tb: b is not sure of 20us in each 49us after a"


def test_a_server_that_is_kept_out_too_long_is_not_sure(tmp_path: Path) -> None:
    report = analysed(
        tmp_path,
        server("a", 2, 30, 20, "skip"),
        server("b", 1, 60, 15, "skip"),
        task("ta", "a", section(1)),
        task("tb", "b", section(11)),
    )

    said = "a is not sure of 20us in each 30us while others keep it out for 11us"
    assert why(report).splitlines()[0] == f"ceiling: no bound for ta: {said}"


# ---- Within a server -----------------------------------------------------------------


def test_all_tasks_of_a_server_that_overruns_wait_for_a_section(tmp_path: Path) -> None:
    """Under overrun, a task that does not use the resource waits, too. Under skip, tasks above do
    not."""
    parts = [
        server("a", 2, 100, 60, "skip"),
        task("ta", "a", section(1)),
        task("above", "b", '"run 4us"', priority=3),
        task("user", "b", section(6), priority=1),
    ]

    overrun = analysed(tmp_path, *parts, server("b", 1, 100, 30, "overrun"))
    skip = analysed(tmp_path, *parts, server("b", 1, 100, 30, "skip"))

    blocking = [{row.task: row.blocking_bound_ns for row in each.rows} for each in (overrun, skip)]
    assert [each["above"] for each in blocking] == [6 * US, 0]


def test_a_section_of_a_second_resource_blocks_all_tasks_of_the_server_too(tmp_path: Path) -> None:
    report = analysed(
        tmp_path,
        server("a", 2, 100, 60, "skip"),
        server("b", 1, 100, 30, "overrun"),
        task("ta", "a", f"{section(1)}, {section(1, 'S')}"),
        task("above", "b", '"run 4us"', priority=3),
        task("user", "b", f"{section(2)}, {section(6, 'S')}"),
    )

    assert [row.blocking_bound_ns for row in report.rows if row.task == "above"] == [6 * US]


def test_payback_is_owed_by_the_supply_of_the_least_urgent_task_too(tmp_path: Path) -> None:
    """No section blocks `least`. With X less in its budget, it takes a period more."""
    parts = [
        server("a", 2, 1000, 20, "skip"),
        task("ta", "a", section(1)),
        task("above", "b", section(10), priority=2),
        task("least", "b", '"run 15us"'),
    ]

    without = analysed(tmp_path, *parts, server("b", 1, 100, 30, "overrun"))
    payback = analysed(tmp_path, *parts, server("b", 1, 100, 30, "overrun-payback"))

    assert [row.blocking_bound_ns for row in payback.rows if row.task == "least"] == [0]
    late = 70 + 20  # P - Q, and the budget of a
    assert responses(without)["least"] == late + 25
    assert responses(payback)["least"] == late + 70 + 25 + 10
    assert [row.gap_ns // US for row in (without.servers[1], payback.servers[1])] == [90, 100]


def test_the_supply_with_payback_is_the_least_of_all_overruns() -> None:
    """Each period has Q, less the overrun of the period before, as late as possible, and its
    overrun."""
    period, budget = 6, 3
    for hold in (1, 2):
        supply = Supply(period, budget, period - budget, period - budget, owed_ns=hold)
        least = [1_000] * 20
        for comes in _schedules(period, budget, hold):
            for begin in range(period, 2 * period):
                for length in range(20):
                    least[length] = min(least[length], sum(comes[begin : begin + length]))
        assert [supply.provided_ns(length) for length in range(20)] == least
        assert all(supply.provided_ns(supply.within_ns(work)) == work for work in range(1, 9))


def _schedules(period: int, budget: int, hold: int) -> Iterator[list[int]]:
    """Yield five periods, unit by unit: all begins of the budgets, with all overruns behind
    them."""
    ways = [(0, over) for over in range(hold + 1)] + [(period, 0)]
    for chosen in product(ways, repeat=5):
        comes: list[int] = []
        for (_, owed), (late, over) in pairwise([(0, 0), *chosen]):
            has = budget - owed
            begin = min(late, period - has)
            comes += [0] * begin + [1] * (has + over) + [0] * (period - begin - has - over)
        yield comes


def test_a_section_that_may_wait_takes_x_more(tmp_path: Path) -> None:
    """X is added to the task's own job, to a more urgent job, and to the section that blocks."""
    report = analysed(
        tmp_path,
        server("a", 2, 1000, 5, "skip"),
        server("b", 1, 100, 20, "skip"),
        task("ta", "a", section(1)),
        task("high", "b", f'"run 80us", {section(4)}', 5000, priority=2),
        task("low", "b", f'"run 80us", {section(6)}', 5000),
    )

    gap, hold = 100 - 20 + 5, 6  # the budget of a comes before the last of b
    high, low = 84 + hold + 6 + hold, 86 + hold + 84 + hold
    assert responses(report)["high"] == gap + (high - 1) // 20 * 80 + high
    assert responses(report)["low"] == gap + (low - 1) // 20 * 80 + low


def test_a_section_inside_another_of_several_servers_waits_no_more(tmp_path: Path) -> None:
    body = '"run 80us", "lock S", "run 1us", "lock R", "run 3us", "unlock R", "unlock S"'
    report = analysed(
        tmp_path,
        server("a", 2, 1000, 5, "skip"),
        server("b", 1, 100, 20, "skip"),
        task("ta", "a", f"{section(1)}, {section(1, 'S')}"),
        task("tb", "b", body, 5000),
    )

    work = 84 + 4
    assert responses(report)["tb"] == 80 + 5 + (work - 1) // 20 * 80 + work


def test_many_short_sections_wait_once_in_a_period(tmp_path: Path) -> None:
    """The other way to count: each period has Q - X, and the first period loses X once more."""
    sections = ", ".join([section(1)] * 10)
    report = analysed(
        tmp_path,
        server("a", 2, 1000, 20, "skip"),
        server("b", 1, 100, 50, "skip", hold=5),
        task("ta", "a", section(1)),
        task("tb", "b", f'"run 25us", {sections}'),
    )

    assert responses(report)["tb"] == (50 + 5) + 20 + 35


@pytest.mark.parametrize(("kind", "gap"), [("polling", 100 + 20), ("slot", 0)])
def test_a_wait_costs_no_more_of_a_first_period_that_is_lost_or_whole(
    tmp_path: Path, kind: str, gap: int
) -> None:
    """A polling server loses its first period anyway. The slot begins with each arrival."""
    sections = ", ".join([section(1)] * 10)
    tb = task("tb", "b", f'"run 25us", {sections}').replace("sporadic", "periodic")
    other = "slot" if kind == "slot" else "idling"
    report = analysed(
        tmp_path,
        server("b", 1, 100, 50, "skip", hold=5, kind=kind),
        server("a", 2, 100, 20, "skip", kind=other),
        task("ta", "a", section(1)),
        tb,
    )

    assert responses(report)["tb"] == gap + 35


def test_no_bound_where_a_task_may_wait_for_one_budget_after_the_other(tmp_path: Path) -> None:
    """X is 15 us, and one or two jobs of `above` arrive after a wait began. X must be left."""

    def report(interval: int, body: str = '"run 10us"', budget: int = 26) -> AnalysisReport:
        return analysed(
            tmp_path,
            server("a", 2, 1000, 20, "skip"),
            server("b", 1, 100, budget, "skip"),
            task("ta", "a", section(1)),
            task("above", "b", body, interval, priority=2),
            task("user", "b", section(5)),
        )

    assert why(report(200)) == ""
    assert "b has 25us, and above can take 10us of it" in why(report(200, budget=25))  # X is left
    assert why(report(199)) == (
        "ceiling: no bound for above, user: b has 26us, and above can take 20us of it before a "
        "section of R, which waits for the next budget again then"
    )
    assert "above sleeps, and preempts sections of R" in why(
        report(500, '"run 1us", "sleep 1us", "run 1us"')
    )


def test_the_waits_of_tasks_above_count_before_sections_of_a_second_resource(
    tmp_path: Path,
) -> None:
    """No task preempts a section of R. A section of S takes 10us with the job of `above` inside,
    and that job takes 5us and such a wait."""

    def report(budget: int) -> AnalysisReport:
        return analysed(
            tmp_path,
            server("a", 2, 1000, 20, "skip"),
            server("b", 1, 100, budget, "skip"),
            task("ta", "a", f"{section(1)}, {section(1, 'S')}"),
            task("above", "b", section(5), priority=2),
            task("user", "b", section(5, "S")),
        )

    assert why(report(26)) == ""
    assert "above can take 15us of it before a section of S" in why(report(25))


def test_all_tasks_above_a_ceiling_use_what_comes_before_a_section(tmp_path: Path) -> None:
    """Two tasks take 8us each. X is 5us and the time that both tasks run inside."""
    report = analysed(
        tmp_path,
        server("a", 2, 1000, 20, "skip"),
        server("b", 1, 100, 36, "skip"),
        task("ta", "a", section(1)),
        task("above", "b", '"run 8us"', priority=3),
        task("between", "b", '"run 8us"', priority=2),
        task("user", "b", section(5)),
    )

    assert "b has 36us, and above, between can take 16us of it" in why(report)


def test_a_deferrable_server_is_kept_out_again_after_each_sleep(tmp_path: Path) -> None:
    def response(kind: str) -> int | None:
        report = analysed(
            tmp_path,
            server("a", 2, 100, 50, "skip", kind=kind),
            server("b", 1, 500, 40, "skip"),
            task("ta", "a", f'"run 5us", "sleep 3us", {section(1)}'),
            task("tb", "b", section(20)),
        )
        return responses(report)["ta"]

    idling, deferrable = response("idling"), response("deferrable")
    assert idling is not None
    assert deferrable == idling + 20


@pytest.mark.parametrize(("resource", "has_bound"), [("R", False), ("S", True)])
def test_jitter_in_a_server_concerns_the_servers_it_shares_with(
    tmp_path: Path, resource: str, has_bound: bool
) -> None:
    late = task("ta", "a", section(1, resource)) + 'jitter = "1us"\n'
    report = analysed(
        tmp_path,
        server("a", 2, 100, 20, "skip" if resource == "R" else None),
        server("b", 1, 100, 20, "skip" if resource == "R" else None),
        late,
        task("tb", "b", section(1)),
    )

    assert responses(report)["ta"] is None
    assert (responses(report)["tb"] is not None) == has_bound
    assert "ta, in a, has release jitter" in why(report)


def test_slots_share_by_skipping_and_keep_nothing_out(tmp_path: Path) -> None:
    report = analysed(
        tmp_path,
        server("a", 0, 100, 40, "skip", kind="slot"),
        server("b", 0, 100, 60, "skip", kind="slot"),
        task("ta", "a", section(5)),
        task("tb", "b", section(10)),
    )

    assert kept_out(report) == {"a": 0, "b": 0}
    assert responses(report) == {"ta": 60 + 5 + 5, "tb": 40 + 10 + 10}


# ---- The output ----------------------------------------------------------------------


def test_the_papers_tables(tmp_path: Path) -> None:
    """OSPERT 2010, 8, Tables I and II: an overrun in s2 may be cut, so no deadline is sure."""
    found = {
        figure: analyse(load(ROOT / f"examples/vandenheuvel-2010-figure-{figure}.toml"))
        for figure in (4, 5, 6)
    }

    assert [within(found[figure]) for figure in found] == [
        {"s1": 50, "s2": None},
        {"s1": 35, "s2": 40},
        {"s1": 35, "s2": None},
    ]
    assert [kept_out(found[figure]) for figure in found] == [{"s1": 15, "s2": 0}] * 3
    assert responses(found[5]) == {"t1": 115, "t2": 165, "t3": 140, "t4": 200}


def test_only_ceilings_are_analysed_where_servers_share(tmp_path: Path) -> None:
    file = ROOT / "examples/vandenheuvel-2010-figure-4.toml"

    assert protocols_of(load(file)) == (Protocol.CEILING,)
    with pytest.raises(ArgumentError, match="expected ceiling where servers share R1"):
        analyse(load(file), [Protocol.INHERIT])


def test_columns_and_notes_of_sharing(tmp_path: Path) -> None:
    file = ROOT / "examples/vandenheuvel-2010-figure-6.toml"
    shared = run(file, "--format", "json").stdout
    other = run(ROOT / "examples/servers.toml", "--format", "json").stdout

    rows = json.loads(shared)["servers"]
    assert [(row["sharing"], row["hold_ns"], row["kept_out_ns"]) for row in rows] == [
        ("skip", 15_000, 15_000),
        ("overrun-payback", 15_000, 0),
    ]
    assert "no_bound" not in rows[0]
    assert rows[1]["no_bound"].startswith("a replenishment may cut an overrun")
    assert "kept_out_ns" not in other
    notes = "\n".join(json.loads(shared)["notes"])
    assert all(f"{word}: " in notes for word in ("kept out", "overrun", "overrun-payback", "skip"))
    assert "kept out" in run(file).stdout
    assert "kept out" not in run(ROOT / "examples/servers.toml").stdout


@pytest.mark.parametrize(
    ("policies", "named"),
    [
        (("skip", "skip"), ["skip"]),
        (("skip", "overrun"), ["overrun", "skip"]),
        (("overrun-payback", "skip"), ["overrun", "overrun-payback", "skip"]),
        (("overrun", "overrun"), ["overrun"]),
    ],
)
def test_notes_say_what_each_policy_adds(
    tmp_path: Path, policies: tuple[str, str], named: list[str]
) -> None:
    report = analysed(
        tmp_path,
        server("a", 2, 100, 20, policies[0]),
        server("b", 1, 100, 20, policies[1]),
        task("ta", "a", section(1)),
        task("tb", "b", section(1)),
    )
    found = [note.split(":")[0] for note in report.notes]
    assert [each for each in found if each.startswith(("overrun", "skip"))] == named


def test_servers_that_share_across_cpus_have_no_bound(tmp_path: Path) -> None:
    """A task that holds a resource of several CPUs may lose its budget."""
    file = tmp_path / "system.toml"
    first = server("a", 1, 100, 50) + task("ta", "a", section(5))
    second = (server("b", 1, 100, 50) + task("tb", "b", section(5))).replace(
        "[task", "cpu = 1\n[task"
    )
    file.write_text(f"cpus = 2\n{first}{second}cpu = 1\n[resource.R]\n")

    report = analyse(load(file), [Protocol.MPCP])

    assert [row.response_bound_ns for row in report.rows] == [None, None]
    assert "ta is in a: without its budget a task waits" in why(report)
