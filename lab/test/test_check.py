# SPDX-License-Identifier: MIT
"""`plafond check` as a command."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from plafond.cli import main
from plafond.describe.description import SINGLE, TABLES, Description
from plafond.describe.fields import Strict, fields_of

GOOD = """
[task.A]
priority = 3
arrival = "periodic 10ms"
body = ["lock R", "run 1ms", "lock S", "run 1ms", "unlock S", "unlock R"]
[task.B]
priority = 2
arrival = "random 10ms 20ms"
body = ["lock S", "run 1ms", "lock R", "run 1ms", "unlock R", "unlock S"]
[resource]
R = {}
S = {}
"""
# Appended to GOOD: a third task, which another task may follow.
MORE = """
H = {}
[task.C]
priority = 1
arrival = "periodic 50ms"
body = ["lock H", "lock G", "run 1ms", "unlock G", "unlock H"]
"""


def run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, *arguments: str
) -> int | str | None:
    file = tmp_path / "some.toml"
    file.write_text(text)
    monkeypatch.setattr("sys.argv", ["plafond", "check", str(file), *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    return caught.value.code


def test_ceilings_and_utilisation_are_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, GOOD) == 0
    reported = capsys.readouterr().out
    assert [line.split() for line in reported.splitlines() if line.startswith(("R ", "B "))] == [
        ["B", "0", "2", "10ms..20ms", "10ms", "2ms", "20.0%"],
        ["R", "3", "A,", "B"],
    ]
    assert "40.0%  fits" in reported
    assert "- A holds R and wants S" in reported


def test_the_same_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, GOOD, "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["resources"][0] == {
        "resource": "R",
        "linked": None,
        "ceiling": 3,
        "floor_ns": None,
        "users": ["A", "B"],
        "is_global": False,
        "by_cpu": False,
        "users_by_cpu": {"0": ["A", "B"]},
        "server_ceiling": None,
        "by_server": [],
        "routines": [],
    }
    assert report["cpus"] == [{"cpu": 0, "utilisation": 0.4, "overloaded": False}]
    assert len(report["deadlock"]) == 2
    assert report["deadlock_is_cycle"] is True


UNDER_EDF = """
scheduler = "edf"
[task.A]
deadline = "9ms"
arrival = "periodic 10ms"
offset = "2ms"
body = ["lock R", "run 5ms", "lock S", "run 1ms", "unlock S", "unlock R"]
[task.B]
arrival = "random 10ms 20ms"
body = ["lock S", "run 2ms", "lock R", "run 2ms", "unlock R", "unlock S"]
[task.C]
deadline = "40ms"
autostart = true
body = ["run 1us"]
[resource]
R = {floor = "5ms"}
S = {}
"""


def test_under_edf_deadlines_and_floors_are_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, UNDER_EDF) == 0
    reported = capsys.readouterr().out
    assert [
        line.split() for line in reported.splitlines() if line[:2] in ("A ", "B ", "C ", "R ", "S ")
    ] == [
        ["A", "0", "10ms", "9ms", "11ms", "6ms", "60.0%"],
        ["B", "0", "10ms..20ms", "10ms", "10ms", "4ms", "40.0%"],
        ["C", "0", "-", "40ms", "-", "1us", "-"],
        ["R", "5ms", "A,", "B"],
        ["S", "9ms", "A,", "B"],
    ]
    assert "priority" not in reported
    assert "ceiling" not in reported
    assert "deadlock" not in reported


def test_the_same_under_edf_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, UNDER_EDF, "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["scheduler"] == "edf"
    first = report["tasks"][0]
    assert (first["priority"], first["deadline_ns"], first["first_deadline_ns"]) == (
        None,
        9_000_000,
        11_000_000,
    )
    assert report["resources"][0] == {
        "resource": "R",
        "linked": None,
        "ceiling": None,
        "floor_ns": 5_000_000,
        "users": ["A", "B"],
        "is_global": False,
        "by_cpu": False,
        "users_by_cpu": {"0": ["A", "B"]},
        "server_ceiling": None,
        "by_server": [],
        "routines": [],
    }


def test_more_than_all_of_a_processor_is_too_much(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = UNDER_EDF.replace("autostart = true", 'arrival = "periodic 1s"')
    for text, overloaded in (
        (UNDER_EDF.split("[task.C]")[0], False),
        (two.split("[resource]")[0], True),
        (GOOD.replace("10ms", "4ms").replace("20ms", "4ms"), False),
        (GOOD.replace("10ms", "3ms").replace("20ms", "4ms"), True),
    ):
        whole = text if "[resource]" in text else f"{text}[resource]\nR = {{}}\nS = {{}}\n"
        assert run(monkeypatch, tmp_path, whole, "--format", "json") == 0
        assert json.loads(capsys.readouterr().out)["cpus"][0]["overloaded"] is overloaded


SHARED = """
[server.control]
kind = "idling"
priority = 2
period = "50us"
budget = "20us"
global = "overrun-payback"
[server.video]
kind = "idling"
priority = 1
period = "60us"
budget = "20us"
global = "skip"
[task.A]
server = "control"
priority = 3
arrival = "periodic 100us"
body = ["lock L", "run 1us", "unlock L"]
[task.B]
server = "control"
priority = 2
arrival = "periodic 200us"
body = ["lock R", "run 5us", "unlock R", "lock L", "run 1us", "unlock L"]
[task.C]
server = "video"
priority = 1
arrival = "periodic 200us"
body = ["lock R", "run 7us", "unlock R"]
[resource.R]
[resource.L]
"""


def lines_of(reported: str, *first: str) -> list[str]:
    """Return the lines that begin with one of these words, with single spaces."""
    lines = map(str.split, reported.splitlines())
    return [" ".join(words) for words in lines if words and words[0] in first]


def test_what_servers_share_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tables show the policy, X, the server that is the ceiling, and the ceiling in each
    server."""
    monkeypatch.setenv("COLUMNS", "112")
    assert run(monkeypatch, tmp_path, SHARED) == 0
    reported = capsys.readouterr().out
    assert lines_of(reported, "server", "control", "video") == [
        "server kind priority period budget global hold share asked tasks",
        "control idling 2 50us 20us overrun-payback 5us 40.0% 4.0% A, B",
        "video idling 1 60us 20us skip 7us 33.3% 3.5% C",
    ]
    assert lines_of(reported, "R", "L") == [
        "R control control (3): B; video (1): C",
        "L 3 A, B",
    ]
    assert "- a server as ceiling: no server up to it takes the core from a task" in reported


