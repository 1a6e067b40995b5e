# SPDX-License-Identifier: MIT
"""The drop-in's reports when a program ends: its statistics and its evidence.

EVIDENCE_PROGRAM and EVIDENCE_DROP_IN name the program of program.c and the drop-in.
EVIDENCE_ROBUST names the semantic tests of robust mutexes.
"""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from plafond.real_time import bounded_real_time

PROGRAM = Path(os.environ["EVIDENCE_PROGRAM"])
DROP_IN = os.environ["EVIDENCE_DROP_IN"]
ROBUST = os.environ["EVIDENCE_ROBUST"]
ANSWERS = os.environ["EVIDENCE_ANSWERS"]
STATUS = 7
LONGEST_RUN_S = 5  # in real time, without a sleep
MAIN_PRIORITY = 10
CEILING = 20

Result = subprocess.CompletedProcess[str]
Json = dict[str, Any]


def run(folder: Path, actions: str, **settings: str) -> Result:
    """Run the program with the drop-in before it, in `folder`."""
    with bounded_real_time(LONGEST_RUN_S):
        return subprocess.run(
            [PROGRAM, *actions.split()],
            cwd=folder,
            env=os.environ | {"LD_PRELOAD": DROP_IN} | settings,
            capture_output=True,
            text=True,
        )


def read_json(path: Path) -> Json:
    """Read a JSON file that the drop-in wrote."""
    value: Json = json.loads(path.read_text(encoding="utf-8"))
    return value


def stats(folder: Path, actions: str, status: int = STATUS, **settings: str) -> Json:
    """Run the program and return its statistics. It must end with STATUS and report no error."""
    result = run(folder, actions, PLAFOND_STATS="stats.json", **settings)
    assert (result.returncode, result.stderr) == (status, "")
    return read_json(folder / "stats.json")


def learned(folder: Path, actions: str, **settings: str) -> Json:
    """Run the program and return its evidence. It must end with STATUS and report no error."""
    result = run(folder, actions, PLAFOND_LEARN="learned.json", **settings)
    assert (result.returncode, result.stdout, result.stderr) == (STATUS, "done\n", "")
    return read_json(folder / "learned.json")


def of_children(folder: Path, name: str) -> list[Json]:
    """Read the files of processes below the first process."""
    return [read_json(path) for path in folder.glob(f"{name}.*")]


def symbol(name: str) -> range:
    """Return the addresses of a function of the program."""
    with PROGRAM.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        entries = table.get_symbol_by_name(name)
        assert entries is not None
        (entry,) = entries
        start: int = entry["st_value"]
        return range(start, start + entry["st_size"])


# ---- Statistics --------------------------------------------------------------


def test_lazy_locks_and_what_they_saved(tmp_path: Path) -> None:
    """The main thread is below the ceiling; a thread at the ceiling saves nothing."""
    found = stats(tmp_path, "protect 1 lock 30 urgent-task 5")
    assert found.pop("pid") > 1
    assert found == {
        "program": str(PROGRAM),
        "mode": "lazy",
        "backend": "user",
        "mutexes": {"unused": 0, "local": 1, "shared": 0},
        "locks": {"lazy": 35, "eager": 0, "inherited": 0},
        "eager_because": dict.fromkeys(
            [
                "not_pinned",
                "policy",
                "no_rseq",
                "depth",
                "raised",
                "mode",
                "privilege",
                "no_memory",
            ],
            0,
        ),
        "commits": dict.fromkeys(
            [
                "blocking_call",
                "contended",
                "priority_read",
                "scheduling_call",
                "migrated",
            ],
            0,
        ),
        "mode_changes": 0,
        "gate_waits": 0,
        "lock_waits": 0,
        "above_ceiling": 0,
        "converted": 0,
        "system_calls": {"made": 0, "saved": 60},
    }


def test_eager_locks_give_the_reason(tmp_path: Path) -> None:
    found = stats(tmp_path, "protect 1 lock 30", PLAFOND_MODE="eager")
    assert found["mode"] == "eager"
    assert found["locks"] == {"lazy": 0, "eager": 30, "inherited": 0}
    assert found["eager_because"]["mode"] == 30
    assert found["system_calls"] == {"made": 60, "saved": 0}
    assert found["mutexes"] == {"unused": 0, "local": 0, "shared": 1}


def test_without_restartable_sequences_threads_are_eager(tmp_path: Path) -> None:
    found = stats(tmp_path, "protect 1 lock 30", GLIBC_TUNABLES="glibc.pthread.rseq=0")
    assert found["locks"] == {"lazy": 0, "eager": 30, "inherited": 0}
    assert found["eager_because"]["no_rseq"] == 30


def test_a_change_of_mode_is_counted(tmp_path: Path) -> None:
    found = stats(tmp_path, "protect 1 lock 1 unpin 0 lock 1")
    assert found["mode_changes"] == 1
    assert found["mutexes"] == {"unused": 0, "local": 0, "shared": 1}


