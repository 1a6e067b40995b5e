# SPDX-License-Identifier: MIT
"""A model of OSEK OS 2.2.3, from its text, with parts of AUTOSAR and COM that docs/kernel names.

It has no common code with the kernel. Tasks are in lists, an alarm counts down, and a counter
counts up to its highest value. A priority is computed from the resources of a task whenever it is
needed. Sections in the comments are from OSEK OS 2.2.3, unless another document is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from . import mailboxes
from .applications import INVALID_APPLICATION, RESTART, RESTARTING, TERMINATED, Applications
from .calls import (
    ALLOWED,
    ISRS,
    MASK,
    OF_APPLICATIONS,
    OF_INTERRUPTS,
    WHILE_MASKED,
    WITHOUT_STATUS,
    parameters_of,
    untouched,
)
from .order import Urgency, order_of
from .program import (
    MOST_NOTES,
    NOTHING,
    POINTERS,
    SCRIPTS,
    Code,
    Kind,
    Note,
    Place,
    Program,
    Status,
    Step,
)
from .rights import ObjectKind
from .schedule_tables import Signal
from .system import LAST, RES_SCHEDULER, RESOURCES, Alarm, System
from .tables import SERVICES, Table, Tables
from .timers import Timer, Timers

RUNNING, WAITING, READY, SUSPENDED = range(4)
INVALID = 0xFF


Address = tuple[Place, int, int]  # of a step: its place, its script, and its index


class _Undefined(Exception):  # noqa: N818 (it is no error)
    """A step has an error that standard status does not find."""


class _DoneBefore(Exception):  # noqa: N818
    """The step was defined when it was executed before."""


class _Ended(Exception):  # noqa: N818
    """The system has ended."""


@dataclass
class _Masks:
    """The services by which a task, or a handler, holds interrupts back (13.3)."""

    is_disabled: bool = False
    suspended_all: int = 0
    suspended_os: int = 0

    @property
    def hold(self) -> bool:
        return self.is_disabled or self.suspended_all > 0 or self.suspended_os > 0

    @property
    def missing(self) -> Code:
        """The first missing service that would let interrupts through."""
        if self.is_disabled:
            return Code.ENABLE_ALL_INTERRUPTS
        return Code.RESUME_ALL_INTERRUPTS if self.suspended_all else Code.RESUME_OS_INTERRUPTS

    def note(self, code: Code) -> None:
        """Note a call of one of these services."""
        if code in (Code.DISABLE_ALL_INTERRUPTS, Code.ENABLE_ALL_INTERRUPTS):
            self.is_disabled = code == Code.DISABLE_ALL_INTERRUPTS
        elif code == Code.SUSPEND_ALL_INTERRUPTS:
            self.suspended_all += 1
        elif code == Code.RESUME_ALL_INTERRUPTS:
            self.suspended_all = max(0, self.suspended_all - 1)
        elif code == Code.SUSPEND_OS_INTERRUPTS:
            self.suspended_os += 1
        else:
            self.suspended_os = max(0, self.suspended_os - 1)


@dataclass(eq=False)
class _Job(Urgency):
    """A task as it is now."""

    is_waiting: bool = False
    left_ns: int = 0  # rest of the time that it spends
    events: int = 0
    awaited: int = 0
    masks: _Masks = field(default_factory=_Masks)
    # State of the activation that has begun:
    script: Sequence[Step] | None = None
    script_number: int = 0
    next_step: int = 0
    returned: Note | None = None  # its service has ended, and it has not resumed yet

    @property
    def place(self) -> Place:
        return Place(self.number)


@dataclass(eq=False, kw_only=True)
class _Alarm(Timer):
    """An alarm as it is now."""

    number: int
    alarm: Alarm
    cycle: int = 0


class Model:
    """The system while it plays a program."""

    def __init__(
        self,
        system: System,
        program: Program,
        *,
        by_hardware: bool = False,
        is_lazy: bool = False,
    ) -> None:
        """Nothing has begun. `by_hardware`: the scheduler is the interrupt controller.

        `is_lazy`: the floors of EDF are those of lazy-floor.
        """
        self.system, self.program, self.by_hardware = system, program, by_hardware
        self.jobs = [_Job(number, task) for number, task in enumerate(system.tasks)]
        self.timers = Timers()
        self.alarms = [
            _Alarm(counter=alarm.counter, number=number, alarm=alarm)
            for number, alarm in enumerate(system.alarms)
        ]
        self.timers.timers += self.alarms
        self.tables = Tables(system.tables, system.counters, self.timers, self.value)
        self.mailboxes = mailboxes.Mailboxes(system.receivers)
        self.applications = Applications(system.rights) if system.rights else None
        self.handler = _Masks()
        self.counters = [0 for _ in system.counters]
        self.order = order_of(system, is_lazy=is_lazy)
        self.now = 0  # in nanoseconds; only tasks take time
        self.arrived = 0  # arrival time of activations
        self.ticked = 0  # ticks of the counter of time that were handled
        self.running: _Job | None = None
        self.places: list[Place] = []  # nested places of trusted code; empty: a task runs
        self.raised: set[int] = set()
        self.runs = dict.fromkeys(Place, 0)
        self.burnt = 0
        self.notes: list[Note] = []
        self.code = -1  # how the system ended
        self.done: set[Address] = set()  # steps that were executed
        self.undefined: set[Address] = set()  # steps that were left out

    # ---- The run

    def play(self) -> list[Note]:
        """Return all notes."""
        try:
            self.start()
            while True:
                self.go_on()
        except _Ended:
            return self.notes

    def go_on(self) -> None:
        """Do the next action after the kernel is left."""
        job = self.running
        assert job is not None  # the last task is always ready
        if not job.masks.hold and self.ticked < self.ticks():
            self.time_interrupt()
        elif self.raised and not job.masks.hold:
            self.interrupt()
        elif job.left_ns:
            self.spend(job)
        elif job.returned is not None:
            self.note(job.returned)
            job.returned = None
        elif job.script is None:
            self.note(Note(Kind.BEGIN, job.place))
            job.script_number, job.script = self.next_script(job.place)
            job.next_step = 0
        elif job.next_step == len(job.script):
            self.return_from(job)
        else:
            if not self.burns():
                self.shut_down(Status.E_OK)
            step = job.script[job.next_step]
            at = (job.place, job.script_number, job.next_step)
            job.next_step += 1
            if step.code == Code.SPEND:
                job.left_ns = step.first
            else:
                self.execute(at, step, partial(self.call_of_task, job, step))

    # ---- Time: docs/kernel/scheduling.md

    def ticks(self) -> int:
        """The number of ticks of the counter of time."""
        tick_ns = self.system.counters[1].tick_ns
        return self.now // tick_ns if tick_ns else 0

    def spend(self, job: _Job) -> None:
        """Spend time up to the next tick, because an alarm may be due then."""
        tick_ns = self.system.counters[1].tick_ns
        until_tick = (self.ticks() + 1) * tick_ns - self.now
        spent = min(job.left_ns, until_tick) if tick_ns else job.left_ns
        self.now += spent
        self.arrived = self.now
        job.left_ns -= spent

    def time_interrupt(self) -> None:
        """Tasks of alarms arrive when these were due, and floors count from the first due time."""
        first, until = self.now, self.ticks()
        while self.ticked < until:
            self.ticked += 1
            self.arrived = self.ticked * self.system.counters[1].tick_ns
            if self.tick(1):
                first = min(first, self.arrived)
        self.arrived = self.now
        self.preempt(first)

    def value(self, number: int) -> int:
        """The value of a counter."""
        counter = self.system.counters[number]
        return self.ticks() % (counter.highest + 1) if counter.tick_ns else self.counters[number]

    def note(self, note: Note) -> None:
        """Keep the note, as long as an image has room for it."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append(note)

    def next_script(self, place: Place) -> tuple[int, Sequence[Step]]:
        """Return the next script of a place, whose runs use its scripts in turn."""
        number = self.runs[place] % SCRIPTS
        self.runs[place] += 1
        scripts = self.program.scripts.get(place, ())
        return number, scripts[number] if number < len(scripts) else ()

    def burns(self) -> bool:
        """Whether there is fuel for another step."""
        if self.burnt == self.program.fuel:
            return False
        self.burnt += 1
        return True

    def trusted(self, place: Place) -> None:
        """A hook, a handler or a callback plays its script."""
        self.places.append(place)
        number, script = self.next_script(place)
        for index, step in enumerate(script):
            if not self.burns():
                break
            self.execute((place, number, index), step, partial(self.call_of_trusted, place, step))
        self.places.pop()

    def execute(self, at: Address, step: Step, call: Callable[[], None]) -> None:
        """Execute a step. An undefined step is left out, and has no effect before."""
        if step.code == Code.NOTHING or at in self.undefined:
            return
        try:
            call()
        except _Undefined:
            self.undefined.add(at)
            if at in self.done:
                raise _DoneBefore from None
        self.done.add(at)

    # ---- Start and end: 5 and 13.7

    def start(self) -> None:
        """StartOS: the hook, then the tasks, then the alarms, then the tables."""
        self.note(Note(Kind.BEGIN, Place.STARTUP))
        self.trusted(Place.STARTUP)
        for job in self.jobs:
            if self.program.mode in job.task.modes:
                self.activate(job)
        for timer in self.alarms:
            if self.program.mode in timer.alarm.modes:
                self.set_timer(timer, timer.alarm.first, timer.alarm.cycle)
        self.tables.start_all(self.program.mode)
        self.dispatch()

    def shut_down(self, status: int) -> None:
        """ShutdownHook is the last action."""
        self.note(Note(Kind.SHUTDOWN, Place.STARTUP, status, value=self.burnt))
        self.code = status
        raise _Ended

    # ---- Hooks: 11

    def states(self) -> int:
        """The states, two bits for each task."""
        return sum(self.state(job) << 2 * job.number for job in self.jobs)

    def task_hook(self, place: Place, name: str) -> None:
        """PreTaskHook or PostTaskHook. The task that it is called for is running."""
        if name not in self.system.hooks:
            return
        assert self.running is not None
        self.note(Note(Kind.RUNS, place, value=self.running.number))
        self.note(Note(Kind.STATES, place, value=self.states()))
        self.trusted(place)

    def error(self, status: Status, code: Code, parameters: tuple[int, int, int]) -> None:
        """ErrorHook, unless the error is its own (11.2), or belongs to messages."""
        if "error" not in self.system.hooks or Place.ERROR in self.places:
            return
        if code in mailboxes.SERVICES:
            return
        self.note(Note(Kind.ERROR, Place.ERROR, status, code))
        if self.system.has_parameters and status != Status.E_OS_MISSINGEND:
            first, second, third = parameters
            self.note(Note(Kind.PARAMETERS, Place.ERROR, 0, third, first, second))
        self.note(Note(Kind.STATES, Place.ERROR, value=self.states()))
        self.trusted(Place.ERROR)

    # ---- Interrupts: 6

    def interrupt(self) -> None:
        """A handler. Tasks that it made ready may preempt when it has ended."""
        self.handle()
        self.preempt()

    def handle(self) -> None:
        """The handler of the lowest source that is pending."""
        number = min(self.raised)
        self.raised.remove(number)
        place = (Place.ISR_0, Place.ISR_1)[number]
        self.note(Note(Kind.BEGIN, place))
        self.handler = _Masks()
        self.trusted(place)
        self.places.append(place)
        if self.handler.hold:  # AUTOSAR, SWS_Os_00368
            self.error(Status.E_OS_DISABLEDINT, self.handler.missing, (0, 0, 0))
        self.places.pop()

    # ---- Scheduling: 4

    def state(self, job: _Job) -> int:
        """The state, as GetTaskState returns it."""
        if job is self.running:
            return RUNNING
        if job.is_waiting:
            return WAITING
        return READY if job.activations else SUSPENDED

    def append(self, job: _Job) -> None:
        """Make a new or released task ready."""
        self.order.append(job, self.arrived)

    def dispatch(self) -> None:
        """The most urgent task begins to run."""
        self.interrupts_first()
        self.begin_next()

    def begin_next(self) -> None:
        """As dispatch(), if no interrupt comes first."""
        job = self.order.take()
        self.running = self.jobs[job.number]
        self.task_hook(Place.PRE_TASK, "pretask")

    def interrupts_first(self) -> None:
        """Serve interrupts first. As interrupts (docs/protocols/hardware.md) tasks are the last."""
        while self.by_hardware and self.raised:
            self.handle()

    def leave(self) -> _Job:
        """The running task stops running."""
        job = self.running
        assert job is not None
        self.task_hook(Place.POST_TASK, "posttask")
        self.running = None
        return job

    def preempt(self, since: int | None = None) -> None:
        """Preempt if a more urgent task is ready. Floors count from `since`; None: from now."""
        assert self.running is not None
        if not self.running.masks.hold:
            self.interrupts_first()
        if self.order.is_behind(self.running, self.now if since is None else since):
            self.order.put_back(self.leave())
            self.begin_next()

    def activate(self, job: _Job) -> Status:
        """4.3, 13.2.3.1."""
        if job.activations == job.task.queue:
            return Status.E_OS_LIMIT
        self.begin_activation(job)
        self.append(job)
        return Status.E_OK

    @staticmethod
    def begin_activation(job: _Job) -> None:
        """The new activation begins without events."""
        job.activations += 1
        job.events = 0

    def end_activation(self) -> _Job:
        """The task gives back all that it has, and lets interrupts come (SWS_Os_00239, 00070)."""
        job = self.leave()
        job.held.clear()
        job.has_internal = False
        job.masks = _Masks()
        job.events = 0
        job.script, job.returned, job.left_ns = None, None, 0
        job.activations -= 1
        return job

    def return_from(self, job: _Job) -> None:
        """A missing end (AUTOSAR, SWS_Os_00052)."""
        self.note(Note(Kind.RETURNS, job.place))
        if job.number == LAST:
            self.shut_down(Status.E_OK)
        self.error(Status.E_OS_MISSINGEND, Code.TERMINATE_TASK, (0, 0, 0))
        self.end_activation()
        self.dispatch()

    # ---- Calls

    def call_of_task(self, job: _Job, step: Step) -> None:
        """A call of a task, which gets the answer when it runs next."""
        status, value, more = self.checked(job, step)
        if status != Status.E_OK:
            self.error(status, step.code, parameters_of(step))
        if job.script is not None:  # its activation has not ended
            shown = Status.E_OK if step.code in WITHOUT_STATUS else status
            job.returned = Note(Kind.STEP, job.place, shown, step.code, value, more)

    def checked(self, job: _Job, step: Step) -> tuple[Status, int, int]:
        """Call with the errors common to all services: SWS_Os_00093, SWS_Os_00566."""
        nothing = untouched(step)
        if job.masks.hold and step.code not in WHILE_MASKED:
            return self.extended(Status.E_OS_DISABLEDINT), *nothing
        if step.is_null and step.code in POINTERS:
            return self.extended(Status.E_OS_PARAM_POINTER), *nothing
        if self.is_refused(step):
            return Status.E_OS_ACCESS, *nothing
        return self.service(job, step)

    def call_of_trusted(self, place: Place, step: Step) -> None:
        """12.3: E_OS_CALLEVEL if the standard does not allow the call."""
        if step.code == Code.RAISE:
            self.raised.add(step.object)
            return
        answer: tuple[Status, int, int] = (Status.E_OS_CALLEVEL, *untouched(step))
        if step.code == Code.GET_ISR_ID:
            answer = (Status.E_OK, self.isr_id(), 0)
        elif place in ISRS and self.handler.hold and step.code not in WHILE_MASKED:
            answer = (self.extended(Status.E_OS_DISABLEDINT), *untouched(step))
        elif place in ISRS & ALLOWED.get(step.code, frozenset()) and self.is_refused(step):
            answer = (Status.E_OS_ACCESS, *untouched(step))
        elif place in ALLOWED.get(step.code, frozenset()):
            answer = self.service(None, step)
        status, value, more = answer
        if status != Status.E_OK:
            self.error(status, step.code, parameters_of(step))
        shown = Status.E_OK if step.code in WITHOUT_STATUS else status
        self.note(Note(Kind.STEP, place, shown, step.code, value, more))

    def is_refused(self, step: Step) -> bool:
        """Whether the step is refused to the caller's application."""
        return self.applications is not None and self.applications.refuses(step, self.caller())

    def caller(self) -> int:
        """The application of the running handler or task, or of the one that a hook interrupted."""
        assert self.system.rights is not None
        handler, running = self.isr_id(), self.running
        if handler != INVALID:
            return self.system.rights.application(ObjectKind.ISR, handler)
        if running is not None:
            return self.system.rights.application(ObjectKind.TASK, running.number)
        return INVALID_APPLICATION

    def isr_id(self) -> int:
        """The handler that runs, or that a hook interrupted (AUTOSAR)."""
        handlers = [place for place in self.places if place in ISRS]
        return handlers[-1] - Place.ISR_0 if handlers else INVALID

    def extended(self, status: Status) -> Status:
        """Return an error of extended status. Standard status leaves the step undefined."""
        if not self.system.is_extended:
            raise _Undefined
        return status

    def service(self, job: _Job | None, step: Step) -> tuple[Status, int, int]:
        """The status and the stored values. `job` is the task that calls; None: trusted code."""
        if step.code in POINTERS:
            return self.ask(step)
        if step.code == Code.RECEIVE_MESSAGE:
            status, value = self.mailboxes.receive(step)
            return (status, *untouched(step)) if value is None else (status, value, 0)
        if step.code in OF_APPLICATIONS:
            return Status.E_OK, self.ask_application(step), 0
        if step.code in OF_INTERRUPTS:
            self.mask(job, step.code)
        elif step.code == Code.GET_ACTIVE_APPLICATION_MODE:
            return Status.E_OK, self.program.mode, 0
        elif step.code == Code.GET_ISR_ID:
            return Status.E_OK, INVALID, 0
        elif step.code == Code.SHUTDOWN_OS:
            self.shut_down(step.first & 0xFF)
        else:
            return self.do(job, step), 0, 0
        return Status.E_OK, 0, 0

    def do(self, job: _Job | None, step: Step) -> Status:
        """A service that stores no value. If a task called, a task may preempt it afterwards."""
        of_any: dict[Code, Callable[[Step], Status]] = {
            Code.ACTIVATE_TASK: self.activate_task,
            Code.SET_EVENT: self.set_event,
            Code.SET_REL_ALARM: self.set_alarm,
            Code.SET_ABS_ALARM: self.set_alarm,
            Code.CANCEL_ALARM: self.cancel_alarm,
            Code.INCREMENT_COUNTER: self.increment_counter,
            Code.ALLOW_ACCESS: self.allow_access,
            **dict.fromkeys(SERVICES, self.tables.service),
            Code.SEND_MESSAGE: self.send_message,
            Code.GET_MESSAGE_STATUS: self.mailboxes.status,
        }
        of_tasks: dict[Code, Callable[[_Job, Step], Status]] = {
            Code.TERMINATE_TASK: self.terminate_task,
            Code.CHAIN_TASK: self.chain_task,
            Code.SCHEDULE: self.schedule,
            Code.GET_RESOURCE: self.get_resource,
            Code.RELEASE_RESOURCE: self.release_resource,
            Code.CLEAR_EVENT: self.clear_event,
            Code.WAIT_EVENT: self.wait_event,
        }
        if step.code == Code.TERMINATE_APPLICATION:
            return self.terminate_application(job, step)
        if step.code in of_any:
            status = of_any[step.code](step)
            if job is not None:
                self.preempt_unless(status)
            return status
        assert job is not None
        return of_tasks[step.code](job, step)

    def preempt_unless(self, status: Status) -> None:
        """13.2: another task may preempt the caller before its service returns."""
        if status == Status.E_OK:
            self.preempt()

    # ---- Tasks: 13.2

    def activate_task(self, step: Step) -> Status:
        """13.2.3.1."""
        if step.object >= len(self.jobs):
            return Status.E_OS_ID
        return self.activate(self.jobs[step.object])

    def terminate_task(self, job: _Job, step: Step) -> Status:
        """13.2.3.2."""
        if job.held:
            return self.extended(Status.E_OS_RESOURCE)
        self.end_activation()
        self.dispatch()
        return Status.E_OK

    def chain_task(self, job: _Job, step: Step) -> Status:
        """13.2.3.3: a chain to itself ends the task first, so that it reaches no limit.

        The other task has its activation from the call on (docs/kernel/services.md). PostTaskHook
        already finds it. It becomes ready when the caller has ended.
        """
        if step.object >= len(self.jobs):
            return Status.E_OS_ID
        if job.held:
            return self.extended(Status.E_OS_RESOURCE)
        other = self.jobs[step.object]
        if other is not job and other.activations == other.task.queue:
            return Status.E_OS_LIMIT
        if other is not job:
            self.begin_activation(other)
        self.end_activation()
        if other is job:
            self.begin_activation(other)
        self.append(other)
        self.dispatch()
        return Status.E_OK

    def schedule(self, job: _Job, step: Step) -> Status:
        """13.2.3.4: the internal resource is released only for a more urgent task."""
        if job.held:
            return self.extended(Status.E_OS_RESOURCE)
        if self.order.is_behind_outside(job):
            self.leave()
            job.has_internal = False
            self.order.put_back(job)
            self.begin_next()
        return Status.E_OK

    # ---- Applications: AUTOSAR OS 4.x, 8.4

    def ask_application(self, step: Step) -> int:
        """A service without a status."""
        if self.applications is None or step.code == Code.GET_APPLICATION_ID:
            return self.caller()
        kind, number = step.first & 0xFF, step.second & MASK
        if step.code == Code.CHECK_OBJECT_ACCESS:
            return self.applications.access(step.object, kind, number)
        return self.applications.ownership(kind, number)

    def allow_access(self, step: Step) -> Status:
        """8.4: AllowAccess for the caller's application."""
        assert self.applications is not None
        return self.applications.allow(self.caller())

    def terminate_application(self, job: _Job | None, step: Step) -> Status:
        """8.4, SWS_Os_00287. It does not return to a task of that application.

        Calls of handlers are left out, and so is the end of the last task, which ends the system.
        """
        assert self.applications is not None
        status = self.applications.refusal(self.caller(), step.object, step.first & 0xFF)
        if status != Status.E_OK:
            return status
        of_last = self.applications.rights.application(ObjectKind.TASK, LAST)
        if job is None or step.object == of_last:
            raise _Undefined
        self.end_application(self.applications, step.object, step.first & 0xFF)
        if self.running is None:
            self.dispatch()
        else:
            self.preempt()
        return Status.E_OK

    def end_application(self, applications: Applications, number: int, option: int) -> None:
        """End the application. PostTaskHook of the running task finds the state before the end."""
        rights = applications.rights
        jobs = [self.jobs[each] for each in rights.numbers(ObjectKind.TASK, number)]
        if self.running in jobs:
            self.end_activation()
        for each in rights.numbers(ObjectKind.ALARM, number):
            self.alarms[each].is_set = False
        for each in rights.numbers(ObjectKind.SCHEDULETABLE, number):
            self.tables.stop(self.tables.tables[each])
        for job in jobs:
            self.order.remove(job)
            self.jobs[job.number] = _Job(job.number, job.task)
        applications.states[number] = RESTARTING if option == RESTART else TERMINATED
        restart = rights.applications[number].restart
        if option == RESTART and restart is not None:
            self.activate(self.jobs[restart])

    # ---- Interrupt services: 13.3

    def mask(self, job: _Job | None, code: Code) -> None:
        """Hold interrupts back. Hooks and callbacks run with interrupts held back in any case."""
        if job is not None:
            job.masks.note(code)
        elif self.places[-1] in ISRS:
            self.handler.note(code)

    # ---- Resources: 13.4

    def get_resource(self, job: _Job, step: Step) -> Status:
        """13.4.3.1."""
        if step.object >= len(RESOURCES):
            return self.extended(Status.E_OS_ID)
        is_user = step.object in job.task.resources or step.object == RES_SCHEDULER
        if not is_user or step.object in job.held:
            return self.extended(Status.E_OS_ACCESS)
        self.order.enters(job, step.object, self.now)
        return Status.E_OK

    def release_resource(self, job: _Job, step: Step) -> Status:
        """13.4.3.2."""
        if step.object >= len(RESOURCES):
            return self.extended(Status.E_OS_ID)
        if job.held[-1:] != [step.object]:
            return self.extended(Status.E_OS_NOFUNC)
        job.held.pop()
        self.preempt()
        return Status.E_OK

    # ---- Events: 13.5

    def set_event(self, step: Step) -> Status:
        """13.5.3.1."""
        if step.object >= len(self.jobs):
            return Status.E_OS_ID
        return self.set_events(self.jobs[step.object], step.first)

    def set_events(self, job: _Job, events: int) -> Status:
        """Set events of a task. A suspended task has none."""
        if not job.task.is_extended:
            return Status.E_OS_ACCESS
        if not job.activations:
            return Status.E_OS_STATE if self.system.is_extended else Status.E_OK
        job.events |= events
        if job.is_waiting and job.events & job.awaited:
            job.is_waiting = False
            self.append(job)
        return Status.E_OK

    def clear_event(self, job: _Job, step: Step) -> Status:
        """13.5.3.2."""
        if not job.task.is_extended:
            return Status.E_OS_ACCESS
        job.events &= ~step.first
        return Status.E_OK

    def wait_event(self, job: _Job, step: Step) -> Status:
        """13.5.3.4."""
        if not job.task.is_extended:
            return Status.E_OS_ACCESS
        if job.held:
            return self.extended(Status.E_OS_RESOURCE)
        if not job.events & step.first:
            self.leave()
            job.is_waiting, job.awaited = True, step.first
            job.has_internal = False
            self.dispatch()
        return Status.E_OK

    # ---- Alarms and counters: 9, 13.6

    def set_timer(self, timer: _Alarm, left: int, cycle: int) -> None:
        """Set the alarm. It expires after alarms of the same tick that were set before."""
        timer.cycle = cycle
        self.timers.set(timer, left)

    def set_alarm(self, step: Step) -> Status:
        """13.6.3.3, 13.6.3.4; an increment of 0 is refused (AUTOSAR, SWS_Os_00304)."""
        if step.object >= len(self.alarms):
            return Status.E_OS_ID
        timer = self.alarms[step.object]
        counter = self.system.counters[timer.alarm.counter]
        start, cycle = step.first & 0xFFFFFFFF, step.second & 0xFFFFFFFF
        is_relative = step.code == Code.SET_REL_ALARM
        if start > counter.highest or (is_relative and start == 0):
            return Status.E_OS_VALUE
        if cycle and not counter.min_cycle <= cycle <= counter.highest:
            return Status.E_OS_VALUE
        if timer.is_set:
            return Status.E_OS_STATE
        if not is_relative:  # the counter reaches its present value again when it has wrapped
            now = self.value(timer.alarm.counter)
            start = start - now if start > now else start - now + counter.highest + 1
        self.set_timer(timer, start, cycle)
        return Status.E_OK

    def cancel_alarm(self, step: Step) -> Status:
        """13.6.3.5."""
        if step.object >= len(self.alarms):
            return Status.E_OS_ID
        if not self.alarms[step.object].is_set:
            return Status.E_OS_NOFUNC
        self.alarms[step.object].is_set = False
        return Status.E_OK

    def increment_counter(self, step: Step) -> Status:
        """AUTOSAR, SWS_Os_00399."""
        if step.object >= len(self.counters) or self.system.counters[step.object].tick_ns:
            return Status.E_OS_ID
        self.tick(step.object)
        return Status.E_OK

    def tick(self, number: int) -> bool:
        """Count a tick, and let due alarms and tables expire. Returns whether there were any."""
        highest = self.system.counters[number].highest
        self.counters[number] = 0 if self.counters[number] == highest else self.counters[number] + 1
        has_one = False
        for timer in self.timers.counted(number):
            has_one = True
            if isinstance(timer, Table):
                for signal in self.tables.expire(timer):
                    self.signal((ObjectKind.SCHEDULETABLE, timer.number), signal)
            elif isinstance(timer, _Alarm):
                if timer.cycle:
                    self.set_timer(timer, timer.cycle, timer.cycle)
                self.expire(timer.number, timer.alarm)
        return has_one

    def expire(self, number: int, alarm: Alarm) -> None:
        """9.2."""
        if alarm.action == "call":
            place = (Place.CALLBACK_0, Place.CALLBACK_1)[alarm.object]
            self.note(Note(Kind.BEGIN, place))
            self.trusted(place)
        elif alarm.action == "increment":
            self.tick(alarm.object)
        else:
            event = alarm.event if alarm.action == "set" else None
            self.signal((ObjectKind.ALARM, number), Signal(alarm.object, event))

    def signal(self, by: tuple[ObjectKind, int] | None, signal: Signal) -> None:
        """The action of an alarm, a table or a message. Only ErrorHook gets its error."""
        job = self.jobs[signal.task]
        events = 0 if signal.event is None else 1 << signal.event
        if self.is_closed_to(by, signal.task):
            status = Status.E_OS_ACCESS
        else:
            status = self.set_events(job, events) if events else self.activate(job)
        if status != Status.E_OK:
            code = Code.SET_EVENT if events else Code.ACTIVATE_TASK
            self.error(status, code, (signal.task, events, 0))

    def is_closed_to(self, by: tuple[ObjectKind, int] | None, task: int) -> bool:
        """Whether a task's application is closed to the caller (docs/kernel/applications.md)."""
        if self.applications is None or by is None:
            return False
        of = self.applications.rights.application
        return not self.applications.is_open(of(ObjectKind.TASK, task), of(*by))

    # ---- Messages: OSEK COM 3.0.3

    def send_message(self, step: Step) -> Status:
        """Send a message. Only ErrorHook gets an error of a notification, as with an alarm."""
        status = self.mailboxes.refusal(step)
        if status == Status.E_OK:
            for signal in self.mailboxes.delivered(step):
                self.signal(None, signal)
        return status

    # ---- Services that answer: 13.2.3.5, 13.2.3.6, 13.5.3.3, 13.6.3.1, 13.6.3.2

    def ask(self, step: Step) -> tuple[Status, int, int]:
        """The status and the stored values. After an error no value is stored."""
        nothing = untouched(step)
        if step.code == Code.GET_TASK_ID:
            return Status.E_OK, INVALID if self.running is None else self.running.number, 0
        if step.code in (Code.GET_ALARM, Code.GET_ALARM_BASE):
            return self.ask_alarm(step, nothing)
        if step.code in (Code.GET_COUNTER_VALUE, Code.GET_ELAPSED_VALUE):
            return self.ask_counter(step, nothing)
        if step.code == Code.GET_APPLICATION_STATE:
            return self.ask_state(step, nothing)
        if step.code == Code.GET_TABLE_STATUS:
            return self.ask_table(step, nothing)
        if step.object >= len(self.jobs):
            return Status.E_OS_ID, *nothing
        job = self.jobs[step.object]
        if step.code == Code.GET_TASK_STATE:
            return Status.E_OK, self.state(job), 0
        if not job.task.is_extended:
            return Status.E_OS_ACCESS, *nothing
        if not job.activations and self.system.is_extended:
            return Status.E_OS_STATE, *nothing
        return Status.E_OK, job.events, 0

    def ask_alarm(self, step: Step, nothing: tuple[int, int]) -> tuple[Status, int, int]:
        """13.6.3.1, 13.6.3.2."""
        if step.object >= len(self.alarms):
            return Status.E_OS_ID, *nothing
        timer = self.alarms[step.object]
        if step.code == Code.GET_ALARM:
            if not timer.is_set:
                return Status.E_OS_NOFUNC, *nothing
            passed = self.ticks() - self.ticked if timer.alarm.counter == 1 else 0
            return Status.E_OK, max(0, timer.left - passed), 0
        counter = self.system.counters[timer.alarm.counter]
        return Status.E_OK, counter.highest << 32 | counter.ticks_per_base, counter.min_cycle

    def ask_counter(self, step: Step, nothing: tuple[int, int]) -> tuple[Status, int, int]:
        """AUTOSAR: GetCounterValue, and GetElapsedValue since an earlier value."""
        if step.object >= len(self.counters):
            return Status.E_OS_ID, *nothing
        now, highest = self.value(step.object), self.system.counters[step.object].highest
        if step.code == Code.GET_COUNTER_VALUE:
            return Status.E_OK, now, 0
        before = step.first & 0xFFFFFFFF
        if before > highest:
            return Status.E_OS_VALUE, *nothing
        return Status.E_OK, (now - before) % (highest + 1), now

    def ask_table(self, step: Step, nothing: tuple[int, int]) -> tuple[Status, int, int]:
        """AUTOSAR: GetScheduleTableStatus."""
        if step.object >= len(self.tables.tables):
            return Status.E_OS_ID, *nothing
        return Status.E_OK, self.tables.status(self.tables.tables[step.object]), 0

    def ask_state(self, step: Step, nothing: tuple[int, int]) -> tuple[Status, int, int]:
        """AUTOSAR: GetApplicationState."""
        assert self.applications is not None
        if step.object >= len(self.applications.states):
            return Status.E_OS_ID, *nothing
        return Status.E_OK, self.applications.states[step.object], 0


def defined(
    system: System, program: Program, *, by_hardware: bool = False, is_lazy: bool = False
) -> tuple[Program, Model]:
    """Return the program without steps that standard status leaves undefined, and its model."""
    while True:
        model = Model(system, program, by_hardware=by_hardware, is_lazy=is_lazy)
        try:
            model.play()
        except _DoneBefore:
            program = _without(program, model.undefined)
        else:
            return _without(program, model.undefined), model


def _without(program: Program, left_out: set[Address]) -> Program:
    """Return the program without these steps."""
    scripts = {
        place: tuple(
            tuple(
                NOTHING if (place, number, index) in left_out else step
                for index, step in enumerate(script)
            )
            for number, script in enumerate(scripts)
        )
        for place, scripts in program.scripts.items()
    }
    return replace(program, scripts=scripts) if left_out else program
