# SPDX-License-Identifier: MIT
"""Faults put into plafond.ko by hand, each in a separate build."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LAZY, POSTPONED = "lazy-ceiling", "postponed-ceiling"


@dataclass(frozen=True)
class Mutant:
    """A fault: `instead` replaces `text` in the file."""

    what: str
    file: str
    text: str
    instead: str
    is_last: bool = False  # the guest dies of it or cannot unload it, so no mutant follows
    protocol: str = LAZY  # the protocol that it breaks
    first: str = "rules"  # the check that is tried first

    def check(self, tree: Path) -> None:
        """Raise ValueError unless the text occurs exactly once in the file."""
        if (tree / self.file).read_text().count(self.text) != 1:
            raise ValueError(f"mutants.py: {self.what}: its text stands not once in {self.file}")

    def apply(self, tree: Path) -> None:
        """Put the fault into a copy of linux/module."""
        path = tree / self.file
        path.write_text(path.read_text().replace(self.text, self.instead))


MUTANTS = [
    Mutant("a raise queues at the tail of its level", "priority.c", "!first ||", "true ||"),
    Mutant(
        "a ceiling of 98 is raised at the tail",
        "priority.c",
        "priority == MAX_RT_PRIO - 1",
        "priority >= MAX_RT_PRIO - 2",
    ),
    Mutant("the nice value is lost", "priority.c", "= task_nice(current)", "= 0"),
    Mutant(
        "the time slice is lost",
        "priority.c",
        "current->se.custom_slice ? current->se.slice : 0",
        "0",
    ),
    Mutant(
        "the timer slack is lost",
        "priority.c",
        "current->timer_slack_ns = before->timer_slack_ns;",
        "",
    ),
    Mutant(
        "reset-on-fork is lost",
        "priority.c",
        "current->sched_reset_on_fork ? SCHED_FLAG_RESET_ON_FORK : 0",
        "0",
    ),
    Mutant("the registered maximum is not kept", "task.c", ", limit_of(task))", ", 98)"),
    Mutant(
        "RLIMIT_RTPRIO is not kept",
        "task.c",
        "min_t(unsigned long, task->limit, rlimit(RLIMIT_RTPRIO))",
        "task->limit",
        first="hostile",
    ),
    Mutant("raised is not published", "task.c", "\tpublish(task);\n}", "}"),
    Mutant(
        "a change from outside is overwritten",
        "task.c",
        "if (is_taken_over(task))",
        "if (0)",
    ),
    Mutant(
        "only the newest settled section counts",
        "task.c",
        "\t\tceiling = max(ceiling, (int)lock->section.ceiling);",
        "\t\treturn max(ceiling, (int)lock->section.ceiling);",
        protocol=POSTPONED,
        first="mutexes",
    ),
    Mutant(
        "SCHED_RR goes on taking turns",
        "task.c",
        "before->policy == SCHED_RR",
        "0",
    ),
    Mutant(
        "a privilege counts that is gone",
        "task.c",
        "if (is_privileged())",
        "if (1)",
        first="hostile",
    ),
    Mutant(
        "softirqs are forgotten",
        "priority.c",
        "\tcurrent->softirq_disable_cnt = 0;\n",
        "",
        is_last=True,
    ),
    Mutant("registered threads are not looked at", "hook.c", " || plf_task_has_some()", ""),
    Mutant(
        "pending sections are not looked at",
        "hook.c",
        "raw_cpu_read(immpc_pending) || ",
        "",
        is_last=True,
        protocol=POSTPONED,
        first="mutexes",
    ),
    Mutant(
        "exec keeps the registration",
        "hook.c",
        "attach(&hooks[PROCESS_EXEC])",
        "0",
        first="hostile",
    ),
    Mutant(
        "the line is first come first served",
        "immpc_mutex.c",
        "other->priority < waiter->priority",
        "0",
        protocol=POSTPONED,
        first="mutexes",
    ),
    Mutant(
        "a task in line does not have the ceiling",
        "immpc_mutex.c",
        "(int)READ_ONCE(lock->section.ceiling)",
        "0",
        protocol=POSTPONED,
        first="mutexes",
    ),
    Mutant(
        "the end keeps the registration",
        "device.c",
        "\tqueue_work(",
        "\tif (0) queue_work(",
        is_last=True,
        first="hostile",
    ),
]