def test_mode_off_counts_nothing(tmp_path: Path) -> None:
    found = stats(tmp_path, "protect 1 lock 30", PLAFOND_MODE="off")
    assert found["mode"] == "off"
    assert set(found["mutexes"].values()) == {0}
    assert set(found["locks"].values()) == {0}


def test_a_race_checker_of_valgrind_sees_all_mutexes(tmp_path: Path) -> None:
    """Valgrind is known by the library that it preloads: here a library with that name."""
    (libc,) = re.findall(r"^.* (/\S+/)libc\.so\.6$", Path("/proc/self/maps").read_text(), re.M)[:1]
    library = tmp_path / "vgpreload_drd-of-this-processor.so"
    shutil.copy(f"{libc}libdl.so.2", library)
    result = run(
        tmp_path, "protect 1", PLAFOND_STATS="stats.json", LD_PRELOAD=f"{library}:{DROP_IN}"
    )
    assert read_json(tmp_path / "stats.json")["mode"] == "off"
    assert result.stderr == (
        "plafond: found helgrind or DRD, which see only the C library's mutexes: "
        "all mutexes are left to the C library\n"
    )


def test_destroyed_mutexes_count_by_their_last_mode(tmp_path: Path) -> None:
    found = stats(tmp_path, "protect 1 lock 1 destroy 1 protect 1 destroy 1")
    assert found["mutexes"] == {"unused": 1, "local": 1, "shared": 0}


@pytest.mark.parametrize("kind", ["living-thread", "vanishing-thread"])
def test_threads_that_did_not_end_in_order(tmp_path: Path, kind: str) -> None:
    """A living thread is counted at exit, and a thread that vanished does no harm."""
    found = stats(tmp_path, f"protect 1 lock 10 {kind} 5 lock 10")
    expected = {25} if kind == "living-thread" else {20, 25}
    assert found["locks"]["lazy"] in expected


def test_any_number_of_threads(tmp_path: Path) -> None:
    assert stats(tmp_path, "protect 1 threads 1500")["locks"]["lazy"] == 1500


def test_text_is_one_block(tmp_path: Path) -> None:
    """Children that lock nothing report nothing."""
    result = run(tmp_path, "protect 1 lock 30 fork 0 spawn 0", PLAFOND_STATS="1")
    assert (result.returncode, result.stdout) == (STATUS, "done\n")
    lines = result.stderr.splitlines()
    assert len(lines) == 7
    assert all(line.startswith("plafond: ") for line in lines)
    assert lines[0].startswith(f"plafond: {PROGRAM} (")
    assert lines[0].endswith("): mode lazy, backend user")
    assert "plafond:   locks: lazy 30, eager 0, inherited 0" in lines
    assert "plafond:   system calls: made 0, saved 60" in lines
    assert not list(tmp_path.iterdir())


# ---- How a process ends ------------------------------------------------------


@pytest.mark.parametrize("ending", ["exit", "_exit", "_Exit", "quick_exit"])
@pytest.mark.parametrize("number", [0, 3])
def test_each_ending_reports_and_keeps_its_status(tmp_path: Path, ending: str, number: int) -> None:
    actions = f"protect 1 lock 10 {ending} {number}"
    result = run(tmp_path, actions, PLAFOND_STATS="stats.json", PLAFOND_LEARN="learned.json")
    assert (result.returncode, result.stderr) == (number, "")
    # While learning, each use is recorded, so the fast path is not taken.
    assert sum(read_json(tmp_path / "stats.json")["locks"].values()) == 10
    assert read_json(tmp_path / "learned.json")["mutexes"][0]["lockers"][0]["locks"] == 10


def test_the_last_thread_ends(tmp_path: Path) -> None:
    assert stats(tmp_path, "protect 1 lock 10 pthread_exit 1", status=0)["locks"]["lazy"] == 10


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_death_by_signal_reports_nothing(tmp_path: Path, number: signal.Signals) -> None:
    actions = f"protect 1 lock 10 kill {int(number)}"
    result = run(tmp_path, actions, PLAFOND_STATS="stats.json", PLAFOND_LEARN="learned.json")
    assert (result.returncode, result.stderr) == (-number, "")
    assert not list(tmp_path.iterdir())


def test_a_file_stays_where_the_program_began(tmp_path: Path) -> None:
    assert stats(tmp_path, "protect 1 chdir 1 lock 5")["locks"]["lazy"] == 5


def test_an_old_file_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "stats.json").write_text("old " * 1000)
    assert stats(tmp_path, "protect 1 lock 5")["locks"]["lazy"] == 5


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing" / "file")
    result = run(tmp_path, "protect 1 lock 5", PLAFOND_STATS=missing, PLAFOND_LEARN=missing)
    assert (result.returncode, result.stdout) == (STATUS, "done\n")
    assert result.stderr == f"plafond: cannot write {missing}: No such file or directory\n"


def test_no_standard_error(tmp_path: Path) -> None:
    for where in ["1", "missing/file"]:
        result = run(tmp_path, "protect 1 close-stderr 1 lock 5", PLAFOND_STATS=where)
        assert (result.returncode, result.stdout, result.stderr) == (
            STATUS,
            "done\n",
            "",
        )


