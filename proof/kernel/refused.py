# SPDX-License-Identifier: MIT
"""Faults in refused calls, found by images of kernel/test.

After such a call, the caller's priority, resources and events, and all other state, are as before.
"""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_STATUS = "resource_status-sim-extended-uprio-nprio"
_CALLED = "resource_status-sim-extended-syscall"
_TASKS = "task_status-sim-extended-uprio-nprio"
_EVENTS = "events-sim-standard-uprio-nprio"
_EVENTS_EXTENDED = "events-sim-extended-uprio-nprio"
_MPCP = "cores_mpcp-sim-extended-uprio-nprio"
_SHARING = "sharing-sim-extended-uprio-nprio"
_TABLES = "schedule_tables-sim-standard-uprio-nprio"
_SYNC = "table_sync-sim-standard-uprio-nprio"
_MESSAGES = "messages-sim-standard-uprio-nprio"
_ENDS = "applications_end-sim-standard-uprio-nprio"
_ISR_ENDS = "applications_isr-sim-extended-uprio-nprio"
_MASKING = "masking-sim-standard-uprio-nprio"
_SECTION, _SERVICES = "resource/plf_section.h", "resource/plf_called_services.h"
_MAY_GET = "\t\tStatusType status = plf_may_get(resource);\n"
_MAY_RELEASE = "\t\tStatusType status = plf_may_release(resource);\n"
_MAY_GET_GLOBAL = "\t\tStatusType status = plf_may_get_global(resource);\n"
_NOT_THE_LAST = "\t\tif (task->words.top != resource + 1)\n\t\t\treturn plf_answer(E_OS_NOFUNC);\n"
_STARTS = "\treturn plf_schedule_tables[table].state == SCHEDULETABLE_STOPPED"
_NOT_CHAINED = "\tif (next != task && !plf_take_room(next))\n\t\treturn at_limit(next);\n"

