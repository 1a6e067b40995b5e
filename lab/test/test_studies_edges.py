# SPDX-License-Identifier: MIT
"""Studies at limits, with two of a kind, and after an early end."""

import csv
import io
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import cast

import pytest
from long_chunk import Long
from patience import until
from rich.console import Console

from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.analyse.on_target import TargetReport
from plafond.analyse.overheads import Costs, Overheads
from plafond.describe.draw import loads_study
from plafond.describe.server import Sharing
from plafond.describe.study import Deadlines, Study
from plafond.describe.system import Lock, Resource, Run, System, Unlock
from plafond.errors import ArgumentError, PlafondError
from plafond.protocols import Protocol
from plafond.studies import measure
from plafond.studies.cases import best_in_words
from plafond.studies.checkpoint import Checkpoint, Points
from plafond.studies.cluster import ClusterGoneError
from plafond.studies.costs import KnownCosts, costs_of_study
from plafond.studies.count import Chunk, Counts, count
from plafond.studies.draw import Uses, draw_periods_ns, draw_set, stream
from plafond.studies.measure import measure_schedulability
from plafond.studies.model import BestRow, SchedulabilityReport
from plafond.studies.placing import apart, spread
from plafond.studies.pool import counted
from plafond.studies.report import (
    ACCOUNTED,
    CACHED,
    FREE,
    FREE_BUT_SWITCHES,
    NOTES,
    PACKED,
    SHARED,
    SWITCHED,
    SWITCHED_SHARING,
    WEIGHTED,
    make_report,
    weigh,
)
from plafond.studies.serving import have_time_to_hold, served
from plafond.studies.sharing import system_of
from plafond.studies.table import csv_text, print_report, utilisations_csv_text

CLUSTERS = """\
cpus = 2
scheduler = "edf"
[draw]
sets = 25
utilisation = [1, 2, 0.5]
task_utilisation = "uniform 0.2 0.8"
interval = "uniform 3ms 33ms"
vary = "cache 0us 1ms 500us"
compare = ["partitioned", "global"]
deadlines = "soft"
"""
SHARING = """\
cpus = 1
scheduler = "priority"
[draw]
sets = 20
utilisation = [0.5, 1, 0.5]
task_utilisation = "uniform 0.1 0.3"
interval = "log-uniform 1ms 20ms"
sections = { resources = 2, length = "uniform 10us 500us", share = 0.5 }
compare = ["ceiling", "inherit"]
deadlines = "hard"
"""
MAP = SHARING.replace(
    ', length = "uniform 10us 500us", share = 0.5 }',
    ' }\nvary = ["section 10us 1ms x100", "share 0.2 0.8 0.6"]',
)
EDF = SHARING.replace('"priority"', '"edf"').replace('"ceiling", "inherit"', '"floor"')
SERVERS = """\
cpus = 1
scheduler = "priority"
[draw]
sets = 10
utilisation = [0.2, 0.6, 0.2]
task_utilisation = "uniform 0.02 0.15"
interval = "log-uniform 10ms 200ms"
sections = { resources = 2, length = "uniform 10us 200us", share = 0.3 }
servers = { count = 3, period = "uniform 1ms 5ms", budget = 0.8 }
compare = ["skip"]
deadlines = "hard"
"""
FULL = CLUSTERS.replace("uniform 0.2 0.8", "uniform 0.5 0.5").replace("3ms 33ms", "10ms 10ms")
ONE = Fraction(1)


# ---- Drawing -------------------------------------------------------------------------------------


def test_a_task_that_fits_exactly_is_taken_and_the_full_set_draws_no_more() -> None:
    study = loads_study(FULL)
    random, other = stream(study, ONE, 0), stream(study, ONE, 0)

    assert draw_set(study, ONE, random).costs_ns == (5_000_000, 5_000_000)
    draws = [other.random() for _ in range(5)]
    assert random.random() == draws[4]  # two draws for each task


def test_another_seed_draws_another_set() -> None:
    study = loads_study(CLUSTERS)
    other = replace(study, seed=study.seed + 1)

    first, second = (draw_set(each, ONE, stream(each, ONE, 0)) for each in (study, other))
    assert first != second


def test_each_server_has_a_period_of_its_own() -> None:
    servers = loads_study(SERVERS).servers
    assert servers
    assert len({*draw_periods_ns(servers, stream(loads_study(SERVERS), ONE, 0))}) == 3


# ---- Counting ------------------------------------------------------------------------------------