def test_the_file_size_limit(tmp_path: Path) -> None:
    result = run(tmp_path, "protect 1 limit-files 100 lock 5", PLAFOND_STATS="stats.json")
    assert result.returncode == STATUS
    assert result.stderr == f"plafond: cannot write {tmp_path}/stats.json: File too large\n"


# ---- Several processes -------------------------------------------------------


def test_a_child_of_fork_has_its_own_counts(tmp_path: Path) -> None:
    assert stats(tmp_path, "protect 1 lock 10 fork 3 lock 10")["locks"]["lazy"] == 20
    (child,) = of_children(tmp_path, "stats.json")
    assert child["locks"]["lazy"] + child["locks"]["eager"] == 3
    assert sum(child["mutexes"].values()) == 1


def test_a_child_of_fork_has_its_own_evidence(tmp_path: Path) -> None:
    parent = learned(tmp_path, "inherit 1 inherit 1 nest 10 fork 3")
    (child,) = of_children(tmp_path, "learned.json")
    assert [locks_of(mutex) for mutex in parent["mutexes"]] == [10, 10]
    assert [locks_of(mutex) for mutex in child["mutexes"]] == [0, 3]
    assert child["mutexes"][1]["inside"] == []


def test_a_child_that_locks_nothing_reports_nothing(tmp_path: Path) -> None:
    actions = "protect 1 lock 10 fork 0"
    result = run(tmp_path, actions, PLAFOND_STATS="stats.json", PLAFOND_LEARN="learned.json")
    assert result.returncode == STATUS
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "learned.json",
        "stats.json",
    ]


def test_a_started_program_does_not_write_for_its_parent(tmp_path: Path) -> None:
    assert stats(tmp_path, "spawn 4 protect 1 lock 10 spawn 0")["locks"]["lazy"] == 10
    (child,) = of_children(tmp_path, "stats.json")
    assert child["locks"]["lazy"] == 4


def run_below_a_wrapper(folder: Path, *numbers: int) -> None:
    """Run the program from a shell, once for each number of locks."""
    runs = "; ".join(f"{PROGRAM} protect 1 lock {number}" for number in numbers)
    with bounded_real_time(LONGEST_RUN_S):
        subprocess.run(
            ["timeout", "300", "sh", "-c", f"{runs}; exit {STATUS}"],
            cwd=folder,
            env=os.environ | {"LD_PRELOAD": DROP_IN, "PLAFOND_STATS": "stats.json"},
        )


def test_a_wrapper_leaves_the_file_to_the_program(tmp_path: Path) -> None:
    """The program also has its own file, as every process below the started program."""
    run_below_a_wrapper(tmp_path, 10, 20)
    first = read_json(tmp_path / "stats.json")
    assert first["locks"]["lazy"] == 10
    others = of_children(tmp_path, "stats.json")
    assert sorted(found["locks"]["lazy"] for found in others) == [10, 20]
    assert first in others


def test_a_process_with_nothing_to_report_replaces_nothing(tmp_path: Path) -> None:
    file = tmp_path / "stats.json"
    file.write_text("old")
    run_below_a_wrapper(tmp_path, 0)
    assert run(tmp_path, "lock 0", PLAFOND_STATS="stats.json").stderr == ""
    assert file.read_text() == "old"
    file.unlink()
    assert set(stats(tmp_path, "lock 0")["locks"].values()) == {0}


def test_a_program_that_becomes_another(tmp_path: Path) -> None:
    assert stats(tmp_path, "protect 1 lock 10 exec 4")["locks"]["lazy"] == 4
    assert of_children(tmp_path, "stats.json") == []


# ---- Rights that are given away ----------------------------------------------


@pytest.mark.parametrize("given", ["give-up 0", "give-up 1", "chroot 0", "chroot 0 give-up 0"])
def test_a_daemon_keeps_its_reports(tmp_path: Path, given: str) -> None:
    """By a function, or by the system call itself. Later locks count, too."""
    actions = f"protect 1 lock 10 {given} lock 5"
    result = run(tmp_path, actions, PLAFOND_STATS="stats.json", PLAFOND_LEARN="learned.json")
    tmp_path.chmod(0o700)
    assert (result.returncode, result.stderr) == (STATUS, "")
    assert sum(read_json(tmp_path / "stats.json")["locks"].values()) == 15
    (mutex,) = read_json(tmp_path / "learned.json")["mutexes"]
    assert locks_of(mutex) == 15


def test_statistics_without_a_lock_are_kept_too(tmp_path: Path) -> None:
    found = stats(tmp_path, "give-up 0")
    tmp_path.chmod(0o700)
    assert set(found["locks"].values()) == {0}


