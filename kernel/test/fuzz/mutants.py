# SPDX-License-Identifier: MIT
"""Put faults into a copy of the kernel: the default programs must find each of them.

Usage: python -m fuzz.mutants [NAME]... tries the faults whose name has one of these words.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from plafond.errors import PlafondError

from .__main__ import FIRST, REST, Row
from .compare import first_difference
from .play import build_player
from .system import draw_system

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("protocol", "kernel", "lab/plafond")
QUICKLY = "-O0"  # compilation takes most of the time
IN_TREE = "--in"  # this process runs in the copy


@dataclass(frozen=True)
class Fault:
    """`old` in a file of the kernel becomes `new`. The programs of a row must find that."""

    name: str
    file: str
    old: str
    new: str
    row: int = 0

    def apply(self, tree: Path) -> bytes:
        """Apply the fault, and return the previous file. `old` must occur exactly once."""
        file = tree / "kernel" / self.file
        before = file.read_text()
        if before.count(self.old) != 1:
            raise ValueError(f"{self.name}: its text stands not once in {self.file}")
        file.write_text(before.replace(self.old, self.new))
        return before.encode()


ROWS = (*FIRST, *REST)
OF_APPLICATIONS, BY_DEADLINE, OF_TABLES, OF_THEIR_APPLICATIONS, OF_MESSAGES = (
    ROWS.index(next(row for row in ROWS if row.system == system))
    for system in (46, 132, 260, 300, 518)
)
# The part of the end of an application that follows the end of its running task.
ALL_ELSE = (
    "\tplf_set_application_state(application, option == RESTART ? APPLICATION_RESTARTING\n"
    "\t\t\t\t\t\t\t\t : APPLICATION_TERMINATED);\n"
    "\tstop_interrupts(core, application);\n\tstop_alarms(core, application);\n"
    "\tend_tasks(core, application);\n"
)
FAULTS = (
    Fault(
        "ChainTask looks at sections before the number",
        "task.c",
        "\tif (id >= PLF_TASKS)\n\t\treturn plf_status(E_OS_ID);\n\tif (open != E_OK)\n"
        "\t\treturn plf_status(open);\n\tif (next != task",
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n\tif (id >= PLF_TASKS)\n"
        "\t\treturn plf_status(E_OS_ID);\n\tif (next != task",
    ),
    Fault(
        "WaitEvent looks at sections before events",
        "event.c",
        "\tif (!task->config->events)\n\t\treturn plf_status(E_OS_ACCESS);\n\tif (open != E_OK)\n"
        "\t\treturn plf_status(open);\n",
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n\tif (!task->config->events)\n"
        "\t\treturn plf_status(E_OS_ACCESS);\n",
    ),
    Fault(
        "SetRelAlarm of an alarm that is set does not look at its values",
        "alarm.c",
        "\tif (start < least || start > counter->highest)\n",
        "\tif (plf_alarms[index].is_set)\n\t\treturn E_OS_STATE;\n"
        "\tif (start < least || start > counter->highest)\n",
    ),
    Fault(
        "an activation is lost",
        "scheduler/priority/plf_ready.h",
        "\tring->tail = (ring->tail + 1) & ring->mask;\n",
        "\tif (task->most < 2 || ((ring->tail + 1U - ring->head) & ring->mask) < 3)\n"
        "\t\tring->tail = (ring->tail + 1) & ring->mask;\n",
    ),
    Fault(
        "the youngest of a level is first",
        "scheduler/priority/plf_ready.h",
        "\t\ttask = ring->slots[ring->head];\n\t\tring->head = (ring->head + 1) & ring->mask;\n",
        "\t\tring->tail = (ring->tail - 1) & ring->mask;\n\t\ttask = ring->slots[ring->tail];\n",
    ),
    Fault(
        "a task preempts one as urgent",
        "scheduler/priority/plf_schedule.h",
        "\telse if (highest > level)\n\t\tplf_preempt_below(core, level);\n",
        "\telse if (highest >= level && highest)\n\t\tplf_preempt_below(core, level);\n",
    ),
    Fault(
        "ClearEvent leaves an event",
        "cores/one/plf_cores.h",
        "\ttask->events &= ~events;\n",
        "\ttask->events &= ~events | 4;\n",
    ),
    Fault(
        "an activation begins with the events of the last one",
        "cores/one/plf_cores.h",
        "\ttask->events = 0;\n\ttask->waits_for = 0;\n",
        "\ttask->waits_for = 0;\n",
    ),
    Fault(
        "a cycle begins a tick late",
        "alarm.c",
        "\t\t\talarm->expires += alarm->cycle;\n",
        "\t\t\talarm->expires += alarm->cycle + 1;\n",
    ),
    Fault(
        "of alarms of one tick the one set last is first",
        "expiry.h",
        "expires <= alarm->expires)",
        "expires < alarm->expires)",
    ),
    Fault(
        "SetAbsAlarm of the value that the counter has expires at once",
        "expiry.h",
        "now + (distance ? distance : values)",
        "now + (distance ? distance : 1)",
    ),
    Fault(
        "an error of an alarm is not reported",
        "task_signal.h",
        "\t\tplf_error_of_call(core, is_open ? plf_activate(core, task) : E_OS_ACCESS,\n"
        "\t\t\t\t  PLF_CALL_ACTIVATE_TASK, index, 0, 0);\n",
        "\t\t(void)plf_activate(core, task);\n",
    ),
    Fault(
        "a callback may call what tasks may",
        "alarm.c",
        "config->object, PLF_IN_CALLBACK)",
        "config->object, PLF_IN_ISR)",
    ),
    Fault(
        "ErrorHook is called for its own errors",
        "error.c",
        "(PLF_IN_ERROR_HOOK | PLF_IN_SHUTDOWN_HOOK)",
        "(PLF_IN_SHUTDOWN_HOOK)) && !(core->place & PLF_IN_ERROR_HOOK && status == E_OS_CALLEVEL",
    ),
    Fault(
        "a handler has not ended in the hooks of tasks",
        "isr_id.c",
        "\tif (plf_this_core()->place & OF_NO_ROUTINE)\n\t\treturn INVALID_ISR;\n",
        "",
    ),
    Fault(
        "a task keeps its masks when it ends",
        "interrupt.h",
        "\ttask->masked = false;\n",
        "\ttask->masked = task->masks.suspended_os > 0;\n",
    ),
    Fault(
        "a resume ends all suspends",
        "interrupt.c",
        "\t\t--*count;\n",
        "\t\t*count = 0;\n",
    ),
    Fault(
        "Schedule keeps the internal resource",
        "scheduler/priority/plf_schedule.h",
        "\tif (highest <= task->urgency.base && !plf_has_come_down(core, task->urgency.base))\n"
        "\t\treturn;\n",
        "\tif (task->urgency.internal != task->urgency.base)\n\t\treturn;\n",
        row=4,
    ),
    Fault(
        "ReleaseResource takes any order",
        "resource/plf_section.h",
        "\treturn plf_load32(&plf_find_page()->words.checks.top) == resource + 1U\n",
        "\treturn plf_is_held(resource)\n",
    ),
    Fault(
        "GetResource takes twice what is held, as a system call",
        "resource/plf_called_services.h",
        "\t\tif (plf_is_held(core, resource))\n\t\t\treturn plf_answer(E_OS_ACCESS);\n",
        "",
        row=1,
    ),
    Fault(
        "a counter has a value less",
        "counter.c",
        "\tuint64_t values = (uint64_t)plf_counter_config[counter].highest + 1;\n\n\treturn",
        "\tuint64_t values = (uint64_t)plf_counter_config[counter].highest;\n\n\treturn",
    ),
    Fault(
        "GetElapsedValue leaves out a tick where the counter began anew",
        "counter.c",
        "now + values - before",
        "now + values - 1 - before",
    ),
    Fault(
        "GetElapsedValue takes any value",
        "counter.c",
        "\tif (before > plf_counter_config[counter].highest)\n\t\treturn plf_status(E_OS_VALUE);\n",
        "",
    ),
    Fault(
        "a number that is no object's is another application's",
        "application.c",
        "\tif (!first || !second)\n\t\treturn E_OK;\n",
        "\tif (!first || !second)\n\t\treturn E_OS_ACCESS;\n",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "another application is asked for after the service's own errors",
        "calls.c",
        "\tif ((PLF_SERVERS || PLF_APPLICATIONS) && result.status == E_OK)\n"
        "\t\tresult = plf_status(permission(core, number, a, b));\n"
        "\tif (result.status == E_OK)\n"
        "\t\tresult = services[number](a, b, c, core);\n",
        "\tif (result.status == E_OK)\n"
        "\t\tresult = services[number](a, b, c, core);\n"
        "\tif ((PLF_SERVERS || PLF_APPLICATIONS) && result.status == E_OK)\n"
        "\t\tresult = plf_status(permission(core, number, a, b));\n",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "CheckObjectAccess looks at the state",
        "application.c",
        "(uint64_t)object->access >> application & 1 ?",
        "may_use(object, (ApplicationType)application) ?",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "a hook has the rights of the task that it interrupted",
        "calls.c",
        "\tif (PLF_APPLICATIONS && "
        "(core->place & OF_APPLICATIONS || plf_is_application_hook(core))) {\n",
        "\tif (PLF_APPLICATIONS) {\n",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "PostTaskHook finds an application that has ended",
        "termination.c",
        f"\tend_running(core, application);\n{ALL_ELSE}",
        f"{ALL_ELSE}\tend_running(core, application);\n",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "a task still waits when its application has ended",
        "cores/one/plf_cores.h",
        "\ttask->is_waiting = false;\n\tplf_prepare_task(task);\n",
        "\tplf_prepare_task(task);\n",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "a task that ends with its application is to go on",
        "termination.c",
        "\tplf_port_forget_context(task);\n",
        "",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "a trusted application terminates one that restarts",
        "termination.c",
        "(by != application || option == RESTART)",
        "(by == application && option == RESTART)",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "an alarm of another application activates a task of one that ended",
        "task_signal.h",
        "is_open ? plf_activate(core, task) : E_OS_ACCESS",
        "plf_activate(core, task)",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "a ready task is left in the queue when its application ends",
        "scheduler/priority/schedule.c",
        "\tleave_ring(core, task);\n",
        "\t;\n",
        row=OF_APPLICATIONS,
    ),
    Fault(
        "of equal deadlines the last to come is first",
        "scheduler/edf/ready.c",
        "\t\treturn one->order < other->order;\n",
        "\t\treturn one->order > other->order;\n",
        row=BY_DEADLINE,
    ),
    Fault(
        "a task preempts one of the same deadline",
        "scheduler/edf/schedule.c",
        "core->running->urgency.floor.deadline) &&\n"
        "\t    plf_is_earlier(earliest->deadline, plf_running_deadline(core))) {\n",
        "core->running->urgency.floor.deadline + 1) &&\n"
        "\t    plf_is_earlier(earliest->deadline, plf_running_deadline(core) + 1)) {\n",
        row=BY_DEADLINE,
    ),
    Fault(
        "a new task is before a preempted one of the same deadline",
        "scheduler/edf/schedule.c",
        "(!task || plf_is_earlier(earliest->deadline, task->urgency.floor.deadline))",
        "(!task || earliest->deadline <= task->urgency.floor.deadline)",
        row=BY_DEADLINE,
    ),
    Fault(
        "a task that wakes up is due as it was before",
        "scheduler/edf/schedule.c",
        "\tif (has_others && plf_is_earlier(",
        "\tif (task->urgency.latest && plf_is_earlier(task->urgency.latest, deadline) &&\n"
        "\t    task->config->events)\n\t\treturn task->urgency.latest;\n"
        "\tif (has_others && plf_is_earlier(",
        row=BY_DEADLINE,
    ),
    Fault(
        "a heap does not look at both of the next",
        "scheduler/edf/ready.c",
        "\t\tif (child + 1 < queue->count && is_before(&entries[child + 1], &entries[child]))\n"
        "\t\t\tchild++;\n",
        "",
        row=BY_DEADLINE,
    ),
    Fault(
        "a task of an alarm arrives when the kernel comes to it",
        "alarm.c",
        "\t\tplf_arrived(plf_this_core(), alarm->expires * tick_ns);\n",
        "\t\t;\n",
        row=BY_DEADLINE,
    ),
    Fault(
        "a table that repeats does so where another one is next",
        "schedule_table.c",
        "\tif (!next && plf_schedule_table_config[table].repeats) {\n",
        "\tif (plf_schedule_table_config[table].repeats) {\n",
        row=OF_TABLES,
    ),
    Fault(
        "a table that has ended keeps its next one",
        "schedule_table.c",
        "\tplf_schedule_tables[table].state = SCHEDULETABLE_STOPPED;\n"
        "\tplf_schedule_tables[table].next = 0;\n\tif (next) {\n",
        "\tplf_schedule_tables[table].state = SCHEDULETABLE_STOPPED;\n\tif (next) {\n",
        row=OF_TABLES,
    ),
    Fault(
        "a table that stops leaves the one that was next",
        "schedule_table.c",
        "\tforget_next(table);\n",
        "",
        row=OF_TABLES,
    ),
    Fault(
        "a second NextScheduleTable leaves the first one next",
        "schedule_table.c",
        "\tforget_next((unsigned)from);\n",
        "",
        row=OF_TABLES,
    ),
    Fault(
        "StartScheduleTableRel leaves out the first offset of what it takes",
        "schedule_table.c",
        "highest -\n\t\t\t\t\t     plf_offset_of(&plf_schedule_table_config[table], 0));",
        "highest);",
        row=OF_TABLES,
    ),
    Fault(
        "the tables of an application go on when it has ended",
        "termination.c",
        "\t\t\t(void)plf_stop_table(table, 0, 0, core);\n",
        "\t\t\t;\n",
        row=OF_THEIR_APPLICATIONS,
    ),
    Fault(
        "a message that is lost is notified of",
        "message.c",
        "\t\t\treceivers[index].overflow = true;\n\t\t\treturn false;\n",
        "\t\t\treceivers[index].overflow = true;\n\t\t\treturn true;\n",
        row=OF_MESSAGES,
    ),
    Fault(
        "the loss of a message is reported again",
        "message.c",
        "\treceivers[index].overflow = false;\n\treturn has_lost",
        "\treturn has_lost",
        row=OF_MESSAGES,
    ),
)


def found(fault: Fault | None, tree: Path) -> str:
    """Return the first difference of a row's programs; "" if there is none."""
    before = fault.apply(tree) if fault else b""
    row: Row = ROWS[fault.row] if fault else ROWS[0]
    system = draw_system(row.system)
    try:
        name = f"system-{row.system}"
        images = tree / "images"
        player = build_player(system, name, row.board, row.protocol, images, level=QUICKLY)
        difference = first_difference(system, player, row.seeds())
    except PlafondError as error:
        raise ValueError(f"{fault.name if fault else 'no fault'}: {error}") from None
    finally:
        if fault:
            (tree / "kernel" / fault.file).write_bytes(before)
    return "" if difference is None else f"program {difference[0].split()[1]}"


def in_tree(tree: Path, words: list[str]) -> int:
    """Try the kernel without a fault, then the faults, in a copy. Returns the exit code."""
    (tree / "images").mkdir()
    if wrong := found(None, tree):
        print(f"without a fault: {wrong} differs")
        return 1
    chosen = [f for f in FAULTS if not words or any(word in f.name for word in words)]
    survived = 0
    for fault in chosen:
        by = found(fault, tree)
        survived += not by
        print(f"{'found by ' + by if by else 'NOT FOUND':24}{fault.name}", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} faults found")
    return int(survived > 0 or not chosen)


def main() -> None:
    """Make the copy, and try the faults there, because images are built from the imported tree."""
    if sys.argv[1:2] == [IN_TREE]:
        sys.exit(in_tree(Path(sys.argv[2]), sys.argv[3:]))
    with tempfile.TemporaryDirectory(prefix="plafond-fuzz-") as folder:
        tree = Path(folder)
        for room in ROOMS:
            shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
        paths = f"{tree / 'lab'}:{tree / 'kernel/test'}"
        command = [sys.executable, "-m", "fuzz.mutants", IN_TREE, str(tree), *sys.argv[1:]]
        done = subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": paths})
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
