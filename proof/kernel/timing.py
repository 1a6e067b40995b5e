# SPDX-License-Identifier: MIT
"""Faults in the timing protection of tasks: in timing.c, its callers, and the ports."""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_BUDGETS, _ON_BOARD = (
    "timing-sim-standard-uprio-nprio",
    "timing-a53-standard-uprio-nprio",
)
_FRAMES = "time_frames-sim-standard-uprio-nprio"
_ANSWERS = "timing_answers-sim-standard-uprio-nprio"
_LOCKS = "lock_budgets-sim-standard-uprio-nprio"
_RESOURCES = "resource_budgets-sim-standard-syscall"
_REFUSED = "resource_budgets-sim-extended-syscall"
_TIMING_C = {
    "plf_own_time_stops": _BUDGETS,
    "first_end_ns": _LOCKS,
    "charge": _BUDGETS,
    "plf_own_time_begins": _BUDGETS,
    "plf_own_time_goes_on": _BUDGETS,
    "renew": _BUDGETS,
    "plf_renew_budget": _BUDGETS,
    "set_lock": _LOCKS,
    "plf_set_locks": _LOCKS,
    "plf_set_resource_lock": _RESOURCES,
    "forget_resources": _RESOURCES,
    "forget_locks": _LOCKS,
    "forget_locks: not (PLF_RESOURCE_LOCKS)": _RESOURCES,
    "forget_locks: drop forget_resources(index)": _RESOURCES,
    "plf_forget_locks": _LOCKS,
    "plf_prepare_budgets": _BUDGETS,
    "plf_prepare_budgets: drop forget_locks(index)": _LOCKS,
    "what_has_ended": _LOCKS,
    "plf_set_budget_timer": _BUDGETS,
    "plf_first_alarm_is": _BUDGETS,
    "plf_timer_is_for_no_budget": _BUDGETS,
    "plf_arrives_as_due": _FRAMES,
    "plf_forget_frame": _ANSWERS,
    "begins_frame": _FRAMES,
    "plf_comes_early": _FRAMES,
    "plf_wakes_early": _FRAMES,
}

