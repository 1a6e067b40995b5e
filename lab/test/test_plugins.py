# SPDX-License-Identifier: MIT
"""Protocols of other packages: an entry point with a folder of the kernel and an analysis."""

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from plafond import plugin
from plafond.board.boards import KERNEL, ROOT
from plafond.plugin import GROUP, HEADERS, Plugin, load_plugins

INVERSION = ROOT / "examples/inversion.toml"
MODULE = """
from pathlib import Path
from plafond.plugin import Plugin

FOLDER = Path(__file__).parent / "kernel"

def blocked_by(once_ns):
    def analysis(system, task):
        from plafond.analyse.plugged import bounds_if_blocked
        return "it is the last" if task.name == "low" else bounds_if_blocked(system, task, once_ns)
    return analysis

def waits(system, task):
    from plafond.analyse.window import NoWindowError
    raise NoWindowError("it waits for ever")

def fails(system, task):
    raise ValueError("no such thing")

def lies(system, task):
    from plafond.analyse.response import Bounds
    return Bounds(0, task.run_ns - 1)

KNOWN = Plugin(analysis=blocked_by(4_000_000), kernel=FOLDER)
UNKNOWN = Plugin(analysis=None, kernel=FOLDER)
CEILING = Plugin(analysis="ceiling", kernel=FOLDER)
SHORT = Plugin(analysis=blocked_by(0), kernel=FOLDER)
ENDLESS = Plugin(analysis=waits, kernel=FOLDER)
FAILING = Plugin(analysis=fails, kernel=FOLDER)
LYING = Plugin(analysis=lies, kernel=FOLDER)
"""
NAMES = ("known", "unknown", "ceiling", "short", "endless", "failing", "lying")


@pytest.fixture(name="package")
def installed(tmp_path: Path) -> Path:
    """Install a package as pip does, and return its folder: its kernel is lazy-ceiling's."""
    metadata = tmp_path / "mine-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    points = "".join(f"mine.{name} = mine:{name.upper()}\n" for name in NAMES)
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{points}")
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "kernel").mkdir()
    for name in HEADERS:
        text = (KERNEL / "resource/lazy-ceiling" / name).read_text()
        (tmp_path / "kernel" / name).write_text(text.replace('"../', '"'))
    return tmp_path


def plafond(package: Path, *words: object) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(package), str(ROOT / "lab")])
    return subprocess.run(
        [sys.executable, "-m", "plafond", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=package,
        env=os.environ | {"PYTHONPATH": path},
    )


def rows_of(package: Path, *protocols: str) -> dict[tuple[str, str], Any]:
    named = ["--protocol", ",".join(protocols)] if protocols else []
    ended = plafond(package, "analyse", INVERSION, *named, "--format", "json")
    assert (ended.returncode, ended.stderr) == (0, "")
    rows = json.loads(ended.stdout)["rows"]
    return {(row["task"], row["protocol"]): row for row in rows}


def test_a_plugin_has_the_bounds_of_its_own_analysis(package: Path) -> None:
    rows = rows_of(package, "ceiling", "mine.known", "mine.short")
    bounds = {
        protocol: rows["high", protocol]["response_bound_ns"]
        for protocol in ("ceiling", "mine.known", "mine.short")
    }

    assert bounds == {"ceiling": 7_000_000, "mine.known": 9_000_000, "mine.short": 5_000_000}
    assert rows["high", "mine.known"]["blocking_bound_ns"] == 4_000_000
    assert rows["high", "mine.known"]["schedulable"] is False
    assert rows["low", "mine.known"]["response_bound_ns"] is None


def test_a_plugin_without_an_analysis_has_no_bound(package: Path) -> None:
    ended = plafond(package, "analyse", INVERSION, "--protocol", "mine.unknown", "--format", "json")
    report = json.loads(ended.stdout)

    assert [row["response_bound_ns"] for row in report["rows"]] == [None] * 4
    assert [row["schedulable"] for row in report["rows"]] == [None] * 4
    assert any("no analysis is known for mine.unknown" in note for note in report["notes"])


def test_a_plugin_can_name_an_analysis_instead(package: Path) -> None:
    words = ["--overheads", "sim", "--protocol", "lazy-ceiling,mine.ceiling", "--format", "json"]
    report = json.loads(plafond(package, "analyse", INVERSION, *words).stdout)
    bounds: dict[str, list[int]] = {}
    for row in report["rows"]:
        bounds.setdefault(row["protocol"], []).append(row["response_with_overheads_ns"])

    assert bounds["mine.ceiling"] == bounds["lazy-ceiling"]
    assert None not in bounds["mine.ceiling"]


def test_reasons_of_the_analysis_are_reported(package: Path) -> None:
    ended = plafond(package, "analyse", INVERSION, "--protocol", "mine.known,mine.endless")

    assert "mine.known: no bound for low: it is the last" in ended.stdout
    assert "mine.endless: no bound for high, middle, medium, low: it waits for ever" in " ".join(
        ended.stdout.split()
    )


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("mine.failing", "found ValueError: no such thing; expected bounds, or a reason for none"),
        ("mine.lying", "or Bounds with a response of 5000000ns or more"),
    ],
)
def test_an_analysis_that_fails_or_lies_is_an_error(package: Path, name: str, found: str) -> None:
    ended = plafond(package, "analyse", INVERSION, "--protocol", name)

    assert ended.returncode == 1
    assert ended.stderr.startswith(f"plafond: the analysis of {name} for high: ")
    assert found in ended.stderr


