# SPDX-License-Identifier: MIT
"""ORTI files of images: their form by the standard, and their truth on stopped images."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from gdb_scene import asked, built
from lark import UnexpectedInput
from orti_grammar import File, faults, read

from plafond.build.image import Image, build_image
from plafond.describe import load

pytestmark = pytest.mark.board

LONG = pytest.mark.long
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Values = dict[tuple[str, str], dict[str, str | int]]
# Evaluates a list of expressions, and writes the list of their values.
EVALUATE = """\
import gdb, json
with open({source!r}) as file:
    wanted = json.load(file)
values = [int(gdb.parse_and_eval(f"(unsigned long)({{each}})")) for each in wanted]
with open({target!r}, "w") as file:
    json.dump(values, file)
"""
SMALL = """\
VERSION { KOIL = "2.2"; OSSEMANTICS = "ORTI", "2.2"; };
IMPLEMENTATION Some { /* a comment */
  OS { TOTRACE ENUM "int" [ "none" = 0, "a" = "&task_a" ] RUNNINGTASK, "Running task"; }, "OS";
  TASK {
    ENUM [ "RUNNING" = 0, "WAITING" = 1, "READY" = 2, "SUSPENDED" = 3 ] STATE;
    CTYPE "int" vs_COUNT;
    ENUM [ "s" : a_stack = 0 ] STACK;
  };
  STACK { CTYPE SIZE; STRING STACKDIRECTION; };
};
OS os { RUNNINGTASK = "running"; };
TASK a { STATE = "state[0]"; vs_COUNT = "1 + 1"; STACK = "0"; };
STACK a_stack { SIZE = "64"; STACKDIRECTION = "DOWN"; };
"""


def test_the_grammar_takes_a_right_file() -> None:
    file = read(SMALL)
    assert list(faults(file)) == []
    assert [choice.name for choice in file.attributes("TASK")["STATE"].choices][1] == "WAITING"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('KOIL = "2.2"', 'KOIL = "2.1"', "version"),
        ("OS os {", 'OS os { PRIORITY = "1";', "OS os has"),
        ("TASK a {", "JOB a {", "has no declared type"),
        ('vs_COUNT = "1 + 1";', "", "declared are"),
        ("CTYPE SIZE; STRING", "STRING SIZE; STRING", "STACK.SIZE is string"),
        ("vs_COUNT", "COUNT", "neither of Part B"),
        ('"WAITING" = 1', '"WAITING" = 2', "value of TASK.STATE"),
        ('"WAITING"', '"BLOCKED"', "states of TASK.STATE"),
        (": a_stack", ": b_stack", "no object"),
        ('"DOWN"', '"LEFT"', "grows LEFT"),
        ("STACK a_stack", 'OS os { RUNNINGTASK = "0"; }; STACK a_stack', "OS os twice"),
    ],
)
def test_the_grammar_finds_faults(old: str, new: str, fault: str) -> None:
    assert old in SMALL
    assert any(fault in found for found in faults(read(SMALL.replace(old, new))))


@pytest.mark.parametrize(
    ("old", "new"),
    [('"OS";', '"OS"'), ('RUNNINGTASK = "running"', "RUNNINGTASK = running"), ('[ "s"', "[")],
)
def test_the_grammar_refuses_a_wrong_form(old: str, new: str) -> None:
    assert old in SMALL
    with pytest.raises(UnexpectedInput):
        read(SMALL.replace(old, new))


# ---- Truth ------------------------------------------------------------------------------


def file_of(image: Image, core: int | None = None) -> File:
    """Read the file of a core, which must have no fault. None: the image has one core."""
    name = "image.ort" if core is None else f"image-{core}.ort"
    file = read((image.folder / name).read_text())
    assert list(faults(file)) == []
    return file


def evaluated(image: Image, commands: list[str], files: list[File]) -> list[Values]:
    """Evaluate all expressions of files after gdb's commands, each of which stops the image.

    The value of an enumeration is the name of the only choice that has this value.
    """
    wanted = [
        expression
        for file in files
        for each in file.objects
        for name, value in each.values
        if file.attributes(each.type)[name].kind != "string"
        for expression in (value, *(c.value for c in file.attributes(each.type)[name].choices))
    ]
    source, target = image.folder / "wanted.json", image.folder / "values.json"
    script = image.folder / "evaluate.py"
    source.write_text(json.dumps(wanted))
    script.write_text(EVALUATE.format(source=str(source), target=str(target)))
    is_board = image.board.name != "sim"
    # A debugger of a board reads all memory. gdb reads only memory of the stopped code.
    physical = ["maintenance packet Qqemu.PhyMemMode:1", "maintenance flush dcache"] * is_board
    asked(image, [*commands, *physical, f"source {script}"])
    values = iter(json.loads(target.read_text()))
    target.unlink()
    return [_named(file, values) for file in files]


def _named(file: File, values: Iterator[int]) -> Values:
    found: Values = {}
    for each in file.objects:
        row = found[each.type, each.name] = {}
        for name, text in each.values:
            attribute = file.attributes(each.type)[name]
            if attribute.kind == "string":
                row[name] = text
                continue
            value = next(values)
            names = [choice.name for choice in attribute.choices if next(values) == value]
            if attribute.kind == "enum":
                assert len(names) == 1, f"{each.type} {each.name}.{name}: {value} is {names}"
            row[name] = names[0] if names else value
    return found


def started(board: str) -> str:
    return "run" if board == "sim" else "continue"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Share one folder, so each image is built once."""
    return tmp_path_factory.mktemp("described")


