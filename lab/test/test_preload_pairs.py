# SPDX-License-Identifier: MIT
"""Two of each kind in the evidence of a program, and counts that equal a limit."""

import json
from pathlib import Path

import pytest
from preload_fakes import MS, US, evidence, locker, mutex, raw_evidence, thread

from plafond.describe import load
from plafond.describe.body import Lock, Run, Unlock
from plafond.describe.loading import load_mutexes
from plafond.preload import learned
from plafond.preload.bounds import Bounds, bounds_of
from plafond.preload.evidence import Evidence
from plafond.preload.learned import Learned, learn
from plafond.preload.model import LearnReport, report_of
from plafond.preload.names import unique_names
from plafond.preload.notes import notes_of
from plafond.preload.sections import Sections
from plafond.preload.toml import toml_of
from plafond.units import LONGEST_NS

HIGH, LOW, MAIN = thread(1, "high", 30), thread(2, "low", 10), thread(3, "main", 0)


def waited_for(holder: int, waits: int, longest_ns: int) -> dict[str, int]:
    return {"thread": holder, "waits": waits, "longest_ns": longest_ns}


def written(found: Learned, folder: Path) -> Path:
    file = folder / "learned.toml"
    file.write_text(toml_of(found))
    return file


def reported(found: Learned, folder: Path) -> LearnReport:
    return report_of(found, written(found, folder), [])


# ---- Bounds ------------------------------------------------------------------------------------


def test_a_thread_that_is_not_pinned_blocks_on_each_cpu() -> None:
    threads = [HIGH, thread(2, "there", 30, cpu=0), thread(3, "loose", 0, cpu=-1)]
    found = learn(
        evidence(
            threads,
            [
                mutex(1, locker(1, US), locker(3, 40 * US)),
                mutex(2, locker(2, US), locker(3, 70 * US)),
            ],
        )
    )
    # On either CPU `loose` blocks once, by the longer of its sections.
    assert bounds_of(found) == {
        1: Bounds(before_ns=70 * US, after_ns=70 * US),
        2: Bounds(before_ns=70 * US, after_ns=70 * US),
    }


def test_tasks_of_one_priority_on_two_cpus_have_the_bounds_of_their_own_cpus() -> None:
    threads = [HIGH, thread(2, "there", 30, cpu=0), LOW | {"thread": 3}]
    threads.append(thread(4, "low_there", 10, cpu=0))
    found = learn(
        evidence(
            threads,
            [
                mutex(1, locker(1, US), locker(3, 40 * US)),
                mutex(2, locker(2, US), locker(4, 70 * US)),
            ],
        )
    )
    bounds = bounds_of(found)
    assert [bounds[number].before_ns for number in (1, 2)] == [40 * US, 70 * US]


def test_the_highest_user_of_a_mutex_counts_even_if_it_is_no_task() -> None:
    """`silent` lifts both others above `middle`."""
    threads = [thread(1, "middle", 20), LOW, thread(3, "lower", 5)]
    silent = thread(4, "silent", 30, activations=0)
    shared = mutex(1, locker(2, US), locker(3, 40 * US), locker(4, US))
    assert bounds_of(learn(evidence([*threads, silent], [shared])))[1].before_ns == 41 * US


def test_each_thread_blocks_once_by_its_longer_section() -> None:
    """The first section of `low` has a ceiling. In the second section `low` still inherits."""
    made = {"order": 0, "module": "unknown"}  # it cannot be recognised, so it gets no ceiling
    found = learn(
        evidence(
            [HIGH, LOW],
            [
                mutex(1, locker(1, US), locker(2, 40 * US)),
                mutex(2, locker(1, US), locker(2, 70 * US), **made),
            ],
        )
    )
    assert [proposal.use for proposal in found.proposals] == [True, False]
    assert bounds_of(found)[1] == Bounds(before_ns=70 * US, after_ns=70 * US)


def test_a_mutex_that_is_not_used_has_no_ceiling_in_the_bounds() -> None:
    """With both ceilings only the longer section would block."""
    made = {"order": 0, "module": "unknown"}
    found = learn(
        evidence(
            [HIGH, LOW, thread(3, "lower", 5)],
            [
                mutex(1, locker(1, US), locker(2, 40 * US)),
                mutex(2, locker(1, US), locker(3, 70 * US), **made),
            ],
        )
    )
    assert bounds_of(found)[1] == Bounds(before_ns=110 * US, after_ns=110 * US)


def test_of_two_sections_around_a_mutex_the_more_urgent_waiter_lifts_its_holder() -> None:
    """`main` locks the third mutex inside the first, for which `high` waits, and inside the
    second."""
    threads = [HIGH, thread(2, "middle", 20), thread(3, "low", 10), thread(4, "main", 0)]
    found = learn(
        evidence(
            threads,
            [
                mutex(1, locker(1, US), locker(4, 100 * US)),
                mutex(2, locker(2, US), locker(4, 50 * US)),
                mutex(3, locker(2, US), locker(3, 2000 * US), locker(4, 30 * US), inside=[1, 2]),
            ],
        )
    )
    assert bounds_of(found)[1] == Bounds(before_ns=2101 * US, after_ns=2101 * US)