def test_all_sets_of_two_chunks_are_drawn_once(tmp_path: Path) -> None:
    study = loads_study(CLUSTERS)
    report = measure_schedulability(study, 1, tmp_path / "points").report

    sizes = [
        len(draw_set(study, u, stream(study, u, number)))
        for u in study.utilisations
        for number in range(25)
    ]
    assert report.conditions.tasks == sum(sizes) / len(sizes)
    points = Checkpoint(tmp_path / "points", study).points
    assert {u: point.tasks for u, point in points.items()} == {
        u: sum(sizes[25 * n : 25 * n + 25]) for n, u in enumerate(study.utilisations)
    }


def test_each_protocol_has_its_own_costs() -> None:
    dear = {"ceiling": Overheads({Protocol.CEILING: Costs()}),
            "inherit": Overheads({Protocol.INHERIT: Costs(switch_ns=10**9)})}  # fmt: skip
    study, at = loads_study(SHARING), Fraction(1, 2)
    ((of_ceiling, of_inherit),) = count(
        Chunk(study, at, range(5), KnownCosts(dear, ""))
    ).schedulable

    assert of_ceiling > of_inherit == 0


def test_progress_ends_with_the_number_of_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    @contextmanager
    def noted(_: str, steps: int) -> Iterator[Callable[[str, int], None]]:
        yield lambda _, done: seen.append(done)
        assert seen[-1] == steps

    monkeypatch.setattr(measure, "progress_by_step", noted)
    measure_schedulability(loads_study(FULL), 1, None)
    assert len(seen) == 3 * 2
    assert seen == sorted({*seen})


@pytest.mark.parametrize("error", [KeyboardInterrupt, PlafondError])
def test_an_interrupted_study_ends_the_chunks_that_have_begun(
    error: type[BaseException], tmp_path: Path
) -> None:
    chunks = cast("list[Chunk]", [Long(tmp_path)] * 4)

    def begin_and_stop() -> None:
        with counted(chunks, 2):
            until(lambda: len(list(tmp_path.glob("begun-*"))) == 2, "both processes")
            raise error

    with pytest.raises(error):
        begin_and_stop()
    assert not list(tmp_path.glob("ended-*"))
    assert multiprocessing.active_children() == []


def test_a_cluster_that_goes_leaves_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def until_the_end(chunks: Sequence[Chunk]) -> Iterator[Counts]:
        yield from map(count, chunks[:3])  # a utilisation has two
        raise ClusterGoneError

    @contextmanager
    def counted_on(_: str, chunks: Sequence[Chunk]) -> Iterator[Iterator[Counts]]:
        yield until_the_end(chunks)

    monkeypatch.setattr(measure, "counted_on", counted_on)
    outcome = measure_schedulability(loads_study(FULL), 1, None, "tcp://gone")

    assert str(outcome.stopped_by) == "--cluster: the scheduler has gone"
    assert outcome.report.conditions.utilisations == [1]
    assert outcome.report.conditions.missing == 2


# ---- Sections, CPUs and servers ------------------------------------------------------------------


def drawn(text: str, costs_ns: Sequence[int], intervals_ns: Sequence[int], uses: Uses) -> System:
    study = loads_study(text)
    rows = zip(costs_ns, intervals_ns, intervals_ns, strict=True)
    return system_of(study, TaskSet.of(rows), uses, study.cases[0])


def without_sections(text: str, costs_ns: Sequence[int], interval_ns: int = 100) -> System:
    uses = (((0.9, 0.0), (0.9, 0.0)),) * len(costs_ns)
    return drawn(text, costs_ns, [interval_ns] * len(costs_ns), uses)


def cpus_of(system: System) -> dict[str, int]:
    return {task.name: task.cpu for task in system.tasks}


def test_a_resource_at_exactly_the_share_is_not_used() -> None:
    system = drawn(SHARING, [50_000], [100_000], (((0.5, 0.0), (0.499, 0.0)),))

    assert [each.name for each in system.resources] == ["R2"]


def test_the_rest_of_the_run_time_comes_first() -> None:
    text = SHARING.replace("[draw]", "[draw]\nseed = 7")
    system = drawn(text, [50_000], [100_000], (((0.1, 0.0), (0.2, 0.0)),))

    first, second = ((Lock(name), Run(10_000), Unlock(name)) for name in ("R1", "R2"))
    assert system.tasks[0].body == (Run(30_000), *first, *second)
    assert system.seed == 7


