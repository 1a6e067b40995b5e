# SPDX-License-Identifier: MIT
"""The masks of events: a given mask, or a bit that is free in each task with the event."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from descriptions import described, mistakes

Owned = Mapping[str, Sequence[str]]  # events by task
MOST = 64
OF_SEVERAL = 31


def text_of(owned: Owned, masks: Mapping[str, int] | None = None, cpus: int = 1) -> str:
    tables = [f"[event.{name}]\nmask = {mask}" for name, mask in (masks or {}).items()]
    tasks = [
        f"[task.{task}]\npriority = 1\nautostart = true\nevents = {list(events)}\n"
        "body = ['run 1us']"
        for task, events in owned.items()
    ]
    return "\n".join([f"cpus = {cpus}", "[kernel]", *tables, *tasks])


def names(letter: str, count: int) -> list[str]:
    return [f"{letter}{index}" for index in range(count)]


def masks_of(
    folder: Path, owned: Owned, masks: Mapping[str, int] | None = None, cpus: int = 1
) -> Mapping[str, int]:
    return described(folder, text_of(owned, masks, cpus)).events


def check(owned: Owned, masks: Mapping[str, int], given: Mapping[str, int], most: int) -> None:
    """Check that masks fit in the word, and that a chosen bit is unique among a task's events."""
    for events in owned.values():
        for one in events:
            assert masks[one] == given.get(one, masks[one])
            assert 0 < masks[one] < 1 << most
            if one not in given:
                assert masks[one].bit_count() == 1
                assert all(not masks[one] & masks[other] for other in events if other != one)


def test_events_have_bits_of_their_own_while_there_are_enough(tmp_path: Path) -> None:
    """Bits follow the order of the description. No bit of a task means an event of another task."""
    masks = masks_of(tmp_path, {"T": names("E", 3), "U": ["X", "E1"], "V": names("F", 60)})
    ordered = [*names("E", 3), "X", *names("F", 60)]
    assert masks == {name: 1 << bit for bit, name in enumerate(ordered)}


def test_more_events_share_bits_where_no_task_has_both(tmp_path: Path) -> None:
    owned = {f"T{task}": [*names(f"E{task}x", 8), "ALL"] for task in range(16)}
    masks = masks_of(tmp_path, owned)
    check(owned, masks, {}, MOST)
    assert len(masks) == 129
    assert (masks["ALL"], masks["E3x0"], masks["E15x7"]) == (1, 2, 1 << 8)


def test_a_task_may_have_all_its_bits(tmp_path: Path) -> None:
    owned = {"T": [*names("E", 63), "ALL"], "U": ["ALL", *names("F", 63)]}
    check(owned, masks_of(tmp_path, owned), {}, MOST)
    owned = {"T": [*names("E", 30), "ALL"], "U": ["ALL", *names("F", 30)]}
    check(owned, masks_of(tmp_path, owned, cpus=2), {}, OF_SEVERAL)


def test_a_bit_that_is_given_is_free_for_no_event_beside_it(tmp_path: Path) -> None:
    owned = {"T": [*names("E", 40), "A", "B"], "U": [*names("F", 40), "B"]}
    given = {"A": 0b101, "B": 1 << 63, "E7": 2}
    masks = masks_of(tmp_path, owned, given)
    check(owned, masks, given, MOST)
    assert (masks["E0"], masks["F0"]) == (0b1000, 0b1)


def test_bits_count_and_not_events(tmp_path: Path) -> None:
    """A mask of 60 bits leaves four bits, which the ten events of another task do not need."""
    owned = {"T": ["WIDE", "E"], "U": names("F", 10)}
    masks = masks_of(tmp_path, owned, {"WIDE": (1 << 60) - 1})
    check(owned, masks, {"WIDE": (1 << 60) - 1}, MOST)
    assert masks["E"] == 1 << 60


def test_an_event_of_no_task_is_a_mask_for_c(tmp_path: Path) -> None:
    assert masks_of(tmp_path, {"T": ["E"]}, {"FREE": 6}) == {"E": 1, "FREE": 6}


@pytest.mark.parametrize("seed", range(40))
def test_random_tasks_have_bits_apart(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    all_events = names("E", random.randint(1, 150))
    owned = {
        f"T{task}": random.sample(all_events, random.randint(0, min(12, len(all_events))))
        for task in range(random.randint(1, 30))
    }
    some = random.sample(all_events, random.randrange(5))
    given = {event: 1 << 3 * bit | 1 << 30 for bit, event in enumerate(some)}
    check(owned, masks_of(tmp_path, owned, given), given, MOST)


def test_a_task_with_too_many_events_is_named(tmp_path: Path) -> None:
    owned = {"T": ["A"], "U": names("E", 65)}
    (found,) = mistakes(tmp_path, text_of(owned))
    assert found.endswith(": task.U.events: found events of 65 bits; expected at most 64 of a task")
    (found,) = mistakes(tmp_path, text_of({"U": names("E", 63)}, {"E0": 7}))
    assert "found events of 65 bits" in found
    (found,) = mistakes(tmp_path, text_of({"U": names("E", 32)}, cpus=2))
    assert found.endswith(
        ": task.U.events: found events of 32 bits; expected at most 31 of a task where there are "
        "several CPUs"
    )


def test_an_event_for_which_no_bit_is_left_is_named(tmp_path: Path) -> None:
    """Each task has room, but the given masks leave no bit that is free in both tasks."""
    low, high = names("E", 32), names("F", 32)
    given = {event: 1 << bit for bit, event in enumerate([*low, *high])}
    text = text_of({"T": [*low, "BOTH"], "U": ["BOTH", *high], "V": names("G", 9)}, given)
    found = mistakes(tmp_path, text)
    assert [each.split(": ", 1)[1] for each in found] == [
        f"task.{task}.events[{place}]: found BOTH, for which none of 64 bits is free in all tasks "
        "that have it; expected a mask in [event.BOTH], or fewer events"
        for task, place in (("T", 32), ("U", 0))
    ]
