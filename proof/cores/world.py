# SPDX-License-Identifier: MIT
"""Two cores with the kernel: the calls of tasks, the interrupts, and the rules.

An interrupt of another core may be on its way for any time. It is taken at any later boundary
outside of the kernel. When the kernel asks the controller, the interrupt may have come or not. If a
core makes an interrupt pending for itself, it comes at once (kernel/port.h). An interrupt drains
the store buffer (Intel SDM, Volume 3, 12.10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from proof.boundary.image import Image
from proof.cores.abstract import Abstract, Call, Kind, Op, Ops, Promise, Status
from proof.cores.across import AcrossCores
from proof.cores.in_tasks import InTasks
from proof.engine.cores import OUTSIDE, Entry, Marked, Rules
from proof.engine.emulator import PAGE, Emulator, Stride, page_of
from proof.engine.explore import ViolationError
from proof.engine.processor import PROCESSORS

CORES = 2
TASKS = ("H0", "H1", "X0", "X1", "M0", "M1", "L0", "L1")
AUTOSTART = (TASKS.index("L0"), TASKS.index("L1"))
NONE = 1023  # the controller's answer if there is nothing to take
STACK = PAGE - 0x200
Script = tuple[Op, ...]
# The services that are user code if tasks have a half of them: functions of tasks.c.
IN_TASKS = {
    Call.ENTER: "proof_get",
    Call.LEAVE: "proof_release",
    Call.GET_GLOBAL: "proof_get_global",
    Call.RELEASE_GLOBAL: "proof_release_global",
}
OF_TASKS = (
    Call.GET_GLOBAL,
    Call.RELEASE_GLOBAL,
    Call.PREEMPT,
)  # kernel calls of these functions


class Mark(IntEnum):
    """The marks of proof_core.h, and the system call of a task's half."""

    LEAVE = 0
    NOTIFY = 1
    WAIT_A_LITTLE = 2
    STOP = 3
    HOOK = 4
    PEND = 5
    HOLD_BACK = 6
    TAKE = 7
    END_LEVEL = 8
    RETURNED = 9
    SYSTEM_CALL = 11  # MARK_LOWER of plf_call.h


@dataclass(frozen=True, slots=True)
class Scenario:
    """The calls in each activation of a task. Further activations repeat the last script.

    `from_reset`: the start is explored; otherwise it is passed in one order.
    """

    name: str
    scripts: dict[str, tuple[Script, ...]] = field(default_factory=dict)
    from_reset: bool = False


class Controller(NamedTuple):
    """The controller of a core: interrupts sent by another core, pending, active, and the mask."""

    sent: int = 0
    pending: int = 0
    active: tuple[int, ...] = ()
    mask: int = 0

    @property
    def threshold(self) -> int:
        """Only interrupts above this level are taken."""
        return max((self.mask, *self.active[-1:]))


class System(NamedTuple):
    """The system without its memory.

    `ops`: the service of the kernel that each core is in, then the user-code service of each task.
    `at`: for each task the number of activations, and its place in the script. `left`: for each
    task the actor that it resumes when it has its core again; OUTSIDE: its next call.
    """

    running: tuple[int | None, ...]
    ops: Ops
    at: tuple[tuple[int, int | None], ...]
    left: tuple[int, ...]
    controllers: tuple[Controller, ...]
    came: tuple[bool, ...]
    hooked: tuple[bool, ...]
    states: frozenset[Abstract]


