# SPDX-License-Identifier: MIT
"""`plafond bench cpmd --schedule`: results from preempted jobs. No program runs."""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from cpmd_fakes import MS, US, line, sample, two_cores
from refusal import refusal
from rich.console import Console
from typer.testing import CliRunner

from plafond.bench.cpmd import tasks, tasks_report
from plafond.bench.cpmd.model import Verdict
from plafond.bench.cpmd.plan import Load
from plafond.bench.cpmd.samples import Dropped
from plafond.bench.cpmd.tasks import RUNS, SetSamples, take_output
from plafond.bench.cpmd.tasks_report import TasksReport, make_tasks_report
from plafond.bench.cpmd.tasks_table import print_tasks_report, tasks_csv_text
from plafond.cli import app
from plafond.describe.system import Interval, Run, System, Task
from plafond.errors import PlafondError
from plafond.report.cpmd import draw_task_counts

KIB = 1024


def task(name: str = "T", working_set: int | None = 64 * KIB, cpu: int = 0) -> Task:
    interval = Interval(20 * MS, 20 * MS)
    body = (Run(MS),)
    return Task.made(
        name,
        priority=2,
        cpu=cpu,
        interval=interval,
        offset_ns=3 * MS,
        deadline_ns=20 * MS,
        body=body,
        working_set=working_set,
    )


def system(*some: Task, name: str = "system") -> System:
    return System(name, 2, 1, some, ())


def ran(
    count: int, mean_ns: int, samples: int = 10, deviation: float = 0.1, name: str = "T"
) -> SetSamples:
    """Return runs of a set of `count` tasks on a CPU. One task has a working set.

    Each run has its own mean, which all its samples share.
    """
    random = Random(count)
    others = [task(f"other{i}", None) for i in range(count - 1)]
    found = SetSamples.of(system(task(name), *others, name=f"{count}"), Load.POLLUTED)
    means_ns = [random.uniform(1 - deviation, 1 + deviation) * mean_ns for _ in range(RUNS)]
    found.tasks[0].runs = [
        [sample(round(random.gauss(mean, 0.01 * mean))) for _ in range(samples)]
        for mean in means_ns
    ]
    return found


def report(*found: SetSamples) -> TasksReport:
    return make_tasks_report(found, 10, two_cores())


def test_equal_delays_beside_more_tasks_confirm_the_fifth() -> None:
    found = report(ran(2, 50 * US), ran(8, 52 * US))

    assert found.observation.verdict is Verdict.CONFIRMED
    assert found.observation.power.endswith(
        "with 1 of 1 pairs of tasks with equal sets beside different numbers of tasks"
    )
    assert [row.task_count for row in found.rows] == [2, 8]


def test_dearer_preemptions_beside_more_tasks_refute_the_fifth() -> None:
    assert report(ran(2, 50 * US), ran(8, 99 * US)).observation.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "found",
    [
        [ran(4, 50 * US)],
        [ran(4, 50 * US), ran(4, 99 * US)],
        [ran(2, 50 * US, deviation=0.9), ran(8, 50 * US, deviation=0.9)],
    ],
)
def test_without_two_numbers_of_tasks_or_power_the_fifth_is_open(
    found: Sequence[SetSamples],
) -> None:
    observation = report(*found).observation

    assert observation.verdict is Verdict.OPEN
    assert observation.power.startswith("none: a difference of 50%")


def test_what_runs_share_is_no_difference_of_sets() -> None:
    """The sets are equal, but their runs differ by more than the samples of a run."""
    found = report(ran(2, 50 * US, 1000, deviation=0.6), ran(8, 50 * US, 1000, deviation=0.6))

    assert found.observation.verdict is Verdict.OPEN


def test_all_rows_have_as_many_samples_as_the_one_with_the_fewest() -> None:
    many, few = ran(2, 50 * US, samples=30), ran(8, 50 * US, samples=9)
    few.tasks[0].runs[3] = few.tasks[0].runs[3][:4]
    for run in many.tasks[0].runs:
        run[4] = sample(delay_ns=10 * MS)  # the first sample too many

    found = report(many, few, ran(3, US, samples=2))

    assert found.samples == 4
    assert [row.samples for row in found.rows] == [4 * RUNS, 4 * RUNS]
    assert max(row.largest_ns for row in found.rows) < MS
    assert [(row.valid, row.is_left_out) for row in found.jobs] == [
        *((300, False), (85, False), (20, True))
    ]


def written(*counts: int) -> str:
    samples = [
        [line(sample(away_ns=index, after_cut=int(index == 0))) for index in range(count)]
        for count in counts
    ]
    tasks_lines = [[f"task {len(each)} 9 2 1", *each] for each in samples]
    return "\n".join(["sees_interrupts 1", *(line for each in tasks_lines for line in each)])


