# SPDX-License-Identifier: MIT
"""OSPERT 2010, 5 (Asberg, Behnam, Nolte, Bril), Table I: how often sections call the scheduler.

The paper's 8 systems are not published. Our systems are drawn by its recipe (Section IV, Figure
14). Each has 5 servers with 8 tasks, and 2 resources with 2 to 6 users. Periods are 40 to 100 for
tasks and 5 to 20 for servers. All tasks together need 15 %, and the run lasts 600. Our own choices
are:

- the unit: 100 us;
- budgets: 4 to 8 % of a period, because the tasks of a server need 3 %;
- sections: the middle half of a task's run time, because a task of the paper has at most one
  section;
- local ceilings: the highest, so that X is the longest section, like the paper's "locking time".

The systems run on the simulated processor. An unlock calls the scheduler of servers if it ends an
overrun, or lets in a server that was kept out. The paper's Figures 10 and 13 do the same.
Failed tests are counted separately, because the paper suspends the task by a call of VxWorks
(Figure 12).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.bench.kernel.model import SharingSetRow
from plafond.bench.kernel.papers import papers
from plafond.board.boards import BOARDS
from plafond.board.console import parse_console
from plafond.board.image import run_image
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.build.image import build_image
from plafond.describe import System, load
from plafond.describe.server import Sharing
from plafond.describe.system import Task
from plafond.programs import own_folder
from plafond.protocols import KernelProtocol
from plafond.trace.model import Kind, Trace
from plafond.trace.served import beyond_spans, shut_out_spans

BOARD, PROTOCOL = "sim", KernelProtocol.UPRIO_NPRIO
LONGEST_S = 60.0
UNIT_US = 100
WATCHED = 600
SERVERS, TASKS_A_SERVER = 5, 8
TASKS = SERVERS * TASKS_A_SERVER
COMPARED = (Sharing.SKIP, Sharing.OVERRUN_PAYBACK)


PAPER = papers()["asberg-1"]


# ---- Descriptions of the systems --------------------------------------------------------------


def description(seed: int, policy: Sharing) -> str:
    """Return a system in TOML; equal seeds differ only in the policy of the servers."""
    source = random.Random(seed)
    users = _users(source)
    sharing = {task % SERVERS for task in users}
    lines = [f'name = "Asberg 2010, Table I, set {seed + 1}: {policy}"']
    for server in range(SERVERS):
        period_us = source.randint(5, 20) * UNIT_US
        budget_us = period_us * source.randint(4, 8) // 100
        lines += [f"[server.s{server}]", 'kind = "idling"', f"priority = {SERVERS - server}"]
        lines += [f'period = "{period_us}us"', f'budget = "{budget_us}us"']
        lines += [f'global = "{policy}"'] if server in sharing else []
    for task in range(TASKS):
        lines += _task(source, task, users.get(task))
    lines += [f"[resource.{name}]\nceiling = {TASKS_A_SERVER}" for name in ("R1", "R2")]
    return "\n".join(lines) + "\n"


def _users(source: random.Random) -> dict[int, str]:
    """Return the resource of each task that has one; a resource has users in several servers."""
    users: dict[int, str] = {}
    for name in ("R1", "R2"):
        free = [task for task in range(TASKS) if task not in users]
        chosen = [0]
        number = source.randint(2, 6)
        while len({task % SERVERS for task in chosen}) == 1:
            chosen = source.sample(free, number)
        users |= dict.fromkeys(chosen, name)
    return users


def _task(source: random.Random, task: int, resource: str | None) -> Iterator[str]:
    period_us = source.randint(40, 100) * UNIT_US
    run_ns = period_us * 1_000 * 15 // 100 // TASKS
    before_ns, section_ns = run_ns // 4, run_ns // 2
    steps = [f"run {run_ns}ns"]
    if resource:
        after_ns = run_ns - before_ns - section_ns
        section = [f"lock {resource}", f"run {section_ns}ns", f"unlock {resource}"]
        steps = [f"run {before_ns}ns", *section, f"run {after_ns}ns"]
    yield f"[task.t{task}]"
    yield f'server = "s{task % SERVERS}"'
    yield f"priority = {task // SERVERS + 1}"
    yield f'arrival = "periodic {period_us}us"'
    yield f"activations = {WATCHED * UNIT_US // period_us}"
    yield f"body = {steps}"  # TOML writes this list like Python


# ---- Measurement -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Calls:
    """The calls that the sections of a run made."""

    locks: int  # GetResource and ReleaseResource
    scheduler: int  # calls of the scheduler of servers by an unlock
    failed_tests: int
    kernel: int  # all calls, also for a more urgent task of the same server


def calls_of(trace: Trace) -> Calls:
    """Count the calls in a trace in virtual time."""
    kinds = [event.kind for task in trace.tasks for event in task.events]
    return Calls(
        locks=kinds.count(Kind.GRANT) + kinds.count(Kind.UNLOCK),
        scheduler=len(_scheduler_calls(trace)),
        failed_tests=kinds.count(Kind.AWAIT),
        kernel=sum(task.lock_calls or 0 for task in trace.tasks),
    )


def _scheduler_calls(trace: Trace) -> set[int]:
    """Return the times at which an unlock ended an overrun, or let in a waiting server."""
    end_ns = max(task.events[-1].time_ns for task in trace.tasks if task.events)
    unlocked = {
        event.time_ns for task in trace.tasks for event in task.events if event.kind is Kind.UNLOCK
    }
    ended = {
        end
        for server in trace.servers
        for spans in (beyond_spans(server, end_ns), shut_out_spans(server, end_ns))
        for begin, end in spans
        if begin < end
    }
    return unlocked & ended


def measure_set(seed: int, policy: Sharing) -> Calls:
    """Build and run a system; return its calls."""
    return calls_of(run_set(seed, policy))


def run_set(seed: int, policy: Sharing) -> Trace:
    """Build a system unless an earlier run has built it, and return its trace."""
    folder = own_folder("kernel") / f"bench-asberg-{seed + 1}-{policy}"
    folder.mkdir(parents=True, exist_ok=True)
    return _run(set_system(seed, policy, folder), folder)


def set_system(seed: int, policy: Sharing, folder: Path) -> System:
    """Return a system, and leave its description in the folder."""
    file = folder / "system.toml"
    file.write_text(description(seed, policy), encoding="utf-8")
    return load(file)


def _run(system: System, folder: Path) -> Trace:
    recording = Recording(system, set_arrivals(system))
    image = build_image(system, BOARD, PROTOCOL, folder / "image", recording, for_tools=False)
    console = run_image(image.path, BOARDS[BOARD], LONGEST_S)
    return trace_of(parse_console(console), recording, PROTOCOL)


def set_arrivals(system: System) -> dict[str, list[int]]:
    """Return the arrivals of each task."""
    return {task.name: _arrivals(task) for task in system.tasks}


def _arrivals(task: Task) -> list[int]:
    return [number * task.least_interval_ns for number in range(task.activations or 0)]


def set_row(seed: int) -> SharingSetRow:
    """Return a row of the table."""
    calls = {policy: measure_set(seed, policy) for policy in COMPARED}
    return SharingSetRow(
        number=seed + 1,
        paper_locks={policy: paper_calls(seed, "locks", policy) or 0 for policy in COMPARED},
        paper_scheduler={
            policy: paper_calls(seed, "scheduler", policy) or 0 for policy in COMPARED
        },
        locks={policy: found.locks for policy, found in calls.items()},
        scheduler={policy: found.scheduler for policy, found in calls.items()},
        failed_tests={policy: found.failed_tests for policy, found in calls.items()},
        kernel={policy: found.kernel for policy, found in calls.items()},
    )


def paper_calls(seed: int, what: str, policy: Sharing) -> int | None:
    """Return the paper's count for a set: `locks`, or calls of the `scheduler`."""
    return PAPER.number(PAPER.rows[seed], f"{what}, {policy}")