def test_an_old_file_is_replaced_by_a_daemon_only_if_it_has_something(tmp_path: Path) -> None:
    file = tmp_path / "stats.json"
    for actions, is_old in (("give-up 0", True), ("protect 1 lock 1 give-up 0", False)):
        tmp_path.chmod(0o700)
        file.write_text("old " * 1000)
        assert run(tmp_path, actions, PLAFOND_STATS="stats.json").stderr == ""
        assert (file.read_text() == "old " * 1000) is is_old
    tmp_path.chmod(0o700)
    assert read_json(file)["locks"]["lazy"] == 1


def test_a_child_that_gives_its_rights_away_keeps_its_report(tmp_path: Path) -> None:
    actions = "protect 1 lock 10 unprivileged-fork 3"
    result = run(tmp_path, actions, PLAFOND_STATS="stats.json", PLAFOND_LEARN="learned.json")
    tmp_path.chmod(0o700)
    assert result.stderr == ("" if os.geteuid() == 0 else result.stderr)
    for name in ("stats.json", "learned.json"):
        (child,) = of_children(tmp_path, name)
        assert child
    assert locks_of(child["mutexes"][0]) == 3


def test_a_report_that_is_lost_has_the_true_reason(tmp_path: Path) -> None:
    """The program closed all files, also ours, after it had lost the right to open files."""
    actions = "protect 1 lock 10 give-up 0 close-all 0"
    result = run(tmp_path, actions, PLAFOND_STATS="stats.json")
    tmp_path.chmod(0o700)
    assert (result.returncode, result.stdout) == (STATUS, "done\n")
    file = tmp_path / "stats.json"
    expected = (
        f"plafond: cannot write {file}: Permission denied: the process gave its rights away\n"
    )
    assert result.stderr == expected


def test_closed_files_are_no_loss_where_they_can_be_opened(tmp_path: Path) -> None:
    """Another file may get our file's number, but nothing is written to it."""
    found = stats(tmp_path, "protect 1 lock 10 chdir 0 close-all 0 lock 2")
    assert found["locks"]["lazy"] == 12


# ---- Learning ----------------------------------------------------------------


def locks_of(mutex: Json) -> int:
    """Count the locks of a mutex by all threads."""
    return sum(locker["locks"] for locker in mutex["lockers"])


def test_the_evidence_of_a_mutex(tmp_path: Path) -> None:
    found = learned(tmp_path, "inherit 1 lock 10 inherit 1 task 20 nest 5 protect 1")
    assert (found["format"], found["program"], found["dropped"]) == (1, str(PROGRAM), 0)
    first, second, protect = found["mutexes"]
    for order, mutex in enumerate(found["mutexes"], 1):
        assert (mutex["module"], mutex["symbol"]) == (PROGRAM.name, "make_mutex")
        assert int(mutex["offset"], 16) in symbol("make_mutex")
        assert mutex["order"] == order
    assert [mutex["protocol"] for mutex in found["mutexes"]] == [
        "inherit",
        "inherit",
        "protect",
    ]
    assert [mutex["ceiling"] for mutex in found["mutexes"]] == [0, 0, CEILING]
    assert [locks_of(mutex) for mutex in found["mutexes"]] == [15, 25, 0]
    assert (first["inside"], second["inside"]) == ([], [first["mutex"]])
    assert protect["lockers"] == []
    for mutex in found["mutexes"]:
        for locker in mutex["lockers"]:
            assert 0 < locker["longest_hold_ns"] <= locker["total_hold_ns"] < found["duration_ns"]
            assert 0 <= locker["preempted"] <= locker["locks"]
            assert locker["waits"] == 0


def test_the_evidence_of_a_thread(tmp_path: Path) -> None:
    found = learned(tmp_path, "inherit 1 lock 1 task 20")
    main, task = found["threads"]
    assert main["name"] == PROGRAM.name[:15]
    assert (main["policy"], main["priority"], main["cpu"]) == ("fifo", MAIN_PRIORITY, 0)
    assert task["name"] == 'periodic "task"'
    assert task["start"] == f"{PROGRAM.name}+{symbol('periodic_task').start:#x}"
    assert (task["policy"], task["priority"], task["cpu"]) == ("fifo", 15, 0)
    assert task["activations"] == 20
    assert 2_000_000 <= task["shortest_gap_ns"] < found["duration_ns"]
    assert 0 < task["longest_run_ns"] < found["duration_ns"]
    lockers = found["mutexes"][0]["lockers"]
    assert {locker["thread"]: locker["locks"] for locker in lockers} == {
        main["thread"]: 1,
        task["thread"]: 20,
    }


def test_waits_and_preemptions(tmp_path: Path) -> None:
    """A wait for a mutex is no activation."""
    found = learned(tmp_path, "inherit 1 contend 6 inherit 1 preempt 4 lock 9")
    main, urgent = found["threads"]
    contended, preempted = found["mutexes"]
    of_thread = {locker["thread"]: locker for locker in contended["lockers"]}
    assert of_thread[urgent["thread"]]["waits"] == 6
    assert of_thread[main["thread"]]["waits"] == 0
    (locker,) = preempted["lockers"]
    assert (locker["thread"], locker["locks"], locker["waits"]) == (
        main["thread"],
        13,
        0,
    )
    assert locker["preempted"] >= 4
    assert (urgent["priority"], urgent["activations"]) == (15, 0)


