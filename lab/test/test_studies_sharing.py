# SPDX-License-Identifier: MIT
"""Studies of drawn sets that share resources on one CPU."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from drawn_systems import drawn_system
from typer.testing import CliRunner

from plafond.analyse.on_target import TargetReport
from plafond.analyse.overheads import Costs, Overheads
from plafond.bench.model import LocksReport
from plafond.cli import app
from plafond.describe import load
from plafond.describe.draw import load_study, loads_study
from plafond.describe.problems import DescriptionError
from plafond.describe.study import Case, Study
from plafond.describe.system import Run, System
from plafond.errors import ArgumentError
from plafond.protocols import Protocol, names_of
from plafond.report.schedulability import draw_schedulability
from plafond.studies import count as counting
from plafond.studies.checkpoint import Checkpoint, Points
from plafond.studies.costs import costs_of_study
from plafond.studies.count import Chunk, count
from plafond.studies.draw import draw_set, stream
from plafond.studies.measure import measure_schedulability
from plafond.studies.report import make_report

EXAMPLES = Path(__file__).parents[2] / "examples/studies"
SHARING = """\
cpus = 1
scheduler = "priority"
[draw]
sets = 20
utilisation = [0.5, 1, 0.25]
task_utilisation = "uniform 0.1 0.3"
interval = "log-uniform 1ms 20ms"
sections = { resources = 3, length = "uniform 10us 500us", share = 0.5 }
compare = ["ceiling", "inherit", "none"]
deadlines = "hard"
"""
MAP = SHARING.replace(
    ', length = "uniform 10us 500us", share = 0.5 }',
    ' }\nvary = ["section 10us 1ms x10", "share 0.2 0.8 0.3"]',
)
EDF = SHARING.replace('"priority"', '"edf"').replace('"ceiling", "inherit", "none"', '"floor"')
TOP = Fraction(1)


# ---- Descriptions --------------------------------------------------------------------------------


def test_two_variables_make_all_cases() -> None:
    study = loads_study(MAP)

    assert study.cases[:3] == tuple(
        Case(section_ns=10_000, share=Fraction(number, 10)) for number in (2, 5, 8)
    )
    assert [case.section_ns for case in study.cases[::3]] == [10_000, 100_000, 1_000_000]


# ---- Drawing -------------------------------------------------------------------------------------


def described(system: System) -> str:
    def steps(task_body: tuple[object, ...]) -> list[str]:
        return [
            f"run {step.duration_ns}ns"
            if isinstance(step, Run)
            else f"{type(step).__name__.lower()} {step.resource}"  # type: ignore[attr-defined]
            for step in task_body
        ]

    lines = [f'name = "{system.name}"', f'scheduler = "{system.scheduler}"']
    for task in system.tasks:
        assert task.interval
        lines += [f"[task.{task.name}]", f'arrival = "periodic {task.interval.least_ns}ns"']
        lines += [f'deadline = "{task.deadline_ns}ns"', f"body = {json.dumps(steps(task.body))}"]
        if system.scheduler.has_priorities:
            lines.append(f"priority = {task.priority}")
    return "\n".join([*lines, *(f"[resource.{each.name}]" for each in system.resources)])


@pytest.mark.parametrize("text", [SHARING, EDF], ids=["priority", "edf"])
def test_a_drawn_system_is_as_a_described_one(text: str, tmp_path: Path) -> None:
    file = tmp_path / "system.toml"
    for number in range(20):
        drawn = drawn_system(loads_study(text), number, TOP)
        file.write_text(described(drawn))
        loaded = load(file)
        assert drawn.tasks == tuple(task.changed(stack=None) for task in loaded.tasks)
        assert [(r.name, r.ceiling, {*r.users}, r.floor, r.cpus) for r in drawn.resources] == [
            (r.name, r.ceiling, {*r.users}, r.floor, r.cpus) for r in loaded.resources
        ]


def test_more_urgent_is_what_has_the_shorter_interval() -> None:
    tasks = drawn_system(loads_study(SHARING), 0, TOP).tasks
    intervals = [task.least_interval_ns for task in tasks]

    assert len(tasks) > 2
    assert intervals == sorted(intervals)
    assert [task.priority for task in tasks] == list(range(len(tasks), 0, -1))
    assert intervals == [task.deadline_ns for task in tasks]


def test_sections_are_part_of_the_run_time_and_no_longer_than_an_equal_part() -> None:
    study = loads_study(SHARING)
    for number in range(20):
        short, long = (
            drawn_system(study, number, TOP, Case(section_ns=length_ns)) for length_ns in (7, 10**9)
        )
        random = stream(study, TOP, number)
        tasks = draw_set(study, TOP, random)
        costs = {f"T{place + 1}": cost_ns for place, cost_ns in enumerate(tasks.costs_ns)}
        for one, other in zip(short.tasks, long.tasks, strict=True):
            used = len(one.resources)
            assert one.run_ns == other.run_ns == costs[one.name]
            assert one.longest_hold_ns(one.resources) == (7 if used else 0)
            assert other.longest_hold_ns(one.resources) == (costs[one.name] // used if used else 0)


def test_a_larger_share_uses_the_same_and_more() -> None:
    study = loads_study(SHARING)
    used = {0.2: 0, 0.7: 0}
    tasks = 0
    for number in range(300):
        few, many = (
            drawn_system(study, number, TOP, Case(section_ns=1, share=Fraction(str(share))))
            for share in used
        )
        for one, other in zip(few.tasks, many.tasks, strict=True):
            assert one.resources <= other.resources
            used[0.2] += len(one.resources)
            used[0.7] += len(other.resources)
            tasks += 1
    for share, uses in used.items():
        assert uses / (3 * tasks) == pytest.approx(share, abs=0.03)


def test_lengths_are_drawn_from_their_range() -> None:
    from scipy.stats import kstest  # late: workers load this file, too

    study = loads_study(SHARING.replace("1ms 20ms", "500ms 900ms"))  # no section is cut
    lengths = [
        step.duration_ns
        for number in range(400)
        for task in drawn_system(study, number, TOP).tasks
        for step, held in task.held()
        if held and isinstance(step, Run)
    ]

    assert float(kstest(lengths, "uniform", (10_000, 490_000)).pvalue) > 0.01
    assert float(kstest(lengths, "uniform", (10_000, 560_000)).pvalue) < 1e-3  # it can fail


def test_tasks_are_the_same_with_sections_and_without() -> None:
    with_sections = loads_study(SHARING)
    without = loads_study(SHARING.replace("sections = {", "#").replace(
        '"priority"', '"edf"').replace('"ceiling", "inherit", "none"', '"global"'))  # fmt: skip
    for study in (with_sections, without):
        assert draw_set(study, TOP, stream(study, TOP, 3)).costs_ns == draw_set(
            with_sections, TOP, stream(with_sections, TOP, 3)
        ).costs_ns  # fmt: skip


# ---- Costs ---------------------------------------------------------------------------------------

RECORDED = EXAMPLES / "bench-locks.json"


def with_costs(text: str, file: Path, *names: str) -> str:
    compared = ", ".join(f'"{name}"' for name in names)
    compare = f'compare = [{compared}]\ncosts = "{file}"'
    return text.replace('compare = ["ceiling", "inherit", "none"]', compare)


def test_costs_are_those_of_bench_locks() -> None:
    stock = names_of(lambda row: row.is_stock)
    study = loads_study(with_costs(SHARING, RECORDED, *stock))
    known = costs_of_study(study)
    report = LocksReport.model_validate_json(RECORDED.read_text())

    assert known
    assert [*known.overheads] == [*stock]
    assert "`bench locks` on AMD EPYC" in known.said
    plafond = known.overheads["plafond"].costs[Protocol.CEILING]
    protect = known.overheads["protect"].costs[Protocol.CEILING]
    assert plafond.pair_ns < 100 < protect.pair_ns
    wake_ns = next(r.ns_max for r in report.preempted if r.lock == "no-lock-sem_wait")
    assert wake_ns <= plafond.interrupt_ns < wake_ns + 1


def test_costs_are_those_of_a_target(tmp_path: Path) -> None:
    costs = {"interrupt_ns": 5, "activation_ns": 1, "switch_ns": 2, "pair_ns": 3}
    rows = [{"protocol": name, "costs": costs, "step_ns": 1} for name in ("syscall", "uprio-nprio")]
    report = TargetReport.model_validate(
        {"name": "x", "target": "a53", "rows": [], "costs": rows, "ticks": [], "notes": []}
    )
    (tmp_path / "a53.json").write_text(report.model_dump_json())
    known = costs_of_study(
        loads_study(with_costs(SHARING, tmp_path / "a53.json", "syscall", "uprio-nprio"))
    )

    assert known
    assert known.said == "Costs: instructions, counted on a53; one takes a nanosecond."
    assert known.overheads["syscall"] == Overheads({Protocol.CEILING: Costs(5, 1, 2, 3)}, step_ns=1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]", "found something else; expected the JSON of `bench locks` or `analyse"),
        ("{", "found something else; expected the JSON of"),
        ('{"target": "a53"}', "found something else; expected the JSON of"),
    ],
)
def test_other_files_are_no_costs(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "costs.json"
    file.write_text(content)

    with pytest.raises(ArgumentError, match=message):
        costs_of_study(loads_study(with_costs(SHARING, file, "plafond")))


def test_a_protocol_without_costs_is_refused() -> None:
    with pytest.raises(ArgumentError, match="found no costs of lazy-ceiling; expected them, or to"):
        costs_of_study(loads_study(with_costs(SHARING, RECORDED, "plafond", "lazy-ceiling")))


def test_times_and_theory_are_not_mixed() -> None:
    with pytest.raises(DescriptionError, match=r'draw.compare\[1\]: found "ceiling"; expected'):
        loads_study(with_costs(SHARING, RECORDED, "plafond", "ceiling"))


# ---- Counting ------------------------------------------------------------------------------------


def test_all_are_asked_about_the_same_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[Protocol, list[System]] = {}

    def noted(system: System, protocol: Protocol, _: object) -> bool:
        asked.setdefault(protocol, []).append(system)
        return False

    monkeypatch.setattr(counting, "keeps_deadlines", noted)
    count(Chunk(loads_study(MAP), TOP, range(3)))

    ceiling, inherit, none = asked.values()
    assert ceiling == inherit == none
    assert len(ceiling) == 3 * 9
    runs = [tuple(task.run_ns for task in system.tasks) for system in ceiling]
    for place in range(0, len(runs), 9):
        assert len({*runs[place : place + 9]}) == 1  # one draw for all cases


def test_one_and_two_processes_give_equal_bytes() -> None:
    study = loads_study(with_costs(MAP, RECORDED, "plafond", "inherit"))
    one, two = (measure_schedulability(study, jobs, None) for jobs in (1, 2))

    assert one.report.model_dump_json() == two.report.model_dump_json()
    assert one.stopped_by is None


def test_longer_sections_are_never_better() -> None:
    report = measure_schedulability(loads_study(MAP), 1, None).report
    w = {(row.compared, row.section_ns, row.share): row.weighted.value for row in report.weighted}

    for name in ("ceiling", "inherit", "none"):
        for share in (0.2, 0.5, 0.8):
            values = [w[name, 10**power, share] for power in (4, 5, 6)]
            assert values == sorted(values, reverse=True)
    assert w["ceiling", 1_000_000, 0.8] < w["ceiling", 10_000, 0.2]
    for _, length_ns, share_or_none in w:
        of_case = [w[name, length_ns, share_or_none] for name in ("ceiling", "inherit", "none")]
        assert of_case == sorted(of_case, reverse=True)
        assert of_case[1] > of_case[2]


def test_edf_takes_what_fixed_priorities_take() -> None:
    chunk = Chunk(loads_study(SHARING), TOP, range(20))
    by_priority = count(chunk).schedulable[0][0]
    by_edf = count(replace(chunk, study=loads_study(EDF))).schedulable[0][0]

    assert 0 < by_priority < by_edf


def test_a_checkpoint_is_of_its_costs(tmp_path: Path) -> None:
    study = loads_study(with_costs(SHARING, RECORDED, "plafond"))
    costs = costs_of_study(study)
    assert costs
    Checkpoint(tmp_path / "points", study, costs)
    Checkpoint(tmp_path / "points", replace(study, costs=Path("elsewhere")), costs)
    other = replace(costs, overheads={"plafond": Overheads({Protocol.CEILING: Costs(1)})})

    with pytest.raises(ArgumentError, match="found no checkpoint of this description"):
        Checkpoint(tmp_path / "points", study, other)


# ---- Reports -------------------------------------------------------------------------------------


def points_of(study: Study, counts: Callable[[int], tuple[int, ...]]) -> Points:
    rows = tuple(counts(place) for place in range(len(study.cases)))
    return {each: counting.Counts(10, rows) for each in study.utilisations}


def test_the_best_is_what_takes_most() -> None:
    study = loads_study(MAP)
    rows = {0: (20, 10, 0), 1: (10, 10, 5), 2: (5, 5, 5), 3: (1, 2, 0)}
    report = make_report(study, points_of(study, lambda place: rows.get(place, (0, 0, 0))))

    assert [row.best for row in report.best[:4]] == [
        ["ceiling"],
        ["ceiling", "inherit"],
        ["ceiling", "inherit", "none"],
        ["inherit"],
    ]
    assert [row.margin for row in report.best[:4]] == pytest.approx([0.5, 0.25, None, 0.05])
    gains = {(row.over, row.section_ns, row.share): row.sets for row in report.gains}
    assert gains["inherit", 10_000, 0.2] == 3 * 10
    assert gains["none", 10_000, 0.5] == 3 * 5
    assert gains["inherit", 100_000, 0.2] == -3


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["bench", "schedulability", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_command_prints_a_map(tmp_path: Path) -> None:
    file, plot = tmp_path / "study.toml", tmp_path / "map.svg"
    file.write_text(MAP)
    table = run(str(file), "--jobs", "1", "--plot", str(plot))
    rows = list(csv.DictReader(io.StringIO(run(str(file), "--jobs", "1", "--format", "csv"))))

    assert "What has the largest W, and by how much, by section and share" in table
    assert "Sets that ceiling takes more than each other, of 60" in table
    assert "Locks, arrivals and switches cost nothing." in table
    assert len(rows) == 3 * 9
    assert (rows[0]["section_ns"], rows[0]["share"]) == ("10000", "0.2")
    picture = plot.read_text()
    assert picture.startswith("<svg")
    assert all(words in picture for words in ("1ms", "share of the resources", "ceiling"))


def test_one_variable_is_a_line_each() -> None:
    text = MAP.replace('["section 10us 1ms x10", "share 0.2 0.8 0.3"]', '"share 0.2 0.8 0.3"')
    text = text.replace("resources = 3 }", 'resources = 3, length = "uniform 10us 1ms" }')
    report = measure_schedulability(loads_study(text), 1, None).report

    picture = draw_schedulability(report)
    assert "share of the resources that a task uses" in picture
    assert "weighted schedulability" in picture


def test_the_examples_are_right() -> None:
    for file in sorted(EXAMPLES.glob("*.toml")):
        costs_of_study(load_study(file))