TIMING = (
    fault_in(
        "timing.c",
        "of two budgets that end at one instant that of a lock counts",
        "task->ends_ns[EXECUTION] == first_end_ns(task)",
        "task->ends_ns[EXECUTION] < task->ends_ns[ALL_LOCKED]",
        _LOCKS,
    ),
    fault_in(
        "timing.c",
        "an alarm comes before a budget that ends at the same instant",
        "\tif (charged.until_ns <= plf_port_now_ns()) {\n",
        "\tif (charged.until_ns <= plf_port_now_ns() && charged.until_ns != charged.alarm_ns) {\n",
        _BUDGETS,
    ),
    fault_in(
        "alarm.c",
        "an alarm that is held back is due in the future",
        "plf_alarms[index].expires > now ? plf_alarms[index].expires - now : 0",
        "plf_alarms[index].expires - now",
        _FRAMES,
    ),
    *(
        fault_in("timing.c", name, "own->frame_ends_ns = arrival_ns + frame_ns;", new, _FRAMES)
        for name, new in (
            (
                "the frame of an arrival that is late begins when the last one ends",
                "own->frame_ends_ns = (arrival_ns < own->frame_ends_ns + frame_ns ?\n"
                "\t\town->frame_ends_ns : arrival_ns) + frame_ns;",
            ),
            (
                "frames of an arrival that is late by several begin at multiples",
                "own->frame_ends_ns = frame_ns + (arrival_ns < own->frame_ends_ns + frame_ns ?\n"
                "\t\tarrival_ns : arrival_ns - (arrival_ns - own->frame_ends_ns) % frame_ns);",
            ),
        )
    ),
    fault_in(
        "timing.c",
        "a section inside hides that a budget is used up",
        "\t\tif (*ends_ns < first_ns)\n\t\t\tfirst_ns = *ends_ns;\n",
        "\t\tif (*ends_ns < first_ns && *ends_ns > task->used_ns)\n\t\t\tfirst_ns = *ends_ns;\n",
        _RESOURCES,
    ),
    fault_in(
        "timing.c",
        "a lock more gives a whole budget if that is used up",
        "\telse if (*ends_ns == UINT64_MAX)\n",
        "\telse if (*ends_ns == UINT64_MAX || *ends_ns <= task->used_ns)\n",
        _LOCKS,
    ),
    fault_in(
        "schedule_table.c",
        "the points of a table arrive when the kernel comes to them",
        "\tfor (unsigned index = 0; index < point->count; index++)\n\t\tplf_signal(core",
        "\tif (PLF_TIME_FRAMES)\n\t\tplf_arrives_as_due(0);\n"
        "\tfor (unsigned index = 0; index < point->count; index++)\n\t\tplf_signal(core",
        _FRAMES,
    ),
    *faults_of("timing.c", _TIMING_C),
    fault_in(
        "hook.h",
        "a task is charged for its PostTaskHook, and nothing for what follows",
        "\tif (PLF_BUDGETS)\n\t\tplf_own_time_stops();\n",
        "",
        _BUDGETS,
    ),
    fault_in(
        "hook.h",
        "own time begins before PreTaskHook",
        "\t\tPreTaskHook();\n\t\tcore->place = place;\n\t}\n"
        "\tif (PLF_BUDGETS)\n\t\tplf_own_time_begins(core);\n",
        "\t\tplf_own_time_begins(core);\n\t\tPreTaskHook();\n\t\tcore->place = place;\n\t}\n",
        _ON_BOARD,
    ),
    fault_in(
        "hook.h",
        "own time never begins",
        "\tif (PLF_BUDGETS)\n\t\tplf_own_time_begins(core);\n",
        "",
        _BUDGETS,
    ),
    fault_in(
        "interrupt.h",
        "a task is charged for the handlers that interrupt it",
        "\tif (PLF_BUDGETS)\n\t\tplf_own_time_stops();\n",
        "",
        _ON_BOARD,
    ),
    fault_in(
        "interrupt.h",
        "behind an interrupt nothing is charged",
        "\tif (PLF_BUDGETS)\n\t\tplf_own_time_goes_on(core);\n",
        "",
        _BUDGETS,
    ),
    fault_in(
        "scheduler/priority/plf_schedule.h",
        "where no task runs the timer is that of the last one",
        "\t\tif (PLF_BUDGETS)\n\t\t\tplf_set_budget_timer(core);\n",
        "",
        _BUDGETS,
    ),
    fault_in(
        "task.c",
        "a new activation goes on with the budget of the last one",
        "\tif (PLF_BUDGETS)\n\t\tplf_renew_budget(task);\n",
        "",
        _BUDGETS,
    ),
    fault_in(
        "event.c",
        "behind WaitEvent the budget is what it was",
        "\tif (PLF_BUDGETS)\n\t\tplf_renew_budget(task);\n",
        "",
        _BUDGETS,
    ),
    fault_in(
        "event.c",
        "WaitEvent that does not wait gives a whole budget",
        "\tif (!plf_wait_for(task, events))\n",
        "\tplf_own_time_stops();\n\tplf_renew_budget(task);\n\tplf_own_time_begins(core);\n"
        "\tif (!plf_wait_for(task, events))\n",
        _BUDGETS,
    ),
    fault_in(
        "termination.c",
        "a task of an application that ended goes on with its budget",
        "\tif (PLF_BUDGETS)\n\t\tplf_renew_budget(task);\n",
        "",
        _ANSWERS,
    ),
    fault_in(
        "interrupt.c",
        "locks of interrupts are not seen",
        "\tif (PLF_LOCK_BUDGETS)\n\t\tplf_set_locks(core);\n",
        "",
        _LOCKS,
    ),
    fault_in(
        "calls.c",
        "sections are not seen",
        "\tif (PLF_RESOURCE_LOCKS && result.status == E_OK)\n"
        "\t\tplf_set_resource_lock(core, resource, true);\n",
        "",
        _RESOURCES,
    ),
    fault_in(
        "calls.c",
        "no budget ends with its section",
        "\tif (PLF_RESOURCE_LOCKS)\n\t\tplf_set_resource_lock(core, resource, false);\n",
        "",
        _RESOURCES,
    ),
    fault_in(
        "calls.c",
        "a ReleaseResource that is refused ends the budget",
        "\tresult = plf_release_resource(core, resource);\n\tif (result.status != E_OK)\n",
        "\tresult = plf_release_resource(core, resource);\n"
        "\tif (PLF_RESOURCE_LOCKS)\n\t\tplf_set_resource_lock(core, resource, false);\n"
        "\tif (result.status != E_OK)\n",
        _REFUSED,
    ),
    fault_in(
        "timing.c",
        "a second GetResource gives a whole budget",
        "\t\tif (config->resource == resource)\n",
        "\t\tif (config->resource == resource)\n\t\t\t*ends_ns = UINT64_MAX;\n"
        "\t\tif (config->resource == resource)\n",
        _RESOURCES,
    ),
    fault_in(
        "timing.c",
        "only the budget of the section that was entered last runs",
        "\t\tif (*ends_ns < first_ns)\n\t\t\tfirst_ns = *ends_ns;\n",
        "\t\tif (config->resource == resource)\n\t\t\tfirst_ns = *ends_ns;\n",
        _RESOURCES,
    ),
    fault_in(
        "timing.c",
        "budgets of interrupts and of resources have one end",
        "\tRESOURCE_LOCKED = OS_LOCKED + (PLF_RESOURCE_LOCKS > 0),",
        "\tRESOURCE_LOCKED = OS_LOCKED,",
        _RESOURCES,
    ),
    fault_in(
        "task.c",
        "a new activation goes on with the lock of the last one",
        "\tif (PLF_LOCK_BUDGETS)\n\t\tplf_forget_locks(task);\n",
        "",
        _LOCKS,
    ),
    fault_in(
        "termination.c",
        "a lock outlives the application",
        "\tif (PLF_LOCK_BUDGETS)\n\t\tplf_forget_locks(task);\n",
        "",
        _ANSWERS,
    ),
    fault_in(
        "termination.c",
        "a frame outlives the application",
        "\tif (PLF_TIME_FRAMES)\n\t\tplf_forget_frame(task);\n",
        "",
        _ANSWERS,
    ),
    fault_in(
        "protection.c",
        "an arrival that is too early is ignored whatever the answer",
        "\tif (PLF_TIME_FRAMES && verdict(core, E_OS_PROTECTION_ARRIVAL) != PRO_IGNORE)\n",
        "\tif (PLF_TIME_FRAMES && verdict(core, E_OS_PROTECTION_ARRIVAL) == PRO_SHUTDOWN)\n",
        f"{_ANSWERS}-2",
    ),
    fault_in(
        "protection.c",
        "the end of a budget may be ignored",
        "\tif (answer != PRO_TERMINATETASKISR)\n",
        "\tif (answer != PRO_TERMINATETASKISR && answer != PRO_IGNORE)\n",
        f"{_ANSWERS}-1",
    ),
    fault_in(
        "task.c",
        "ActivateTask has no frame",
        "\t\treturn at_limit(task);\n\tif (is_early(core, task))\n",
        "\t\treturn at_limit(task);\n\tif (0)\n",
        _FRAMES,
    ),
    fault_in(
        "task.c",
        "alarms, handlers and messages have no frame",
        "\tif (is_early(core, task))\n\t\treturn E_OK;\n",
        "",
        _FRAMES,
    ),
    fault_in(
        "task.c",
        "ChainTask has no frame",
        "\tif (PLF_TIME_FRAMES && plf_comes_early(core, next)) {\n",
        "\tif (0) {\n",
        _FRAMES,
    ),
    fault_in(
        "task.c",
        "an activation that is too early keeps its room",
        "\t\treturn false;\n\tplf_give_room(task);\n",
        "\t\treturn false;\n",
        _FRAMES,
    ),
    fault_in(
        "task.c",
        "one that was to be chained keeps its room",
        "\t\tif (next != task)\n\t\t\tplf_give_room(next);\n",
        "",
        _FRAMES,
    ),
    fault_in(
        "task.c",
        "the caller that chains itself too early has a room too many",
        "\t\tif (next != task)\n\t\t\tplf_give_room(next);\n",
        "\t\tplf_give_room(next);\n",
        _FRAMES,
    ),
    fault_in(
        "task.c",
        "the caller that chains too early goes on",
        "\t\tplf_end_activation(core);\n\t\tplf_dispatch(core);\n\t\treturn plf_status(E_OK);\n",
        "\t\treturn plf_status(E_OK);\n",
        _FRAMES,
    ),
    fault_in(
        "event.c",
        "an event wakes a task within its frame",
        "effect == PLF_EVENT_WAKES && !(PLF_TIME_FRAMES && plf_wakes_early(core, task))",
        "effect == PLF_EVENT_WAKES",
        _FRAMES,
    ),
    fault_in(
        "event.c",
        "each event is an arrival",
        "effect == PLF_EVENT_WAKES && !(PLF_TIME_FRAMES && plf_wakes_early(core, task))",
        "!(PLF_TIME_FRAMES && plf_wakes_early(core, task)) && effect == PLF_EVENT_WAKES",
        _FRAMES,
    ),
    fault_in(
        "alarm.c",
        "an alarm arrives when the kernel comes to it",
        "\tif (PLF_TIME_FRAMES && tick_ns)\n\t\tplf_arrives_as_due(alarm->expires * tick_ns);\n",
        "",
        _FRAMES,
    ),
    fault_in(
        "alarm.c",
        "what follows the alarms arrives as they do",
        "\tif (PLF_TIME_FRAMES && plf_counter_config[counter].tick_ns)\n"
        "\t\tplf_arrives_as_due(0);\n",
        "",
        _FRAMES,
    ),
    fault_in(
        "server/none/plf_server.h",
        "the timer stays as it was when interrupts are held back",
        "\tif (PLF_BUDGETS)\n\t\tplf_set_budget_timer(core);\n",
        "\t(void)core;\n",
        _BUDGETS,
    ),
    fault_in(
        "server/none/plf_server.h",
        "an alarm sets the timer without the budget",
        "\tif (PLF_BUDGETS)\n\t\tplf_first_alarm_is(core, at_ns);\n\telse\n",
        "",
        _BUDGETS,
    ),
    fault_in(
        "timers.h",
        "a task that holds interrupts back holds the end of its budget back",
        "(PLF_SERVERS || PLF_BUDGETS)",
        "(PLF_SERVERS)",
        _ON_BOARD,
    ),
    fault_in(
        "ports/sim/processor.c",
        "sim: a new activation first spends what one that was ended left",
        "\telse if (!task->context->has_begun)\n",
        "\telse if (0)\n",
        _BUDGETS,
    ),
)
