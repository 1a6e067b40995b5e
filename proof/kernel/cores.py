# SPDX-License-Identifier: MIT
"""Faults in services across cores, found by images of kernel/test."""

from __future__ import annotations

from proof.kernel.in_image import fault_in

_ACTIVATE = "cores_activate-sim-standard-uprio-nprio"
_ALARMS, _START = "cores_alarms-sim-standard-uprio-nprio", "cores_start-sim-standard-uprio-nprio"
_END = "cores_end-sim-standard-uprio-nprio"
_EVENTS, _STORM = (
    "cores_events-sim-standard-uprio-nprio",
    "cores_storm-sim-standard-uprio-nprio",
)
_FOUL, _TABLES = (
    "cores_foul-sim-standard-uprio-nprio",
    "tables_cores-a53-standard-uprio-nprio",
)
_CALLS, _FAULTS = (
    "cores_calls-sim-standard-uprio-nprio",
    "cores_faults-a53-standard-uprio-nprio",
)
_CALLED = "cores_resources-sim-extended-syscall"
_ON_BOARD, _ISR = (
    "cores_resources-a53-standard-uprio-nprio",
    "cores_alarms-a53-standard-uprio-nprio",
)
# Programs in which a core has no turn between two calls of another core.
_QUEUED, _START_ON_BOARD = (
    "cores_activate-a53-standard-uprio-nprio",
    "cores_start-a53-standard-uprio-nprio",
)
_ACCESS, _ACCESS_CALLED = (
    "cores_access-sim-extended-uprio-nprio",
    "cores_access-sim-standard-syscall",
)
_SEVERAL, _START_C = "cores/several/plf_cores.h", "cores/several/start.c"