def test_slots_that_share_have_no_ceiling(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SHARED.replace("50us", "60us").replace("overrun-payback", "skip")
    for priority in (1, 2):
        text = text.replace(f'kind = "idling"\npriority = {priority}', 'kind = "slot"')
    assert run(monkeypatch, tmp_path, text) == 0
    reported = capsys.readouterr().out
    assert lines_of(reported, "R") == ["R - control (2): B; video (1): C"]
    assert "- no ceiling: sections end within their slots" in reported


def test_what_servers_share_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, SHARED, "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert [(row["sharing"], row["hold_ns"]) for row in report["servers"]] == [
        ("overrun-payback", 5_000),
        ("skip", 7_000),
    ]
    shared, local = report["resources"]
    assert (shared["ceiling"], shared["server_ceiling"]) == (None, "control")
    assert shared["by_server"] == [
        {"server": "control", "ceiling": 3, "users": ["B"]},
        {"server": "video", "ceiling": 1, "users": ["C"]},
    ]
    assert (local["ceiling"], local["server_ceiling"], local["by_server"]) == (3, None, [])


def test_servers_that_share_nothing_say_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SHARED.replace('"lock R", "run 7us", "unlock R"', '"run 7us"')
    for policy in ("overrun-payback", "skip"):
        text = text.replace(f'global = "{policy}"\n', "")
    assert run(monkeypatch, tmp_path, text) == 0
    reported = capsys.readouterr().out
    assert lines_of(reported, "server") == ["server kind priority period budget share asked tasks"]
    assert lines_of(reported, "R") == ["R 2 B"]