def test_of_equal_intervals_the_first_drawn_is_the_most_urgent() -> None:
    tasks = without_sections(SHARING, [5, 6, 7]).tasks

    assert [(task.name, task.priority) for task in tasks] == [("T1", 3), ("T2", 2), ("T3", 1)]


def test_under_edf_two_equal_deadlines_are_one_level() -> None:
    nothing = (((0.9, 0.0), (0.9, 0.0)),) * 3
    tasks = drawn(EDF, [5, 5, 5], [20, 10, 20], nothing).tasks

    assert [(task.name, task.priority) for task in tasks] == [("T2", 2), ("T1", 1), ("T3", 1)]


def test_of_equal_tasks_the_most_urgent_is_placed_first() -> None:
    text = SHARING.replace("cpus = 1", "cpus = 2").replace('"ceiling", "inherit"', '"mpcp"')

    assert cpus_of(spread(without_sections(text, [5, 5]))) == {"T1": 0, "T2": 1}


def test_apart_a_cpu_is_loaded_by_the_whole_group() -> None:
    text = SHARING.replace("cpus = 1", "cpus = 2").replace('"ceiling", "inherit"', '"mpcp"')
    system = without_sections(text, [30, 30, 40, 35])
    step = (Lock("R1"), Run(30), Unlock("R1"))
    pair = [task.changed(body=step) for task in system.tasks[:2]]
    resource = Resource.made("R1", ceiling=4, users=("T1", "T2"), cpus=(0,))
    shared = replace(system, tasks=(*pair, *system.tasks[2:]), resources=(resource,))

    assert cpus_of(apart(shared)) == {"T1": 0, "T2": 0, "T3": 1, "T4": 1}


def test_the_busiest_task_is_dealt_first_and_each_to_the_least_loaded_server() -> None:
    system = without_sections(SERVERS, [10, 30, 15, 20, 12])
    dealt = served(system, [7, 8, 9], Fraction(1, 2), Sharing.SKIP)

    assert {task.name: task.server for task in dealt.tasks} == {
        "T2": "S1", "T4": "S2", "T3": "S3", "T5": "S3", "T1": "S2",
    }  # fmt: skip


def test_the_least_budget_is_a_nanosecond() -> None:
    dealt = served(without_sections(SERVERS, [1, 50]), [50, 50], Fraction(1, 10), Sharing.SKIP)

    assert [server.budget_ns for server in dealt.servers] == [4, 1]


def two_servers() -> System:
    """Return three tasks in three servers, of which two share a resource for 10 us."""
    uses = (((0.1, 0.0), (0.9, 0.0)), ((0.1, 0.0), (0.9, 0.0)), ((0.9, 0.0), (0.9, 0.0)))
    system = drawn(SERVERS, [30_000, 20_000, 10_000], [100_000] * 3, uses)
    return served(system, [50_000] * 3, Fraction(1), Sharing.OVERRUN)


def test_only_servers_that_share_have_a_policy() -> None:
    found = [(server.sharing, server.hold_ns) for server in two_servers().servers]

    assert found == [(Sharing.OVERRUN, 10_000), (Sharing.OVERRUN, 10_000), (None, None)]


def test_a_budget_equal_to_the_longest_section_is_too_little() -> None:
    system = two_servers()
    first, *others = system.servers
    for budget_ns, is_enough in ((10_000, False), (10_001, True)):
        changed = (first.changed(budget_ns=budget_ns), *others)
        assert have_time_to_hold(replace(system, servers=changed)) is is_enough


# ---- Checkpoints ---------------------------------------------------------------------------------


def test_a_head_that_is_cut_off_begins_again(tmp_path: Path) -> None:
    kept, study = tmp_path / "points", loads_study(FULL)
    Checkpoint(kept, study)
    head = kept.read_text()
    kept.write_text(head[:20])

    assert Checkpoint(kept, study).points == {}
    assert kept.read_text() == head


def test_a_folder_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(PlafondError) as caught:
        Checkpoint(tmp_path, loads_study(FULL))
    assert str(caught.value) == f"{tmp_path}: Is a directory; expected a checkpoint"


def test_a_point_that_is_not_stored_is_an_error_of_its_file(tmp_path: Path) -> None:
    kept = tmp_path / "points"
    checkpoint = Checkpoint(kept, loads_study(FULL))
    kept.unlink()
    kept.mkdir()

    with pytest.raises(PlafondError) as caught:
        checkpoint.add(ONE, Counts(1, ((1, 1),) * 3))
    assert str(caught.value) == f"{kept}: Is a directory; a point is lost"


