# SPDX-License-Identifier: MIT
"""The length of a run on a board, and the tasks that such a run refuses. No image is built."""

from dataclasses import replace

import pytest
from report_fakes import system_of
from run_options import OPTIONS

from plafond.board.boards import BOARDS
from plafond.board.recording import Recording
from plafond.describe.system import Pending
from plafond.errors import ArgumentError
from plafond.run import board
from plafond.run.board import PATIENCE_S, SLOWEST, run_on_board

MS = 1_000_000
TASK = '[task.T]\npriority = 1\nqueue = 9\nbody = ["run 10us"]\n'
ARRIVES = f'{TASK}arrival = "periodic 1s"\n'
COUNTERS = (
    '[counter.FAST]\nhighest = 99\ntick = "1ms"\n[counter.SLOW]\nhighest = 99\ntick = "4ms"\n'
)


class Built(Exception):  # noqa: N818
    """An image was built."""


def recording_of(
    text: str, monkeypatch: pytest.MonkeyPatch, times: int | None = 3, arrives: bool = False
) -> Recording:
    found: list[Recording] = []

    def build_image(*arguments: object, **_: object) -> None:
        assert isinstance(arguments[4], Recording)
        found.append(arguments[4])
        raise Built

    monkeypatch.setattr(board, "build_image", build_image)
    system = system_of(text)
    arrivals = {task.name: [0] if arrives and task.name == "T" else [] for task in system.tasks}
    options = replace(OPTIONS, activations=times)
    with pytest.raises(Built):
        list(run_on_board(system, arrivals, options, BOARDS["sim"]))
    return found[0]


def alarm(name: str, counter: str, autostart: str = "") -> str:
    start = f"autostart = {autostart}\n" if autostart else ""
    return f'[alarm.{name}]\ncounter = "{counter}"\naction = "activate T"\n{start}'


def table(name: str, counter: str, more: str) -> str:
    points = 'points = [{ at = 0, do = ["activate T"] }]\n'
    return f'[schedule_table.{name}]\ncounter = "{counter}"\nduration = 10\n{more}\n{points}'


@pytest.mark.parametrize(
    ("objects", "half_ms"),
    [
        ([alarm("A", "FAST", "[5, 20]")], (5 + 2 * 20) * 2 + 1),  # half a tick after the third
        ([alarm("A", "FAST", "[0, 20]")], (100 + 2 * 20) * 2 + 1),  # the counter wraps first
        ([alarm("A", "FAST", "[5, 0]")], 5 * 2 + 1),  # once
        ([alarm("A", "FAST")], 0),
        ([alarm("A", "FAST", "[5, 20]"), alarm("B", "SLOW", "[5, 20]")], (45 * 4) * 2 + 4),
        ([alarm("B", "SLOW", "[5, 20]"), alarm("A", "FAST", "[5, 20]")], (45 * 4) * 2 + 4),
        ([table("S", "FAST", 'autostart = "relative 7"')], (7 + 10) * 2 + 1),
        ([table("S", "FAST", 'autostart = "absolute 0"')], (100 + 10) * 2 + 1),
        (
            [table("S", "FAST", 'repeating = true\nautostart = "relative 7"')],
            (7 + 3 * 10) * 2 + 1,
        ),
        ([table("S", "FAST", "")], 0),
        ([table("S", "FAST", 'sync = "explicit"\nautostart = "synchron"')], 0),
        (
            [alarm("A", "FAST", "[5, 0]"), table("S", "SLOW", 'autostart = "relative 7"')],
            17 * 4 * 2 + 4,
        ),
        (
            [alarm("A", "SLOW", "[50, 0]"), table("S", "SLOW", 'autostart = "relative 7"')],
            50 * 4 * 2 + 4,
        ),
    ],
)
def test_without_arrivals_a_run_lasts_until_the_last_alarm_and_the_last_table(
    objects: list[str], half_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TASK + COUNTERS + "".join(objects)
    assert recording_of(text, monkeypatch).until_ns == half_ms * MS // 2


def test_a_hundred_times_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TASK + COUNTERS + alarm("A", "FAST", "[5, 20]")
    assert recording_of(text, monkeypatch, None).until_ns == (5 + 99 * 20) * MS + MS // 2


def test_if_any_task_arrives_by_itself_the_arrivals_end_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = ARRIVES.replace("task.T", "task.U")
    text = TASK + other + COUNTERS + alarm("A", "FAST", "[5, 20]")
    assert recording_of(text, monkeypatch, arrives=True).until_ns == 0


def test_the_emulator_may_take_six_seconds_for_each_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Image:
        path = "image"

    limits: list[float] = []

    def run_image(_path: object, _board: object, limit_s: float) -> str:
        limits.append(limit_s)
        raise Built

    recording = recording_of(TASK + COUNTERS + alarm("A", "FAST", "[5, 20]"), monkeypatch)
    monkeypatch.setattr(board, "build_image", lambda *_, **__: Image)
    monkeypatch.setattr(board, "run_image", run_image)
    options = replace(OPTIONS, activations=3)
    with pytest.raises(Built):
        list(run_on_board(recording.system, {"T": []}, options, BOARDS["sim"]))
    assert limits == [PATIENCE_S + SLOWEST * recording.limit_ns / 10**9]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"pending": Pending.SKIP, "queue": None}, 'pending = "skip"'),
        ({"queue": 2}, "queue"),
        ({"queue": None}, None),
    ],
)
def test_a_range_is_refused_in_a_task_that_may_drop_arrivals(
    changes: dict[str, object], found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second task is to blame."""

    def build_image(*_: object, **__: object) -> None:
        raise Built

    monkeypatch.setattr(board, "build_image", build_image)
    ranged = ARRIVES.replace("task.T", "task.U").replace("10us", "5us..10us")
    system = system_of(ARRIVES + ranged.replace("queue = 9\n", ""))
    tasks = tuple(each.changed(**changes) if each.name == "U" else each for each in system.tasks)
    arrivals: dict[str, list[int]] = {"T": [0], "U": [0]}
    run = run_on_board(replace(system, tasks=tasks), arrivals, OPTIONS, BOARDS["sim"])
    if found is None:
        with pytest.raises(Built):
            list(run)
    else:
        said = f"--on sim: found a range in the body of U, and {found}; expected one of the two"
        with pytest.raises(ArgumentError) as caught:
            list(run)
        assert str(caught.value).startswith(said)
