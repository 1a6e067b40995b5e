# SPDX-License-Identifier: MIT
"""The results of learning: proposals, bodies, bounds, and a file that the rest of the lab opens."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from preload_fakes import MS, US, evidence, locker, mutex, raw_evidence, robot, thread

from plafond.analyse.analysis import analyse
from plafond.describe import load
from plafond.describe.body import Lock, Run, Unlock
from plafond.describe.loading import load_mutexes
from plafond.describe.problems import DescriptionError
from plafond.describe.system import Interval, System
from plafond.preload.bounds import Bounds, bounds_of
from plafond.preload.ceilings import table_of
from plafond.preload.evidence import Evidence
from plafond.preload.learned import Learned, learn
from plafond.preload.model import report_of
from plafond.preload.notes import notes_of
from plafond.preload.proposal import MOST_MUTEXES
from plafond.preload.sections import Sections
from plafond.preload.toml import toml_of
from plafond.protocols import Protocol
from plafond.run.plan import plan_text


@pytest.fixture
def learned() -> Learned:
    return learn(Evidence.model_validate_json(json.dumps(robot())))


def file_of(learned: Learned, folder: Path) -> Path:
    file = folder / "learned.toml"
    file.write_text(toml_of(learned))
    return file


def system_of(learned: Learned, folder: Path) -> System:
    return load(file_of(learned, folder))


def test_a_ceiling_is_the_highest_priority_of_the_lockers(learned: Learned) -> None:
    assert [(p.name, p.ceiling, p.use) for p in learned.proposals] == [
        ("make_1_1", 30, True),
        ("make_2_1", 20, True),
    ]
    assert [[t.name for t in p.lifted] for p in learned.proposals] == [["plan"], ["log"]]


@pytest.mark.parametrize(
    ("first", "fields", "why"),
    [
        (thread(2, "main", 0), {}, None),
        (thread(2, "irq", 99), {}, None),
        (thread(2, "rr", 40, policy="rr"), {}, None),
        (thread(2, "fifo", 40, cpu=0), {}, None),
        (thread(2, "fifo", 40, activations=0), {}, None),
        (
            thread(2, "fifo", 40),
            {"protocol": "protect", "ceiling": 60},
            "the program gives it the ceiling 60; its lockers need 40",
        ),
        (
            thread(2, "fifo", 40),
            {"protocol": "protect", "ceiling": 40},
            "the program gives it the ceiling 40",
        ),
        (thread(2, "fifo", 40), {"module": "unknown"}, "it cannot be recognised again"),
        (thread(2, "fifo", 40), {"order": 0}, "it cannot be recognised again"),
        (thread(2, "fifo", 40), {"module": "a #b"}, "blanks at its ends, or a comment"),
    ],
)
def test_what_is_not_used_says_why_and_the_file_is_right(
    first: dict[str, object], fields: dict[str, object], why: str | None, tmp_path: Path
) -> None:
    shared = mutex(1, locker(2, 5 * US), locker(3, 7 * US), **fields)
    found = learn(evidence([first, thread(3, "low", 10)], [shared]))
    (proposal,) = found.proposals
    assert proposal.use is (why is None)
    assert (why or "") in (proposal.why_not or "")
    (chosen,) = load_mutexes(file_of(found, tmp_path))
    assert chosen.use is proposal.use
    system_of(found, tmp_path)


PLAIN = {"protocol": "none"}
THREE = [thread(1, "high", 30), thread(2, "low", 10), thread(3, "main", 0)]


def plain(*lockers: int, **fields: object) -> dict[str, object]:
    return mutex(1, *(locker(number, 5 * US) for number in lockers), **PLAIN, **fields)


def test_a_plain_mutex_that_priorities_share_is_offered_a_cure(tmp_path: Path) -> None:
    found = learn(evidence(THREE, [plain(1, 2)]))
    (proposal,) = found.proposals
    assert (proposal.use, proposal.ceiling) == (False, 30)
    assert proposal.why == (
        "a plain mutex of threads from 10 to 30, without a bound; use = true makes it inherit"
    )
    file = file_of(found, tmp_path)
    assert any("without a bound" in note for note in notes_of(found, file, []))
    file.write_text(file.read_text().replace("use = false", "use = true"))
    assert table_of(file) == "robot 0x1000 1 inherit\n"
    file.write_text(file.read_text().replace('run_as = "inherit"', 'run_as = "ceiling"'))
    assert table_of(file) == "robot 0x1000 1 30\n"
    assert load(file).resources[0].ceiling == 30
    assert bounds_of(found)[1] == Bounds(0, 0)  # no bound contains it


def test_a_plain_mutex_that_no_call_makes_is_known_by_its_first_locks(tmp_path: Path) -> None:
    """The first lock of any thread, and that of an urgent thread: either may be first next time."""
    locked_at = {"module": "lib.so", "offset": "0x77"}
    found = learn(evidence(THREE, [plain(1, 2, order=0, locked_at=locked_at)]))
    (proposal,) = found.proposals
    assert not proposal.use
    assert (proposal.why or "").endswith("without a bound; use = true makes it inherit")
    file = file_of(found, tmp_path)
    assert any(
        "make_1_0 is made by no call, and no variable" in n for n in notes_of(found, file, [])
    )
    file.write_text(file.read_text().replace("use = false", "use = true"))
    assert table_of(file) == "robot 0x1000 0 inherit\nlib.so 0x77 0 inherit\n"


def test_a_variable_is_known_as_that(tmp_path: Path) -> None:
    """A variable that was several mutexes in turn is not used."""
    place = {"module": "robot", "offset": "0x4080"}
    other = {"module": "robot", "offset": "0x40a8"}
    mutexes = [
        plain(1, 2, order=0, place=place),
        mutex(2, locker(1, US), place={"module": "robot", "offset": "0x40d0"}, order=7),
        mutex(3, locker(1, US), place=other, order=8),
        mutex(4, locker(1, US), place=other, order=9),
    ]
    file = file_of(learn(evidence(THREE, mutexes)), tmp_path)
    file.write_text(file.read_text().replace("use = false", "use = true"))
    assert table_of(file) == (
        "robot 0x4080 0 inherit\nrobot 0x40d0 1 30\nrobot 0x1002 8 30\nrobot 0x1003 9 30\n"
    )


def test_a_plain_mutex_that_other_threads_unlock_is_offered_no_cure(tmp_path: Path) -> None:
    """With inheritance or a ceiling, such an unlock would be an error."""
    found = learn(evidence(THREE, [plain(1, 3, handed_over=True)]))
    assert (found.proposals[0].why or "").endswith(
        "without a bound; other threads unlock it: stays so"
    )
    load_mutexes(file_of(found, tmp_path))


def test_a_plain_mutex_without_a_known_place_stays_as_it_is() -> None:
    found = learn(evidence(THREE, [plain(1, 2, order=0, module="unknown")]))
    assert (found.proposals[0].why or "").endswith("its place is not known, so it stays so")


def waited_for(holder: int, waits: int, longest_ns: int) -> dict[str, int]:
    return {"thread": holder, "waits": waits, "longest_ns": longest_ns}


def test_a_plain_mutex_that_an_ordinary_thread_locks_is_named(tmp_path: Path) -> None:
    """A thread that holds it counts even if it was not seen to lock it."""
    waits = [waited_for(3, 2, 4 * MS), waited_for(2, 7, MS), waited_for(0, 1, US)]
    shared = mutex(1, {**locker(1, US), "waited_for": waits}, protocol="none")
    found = learn(evidence(THREE, [shared]))
    (proposal,) = found.proposals
    assert (proposal.use, proposal.ceiling) == (False, 30)
    assert (proposal.why or "").startswith(
        "a plain mutex of threads from SCHED_OTHER to 30, without a bound; "
    )
    assert [(i.holder.name, i.waits) for i in proposal.inversions] == [("main", 2), ("low", 7)]
    file = file_of(found, tmp_path)
    assert 'longest_wait = "4ms", waited_for = "low, main"' in file.read_text()
    assert notes_of(found, file, [])[0] == (
        "make_1_1: high (fifo 30, begins at robot+0x10) waited 2 times, of 100 locks, for "
        "main (other, begins at robot+0x10), 4ms at most: an inversion"
    )
    (row,) = report_of(found, file, []).mutexes[0].lockers
    assert [(w.thread, w.runs_as, w.waits) for w in row.waited_for] == [
        ("main", "other", 2),
        ("low", "fifo 10", 7),
        (None, None, 1),
    ]
    load_mutexes(file)


def test_a_plain_mutex_that_was_waited_for_in_vain_is_named() -> None:
    """The waits are of timed locks: no thread was seen to lock it."""
    waits = [waited_for(3, 2, 4 * MS)]
    vain = {**locker(1, 0, locks=0, waits=2), "waited_for": waits}
    found = learn(evidence(THREE, [mutex(1, vain, protocol="none")]))
    assert [(i.holder.name, i.waits) for i in found.proposals[0].inversions] == [("main", 2)]


def test_many_inversions_are_counted(tmp_path: Path) -> None:
    threads = [thread(1, "high", 30), *(thread(n, f"t{n}", 0) for n in range(2, 14))]
    waits = [waited_for(n, 1, n * US) for n in range(2, 14)]
    shared = mutex(1, {**locker(1, US), "waited_for": waits}, protocol="none")
    found = learn(evidence(threads, [shared]))
    reported = notes_of(found, file_of(found, tmp_path), [])
    assert "waited once, of 100 locks, for t13 (other" in reported[0]
    assert reported[8] == "4 more inversions stand in the table of waits"


@pytest.mark.parametrize("protocol", ["inherit", "none"])
def test_a_wait_for_a_more_urgent_thread_is_no_inversion(protocol: str) -> None:
    holder = 2 if protocol == "inherit" else 1
    waits = [waited_for(holder, 5, MS)]
    lockers = [{**locker(3 - holder, US), "waited_for": waits}, locker(holder, US)]
    found = learn(evidence(THREE, [mutex(1, *lockers, protocol=protocol)]))
    assert [p.inversions for p in found.proposals] == [()]


@pytest.mark.parametrize("lockers", [(1,), (3,), ()])
def test_a_plain_mutex_of_one_priority_is_left_out(lockers: tuple[int, ...]) -> None:
    found = learn(evidence(THREE, [plain(*lockers)]))
    assert found.proposals == ()
    assert found.mutexes_left_out == 0


def same_path(number: int, *lockers: int, **fields: object) -> dict[str, object]:
    """Return a mutex of a helper: the call, the path, and its number there."""
    made = {"order": number, "path": "0x77", "nth": number, "symbol": "make"}
    return mutex(number, *(locker(n, 5 * US) for n in lockers), **{**made, **fields})


def learned_of(*mutexes: dict[str, object]) -> Learned:
    """Learn from mutexes that the same call makes."""
    raw = raw_evidence(THREE, list(mutexes))
    for each in raw["mutexes"]:
        each["offset"] = "0x1000"
    return learn(Evidence.model_validate_json(json.dumps(raw)))


def test_what_only_an_order_distinguishes_is_refused(tmp_path: Path) -> None:
    """If another mutex were made first the next time, it would get the wrong ceiling."""
    found = learned_of(same_path(1, 1, 2), same_path(2, 2), same_path(3, 1))
    assert [(p.ceiling, p.use) for p in found.proposals] == [(30, False), (10, False), (30, False)]
    assert [p.why for p in found.proposals] == [
        "made by the same calls as make_2, which needs 10: indistinguishable",
        "made by the same calls as make_1, which needs 30: indistinguishable",
        "made by the same calls as make_2, which needs 10: indistinguishable",
    ]
    file = file_of(found, tmp_path)
    assert any("plf_pthread_mutex_setname()" in note for note in notes_of(found, file, []))
    assert table_of(file) == ""
    file.write_text(file.read_text().replace("use = false", "use = true", 1))
    with pytest.raises(DescriptionError, match="the same use and ceiling as of make_1: nothing"):
        load_mutexes(file)


def test_one_that_nothing_urgent_locks_is_no_candidate_either() -> None:
    found = learned_of(same_path(1, 1), same_path(2, 3))
    assert [p.why for p in found.proposals] == [
        "made by the same calls as make_2, which has no ceiling: indistinguishable",
        "no real-time thread locks it",
    ]


def test_what_is_made_by_one_path_may_have_one_ceiling(tmp_path: Path) -> None:
    found = learned_of(same_path(1, 1), same_path(2, 1, 2))
    assert table_of(file_of(found, tmp_path)) == "robot 0x1000/0x77 1 30\nrobot 0x1000/0x77 2 30\n"


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"path": "0x78"}, "robot 0x1000/0x78 2"),
        ({"place": {"module": "robot", "offset": "0x4080"}}, "robot 0x4080 1"),
        ({"name": "a b"}, "name:a b 0x0 1"),
    ],
)
def test_a_path_a_variable_and_a_name_distinguish(
    fields: dict[str, object], key: str, tmp_path: Path
) -> None:
    found = learned_of(same_path(1, 1), same_path(2, 2, **fields))
    assert [p.use for p in found.proposals] == [True, True]
    assert table_of(file_of(found, tmp_path)) == f"robot 0x1000/0x77 1 30\n{key} 10\n"


def test_one_name_is_of_one_ceiling(tmp_path: Path) -> None:
    name = {"name": "state"}
    same = learned_of(same_path(1, 1, **name), same_path(2, 1, path="0x78", **name))
    assert [p.name for p in same.proposals] == ["state_1", "state_2"]
    assert table_of(file_of(same, tmp_path)) == "name:state 0x0 1 30\n"
    others = learned_of(same_path(1, 1, **name), same_path(2, 2, **name))
    assert [p.why for p in others.proposals] == [
        "of the same name as state_2, which needs 10: indistinguishable",
        "of the same name as state_1, which needs 30: indistinguishable",
    ]


def test_a_locker_of_99_makes_a_ceiling_of_99(tmp_path: Path) -> None:
    """No task of a description may have this priority."""
    threads = [thread(1, "irq", 99), thread(2, "high", 98), thread(3, "low", 10)]
    shared = mutex(1, *(locker(n, 5 * US) for n in (1, 2, 3)))
    found = learn(evidence(threads, [shared]))
    (proposal,) = found.proposals
    assert (proposal.ceiling, proposal.use, len(proposal.lifted)) == (99, True, 2)
    file = file_of(found, tmp_path)
    assert table_of(file) == "robot 0x1000 1 99\n"
    assert report_of(found, file, []).mutexes[0].ceiling == 99
    system = system_of(found, tmp_path)
    assert [task.name for task in system.tasks] == ["high", "low"]
    assert system.resources[0].ceiling == 99
    arrivals = {task.name: [0] for task in system.tasks}
    assert f"resource {proposal.name} 98\n" in plan_text(system, "plafond", arrivals)


def test_a_thread_that_cannot_be_lazy_still_inherits(tmp_path: Path) -> None:
    threads = [
        thread(1, "high", 30),
        thread(2, "main", 0),
        thread(3, "turn", 20, policy="rr"),
        thread(4, "loose", 10, cpu=-1),
        thread(5, "low", 5),
        thread(6, "lower", 4),
    ]
    holds = {1: 1, 2: 10, 3: 200, 4: 3000, 5: 40000, 6: 50000}
    shared = mutex(1, *(locker(n, hold * US) for n, hold in holds.items()))
    found = learn(evidence(threads, [shared]))
    (proposal,) = found.proposals
    assert [t.name for t in proposal.lifted] == ["low", "lower"]
    why = "still by inheritance, not SCHED_FIFO or not pinned to one CPU: main and 2 more"
    assert (proposal.use, proposal.why) == (True, why)
    assert bounds_of(found)[1] == Bounds(before_ns=93_210 * US, after_ns=53_210 * US)
    file = file_of(found, tmp_path)
    assert f'why = "{why}"' in file.read_text()
    assert f"make_1_1: {why}" in notes_of(found, file, [])


def test_a_thread_that_still_inherits_lifts_a_ceilings_holder_above_it(tmp_path: Path) -> None:
    threads = [
        thread(1, "high", 30),
        thread(2, "middle", 20),
        thread(3, "low", 10),
        thread(4, "main", 0),
    ]
    outer = mutex(1, locker(1, US), locker(4, 100 * US))
    inner = mutex(2, locker(2, US), locker(3, 2000 * US), locker(4, 30 * US), inside=[1])
    bounds = bounds_of(learn(evidence(threads, [outer, inner])))
    # `main` inherits from `high` and passes this on to `low`, whose ceiling is only that of
    # `middle`.
    assert bounds[1] == Bounds(before_ns=2101 * US, after_ns=2101 * US)
    alone = bounds_of(learn(evidence(threads[:3], [mutex(1, locker(1, US)), inner])))
    assert alone[1].after_ns == 0


def test_no_thread_of_real_time_leaves_a_file_without_tasks(tmp_path: Path) -> None:
    found = learn(evidence([thread(1, "main", 0)], [mutex(1, locker(1, US))]))
    file = file_of(found, tmp_path)
    assert [m.use for m in load_mutexes(file)] == [False]
    assert "# No real-time thread was seen to be activated" in file.read_text()
    assert report_of(found, file, []).mutexes[0].why == "no real-time thread locks it"


def test_the_file_is_a_description(learned: Learned, tmp_path: Path) -> None:
    system = system_of(learned, tmp_path)
    assert [(t.name, t.priority, t.cpu) for t in system.tasks] == [
        ("control", 30, 1),
        ("plan", 20, 1),
        ("log", 10, 1),
    ]
    assert [t.interval for t in system.tasks] == [Interval(10 * MS, 10 * MS)] * 3
    assert [t.run_ns for t in system.tasks] == [MS] * 3
    assert system.tasks[1].body == (
        Run(800 * US),
        Lock("make_1_1"),
        Run(150 * US),
        Lock("make_2_1"),
        Run(50 * US),
        Unlock("make_2_1"),
        Unlock("make_1_1"),
    )
    assert [(r.name, r.ceiling) for r in system.resources] == [("make_1_1", 30), ("make_2_1", 20)]


def test_the_file_chooses_by_site(learned: Learned, tmp_path: Path) -> None:
    chosen = load_mutexes(file_of(learned, tmp_path))
    assert [(m.module, m.offset, m.order, m.ceiling, m.use) for m in chosen] == [
        ("robot", "0x1000", 1, 30, True),
        ("robot", "0x1001", 1, 20, True),
    ]


def test_bounds_are_those_of_the_analysis(learned: Learned, tmp_path: Path) -> None:
    rows = analyse(system_of(learned, tmp_path), [Protocol.INHERIT, Protocol.CEILING]).rows
    bounds = bounds_of(learned)
    assert bounds[2] == Bounds(before_ns=500 * US, after_ns=200 * US)
    for name, number in (("control", 2), ("plan", 3), ("log", 4)):
        reported = {row.protocol: row.blocking_bound_ns for row in rows if row.task == name}
        assert reported[Protocol.INHERIT] == bounds[number].before_ns
        assert reported[Protocol.CEILING] == bounds[number].after_ns


def test_a_thread_that_is_no_task_blocks_all_the_same() -> None:
    found = learn(
        evidence(
            [
                thread(1, "main", 0, cpu=-1, activations=0),
                thread(2, "high", 30),
                thread(3, "low", 20),
                thread(4, "silent", 10, activations=0),
                thread(5, "elsewhere", 10, cpu=0),
            ],
            [
                mutex(1, locker(2, US), locker(3, 100 * US), locker(4, 70 * US)),
                mutex(2, locker(2, US), locker(1, 40 * US)),
                mutex(3, locker(2, US), locker(5, 9 * MS)),
            ],
        )
    )
    # Before: all three, by inheritance. After: the longer of the first two, and `main`.
    assert bounds_of(found)[2] == Bounds(before_ns=210 * US, after_ns=140 * US)
    assert [(t.name, why) for t, why in found.left_out] == [
        ("main", "it has no real-time priority"),
        ("silent", "it was not seen to be activated"),
    ]


def test_a_ceiling_of_the_program_lifts_heirs_of_its_holder() -> None:
    threads = [thread(1, "high", 50), thread(2, "middle", 20), thread(3, "low", 10)]
    found = learn(
        evidence(
            threads,
            [
                mutex(1, locker(2, 80 * US), protocol="protect", ceiling=60),
                mutex(2, locker(2, 10 * US), locker(3, 300 * US), inside=[1]),
            ],
        )
    )
    assert bounds_of(found)[1].before_ns == 380 * US


def test_users_on_several_cpus_make_no_resource_of_tasks(tmp_path: Path) -> None:
    threads = [thread(1, "left", 30, cpu=0), thread(2, "right", 20, cpu=1)]
    found = learn(evidence(threads, [mutex(1, locker(1, 5 * US), locker(2, 9 * US))]))
    system = system_of(found, tmp_path)
    assert system.resources[0].users == ()
    assert [t.run_ns for t in system.tasks] == [MS, MS]
    assert [m.use for m in load_mutexes(file_of(found, tmp_path))] == [True]
    reported = notes_of(found, tmp_path / "learned.toml", [])
    assert "make_1_1 is locked on the CPUs 0 and 1: waiting for another is no part" in reported


def test_a_period_that_was_not_seen_is_as_long_as_the_program_ran(tmp_path: Path) -> None:
    once = thread(1, "once", 30, activations=1, shortest_gap_ns=0, longest_run_ns=0)
    found = learn(evidence([once], [mutex(1, locker(1, 0))]))
    task = system_of(found, tmp_path).tasks[0]
    assert (task.interval, task.run_ns) == (Interval(2_000 * MS, 2_000 * MS), 1)
    assert "# Arrival: not seen" in file_of(found, tmp_path).read_text()


def test_too_short_gaps_are_reported(tmp_path: Path) -> None:
    burst = thread(1, "burst", 30, shortest_gap_ns=US)
    found = learn(evidence([burst], [mutex(1, locker(1, US))]))
    reported = notes_of(found, file_of(found, tmp_path), [])
    assert any(
        note.startswith("CPU 1 is overloaded if every gap is the shortest") for note in reported
    )


def test_names_are_reported_apart_and_harmless(tmp_path: Path) -> None:
    wild = 'a"b\\\u001b[2J\n\u2028x'
    found = learn(
        evidence(
            [thread(1, "worker", 30), thread(2, "worker", 20), thread(3, "9", 10)],
            [
                mutex(1, locker(1, US), symbol="make", module=wild),
                mutex(2, locker(2, US), symbol="make", order=2),
                mutex(3, locker(3, US), symbol="make", order=2),
                mutex(4, symbol="never_locked"),
            ],
            program=f"/bin/{wild}",
        )
    )
    system = system_of(found, tmp_path)
    assert {task.name for task in system.tasks} == {"worker_1", "worker_2", "T9"}
    assert [p.name for p in found.proposals] == ["make_1", "make_2_2", "make_2_3"]
    assert load_mutexes(tmp_path / "learned.toml")[0].module == 'a"b\\?[2J??x'


def test_more_than_a_file_holds_is_left_out_and_reported(tmp_path: Path) -> None:
    mutexes = [
        mutex(n, locker(1, 10 * n), locker(2, 20 * n), order=n) for n in range(1, MOST_MUTEXES + 9)
    ]
    for each in mutexes[:8]:
        each["lockers"][0]["locks"] = 1
    threads = [thread(n, f"t{n}", 1 + n % 98) for n in range(1, 1025)]
    found = learn(evidence(threads, mutexes, dropped=5))
    assert [len(found.proposals), len(found.tasks)] == [MOST_MUTEXES, 1000]
    assert found.proposals[0].mutex.mutex == 9
    reported = notes_of(found, file_of(found, tmp_path), [])
    assert "8 mutexes, those locked least, are left out of the file" in reported
    assert "5 events found no room in the drop-in and are missing" in reported
    assert len(bounds_of(found)) == 1000


@pytest.mark.parametrize(
    ("holds", "inside"),
    [
        ({"A": 5, "B": 3}, {"B": {"A"}, "A": {"B"}}),
        ({"A": 9, "B": 5, "C": 3, "D": 2}, {"B": {"A"}, "C": {"A"}, "D": {"A", "B", "C"}}),
        ({"A": 3, "B": 5, "C": 4}, {"B": {"A"}, "C": {"A", "B"}}),
        ({"A": 5, "B": 5, "C": 5}, {"C": {"A", "B"}, "B": {"A"}}),
        ({"A": 0, "B": 0}, {"B": {"A"}}),
        ({"A": 4, "B": 2, "C": 2, "D": 2}, {"B": {"A"}, "C": {"A"}, "D": {"A"}}),
    ],
)
def test_bodies_hold_each_as_long_and_show_each_nesting(
    holds: dict[str, int], inside: dict[str, set[str]]
) -> None:
    names = {name: frozenset(outers) for name, outers in inside.items()}
    longest, held, pairs = dict.fromkeys(holds, 0), dict[str, int](), set[tuple[str, str]]()
    for step in Sections(holds, names).steps(0):
        match step:
            case Lock(name):
                assert name not in held
                pairs |= {(outer, name) for outer in held}
                held[name] = 0
            case Unlock(name):
                assert list(held)[-1] == name
                longest[name] = max(longest[name], held.pop(name))
            case Run(time_ns):
                held = {name: hold + time_ns for name, hold in held.items()}
    assert longest == holds
    seen = {(outer, name) for name, outers in inside.items() for outer in outers}
    assert pairs >= {
        (outer, name)
        for outer, name in seen
        if not any((outer, other) in seen and (other, name) in seen for other in holds)
    }


def test_a_long_chain_of_nestings_is_no_deep_one() -> None:
    names = [f"m{n}" for n in range(500)]
    inside = {inner: frozenset([outer]) for outer, inner in pairwise(names)}
    depth = deepest = 0
    for step in Sections(dict.fromkeys(names, 7), inside).steps(0):
        depth += isinstance(step, Lock) - isinstance(step, Unlock)
        deepest = max(deepest, depth)
    assert (depth, deepest) == (0, 32)
