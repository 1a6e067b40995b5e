# SPDX-License-Identifier: MIT
"""Programs that an image finds in its memory, and histories that it writes, as in fuzz.h."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

MOST_STEPS = 1024
MOST_NOTES = 2048
SCRIPTS = 4


class Place(IntEnum):
    """The places that execute steps."""

    TASK_0 = 0
    TASK_1 = 1
    TASK_2 = 2
    TASK_3 = 3
    TASK_4 = 4
    TASK_5 = 5
    TASK_LAST = 6
    ISR_0 = 7
    ISR_1 = 8
    CALLBACK_0 = 9
    CALLBACK_1 = 10
    STARTUP = 11
    ERROR = 12
    PRE_TASK = 13
    POST_TASK = 14


class Code(IntEnum):
    """A service, or an interrupt that trusted code raises."""

    NOTHING = 0
    ACTIVATE_TASK = 1
    TERMINATE_TASK = 2
    CHAIN_TASK = 3
    SCHEDULE = 4
    GET_TASK_ID = 5
    GET_TASK_STATE = 6
    GET_RESOURCE = 7
    RELEASE_RESOURCE = 8
    SET_EVENT = 9
    CLEAR_EVENT = 10
    GET_EVENT = 11
    WAIT_EVENT = 12
    GET_ALARM_BASE = 13
    GET_ALARM = 14
    SET_REL_ALARM = 15
    SET_ABS_ALARM = 16
    CANCEL_ALARM = 17
    INCREMENT_COUNTER = 18
    DISABLE_ALL_INTERRUPTS = 19
    ENABLE_ALL_INTERRUPTS = 20
    SUSPEND_ALL_INTERRUPTS = 21
    RESUME_ALL_INTERRUPTS = 22
    SUSPEND_OS_INTERRUPTS = 23
    RESUME_OS_INTERRUPTS = 24
    GET_ACTIVE_APPLICATION_MODE = 25
    GET_ISR_ID = 26
    RAISE = 27
    SHUTDOWN_OS = 28
    GET_COUNTER_VALUE = 29
    GET_ELAPSED_VALUE = 30
    GET_APPLICATION_ID = 31
    CHECK_OBJECT_ACCESS = 32
    CHECK_OBJECT_OWNERSHIP = 33
    GET_APPLICATION_STATE = 34
    TERMINATE_APPLICATION = 35
    ALLOW_ACCESS = 36
    SPEND = 37
    START_TABLE_REL = 38
    START_TABLE_ABS = 39
    STOP_TABLE = 40
    NEXT_TABLE = 41
    GET_TABLE_STATUS = 42
    SEND_MESSAGE = 43
    RECEIVE_MESSAGE = 44
    GET_MESSAGE_STATUS = 45


class Kind(IntEnum):
    """The kinds of notes."""

    BEGIN = 0
    STEP = 1
    RUNS = 2
    STATES = 3
    ERROR = 4
    PARAMETERS = 5
    RETURNS = 6
    SHUTDOWN = 7


class Status(IntEnum):
    """Statuses of OSEK, and of AUTOSAR and COM as far as docs/kernel/ names them."""

    E_OK = 0
    E_OS_ACCESS = 1
    E_OS_CALLEVEL = 2
    E_OS_ID = 3
    E_OS_LIMIT = 4
    E_OS_NOFUNC = 5
    E_OS_RESOURCE = 6
    E_OS_STATE = 7
    E_OS_VALUE = 8
    E_OS_MISSINGEND = 11
    E_OS_DISABLEDINT = 12
    E_OS_PARAM_POINTER = 13
    E_COM_ID = 32
    E_COM_LIMIT = 34
    E_COM_NOMSG = 35


TASK_PLACES = tuple(place for place in Place if place <= Place.TASK_LAST)
POINTERS = (
    Code.GET_TASK_ID,
    Code.GET_TASK_STATE,
    Code.GET_EVENT,
    Code.GET_ALARM,
    Code.GET_ALARM_BASE,
    Code.GET_COUNTER_VALUE,
    Code.GET_ELAPSED_VALUE,
    Code.GET_APPLICATION_STATE,
    Code.GET_TABLE_STATUS,
)


@dataclass(frozen=True)
class Step:
    """A service and its parameters."""

    code: Code
    object: int = 0
    is_null: bool = False
    first: int = 0
    second: int = 0

    def __str__(self) -> str:
        """Return the step roughly as C."""
        parts = [f"{self.object}"]
        if self.first or self.second:
            parts.append(f"{self.first:#x}")
        if self.second:
            parts.append(f"{self.second:#x}")
        if self.is_null:
            parts.append("NULL")
        return f"{self.code.name}({', '.join(parts)})"


NOTHING = Step(Code.NOTHING)
Scripts = tuple[tuple[Step, ...], ...]


@dataclass(frozen=True)
class Program:
    """Scripts for each place, whose runs use them in turn."""

    fuel: int
    mode: int
    scripts: Mapping[Place, Scripts] = field(default_factory=dict)

    def steps(self) -> Iterator[tuple[Place, int, int, Step]]:
        """All steps and their addresses."""
        for place, scripts in self.scripts.items():
            for script, steps in enumerate(scripts):
                for index, step in enumerate(steps):
                    yield place, script, index, step

    def lines(self) -> list[str]:
        """The program as lines of text."""
        found = [f"mode {self.mode}, fuel {self.fuel}"]
        for place, scripts in self.scripts.items():
            for script, steps in enumerate(scripts):
                if steps:
                    found.append(f"{place.name}, run {script}: {'; '.join(map(str, steps))}")
        return found


@dataclass(frozen=True)
class Note:
    """An event of a run."""

    kind: Kind
    place: Place
    status: int = 0
    code: int = 0
    value: int = 0
    more: int = 0

    def __str__(self) -> str:
        """The note as text."""
        code = Code(self.code).name if self.kind in (Kind.STEP, Kind.ERROR) else f"{self.code:#x}"
        known = {status.value: status.name for status in Status}
        status = known.get(self.status, str(self.status))
        return f"{self.place.name} {self.kind.name} {code} {status} {self.value:#x} {self.more:#x}"


_STEP = struct.Struct("<BBB5xQQ")
_SCRIPT = struct.Struct("<HH")
_START = struct.Struct("<II")
_NOTE = struct.Struct("<BBBxIQQ")


def encoded(program: Program) -> bytes:
    """Return struct program."""
    steps: list[bytes] = []
    table: list[bytes] = []
    for place in Place:
        scripts = program.scripts.get(place, ())
        for number in range(SCRIPTS):
            script = scripts[number] if number < len(scripts) else ()
            table.append(_SCRIPT.pack(len(steps), len(script)))
            steps += [_packed(step) for step in script]
    if len(steps) > MOST_STEPS:
        raise ValueError(f"found {len(steps)} steps; expected at most {MOST_STEPS}")
    return b"".join([_START.pack(program.fuel, program.mode), *table, *steps])


def _packed(step: Step) -> bytes:
    return _STEP.pack(step.code, step.object, step.is_null, step.first, step.second)


def decoded(written: bytes) -> list[Note]:
    """Return the notes that an image wrote. Other bytes raise ValueError."""
    if len(written) % _NOTE.size:
        raise ValueError(f"found {len(written)} bytes; expected notes of {_NOTE.size}")
    return [
        Note(Kind(kind), Place(place), status, code, value, more)
        for kind, place, status, code, value, more in _NOTE.iter_unpack(written)
    ]