NEVER_SET = {"ALARMTIME": 0, "CYCLETIME": 0, "STATE": "STOPPED"}


@pytest.mark.parametrize(
    ("board", "protocol"),
    [
        ("sim", "lazy-ceiling"),
        ("a53", "uprio-nprio"),
        pytest.param("a53", "syscall", marks=LONG),
        *(
            pytest.param(board, protocol, marks=LONG)
            for board in ("sim", "a53")
            for protocol in ("uprio-kprio", "uprio-kprio-lazy", "lazy-ceiling-simple")
        ),
    ],
)
def test_each_value_is_that_of_the_stopped_image(folder: Path, board: str, protocol: str) -> None:
    """The most urgent task has preempted a task in two nested sections, after all other steps."""
    image = built(folder, board, 1, protocol)
    (found,) = evaluated(image, ["break here", started(board)], [file_of(image)])
    system = found["OS", "OS_some"]
    assert system == {
        "RUNNINGTASK": "high",
        "RUNNINGTASKPRIORITY": "30",
        "CURRENTAPPMODE": "OSDEFAULTAPPMODE",
        "vs_PLACE": "task",
        "vs_ERRORSERVICE": "none",
    }
    tasks = {name: row for (kind, name), row in found.items() if kind == "TASK"}
    of_tasks = ("PRIORITY", "STATE", "CURRENTACTIVATIONS", "vs_MOSTACTIVATIONS", "vs_LASTRESOURCE")
    assert {name: tuple(row[each] for each in of_tasks) for name, row in tasks.items()} == {
        "waiter": ("40", "WAITING", 1, 1, "NO_RESOURCE"),
        "high": ("30", "RUNNING", 2, 3, "NO_RESOURCE"),
        "mid": ("20", "READY", 1, 1, "NO_RESOURCE"),
        "other": ("20", "WAITING", 1, 1, "NO_RESOURCE"),
        "low": ("20", "READY", 1, 1, "INNER"),
        "never": ("1", "SUSPENDED", 0, 1, "NO_RESOURCE"),
    }
    go, stop, more = (load(folder / "some.toml").events[name] for name in ("GO", "STOP", "MORE"))
    events = {name: (row["vs_EVENTSSET"], row["vs_EVENTSAWAITED"]) for name, row in tasks.items()}
    assert events == dict.fromkeys(tasks, (0, 0)) | {"waiter": (stop, go), "other": (0, more)}
    resource = {"PRIORITY": "20", "vs_USERS": "low mid"}
    resources = {name: row for (kind, name), row in found.items() if kind == "RESOURCE"}
    if protocol == "syscall":
        resource = resource | {"STATE": "LOCKED", "LOCKER": "low"}
    assert {name: dict(row) for name, row in resources.items()} == {
        "OUTER": {**resource, "vs_USERS": resources["OUTER"]["vs_USERS"]},
        "INNER": {**resource, "vs_USERS": resources["INNER"]["vs_USERS"]},
    }
    clock = {"ACTION": "activate never", "COUNTER": "clock"}
    calls = {"COUNTER": "calls"}
    assert {name: row for (kind, name), row in found.items() if kind == "ALARM"} == {
        "late": {**clock, "ALARMTIME": 5000, "CYCLETIME": 300, "STATE": "RUNNING"},
        "soft": {
            **calls,
            "ALARMTIME": 5,
            "CYCLETIME": 0,
            "STATE": "RUNNING",
            "ACTION": "set waiter STOP",
        },
        "unset": {**calls, **NEVER_SET, "ACTION": "activate never"},
    }
    assert found["vs_TIMER", "clock"]["vs_TICK"] == 1_000_000
    assert found["vs_COUNTER", "calls"]["vs_VALUE"] == 4 % 3
    if board == "a53":
        stacks = [row for (kind, _), row in found.items() if kind == "STACK"]
        assert [row["SIZE"] for row in stacks] == [4096] * len(tasks)
        assert len({row["BASEADDRESS"] for row in stacks}) == len(tasks)
        assert {row["STACK"] for row in tasks.values()} == {f"{name}_stack" for name in tasks}
    else:
        assert all(kind != "STACK" for kind, _ in found)


