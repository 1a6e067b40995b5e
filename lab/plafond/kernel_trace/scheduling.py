# SPDX-License-Identifier: MIT
"""Follow the scheduler: each thread is asleep, ready, or has a CPU.

An activation begins when a thread is woken up, and ends when the thread goes to sleep, as in OSPERT
2010, 6, Section III. A wake-up of a thread that is not asleep continues its activation. A wait for
a mutex is a sleep, so it ends an activation. This does not hold for threads of interrupts and
softirqs. Their uninterruptible waits are for locks (with PREEMPT_RT also for spinlocks), and do not
end an activation. Their interruptible waits are for the next interrupt.

An activation is not sampled if its start was not seen, or if a CPU lost events during it. The time
between two activations is not sampled if events were lost in it. Invariant: each sample lies
between two events without a loss on any CPU between them.
"""

import re
from collections.abc import Iterator, Mapping

from plafond.kernel_trace.events import Lost, States, Switch, WakeUp, text_of
from plafond.kernel_trace.history import Activation, OnCpu, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.kernel_trace.recording import ThreadLine

IDLE = 0
REAL_TIME = ("FIFO", "RR")
# the kernel's priorities of real-time threads are below this; its 0 is priority 99
REAL_TIME_PRIORITIES = 100
OF_INTERRUPT = re.compile(r"irq/(\d+)-")
OF_SOFTIRQS = ("ksoftirqd/", "ktimers/")


class State:
    """The scheduling state of a thread."""

    def __init__(self, thread: Thread) -> None:
        """Begin in a state in which the thread is not known to be awake."""
        self.thread = thread
        self.comm = b""
        self.priority: int | None = None  # as the kernel counts
        self._is_awake = False
        self._begin_ns: int | None = None  # begin of the current activation, if it is sampled
        self._last_begin_ns: int | None = None
        self._ran_ns = 0  # the time on all CPUs before it got the current CPU
        self._ran_before_ns = 0  # part of `_ran_ns` before the current activation
        self._since_ns: int | None = None  # when it got its CPU
        self._cpu = 0

    def or_known(self, priority: int) -> int:
        """Return the priority at the last wake-up, because a lock can raise it later."""
        return priority if self.priority is None else self.priority

    def ran_ns(self, time_ns: int) -> int:
        """Return the total time on a CPU until `time_ns`."""
        return self._ran_ns + (0 if self._since_ns is None else time_ns - self._since_ns)

    def wake(self, time_ns: int) -> None:
        """Handle a wake-up of the thread."""
        if self._is_awake:
            return
        self._is_awake = True
        if self._last_begin_ns is not None:
            self.thread.inter_arrivals_ns.append(time_ns - self._last_begin_ns)
        self._begin_ns = self._last_begin_ns = time_ns
        self._ran_before_ns = self._ran_ns

    def sleep(self, time_ns: int) -> None:
        """Handle that the thread, which has lost its CPU, goes to sleep."""
        self._is_awake = False
        if self._begin_ns is not None:
            execution_ns = self._ran_ns - self._ran_before_ns
            self.thread.activations.append(Activation(self._begin_ns, time_ns, execution_ns))
        self._begin_ns = None

    def get_cpu(self, time_ns: int, cpu: int) -> None:
        """Handle that the thread gets a CPU."""
        self._is_awake = True
        self._since_ns, self._cpu = time_ns, cpu

    def lose_cpu(self, time_ns: int, cpu: int) -> None:
        """Handle that the thread loses its CPU; skip the time if its start is not known."""
        if self._since_ns is not None:
            self.thread.on_cpu.append(OnCpu(self._since_ns, time_ns, cpu))
            self._ran_ns += time_ns - self._since_ns
        self._since_ns = None

    def pieces(self, begin_ns: int, end_ns: int, first: int) -> Iterator[OnCpu]:
        """Yield the intervals on a CPU from `begin_ns` until now; `first`: see `place()`."""
        for piece in self.thread.on_cpu[first:]:
            yield piece._replace(begin_ns=max(piece.begin_ns, begin_ns))
        if self._since_ns is not None:
            yield OnCpu(max(self._since_ns, begin_ns), end_ns, self._cpu)

    def place(self) -> int:
        """Return how often the thread has lost a CPU."""
        return len(self.thread.on_cpu)

    def lose_sight(self) -> None:
        """Handle a missed switch: the time at which the thread got or lost its CPU is not known."""
        self._since_ns = None
        self.forget()

    def forget(self) -> None:
        """Handle lost events: do not sample the activation; the thread is awake only if it runs."""
        self._is_awake = self._since_ns is not None
        self._begin_ns = self._last_begin_ns = None


