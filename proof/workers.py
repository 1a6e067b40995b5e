# SPDX-License-Identifier: MIT
"""Run tasks in forked processes, which inherit all that the parent has loaded.

Each process has its own pipe, and there are no locks. So if a process fails or is killed, the
parent can end the others, and nothing waits for ever. multiprocessing.Pool does not guarantee that,
and concurrent.futures cannot limit the number of tasks of a forked process.
"""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from proof.result import CouldNotRunError

Task = TypeVar("Task")
Answer = TypeVar("Answer")
_FORK = multiprocessing.get_context("fork")


@dataclass
class _Worker:
    """A process and its progress."""

    process: BaseProcess
    tasks: int = 0  # number of tasks that the process got
    number: int = 0  # number of its current task


def _work(pipe: Connection, others: Sequence[Connection], function: Callable[[Any], Any]) -> None:
    """Apply `function` to each task from the pipe until None arrives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    for other in others:
        other.close()  # otherwise this process would keep them open after the parent's end
    while (task := pipe.recv()) is not None:
        try:
            answer = True, function(task[0])
        except Exception as error:
            answer = False, error
        pipe.send(answer)


def done_by_workers(
    function: Callable[[Task], Answer], tasks: Iterable[Task], workers: int, *, most: int
) -> Iterator[tuple[int, Answer]]:
    """Yield the number of each task with its answer, in the order in which answers arrive.

    A process does at most `most` tasks, because its memory grows. If a task raises an exception, it
    is raised here.
    """
    waiting = deque(enumerate(tasks))
    running: dict[Connection, _Worker] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                pipe, worker = _started(function, list(running))
                running[pipe] = worker
                _give(pipe, worker, waiting)
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                pipe, worker = ready, running[ready]
                yield worker.number, _answer(pipe, worker)
                if waiting and worker.tasks < most:
                    _give(pipe, worker, waiting)
                else:
                    pipe.send(None)
                    pipe.close()
                    running.pop(pipe).process.join()
    finally:
        for pipe, worker in running.items():
            worker.process.kill()
            worker.process.join()
            pipe.close()


def _started(
    function: Callable[[Any], Any], others: Sequence[Connection]
) -> tuple[Connection, _Worker]:
    ours, theirs = _FORK.Pipe()
    process = _FORK.Process(target=_work, args=(theirs, [*others, ours], function), daemon=True)
    process.start()
    theirs.close()
    return ours, _Worker(process)


def _give(pipe: Connection, worker: _Worker, waiting: deque[tuple[int, Any]]) -> None:
    worker.number, task = waiting.popleft()
    worker.tasks += 1
    pipe.send((task,))


def _answer(pipe: Connection, worker: _Worker) -> Any:
    try:
        is_answer, answer = pipe.recv()
    except (EOFError, ConnectionResetError):
        worker.process.join()
        code = worker.process.exitcode
        raise CouldNotRunError(f"a process of the proof ended early: exit code {code}") from None
    if not is_answer:
        raise answer
    return answer


def in_order(numbered: Iterable[tuple[int, Answer]]) -> Iterator[Answer]:
    """Yield the answers in the order of their tasks, each as soon as all earlier ones are out."""
    early: dict[int, Answer] = {}
    following = 0
    for number, answer in numbered:
        early[number] = answer
        while following in early:
            yield early.pop(following)
            following += 1
