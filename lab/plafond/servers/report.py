# SPDX-License-Identifier: MIT
"""The report of what was measured, and the figures to reach."""

from collections.abc import Iterable, Sequence

from plafond.bench.model import Target
from plafond.bench.targets import judge
from plafond.describe.server import Sharing
from plafond.servers.model import Conditions, SectionRow, ServersReport, SetRow
from plafond.servers.sets import UNIT_NS

MOST_OF_CPU = 0.05
NOTES = [
    "The paper's eight systems are not published. Ours are drawn by its recipe (Section IV, "
    "Figure 14): 5 servers of 8 tasks, 2 resources with 2 to 6 users, periods of 40 to 100 units "
    "for tasks and of 5 to 20 for servers, tasks that ask for 15 % in all, watched for 600 units.",
    "The paper leaves open, and ours are: the unit; budgets, of 4 to 8 % of a period; which half "
    "of a task's execution is its section; all phases, which are 0; local ceilings, which are the "
    "highest, so that X is the longest section of a server.",
    'Paper: its VxWorks, skipping and overrun with payback. It has no row for "overrun".',
    "Kernel: the same sets on Plafond's own kernel, on the simulated processor, where the kernel "
    "takes no time.",
    "Scheduler: of servers, called by an unlock, which on Linux wakes the manager. Those that time "
    "makes are among the decisions of the manager. Periods are of all five servers.",
    "A failed test is a lock for which too little of the budget was left.",
    "Calls of the kernel: futex calls and changes of priority, by the tasks. An unlock that wakes "
    "the manager is one. A failed test is at least one, and no more are counted for it here. The "
    "others are at gates: of tasks that wake up while their server has not the CPU, or in a "
    "section of another task, and of the unlock that lets such a task go on.",
    "Latest: the longest from when a decision was due until a server's events were noted.",
    "All runs are in one boot, in this order. In another order some figures are others: what the "
    "runs before have left in the kernel takes its part of the time.",
    "On Linux a section takes some microseconds more than its description says. One that should "
    "take just X exceeds it, where X is all that is left for it, and is suspended with its server.",
]


def make_report(
    sets: Sequence[SetRow], sections: Sequence[SectionRow], kernel: str
) -> ServersReport:
    """Make it."""
    return ServersReport(
        conditions=Conditions(kernel=kernel, unit_ns=UNIT_NS, notes=NOTES),
        sets=list(sets),
        sections=list(sections),
        targets=targets(sets, sections),
    )


def targets(sets: Sequence[SetRow], sections: Iterable[SectionRow]) -> list[Target]:
    """Judge a run by what the paper found, and by the limits that the project has set itself."""
    return [
        judge(
            "sets in which skipping calls the scheduler no less than overrun with payback",
            _sets_where_skipping_calls_no_less(sets),
            0,
        ),
        judge(
            "system calls of a section without contention",
            max(row.system_calls for row in sections),
            0,
        ),
        judge(
            "runs with other calls of lock and unlock than on the kernel",
            sum(row.linux.locks != row.kernel.locks for row in sets),
            0,
        ),
        judge(
            "the manager's share of the CPU, at most",
            max(row.manager.busy_ns / row.manager.run_ns for row in sets),
            MOST_OF_CPU,
        ),
    ]


def _sets_where_skipping_calls_no_less(sets: Iterable[SetRow]) -> int:
    calls = {(row.number, row.policy): row.linux.scheduler for row in sets}
    return sum(
        number_of_calls >= calls[number, Sharing.OVERRUN_PAYBACK]
        for (number, policy), number_of_calls in calls.items()
        if policy == Sharing.SKIP
    )