def test_a_lock_is_recorded_with_the_priority_it_had(tmp_path: Path) -> None:
    found = learned(tmp_path, "inherit 1 lock 3 priority 12 lock 4")
    priority = {thread["thread"]: thread["priority"] for thread in found["threads"]}
    (mutex,) = found["mutexes"]
    assert {priority[locker["thread"]]: locker["locks"] for locker in mutex["lockers"]} == {
        MAIN_PRIORITY: 3,
        12: 4,
    }


def test_a_priority_that_another_process_granted_is_seen(tmp_path: Path) -> None:
    """The C library would still have the priority that the program itself set."""
    found = learned(tmp_path, "inherit 1 lock 2 ordinary 1 lock 3 granted 20 lock 4")
    runs_as = {t["thread"]: (t["policy"], t["priority"]) for t in found["threads"]}
    (mutex,) = found["mutexes"]
    assert {runs_as[each["thread"]]: each["locks"] for each in mutex["lockers"]} == {
        ("fifo", MAIN_PRIORITY): 2,
        ("other", 0): 3,
        ("rr", 20): 4,
    }


def test_a_plain_mutex_is_seen_from_a_granted_priority_on(tmp_path: Path) -> None:
    (mutex,) = learned(tmp_path, "ordinary 1 plain 1 lock 3 granted 20 lock 4")["mutexes"]
    assert locks_of(mutex) == 4


def test_the_ceiling_is_not_taken_for_the_base_priority(tmp_path: Path) -> None:
    for mode in ["lazy", "eager"]:
        found = learned(tmp_path, "protect 1 lock 3 task 3", PLAFOND_MODE=mode)
        assert [thread["priority"] for thread in found["threads"]] == [
            MAIN_PRIORITY,
            15,
        ]
        assert locks_of(found["mutexes"][0]) == 6


def test_threads_made_for_each_job_are_one(tmp_path: Path) -> None:
    found = learned(tmp_path, "inherit 1 threads 1500")
    (mutex,) = found["mutexes"]
    assert [locker["locks"] for locker in mutex["lockers"]] == [1500]
    assert found["dropped"] == 0


def test_lost_evidence_is_counted(tmp_path: Path) -> None:
    """The mutexes were locked, so their evidence stays, except for the last mutex."""
    found = learned(tmp_path, "inherit 1 lock 1 destroy 1 " * 4097)
    assert len(found["mutexes"]) == 4096
    assert found["dropped"] == 1


@pytest.mark.parametrize(("made", "order", "place"), [("plain", 1, "plain"), ("zero", 0, "lock")])
def test_plain_mutexes_of_real_time_threads_are_evidence(
    tmp_path: Path, made: str, order: int, place: str
) -> None:
    """A mutex that no call makes is known by the call that locked it."""
    found = learned(tmp_path, f"{made} 1 lock 10 task 20")
    (mutex,) = found["mutexes"]
    assert (mutex["protocol"], mutex["ceiling"], mutex["order"]) == ("none", 0, order)
    assert int(mutex["offset"], 16) in symbol(place)
    assert [locker["locks"] for locker in sorted(mutex["lockers"], key=by_thread)] == [
        10,
        20,
    ]


def by_thread(locker: Json) -> int:
    """Return the number of the locker's thread."""
    number: int = locker["thread"]
    return number


def test_plain_mutexes_of_ordinary_threads_alone_are_not(tmp_path: Path) -> None:
    assert learned(tmp_path, "plain 1 zero 1 ordinary 1 nest 10")["mutexes"] == []
    (mutex,) = learned(tmp_path, "plain 1 ordinary 1 lock 3 task 5 lock 4")["mutexes"]
    assert locks_of(mutex) == 9


@pytest.mark.parametrize(("actions", "is_so"), [("hand-over 3", True), ("lock 3", False)])
def test_an_unlock_by_another_thread_is_evidence(tmp_path: Path, actions: str, is_so: bool) -> None:
    (mutex,) = learned(tmp_path, f"plain 1 {actions}")["mutexes"]
    assert mutex.get("handed_over", False) is is_so
    assert locks_of(mutex) == 3


def test_adaptive_mutexes_are_left_alone(tmp_path: Path) -> None:
    """The C library counts their spins in the word that would hold the evidence."""
    assert learned(tmp_path, "adaptive 1 lock 10 task 20")["mutexes"] == []


def test_a_plain_mutex_inside_a_section_with_a_ceiling(tmp_path: Path) -> None:
    outer, inner = learned(tmp_path, "protect 1 zero 1 nest 5")["mutexes"]
    assert (inner["protocol"], locks_of(inner), inner["inside"]) == (
        "none",
        5,
        [outer["mutex"]],
    )