def test_samples_belong_to_the_task_above_them() -> None:
    found = SetSamples.of(system(task("A"), task("B", None), task("C", 4 * KIB)), Load.IDLE)

    take_output(written(3, 0, 2), found)
    take_output(written(1, 0, 4), found)

    first, _, last = found.tasks
    assert found.measured == [first, last]
    assert [each.dropped[Dropped.INTERRUPT] for each in found.measured] == [2, 2]
    assert [[one.away_ns for one in run] for run in first.runs] == [[1, 2], []]
    assert [[one.away_ns for one in run] for run in last.runs] == [[1], [1, 2, 3]]
    assert [(each.jobs, each.early, each.unsure) for each in found.measured] == [(18, 4, 2)] * 2


def test_other_output_is_an_error() -> None:
    with pytest.raises(PlafondError, match="cpmd-tasks wrote 2 tasks; expected the 1 of the set"):
        take_output(written(1, 1), SetSamples.of(system(task()), Load.IDLE))


def test_tables_have_rows_and_what_was_left_out() -> None:
    text = io.StringIO()
    found = report(ran(2, 50 * US), ran(8, US, samples=2))
    print_tasks_report(found, Console(file=text, width=140))

    assert "Observation 5" in text.getvalue()
    assert "LEFT OUT: too few are valid" in text.getvalue()
    assert len(tasks_csv_text(found).splitlines()) == 2
    assert "64KiB, polluted" in draw_task_counts(found)


DESCRIPTION = """
name = "a set"
cpus = 2
[task.T]
priority = 2
arrival = "periodic 20ms"
body = ["run 1ms"]
working_set = "100B"
[task.U]
priority = 1
cpu = 1
offset = "3ms"
arrival = "random 40ms 50ms"
body = ["run 1ms", "run 2ms"]
"""


def test_the_tasks_are_those_of_the_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = []

    def run(command: Sequence[str | Path], *_rest: object) -> str:
        commands.append([str(word) for word in command])
        return written(0, 0)

    monkeypatch.setattr(tasks, "find_program", Path)
    monkeypatch.setattr(tasks, "run_program", run)
    monkeypatch.setattr(tasks_report, "find_caches", lambda *_: two_cores())
    file = tmp_path / "set.toml"
    file.write_text(DESCRIPTION)
    words = ["bench", "cpmd", "--schedule", str(file), "--seconds", "3"]

    for each in ("table", "csv", "json"):
        assert CliRunner().invoke(app, [*words, "--format", each]).exit_code == 0
    CliRunner().invoke(app, [*words, "--plot", str(tmp_path)])
    assert (tmp_path / "figure-4.svg").exists()

    idle, polluted = commands[:2]
    assert commands[: 2 * RUNS] == [idle, polluted] * RUNS
    assert idle[1:4] == ["300", "4", "0"]
    assert polluted[1:4] == ["300", "4", str(2 * 32768 * KIB)]
    assert idle[4:] == ["0:2:20000000:0:1000000:128", "1:1:40000000:3000000:3000000:0"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('name = "a set"', 'name = "a set"\nscheduler = "edf"'), "found the scheduler edf"),
        (('body = ["run 1ms"]', 'body = ["run 1ms", "sleep 1ms"]'), "found T; expected tasks that"),
        (('working_set = "100B"', ""), "found no working_set; expected one of a task at least"),
        (('"run 2ms"', '"run 40ms"'), "CPU 1"),
    ],
)
def test_other_systems_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], message: str
) -> None:
    monkeypatch.setattr(tasks_report, "find_caches", lambda *_: two_cores())
    file = tmp_path / "set.toml"
    file.write_text(DESCRIPTION.replace(*change))

    result = CliRunner().invoke(app, ["bench", "cpmd", "--schedule", str(file)])

    assert message in str(result.exception)


def test_a_cpu_that_is_not_allowed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(two_cores(), cpus=(0,))
    monkeypatch.setattr(tasks_report, "find_caches", lambda *_: small)

    with pytest.raises(PlafondError, match="found T on CPU 1; expected one of 0"):
        tasks_report.measure_tasks([system(task(cpu=1))], [Load.IDLE], 1)


def test_options_of_the_other_method_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "set.toml"
    file.write_text(DESCRIPTION)
    for words in (["--quick"], ["--samples", "9"], ["--size", "4KiB"], ["--write-ratio", "0"]):
        assert "found it with --schedule" in refusal(
            ["bench", "cpmd", "--schedule", str(file), *words]
        )