class World(Rules[System]):
    """The rules of one scenario."""

    def __init__(self, machine: Emulator, image: Image, scenario: Scenario) -> None:
        """Read the configuration. Nothing has begun."""
        self._machine = machine
        self._image = image
        self._scripts = [scenario.scripts.get(name, ((),)) for name in TASKS]
        self._from_reset = scenario.from_reset
        rows = (
            [machine.constant("proof_tasks", 3 * i + j) for j in range(3)]
            for i in range(len(TASKS))
        )
        self._promise = self._promise_of(tuple(Kind(*row) for row in rows))
        self._calls = [machine.constant("proof_calls", call) for call in range(Call.START)]
        self._in_tasks = IN_TASKS if _tasks_have_a_half(image) else {}
        self._taken = image.place("proof_taken")
        self._actors: dict[tuple[int, str, tuple[int, ...]], int] = {}

    def _promise_of(self, kinds: tuple[Kind, ...]) -> Promise:
        if "proof_users" not in self._image.symbols:
            return Promise(kinds, CORES)
        users = range(1, 1 + self._machine.constant("proof_users"))
        by_bit = tuple(self._machine.constant("proof_users", user) for user in users)
        promise = InTasks if _tasks_have_a_half(self._image) else AcrossCores
        return promise(kinds, CORES, by_bit)

    def start(self) -> System:
        """All cores are about to call StartOS."""
        return System(
            (None,) * CORES,
            (None,) * (CORES + len(TASKS)),
            ((0, None),) * len(TASKS),
            (OUTSIDE,) * len(TASKS),
            (Controller(),) * CORES,
            (False,) * CORES,
            (False,) * CORES,
            frozenset([self._promise.start()]),
        )

    def has_begun(self, system: System) -> bool:
        """Whether StartOS has returned everywhere, or is explored."""
        return self._from_reset or all(system.at[task][0] > 0 for task in AUTOSTART)

    # ---- Into the kernel ------------------------------------------------------------------

    def entries(self, system: System, core: int) -> Sequence[Entry[System]]:
        """The running task's next call, and an interrupt."""
        if not system.came[core]:
            begun = system._replace(came=_with(system.came, core, True))
            return (self._entry(begun, core, Op(None, Call.START), "proof_start"),)
        if not self.has_begun(system):
            return ()
        found: list[Entry[System]] = []
        running = system.running[core]
        if running is not None:
            found.append(self._call(system, core, running))
        return (*found, *self._interrupts(system, core))

    def _interrupts(self, system: System, core: int) -> Sequence[Entry[System]]:
        controller = system.controllers[core]
        if not self._levels(controller.sent | controller.pending, controller.threshold):
            return ()
        if not self._is_by_hardware:
            system = self._set(system, core, controller._replace(sent=0))
        return (self._entry(system, core, Op(None, Call.INTERRUPT), "proof_interrupt"),)

    def is_in_task(self, system: System, core: int) -> bool:
        """Whether the core executes a task's half, and no service of the kernel."""
        return system.ops[core] is None

    def interrupts(self, system: System, core: int, actor: int) -> Sequence[Entry[System]]:
        """The interrupts, after the task's registers are saved."""
        task = system.running[core]
        assert task is not None
        return self._interrupts(system._replace(left=_with(system.left, task, actor)), core)

    @property
    def _is_by_hardware(self) -> bool:
        return "plf_interrupted" in self._image.symbols

    def _call(self, system: System, core: int, task: int) -> Entry[System]:
        number, at = system.at[task]
        assert at is not None
        script = self._scripts[task][min(number, len(self._scripts[task])) - 1]
        op = script[at] if at < len(script) else Op(None, Call.TERMINATE)
        op = op._replace(caller=task)
        system = system._replace(at=_with(system.at, task, (number, at + 1)))
        if op.call in self._in_tasks:
            return self._entry(system, core, op, self._in_tasks[op.call])
        of_task = op.call in (Call.ACTIVATE, Call.CHAIN, Call.STATE, Call.SET, Call.GET)
        arguments = (op.task if of_task else op.events, op.events, self._calls[op.call])
        return self._entry(system, core, op, "proof_call", *arguments)

    def _entry(
        self, system: System, core: int, op: Op, function: str, *arguments: int
    ) -> Entry[System]:
        actor = self._entering(core, function, *arguments)
        caller = "" if op.caller is None else f"{TASKS[op.caller]} calls "
        task = TASKS[op.task] if op.call in (Call.ACTIVATE, Call.CHAIN, Call.SET) else ""
        place = CORES + op.caller if op.caller is not None and op.call in self._in_tasks else core
        system = system._replace(ops=_with(system.ops, place, op))
        name = f"{caller}{op.call.name} {task}".rstrip()
        return Entry(core, actor, system, name, drains=op.call == Call.INTERRUPT)

    def _entering(self, core: int, function: str, *arguments: int) -> int:
        key = (core, function, arguments)
        if key not in self._actors:
            stack = page_of(core) + STACK - (8 if self._machine.cpu.link is None else 0)
            state = self._machine.entering(core, function, stack, *arguments)
            self._actors[key] = self._machine.actors.number(state)
        return self._actors[key]

    # ---- In the kernel --------------------------------------------------------------------

    def is_own_mark(self, mark: int) -> bool:
        """No other core sees the mask and the active interrupts."""
        return mark in (Mark.HOLD_BACK, Mark.END_LEVEL, Mark.WAIT_A_LITTLE)

    def drains(self, mark: int) -> bool:
        """As port.h demands."""
        return mark in (Mark.NOTIFY, Mark.PEND)

    def marked(self, system: System, core: int, mark: int, ran: Stride) -> list[Marked[System]]:
        """Do the port's action, or let the core leave the kernel or a task's half of a service."""
        controller = system.controllers[core]
        first, second = ran.arguments
        match mark:
            case Mark.LEAVE:
                running = None if first == 0 else first - 1
                return [self._resumed(self._left(system, core, running, second), core)]
            case Mark.RETURNED:
                return [Marked(self._returned(system, core, first), OUTSIDE)]
            case Mark.SYSTEM_CALL:
                return [self._called(system, core, ran)]
            case Mark.WAIT_A_LITTLE:
                return [Marked(system)]
            case Mark.HOOK:
                if not all(system.came):
                    raise ViolationError("StartupHook begins before all cores have come")
                return [Marked(system._replace(hooked=_with(system.hooked, core, True)))]
            case Mark.NOTIFY:
                return [Marked(self._send(system, core, first, 1))]
            case Mark.PEND:
                return [Marked(self._send(system, core, first, second))]
            case Mark.HOLD_BACK:
                return [Marked(self._set(system, core, controller._replace(mask=first)))]
            case Mark.TAKE:
                return self._took(system, core)
            case Mark.END_LEVEL:
                if controller.active[-1:] != (first,):
                    raise ViolationError(f"level {first} is ended, which was not taken last")
                ended = controller._replace(active=controller.active[:-1])
                return [Marked(self._set(system, core, ended))]
        raise ViolationError(f"the kernel comes to {Mark(mark).name}")

    @staticmethod
    def _set(system: System, core: int, controller: Controller) -> System:
        return system._replace(controllers=_with(system.controllers, core, controller))

    def _send(self, system: System, sender: int, core: int, level: int) -> System:
        if core >= CORES or not 0 < level < self._promise.levels:
            raise ViolationError(f"an interrupt for level {level} of core {core}")
        controller = system.controllers[core]
        if sender == core:
            after = controller._replace(pending=controller.pending | 1 << level)
        else:
            after = controller._replace(sent=controller.sent | 1 << level)
        return self._set(system, core, after)

    @staticmethod
    def _levels(bits: int, threshold: int) -> list[int]:
        """The levels above the threshold, the most urgent first."""
        return [n for n in range(bits.bit_length() - 1, threshold, -1) if bits >> n & 1]

    def _took(self, system: System, core: int) -> list[Marked[System]]:
        """Take the most urgent pending interrupt, or a more urgent one that may have come."""
        controller = system.controllers[core]
        here = self._levels(controller.pending, controller.threshold)
        found = []
        if here:
            bit = 1 << here[0]
            later = controller._replace(pending=controller.pending & ~bit)
            found.append((here[0], later))
            if controller.sent & bit:  # both became a single interrupt
                found.append((here[0], later._replace(sent=controller.sent & ~bit)))
        else:
            found.append((NONE, controller))
        threshold = here[0] if here else controller.threshold
        for level in self._levels(controller.sent, threshold):
            found.append((level, controller._replace(sent=controller.sent & ~(1 << level))))
        return [self._taking(system, core, *each) for each in found]

    def _taking(self, system: System, core: int, level: int, after: Controller) -> Marked[System]:
        if level != NONE:
            after = after._replace(active=(*after.active, level))
        patch = (self._taken + 4 * core, level.to_bytes(4, "little"))
        return Marked(self._set(system, core, after), patch=patch)

    def _called(self, system: System, core: int, ran: Stride) -> Marked[System]:
        """The task's half of a service must call the kernel."""
        number, both = ran.arguments
        task = system.running[core]
        assert task is not None
        call = next((call for call in OF_TASKS if self._calls[call] == number), None)
        if call is None:
            raise ViolationError(f"{TASKS[task]} calls service {number} of the kernel")
        actor = self._entering(core, "proof_call", both & 0xFFFFFFFF, both >> 32, number)
        system = system._replace(
            ops=_with(system.ops, core, Op(task, call)),
            left=_with(system.left, task, ran.actor),
        )
        return Marked(system, actor)

    # ---- Out of the kernel -----------------------------------------------------------------

    @staticmethod
    def _resumed(system: System, core: int) -> Marked[System]:
        """The task that has the core goes on from its last place."""
        task = system.running[core]
        if task is None:
            return Marked(system, OUTSIDE)
        return Marked(system._replace(left=_with(system.left, task, OUTSIDE)), system.left[task])

    def _returned(self, system: System, core: int, status: int) -> System:
        task = system.running[core]
        assert task is not None
        op, promise = system.ops[CORES + task], self._promise
        assert op is not None
        assert isinstance(promise, InTasks)
        states = promise.returned(system.states, system.ops, task, (status, 0))
        if not states:
            raise ViolationError(
                f"{op.call.name} of {TASKS[task]} returns {status}: so it cannot be"
            )
        return system._replace(ops=_with(system.ops, CORES + task, None), states=states)

    def _left(self, system: System, core: int, running: int | None, returned: int) -> System:
        op = system.ops[core]
        assert op is not None
        status, value = returned & 0xFF, returned >> 8
        if op.call == Call.START and not all(system.hooked):
            raise ViolationError("tasks begin before StartupHook has ended on all cores")
        if running is not None and self._promise.kinds[running].core != core:
            raise ViolationError(f"core {core} runs {TASKS[running]}")
        states = self._promise.left(system.states, system.ops, core, (status, value), running)
        if not states:
            runs = "no task" if running is None else TASKS[running]
            raise ViolationError(
                f"{op.call.name} on core {core} returns {status} with {value}, and {runs} runs:"
                " so it cannot be"
            )
        at = system.at
        has_ended = op.call == Call.TERMINATE or (op.call == Call.CHAIN and status == Status.OK)
        if has_ended and op.caller is not None:
            at = _with(at, op.caller, (at[op.caller][0], None))
        if running is not None and at[running][1] is None:
            at = _with(at, running, (at[running][0] + 1, 0))
        return system._replace(
            running=_with(system.running, core, running),
            ops=_with(system.ops, core, None),
            at=at,
            states=states,
        )

    def judge(self, system: System, is_outside: Sequence[bool]) -> System:
        """Without interrupts under way and outside of the kernel, the most urgent task must run."""
        if not all(is_outside) or not all(system.hooked):
            return system
        states = system.states
        for core, controller in enumerate(system.controllers):
            if self._levels(controller.sent | controller.pending, controller.threshold):
                continue
            right = frozenset(s for s in states if self._promise.waiting_for(s, core) is None)
            if not right:
                task = self._promise.waiting_for(next(iter(states)), core)
                assert task is not None
                raise ViolationError(f"{TASKS[task]} is ready, and nothing makes its core look")
            states = right
        return system._replace(states=states)


def machine_of(image: Image) -> Emulator:
    """A processor with this image."""
    return Emulator(PROCESSORS[image.isa], image, CORES)


def _tasks_have_a_half(image: Image) -> bool:
    return "proof_get_global" in image.symbols


def _with(parts: tuple, index: int, part: object) -> tuple:  # type: ignore[type-arg]
    return (*parts[:index], part, *parts[index + 1 :])