REFUSED = (
    *faults_of("interrupt.h", {"plf_forget_masks": _MASKING}),
    fault_in(
        "termination.c",
        "a handler does not go on if its own application may not end so",
        "\tif (status == E_OK && by == application)\n",
        "\tif (by == application)\n",
        _ISR_ENDS,
    ),
    fault_in(
        _SECTION,
        "GetResource raises the caller to which it is refused",
        _MAY_GET,
        f"{_MAY_GET}\t\tif (status == E_OS_ACCESS)\n"
        "\t\t\t(void)plf_enter(plf_ceiling[resource]);\n",
        _STATUS,
    ),
    fault_in(
        _SECTION,
        "GetResource raises the caller that holds interrupts back",
        _MAY_GET,
        f"{_MAY_GET}\t\tif (status == E_OS_DISABLEDINT && resource < PLF_RESOURCES)\n"
        "\t\t\t(void)plf_enter(plf_ceiling[resource]);\n",
        _STATUS,
    ),
    fault_in(
        _SECTION,
        "GetResource claims for the server of the caller to which it is refused",
        _MAY_GET,
        f"{_MAY_GET}\t\tif (status == E_OS_RESOURCE)\n\t\t\tplf_acquire_of_servers(resource);\n",
        _SHARING,
    ),
    fault_in(
        _SECTION,
        "ReleaseResource lowers the caller that holds interrupts back",
        _MAY_RELEASE,
        f"{_MAY_RELEASE}\t\tif (status == E_OS_DISABLEDINT)\n"
        "\t\t\tplf_release(&plf_find_page()->resources[resource % PLF_RESOURCES].saved);\n",
        _STATUS,
    ),
    fault_in(
        _SERVICES,
        "GetResource as a system call raises the caller that is no user",
        "\tif (!plf_is_user(task, resource))\n"
        "\t\treturn plf_answer(plf_not_here(core, resource, E_OS_ACCESS));\n",
        "\tif (!plf_is_user(task, resource) && plf_enter(core, plf_ceiling[resource]))\n"
        "\t\treturn plf_answer(plf_not_here(core, resource, E_OS_ACCESS));\n",
        _CALLED,
    ),
    fault_in(
        _SERVICES,
        "ReleaseResource as a system call lowers the caller to which it is refused",
        _NOT_THE_LAST,
        "\t\tif (task->words.top != resource + 1)\n"
        f"\t\t\t(void)plf_leave(core, words->saved);\n{_NOT_THE_LAST}",
        _CALLED,
    ),
    fault_in(
        "global/mpcp/plf_global.h",
        "GetMPCPResource raises the caller to which it is refused",
        _MAY_GET_GLOBAL,
        f"{_MAY_GET_GLOBAL}\t\tif (status == E_OS_ACCESS)\n"
        "\t\t\t(void)plf_enter(plf_global_ceiling[resource - PLF_RESOURCES]);\n",
        _MPCP,
    ),
    fault_in(
        "task.c",
        "ChainTask in a section takes a room of the task that it does not activate",
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n\tif (next != task",
        "\tif (open != E_OK && (next == task || plf_take_room(next) || next))\n"
        "\t\treturn plf_status(open);\n\tif (next != task",
        _STATUS,
    ),
    fault_in(
        "task.c",
        "ChainTask at a limit ends the events of its caller",
        _NOT_CHAINED,
        "\tif (next != task && !plf_take_room(next)) {\n\t\tplf_end_events(task);\n"
        "\t\treturn at_limit(next);\n\t}\n",
        _EVENTS,
    ),
    fault_in(
        "task.c",
        "TerminateTask in a section ends the events of its caller",
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n\tplf_end_activation",
        "\tif (open != E_OK)\n\t\tplf_end_events(core->running);\n"
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n\tplf_end_activation",
        _EVENTS_EXTENDED,
    ),
    fault_in(
        "task.c",
        "Schedule in a section lets go of the internal resource",
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n\tplf_yield",
        "\tif (open != E_OK)\n\t\tplf_yield(core);\n"
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n\tplf_yield",
        _TASKS,
    ),
    fault_in(
        "event.c",
        "WaitEvent in a section waits",
        "\tif (open != E_OK)\n\t\treturn plf_status(open);\n",
        "\tif (open != E_OK && (plf_wait_for(task, events) || task))\n"
        "\t\treturn plf_status(open);\n",
        _STATUS,
    ),
    fault_in(
        "schedule_table.c",
        "a table that runs, and is started, begins anew",
        _STARTS,
        "\tif (value >= least && value <= most)\n"
        f"\t\tplf_schedule_tables[table].point = 0;\n{_STARTS}",
        _TABLES,
    ),
    fault_in(
        "table_sync.c",
        "a table that gets a position behind its end is not synchronous",
        "\tif (value >= config_of((unsigned)index)->duration)\n",
        "\tif (value >= config_of((unsigned)index)->duration)\n"
        "\t\tplf_schedule_tables[index].is_synced = false;\n"
        "\tif (value >= config_of((unsigned)index)->duration)\n",
        _SYNC,
    ),
    fault_in(
        "message.c",
        "ReceiveMessage without an address resets the flag",
        "\tif (status == E_OK)\n\t\tstatus = check_target(core, address, config->size);\n",
        "\tif (status == E_OK)\n\t\tset_flag(config, COM_FALSE);\n"
        "\tif (status == E_OK)\n\t\tstatus = check_target(core, address, config->size);\n",
        _MESSAGES,
    ),
    fault_in(
        "message.c",
        "ReceiveMessage without an address forgets what was lost",
        "\tif (status == E_OK)\n\t\tstatus = check_target(core, address, config->size);\n",
        "\tif (status == E_OK)\n\t\tstatus = check_target(core, address, config->size);\n"
        "\tif (status == E_OS_PARAM_POINTER)\n\t\treceivers[index].overflow = false;\n",
        _MESSAGES,
    ),
    fault_in(
        "termination.c",
        "TerminateApplication with a wrong option stops alarms",
        "\tif (status != E_OK)\n\t\treturn status;\n\tplf_terminate(core",
        "\tif (status == E_OS_VALUE)\n\t\tstop_alarms(core, (unsigned)application);\n"
        "\tif (status != E_OK)\n\t\treturn status;\n\tplf_terminate(core",
        _ENDS,
    ),
)
