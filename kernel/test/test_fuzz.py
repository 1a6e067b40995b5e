# SPDX-License-Identifier: MIT
"""Tests of the model with sentences of the standard, and of shrinking a program that differs."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from pathlib import Path

import pytest

from fuzz import program as programs
from fuzz.compare import difference, shrunk
from fuzz.draw import draw_program
from fuzz.messages import Receiver
from fuzz.model import Model, defined
from fuzz.mutants import FAULTS, Fault
from fuzz.play import Ending, Player
from fuzz.program import Code, Kind, Note, Place, Program, Status, Step, decoded, encoded
from fuzz.rights import BOSS, Application, ObjectKind, Owner, Rights
from fuzz.schedule_tables import Point, ScheduleTable, Signal
from fuzz.system import LAST, Alarm, Counter, System, Task, draw_system

HERE = Path(__file__).parent
NONE: frozenset[int] = frozenset()
FIRST = frozenset({0})


def task(priority: int, **fields: object) -> Task:
    """Return a preemptive basic task without autostart."""
    return replace(Task(priority, 1, False, False, "", NONE, NONE), **fields)  # type: ignore[arg-type]


def system(*tasks: Task, alarms: Sequence[Alarm] = ()) -> System:
    """Return a system of these tasks, of others without actions, and of the last task."""
    others = [task(2, resources=frozenset({0, 1, 2})) for _ in range(LAST - len(tasks))]
    last = task(1, modes=FIRST, resources=NONE)
    counters = (Counter(9, 1, 1), Counter(9, 1, 1))
    return System(True, NONE, False, (*tasks, *others, last), counters, tuple(alarms))  # type: ignore[arg-type]


def played(of: System, scripts: dict[Place, list[list[Step]]]) -> list[Note]:
    """Return the history of a program in mode 0."""
    return Model(of, fixed(scripts)).play()


def fixed(scripts: dict[Place, list[list[Step]]]) -> Program:
    """Return a program of these scripts in mode 0."""
    return Program(100, 0, {place: tuple(map(tuple, each)) for place, each in scripts.items()})


def order(notes: list[Note]) -> list[str]:
    """Return the tasks and callbacks that began, in order."""
    return [note.place.name for note in notes if note.kind == Kind.BEGIN][1:]


def statuses(notes: list[Note], code: Code) -> list[int]:
    """Return the statuses of a service."""
    return [n.status for n in notes if n.kind == Kind.STEP and n.code == code]


END = Step(Code.TERMINATE_TASK)


def test_a_preempted_task_is_the_oldest_of_its_priority() -> None:
    """OSEK 4.6.1: before tasks that were activated while it ran, or was preempted."""
    of = system(task(2), task(2), task(5))
    scripts = {
        Place.TASK_LAST: [[Step(Code.ACTIVATE_TASK, 0)]],
        Place.TASK_0: [[Step(Code.ACTIVATE_TASK, 1), Step(Code.ACTIVATE_TASK, 2), END]],
        Place.TASK_1: [[END]],
        Place.TASK_2: [[END]],
    }
    notes = played(of, scripts)
    assert order(notes) == ["TASK_LAST", "TASK_0", "TASK_2", "TASK_1"]


def test_activations_of_several_tasks_keep_their_order() -> None:
    """OSEK 4.3: each task has as many activations as it may have."""
    of = system(task(2, queue=2), task(2), task(5))
    activate = [Step(Code.ACTIVATE_TASK, number) for number in (0, 1, 0, 0)]
    scripts = {
        Place.TASK_LAST: [[Step(Code.ACTIVATE_TASK, 2)]],
        Place.TASK_2: [[*activate, END]],
        Place.TASK_0: [[END]] * 2,
        Place.TASK_1: [[END]],
    }
    notes = played(of, scripts)
    assert order(notes) == ["TASK_LAST", "TASK_2", "TASK_0", "TASK_1", "TASK_0"]
    assert statuses(notes, Code.ACTIVATE_TASK) == [0, 0, 0, Status.E_OS_LIMIT, 0]


def test_chaining_to_itself_is_no_second_activation() -> None:
    """OSEK 13.2.3.3."""
    of = system(task(3))
    scripts = {
        Place.TASK_LAST: [[Step(Code.ACTIVATE_TASK, 0)]],
        Place.TASK_0: [[Step(Code.CHAIN_TASK, 0)], [END]],
    }
    notes = played(of, scripts)
    assert order(notes) == ["TASK_LAST", "TASK_0", "TASK_0"]
    assert statuses(notes, Code.CHAIN_TASK) == []


def test_alarms_of_one_tick_expire_in_the_order_in_which_they_were_set() -> None:
    """docs/kernel/alarms.md: the counter reaches its present value after a wrap."""
    alarms = [Alarm(0, "call", number, 0, 1, 0, NONE) for number in (0, 1)]
    of = system(alarms=alarms)
    tick = Step(Code.INCREMENT_COUNTER, 0)
    steps = [
        Step(Code.SET_REL_ALARM, 1, first=2),
        Step(Code.SET_REL_ALARM, 0, first=2),
        *(tick, tick, Step(Code.SET_ABS_ALARM, 0, first=2), Step(Code.GET_ALARM, 0)),
    ]
    notes = played(of, {Place.TASK_LAST: [steps]})
    assert order(notes) == ["TASK_LAST", "CALLBACK_1", "CALLBACK_0"]
    assert [n.value for n in notes if n.code == Code.GET_ALARM] == [10]


def test_a_resource_keeps_out_its_users() -> None:
    """OSEK 8.5, and 13.4.3.2: the last entered is the first released."""
    users = frozenset({0, 1})
    of = system(task(4, resources=users), task(3, resources=users))
    get, release = (
        [Step(code, number) for number in (0, 1)]
        for code in (Code.GET_RESOURCE, Code.RELEASE_RESOURCE)
    )
    steps = [*get, Step(Code.ACTIVATE_TASK, 0), *release, *reversed(release), END]
    scripts = {
        Place.TASK_LAST: [[Step(Code.ACTIVATE_TASK, 1)]],
        Place.TASK_1: [steps],
        Place.TASK_0: [[END]],
    }
    notes = played(of, scripts)
    nofunc = Status.E_OS_NOFUNC
    assert statuses(notes, Code.RELEASE_RESOURCE) == [nofunc, 0, nofunc, 0]
    begun = next(n for n, note in enumerate(notes) if note.place == Place.TASK_0)
    assert notes[begun - 1].status == nofunc  # it did not run in the last section


def test_elapsed_ticks_go_on_where_the_counter_begins_anew() -> None:
    """AUTOSAR: GetElapsedValue on a counter that wraps from 9 to 0."""
    tick = Step(Code.INCREMENT_COUNTER, 0)
    asks = [Step(Code.GET_ELAPSED_VALUE, 0, first=value) for value in (8, 2, 10)]
    notes = played(system(), {Place.TASK_LAST: [[*[tick] * 12, *asks]]})
    found = [(n.status, n.value, n.more) for n in notes if n.code == Code.GET_ELAPSED_VALUE]
    assert found == [(0, 4, 2), (0, 0, 2), (Status.E_OS_VALUE, 0xEE, 10)]


def planned(*points: Point, duration: int, is_repeating: bool = False) -> ScheduleTable:
    """Return a table of the first counter without autostart."""
    return ScheduleTable(0, points, duration, is_repeating, True, 1, NONE)


def test_a_table_does_what_its_points_say_until_its_end() -> None:
    """docs/kernel/schedule-tables.md: activations first, also over a wrap, then stopped."""
    points = (Point(0, (Signal(0, event=1), Signal(0))), Point(8, (Signal(1),)))
    of = replace(system(task(3, is_extended=True), task(3)), tables=(planned(*points, duration=9),))
    tick, ask = Step(Code.INCREMENT_COUNTER, 0), Step(Code.GET_TABLE_STATUS, 0)
    start = Step(Code.START_TABLE_ABS, 0, first=4)
    steps = [start, *[tick] * 4, Step(Code.GET_TASK_ID), *[tick] * 8, ask, tick, ask, tick]
    scripts = {
        Place.TASK_LAST: [steps],
        Place.TASK_0: [[Step(Code.GET_EVENT, 0), END]],
        Place.TASK_1: [[END]],
    }
    notes = played(of, scripts)
    assert order(notes) == ["TASK_LAST", "TASK_0", "TASK_1"]
    assert [n.value for n in notes if n.code == Code.GET_EVENT] == [2]
    assert [n.value for n in notes if n.code == Code.GET_TABLE_STATUS] == [3, 0]


def test_what_is_next_begins_where_the_other_one_ends() -> None:
    """AUTOSAR, 8.4: the table named last begins in the same tick, after alarms due before."""
    once = planned(Point(0, (Signal(0),)), duration=0)
    tables = (
        planned(Point(1, (Signal(1),)), duration=2, is_repeating=True),
        once,
        planned(Point(0, (Signal(2),)), duration=1),
    )
    alarm = Alarm(0, "activate", 3, 0, 1, 0, NONE)
    of = replace(system(task(3), task(3), task(3), task(3), alarms=[alarm]), tables=tables)
    ask = [Step(Code.GET_TABLE_STATUS, number) for number in range(3)]
    steps = [
        Step(Code.START_TABLE_REL, 0, first=1),
        *(Step(Code.NEXT_TABLE, 0, first=number) for number in (1, 2)),
        *ask,
        Step(Code.SET_REL_ALARM, 0, first=3),
        *[Step(Code.INCREMENT_COUNTER, 0)] * 3,
        *ask,
        Step(Code.STOP_TABLE, 0),
    ]
    ends = {Place(number): [[END]] for number in range(4)}
    notes = played(of, {Place.TASK_LAST: [steps], **ends})
    assert order(notes) == ["TASK_LAST", "TASK_1", "TASK_3", "TASK_2"]
    found = [n.value for n in notes if n.code == Code.GET_TABLE_STATUS]
    assert found == [3, 0, 1, 0, 0, 3]
    assert statuses(notes, Code.STOP_TABLE) == [Status.E_OS_NOFUNC]


def test_starts_and_nexts_are_refused_in_this_order() -> None:
    """os.h: E_OS_ID, then E_OS_VALUE or E_OS_NOFUNC, then E_OS_STATE."""
    other = replace(planned(Point(0, (Signal(0),)), duration=0), counter=1)
    of = replace(system(), tables=(planned(Point(2, (Signal(0),)), duration=2), other))
    starts = [(2, 0), (0, 0), (0, 8), (0, 7), (0, 8), (0, 1)]
    nexts = [(0, 2), (0, 1), (1, 1), (0, 0)]
    steps = [
        *(Step(Code.START_TABLE_REL, number, first=ticks) for number, ticks in starts),
        *(Step(Code.NEXT_TABLE, number, first=following) for number, following in nexts),
    ]
    notes = played(of, {Place.TASK_LAST: [steps]})
    wrong, value, state = Status.E_OS_ID, Status.E_OS_VALUE, Status.E_OS_STATE
    assert statuses(notes, Code.START_TABLE_REL) == [wrong, value, value, 0, value, state]
    assert statuses(notes, Code.NEXT_TABLE) == [wrong, wrong, Status.E_OS_NOFUNC, state]


def test_a_message_comes_to_each_receiver_that_has_a_place() -> None:
    """docs/kernel/messages.md: the oldest of a queue, or the last again and again."""
    receivers = (Receiver(0, 2, 0, Signal(0)), Receiver(0, 0, 7, None), Receiver(1, 1, 0, None))
    of = replace(system(task(3)), receivers=receivers)
    ask, *takes = (
        Step(Code.GET_MESSAGE_STATUS, 2),
        *(Step(Code.RECEIVE_MESSAGE, number) for number in (2, 3, 4)),
    )
    sends = [Step(Code.SEND_MESSAGE, 0, first=value) for value in (10, 11, 12)]
    steps = [ask, takes[1], *sends, ask, *takes, *takes, takes[0], Step(Code.SEND_MESSAGE, 2)]
    scripts = {Place.TASK_LAST: [steps], Place.TASK_0: [[END]] * 4}
    notes = played(of, scripts)
    assert order(notes) == ["TASK_LAST", "TASK_0", "TASK_0"]
    none, limit = Status.E_COM_NOMSG, Status.E_COM_LIMIT
    assert statuses(notes, Code.GET_MESSAGE_STATUS) == [none, limit]
    found = [(n.status, n.value) for n in notes if n.code == Code.RECEIVE_MESSAGE]
    first, again = [(0, 7), (limit, 10), (0, 12), (none, 0xEE)], [(0, 11), (0, 12), (none, 0xEE)]
    assert found == [*first, *again, (none, 0xEE)]
    assert statuses(notes, Code.SEND_MESSAGE) == [0, 0, 0, Status.E_COM_ID]


def owned(tasks: Sequence[int], *, restart: int | None = None) -> Rights:
    """Return rights that open each task to all, with a trusted application for the last task."""
    all_of_them = frozenset(range(4))
    first = Application(is_trusted=False, restart=restart)
    others = [Application(is_trusted=each == BOSS, restart=None) for each in range(1, 4)]
    numbers = [*tasks, *[BOSS] * (LAST + 1 - len(tasks))]
    return Rights(
        (first, *others),
        {
            ObjectKind.TASK: tuple(Owner(number, all_of_them) for number in numbers),
            ObjectKind.ISR: (Owner(BOSS, frozenset({BOSS})),) * 2,
            ObjectKind.ALARM: (),
            ObjectKind.RESOURCE: (),
            ObjectKind.COUNTER: (Owner(1, frozenset({1})),) * 2,
        },
    )


def test_what_belongs_to_others_is_refused() -> None:
    """AUTOSAR, SWS_Os_00056, except that a number without an object is E_OS_ID."""
    of = replace(system(), rights=owned([]))
    steps = [Step(Code.INCREMENT_COUNTER, 0), Step(Code.INCREMENT_COUNTER, 2)]
    notes = played(of, {Place.TASK_LAST: [steps]})
    assert statuses(notes, Code.INCREMENT_COUNTER) == [Status.E_OS_ACCESS, Status.E_OS_ID]


def test_an_application_that_restarts_is_closed_to_others() -> None:
    """AUTOSAR, SWS_Os_00287, 00508, 00509: closed until it calls AllowAccess."""
    of = replace(system(task(3), task(2, queue=2)), rights=owned([0, 0], restart=0))
    end_it = Step(Code.TERMINATE_APPLICATION, 0, first=1)
    activate = Step(Code.ACTIVATE_TASK, 1)
    scripts = {
        Place.TASK_LAST: [[activate, end_it, end_it, activate]],
        Place.TASK_1: [[activate, end_it], [END]],
        Place.TASK_0: [[END], [Step(Code.ALLOW_ACCESS), END]],
    }
    notes = played(of, scripts)
    assert order(notes) == ["TASK_LAST", "TASK_1", "TASK_0"]
    assert statuses(notes, Code.TERMINATE_APPLICATION) == [Status.E_OS_STATE] * 2
    scripts[Place.TASK_0] = [[Step(Code.ALLOW_ACCESS), END]] * 3
    notes = played(of, scripts)
    assert order(notes) == ["TASK_LAST", "TASK_1", *["TASK_0"] * 3, "TASK_1"]


def timed(deadline_us: int, **fields: object) -> Task:
    """Return a task with this relative deadline."""
    return task(1, deadline_ns=1000 * deadline_us, **fields)


def by_deadline(*tasks: Task) -> System:
    """Return a system of these tasks under EDF. The last task has the latest deadline."""
    of = system(*tasks)
    due = [replace(each, deadline_ns=each.deadline_ns or 10**9) for each in of.tasks]
    return replace(of, tasks=tuple(due))


def test_equal_deadlines_keep_their_order_and_preempt_none() -> None:
    """docs/kernel/scheduling.md: the running task stays, and a preempted task came before."""
    of = by_deadline(timed(20), timed(20), timed(10), timed(20))
    activate = [Step(Code.ACTIVATE_TASK, number) for number in (3, 1, 2)]
    ends = {place: [[END]] for place in (Place.TASK_1, Place.TASK_2, Place.TASK_3)}
    steps = [*activate, Step(Code.GET_TASK_STATE, 1), END]
    notes = played(
        of, {Place.TASK_LAST: [[Step(Code.ACTIVATE_TASK, 0)]], Place.TASK_0: [steps], **ends}
    )
    assert order(notes) == ["TASK_LAST", "TASK_0", "TASK_2", "TASK_3", "TASK_1"]
    assert [n.value for n in notes if n.code == Code.GET_TASK_STATE] == [2]  # ready


def test_a_task_that_wakes_up_arrives_then() -> None:
    """docs/kernel/scheduling.md: due 30 us after its wake-up, not after its activation."""
    of = by_deadline(timed(30, is_extended=True), timed(20))
    scripts = {
        Place.TASK_LAST: [[Step(Code.ACTIVATE_TASK, 0), Step(Code.ACTIVATE_TASK, 1)]],
        Place.TASK_0: [[Step(Code.WAIT_EVENT, first=1), Step(Code.GET_TASK_ID), END]],
        Place.TASK_1: [[Step(Code.SPEND, first=15_000), Step(Code.SET_EVENT, 0, first=1), END]],
    }
    kinds = [(note.place, note.code) for note in played(of, scripts) if note.kind == Kind.STEP]
    woken = kinds.index((Place.TASK_1, Code.SET_EVENT))
    assert woken < kinds.index((Place.TASK_0, Code.GET_TASK_ID))


@pytest.mark.parametrize("is_lazy", [False, True])
def test_floors_count_from_the_lock_or_from_the_task_that_comes(is_lazy: bool) -> None:
    """docs/protocols/lazy-floor.md: the later task is due 50 us after it comes."""
    users = frozenset({0})
    of = by_deadline(timed(900, resources=users), timed(50, resources=users), timed(45))
    section = [
        Step(Code.GET_RESOURCE, 0),
        Step(Code.SPEND, first=10_000),
        *(Step(Code.ACTIVATE_TASK, number) for number in (1, 2)),
        Step(Code.RELEASE_RESOURCE, 0),
    ]
    scripts = {
        Place.TASK_LAST: [[Step(Code.ACTIVATE_TASK, 0)]],
        Place.TASK_0: [[*section, END]],
        Place.TASK_1: [[END]],
        Place.TASK_2: [[END]],
    }
    model = Model(of, fixed(scripts), is_lazy=is_lazy)
    notes = model.play()
    inside = [n for n, note in enumerate(notes) if note.code == Code.ACTIVATE_TASK]
    begun = [place.removeprefix("TASK_") for place in order(notes[: inside[1]])]
    assert begun == ["LAST", "0", *(["2"] if is_lazy else [])]
    assert order(notes)[-1] == "TASK_1"


def test_what_trusted_code_may_not_call() -> None:
    """OSEK 12.3."""
    of = system()
    notes = played(of, {Place.STARTUP: [[Step(Code.ACTIVATE_TASK, 0), Step(Code.GET_TASK_ID)]]})
    assert [n.status for n in notes if n.kind == Kind.STEP] == [Status.E_OS_CALLEVEL] * 2


@pytest.mark.parametrize(
    ("prefix", "enumeration"),
    [("PLACE_", Place), ("STEP_", Code), ("NOTE_", Kind)],
)
def test_the_numbers_are_those_of_the_images(prefix: str, enumeration: type[IntEnum]) -> None:
    """fuzz.h has the same names in the same order."""
    text = (HERE / "fuzz/fuzz.h").read_text()
    names = re.findall(rf"^\t{prefix}(\w+)", text, re.MULTILINE)
    assert names == [member.name for member in enumeration]


def test_the_status_codes_are_those_of_the_kernel() -> None:
    """os_types.h has them in this order, and os_com_types.h has the statuses of messages."""
    text = (HERE.parent / "include/os_types.h").read_text()
    assert "#define E_OK 0\n" in text
    names = ["E_OK", *re.findall(r"^\t(E_OS_\w+)(?: = 1)?,", text, re.MULTILINE)]
    of_com = (HERE.parent / "include/os_com_types.h").read_text()
    assert "\tE_COM_ID = 32,\n" in of_com
    numbers = {name: number for number, name in enumerate(names)}
    first_of_com = re.findall(r"^\t(E_COM_\w+)(?: = 32)?,", of_com, re.MULTILINE)
    numbers |= {name: number for number, name in enumerate(first_of_com, start=32)}
    assert {status.name: status.value for status in Status}.items() <= numbers.items()


def test_the_sizes_are_those_of_the_images() -> None:
    """The limits of fuzz.h, and the output of an image."""
    text = (HERE / "fuzz/fuzz.h").read_text()
    for name in ("MOST_STEPS", "MOST_NOTES", "SCRIPTS"):
        assert re.search(rf"\b{name} = {getattr(programs, name)}\b", text)
    scripts: tuple[tuple[Step, ...], ...] = ((END,) * 600, (END,) * 600)
    with pytest.raises(ValueError, match="found 1200 steps"):
        encoded(Program(1, 0, {Place.TASK_0: scripts}))
    with pytest.raises(ValueError, match="found 7 bytes"):
        decoded(b"\0" * 7)


@pytest.mark.parametrize("number", [*range(8), 32, 33, 130, 256, 300, 388, 518])
def test_a_seed_is_one_system_and_one_program(number: int) -> None:
    """Both are reproducible. In standard status no step is undefined."""
    of = draw_system(number)
    assert of == draw_system(number)
    drawn = draw_program(of, f"{number} 0")
    assert drawn == draw_program(of, f"{number} 0") != draw_program(of, f"{number} 1")
    program, model = defined(of, drawn)
    assert model.notes == Model(of, program).play()
    assert (program == drawn) or not of.is_extended


class Broken(Player):
    """An image whose Schedule answers E_OS_ID."""

    def play(self, program: Program) -> Ending:
        """Return the model's history, spoilt."""
        _, model = defined(draw_system(0), program)
        return Ending(
            model.code,
            [
                replace(note, status=Status.E_OS_ID)
                if note.kind == Kind.STEP and note.code == Code.SCHEDULE
                else note
                for note in model.notes
            ],
        )


def test_a_program_that_differs_is_made_small() -> None:
    """Of hundreds of steps a single step is left, or the two steps that are needed to reach it."""
    of, player = draw_system(0), Broken(b"", 0, "sim", Path(), by_hardware=False)
    drawn = (draw_program(of, f"0 {number}") for number in range(100))
    found = next(filter(None, (difference(of, player, each) for each in drawn)))
    small = shrunk(of, player, found)
    steps = [step.code for _, _, _, step in small.program.steps()]
    assert Code.SCHEDULE in steps
    assert len(steps) <= 2 < 100 < len(list(found.program.steps()))
    assert (small.lines()[-2].split()[-3], small.lines()[-1].split()[0]) == ("E_OS_ID", "expected")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_one_of_the_kernel_as_it_is(fault: Fault, tmp_path: Path) -> None:
    """A quick test here, because `fuzz.mutants` runs only in the rest of the tests."""
    copy = tmp_path / "kernel" / fault.file
    copy.parent.mkdir(parents=True)
    shutil.copy(HERE.parent / fault.file, copy)

    before = fault.apply(tmp_path)

    assert copy.read_bytes() != before
