# SPDX-License-Identifier: MIT
"""Features of Plafond's kernel that the analysis does not cover have no bound, not a wrong
bound."""

import json
from pathlib import Path

import pytest

from plafond.analyse.analysis import analyse
from plafond.analyse.overload import refuse_overload
from plafond.analyse.table import print_report
from plafond.check.model import report_of
from plafond.check.table import print_report as print_check
from plafond.describe import load
from plafond.describe.system import System
from plafond.protocols import Protocol

THREE = """
[task.high]
priority = 30
arrival = "periodic 10ms"
body = ["run 1ms"]
[task.middle]
priority = 20
{middle}
[task.low]
priority = 10
{low}
body = ["lock R", "run 3ms", "unlock R"{steps}]
[resource.R]
ceiling = 30
{tables}
"""
MIDDLE = 'arrival = "periodic 20ms"\nbody = ["run 2ms"]'
LOW = 'arrival = "periodic 40ms"'


def system_of(
    folder: Path, middle: str = MIDDLE, low: str = LOW, steps: str = "", tables: str = ""
) -> System:
    file = folder / "some.toml"
    (folder / "some.c").touch()
    file.write_text(THREE.format(middle=middle, low=low, steps=steps, tables=tables))
    return load(file)


def bounds(system: System, protocol: Protocol = Protocol.CEILING) -> dict[str, int | None]:
    refuse_overload(system)
    rows = analyse(system, [protocol]).rows
    return {row.task: row.response_bound_ns and row.response_bound_ns // 10**6 for row in rows}


def test_bounds_of_what_is_covered(tmp_path: Path) -> None:
    assert bounds(system_of(tmp_path)) == {"high": 4, "middle": 6, "low": 6}


@pytest.mark.parametrize(
    ("parts", "protocol", "expected", "note"),
    [
        (
            {"middle": 'autostart = true\nbody = ["run 2ms"]'},
            Protocol.CEILING,
            {"high": 4, "middle": None, "low": None},
            "ceiling: no bound for middle, low: middle has no arrival of its own",
        ),
        (
            {"middle": 'autostart = true\nbody = ["run 2ms"]'},
            Protocol.NONE,
            {"high": None, "middle": None, "low": None},
            "none: no bound for high, middle, low: middle has no arrival of its own",
        ),
        (
            {"middle": MIDDLE.replace('"run 2ms"', '"wait E"') + '\nevents = ["E"]'},
            Protocol.INHERIT,
            {"high": 1, "middle": None, "low": None},
            "middle waits for events",
        ),
        (
            {"steps": ', "activate middle"'},
            Protocol.CEILING,
            {"high": 4, "middle": None, "low": None},
            "low activates middle besides its arrivals",
        ),
        (
            {"tables": '[counter.C]\n[alarm.A]\ncounter = "C"\naction = "activate high"'},
            Protocol.CEILING,
            {"high": None, "middle": None, "low": None},
            "the alarm A activates high besides its arrivals",
        ),
        (
            {"low": f"{LOW}\nautostart = true"},
            Protocol.CEILING,
            {"high": 4, "middle": 6, "low": None},
            "its autostart activates low besides its arrivals",
        ),
        (
            {"low": f'{LOW}\nschedule = "non"'},
            Protocol.INHERIT,
            {"high": None, "middle": None, "low": 6},
            "no bound for high, middle: low is not preempted",
        ),
        (
            {"low": f'{LOW}\ninternal = "I"', "tables": "[resource.I]\ninternal = true"},
            Protocol.INHERIT,
            {"high": None, "middle": None, "low": 6},
            "low holds the internal resource I",
        ),
        (
            {"middle": "autostart = true", "tables": '[kernel]\nsources = ["some.c"]'},
            Protocol.CEILING,
            {"high": 4, "middle": None, "low": None},
            "no bound for middle, low: C files are not analysed, and middle has neither",
        ),
    ],
)
def test_no_bound_is_a_note(
    tmp_path: Path,
    parts: dict[str, str],
    protocol: Protocol,
    expected: dict[str, int | None],
    note: str,
) -> None:
    system = system_of(tmp_path, **parts)
    assert bounds(system, protocol) == expected
    assert any(note in line for line in analyse(system, [protocol]).notes)


def test_reports_show_what_is_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system = system_of(tmp_path, middle='autostart = true\nbody = ["run 2ms"]')
    checked = report_of(Path("some.toml"), system)
    row = json.loads(checked.model_dump_json())["tasks"][1]
    assert (row["least_interval_ns"], row["deadline_ns"], row["utilisation"]) == (None, None, None)
    assert (checked.cpus[0].utilisation, checked.cpus[0].overloaded) == (None, None)
    print_check(checked)
    print_report(analyse(system))
    reported = capsys.readouterr().out
    lines = [line.split() for line in reported.splitlines()]
    assert ["middle", "0", "20", "-", "-", "2ms", "-"] in lines
    assert ["0", "-", "not", "known"] in lines
    assert ["middle", "ceiling", "-", "-", "-", "no", "bound"] in lines


def test_arrivals_alone_can_ask_for_too_much(tmp_path: Path) -> None:
    system = system_of(
        tmp_path, middle='autostart = true\nbody = ["run 2ms"]', low='arrival = "periodic 3ms"'
    )
    assert report_of(Path("some.toml"), system).cpus[0].overloaded is True
