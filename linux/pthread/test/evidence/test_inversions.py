# SPDX-License-Identifier: MIT
"""Inversions of a C++ program are learned and cured.

EVIDENCE_INVERSIONS names the program of inversions.cc.
"""

import os
import subprocess
from pathlib import Path

import pytest

from test_evidence import DROP_IN, Json, read_json

INVERSIONS = Path(os.environ["EVIDENCE_INVERSIONS"])
URGENT = 50  # of inversions.cc
ROUNDS = 5
CROWD = 1000


def inverted(folder: Path, scene: str, *more: str, **settings: str) -> int:
    """Run a scene of the C++ program. Return the priority at which its ordinary holders ran."""
    result = subprocess.run(
        [INVERSIONS, scene, *more],
        cwd=folder,
        env=os.environ | {"LD_PRELOAD": DROP_IN} | settings,
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return int(result.stdout.removeprefix("a holder ran at "))


def seen_inversions(folder: Path, scene: str) -> Json:
    """Return the evidence of a scene."""
    assert inverted(folder, scene, PLAFOND_LEARN="learned.json") == 0
    return read_json(folder / "learned.json")


def waits_of(found: Json, mutex: Json) -> dict[tuple[str, str], int]:
    """Return the number of waits for each pair of waiter and holder."""
    names = {thread["thread"]: thread["name"] for thread in found["threads"]}
    return {
        (names[locker["thread"]], names[wait["thread"]]): wait["waits"]
        for locker in mutex["lockers"]
        for wait in locker["waited_for"]
    }


@pytest.mark.parametrize("scene", ["global", "member", "recursive", "condition", "timed"])
def test_the_thread_that_had_the_mutex_is_evidence(tmp_path: Path, scene: str) -> None:
    """Also an ordinary thread that locked before any real-time thread did."""
    found = seen_inversions(tmp_path, scene)
    (mutex,) = found["mutexes"]
    main = INVERSIONS.name[:15]
    assert waits_of(found, mutex)["urgent", main] == ROUNDS
    policies = {thread["name"]: thread["policy"] for thread in found["threads"]}
    assert (policies["urgent"], policies[main]) == ("fifo", "other")
    (longest,) = (w["longest_ns"] for each in mutex["lockers"] for w in each["waited_for"])
    assert 0 < longest < found["duration_ns"]


def test_several_holders_are_several_entries(tmp_path: Path) -> None:
    found = seen_inversions(tmp_path, "several")
    (mutex,) = found["mutexes"]
    waits = waits_of(found, mutex)
    assert waits["urgent", "logger"] == waits["urgent", INVERSIONS.name[:15]] == ROUNDS


@pytest.mark.parametrize(("scene", "is_variable"), [("global", True), ("member", False)])
def test_a_mutex_that_is_a_variable_has_a_place(
    tmp_path: Path, scene: str, is_variable: bool
) -> None:
    (mutex,) = seen_inversions(tmp_path, scene)["mutexes"]
    assert ("place" in mutex) is is_variable
    assert mutex.get("place", {"module": INVERSIONS.name})["module"] == INVERSIONS.name
    assert mutex["order"] == 0


def chosen(folder: Path, mutexes: list[Json], choice: int | str) -> Path:
    """Write a table with this choice for mutexes that no call makes, and return its path."""
    places = [place for m in mutexes for place in (m.get("place"), m, m["locked_at"])]
    lines = {f"{place['module']} {place['offset']} 0 {choice}\n" for place in places if place}
    table = folder / "chosen"
    table.write_text("".join(lines))
    return table


@pytest.mark.parametrize("choice", ["inherit", URGENT])
@pytest.mark.parametrize(
    "scene", ["global", "member", "recursive", "several", "condition", "timed"]
)
def test_a_mutex_that_no_call_makes_is_cured(tmp_path: Path, scene: str, choice: int | str) -> None:
    """The table has the variable, or the first lock, even if the program makes other mutexes."""
    (mutex,) = seen_inversions(tmp_path, scene)["mutexes"]
    settings = {"PLAFOND_CEILINGS": str(chosen(tmp_path, [mutex], choice))}
    settings |= {"PLAFOND_STATS": str(tmp_path / "stats.json")}
    assert inverted(tmp_path, scene, "more", **settings) == URGENT
    assert read_json(tmp_path / "stats.json")["converted"] >= 1


def test_a_variable_alone_is_converted(tmp_path: Path) -> None:
    """A mutex that the same call locks is not converted."""
    (mutex,) = seen_inversions(tmp_path, "global")["mutexes"]
    place = mutex["place"]
    table = tmp_path / "chosen"
    table.write_text(f"{place['module']} {place['offset']} 0 inherit\n")
    settings = {"PLAFOND_CEILINGS": str(table), "PLAFOND_STATS": "stats.json"}
    assert inverted(tmp_path, "global", "more", **settings) == URGENT
    assert read_json(tmp_path / "stats.json")["converted"] == 1
    assert inverted(tmp_path, "member", "more", **settings) == 0


@pytest.mark.parametrize("choice", ["inherit", URGENT])
def test_first_locks_of_several_threads_at_once_exclude(tmp_path: Path, choice: int | str) -> None:
    """Also if some threads only try: the program counts in each of 4000 sections."""
    mutexes = seen_inversions(tmp_path, "crowd")["mutexes"]
    settings = {"PLAFOND_CEILINGS": str(chosen(tmp_path, mutexes, choice))}
    settings |= {"PLAFOND_STATS": str(tmp_path / "stats.json")}
    inverted(tmp_path, "crowd", **settings)
    assert read_json(tmp_path / "stats.json")["converted"] == CROWD


def test_what_is_converted_is_not_in_mode_off(tmp_path: Path) -> None:
    (mutex,) = seen_inversions(tmp_path, "global")["mutexes"]
    settings = {"PLAFOND_CEILINGS": str(chosen(tmp_path, [mutex], "inherit"))}
    assert inverted(tmp_path, "global", PLAFOND_MODE="off", **settings) == 0