CORES = (
    fault_in(
        _START_C,
        "the cores that are to come are counted once",
        "\tfor (;;) {\n\t\tuint32_t so_far = plf_load_acquire32(&came[barrier]);\n\n"
        "\t\tif (so_far == number_of_cores())\n",
        "\tfor (uint32_t all = number_of_cores();;) {\n"
        "\t\tuint32_t so_far = plf_load_acquire32(&came[barrier]);\n\n"
        "\t\tif (so_far == all)\n",
        f"{_START}-2",
    ),
    fault_in(
        _START_C,
        "the first core alone starts others",
        "\tif (plf_this_core()->place != PLF_IN_MAIN)\n",
        "\tif (plf_this_core()->place != PLF_IN_MAIN || plf_this_core()->index > 0)\n",
        f"{_START}-2",
    ),
    fault_in(
        _START_C,
        "a core that is started takes the place of another one",
        "&seen, seen | 1U << index));",
        "&seen, 1U | 1U << index));",
        f"{_START}-2",
    ),
    fault_in(
        "cores/several/inbox.c",
        "what is sent to a core that does not run has no room",
        "\tif (plf_inbox_put(inbox, of_core->places, of_core->mask, task->index + 1U))\n",
        "\tif (plf_cores[task->core].place != PLF_IN_TASK)\n\t\tplf_drop(task);\n"
        "\telse if (plf_inbox_put(inbox, of_core->places, of_core->mask, task->index + 1U))\n",
        _START,
    ),
    fault_in(
        _START_C,
        "the system ends with its last core, also one that was not started",
        "plf_shared_add32(&ended, 1) + 1 == number_of_cores()",
        "plf_shared_add32(&ended, 1) + 1 == PLF_CPUS",
        _START,
    ),
    fault_in(
        "resource/plf_elsewhere.h",
        "no resource is another core's",
        "\treturn cores[resource] != 0 && !(cores[resource] >> core & 1);\n",
        "\treturn cores[resource] == 0 && core > PLF_CPUS;\n",
        _ACCESS,
    ),
    fault_in(
        "resource/plf_elsewhere.h",
        "a resource that no task has declared is another core's",
        "cores[resource] != 0 && ",
        "",
        _ACCESS,
    ),
    fault_in(
        "resource/plf_section.h",
        "another core's resource is none that the task holds",
        "plf_not_here(resource, E_OS_NOFUNC)",
        "E_OS_NOFUNC",
        _ACCESS,
    ),
    fault_in(
        "resource/plf_called_services.h",
        "the kernel takes another core's resource for another task's",
        "plf_not_here(core, resource, E_OS_ACCESS)",
        "E_OS_ACCESS",
        _ACCESS_CALLED,
    ),
    fault_in(
        _SEVERAL,
        "a core puts other cores' tasks into its own queue",
        "\tif (PLF_TASKS_ARE_INTERRUPTS || plf_has(core, task))\n",
        "\tif (task->core <= PLF_CPUS)\n",
        _ACTIVATE,
    ),
    fault_in(
        "cores/several/inbox.c",
        "a core takes one task out of its inbox",
        "\twhile ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0) {\n",
        "\tif ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0) {\n",
        _QUEUED,
    ),
    fault_in(
        "cores/several/inbox.c",
        "another core is interrupted",
        "plf_port_notify(task->core);",
        "plf_port_notify((task->core + 1U) % PLF_CPUS);",
        _ACTIVATE,
    ),
    fault_in(
        _SEVERAL,
        "a task runs on no core but the caller's",
        "return __atomic_load_n(&plf_cores[task->core].running, __ATOMIC_ACQUIRE) == task;",
        "return core->running == task;",
        _ACTIVATE,
    ),
    fault_in(
        "alarm.c",
        "another core's alarm may be set",
        "\treturn plf_is_own_alarm(core, (unsigned)index) ? E_OK : E_OS_CORE;\n",
        "\treturn core ? E_OK : E_OS_CORE;\n",
        _ALARMS,
    ),
    fault_in(
        "counter.c",
        "another core's counter may be incremented",
        "\tif (!plf_is_own(core, plf_counter_config[counter].core))\n",
        "\tif (!core)\n",
        _ALARMS,
    ),
    fault_in(
        "alarm.c",
        "a core sets the alarms of autostart of all",
        "\t\tif (plf_starts_in(config->modes) && plf_is_own_alarm(core, index))\n",
        "\t\tif (plf_starts_in(config->modes) && core)\n",
        _ALARMS,
    ),
    fault_in(
        "os.c",
        "StartupHook does not wait for the other cores",
        "\tplf_meet(PLF_BEFORE_STARTUP_HOOK);\n",
        "",
        _START,
    ),
    fault_in(
        "os.c",
        "tasks do not wait for the other cores' StartupHook",
        "\tplf_meet(PLF_AFTER_STARTUP_HOOK);\n",
        "",
        _START_ON_BOARD,
    ),
    fault_in(
        "os.c",
        "a core activates the tasks of autostart of all",
        "\t\tif (plf_starts_in(plf_task_config[index].modes) &&\n"
        "\t\t    plf_is_own(core, plf_task_config[index].core))\n",
        "\t\tif (plf_starts_in(plf_task_config[index].modes))\n",
        _START,
    ),
    fault_in(
        _START_C,
        "a core is started twice",
        "\t\tif (seen >> index & 1)\n\t\t\treturn;\n",
        "",
        _START,
    ),
    fault_in(
        _START_C,
        "a core is started after StartOS",
        "\tif (plf_this_core()->place != PLF_IN_MAIN)\n\t\treturn;\n",
        "",
        _START,
    ),
    fault_in(
        _START_C,
        "the first core that ends ends the system",
        "\tif (plf_shared_add32(&ended, 1) + 1 == number_of_cores())\n",
        "\tif (plf_shared_add32(&ended, 1) + 1 <= number_of_cores())\n",
        _END,
    ),
    fault_in(
        _START_C,
        "the last status counts",
        "\twhile (first == E_OK && !plf_shared_cas32(&first_error, &first, status))\n\t\t;\n",
        "\tplf_store_release32(&first_error, status + 0 * first);\n",
        f"{_END}-1",
    ),
    fault_in(
        "resource/plf_called_services.h",
        "the words of RES_SCHEDULER are one core's",
        "words = &plf_words_of(core)[resource];\n\tif (PLF_EXTENDED_STATUS) {\n\t\tif (plf_is_held",
        "words = &plf_resource_words[0][resource];\n\tif (PLF_EXTENDED_STATUS) {\n"
        "\t\tif (plf_is_held",
        _CALLED,
    ),
    fault_in(
        "ports/a53/memory.c",
        "the tasks of all cores have the words of the first one",
        "\tif (core > 0)\n",
        "\tif (core > PLF_CPUS)\n",
        _ON_BOARD,
    ),
    fault_in(
        "ports/a53/gic.c",
        "interrupts of all cores go to the first one",
        "GICD_IROUTER + 8 * number) = core;",
        "GICD_IROUTER + 8 * number) = core >> 8;",
        _ISR,
    ),
    fault_in(
        _SEVERAL,
        "an activation takes no room",
        "\t} while (!plf_shared_cas32(&task->room, &room, room - 1));\n",
        "\t} while (!plf_shared_cas32(&task->room, &room, room));\n",
        _STORM,
    ),
    fault_in(
        _SEVERAL,
        "a task's events outlive its activation",
        "\t\tplf_event_end(&task->event_word);\n",
        "\t\tplf_event_renew(&task->event_word);\n",
        _EVENTS,
    ),
    fault_in(
        "event.c",
        "an event may be set of a task that is not there",
        "\tif (id >= PLF_TASKS)\n\t\treturn plf_status(E_OS_ID);\n\tstatus = set_events",
        "\tstatus = set_events",
        _FOUL,
    ),
    fault_in(
        "task.c",
        "another core's activation needs no room",
        "\tif (!plf_take_room(task))\n\t\treturn at_limit(task);\n"
        "\tif (is_early(core, task))\n\t\treturn plf_status(E_OK);\n",
        "\tif (!plf_take_room(task) && plf_has(core, task))\n\t\treturn at_limit(task);\n"
        "\tif (is_early(core, task))\n\t\treturn plf_status(E_OK);\n",
        _FOUL,
    ),
    fault_in(
        "os.c",
        "the kernel has the words of the first core on all",
        "index == 0 ? &plf_page.words : &plf_other_pages[index].words;",
        "&plf_page.words;",
        _FOUL,
    ),
    fault_in(
        "os.c",
        "ShutdownOS ends the other cores, too",
        "\tplf_end_core(status);\n",
        "\tplf_port_end(status);\n",
        _FOUL,
    ),
    fault_in(
        "alarm.c",
        "another core's alarm may be cancelled",
        "\tStatusType status = check_alarm(core, index);\n\n\tif (status != E_OK)\n"
        "\t\treturn plf_status(status);\n\tif (!plf_alarms[index].is_set)\n"
        "\t\treturn plf_status(E_OS_NOFUNC);\n\tplf_take_out",
        "\tif (index >= PLF_ALARMS || !plf_alarms[index].is_set)\n"
        "\t\treturn plf_status(E_OS_NOFUNC);\n\tplf_take_out",
        _CALLS,
    ),
    fault_in(
        "event.c",
        "the events may be asked of a task that is not there",
        "\tif (id >= PLF_TASKS)\n\t\treturn plf_status(E_OS_ID);\n"
        "\tif (!plf_tasks[id].config->events)",
        "\tif (!plf_tasks[id].config->events)",
        _CALLS,
    ),
    fault_in(
        "task.c",
        "a task is asked for by the lowest byte of its number",
        "\tconst struct plf_task *task = &plf_tasks[id];\n\n\tif (id >= PLF_TASKS)\n",
        "\tconst struct plf_task *task = &plf_tasks[id];\n\n\tif ((uint8_t)id >= PLF_TASKS)\n",
        _CALLS,
    ),
    fault_in(
        "protection.c",
        "a task that is killed is the first core's",
        "\tstruct plf_core *core = plf_this_core();\n",
        "\tstruct plf_core *core = &plf_cores[0];\n",
        _FAULTS,
    ),
    fault_in(
        "ports/a53/memory.c",
        "the guards of other cores' stacks are mapped",
        "\tfor (unsigned each = 0; each < PLF_CPUS; each++) {\n",
        "\tfor (unsigned each = 0; each < 1; each++) {\n",
        _TABLES,
    ),
)