def test_in_mode_off_mutexes_with_ceilings_stay_those_of_libc(tmp_path: Path) -> None:
    """They are no evidence, because with the drop-in's mark they would be taken for its mutexes."""
    found = learned(tmp_path, "protect 1 lock 3 inherit 1 lock 4", PLAFOND_MODE="off")
    assert [mutex["protocol"] for mutex in found["mutexes"]] == ["inherit"]


def test_a_destroyed_plain_mutex_gives_its_place_to_no_other(tmp_path: Path) -> None:
    """The second mutex has the memory of the first, and no call makes it."""
    (mutex,) = learned(tmp_path, "plain 1 destroy 1 zero 1 lock 2")["mutexes"]
    assert mutex["order"] == 0


# ---- Inversions --------------------------------------------------------------


@pytest.mark.parametrize("place", ["call", "variable"])
def test_a_plain_mutex_that_a_call_makes_is_made_to_inherit(tmp_path: Path, place: str) -> None:
    (mutex,) = learned(tmp_path, "plain 1 lock 10 task 20")["mutexes"]
    at = mutex if place == "call" else mutex["place"]
    table = tmp_path / "chosen"
    table.write_text(f"{at['module']} {at['offset']} 1 inherit\n")
    found = stats(tmp_path, "plain 1 lock 10 await-lent 15", PLAFOND_CEILINGS=str(table))
    assert (found["converted"], sum(found["locks"].values())) == (1, 0)
    assert run(tmp_path, "plain 1 await-lent 10").returncode == STATUS


# ---- Mutexes that one helper makes -------------------------------------------


def by_path(mutex: Json) -> str:
    """Return the beginning of the line that names a mutex by its path."""
    return f"{mutex['module']} {mutex['offset']}/{mutex['path']} {mutex['nth']}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("first-path 1", "second-path 1"),
        ("maker 1", "other-maker 1"),
        ("numbered 1", "numbered 2"),
    ],
)
def test_paths_distinguish_what_one_helper_makes(tmp_path: Path, one: str, other: str) -> None:
    """In any order. The ceiling of 5 is below the main thread's priority."""
    first, second = learned(tmp_path, f"heap 1 {one} {other}")["mutexes"]
    assert (first["offset"], first["nth"], second["nth"]) == (second["offset"], 1, 1)
    assert first["path"] != second["path"]
    table = tmp_path / "table"
    table.write_text(f"{by_path(first)} 15\n{by_path(second)} 5\n")
    settings = {"PLAFOND_CEILINGS": str(table), "PLAFOND_STATS": "stats.json"}
    for actions in (f"{one} lock 4 {other} lock 3", f"{other} lock 3 {one} lock 4"):
        assert run(tmp_path, f"heap 1 {actions}", **settings).returncode == STATUS
        found = read_json(tmp_path / "stats.json")
        assert found["locks"] == {"lazy": 4, "eager": 0, "inherited": 3}


def test_a_variable_of_a_call_is_part_of_the_path(tmp_path: Path) -> None:
    """A call makes several mutexes, and may make them in another order."""
    first, second = learned(tmp_path, "on-stack 1 on-stack 2")["mutexes"]
    assert (first["nth"], second["nth"]) == (1, 1)
    again = learned(tmp_path, "on-stack 2 on-stack 1")["mutexes"]
    assert [m["path"] for m in again] == [second["path"], first["path"]]


def test_one_path_is_counted(tmp_path: Path) -> None:
    found = learned(tmp_path, "heap 1 first-path 1 second-path 1 first-path 1")["mutexes"]
    assert [mutex["nth"] for mutex in found] == [1, 1, 2]
    assert [mutex["order"] for mutex in found] == [1, 2, 3]
    table = tmp_path / "table"
    table.write_text(f"{by_path(found[2])} 15\n")
    actions = "heap 1 first-path 1 lock 2 second-path 1 lock 3 first-path 1 lock 4"
    assert stats(tmp_path, actions, PLAFOND_CEILINGS=str(table))["locks"]["lazy"] == 4


def test_more_than_were_learned_by_one_path_are_reported(tmp_path: Path) -> None:
    """The learned mutex may be any of them."""
    (mutex,) = learned(tmp_path, "heap 1 first-path 1 lock 1")["mutexes"]
    table = tmp_path / "table"
    table.write_text(f"{by_path(mutex)} 15\n")
    settings = {"PLAFOND_CEILINGS": str(table)}
    for actions, is_reported in (
        ("first-path 1", False),
        ("first-path 1 second-path 1", False),
        ("first-path 1 first-path 1", True),
    ):
        result = run(tmp_path, f"heap 1 {actions}", **settings)
        place = f"{mutex['module']}+{mutex['offset']}"
        expected = f"plafond: {place} made more mutexes than were learned: which of them have the "
        assert result.stderr.startswith(expected) is is_reported
        assert result.stderr.count("\n") == is_reported


