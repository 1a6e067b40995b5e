# SPDX-License-Identifier: MIT
"""The model of servers that share resources, against results by hand."""

import pytest
from report_fakes import system_of
from server_model import Schedule, schedule_of
from sharing_figures import FIGURES, US, ends, figure, happenings, stretches

from plafond.describe.system import System
from plafond.run.arrivals import draw_arrivals


def scheduled(system: System) -> Schedule:
    return schedule_of(system, draw_arrivals(system, system.seed))


@pytest.mark.parametrize("number", FIGURES)
def test_the_figures_of_van_den_heuvel(number: int) -> None:
    expected = FIGURES[number]
    found = scheduled(figure(number))
    assert found.stretches == stretches(expected.stretches)
    assert found.happenings == happenings(expected.happenings)
    sections = sorted((task, begin, end) for task, _, begin, end in found.sections)
    assert sections == sorted(stretches(expected.sections))
    assert found.ends == ends(expected.ends)
    assert not found.ambiguous
    assert not found.cut_short


# A server: kind, budget of its period of 50, policy (or none: it shares nothing), X, and its tasks,
# the most urgent first, each with arrival and body. From 900 on, a last task of each server that
# shares makes it a user of all shared resources.
Own = tuple[str, int, str, int, dict[str, tuple[int, str]]]
LAST_US = 900


def body(words: str) -> str:
    """Turn `5 R 8 . 2` into steps: run 5us, lock R, run 8us, unlock R, run 2us."""
    held: list[str] = []
    found = []
    for word in words.split():
        if word == ".":
            found.append(f"unlock {held.pop()}")
        elif word.isdigit():
            found.append(f"run {word}us")
        else:
            held.append(word)
            found.append(f"lock {word}")
    return ", ".join(f'"{step}"' for step in found)


def described(servers: tuple[Own, ...]) -> str:
    bodies = " ".join(words for *_, tasks in servers for _, words in tasks.values())
    shared = [name for name in ("R", "Q") if name in bodies]
    last = "1 " + " ".join(f"{name} 1 . 1" for name in shared)
    lines = [f"[resource.{name}]" for name in shared]
    for rank, (kind, budget, policy, hold, tasks) in enumerate(servers):
        lines += [f"[server.s{rank}]", f'kind = "{kind}"', f"priority = {9 - rank}"]
        lines += ['period = "50us"', f'budget = "{budget}us"']
        lines += [f'global = "{policy}"', f'overrun = "{hold}us"'] if policy else []
        own = {**tasks, f"last{rank}": (LAST_US + 1 + 10 * rank, last)} if policy else tasks
        for urgency, (name, (at, words)) in enumerate(own.items()):
            lines += [f"[task.{name}]", f'server = "s{rank}"', f"priority = {50 - urgency}"]
            lines += ['arrival = "periodic 10ms"', "activations = 1"]
            lines += [f'offset = "{at}us"'] if at else []
            lines += [f"body = [{body(words)}]"]
    return "\n".join(lines) + "\n"


def found(*servers: Own) -> tuple[str, str]:
    """Return stretches and events before the last tasks come."""
    schedule = scheduled(system_of(described(servers)))
    assert not schedule.cut_short
    runs = [each for each in schedule.stretches if each[1] < LAST_US * US]
    events = [each for each in schedule.happenings if each[0] < LAST_US * US]
    return (
        ", ".join(f"{begin // US} {name} {end // US}" for name, begin, end in runs),
        ", ".join(f"{time // US} {what} {name}" for time, what, name in events),
    )


IDLE: Own = ("deferrable", 3, "overrun", 2, {})


def test_without_payback_the_next_budget_is_whole() -> None:
    tasks = {"a": (2, "3 R 8 . 10")}
    plain, paid = (
        found(IDLE, ("idling", 10, policy, 8, tasks)) for policy in ("overrun", "overrun-payback")
    )
    assert plain == ("2 a 13, 50 a 60", "10 overrun s1")
    assert paid == ("2 a 13, 50 a 57, 100 a 103", "10 overrun s1, 50 payback s1")


def test_a_replenishment_ends_an_overrun_and_what_was_used_is_paid_back() -> None:
    """The server above takes 37, so the server below overruns right before its replenishment."""
    top: Own = ("deferrable", 37, "", 0, {"t": (0, "37")})
    tasks = {"a": (0, "8 R 7 . 9")}
    assert found(top, ("deferrable", 10, "overrun-payback", 8, tasks), IDLE) == (
        "0 t 37, 37 a 57, 100 a 104",
        "47 overrun s1, 50 payback s1",
    )
    assert found(top, ("deferrable", 10, "overrun", 8, tasks), IDLE) == (
        "0 t 37, 37 a 60, 100 a 101",
        "47 overrun s1",
    )


