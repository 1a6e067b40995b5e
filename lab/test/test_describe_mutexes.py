# SPDX-License-Identifier: MIT
"""Mutexes of Linux in a description: the values that are read, and every mistake with its place."""

from pathlib import Path

import pytest

from plafond.describe import load
from plafond.describe.loading import load_mutexes
from plafond.describe.problems import DescriptionError

TASK = """
[task.T]
priority = 10
arrival = "periodic 10ms"
body = ["lock R", "run 1ms", "unlock R"]
"""
MUTEX = """\
[resource.R]
ceiling = 40
[mutex.R]
use = true
protocol = "inherit"
module = "app"
offset = "0x12ab"
symbol = "main"
order = 1
lockers = [
    { thread = "T", policy = "fifo", priority = 99, cpu = 1, locks = 5, longest_hold = "5us" },
    { thread = "main", policy = "other", locks = 1, waits = 1, preempted = 1 },
]
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "some.toml"
    file.write_text(text)
    return file


def test_a_mutex_says_where_it_is_made_and_has_the_ceiling_of_its_resource(tmp_path: Path) -> None:
    file = written(tmp_path, TASK + MUTEX)
    (mutex,) = load_mutexes(file)
    assert (mutex.module, mutex.offset, mutex.order, mutex.use) == ("app", "0x12ab", 1, True)
    assert mutex.ceiling == 40
    assert load(file).resources[0].ceiling == 40


def test_a_mutex_may_have_the_ceiling_99(tmp_path: Path) -> None:
    text = TASK + MUTEX.replace("ceiling = 40", "ceiling = 99")
    assert load_mutexes(written(tmp_path, text))[0].ceiling == 99


def test_without_a_ceiling_it_is_that_of_the_users(tmp_path: Path) -> None:
    (mutex,) = load_mutexes(written(tmp_path, TASK + MUTEX.replace("ceiling = 40\n", "")))
    assert mutex.ceiling == 10


def test_of_tasks_there_may_be_none_but_not_for_a_description(tmp_path: Path) -> None:
    file = written(tmp_path, MUTEX)
    assert load_mutexes(file)[0].ceiling == 40
    with pytest.raises(DescriptionError, match="task: found nothing"):
        load(file)


def test_a_mutex_that_no_call_makes_has_places(tmp_path: Path) -> None:
    def keys(more: str, order: int = 0) -> tuple[str, ...]:
        text = MUTEX.replace("order = 1", f"order = {order}\n{more}")
        return load_mutexes(written(tmp_path, text))[0].keys

    first = 'run_as = "inherit"\nlocked_at = ["app+0x1", "lib +.so+0x2"]'
    assert keys('place = "app+0x4080"') == ("app 0x4080 0",)
    assert keys(first) == ("app 0x1 0", "lib +.so 0x2 0")
    assert keys(first, order=3) == ("app 0x12ab 3",)
    assert keys(f'{first}\nplace = "app+0x4080"', order=3) == ("app 0x4080 1",)
    assert keys('path = "0x77"\nnth = 2', order=3) == ("app 0x12ab/0x77 2",)
    assert keys('path = "0x77"\nplace = "app+0x1"\nnamed = "a b"') == ("name:a b 0x0 1",)


def test_one_that_is_to_inherit_needs_no_ceiling(tmp_path: Path) -> None:
    text = MUTEX.replace("ceiling = 40\n", "").replace("use", 'run_as = "inherit"\nuse')
    (mutex,) = load_mutexes(written(tmp_path, text))
    assert (mutex.inherits, mutex.ceiling) == (True, None)


def test_mutexes_without_an_order_may_have_one_place(tmp_path: Path) -> None:
    other = MUTEX.replace(".R]", ".S]").replace("0x12ab", "0x012ab")
    unknown = (MUTEX + other).replace("order = 1", "order = 0").replace("true", "false")
    assert len(load_mutexes(written(tmp_path, unknown))) == 2