def test_the_deadlock_of_a_paper_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """OSPERT 2010, 8, Figure 1."""
    file = str(Path(__file__).parents[2] / "examples/vandenheuvel-2010-figure-1.toml")
    for protocol, code in (("ceiling", 0), ("none", 1), ("inherit", 1)):
        monkeypatch.setattr("sys.argv", ["plafond", "check", file, "--protocol", protocol])
        with pytest.raises(SystemExit) as caught:
            main()
        assert caught.value.code == code
    assert (
        "under inherit tasks can deadlock: t1 holds R1 and wants R2; t2 holds R2 and wants R1"
        in (capsys.readouterr().err)
    )


def test_a_deadlock_is_a_mistake_where_nothing_prevents_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, GOOD, "--protocol", "ceiling,inherit,none") == 1
    assert "under inherit and none tasks can deadlock: A holds R" in capsys.readouterr().err


def test_too_many_orders_are_reported_as_what_they_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("plafond.describe.lock_order.MOST_CHAINS", 0)
    gate = GOOD.replace('["', '["lock G", "').replace('"]', '", "unlock G"]') + "G = {}\n"
    assert run(monkeypatch, tmp_path, gate + MORE) == 0
    reported = capsys.readouterr().out
    assert "without ceilings (inherit, none) a deadlock is not ruled out: too many" in reported
    assert "wants" not in reported
    assert run(monkeypatch, tmp_path, gate + MORE, "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["deadlock"] == ["not ruled out: too many orders of locking to follow"]
    assert report["deadlock_is_cycle"] is False


def plafond_to(output: IO[bytes] | int, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "plafond", *arguments]
    return subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE)


@pytest.mark.parametrize("option", ["--format=table", "--format=json", "--schema"])
def test_output_that_cannot_be_written_is_reported(tmp_path: Path, option: str) -> None:
    file = tmp_path / "some.toml"
    file.write_text(GOOD)
    with Path("/dev/full").open("wb") as full:
        process = plafond_to(full, "check", str(file), option)
        err = process.communicate()[1].decode()
    expected = "plafond: standard output (/dev/full): No space left on device\n"
    assert (process.returncode, err) == (1, expected)


@pytest.mark.parametrize("option", ["--format=table", "--format=json", "--schema"])
def test_a_closed_pipe_is_no_reason_to_complain(tmp_path: Path, option: str) -> None:
    file = tmp_path / "some.toml"
    file.write_text(GOOD)
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as pipe:
        process = plafond_to(pipe, "check", str(file), option)
        err = process.communicate()[1]
    assert (process.returncode, err) == (1, b"")


def test_mistakes_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GOOD.replace("priority = 3", "priority = 0")
    assert run(monkeypatch, tmp_path, text, "--format", "json") == 1
    problem = json.loads(capsys.readouterr().out)["problems"][0]
    assert (problem["line"], problem["field"], problem["found"]) == (3, "task.A.priority", "0")


def test_an_unknown_protocol_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, GOOD, "--protocol", "inherits") == 2
    assert "found 'inherits'; expected some of" in capsys.readouterr().err
    assert run(monkeypatch, tmp_path, GOOD.replace("10ms", "2ms")) == 0
    assert "overloaded" in capsys.readouterr().out


def test_the_schema_names_every_field(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["plafond", "check", "--schema"])
    with pytest.raises(SystemExit) as caught:
        main()
    reported = capsys.readouterr().out
    assert caught.value.code == 0
    models: list[type[Strict]] = [Description, *SINGLE.values(), *TABLES.values()]
    for model in models:
        assert all(name in reported for name in fields_of(model))