@pytest.mark.parametrize(
    "line",
    [
        "5",
        '["1", 2, 3]',
        '["1/0", 2, [[1, 1], [1, 1], [1, 1]]]',
        '["7", 2, [[1, 1], [1, 1], [1, 1]]]',
        '["1", 2, [[1, 1], [1, 1]]]',
        '["1", 2, [[1, 1], [1, 1], [1]]]',
    ],
)
def test_a_point_of_another_form_is_named(line: str, tmp_path: Path) -> None:
    kept, study = tmp_path / "points", loads_study(FULL)
    Checkpoint(kept, study).add(ONE, Counts(9, ((1, 1), (1, 1), (1, 1))))
    with kept.open("a") as file:
        file.write(f"{line}\n")

    with pytest.raises(ArgumentError, match=r"points:3: found .*; expected a point"):
        Checkpoint(kept, study)


# ---- Costs ---------------------------------------------------------------------------------------


def costs_on(target: str, folder: Path) -> KnownCosts:
    costs = {"interrupt_ns": 5, "activation_ns": 1, "switch_ns": 2, "pair_ns": 3}
    report = TargetReport.model_validate(
        {
            "name": "x",
            "target": target,
            "rows": [],
            "costs": [{"protocol": "plafond", "costs": costs, "step_ns": 1}],
            "ticks": [(10, 2), (20, 3)],
            "notes": [],
        }
    )
    file = folder / f"{target}.json"
    file.write_text(report.model_dump_json())
    text = SHARING.replace('"ceiling", "inherit"]', f'"plafond"]\ncosts = "{file}"')
    known = costs_of_study(loads_study(text))
    assert known
    return known


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("vm", "Costs: instructions, counted on vm; one takes a nanosecond."),
        ("a53", "Costs: instructions, counted on a53; one takes a nanosecond."),
        ("linux", "Costs: the largest times that `analyse --overheads linux` measured."),
    ],
)
def test_the_costs_of_a_target_have_its_ticks_and_unit(
    target: str, said: str, tmp_path: Path
) -> None:
    known = costs_on(target, tmp_path)

    assert known.said == said
    assert known.overheads["plafond"].noise == ((10, 2), (20, 3))


def test_missing_costs_are_an_error_of_their_file(tmp_path: Path) -> None:
    costs_on("vm", tmp_path)
    file = tmp_path / "vm.json"
    text = SHARING.replace('"ceiling", "inherit"]', f'"plafond-syscall"]\ncosts = "{file}"')

    with pytest.raises(ArgumentError) as caught:
        costs_of_study(loads_study(text))
    assert str(caught.value).startswith(f"{file}: found no costs of plafond-syscall; expected")


# ---- Reports -------------------------------------------------------------------------------------


def points_of(study: Study, *rows: tuple[int, ...]) -> Points:
    """Return the same counts for each utilisation; `rows` has the counts of each case."""
    return {each: Counts(40, rows) for each in study.utilisations}


def printed(study: Study, points: Points) -> str:
    text = io.StringIO()
    print_report(make_report(study, points), Console(file=text, width=200))
    return text.getvalue()


def cells(text: str, title: str) -> list[list[str]]:
    """Return the cells of a table's lines, after its title."""
    lines = text[text.index(title) :].splitlines()
    rows = [line.replace("|", " ").replace("│", " ").split() for line in lines[1:]]
    return [row for row in rows if row]


def test_a_partial_report_is_of_the_finished_points() -> None:
    study = loads_study(CLUSTERS)
    points = {ONE: Counts(50, ((25, 20), (20, 20), (5, 20)))}
    report = make_report(study, points)

    assert (report.conditions.tasks, report.conditions.missing) == (2, 2)
    assert [row.weighted.value for row in report.weighted[:3]] == [1, 0.8, 0.2]
    missing = "NOT COMPLETE: 2 utilisations are missing, and W is of the others"
    assert missing in printed(study, points)
    assert "NOT COMPLETE" not in printed(study, points_of(study, *((1, 1),) * 3))


def test_no_ratio_leaves_its_range() -> None:
    none, every = (weigh([ONE, Fraction(2)], [each] * 2, 10) for each in (0, 10))

    assert (none.low, every.high) == (0, 1)
    assert none.high > 0
    assert every.low < 1


