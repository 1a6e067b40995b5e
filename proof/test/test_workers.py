# SPDX-License-Identifier: MIT
"""The processes of a proof: their answers, and no wait for an answer that does not come."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from proof.result import CouldNotRunError
from proof.workers import done_by_workers, in_order

LARGE = b"x" * 300_000  # more than a pipe takes at once


def squared(task: int) -> int:
    return task * task


def process_of(task: int) -> int:
    return os.getpid()


def read_at(task: tuple[Path, bytes]) -> bytes:
    return task[0].read_bytes()


def ended_by_itself(task: int) -> int:
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_each_answer_has_the_number_of_its_task() -> None:
    found = dict(done_by_workers(squared, range(20), 2, most=3))
    assert found == {number: number * number for number in range(20)}


def test_answers_are_put_in_order() -> None:
    early = [(1, "b"), (0, "a"), (3, "d"), (2, "c")]
    assert list(in_order(early)) == ["a", "b", "c", "d"]


def test_a_process_does_so_many_tasks_and_no_more() -> None:
    by = [process for _, process in done_by_workers(process_of, range(6), 1, most=2)]
    assert by[0] == by[1] != by[2] == by[3] != by[4] == by[5]


def test_what_a_task_raises_ends_all(tmp_path: Path) -> None:
    """As if the folder of a proof were removed. Many times, because it could hang by chance."""
    tasks = [(tmp_path / "removed", LARGE)] * 20
    for _ in range(30):
        with pytest.raises(FileNotFoundError, match="removed"):
            list(done_by_workers(read_at, tasks, 2, most=1))
    assert not multiprocessing.active_children()


def test_a_process_that_is_killed_is_an_error() -> None:
    with pytest.raises(CouldNotRunError, match="ended early: exit code -9"):
        list(done_by_workers(ended_by_itself, range(9), 2, most=4))
    assert not multiprocessing.active_children()


def test_answers_that_are_not_awaited_leave_nothing() -> None:
    answers = done_by_workers(squared, range(9), 2, most=4)
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()