@pytest.mark.parametrize("board", ["sim", pytest.param("a53", marks=LONG)])
def test_an_error_is_shown_with_its_service(folder: Path, board: str) -> None:
    protocol = "lazy-ceiling" if board == "sim" else "uprio-nprio"
    image = built(folder, board, 1, protocol)
    (found,) = evaluated(image, ["break ErrorHook", started(board)], [file_of(image)])
    shown = [found["OS", "OS_some"][name] for name in ("vs_PLACE", "vs_ERRORSERVICE")]
    assert shown == ["ErrorHook", "ChainTask"]


def test_before_the_start_nothing_runs(folder: Path) -> None:
    """Pointers are still 0, so no expression may follow them."""
    image = built(folder, "a53", 1, "uprio-nprio")
    (found,) = evaluated(image, [], [file_of(image)])
    assert found["OS", "OS_some"]["RUNNINGTASK"] == "NO_TASK"
    assert found["OS", "OS_some"]["RUNNINGTASKPRIORITY"] == "none"
    tasks = [row for (kind, _), row in found.items() if kind == "TASK"]
    assert {row["STATE"] for row in tasks} == {"SUSPENDED"}
    assert {row["STATE"] for (kind, _), row in found.items() if kind == "ALARM"} == {"STOPPED"}


def test_a_core_has_a_file_of_its_objects(folder: Path) -> None:
    """The second core has stopped in its task, and shares no object with the first core."""
    image = built(folder, "a53", 2)
    files = [file_of(image, core) for core in range(2)]
    assert not (image.folder / "image.ort").exists()
    found = evaluated(image, ["break there", started("a53")], files)
    assert found[1]["OS", "OS_some"]["RUNNINGTASK"] == "other"
    assert [name for kind, name in found[1] if kind == "TASK"] == ["other"]
    assert found[1]["TASK", "other"]["STATE"] == "RUNNING"
    assert found[1]["TASK", "other"]["CURRENTACTIVATIONS"] == 1
    assert found[1]["TASK", "other"]["PRIORITY"] == "20"
    assert ("TASK", "other") not in found[0]
    assert {kind for kind, _ in found[1]} == {"OS", "TASK", "STACK"}
    assert "ALARM" in {kind for kind, _ in found[0]}


def test_a_system_that_lost_a_core_keeps_no_file_of_it(folder: Path) -> None:
    image = built(folder, "sim", 1, "lazy-ceiling")
    (image.folder / "image-1.ort").write_text("old")
    build_image(image.system, "sim", "lazy-ceiling", image.folder)
    assert sorted(file.name for file in image.folder.glob("*.ort")) == ["image.ort"]


def test_standard_status_shows_no_holders(folder: Path) -> None:
    file = file_of(built(folder, "sim", 1, "syscall", status="standard"))
    assert "vs_LASTRESOURCE" not in file.attributes("TASK")
    assert set(file.attributes("RESOURCE")) == {"PRIORITY", "vs_USERS"}


