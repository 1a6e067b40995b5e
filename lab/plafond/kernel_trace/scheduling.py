# SPDX-License-Identifier: MIT
"""Follows the scheduler: which thread is asleep, ready, or has a CPU.

An activation begins when a thread is woken up and ends when it goes to sleep, as in OSPERT 2010, 6,
Section III. A thread that is woken up while it is not asleep goes on with the same activation. A
wait for a mutex is a sleep, too: it ends an activation. Not so in threads of interrupts and
softirqs: they wait for locks, with PREEMPT_RT for spinlocks, too, where they cannot be interrupted,
and for their next interrupt where they can.

An activation whose begin was not seen, or during which a CPU lost events, is not sampled; nor is
the time between two activations, if events were lost in it. Invariant: what is sampled lies between
two events without a loss of any CPU between them.
"""

import re
from collections.abc import Iterator, Mapping

from plafond.kernel_trace.events import Lost, States, Switch, WakeUp, text_of
from plafond.kernel_trace.history import Activation, OnCpu, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.kernel_trace.recording import ThreadLine

IDLE = 0
REAL_TIME = ("FIFO", "RR")
REAL_TIME_PRIORITIES = 100  # the kernel has them below, 99 as its 0
OF_INTERRUPT = re.compile(r"irq/(\d+)-")
OF_SOFTIRQS = ("ksoftirqd/", "ktimers/")


class State:
    """A thread, and where it is."""

    def __init__(self, thread: Thread) -> None:
        """It is not known to be awake."""
        self.thread = thread
        self.comm = b""
        self.priority: int | None = None  # the kernel's
        self._is_awake = False
        self._begin_ns: int | None = None  # of its activation, if that is sampled
        self._last_begin_ns: int | None = None
        self._ran_ns = 0  # on all CPUs before the one that it has
        self._ran_before_ns = 0  # of that, before its activation
        self._since_ns: int | None = None  # when it got its CPU
        self._cpu = 0

    def or_known(self, priority: int) -> int:
        """Return its priority as of its last wake-up: later it may have that of a lock."""
        return priority if self.priority is None else self.priority

    def ran_ns(self, time_ns: int) -> int:
        """Return how long it had a CPU until then."""
        return self._ran_ns + (0 if self._since_ns is None else time_ns - self._since_ns)

    def wake(self, time_ns: int) -> None:
        """It is woken up."""
        if self._is_awake:
            return
        self._is_awake = True
        if self._last_begin_ns is not None:
            self.thread.inter_arrivals_ns.append(time_ns - self._last_begin_ns)
        self._begin_ns = self._last_begin_ns = time_ns
        self._ran_before_ns = self._ran_ns

    def sleep(self, time_ns: int) -> None:
        """It has gone to sleep, and has lost its CPU."""
        self._is_awake = False
        if self._begin_ns is not None:
            execution_ns = self._ran_ns - self._ran_before_ns
            self.thread.activations.append(Activation(self._begin_ns, time_ns, execution_ns))
        self._begin_ns = None

    def get_cpu(self, time_ns: int, cpu: int) -> None:
        """It runs from now on."""
        self._is_awake = True
        self._since_ns, self._cpu = time_ns, cpu

    def lose_cpu(self, time_ns: int, cpu: int) -> None:
        """It ran until now, unless it is not known since when."""
        if self._since_ns is not None:
            self.thread.on_cpu.append(OnCpu(self._since_ns, time_ns, cpu))
            self._ran_ns += time_ns - self._since_ns
        self._since_ns = None

    def pieces(self, begin_ns: int, end_ns: int, first: int) -> Iterator[OnCpu]:
        """Yield when it had a CPU between two times, the second is now; `first`: see `place()`."""
        for piece in self.thread.on_cpu[first:]:
            yield piece._replace(begin_ns=max(piece.begin_ns, begin_ns))
        if self._since_ns is not None:
            yield OnCpu(max(self._since_ns, begin_ns), end_ns, self._cpu)

    def place(self) -> int:
        """Return how often it has lost its CPU."""
        return len(self.thread.on_cpu)

    def lose_sight(self) -> None:
        """It has its CPU or not, from a time on that is not known."""
        self._since_ns = None
        self.forget()

    def forget(self) -> None:
        """Events were lost: its activation is not sampled, and it may be asleep or awake."""
        self._is_awake = self._since_ns is not None
        self._begin_ns = self._last_begin_ns = None


