# SPDX-License-Identifier: MIT
"""`plafond bench programs`: from what was counted to the report."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from plafond.bench.programs.calls import calls_in
from plafond.bench.programs.inversions import Inversions
from plafond.bench.programs.measure import NOTES, row_of
from plafond.bench.programs.model import Conditions, Pair, ProgramsReport
from plafond.bench.programs.table import print_report
from plafond.errors import RefusedError

TRACE = """\
101 sched_setscheduler(101, SCHED_FIFO, [6]) = 0
102 sched_setscheduler(102, SCHED_FIFO, [31] <unfinished ...>
103   sched_setparam(103, [11]) = 0
102 <... sched_setscheduler resumed>) = 0
101 +++ exited with 0 +++
"""
PAIRS = [Pair(plain=100, drop_in=150), Pair(plain=110, drop_in=110), Pair(plain=90, drop_in=180)]


def test_a_call_in_two_lines_is_one_call() -> None:
    assert calls_in(TRACE) == 3
    assert calls_in("") == 0


def test_a_row_has_medians_and_the_ratios_of_the_pairs() -> None:
    row = row_of("pi_stress", "inversions in 5 s", PAIRS)
    assert (row.pairs, row.plain, row.drop_in) == (3, 100, 150)
    assert (row.ratio, row.ratio_min, row.ratio_max) == (1.5, 1.0, 2.0)


def test_the_table_has_its_conditions_above_it() -> None:
    conditions = Conditions(
        cpu_model="a processor", cpus=2, kernel="6.1", libc="glibc 2.36", quick=True, notes=NOTES
    )
    row = row_of("pi_stress", "inversions in 5 s", PAIRS)
    text = io.StringIO()
    print_report(
        ProgramsReport(conditions=conditions, programs=[row]),
        Console(file=text, width=120, highlight=False),
    )
    lines = text.getvalue().splitlines()
    assert lines[0].startswith("QUICK RUN")
    assert "a processor, 2 CPUs; Linux 6.1; glibc 2.36" in lines
    cells = "pi_stress  inversions in 5 s  3  100  150  1.500  1.000  2.000"
    assert lines[-1].split() == cells.split()


def test_a_missing_program_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        RefusedError, match="pi_stress is not installed: install the package rt-tests"
    ):
        Inversions(tmp_path, 1)