@pytest.mark.parametrize("made", ["inherit", "plain", "zero"])
def test_a_name_distinguishes_mutexes(tmp_path: Path, made: str) -> None:
    found = learned(tmp_path, f"{made} 1 name 1 lock 1 {made} 1 name 2 lock 1")["mutexes"]
    assert [mutex["name"] for mutex in found] == ["number 1", "number 2"]
    table = tmp_path / "table"
    table.write_text("name:number 1 0x0 1 15\nname:number 2 0x0 1 5\n")
    actions = f"{made} 1 name 2 lock 3 {made} 1 name 1 lock 4"
    counted = stats(tmp_path, actions, PLAFOND_CEILINGS=str(table))
    assert counted["locks"] == {"lazy": 4, "eager": 0, "inherited": 3}
    assert counted["converted"] == 2


def test_a_plain_mutex_inherits_by_its_name(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text("name:number 7 0x0 1 inherit\n")
    actions = "plain 1 name 7 await-lent 15 inherit 1 name 7 plain 1 await-lent 10"
    assert stats(tmp_path, actions, PLAFOND_CEILINGS=str(table))["converted"] == 1


def test_a_wrong_name_is_an_error(tmp_path: Path) -> None:
    for settings in ({}, {"PLAFOND_LEARN": "x.json"}):
        result = run(tmp_path, "inherit 1 name-wrongly 1 protect 1 name-wrongly 1", **settings)
        assert (result.returncode, result.stderr) == (STATUS, "")


# ---- Refusals ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("MODE", "fast", "expected lazy, eager or off: taken as lazy"),
        ("ROBUST", "yes", "expected 0 or 1: taken as 0"),
        ("BACKEND", "fast", "expected user or module: taken as user"),
    ],
)
def test_a_wrong_setting_is_reported(tmp_path: Path, name: str, value: str, line: str) -> None:
    result = run(tmp_path, "protect 1 lock 3", **{f"PLAFOND_{name}": value})
    assert (result.returncode, result.stdout) == (STATUS, "done\n")
    assert result.stderr == f"plafond: PLAFOND_{name}={value}: {line}\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [("MODE", ""), ("MODE", "lazy"), ("ROBUST", ""), ("ROBUST", "0"), ("ROBUST", "1")],
)
def test_a_setting_that_is_right_or_empty_says_nothing(
    tmp_path: Path, name: str, value: str
) -> None:
    result = run(tmp_path, "protect 1 lock 3", **{f"PLAFOND_{name}": value})
    assert (result.returncode, result.stdout, result.stderr) == (STATUS, "done\n", "")


# ---- Learned ceilings --------------------------------------------------------


def table_of(folder: Path, actions: str, *ceilings: int) -> str:
    """Learn the program, give its mutexes these ceilings, and return the table's path."""
    return written(folder, learned(folder, actions)["mutexes"], ceilings)


def written(folder: Path, mutexes: list[Json], ceilings: Sequence[int]) -> str:
    """Write the table of these mutexes, and return its path."""
    table = folder / "ceilings"
    table.write_text(
        "".join(
            f"{mutex['module']} {mutex['offset']} {mutex['order']} {ceiling}\n"
            for mutex, ceiling in zip(mutexes, ceilings, strict=True)
        )
    )
    return str(table)


def test_learned_ceilings_make_inherit_mutexes_cheap(tmp_path: Path) -> None:
    actions = "inherit 1 lock 10 inherit 1 task 20"
    found = stats(tmp_path, actions, PLAFOND_CEILINGS=table_of(tmp_path, actions, 15, 15))
    assert (found["converted"], found["above_ceiling"]) == (2, 0)
    assert found["locks"] == {"lazy": 30, "eager": 0, "inherited": 0}
    assert found["mutexes"] == {"unused": 0, "local": 2, "shared": 0}


def test_a_plain_mutex_is_converted_where_its_ceiling_is_chosen(tmp_path: Path) -> None:
    actions = "plain 1 lock 10 inherit 1 task 20"
    table = table_of(tmp_path, "plain 1 lock 10", 15)
    found = stats(tmp_path, actions, PLAFOND_CEILINGS=table)
    assert (found["converted"], found["locks"]["lazy"]) == (1, 10)
    table = table_of(tmp_path, actions, 15, 15)
    assert stats(tmp_path, actions, PLAFOND_CEILINGS=table)["locks"]["lazy"] == 30


def test_sections_in_one_that_the_kernel_keeps_are_at_their_ceiling(
    tmp_path: Path,
) -> None:
    """Ceilings 15 and 12: a sleep commits the outer section, which covers the inner section."""
    actions = "inherit 1 inherit 1 nest-asleep 5"
    found = stats(tmp_path, actions, PLAFOND_CEILINGS=table_of(tmp_path, actions, 15, 12))
    assert found["locks"] == {"lazy": 5, "eager": 5, "inherited": 0}
    assert found["eager_because"]["raised"] == found["commits"]["blocking_call"] == 5
    assert found["system_calls"]["made"] == 10