class Scheduling:
    """All threads, according to the events so far."""

    def __init__(
        self,
        lines: Mapping[int, ThreadLine],
        tasks: Mapping[int, str],
        states: States,
        sampled_from_ns: int,
    ) -> None:
        """Take the names of threads and tasks by thread number.

        Activations that begin before `sampled_from_ns` are not sampled.
        """
        self._lines, self._tasks = lines, tasks
        self._bits = states
        self._states: dict[int, State] = {}
        self._gone: list[Thread] = []
        self._idle: dict[int, State] = {}  # by CPU, because each CPU has its own idle thread
        self._current: dict[int, State] = {}  # by CPU
        self._lost_until_ns = sampled_from_ns
        self.missing_switches = 0  # of all CPUs

    def threads(self) -> Iterator[Thread]:
        """Yield the threads that had a CPU or were woken up, except idle threads."""
        yield from self._gone
        yield from (state.thread for state in self._states.values())

    def state_of(self, tid: int, cpu: int) -> State:
        """Return the state of a thread; for the idle thread, that of the CPU."""
        if tid == IDLE:
            return self._idle.setdefault(cpu, State(Thread("idle", ThreadKind.OTHER)))
        if tid not in self._states:
            self._states[tid] = State(Thread(f"thread {tid}", ThreadKind.OTHER))
        return self._states[tid]

    def see(self, tid: int, cpu: int, time_ns: int) -> None:
        """Note that an event names the thread on the CPU, which may differ from the last switch."""
        state = self.state_of(tid, cpu)
        if self._current.get(cpu) is not state:
            self._miss_switch(cpu, state)
            state.get_cpu(time_ns, cpu)
            self._current[cpu] = state

    def wake_up(self, event: WakeUp) -> None:
        """Handle that a thread becomes ready."""
        # a new thread has the number of an ended thread
        if event.is_new and event.thread in self._states:
            self._gone.append(self._states.pop(event.thread).thread)
        state = self.state_of(event.thread, event.cpu)
        self._identify(state, event.thread, event.name, event.priority)
        state.wake(event.time_ns)
        if self.is_blind(event.time_ns):
            state.forget()

    def switch(self, event: Switch) -> None:
        """Handle a switch of a CPU from one thread to another."""
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
        """Handle that a switch to this thread was not recorded, so its time is not known."""
        last = self._current.pop(cpu, None)
        if last is not None:
            self.missing_switches += 1
            last.lose_sight()
            state.lose_sight()

    def _goes_to_sleep(self, thread: Thread, state: int) -> bool:
        """Return whether a switch ends the activation; an interrupt thread's wait does not."""
        if thread.kind in (ThreadKind.INTERRUPT, ThreadKind.SOFTIRQ):
            state &= ~self._bits.waiting
        return state & self._bits.all != 0

    def lose_events(self, event: Lost) -> None:
        """Handle lost events: the CPU's state and all wake-ups are unknown from here on."""
        if event.cpu in self._current:
            self._current.pop(event.cpu).lose_cpu(event.time_ns, event.cpu)
        for state in self._states.values():
            state.forget()
        self._lost_until_ns = max(self._lost_until_ns, event.until_ns)

    def is_blind(self, time_ns: int) -> bool:
        """Return whether a CPU lost events of that time, so that no sample may begin then."""
        return time_ns < self._lost_until_ns

    def end(self, time_ns: int) -> None:
        """End the recording: running threads had their CPU until now."""
        for cpu, state in self._current.items():
            state.lose_cpu(time_ns, cpu)

    def _identify(self, state: State, tid: int, comm: bytes, priority: int) -> None:
        """Take name and priority from an event; prefer the thread's line if the names agree."""
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
        # An inherited priority does not replace the thread's line, but a reservation does.
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
    """Return the policy for a priority of the kernel, and the priority within that policy."""
    if priority < 0:
        return ("DEADLINE", None)
    if priority < REAL_TIME_PRIORITIES:
        return ("FIFO", REAL_TIME_PRIORITIES - 1 - priority)
    return ("OTHER", None)
