# SPDX-License-Identifier: MIT
"""Drawn task sets and studies of them: descriptions, distributions, counts, and the command."""

import csv
import io
import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path

import pytest
from patience import HUNG_S, until
from typer.testing import CliRunner

from plafond.analyse.multiprocessor import packing
from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.cli import app
from plafond.describe.draw import load_study
from plafond.describe.study import Last, Study
from plafond.errors import ArgumentError
from plafond.report.schedulability import draw_schedulability
from plafond.studies import measure, pool
from plafond.studies.checkpoint import Checkpoint
from plafond.studies.count import Chunk, Counts, count
from plafond.studies.draw import draw_set, stream
from plafond.studies.effort import effort_in_words
from plafond.studies.measure import measure_schedulability
from plafond.studies.pool import WorkerDiedError
from plafond.studies.report import make_report, weigh, wilson

WEIGHTS = [Fraction(1), Fraction(2), Fraction(3)]
EXAMPLE = Path(__file__).parents[2] / "examples/studies/bastoni-2010-figure-5.toml"
SMALL = """\
cpus = 4
scheduler = "edf"
[draw]
sets = 30
utilisation = [1, 4, 0.5]
task_utilisation = "uniform 0.5 0.9"
interval = "uniform 3ms 33ms"
vary = "cache 0us 1ms 500us"
compare = ["partitioned", "clustered 2", "global"]
deadlines = "soft"
"""


def described(folder: Path, text: str = SMALL) -> Path:
    file = folder / "study.toml"
    file.write_text(text)
    return file


def study_of(folder: Path, text: str = SMALL) -> Study:
    return load_study(described(folder, text))


# ---- Descriptions --------------------------------------------------------------------------------


def test_the_example_is_the_papers_experiment() -> None:
    study = load_study(EXAMPLE)

    assert (study.cpus, study.last) == (24, Last.DISCARD)
    assert [each.cpus for each in study.clusters] == [1, 2, 6, 24]
    caches_ns = [case.cache_ns for case in study.cases]
    assert caches_ns[:2] + caches_ns[-1:] == [0, 50_000, 2_000_000]
    assert study.utilisations[::46] == (Fraction(1), Fraction(24))
    assert len(study.utilisations) == 47


def test_a_step_is_as_it_is_written(tmp_path: Path) -> None:
    study = study_of(tmp_path, SMALL.replace("[1, 4, 0.5]", "[1, 4, 0.1]"))

    assert study.utilisations[3] == Fraction(13, 10)
    assert study.utilisations[-1] == 4


# ---- Drawing -------------------------------------------------------------------------------------


def drawn_tasks(study: Study, sets: int) -> list[tuple[float, int]]:
    """Return the utilisation and the interval of each set's first task, which no sum limits."""
    top = study.utilisations[-1]
    found = []
    for number in range(sets):
        tasks = draw_set(study, top, stream(study, top, number))
        found.append((tasks.costs_ns[0] / tasks.intervals_ns[0], tasks.intervals_ns[0]))
    return found


def p_value(values: list[float], least: float, span: float) -> float:
    """Return the p-value of the Kolmogorov-Smirnov test for uniform values in that range."""
    from scipy.stats import kstest  # late: workers load this file, too

    return float(kstest(values, "uniform", (least, span)).pvalue)


def test_uniform_parameters_are_uniform(tmp_path: Path) -> None:
    tasks = drawn_tasks(study_of(tmp_path), 4_000)

    assert p_value([u for u, _ in tasks], 0.5, 0.4) > 0.01
    assert p_value([t for _, t in tasks], 3e6, 30e6) > 0.01
    assert p_value([t for _, t in tasks], 3e6, 32e6) < 1e-3  # it can fail