# ---- Images of other kinds, beside the commands of gdb ------------------------------------

SYSTEMS = {
    "internal": """\
[kernel]
status = "extended"
protocol = "{protocol}"
[task.low]
priority = 1
autostart = true
internal = "GROUP"
body = ["activate mid", "activate high", "lock R", "run 1ms", "unlock R"]
[task.mid]
priority = 2
internal = "GROUP"
body = ["run 1ms"]
[task.other]
priority = 3
resources = ["R"]
body = ["lock R", "run 1ms", "unlock R"]
[task.high]
priority = 4
body = ["activate other", "run 1ms"]
[resource.R]
[resource.GROUP]
internal = true
""",
    "stack": """\
[kernel]
status = "extended"
protocol = "{protocol}"
[task.low]
priority = 1
autostart = true
body = ["lock R", "activate mid", "unlock R"]
[task.of_low]
priority = 2
resources = ["R"]
body = ["activate of_mid", "lock R", "unlock R"]
[task.mid]
priority = 3
body = ["lock S", "activate high", "activate of_low", "unlock S"]
[task.of_mid]
priority = 4
body = ["lock S", "unlock S"]
[task.high]
priority = 5
body = ["run 1ms"]
[resource.R]
[resource.S]
""",
    "hardware": """\
scheduler = "hardware"
[kernel]
status = "extended"
protocol = "{protocol}"
[task.low]
priority = 1
autostart = true
body = ["lock R", "activate mid", "activate high", "unlock R"]
[task.mid]
priority = 2
body = ["lock R", "run 1ms", "unlock R"]
[task.high]
priority = 4
body = ["run 1ms"]
[resource.R]
""",
    "edf": """\
scheduler = "edf"
[kernel]
status = "extended"
protocol = "{protocol}"
[task.low]
deadline = "50ms"
autostart = true
body = ["lock R", "activate high", "unlock R"]
[task.high]
deadline = "10ms"
body = ["activate third"]
[task.third]
deadline = "20ms"
body = ["lock R", "unlock R"]
[resource.R]
""",
    "server": """\
[kernel]
status = "extended"
protocol = "{protocol}"
[task.low]
priority = 1
autostart = true
server = "S"
body = ["lock R", "activate high", "unlock R"]
[task.high]
priority = 3
server = "S"
body = ["activate mid"]
[task.mid]
priority = 2
server = "S"
body = ["lock R", "unlock R"]
[resource.R]
[server.S]
kind = "idling"
priority = 1
period = "10ms"
budget = "5ms"
""",
}


def states_by_gdb(image: Image, commands: list[str]) -> dict[str, str]:
    """Return the state of each task as image.gdb.py prints it, in the words of ORTI."""
    lines = asked(image, [*commands, "info tasks"]).splitlines()
    rows = [re.split(r"  +", line) for line in lines]
    start = next(at for at, row in enumerate(rows) if row[:2] == ["task", "core"]) + 1
    words = {"preempted": "READY", "suspended": "SUSPENDED", "ready": "READY"}
    return {
        row[0]: words.get(row[4], "WAITING" if row[4].startswith("waiting") else "RUNNING")
        for row in rows[start:]
        if len(row) > 4
    }


@pytest.mark.parametrize(
    ("name", "protocol", "priorities"),
    [
        ("internal", "syscall", {"low": "2", "mid": "2", "other": "3", "high": "4"}),
        pytest.param(
            *("internal", "lazy-ceiling", {"low": "2", "mid": "2", "other": "3", "high": "4"}),
            marks=LONG,
        ),
        pytest.param(
            *("stack", "uprio-nprio"),
            {"low": "2", "of_low": "2", "mid": "4", "of_mid": "4", "high": "5"},
            marks=LONG,
        ),
        pytest.param(
            *("hardware", "lazy-ceiling", {"low": "2", "mid": "2", "high": "4"}), marks=LONG
        ),
        pytest.param("hardware", "mask", {"low": "2", "mid": "2", "high": "4"}, marks=LONG),
        ("server", "uprio-nprio", {"low": "2", "mid": "2", "high": "3"}),
    ],
)
def test_a_preempted_task_has_the_priority_at_which_it_resumes(
    folder: Path, name: str, protocol: str, priorities: dict[str, str]
) -> None:
    """The last task has preempted the first inside its section, or with its internal resource."""
    file = folder / f"{name}.toml"
    file.write_text(SYSTEMS[name].format(protocol=protocol))
    image = build_image(load(file), "sim", protocol, folder / f"{name}-{protocol}")
    stop = ["break plf_task_high", "run"]
    (found,) = evaluated(image, stop, [file_of(image)])
    tasks = {name: row for (kind, name), row in found.items() if kind == "TASK"}
    assert {name: row["STATE"] for name, row in tasks.items()} == states_by_gdb(image, stop)
    assert {name: row["PRIORITY"] for name, row in tasks.items()} == priorities