def test_a_locker_above_a_learned_ceiling_is_counted(tmp_path: Path) -> None:
    table = table_of(tmp_path, "inherit 1 lock 1", MAIN_PRIORITY)
    found = stats(tmp_path, "inherit 1 lock 10 task 3", PLAFOND_CEILINGS=table)
    assert (found["converted"], found["above_ceiling"]) == (1, 3)
    assert found["locks"] == {"lazy": 10, "eager": 0, "inherited": 3}


def robust_inherit(folder: Path, **settings: str) -> None:
    """Run the semantic tests of robust inherit mutexes with the drop-in."""
    preloaded = {"LD_PRELOAD": DROP_IN, "ROBUST_PROTOCOL": "inherit"}
    result = subprocess.run(
        [ROBUST, "pinned"],
        cwd=folder,
        env=os.environ | preloaded | settings,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def robust_table(folder: Path, ceiling: int) -> str:
    """Learn these tests, in which no mutex is locked inside another, and return a table."""
    robust_inherit(folder, PLAFOND_LEARN="learned.json")
    mutexes = read_json(folder / "learned.json")["mutexes"]
    assert [mutex["inside"] for mutex in mutexes] == [[]] * len(mutexes)
    return written(folder, mutexes, [ceiling] * len(mutexes))


@pytest.mark.parametrize(
    ("ceiling", "how", "never"), [(40, "lazy", "inherited"), (9, "inherited", "lazy")]
)
def test_robust_mutexes_are_converted_and_stay_robust(
    tmp_path: Path, ceiling: int, how: str, never: str
) -> None:
    """With a dead owner, each type, and with or without recovery. All lockers are above 9."""
    table = robust_table(tmp_path, ceiling)
    robust_inherit(
        tmp_path,
        PLAFOND_CEILINGS=table,
        PLAFOND_STATS="stats.json",
        ROBUST_CEILING=str(ceiling),
    )
    found = read_json(tmp_path / "stats.json")
    assert found["converted"] == sum(found["mutexes"].values()) > 0
    assert found["locks"][how] > found["locks"][never] == 0


def answers(folder: Path, **settings: str) -> str:
    """Return the results of an owner's calls for all kinds of mutexes."""
    with bounded_real_time(LONGEST_RUN_S):
        result = subprocess.run(
            [ANSWERS],
            cwd=folder,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            timeout=20,
        )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_converted_mutexes_answer_as_those_of_the_c_library(tmp_path: Path) -> None:
    plain = answers(tmp_path)
    preloaded = {"LD_PRELOAD": DROP_IN}
    assert answers(tmp_path, **preloaded, PLAFOND_LEARN="learned.json") == plain
    one = read_json(tmp_path / "learned.json")["mutexes"][0]
    count = len(plain.splitlines())  # all are made by one call, also if they are not learned
    mutexes = [one | {"order": order + 1} for order in range(count)]
    table = written(tmp_path, mutexes, [CEILING] * count)
    settings = {"PLAFOND_CEILINGS": table, "PLAFOND_STATS": "stats.json"}
    assert answers(tmp_path, **preloaded, **settings).splitlines() == plain.splitlines()
    assert read_json(tmp_path / "stats.json")["converted"] == count


@pytest.mark.parametrize("actions", ["inherit 1 lock 10", "inherit 1 fork 1"])
def test_ceilings_of_another_program_are_reported(tmp_path: Path, actions: str) -> None:
    table = tmp_path / "ceilings"
    table.write_text("another 0x1234 1 15\n")
    result = run(tmp_path, actions, PLAFOND_CEILINGS=str(table))
    assert (result.returncode, result.stdout) == (STATUS, "done\n")
    assert result.stderr == (
        "plafond: no ceiling is of a mutex that this program made: expected those that were "
        "learned of it, as it is built and run now\n"
    )


def test_ceilings_of_mutexes_that_were_not_made_are_not(tmp_path: Path) -> None:
    """A plain mutex need not have a ceiling, because even a wrapper may make plain mutexes."""
    table = tmp_path / "ceilings"
    table.write_text("another 0x1234 1 15\n")
    assert run(tmp_path, "plain 1 lock 1 spawn 3", PLAFOND_CEILINGS=str(table)).stderr == ""


def test_a_wrong_line_of_the_table_is_reported_once(tmp_path: Path) -> None:
    table = tmp_path / "ceilings"
    table.write_text("app 0x10 1 100\n")
    result = run(tmp_path, "inherit 1 lock 10 spawn 3", PLAFOND_CEILINGS=str(table))
    assert (result.returncode, result.stdout) == (STATUS, "done\n")
    assert result.stderr == (
        f"plafond: {table}:1: expected a ceiling from 1 to 99 at the end, or inherit: line "
        "ignored\n"
    )


@pytest.mark.parametrize("path", ["missing", "."])
def test_an_unreadable_table_is_reported(tmp_path: Path, path: str) -> None:
    result = run(tmp_path, "inherit 1 lock 10", PLAFOND_CEILINGS=path)
    assert (result.returncode, result.stdout) == (STATUS, "done\n")
    assert result.stderr.startswith(f"plafond: cannot read the ceilings {path}: ")
    assert result.stderr.count("\n") == 1
