# SPDX-License-Identifier: MIT
"""`plafond prove` as a process: the table, JSON, exit codes, Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from forked import run_forked
from patience import HUNG_S, until

from plafond.prove import checks

LAB = """
import sys
from pathlib import Path
from plafond.prove import checks
checks.ROOT = Path({root!r})
from plafond.cli import main
sys.argv = ["plafond", "prove", *sys.argv[1:]]
main()
"""
CHECKS = """
[[checks]]
protocol = "lazy"
check = "design"
module = "program"
longest_s = 60
"""
ROW: dict[str, Any] = {
    "protocol": "lazy",
    "check": "design",
    "scope": "three tasks, [two] resources",
    "verdict": "holds",
    "mutants": 2,
    "mutants_killed": 1,
    "mutants_argued": 1,
    "seconds": 3.5,
    "faults": [
        {"mutant": "no store", "verdict": "killed", "by": "two tasks are inside", "line": 4},
        {"mutant": "no load", "verdict": "equivalent", "by": "it is never read"},
    ],
}


def write(tmp_path: Path, program: str) -> None:
    (tmp_path / "proof").mkdir()
    (tmp_path / "proof/checks.toml").write_text(CHECKS)
    (tmp_path / "program.py").write_text(program)


def run(
    tmp_path: Path, row: dict[str, Any], code: int, *arguments: str
) -> subprocess.CompletedProcess[str]:
    text = json.dumps({"proof": "lazy", "rows": [row], "holds": code == 0})
    write(tmp_path, f"import sys; print({text!r}); sys.exit({code})")

    environment = {**os.environ, "COLUMNS": "112"}
    with patch.object(checks, "ROOT", tmp_path):
        return run_forked("prove", *arguments, environment=environment)


def test_the_table_has_one_line_a_check(tmp_path: Path) -> None:
    done = run(tmp_path, ROW, 0)

    assert (done.returncode, done.stderr) == (0, "")
    line = next(line for line in done.stdout.splitlines() if line.startswith("lazy"))
    cells = ["lazy", "design", ROW["scope"], "4 s", "holds", "2", "1", "1"]
    assert re.split("  +", line.strip()) == cells
    assert "1 checks: 1 holds; 2 mutants: 1 killed, 1 argued, 0 survived" in done.stdout
    assert "no store" not in done.stdout


def test_what_killed_each_is_reported_on_request(tmp_path: Path) -> None:
    lines = run(tmp_path, ROW, 0, "--faults").stdout.splitlines()

    assert lines[lines.index("killed     no store") + 1].strip() == "two tasks are inside"
    assert lines[lines.index("equivalent no load") + 1].strip() == "it is never read"


def test_json_is_alone_on_standard_output(tmp_path: Path) -> None:
    done = run(tmp_path, ROW, 0, "--format", "json")

    report = json.loads(done.stdout)
    assert report["holds"] is True
    keys = {"protocol", "check", "scope", "verdict", "mutants", "mutants_killed"}
    assert keys <= report["rows"][0].keys()
    assert report["rows"][0]["faults"][1]["by"] == "it is never read"


def test_a_violation_shows_the_way_there(tmp_path: Path) -> None:
    done = run(tmp_path, ROW | {"verdict": "violated", "trace": ["T1 enters R1", "T2 too"]}, 1)

    assert done.returncode == 1
    assert "lazy, design: violated. The way there:\n  T1 enters R1\n  T2 too\n" in done.stdout


def test_a_survivor_fails_and_is_shown(tmp_path: Path) -> None:
    lives = {"mutant": "no fence", "verdict": "survived", "by": ""}
    done = run(tmp_path, ROW | {"mutants": 3, "faults": [*ROW["faults"], lives]}, 1)

    assert done.returncode == 1
    assert "1 of the mutants survived" in done.stdout
    assert "no fence" in done.stdout
    assert "no store" not in done.stdout


def test_unknown_is_exit_code_2_and_says_why(tmp_path: Path) -> None:
    done = run(tmp_path, ROW | {"verdict": "unknown", "reason": "out of memory"}, 2)

    assert done.returncode == 2
    assert "lazy, design: unknown: out of memory" in done.stdout


def test_wrong_protocol_is_exit_code_2(tmp_path: Path) -> None:
    done = run(tmp_path, ROW, 0, "lasy")

    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "plafond: PROTOCOL: found 'lasy'; expected one of lazy (did you mean lazy?)\n"
    )


def test_the_quick_part_and_the_rest_are_not_asked_for_together(tmp_path: Path) -> None:
    done = run(tmp_path, ROW, 0, "--quick", "--rest")

    assert done.returncode == 2
    assert "found --quick and --rest; expected one of them" in done.stderr


def test_a_protocol_without_a_quick_part_says_so_in_one_line(tmp_path: Path) -> None:
    write(tmp_path, "")
    with (tmp_path / "proof/checks.toml").open("a") as file:
        file.write('slow = "it boots guests"\n')

    with patch.object(checks, "ROOT", tmp_path):
        done = run_forked("prove", "lazy", "--quick", environment=dict(os.environ))

    assert (done.returncode, done.stdout) == (2, "")
    reason = "this part is empty: lazy, design: left out, for it boots guests (--rest)"
    assert done.stderr == f"plafond: {reason}\n"


def test_how_much_is_certified_stands_below_the_table(tmp_path: Path) -> None:
    note = "3 of 4 by certificate; 1 proved: other machine code: protocol/word.h"
    done = run(tmp_path, ROW | {"certificate": note}, 0)

    assert f"\nlazy, design: {note}\n" in done.stdout


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ([], ["--certified"]),
        (["--all"], []),
        (["--sample", "4aac0c0"], ["--certified", "--sample", "4aac0c0"]),
        (["--renew"], ["--certified", "--renew"]),
        (["--all", "--renew"], ["--renew"]),
    ],
)
def test_certificates_are_used_as_asked_for(
    options: list[str], given: list[str], tmp_path: Path
) -> None:
    write(tmp_path, "import sys; sys.exit(str(sys.argv[1:]))")
    with (tmp_path / "proof/checks.toml").open("a") as file:
        file.write("certified = true\n")

    environment = {**os.environ, "COLUMNS": "112"}
    with patch.object(checks, "ROOT", tmp_path):
        done = run_forked("prove", *options, environment=environment)

    assert str([*given, "--format", "json"]) in done.stdout


def test_all_is_no_sample(tmp_path: Path) -> None:
    done = run(tmp_path, ROW, 0, "--all", "--sample", "4aac0c0")

    assert done.returncode == 2
    assert "found --all and --sample; expected one of them" in done.stderr


def test_help_has_examples(tmp_path: Path) -> None:
    assert "plafond prove --format json" in run(tmp_path, ROW, 0, "--help").stdout


def test_help_names_all_that_may_be_asked_for(tmp_path: Path) -> None:
    named = " ".join(run(tmp_path, ROW, 0, "--help").stdout.split()).replace("- ", "-")

    missing = {check.protocol for check in checks.all_checks() if check.protocol not in named}
    assert not missing


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_leaves_no_process(number: signal.Signals, tmp_path: Path) -> None:
    """This includes a process that a program started, and a process in a new session."""
    program = f"""
import os, subprocess
from pathlib import Path
child = subprocess.Popen(["sleep", "{HUNG_S}"])
apart = subprocess.Popen(["sleep", "{HUNG_S}"], start_new_session=True)
Path({str(tmp_path)!r}, "new").write_text(f"{{os.getpid()}} {{child.pid}} {{apart.pid}}")
Path({str(tmp_path)!r}, "new").rename(Path({str(tmp_path)!r}, "started"))
child.wait()
"""
    write(tmp_path, program)
    command = [sys.executable, "-c", LAB.format(root=str(tmp_path))]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    file = tmp_path / "started"
    until(file.exists, "the program")
    children = [int(number) for number in file.read_text().split()]

    process.send_signal(number)

    assert process.wait(timeout=HUNG_S) == 128 + number
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