def test_values_that_tasks_may_write_are_bounded(folder: Path) -> None:
    """Garbage in the words of the running task is a priority of the task, or unknown."""
    image = built(folder, "sim", 1, "lazy-ceiling")
    words = ("claim = 99", "checks.top = 1000")
    garbage = [f"set var plf_page.words.{word}" for word in words]
    (found,) = evaluated(image, ["break here", "run", *garbage], [file_of(image)])
    assert found["OS", "OS_some"]["RUNNINGTASKPRIORITY"] == "30"
    assert found["TASK", "high"]["PRIORITY"] == "30"
    assert found["TASK", "high"]["vs_LASTRESOURCE"] == "unknown"


@pytest.mark.parametrize("protocol", ["lazy-floor", pytest.param("deadline-floor", marks=LONG)])
def test_under_edf_tasks_have_deadlines(folder: Path, protocol: str) -> None:
    file = folder / "edf.toml"
    file.write_text(SYSTEMS["edf"].format(protocol=protocol))
    image = build_image(load(file), "sim", protocol, folder / f"edf-{protocol}")
    (found,) = evaluated(image, ["break plf_task_high", "run"], [file_of(image)])
    tasks = {name: row for (kind, name), row in found.items() if kind == "TASK"}
    assert {name: (row["STATE"], row["vs_RELATIVEDEADLINE"]) for name, row in tasks.items()} == {
        "high": ("RUNNING", 10_000_000),
        "third": ("SUSPENDED", 20_000_000),
        "low": ("READY", 50_000_000),
    }
    assert tasks["low"]["vs_LASTRESOURCE"] == "R"
    assert all("PRIORITY" not in row for row in tasks.values())
    if protocol == "deadline-floor":
        assert found["RESOURCE", "R"]["LOCKER"] == "low"


def test_the_page_shows_the_file_and_the_values(tmp_path: Path) -> None:
    page = (EXAMPLES.parent / "docs/kernel/orti.md").read_text()
    of_file, of_values = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    image = build_image(load(EXAMPLES / "osek-console.oil"), "a53", folder=tmp_path / "image")
    text = (image.folder / "image.ort").read_text()
    assert set(of_file.splitlines()) <= set(text.splitlines())
    (found,) = evaluated(image, ["break ErrorHook", "continue"], [file_of(image)])
    for line in of_values.splitlines():
        kind, name, values = re.split(r":? ", line, maxsplit=2)
        shown = dict(each.split(" = ") for each in values.split(", "))
        row = found[kind, name]
        assert {attribute: str(row[attribute]) for attribute in shown} == shown


@LONG
@pytest.mark.parametrize(
    "name", ["servers", "mueller-2014-mpcp", "almatary-2015-floor", "across-cpus"]
)
@pytest.mark.parametrize("board", ["sim", "a53"])
def test_images_of_other_kinds_have_values_at_rest(tmp_path: Path, board: str, name: str) -> None:
    """No task has arrived, so each state is known, and each value is among the declared ones."""
    system = load(EXAMPLES / f"{name}.toml")
    image = build_image(system, board, folder=tmp_path / "image")
    files = [file_of(image, core if system.cpus > 1 else None) for core in range(system.cpus)]
    found = evaluated(image, ["break plf_idle", started(board)], files)
    rows = [row for values in found for (kind, _), row in values.items() if kind == "TASK"]
    assert [row["STATE"] for row in rows] == ["SUSPENDED"] * len(system.tasks)