def test_an_equal_alternative_is_not_below() -> None:
    study = loads_study(CLUSTERS)
    rows = [(20, 25), (20, 20), (20, 19)]
    found = make_report(study, points_of(study, *rows)).break_even
    assert [(row.compared, row.cache_ns) for row in found] == [("global", 1_000_000)]

    rows = [(20, 25), (20, 19), (20, 18)]
    found = make_report(study, points_of(study, *rows)).break_even
    assert [(row.compared, row.cache_ns) for row in found] == [("global", 500_000)]
    assert "is below W of partitioned with 0ns" in printed(study, points_of(study, *rows))


def test_a_single_delay_has_no_break_even() -> None:
    study = loads_study(CLUSTERS.replace("cache 0us 1ms 500us", "cache 0us 0us 1us"))

    assert make_report(study, points_of(study, (20, 10))).break_even == []


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (CLUSTERS, [NOTES[Deadlines.SOFT], PACKED, ACCOUNTED, WEIGHTED]),
        (CLUSTERS.replace("cache", "overhead"),
         [NOTES[Deadlines.SOFT], PACKED, SWITCHED, WEIGHTED]),
        (FULL.replace('vary = "cache 0us 1ms 500us"\n', "").replace("soft", "hard"),
         [NOTES[Deadlines.HARD], PACKED, WEIGHTED]),
        (SHARING, [*SHARED, FREE, WEIGHTED]),
        (SHARING + 'vary = "cache 0us 1us 1us"\n', [*SHARED, FREE, CACHED, WEIGHTED]),
        (SHARING + 'vary = "overhead 0us 1us 1us"\n',
         [*SHARED, FREE_BUT_SWITCHES, SWITCHED_SHARING, WEIGHTED]),
    ],
    ids=["soft", "switched", "hard", "sharing", "cached", "switched-sharing"],
)  # fmt: skip
def test_the_notes_are_those_of_the_study(text: str, notes: list[str]) -> None:
    assert make_report(loads_study(text), {}).conditions.notes == notes


def test_the_larger_side_of_an_interval_is_printed() -> None:
    study = loads_study(CLUSTERS)
    text = printed(study, points_of(study, (25, 0), (24, 1), (12, 12)))
    report = make_report(study, points_of(study, (25, 0), (24, 1), (12, 12)))
    first = report.weighted[0].weighted

    assert first.high == 1
    assert f"1.000 +-{1 - first.low:.3f}" in text


def test_the_acceptance_ratios_are_of_the_first_case() -> None:
    study = loads_study(CLUSTERS)
    text = printed(study, points_of(study, (25, 20), (15, 10), (5, 0)))

    assert ["1.5", "1.000", "0.800"] in cells(text, "Acceptance ratio with a cache delay of 0ns")


def test_the_map_has_the_best_of_each_case() -> None:
    study = loads_study(MAP)  # two lengths by two shares
    text = printed(study, points_of(study, (20, 10), (10, 10), (5, 6), (9, 4)))
    rows = cells(text, "What has the largest W, and by how much, by section and share")

    assert ["10us", "ceiling", "+0.500", "all", "equal"] in rows
    assert ["1ms", "inherit", "+0.050", "ceiling", "+0.250"] in rows
    gains = cells(text, "Sets that ceiling takes more than each other, of 40")
    assert ["10us", "0.2", "+20"] in gains
    assert ["1ms", "0.2", "-2"] in gains


def test_the_others_among_the_best_are_counted() -> None:
    def best(*names: str) -> str:
        return best_in_words(BestRow(cache_ns=0, best=[*names], weighted=1, margin=None))

    assert (best("a"), best("a", "b", "c")) == ("a", "a and 2 more")


@pytest.mark.parametrize("text_of", [csv_text, utilisations_csv_text])
def test_a_csv_has_one_kind_of_row_and_the_ends_of_each_interval(
    text_of: Callable[[SchedulabilityReport], str],
) -> None:
    study = loads_study(CLUSTERS)
    report = make_report(study, points_of(study, (25, 20), (15, 10), (5, 0)))
    rows = [*csv.DictReader(io.StringIO(text_of(report)))]

    assert len(rows) == 6 * (1 if text_of is csv_text else 3)
    assert len({tuple(name for name in row if row[name]) for row in rows}) == 1
    assert all(float(row["low"]) <= float(row["ratio"]) <= float(row["high"]) for row in rows)
    assert all(float(row["low"]) < float(row["high"]) for row in rows)


def test_the_conditions_name_resources_and_servers() -> None:
    study = loads_study(SERVERS)

    assert "4.0 tasks a set, 2 resources, 3 servers, last task: discard" in printed(
        study, points_of(study, (5,))
    )