def test_an_overrun_ends_with_the_outermost_section() -> None:
    low: Own = ("idling", 10, "overrun", 9, {"a": (2, "3 R 2 Q 4 . 2 . 3")})
    assert found(IDLE, low) == ("2 a 13, 50 a 53", "10 overrun s1")


def test_no_overrun_begins_where_a_section_ends_as_the_budget_does() -> None:
    low: Own = ("idling", 10, "overrun-payback", 8, {"a": (0, "3 R 7 . 3")})
    assert found(IDLE, low) == ("0 a 10, 50 a 53", "")


def test_a_server_at_the_ceiling_is_kept_out_and_one_above_is_not() -> None:
    """The server above takes the core during the section, and the section gets it back."""
    top: Own = ("deferrable", 10, "", 0, {"t": (12, "4")})
    middle: Own = ("deferrable", 10, "overrun", 8, {"m": (11, "5")})
    between: Own = ("deferrable", 10, "", 0, {"b": (13, "3")})
    low: Own = ("deferrable", 20, "overrun", 8, {"a": (6, "4 R 8 . 2")})
    assert found(middle, low) == ("6 a 18, 18 m 23, 23 a 25", "11 keep-out s0")
    assert found(top, middle, between, low) == (
        "6 a 12, 12 t 16, 16 a 22, 22 m 27, 27 b 30, 30 a 32",
        "11 keep-out s1",
    )


def test_an_idling_server_is_kept_out_though_it_is_empty() -> None:
    """It has budget again at 50, and would spend it idling."""
    low: Own = ("deferrable", 20, "overrun", 10, {"a": (45, "1 R 9 . 2")})
    top: Own = ("idling", 20, "overrun", 10, {})
    assert found(top, low) == ("45 a 55, 75 a 77", "50 keep-out s0")


def test_a_grant_needs_more_than_the_hold() -> None:
    """Of 20, either 10 or 11 are left."""
    exact, more = (
        found(IDLE, ("idling", 20, "skip", 10, {"a": (2, f"{run} R 9 . 1")})) for run in (8, 7)
    )
    assert exact == ("2 a 10, 50 a 60", "10 skip a")
    assert more == ("2 a 19", "")


def test_while_a_task_waits_for_a_budget_only_those_above_its_ceiling_run() -> None:
    """The ceiling is that of k, the most urgent user in that server."""
    tasks = {"h": (13, "2"), "k": (14, "1 R 1 . 1"), "m": (15, "4"), "a": (2, "10 R 9 . 1")}
    low: Own = ("idling", 22, "skip", 11, tasks)
    assert found(IDLE, low) == (
        "2 a 12, 13 h 15, 50 a 59, 59 k 62, 62 m 66, 66 a 67",
        "12 skip a",
    )


def test_a_task_above_the_ceiling_runs_in_the_section_which_goes_on_to_keep_others_out() -> None:
    low: Own = ("deferrable", 20, "skip", 8, {"h": (4, "3"), "a": (2, "1 R 5 . 1")})
    top: Own = ("deferrable", 20, "overrun", 8, {"t": (5, "2")})
    assert found(top, low) == ("2 a 4, 4 h 7, 7 a 11, 11 t 13, 13 a 14", "5 keep-out s0")


@pytest.mark.parametrize(
    ("kind", "runs"),
    [
        ("deferrable", "0 a 10, 13 h 15, 16 b 20, 50 a 60"),
        ("polling", "0 a 10, 16 b 20, 50 h 52, 52 a 62"),
        ("idling", "0 a 10, 13 h 15, 20 b 24, 50 a 60"),
    ],
)
def test_what_becomes_of_the_budget_while_a_task_waits_is_the_servers_kind(
    kind: str, runs: str
) -> None:
    """A deferrable server keeps it for h, a polling server loses it, and an idling server spends
    it."""
    tasks = {"h": (13, "2"), "a": (0, "10 R 9 . 1")}
    low: Own = (kind, 20, "skip", 11, tasks)
    below: Own = ("deferrable", 20, "overrun", 5, {"b": (16, "4")})
    assert found(low, below)[0] == runs


def test_a_nested_lock_is_not_tested_again() -> None:
    low: Own = ("idling", 20, "skip", 11, {"a": (2, "3 R 6 Q 4 . 1 . 1")})
    assert found(IDLE, low) == ("2 a 17", "")
