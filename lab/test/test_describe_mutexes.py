# SPDX-License-Identifier: MIT
"""Mutexes of Linux in a description: what is read, and every mistake with its place."""

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


def mistakes(file: Path) -> str:
    with pytest.raises(DescriptionError) as caught:
        load_mutexes(file)
    return str(caught.value).replace(f"{file.parent}/", "")


def test_a_mutex_says_where_it_is_made_and_has_the_ceiling_of_its_resource(tmp_path: Path) -> None:
    file = written(tmp_path, TASK + MUTEX)
    (mutex,) = load_mutexes(file)
    assert (mutex.module, mutex.offset, mutex.order, mutex.use) == ("app", "0x12ab", 1, True)
    assert mutex.ceiling == 40
    assert load(file).resources[0].ceiling == 40


def test_a_mutex_may_have_the_ceiling_99_and_other_resources_98(tmp_path: Path) -> None:
    text = TASK + MUTEX.replace("ceiling = 40", "ceiling = 99")
    assert load_mutexes(written(tmp_path, text))[0].ceiling == 99
    other = written(tmp_path, text + "[resource.S]\nceiling = 99\n")
    assert mistakes(other).endswith(
        "resource.S.ceiling: found 99; expected at most 98: there is no table [mutex.S]"
    )
    higher = mistakes(written(tmp_path, text.replace("= 99\n", "= 100\n")))
    assert "resource.R.ceiling: found 100; expected a whole number from 1 to 98" in higher


def test_without_a_ceiling_it_is_that_of_the_users(tmp_path: Path) -> None:
    (mutex,) = load_mutexes(written(tmp_path, TASK + MUTEX.replace("ceiling = 40\n", "")))
    assert mutex.ceiling == 10


def test_of_tasks_there_may_be_none_but_not_for_a_description(tmp_path: Path) -> None:
    file = written(tmp_path, MUTEX)
    assert load_mutexes(file)[0].ceiling == 40
    with pytest.raises(DescriptionError, match="task: found nothing"):
        load(file)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "0x12ab",
            "12AB",
            '7: mutex.R.offset: found "12AB"; expected a hexadecimal number, such as',
        ),
        ("order = 1", "order = -1", "found -1; expected a whole number from 0"),
        ("order = 1", "order = 0", "mutex.R.order: found 0, not known; expected one that is known"),
        ("use = true", 'use = "yes"', 'mutex.R.use: found "yes"; expected true or false'),
        ("use =", "used =", "expected one of use, run_as, why, protocol, module, offset, symbol"),
        ('"inherit"', '"plain"', 'mutex.R.protocol: found "plain"; expected "none", "inherit" or'),
        ('"inherit"', '"protect"', "mutex.R.use: found true; expected false: the program gives it"),
        ('module = "app"\n', "", "mutex.R.module: found nothing; expected a file name"),
        ('"app"', '"#app"', "mutex.R.module: found #app; expected a file name that has no comment"),
        ('"app"', '" app"', "mutex.R.module: found  app; expected a file name that has no comment"),
        ("[mutex.R]", "[mutex.S]", "found no resource of this name; expected a table [resource.S]"),
        ("ceiling = 40\n", "", "1: resource.R.ceiling: found nothing; expected the ceiling of mu"),
        ("priority = 99", "priority = 100", "11: mutex.R.lockers[0].priority: found 100; expecte"),
        (
            "priority = 99",
            "prio = 9",
            "expected one of thread, policy, priority, cpu, locks, waits",
        ),
        ('"5us"', '"5"', '11: mutex.R.lockers[0].longest_hold: found "5"; expected a duration'),
        ('"other"', '"othr"', "lockers[1].policy: found"),
        (
            "[resource.R]",
            'scheduler = "edf"\n[resource.R]',
            "expected none under EDF, which has no",
        ),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in MUTEX
    assert message in mistakes(written(tmp_path, MUTEX.replace(old, new, 1)))


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


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('locked_at = ["app+0x1"]', 'mutex.R.run_as: found "ceiling"; expected "inherit", or use'),
        ('place = "app"', 'mutex.R.place: found "app"; expected a file name and a hexadecimal'),
        ('place = "#app+0x1"', "mutex.R.module: found #app; expected a file name that has no com"),
        ('run_as = "plain"', 'mutex.R.run_as: found "plain"; expected "ceiling" or "inherit"'),
    ],
)
def test_a_wrong_place_is_named(tmp_path: Path, more: str, message: str) -> None:
    text = MUTEX.replace("order = 1", f"order = 0\n{more}")
    assert message in mistakes(written(tmp_path, text))


def test_one_place_is_of_one_mutex(tmp_path: Path) -> None:
    text = MUTEX.replace("order = 1", 'place = "app+0x4080"')
    other = text.replace(".R]", ".S]").replace("0x12ab", "0x12ac")
    expected = "mutex.S.place: found app+0x4080; expected a place of its own: this one is that of R"
    assert expected in mistakes(written(tmp_path, text + other))


def test_a_mistake_has_its_line(tmp_path: Path) -> None:
    text = MUTEX.replace('"5us"', '"5"').replace("use = true", "use = 1")
    lines = [line.split(":")[1] for line in mistakes(written(tmp_path, text)).splitlines()]
    assert lines == ["4", "11"]


def test_one_mutex_has_one_table(tmp_path: Path) -> None:
    other = MUTEX.replace(".R]", ".S]").replace("0x12ab", "0x012ab")
    expected = "mutex.S.order: found 1; expected a place and order of its own: these are those of R"
    assert expected in mistakes(written(tmp_path, MUTEX + other))
    unknown = (MUTEX + other).replace("order = 1", "order = 0").replace("true", "false")
    assert len(load_mutexes(written(tmp_path, unknown))) == 2