class Scheduling:
    """All threads, as far as the events until now say."""

    def __init__(
        self,
        lines: Mapping[int, ThreadLine],
        tasks: Mapping[int, str],
        states: States,
        sampled_from_ns: int,
    ) -> None:
        """Take the threads and tasks that are known by name.

        What begins before `sampled_from_ns` is not sampled.
        """
        self._lines, self._tasks = lines, tasks
        self._bits = states
        self._states: dict[int, State] = {}
        self._gone: list[Thread] = []
        self._idle: dict[int, State] = {}  # by CPU: it has one each
        self._current: dict[int, State] = {}  # by CPU
        self._lost_until_ns = sampled_from_ns
        self.missing_switches = 0  # of all CPUs

    def threads(self) -> Iterator[Thread]:
        """Yield those that had a CPU or were woken up, apart from the ones that idle."""
        yield from self._gone
        yield from (state.thread for state in self._states.values())

    def state_of(self, tid: int, cpu: int) -> State:
        """Return the state of a thread; of the one that idles, that of the CPU."""
        if tid == IDLE:
            return self._idle.setdefault(cpu, State(Thread("idle", ThreadKind.OTHER)))
        if tid not in self._states:
            self._states[tid] = State(Thread(f"thread {tid}", ThreadKind.OTHER))
        return self._states[tid]

    def see(self, tid: int, cpu: int, time_ns: int) -> None:
        """An event says which thread has the CPU: not always the one that got it last."""
        state = self.state_of(tid, cpu)
        if self._current.get(cpu) is not state:
            self._miss_switch(cpu, state)
            state.get_cpu(time_ns, cpu)
            self._current[cpu] = state

    def wake_up(self, event: WakeUp) -> None:
        """A thread becomes ready."""
        if event.is_new and event.thread in self._states:  # the number of one that is no more
            self._gone.append(self._states.pop(event.thread).thread)
        state = self.state_of(event.thread, event.cpu)
        self._identify(state, event.thread, event.name, event.priority)
        state.wake(event.time_ns)
        if self.is_blind(event.time_ns):
            state.forget()

    def switch(self, event: Switch) -> None:
        """A CPU goes from one thread to another."""
        time_ns, cpu, tid, priority, previous_state, name = event[:6]
        state = self.state_of(tid, cpu)
        self._identify(state, tid, name, state.or_known(priority))
        if self._current.get(cpu) is not state:
            self._miss_switch(cpu, state)
        state.lose_cpu(time_ns, cpu)
        if self._goes_to_sleep(state.thread, previous_state):
            state.sleep(time_ns)
        if previous_state & self._bits.ended and tid != IDLE:
            self._gone.append(self._states.pop(tid).thread)
        state = self.state_of(event.next, cpu)
        self._identify(state, event.next, event.next_name, state.or_known(event.next_priority))
        state.get_cpu(time_ns, cpu)
        self._current[cpu] = state

    def _miss_switch(self, cpu: int, state: State) -> None:
        """A CPU has another thread than the one that got it last: when it got that is not known."""
        last = self._current.pop(cpu, None)
        if last is not None:
            self.missing_switches += 1
            last.lose_sight()
            state.lose_sight()

    def _goes_to_sleep(self, thread: Thread, state: int) -> bool:
        """Whether its activation ends: not with a wait of a thread of interrupts or softirqs."""
        if thread.kind in (ThreadKind.INTERRUPT, ThreadKind.SOFTIRQ):
            state &= ~self._bits.waiting
        return state & self._bits.all != 0

    def lose_events(self, event: Lost) -> None:
        """From here on it is not known what the CPU does, nor which threads wake up."""
        if event.cpu in self._current:
            self._current.pop(event.cpu).lose_cpu(event.time_ns, event.cpu)
        for state in self._states.values():
            state.forget()
        self._lost_until_ns = max(self._lost_until_ns, event.until_ns)

    def is_blind(self, time_ns: int) -> bool:
        """Whether some CPU has lost events of that time: what begins then is not sampled."""
        return time_ns < self._lost_until_ns

    def end(self, time_ns: int) -> None:
        """The recording ends: what runs had its CPU until now."""
        for cpu, state in self._current.items():
            state.lose_cpu(time_ns, cpu)

    def _identify(self, state: State, tid: int, comm: bytes, priority: int) -> None:
        """Take its name and priority from an event; the lists know more, if the name is theirs."""
        if tid == IDLE or (state.comm, state.priority) == (comm, priority):
            return
        state.comm, state.priority = comm, priority
        thread, name = state.thread, text_of(comm)
        line = self._lines.get(tid)
        is_listed = line is not None and line.name.startswith(name)
        thread.name = line.name if line and is_listed else name
        found = OF_INTERRUPT.match(name)
        thread.irq = int(found[1]) if found else None
        thread.policy, thread.priority = policy_of(priority)
        # A thread that inherits a priority keeps its own; in a reservation it has none.
        if line and is_listed and priority >= 0:
            thread.policy = line.policy
            thread.priority = line.priority if line.policy in REAL_TIME else None
        thread.kind = _kind_of(thread)
        if tid in self._tasks:
            thread.name, thread.kind = self._tasks[tid], ThreadKind.TASK


def _kind_of(thread: Thread) -> ThreadKind:
    if thread.irq is not None:
        return ThreadKind.INTERRUPT
    return ThreadKind.SOFTIRQ if thread.name.startswith(OF_SOFTIRQS) else ThreadKind.OTHER


def policy_of(priority: int) -> tuple[str, int | None]:
    """Return the policy that a priority of the kernel belongs to, and its own priority there."""
    if priority < 0:
        return ("DEADLINE", None)
    if priority < REAL_TIME_PRIORITIES:
        return ("FIFO", REAL_TIME_PRIORITIES - 1 - priority)
    return ("OTHER", None)