def test_log_uniform_parameters_are_log_uniform(tmp_path: Path) -> None:
    text = SMALL.replace("uniform 3ms", "log-uniform 3ms").replace("uniform 0.5", "log-uniform 0.1")
    tasks = drawn_tasks(study_of(tmp_path, text), 4_000)

    utilisations = [math.log(u) for u, _ in tasks]
    intervals = [math.log(t) for _, t in tasks]
    assert p_value(utilisations, math.log(0.1), math.log(9)) > 0.01
    assert p_value(intervals, math.log(3e6), math.log(11)) > 0.01


def test_sets_come_close_to_what_they_may_ask_for(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    scaled = study_of(tmp_path, SMALL.replace("sets = 30", 'sets = 30\nlast = "scale"'))
    top = Fraction(7, 2)
    left = []
    for number in range(300):
        discarded = draw_set(study, top, stream(study, top, number))
        asked = Fraction(sum(discarded.utilisations), discarded.unit)
        assert top - Fraction(9, 10) < asked <= top
        assert all(0.49 < u / discarded.unit < 0.91 for u in discarded.utilisations)
        left.append(float(top - asked))
        full = draw_set(scaled, top, stream(scaled, top, number))
        missing = top - Fraction(sum(full.utilisations), full.unit)
        assert 0 <= missing < Fraction(1, min(full.intervals_ns))
        assert full.costs_ns[: len(discarded)] == discarded.costs_ns  # the first tasks are equal
    assert max(left) > 0.5


def test_a_set_is_its_own_whatever_is_drawn_before(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    half = Fraction(5, 2)
    first = draw_set(study, half, stream(study, half, 7))

    assert draw_set(study, half, stream(study, half, 7)) == first
    others = [(half, 8), (Fraction(2), 7)]
    assert all(draw_set(study, u, stream(study, u, n)) != first for u, n in others)


# ---- Counting ------------------------------------------------------------------------------------


def test_all_schedulers_and_delays_are_asked_about_the_same_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[tuple[int, int], list[tuple[int, ...]]] = {}

    def noted(tasks: TaskSet, clusters: int, cpus: int) -> bool:
        asked.setdefault((clusters, cpus), []).append(tasks.costs_ns)
        return False

    monkeypatch.setattr(packing, "bounded", noted)
    study = study_of(tmp_path)
    count(Chunk(study, Fraction(3), range(5)))

    costs = asked[4, 1]
    assert list(asked) == [(4, 1), (2, 2), (1, 4)]
    assert asked[2, 2] == asked[1, 4] == costs
    for place in range(0, len(costs), 3):
        slowed = [tuple(ns + by for ns in costs[place]) for by in (0, 500_000, 1_000_000)]
        assert costs[place : place + 3] == slowed


def test_hard_and_soft_are_asked_apart(tmp_path: Path) -> None:
    chunk = Chunk(study_of(tmp_path), Fraction(4), range(30))
    hard = Chunk(study_of(tmp_path, SMALL.replace("soft", "hard")), Fraction(4), range(30))

    soft_counts, hard_counts = count(chunk).schedulable[0], count(hard).schedulable[0]

    assert soft_counts[0] == hard_counts[0]  # partitioned: both have the same condition
    assert soft_counts[2] == 30 > hard_counts[2]


# ---- Ratios --------------------------------------------------------------------------------------


def test_weighted_schedulability_is_as_the_paper_has_it() -> None:
    found = weigh(WEIGHTS, [10, 5, 0], 10)

    assert found.value == pytest.approx((1 * 1 + 2 * 0.5) / 6)
    assert 0 < found.low < found.value < found.high < 1
    assert weigh(WEIGHTS[:1], [10], 10).high == 1
    assert weigh(WEIGHTS[:1], [10], 10).low < 1  # ten of ten are no certainty


def test_equal_weighted_ratios_are_equal_however_they_come_about() -> None:
    weights = [Fraction(1, 2), Fraction(1), Fraction(3, 2)]
    found = {weigh(weights, counts, 10).value for counts in ([3, 0, 0], [0, 0, 1], [1, 1, 0])}

    assert found == {0.05}


def test_a_ratio_has_wilsons_interval() -> None:
    found = wilson(8, 10)

    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert (wilson(0, 10).low, wilson(10, 10).high) == pytest.approx((0, 1))


def test_intervals_hold_as_often_as_they_say() -> None:
    """W of the shares 1, 0.5 and 0.3, drawn a thousand times."""
    from random import Random

    random, inside = Random(1), 0
    for _ in range(1_000):
        counts = [sum(random.random() < share for _ in range(50)) for share in (1, 0.5, 0.3)]
        ratio = weigh(WEIGHTS, counts, 50)
        inside += ratio.low <= (1 + 2 * 0.5 + 3 * 0.3) / 6 <= ratio.high
    assert 930 < inside < 985


# ---- The whole study -----------------------------------------------------------------------------


def test_one_and_two_processes_give_equal_bytes(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    one, two = (measure_schedulability(study, jobs, None) for jobs in (1, 2))

    assert one.report.model_dump_json() == two.report.model_dump_json()
    assert one.stopped_by is None
    w = {(row.compared, row.cache_ns): row.weighted.value for row in one.report.weighted}
    assert w["global", 0] == 1
    assert w["partitioned", 0] < w["clustered 2", 0] < 1
    assert w["global", 1_000_000] < w["global", 500_000] < 1


def test_a_checkpoint_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study, kept = study_of(tmp_path), tmp_path / "points"
    whole = measure_schedulability(study, 1, kept).report
    lines = kept.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + len(study.utilisations)
    kept.write_text("".join(lines[:4]) + lines[4][:9])  # killed in the middle of a line
    drawn: list[Fraction] = []

    def counted(chunk: Chunk) -> Counts:
        drawn.append(chunk.utilisation)
        return count(chunk)

    monkeypatch.setattr(pool, "count", counted)
    again = measure_schedulability(study, 1, kept).report

    assert again == whole
    assert kept.read_text() == "".join(lines)
    assert set(drawn) == set(study.utilisations[3:])


def test_a_checkpoint_of_another_study_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "points"
    Checkpoint(kept, study_of(tmp_path))
    other = study_of(tmp_path, SMALL.replace("sets = 30", "sets = 31"))

    with pytest.raises(ArgumentError, match="found no checkpoint of this description"):
        Checkpoint(kept, other)
    kept.write_text("something else, without an end of line")
    with pytest.raises(ArgumentError, match="expected one, or no file"):
        Checkpoint(kept, other)
    assert kept.read_text() == "something else, without an end of line"


def test_a_line_of_a_checkpoint_that_is_no_point_is_named(tmp_path: Path) -> None:
    kept, study = tmp_path / "points", study_of(tmp_path)
    Checkpoint(kept, study)
    with kept.open("a") as file:
        file.write("[1]\n")

    with pytest.raises(ArgumentError, match=r"points:2: found '\[1\]'; expected a point"):
        Checkpoint(kept, study)


def stopping(error: type[BaseException]) -> Callable[[Chunk], Counts]:
    def stop(chunk: Chunk) -> Counts:
        if chunk.utilisation > 2:
            raise error
        return count(chunk)

    return stop


@pytest.mark.parametrize("error", [KeyboardInterrupt, WorkerDiedError])
def test_what_is_finished_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(pool, "count", stopping(error))
    study = study_of(tmp_path)

    outcome = measure_schedulability(study, 1, tmp_path / "points")

    assert isinstance(outcome.stopped_by, error)
    assert outcome.report.conditions.utilisations == [1, 1.5, 2]
    assert outcome.report.conditions.missing == 4
    assert len(Checkpoint(tmp_path / "points", study).points) == 3


def die(_: Chunk) -> Counts:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_worker_that_dies_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "count", die)  # workers find it by name in this file

    outcome = measure_schedulability(study_of(tmp_path), 2, None)

    assert isinstance(outcome.stopped_by, WorkerDiedError)
    assert "a worker died" in str(outcome.stopped_by)
    assert outcome.report.weighted == []


def test_the_effort_is_that_of_all_processes(tmp_path: Path) -> None:
    report = measure_schedulability(study_of(tmp_path), 1, None).report
    begun = os.times_result((1, 2, 3, 4, 100))
    ended = os.times_result((1.5, 2.25, 9, 5, 103.5))

    said = f"210 sets of {report.conditions.tasks:.1f} tasks, 3.5 s"
    assert effort_in_words(report, begun, ended, is_here=False) == said
    assert effort_in_words(report, begun, ended, is_here=True) == f"{said}, 7.8 s of processor time"


# ---- The command ---------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["bench", "schedulability", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_command_prints_tables_json_and_csv(tmp_path: Path) -> None:
    file, plot = str(described(tmp_path)), tmp_path / "plots/w.svg"
    table = run(file, "--jobs", "1", "--plot", str(plot))
    report = json.loads(run(file, "--jobs", "1", "--format", "json"))
    rows, accepted = (
        list(csv.DictReader(io.StringIO(run(file, "--jobs", "1", "--format", form))))
        for form in ("csv", "csv-utilisations")
    )

    assert "Weighted schedulability W" in table
    assert "Acceptance ratio with a cache delay of 0ns" in table
    assert "The least delay with which W is below W of partitioned with 0ns" in table
    assert len(report["weighted"]) == 9
    assert (len(rows), len(accepted)) == (9, 9 * 7)
    first = report["weighted"][0]
    assert (rows[0]["compared"], "utilisation" in rows[0]) == ("partitioned", False)
    assert float(rows[0]["ratio"]) == pytest.approx(first["weighted"]["value"], abs=1e-6)
    found = {(row["compared"], row["cache_ns"], row["utilisation"]): row for row in accepted}
    assert found["global", "0", "3.5"]["schedulable"] == "30"
    picture = plot.read_text()
    assert picture.startswith("<svg")
    assert all(name in picture for name in ("partitioned", "clustered 2", "global"))


def test_help_has_examples() -> None:
    text = run("--help")

    assert "plafond bench schedulability examples/studies/bastoni-2010-figure-5.toml" in text
    assert "--checkpoint" in text


def test_without_delays_the_picture_is_of_ratios(tmp_path: Path) -> None:
    text = SMALL.replace('vary = "cache 0us 1ms 500us"\n', "")
    study = study_of(tmp_path, text)
    report = measure_schedulability(study, 1, None).report

    assert report.break_even == []
    assert "acceptance ratio" in draw_schedulability(report)


def test_a_study_without_points_has_no_ratios(tmp_path: Path) -> None:
    report = make_report(study_of(tmp_path), {})

    assert (report.weighted, report.acceptance, report.break_even) == ([], [], [])
    assert report.conditions.missing == 7


@contextmanager
def long_study(folder: Path, points: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a study on two workers, in a new process group, until a point is finished."""
    text = SMALL.replace("sets = 30", "sets = 4000").replace("1ms 500us", "1ms 100us")
    command = [sys.executable, "-m", "plafond", "bench", "schedulability"]
    options = ["--jobs", "2", "--format", "json", "--checkpoint", str(points)]
    lab = Path(measure.__file__).parents[2]
    with subprocess.Popen(
        [*command, str(described(folder, text)), *options],
        env={**os.environ, "PYTHONPATH": str(lab)},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            until(lambda: points.exists() and points.read_text().count("\n") > 1, "a point")
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_ctrl_c_prints_what_is_finished(tmp_path: Path) -> None:
    """A terminal sends the signal to all processes of the group, workers among them."""
    points = tmp_path / "points"
    with long_study(tmp_path, points) as process:
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=HUNG_S)

    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    conditions = json.loads(output)["conditions"]
    assert conditions["missing"] == 7 - len(conditions["utilisations"]) > 0
    assert len(conditions["utilisations"]) == points.read_text().count("\n") - 1


def test_a_command_that_is_killed_leaves_no_worker(tmp_path: Path) -> None:
    with long_study(tmp_path, tmp_path / "points") as process:
        process.kill()
        process.wait()
        until(lambda: not is_there(process.pid), "its workers' end")


def is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
