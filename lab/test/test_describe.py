# SPDX-License-Identifier: MIT
"""Descriptions: the values that are read, and every mistake with its place."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described, mistakes

from plafond.describe import load
from plafond.describe.description import SINGLE, TABLES, Description
from plafond.describe.fields import COMPUTED, Strict, expected, fields_of
from plafond.describe.form import problems_of_form
from plafond.describe.lock_order import find_deadlock, is_cycle, refuse_deadlock
from plafond.describe.mutex import Locker
from plafond.describe.positions import lines_of
from plafond.describe.system import Interval, Lock, Pending, Run, Sleep, System, Unlock
from plafond.errors import ArgumentError, PlafondError
from plafond.protocols import Protocol
from plafond.units import format_above, format_duration, parse_duration

TASK = """
[task.T]
priority = 10
arrival = "periodic 10ms"
body = [{body}]
"""


def body(*steps: str) -> str:
    return TASK.format(body=", ".join(f'"{step}"' for step in steps)) + "[resource]\nR={}\nS={}\n"


def test_a_whole_description(tmp_path: Path) -> None:
    system = described(
        tmp_path,
        """
        name = "whole"
        cpus = 2
        seed = 7
        [task.slow]
        priority = 1
        cpu = 1
        arrival = "random 10ms 20ms"
        offset = "5ms"
        deadline = "1s"
        activations = 3
        pending = "skip"
        body = ["run 1ms", "sleep 2ms", "lock R", "run 0.5us", "unlock R"]
        [task.fast]
        priority = 2
        arrival = "sporadic 4ms"
        body = ["run 1ms"]
        [resource.R]
        ceiling = 9
        """,
    )
    fast, slow = system.tasks
    assert (system.name, system.cpus, system.seed) == ("whole", 2, 7)
    assert slow.interval == Interval(10_000_000, 20_000_000)
    assert (slow.offset_ns, slow.deadline_ns, slow.activations) == (5_000_000, 10**9, 3)
    assert slow.pending is Pending.SKIP
    assert slow.body == (Run(10**6), Sleep(2 * 10**6), Lock("R"), Run(500), Unlock("R"))
    assert (fast.deadline_ns, fast.pending, fast.activations) == (4_000_000, Pending.QUEUE, None)
    assert [(r.name, r.ceiling, r.users) for r in system.resources] == [("R", 9, ("slow",))]
    assert system.utilisation(0) == Fraction(1, 4)


def test_a_ceiling_is_the_highest_priority_of_its_users(tmp_path: Path) -> None:
    text = body("lock R", "run 1ms", "unlock R").replace("[task.T]", "[task.A]")
    text += TASK.format(body='"lock R", "run 1ms", "unlock R"').replace("10\n", "20\n", 1)
    assert described(tmp_path, text).resources[0].ceiling == 20


@pytest.mark.parametrize("model", [Description, *SINGLE.values(), *TABLES.values(), Locker])
def test_a_message_names_what_is_expected_without_what_it_means(model: type[Strict]) -> None:
    for name in fields_of(model):
        assert re.match(r"\w|[\"[]", expected(model, name))
        assert not re.search(r";|without it|whether|how ", expected(model, name))


@pytest.mark.parametrize("table", TABLES)
def test_a_file_has_no_field_that_is_computed(table: str) -> None:
    for name, field in TABLES[table].model_fields.items():
        if COMPUTED in field.metadata:
            place = (table, "X", field.alias or name)
            found = list(problems_of_form({table: {"X": {place[-1]: 1}}}))
            assert (place, "an unknown key") in [(each.where, each.found) for each in found]


def test_numbers_without_end_are_refused(tmp_path: Path) -> None:
    zeros = "0" * 5000
    for line, place in (
        (f"seed = 1{zeros}\n", "2: found a number with more digits"),
        (f"seed = 0x1{zeros}\n", "2: seed: found a number with more digits"),
        (f"cpus = 0x1{zeros}\n", "2: cpus: found a number with more digits"),
        (f"[task.T]\ncpu = 0x1{zeros}\n", "3: task.T.cpu: found a number with more digits"),
    ):
        text = body("run 1ms")
        text = text.replace("[task.T]\n", line if "[" in line else f"{line}[task.T]\n")
        assert mistakes(tmp_path, text)[0].startswith(f"some.toml:{place}")


def test_all_mistakes_are_reported_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = body("lock R", "run 1ms").replace("10ms", "10").replace("R={}", "R={ceil=1}")
    lines = [line.split(":")[1] for line in mistakes(tmp_path, "cpu = 1\n" + text)]
    assert lines == ["1", "5", "8"]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a = " + b"[" * 100_000, b"#" * 2_000_000])
def test_what_is_no_description_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.toml"
    file.write_bytes(content)
    with pytest.raises(PlafondError, match="expected"):
        load(file)


@pytest.mark.parametrize("name", ["nothing.toml", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(PlafondError, match="expected a description"):
        load(tmp_path / name)


def test_holds_are_counted_from_the_outermost_of_the_resources(tmp_path: Path) -> None:
    task = described(
        tmp_path,
        body(
            "run 8ms", "lock R", "run 1ms", "lock S", "run 2ms", "unlock S", "run 4ms", "unlock R"
        ),
    ).tasks[0]
    assert task.longest_hold_ns(frozenset("R")) == 7_000_000
    assert task.longest_hold_ns(frozenset("S")) == 2_000_000
    assert task.longest_hold_ns(frozenset()) == 0
    assert task.run_ns == 15_000_000


def test_a_hold_ends_with_its_section(tmp_path: Path) -> None:
    sections = ["lock R", "run 3ms", "unlock R", "run 1ms", "lock R", "run 2ms", "unlock R"]
    task = described(tmp_path, body(*sections)).tasks[0]
    assert task.longest_hold_ns(frozenset("R")) == 3_000_000


def two_tasks(tmp_path: Path, first: list[str], second: list[str]) -> System:
    text = body(*first) + TASK.format(body=", ".join(f'"{step}"' for step in second)).replace(
        "task.T", "task.U"
    )
    return described(tmp_path, text + "[resource.G]\n")


def nested(*resources: str) -> list[str]:
    return [
        *(f"lock {resource}" for resource in resources),
        "run 1ms",
        *(f"unlock {resource}" for resource in reversed(resources)),
    ]


def test_opposite_orders_can_deadlock(tmp_path: Path) -> None:
    deadlock = find_deadlock(two_tasks(tmp_path, nested("R", "S"), nested("S", "R")))
    assert deadlock is not None
    assert is_cycle(deadlock)
    assert sorted(map(str, deadlock)) == ["T holds R and wants S", "U holds S and wants R"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (nested("R", "S"), nested("R", "S")),
        (nested("R", "S") + nested("S", "R"), ["run 1ms"]),
        (nested("G", "R", "S"), nested("G", "S", "R")),
    ],
    ids=["one order", "one task alone", "a common resource around"],
)
def test_no_deadlock(tmp_path: Path, first: list[str], second: list[str]) -> None:
    assert find_deadlock(two_tasks(tmp_path, first, second)) is None


def tangle(tmp_path: Path, layers: int) -> System:
    """Return layers in which every path leads back, but only past G, which both ends hold."""
    width = range(4)
    bodies = [
        nested(*(["G"] if layer == layers - 2 else []), f"R{layer}x{a}", f"R{layer + 1}x{b}")
        for layer in range(layers - 1)
        for a in width
        for b in width
    ]
    bodies.append(nested("G", f"R{layers - 1}x0", "R0x0"))
    tasks = (
        TASK.format(body=", ".join(f'"{step}"' for step in steps)).replace("task.T", f"task.T{i}")
        for i, steps in enumerate(bodies)
    )
    names = [f"R{layer}x{a}" for layer in range(layers) for a in width]
    return described(tmp_path, "".join([*tasks, *(f"[resource.{n}]\n" for n in ["G", *names])]))


def test_too_many_orders_to_follow_are_not_taken_for_safe(tmp_path: Path) -> None:
    assert find_deadlock(tangle(tmp_path, 4)) is None
    unfollowed = find_deadlock(tangle(tmp_path, 12))
    assert unfollowed is not None
    assert not is_cycle(unfollowed)
    assert [*map(str, unfollowed)] == ["not ruled out: too many orders of locking to follow"]
    with pytest.raises(PlafondError, match="under none a deadlock is not ruled out: too many") as e:
        refuse_deadlock(tangle(tmp_path, 12), [Protocol.NONE])
    assert "wants" not in str(e.value)


def test_scaling_keeps_proportions(tmp_path: Path) -> None:
    task = described(tmp_path, body("run 3ms")).scaled(Fraction("0.1")).tasks[0]
    assert (task.run_ns, task.least_interval_ns, task.deadline_ns) == (300_000, 10**6, 10**6)


@pytest.mark.parametrize(
    ("steps", "scale", "message"),
    [
        (["run 3ms"], "0.0001", "found 0.0001, which makes the run step body[0] of task T 300ns"),
        (["run 1s", "sleep 2us"], "0.1", "makes the sleep step body[1] of task T 200ns; expected"),
        (["run 1s"], "0.00001", "makes the least interval of task T 100ns; expected at least 1us"),
        (["run 1s"], "0.001", "makes the deadline of task T 500ns; expected at least 1us"),
    ],
)
def test_a_scale_that_leaves_nothing_is_refused(
    tmp_path: Path, steps: list[str], scale: str, message: str
) -> None:
    text = body(*steps).replace("[task.T]", '[task.T]\ndeadline = "500us"')
    with pytest.raises(ArgumentError) as caught:
        described(tmp_path, text).scaled(Fraction(scale))
    assert message in str(caught.value)


def test_times_as_described_are_never_too_short(tmp_path: Path) -> None:
    system = described(tmp_path, body("run 1ns"))
    assert system.scaled(Fraction(1)) == system


@pytest.mark.parametrize("deep", ["{} = 1", "[{}]", "a = {{ {} = 1 }}", "a = {{b = 1, {} = 1}}"])
def test_a_deep_key_is_refused(tmp_path: Path, deep: str) -> None:
    with pytest.raises(PlafondError, match="nested too deeply; expected at most 3"):
        described(tmp_path, deep.format(".".join(["a"] * 30_000)) + body("run 1ms"))


def test_a_long_key_is_one_unknown_key(tmp_path: Path) -> None:
    found = mistakes(tmp_path, ".".join(["a"] * 100) + " = 1\n" + body("run 1ms"))
    assert [line.split(";")[0] for line in found] == ["some.toml:1: a: found an unknown key"]


def test_a_deep_key_has_lines() -> None:
    lines = lines_of("\n" + ".".join(["a"] * 30_000) + " = [1]")
    assert lines == {("a",) * length: 2 for length in range(1, 5)}


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert len(described(tmp_path, "\ufeff" + body("run 1ms")).tasks) == 1


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "0ns"),
        (0.5, "0.5ns"),
        (1_250, "1.25us"),
        (-17_000_000, "-17ms"),
        (999_940_000, "999.9ms"),
        (999_960_000, "1s"),
        (999.96, "1us"),
        (12_346 * 10**9, "12350s"),
        (12_000 * 10**9, "12000s"),
    ],
)
def test_durations_are_shown_with_four_digits(ns: float, text: str) -> None:
    assert format_duration(ns) == text


@pytest.mark.parametrize(("text", "ns"), [("17ms", 17_000_000), ("2.5 us", 2500), ("1s", 10**9)])
def test_durations(text: str, ns: int) -> None:
    assert parse_duration(text) == ns
    assert parse_duration(format_duration(ns)) == ns


@pytest.mark.parametrize(
    "text", ["", "17", "-1ms", "1e3ms", "0.1ns", "0s", "3601s", "1 m s", "٣ms"]
)
def test_no_durations(text: str) -> None:
    with pytest.raises(ValueError, match="a duration above 0"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (Fraction(11, 10), 1, "110.0%"),
        (Fraction(11, 10), 4, "110.0000%"),
        (Fraction(1), 1, "100.0%"),
        (Fraction(10_005, 10_000), 1, "100.05%"),
        (Fraction(100_001, 100_000), 1, "100.001%"),
        (1 + Fraction(1, 10**20), 1, "100.000000000000000001%"),
    ],
)
def test_a_share_above_a_limit_shows_it(share: Fraction, digits: int, text: str) -> None:
    """If a share were rounded to the limit, an error would find 100% and expect at most 100%."""
    assert format_above(share, Fraction(1), digits) == text