# ---- Waits -------------------------------------------------------------------------------------


def test_the_longest_of_several_waits_is_written_and_the_frequent_holders_come_first(
    tmp_path: Path,
) -> None:
    waits = [waited_for(2, 1, MS), waited_for(3, 5, 4 * MS), waited_for(4, 9, 2 * MS)]
    threads = [HIGH, LOW, MAIN, thread(4, "other", 0)]
    found = learn(evidence(threads, [mutex(1, {**locker(1, US), "waited_for": waits})]))
    text = written(found, tmp_path).read_text()
    assert 'longest_wait = "4ms", waited_for = "other, main, low"' in text
    (row,) = reported(found, tmp_path).mutexes[0].lockers
    assert row.longest_wait_ns == 4 * MS
    assert [each.thread for each in row.waited_for] == ["main", "other", "low"]


@pytest.mark.parametrize(("holders", "more"), [(3, ""), (4, ", 1 more"), (5, ", 2 more")])
def test_three_holders_are_named_and_the_rest_is_counted(
    holders: int, more: str, tmp_path: Path
) -> None:
    numbers = range(2, 2 + holders)
    waits = [waited_for(n, 20 - n, US) for n in numbers]
    threads = [HIGH, *(thread(n, f"t{n}", 0) for n in numbers)]
    found = learn(evidence(threads, [mutex(1, {**locker(1, US), "waited_for": waits})]))
    assert f'waited_for = "t2, t3, t4{more}"' in written(found, tmp_path).read_text()


def test_each_inversion_has_the_longest_of_its_own_waits() -> None:
    waits = [waited_for(2, 7, MS), waited_for(3, 2, 4 * MS)]
    shared = mutex(1, {**locker(1, US), "waited_for": waits}, protocol="none")
    (proposal,) = learn(evidence([HIGH, LOW, MAIN], [shared])).proposals
    found = [(each.holder.name, each.waits, each.longest_ns) for each in proposal.inversions]
    assert found == [("main", 2, 4 * MS), ("low", 7, MS)]


@pytest.mark.parametrize(("number", "named"), [(1, "t2"), (2, "t2 and 1 more")])
def test_the_first_thread_that_does_not_gain_is_named(number: int, named: str) -> None:
    numbers = range(2, 2 + number)
    threads = [HIGH, *(thread(n, f"t{n}", 0) for n in numbers)]
    found = learn(evidence(threads, [mutex(1, *(locker(n, US) for n in (1, *numbers)))]))
    assert (found.proposals[0].why or "").endswith(f"not pinned to one CPU: {named}")


def test_a_ceiling_of_the_program_does_not_refuse_a_mutex_of_the_same_path() -> None:
    made = {"path": "0x77", "symbol": "make"}
    mutexes = [
        mutex(1, locker(1, US), **made, order=1, nth=1),
        mutex(2, locker(2, US), **made, order=2, nth=2, protocol="protect", ceiling=10),
    ]
    raw = raw_evidence([HIGH, LOW], mutexes)
    for each in raw["mutexes"]:
        each["offset"] = "0x1000"
    found = learn(Evidence.model_validate_json(json.dumps(raw)))
    assert [proposal.use for proposal in found.proposals] == [True, False]


def test_a_section_that_is_as_long_as_the_section_around_it_is_inside() -> None:
    found = Sections({"A": 5, "B": 5}, {"B": frozenset("A")}).steps(0)
    assert found == (Lock("A"), Lock("B"), Run(5), Unlock("B"), Unlock("A"))


# ---- Rows --------------------------------------------------------------------------------------


def test_cpu_0_is_a_cpu_and_no_figure_takes_the_place_of_another(tmp_path: Path) -> None:
    threads = [thread(1, "high", 30, cpu=0), thread(2, "loose", 10, cpu=-1)]
    used = locker(1, 2 * US, locks=7, waits=5, preempted=6)
    found = learn(evidence(threads, [mutex(1, used, locker(2, US))]))
    file = written(found, tmp_path)
    (chosen,) = load_mutexes(file)
    first, second = chosen.lockers
    assert (first.cpu, second.cpu) == (0, None)
    assert (first.locks, first.waits, first.preempted) == (7, 5, 6)
    assert file.read_text().count("# It is not pinned") == 1
    report = reported(found, tmp_path)
    assert [row.cpu for row in report.mutexes[0].lockers] == [0, None]
    assert [row.cpu for row in report.tasks] == [0, None]
    row = report.mutexes[0].lockers[0]
    assert (row.locks, row.waits, row.preempted) == (7, 5, 6)


def test_a_description_has_the_cpus_of_all_tasks(tmp_path: Path) -> None:
    threads = [thread(1, "high", 30, cpu=0), thread(2, "low", 10, cpu=3)]
    found = learn(evidence(threads, [mutex(1, locker(1, US)), mutex(2, locker(2, US))]))
    assert load(written(found, tmp_path)).cpus == 4


