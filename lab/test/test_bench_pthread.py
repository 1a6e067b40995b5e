# SPDX-License-Identifier: MIT
"""`plafond bench pthread`: from samples to the report, and the pairs of whole programs."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import CONTEXT
from forked import run_forked
from patience import HUNG_S, until
from rich.console import Console

from plafond.bench.model import Arrival
from plafond.bench.pthread.model import ProgramRow, PthreadReport
from plafond.bench.pthread.preload import with_preload
from plafond.bench.pthread.programs import Program, measure_programs, median_interval, program_row
from plafond.bench.pthread.report import make_report
from plafond.bench.pthread.table import print_report
from plafond.bench.samples import Output, Run
from plafond.errors import PlafondError

LINES = 10_000
SORT = Program("sort", ["sort", "--parallel=2"])
PLAIN_NS = {
    "pair/empty-loop": 0.5,
    "pair/none": 20.0,
    "pair/inherit": 25.0,
    "pair/protect": 1000.0,
    "preempted/no-lock/passes-by": 1500.0,
    "preempted/protect/uses-lock": 3500.0,
    "preempted/protect/passes-by": 2500.0,
}
PRELOADED_NS = {
    "pair/none": 22.0,
    "pair/inherit": 26.0,
    "pair/protect": 10.0,
    "pair/protect-cross-cpu": 50.0,
    "pair/protect-unpinned": 1100.0,
    "preempted/no-lock/passes-by": 1600.0,
    "preempted/protect/uses-lock": 4500.0,
    "preempted/protect/passes-by": 4600.0,
}


def output(times_ns: Mapping[str, float], factor: float, instructions: float | None) -> Output:
    return Output(
        context=dict(CONTEXT),
        benchmarks=[
            Run(
                name=f"{name}/iterations:1000/real_time",
                family_index=index,
                run_type="iteration",
                real_time=ns * factor,
                time_unit="ns",
                instructions=2 if "empty" in name else instructions,
                system_calls=0,
                context_switches=2,
            )
            for index, (name, ns) in enumerate(times_ns.items())
        ],
    )


def report(more_instructions: float = 8, quick: bool = False) -> PthreadReport:
    factors = (1.1, 0.9, 1.0)
    return make_report(
        [output(PLAIN_NS, factor, 65) for factor in factors],
        [output(PRELOADED_NS, factor, 65 + more_instructions) for factor in factors],
        [program_row(SORT, [(1.0, 1.0)] * 20)],
        3,
        quick,
    )


def reached(reported: PthreadReport) -> dict[str, bool | None]:
    return {target.name: target.reached for target in reported.targets}


def test_json_has_the_promised_fields() -> None:
    reported = json.loads(report().model_dump_json())

    assert list(reported) == list(PthreadReport.model_fields)
    assert {"path", "ns_median", "system_calls"} < set(reported["rows"][0])


def test_a_path_is_a_row_of_one_of_both_processes() -> None:
    times = {row.path: (row.ns_min, row.ns_median, row.ns_max) for row in report().rows}

    assert {path: ns for path, (_, ns, _) in times.items()} == {
        "none": 20,
        "inherit": 25,
        "protect": 1000,
        "drop-in-protect": 10,
        "drop-in-protect-cross-cpu": 50,
        "drop-in-protect-unpinned": 1100,
        "drop-in-none": 22,
        "drop-in-inherit": 26,
    }
    assert times["drop-in-protect"] == pytest.approx((9, 10, 11))


def test_stops_are_counted_in_all_processes_and_mark_their_row() -> None:
    plain, preloaded = output(PLAIN_NS, 1, 65), output(PRELOADED_NS, 1, 65)
    next(run for run in preloaded.benchmarks if run.row == "pair/none").beyond_ns = 1e6
    again = [plain.model_copy(update={"again": 2}), plain.model_copy(update={"again": 3})]

    reported = make_report(again, [preloaded], [], 1, quick=False)

    assert (reported.conditions.again, reported.conditions.rows_with_stops) == (5, 1)
    assert [row.path for row in reported.rows if row.with_stops] == ["drop-in-none"]
    text = io.StringIO()
    print_report(reported, Console(file=text, width=112))
    assert "5 repetitions measured again" in text.getvalue()
    assert "drop-in-none *" in text.getvalue()


def test_figures_are_judged_by_their_limits() -> None:
    assert reached(report()) == {
        "drop-in-protect / none": True,
        "drop-in-protect-cross-cpu / none": False,
        "drop-in-none / none": True,
        "drop-in-inherit / inherit": True,
        "drop-in-none - none, instructions": True,
        "drop-in-inherit - inherit, instructions": True,
        "drop-in-protect / protect, preempted, uses-lock": True,
        "drop-in-protect / protect, preempted, passes-by": False,
        "sort, preloaded / plain: within the noise": True,
        "protect / drop-in-protect": None,
    }


def test_one_instruction_too_many_is_not_reached() -> None:
    assert not reached(report(more_instructions=9))["drop-in-none - none, instructions"]


def test_break_even_is_that_of_the_lazy_path() -> None:
    share = {row.arrival: row.share for row in report().break_even}[Arrival.USES_LOCK]

    assert share == pytest.approx(990 / (990 + 1000))


@pytest.mark.parametrize("width", [80, 112])
def test_no_cell_is_cut_off(width: int) -> None:
    text = io.StringIO()
    print_report(report(quick=True), Console(file=text, width=width))

    assert "…" not in text.getvalue()
    assert "QUICK RUN" in text.getvalue()
    assert "not reached" in text.getvalue()


@pytest.mark.parametrize(
    ("count", "first", "last"), [(1, 0, 0), (2, 0, 1), (5, 0, 4), (6, 0, 5), (20, 5, 14)]
)
def test_interval_of_the_median_is_the_binomial_one(count: int, first: int, last: int) -> None:
    assert median_interval([float(n) for n in reversed(range(count))]) == (first, last)


@pytest.mark.parametrize(
    ("slower", "within"), [([1.01] * 5 + [0.99] * 15, False), ([1.01] * 6 + [0.99] * 14, True)]
)
def test_within_the_noise_is_what_the_interval_says(slower: list[float], within: bool) -> None:
    row = program_row(SORT, [(1.0, seconds) for seconds in slower])

    assert row.within_noise == within


def test_ratios_are_those_of_the_pairs() -> None:
    row = program_row(SORT, [(1.0, 2.0), (10.0, 30.0), (2.0, 8.0)])

    assert (row.ratio_low, row.ratio, row.ratio_high) == (2, 3, 4)
    assert (row.plain_s, row.preloaded_s) == (2, 8)


def test_the_environment_of_the_lab_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAFOND_MODE", "off")
    monkeypatch.setenv("LD_PRELOAD", "")

    reported = subprocess.run(
        [*with_preload(None), "env"], capture_output=True, text=True, check=True
    )

    assert "LD_PRELOAD" not in reported.stdout
    assert "PLAFOND_MODE" not in reported.stdout


def some_library() -> Path:
    """Return a library whose preloading changes nothing, because every process has loaded it."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return next(Path(line.split()[-1]) for line in lines if "/libc.so" in line)


