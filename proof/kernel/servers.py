# SPDX-License-Identifier: MIT
"""Faults in the servers, each with the image of kernel/test that has to fail."""

from __future__ import annotations

from proof.kernel.in_image import fault_in

_SERVICES = "servers-sim-standard-uprio-nprio"
_MASKED = "servers_masked-sim-standard-uprio-nprio"
_MASKED_ON_A53 = "servers_masked-a53-standard-uprio-nprio"
_SWEPT = "sweep_servers-a53-standard-lazy-ceiling"
_EDF = "servers_edf-sim-standard-lazy-floor"
_KINDS = "servers_kinds-sim-standard-uprio-nprio"
_SLOTS = "servers_slots-sim-standard-uprio-nprio"
_LATE = "servers_late-a53-standard-uprio-nprio"
_CORES = "cores_servers-sim-standard-uprio-nprio"
_FREE = "servers_free-a53-standard-uprio-nprio"
_SHARED = "sharing-sim-standard-uprio-nprio"
_SHARED_X = "sharing-sim-extended-uprio-nprio"
_LOCKED = "sharing_locked-sim-standard-uprio-nprio"
_SHARING, _SHARING_FORM = "server/sharing/sharing.c", "server/sharing/plf_sharing.h"
_SERVER, _TIME = "server/budget/server.c", "server/budget/time.c"
_ACCESS, _FORM = "server/budget/plf_access.h", "server/budget/plf_server.h"