def test_tasks_of_one_priority_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    threads = [thread(5, "c", 9), thread(4, "b", 9), thread(6, "a", 9), thread(7, "d", 10)]
    found = learn(evidence(threads, [mutex(1, locker(5, US))]))
    assert [row.task for row in reported(found, tmp_path).tasks] == ["d", "b", "c", "a"]


def test_a_ceiling_below_a_locker_is_raised_and_todays_ceiling_is_shown(tmp_path: Path) -> None:
    shared = mutex(1, locker(1, US), locker(2, US), protocol="protect", ceiling=20)
    found = learn(evidence([HIGH, LOW], [shared]))
    (proposal,) = found.proposals
    assert (proposal.ceiling, proposal.why) == (30, "the program gives it the ceiling 20")
    assert reported(found, tmp_path).mutexes[0].ceiling_today == 20


@pytest.mark.parametrize(
    ("hold_ns", "text"),
    [
        *((999, "999ns"), (US, "1us"), (1_500, "1.5us"), (MS, "1ms"), (1_000 * MS, "1s")),
        (LONGEST_NS + 1, f"{LONGEST_NS // 10**9}s"),
    ],
)
def test_a_duration_has_the_largest_unit_that_it_reaches(
    hold_ns: int, text: str, tmp_path: Path
) -> None:
    found = learn(evidence([HIGH], [mutex(1, locker(1, hold_ns))]))
    assert f'longest_hold = "{text}"' in written(found, tmp_path).read_text()


def test_a_thread_without_a_priority_is_no_task_of_real_time() -> None:
    (found,) = evidence([thread(1, "odd", 0, policy="fifo")], []).threads
    assert (found.is_real_time, found.level, found.runs_as) == (False, 0, "fifo")


def test_only_tasks_scatter_a_mutex(tmp_path: Path) -> None:
    """`silent` is on another CPU but is no task, so the sections of the tasks stay."""
    silent = thread(3, "silent", 20, cpu=0, activations=0)
    shared = mutex(1, locker(1, US), locker(2, US), locker(3, US))
    found = learn(evidence([HIGH, LOW, silent], [shared]))
    assert found.scattered == frozenset()
    assert load(written(found, tmp_path)).resources[0].users == ("high", "low")


# ---- Limits ------------------------------------------------------------------------------------


def test_as_many_lockers_as_a_file_may_have_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "MOST_LOCKERS", 4)
    mutexes = [mutex(number, locker(1, US), locker(2, US)) for number in (1, 2, 3)]
    found = learn(evidence([HIGH, LOW], mutexes))
    assert (len(found.proposals), found.mutexes_left_out) == (2, 1)


@pytest.mark.parametrize(("number", "more"), [(8, []), (9, ["1 more"])])
def test_eight_are_named_and_the_rest_is_counted(
    number: int, more: list[str], tmp_path: Path
) -> None:
    """Eight inversions, eight processes and eight threads without a task are named."""
    numbers = range(2, 2 + number)
    threads = [HIGH, *(thread(n, f"t{n}", 0) for n in numbers)]
    waits = [waited_for(n, 1, US) for n in numbers]
    shared = mutex(1, {**locker(1, US), "waited_for": waits}, protocol="none")
    found = learn(evidence(threads, [shared]))
    other = evidence([HIGH], [])
    notes = notes_of(found, written(found, tmp_path), [other] * number)
    names = ", ".join([*(f"t{n}" for n in range(2, 10)), *more])
    assert f"no task: {names}: it has no real-time priority" in notes
    assert [note for note in notes if note.endswith("in the table of waits")] == [
        f"{each} inversions stand in the table of waits" for each in more
    ]
    assert [note for note in notes if note.endswith("processes more left")] == [
        "not used: what 1 processes more left" for _ in more
    ]
    assert sum(note.startswith("not used: what /usr/bin/robot left") for note in notes) == 8


def test_each_reason_names_the_threads_that_it_keeps_from_being_tasks(tmp_path: Path) -> None:
    threads = [
        *(HIGH, MAIN, thread(4, "other", 0)),
        *(thread(5, "silent", 20, activations=0), thread(6, "irq", 99)),
    ]
    found = learn(evidence(threads, [mutex(1, locker(1, US))]))
    notes = notes_of(found, written(found, tmp_path), [])
    assert [note for note in notes if note.startswith("no task")] == [
        "no task: main, other: it has no real-time priority",
        "no task: silent: it was not seen to be activated",
        "no task: irq: its priority is above 98, the highest of a description",
    ]


def test_a_numbered_name_that_another_thread_has_gets_a_further_number() -> None:
    wanted = {1: "a", 2: "a", 3: "a_1", 4: "a_1", 5: "a_2"}
    names = unique_names(wanted)
    assert names == {5: "a_2", 1: "a_1", 2: "a_2_2", 3: "a_1_3", 4: "a_1_4"}
    assert len(set(names.values())) == 5