@pytest.mark.board
@pytest.mark.long
def test_a_run_has_the_kernel_of_the_plugin_and_judges_its_bounds(package: Path) -> None:
    words = package / "kernel/plf_words.h"
    words.write_text(words.read_text() + "\n#define PLF_OF_THE_PLUGIN 1\n")
    level = package / "kernel/plf_level.h"
    level.write_text(level.read_text() + '\n_Static_assert(PLF_OF_THE_PLUGIN, "");\n')
    names = ["mine.ceiling", "mine.short", "mine.unknown"]
    ended = plafond(
        *(package, "run", INVERSION, "--on", "sim", "--protocol", ",".join(names), "--out", "out")
    )
    rows = json.loads((package / "out/report.json").read_text())["rows"]
    verdicts = {(row["task"], row["protocol"]): row["verdict"] for row in rows}

    assert ended.returncode == 1  # a bound of mine.short is exceeded
    assert [verdicts["middle", name] for name in names] == ["kept", "EXCEEDED", None]
    assert "EXCEEDED: middle under mine.short" in ended.stdout


POINTS = {
    "ceiling": "found this name; expected two words with a dot between",
    "mine.Ceiling": "found this name; expected two words with a dot between",
    "mine.missing": "found ModuleNotFoundError",
    "mine.number": "found int; expected plafond.plugin.Plugin",
    "mine.bare": "found no plf_words.h in ",
    "mine.odd": "found the analysis 'floor'; expected a function, None or one of ceiling, ",
    "mine.edf": "found the schedulers ('edf',); expected some of priority, hardware",
    "mine.good": "found the name in two packages; expected different names",
}
BOUND_TO: dict[str, object] = {
    "number": 3,
    "bare": Plugin(analysis=None, kernel=Path("/nowhere")),
    "odd": Plugin(analysis="floor", kernel=KERNEL / "resource/mask"),
    "edf": Plugin(analysis=None, kernel=KERNEL / "resource/mask", schedulers=("edf",)),
    "good": Plugin(analysis=None, kernel=KERNEL / "resource/mask", schedulers=("hardware",)),
    "Ceiling": None,
}


def test_a_wrong_plugin_is_left_out_and_the_reason_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in BOUND_TO.items():
        monkeypatch.setattr(sys.modules[__name__], f"OWN_{name}", value, raising=False)
    points = [
        EntryPoint(name, f"{__name__}:OWN_{name.rpartition('.')[2]}", GROUP)
        for name in [*POINTS, "mine.good"]
        if name != "mine.missing"
    ]
    points.append(EntryPoint("mine.missing", "no_such_module:X", GROUP))
    monkeypatch.setattr(plugin, "entry_points", lambda group: points)

    assert load_plugins() == {"mine.good": BOUND_TO["good"]}
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(POINTS)
    for name, words in POINTS.items():
        (line,) = (
            each for each in lines if each.startswith(f"plafond: left out the protocol {name}:")
        )
        assert words in line


def test_without_plugins_nothing_is_printed_or_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert load_plugins() == {}
    assert capsys.readouterr().err == ""