SERVERS = (
    fault_in(
        _SERVER,
        "a server's time costs it nothing",
        "\tuse(server, since_ns, now_ns);\n",
        "",
        _SERVICES,
    ),
    fault_in(
        _SERVER,
        "what a late decision has let a server use is free",
        "\t\tsince_ns = server->next_ns;\n\t\treplenish(server, since_ns);\n",
        "\t\tsince_ns = now_ns;\n\t\treplenish(server, now_ns);\n",
        _FREE,
    ),
    fault_in(
        _SERVER,
        "a replenishment adds to what was left",
        "\tserver->left_ns =\n\t\tserver->budget_ns -\n",
        "\tserver->left_ns +=\n\t\tserver->budget_ns -\n",
        _SERVICES,
    ),
    fault_in(
        _SERVER,
        "a period begins when the server is looked at",
        "\tserver->next_ns = next_after(server, now_ns);\n",
        "\tserver->next_ns = now_ns + server->period_ns;\n",
        _LATE,
    ),
    fault_in(
        _SERVER,
        "of several replenishments that have come each is one when the server is looked at",
        "\tif (now_ns < next_ns)\n\t\treturn next_ns;\n",
        "\tif (next_ns)\n\t\treturn next_ns;\n",
        _FREE,
    ),
    fault_in(
        _SERVER,
        "a period begins when the server is looked at, if several have passed",
        "\treturn now_ns - (now_ns - next_ns) % server->period_ns + server->period_ns;\n",
        "\treturn now_ns + server->period_ns;\n",
        _FREE,
    ),
    fault_in(
        _SERVER,
        "a slot that begins late ends late",
        "\tif (server->kind == PLF_SLOT)\n"
        "\t\tuse(server, server->next_ns - server->period_ns, now_ns);\n",
        "",
        _LATE,
    ),
    fault_in(
        _SERVER,
        "an idling server's budget is for others while it is empty",
        " || server->kind == PLF_IDLING || ",
        " || ",
        _KINDS,
    ),
    fault_in(
        _SERVER,
        "a polling server keeps its budget",
        "\tif (server->kind == PLF_POLLING)\n",
        "\tif (server->kind > PLF_DEFERRABLE)\n",
        _KINDS,
    ),
    fault_in(
        _SERVER,
        "a deferrable server loses its budget",
        "\tif (server->kind == PLF_POLLING)\n",
        "\tif (server->kind != PLF_SLOT)\n",
        _KINDS,
    ),
    fault_in(
        _SERVER,
        "an arrival does not wake an empty server",
        "\treturn first_due_ns(server);\n",
        "\treturn server->next_ns;\n",
        _KINDS,
    ),
    fault_in(
        _SERVER,
        "no decision is due when the budget ends",
        "\t\t\tcore->until_ns = plf_least(until_ns, now_ns + server->left_ns);\n",
        "\t\t\tcore->until_ns = until_ns;\n",
        _SLOTS,
    ),
    fault_in(
        _SERVER,
        "an alarm that is due makes no use of the core",
        " ||\n\t       first_due_ns(server) <= now_ns;\n",
        ";\n",
        _KINDS,
    ),
    fault_in(
        _SERVER,
        "an alarm that is due right now is none",
        "first_due_ns(server) <= now_ns;\n",
        "first_due_ns(server) < now_ns;\n",
        _KINDS,
    ),
    fault_in(
        _SERVER,
        "a core looks at the first server of the next one, too",
        "server < core->end; server++",
        "server <= core->end; server++",
        _CORES,
    ),
    fault_in(
        _SERVER,
        "what was given to a task that holds interrupts back waits for the next entry",
        "\tcore->server->given_ns = plf_least(core->server->given_ns, now_ns);\n",
        "",
        _MASKED,
    ),
    fault_in(
        _SERVER,
        "the stopped task is one of those that are ready",
        "\tif (server->stopped) {\n",
        "\tif (server->stopped && server->stopped->masked) {\n",
        _SWEPT,
    ),
    fault_in(
        _SERVER,
        "a server with a task that runs is empty",
        "\tcore->server->stopped = core->running;\n",
        "",
        _KINDS,
    ),
    fault_in(
        _SERVER,
        "a server that is empty all the same keeps the core",
        "\t\tif (!core->running)\n\t\t\tcore->decides = true;\n",
        "",
        _SERVICES,
    ),
    fault_in(
        _SERVER,
        "a task of a core without servers may be activated by none with one",
        "\tserver->mark = UINT64_MAX;\n",
        "",
        _CORES,
    ),
    fault_in(
        _SERVER,
        "a task of a core without servers may activate none with one",
        "\tserver->signals = UINT64_MAX;\n",
        "",
        _CORES,
    ),
    fault_in(
        _SERVER,
        "what came meanwhile preempts a task that holds interrupts back",
        "\t\tif (core->running->masked) {\n\t\t\thold_back(core);\n\t\t\treturn;\n\t\t}\n",
        "",
        _MASKED,
    ),
    fault_in(
        _SERVER,
        "floors do not count from what was given meanwhile",
        "plf_timer_is_set(core, PLF_TIMER_ALARMS, plf_first_alarm_or_given_ns(core->server));\n",
        "plf_timer_is_set(core, PLF_TIMER_ALARMS, core->server->due_ns[PLF_TIMER_ALARMS]);\n",
        _EDF,
    ),
    fault_in(
        _SERVER,
        "a task that is given makes its server no more urgent",
        "\tif (task->server < server)",
        "\tif (task->server < server && core->decides)",
        _SERVICES,
    ),
    fault_in(
        _SERVER,
        "GetBudget() knows the budget of servers that had the core alone",
        "\treplenish(&plf_servers[id], core->since_ns);\n",
        "",
        _SERVICES,
    ),
    fault_in(
        _SERVER,
        "GetBudget() knows any number",
        "\tif (id >= PLF_SERVERS)\n\t\treturn plf_status(E_OS_ID);\n",
        "",
        _SERVICES,
    ),
    fault_in(
        "scheduler/priority/plf_served.h",
        "a stopped task is nowhere",
        "\tplf_put_back(core, plf_running_level(core, 0));\n",
        "",
        _MASKED,
    ),
    fault_in(
        "scheduler/priority/plf_served.h",
        "a task that goes on stays on the stack",
        "\tplf_queue_of(core)->preempted = task->below;\n",
        "",
        _MASKED,
    ),
    fault_in(
        "scheduler/edf/plf_served.h",
        "under EDF a stopped task is nowhere",
        "\tplf_put_back(core);\n",
        "",
        _EDF,
    ),
    fault_in(
        "scheduler/edf/plf_served.h",
        "under EDF a task goes on with the words of another one",
        "\tplf_load_words(core, task);\n",
        "",
        _EDF,
    ),
    fault_in(
        _FORM,
        "the timer is set for alarms that are held back",
        " && !plf_holds_back(core);\n",
        ";\n",
        _MASKED,
    ),
    fault_in(
        _TIME,
        "alarms come to a task that holds them back",
        "\tif (!plf_holds_back(core)) {\n",
        "\tif (core->running) {\n",
        _MASKED,
    ),
    fault_in(
        _TIME,
        "the timer of servers does not decide",
        "\tcore->decides |= core->until_ns <= now_ns;\n",
        "",
        _KINDS,
    ),
    fault_in(
        _TIME,
        "what was given to a task that holds interrupts back is forgotten",
        "\t\tplf_next_alarm_is(core, plf_first_alarm_or_given_ns(core->server));\n",
        "\t\tplf_set_server_timer(core);\n",
        _MASKED,
    ),
    fault_in(
        _TIME,
        "an alarm of another server is not noted",
        "\tplf_make_current(core, &plf_servers[list]);\n\tplf_set_timer();\n",
        "\tplf_make_current(core, &plf_servers[list]);\n",
        _SERVICES,
    ),
    fault_in(
        _SERVER,
        "what was given to a task that holds interrupts back came when it lets them through",
        "\t\t\thold_back(core);\n",
        "\t\t\tserver->given_ns = core->since_ns;\n",
        _EDF,
    ),
    fault_in(
        _TIME,
        "an alarm that no timer drives is noted, with a server of another core",
        "\t\treturn; /* no timer drives it */\n",
        "\t\tcore->decides = true;\n",
        _CORES,
    ),
    fault_in(
        _ACCESS,
        "tasks of all servers may be activated",
        "\tif (task >= PLF_TASKS || core->server->signals & plf_tasks[task].server->mark)\n",
        "\tif (core->server->signals)\n",
        _SERVICES,
    ),
    fault_in(
        _ACCESS,
        "alarms of all servers may be set",
        "plf_access_to_task(core, plf_alarm_config[alarm].task) : E_OK;\n",
        "E_OK : E_OK;\n",
        _SERVICES,
    ),
    fault_in(
        _ACCESS,
        "counters of all servers may be incremented",
        " || !(plf_counter_signals[counter] & ~core->server->signals))\n",
        " || core->server->signals)\n",
        _SERVICES,
    ),
    fault_in(
        _FORM,
        "an empty server keeps the core",
        "\tif (core->decides || !core->running || plf_is_late_over(core))\n",
        "\tif (core->decides || plf_is_late_over(core))\n",
        _SERVICES,
    ),
    fault_in(
        _FORM,
        "all alarms are in one list",
        "tick_ns ? plf_task_config[config->task].server\n",
        "tick_ns ? 0\n",
        _MASKED,
    ),
    fault_in(
        "ports/a53/gic.c",
        "tasks mask the timer of servers",
        "\tif (PLF_TIMER_ENDS_BUDGETS)\n\t\tenable_budget_timer(redistributor);\n\telse\n",
        "",
        _MASKED_ON_A53,
    ),
    fault_in(
        _SHARING,
        "too little of a budget is enough",
        "\tif (is_enough_left(core)) {\n\t\tplf_publish(core);\n",
        "\tif (is_enough_left(core) || core) {\n\t\tplf_publish(core);\n",
        _SHARED,
    ),
    fault_in(
        _SHARING_FORM,
        "what is left of an overrun is budget",
        "\treturn server->is_over;\n",
        "\treturn !server;\n",
        _SHARED,
    ),
    fault_in(
        _SHARING,
        "a section under skipping goes on beyond the budget",
        "\t       (server->left_ns == 0 || server->limit_ns == 0);\n",
        "\t       server->limit_ns == 0;\n",
        _LOCKED,
    ),
    fault_in(
        "resource/plf_section.h",
        "sections of several servers nest in those of one",
        "\treturn plf_mixes_levels(resource) ? E_OS_RESOURCE : E_OK;\n",
        "\treturn plf_mixes_levels(resource) ? E_OK : E_OK;\n",
        _SHARED_X,
    ),
)