def measured(*arguments: str) -> list[ProgramRow]:
    program = Program("program", arguments, reads_file=False)
    return measure_programs(some_library(), 2, LINES, lambda _: None, [program])


def test_programs_run_in_pairs() -> None:
    steps: list[str] = []

    rows = measure_programs(some_library(), 3, LINES, steps.append, [SORT])

    assert steps == ["sort"] * 3
    assert (rows[0].pairs, rows[0].command) == (3, "sort --parallel=2")
    assert rows[0].plain_s > 0


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("echo $$", "did not write the same"),
        ("echo broken >&2; exit 3", "program: broken"),
        ("echo ERROR: ld.so: ignored >&2", "program: ERROR: ld.so: ignored"),
        ("exit 3", "program: exit 3"),
    ],
)
def test_a_program_that_fails_is_no_figure(script: str, line: str) -> None:
    with pytest.raises(PlafondError, match=line):
        measured("sh", "-c", script)


@pytest.fixture
def fake_build(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes a script as the program and an empty file as the drop-in."""

    def write(script: str) -> Path:
        for name, text in (
            ("bench/pthread", f"#!/bin/sh\n{script}\n"),
            ("linux/pthread/libplafond-pthread.so", ""),
        ):
            path = tmp_path / name
            path.parent.mkdir(parents=True)
            path.write_text(text)
            path.chmod(0o755)
        return tmp_path

    return write


NOTHING_MEASURED = '{"context": {}, "benchmarks": []}'
COMMAND = [sys.executable, "-m", "plafond", "bench", "pthread"]


def run(build: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PLAFOND_BUILD": str(build)}
    return run_forked("bench", "pthread", *arguments, environment=environment)


def test_help_has_examples(tmp_path: Path) -> None:
    assert "plafond bench pthread --format json" in run(tmp_path, "--help").stdout


@pytest.mark.parametrize("missing", ["bench", "linux"])
def test_what_is_not_built_is_named_in_one_line(
    missing: str, fake_build: Callable[[str], Path]
) -> None:
    build = fake_build("exit 1")
    shutil.rmtree(build / missing)

    result = run(build)

    assert result.returncode == 1
    assert f"{build / missing}" in result.stderr
    assert "is not built" in result.stderr
    assert result.stderr.count("\n") == 1


def test_missing_privilege_is_the_programs_line(fake_build: Callable[[str], Path]) -> None:
    result = run(fake_build("echo 'no privilege for SCHED_FIFO' >&2; exit 2"))

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.strip() == "plafond: no privilege for SCHED_FIFO"


def test_a_drop_in_that_cannot_be_loaded_is_no_figure(fake_build: Callable[[str], Path]) -> None:
    result = run(fake_build(f"echo '{NOTHING_MEASURED}'"))

    assert result.returncode == 1
    assert "cannot be preloaded" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_among_the_programs_leaves_nothing(
    number: signal.Signals, tmp_path: Path, fake_build: Callable[[str], Path]
) -> None:
    build = fake_build(f"echo '{NOTHING_MEASURED}'")
    drop_in = build / "linux/pthread/libplafond-pthread.so"
    drop_in.unlink()
    drop_in.symlink_to(some_library())
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [*COMMAND, "--quick"],
        env={**os.environ, "PLAFOND_BUILD": str(build), "TMPDIR": str(temporary)},
    )
    until(lambda: list(temporary.glob("*/output")), "a program")

    process.send_signal(number)

    assert process.wait(timeout=HUNG_S) == 128 + number
    assert list(temporary.iterdir()) == []
