# SPDX-License-Identifier: MIT
"""The commands of gdb that come with an image: with one and two cores, on both boards."""

from pathlib import Path

import pytest
from gdb_scene import TASKS, asked, built

from plafond.build.image import build_image
from plafond.describe import load

pytestmark = pytest.mark.board

LONG = pytest.mark.long

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Share one folder, so each image is built once."""
    return tmp_path_factory.mktemp("described")


def rows(text: str) -> dict[str, list[list[str]]]:
    """Return the cells of each table, by the first two words of its heading."""
    found: dict[str, list[list[str]]] = {}
    table: list[list[str]] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
        if cells[:1] in (["task"], ["resource"], ["alarm"], ["counter"]):
            table = found[" ".join(cells[:2])] = []
        elif len(cells) > 3:
            table.append(cells)
    return found


def line(code: str) -> int:
    return TASKS[: TASKS.index(code)].count("\n") + 1


ALL = [f"info {each}" for each in ("tasks", "resources", "events", "alarms", "counters", "stacks")]
SIXTEEN = range(16, 1024)  # bytes of a used stack


@pytest.mark.parametrize("cpus", [pytest.param(1, marks=LONG), 2])
@pytest.mark.parametrize(
    "protocol",
    ["uprio-nprio", *(pytest.param(name, marks=LONG) for name in ("syscall", "lazy-ceiling"))],
)
@pytest.mark.parametrize("board", ["sim", "a53"])
def test_what_the_commands_show(folder: Path, board: str, cpus: int, protocol: str) -> None:
    image = built(folder, board, cpus, protocol)
    start = "run" if board == "sim" else "continue"
    found = rows(asked(image, ["break here", start, *ALL]))
    is_board = board == "a53"

    def at(code: str, task: str) -> str:
        return f"tasks.c:{line(code)} {task}" if is_board else "-"

    here = f"tasks.c:{line('__asm__')} here"
    tasks = {row[0]: row[1:] for row in found["task core"]}
    other = tasks.pop("other")
    waits = at("WaitEvent(GO)", "plf_task_waiter")
    inside = at("ActivateTask(high);\n\tTerm", "plf_task_low")
    assert tasks == {
        "waiter": ["0", "40", "1 of 1", "waiting for GO", waits],
        "high": ["0", "30", "2 of 3", "running", here],
        "mid": ["0", "20", "1 of 1", "ready", "its begin" if is_board else "-"],
        "low": ["0", "10", "1 of 1", "preempted", inside],
        "never": ["0", "1", "0 of 1", "suspended", "-"],
    }
    assert other[:3] == [str(cpus - 1), "20", "1 of 1"]
    if cpus == 1:
        assert other[3:] == ["waiting for MORE", at("WaitEvent(MORE);\n\tTerm", "plf_task_other")]
    users = ["20", "low mid", "low"]
    assert found["resource ceiling"] == [["OUTER", *users], ["INNER", *users]]
    events = {tuple(row[:2]): row[2:] for row in found["task event"]}
    assert events["waiter", "GO"] == ["0x1", "-", "yes"]
    assert events["waiter", "STOP"] == ["0x2", "yes", "-"]
    assert len(events) == 3
    assert found["alarm counter"] == [
        ["late", "clock", "activate never", "at 5000", "300"],
        ["soft", "calls", "set waiter STOP", "in 1", "once"],
        ["unset", "calls", "activate never", "-", "-"],
    ]
    assert found["counter core"] == [
        ["clock", "0", "1ms", "65535", "-", "1"],
        ["calls", "0", "calls", "2", "1", "1"],
    ]
    stacks = {row[0]: row[1:] for row in found["task stack"]}
    if not is_board:
        assert set(map(tuple, stacks.values())) == {("the board's own", "-", "-", "-")}
        return
    assert {size for _, size, _, _ in stacks.values()} == {"4096"}
    assert stacks["never"][2] == stacks["mid"][2] == "0"
    assert int(stacks["low"][2]) in SIXTEEN
    assert int(stacks["high"][2]) in SIXTEEN


def test_other_cores_are_threads(folder: Path) -> None:
    """The second core has stopped in its task."""
    image = built(folder, "a53", 2)
    found = rows(asked(image, ["break there", "continue", "info tasks"]))
    (other,) = [row for row in found["task core"] if row[0] == "other"]
    there = TASKS[: TASKS.index("there(void)\n{\n")].count("\n") + 3
    assert other[4:] == ["running", f"tasks.c:{there} there"]


@pytest.mark.parametrize("board", ["sim", pytest.param("a53", marks=LONG)])
def test_a_hook_that_runs_and_registers_that_are_as_before(folder: Path, board: str) -> None:
    start = "run" if board == "sim" else "continue"
    image = built(folder, board, 1)
    registers = ["info registers pc sp", "backtrace 2"]
    commands = ["break ErrorHook", start, "echo <\n", *registers, "echo <\n"]
    text = asked(
        image, [*commands, "info tasks", "echo <\n", *registers, "echo <\n", "info symbol $pc"]
    )
    _, before, shown, after, end = text.split("<\n")
    assert before == after
    assert "ErrorHook (status=" in before
    assert end.startswith("ErrorHook in section")
    (high,) = [row for row in rows(shown)["task core"] if row[0] == "high"]
    assert high[3:] == ["2 of 3", "running, under ErrorHook", "hooks.c:6 ErrorHook"]


def test_standard_status_keeps_no_holders(folder: Path) -> None:
    image = built(folder, "sim", 1, status="standard")
    found = rows(asked(image, ["break here", "run", "info resources"]))
    assert [row[3] for row in found["resource ceiling"]] == ["not kept", "not kept"]


def test_an_image_that_does_not_run(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    image = built(folder, "sim", 1)
    assert asked(image, ["info alarms"]) == ""
    assert capfd.readouterr().err == "info alarms: the image does not run\n"


@LONG
@pytest.mark.parametrize(
    ("name", "tasks"),
    [("servers", 4), ("mueller-2014-mpcp", 5), ("almatary-2015-floor", 4), ("across-cpus", 9)],
)
def test_images_of_other_kinds(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, tasks: int
) -> None:
    """For servers, global resources and deadlines, each table comes without an error of Python."""
    image = build_image(load(EXAMPLES / f"{name}.toml"), "a53", folder=tmp_path / "image")
    found = rows(asked(image, ["break plf_idle", "continue", *ALL]))
    assert len(found["task core"]) == len(found["task stack"]) == tasks
    assert "rror" not in capfd.readouterr().err
