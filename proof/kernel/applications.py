# SPDX-License-Identifier: MIT
"""Faults in access rights of applications: in application.c and in its callers in calls.c."""

from __future__ import annotations

from proof.kernel.in_image import KIND, PLACES, fault_in, fault_in_row, faults_of

_STANDARD = "applications-sim-standard-uprio-nprio"
_EXTENDED = "applications-sim-extended-uprio-nprio"
_ON_BOARD = "applications-a53-standard-syscall"
_ENDS = "applications_end-sim-standard-uprio-nprio"
_ENDS_EXTENDED = "applications_end-sim-extended-uprio-nprio"
_CORES = "cores_applications-sim-standard-uprio-nprio"
_ANSWERS = "timing_answers-sim-standard-uprio-nprio"
_LATE = "cores_applications_late-a53-standard-uprio-nprio"
_SEVERAL = "cores/several/plf_cores.h"
_ONE = "cores/one/plf_cores.h"
_ISR = "applications_isr-sim-extended-uprio-nprio"
_ISR_ON_BOARD = "applications_isr-a53-standard-syscall"
_WAITING = "scheduler/priority/waiting.c"
_HOOKS = "applications_hooks-sim-standard-uprio-nprio"
_CHECKED = (
    "\tif (PLF_APPLICATIONS && "
    "(core->place & OF_APPLICATIONS || plf_is_application_hook(core))) {\n"
)
_NO_RESTART = "applications_foul-a53-standard-uprio-nprio-2"
_FUNCTIONS = "functions-sim-standard-uprio-nprio"
_PROTECTED = "protected-sim-standard-uprio-nprio"
_TWICE = "applications_foul-a53-standard-uprio-nprio-3"
_APPLICATION_C = {
    "find": _STANDARD,
    "may_use": _ENDS,
    "may_use: keep only plf_is_open_to": _STANDARD,
    "caller_on": _STANDARD,
    "plf_application_of": _FUNCTIONS,
    "plf_application_of: not (PLF_PROTECTED": _PROTECTED,
    "plf_application_of: keep only PLF_PROTECTED": _PROTECTED,
    "plf_application_of: keep only is_task_asking": _PROTECTED,
    "names_two": _STANDARD,
    "plf_access_of_application": _STANDARD,
    "plf_get_application_id": _FUNCTIONS,
    "plf_get_current_application_id": _FUNCTIONS,
    "plf_check_object_access": _STANDARD,
    "plf_check_object_ownership": _STANDARD,
}
# The steps that end an application after its running task.
_CLOSED = (
    "\tplf_set_application_state(application, option == RESTART ? APPLICATION_RESTARTING\n"
    "\t\t\t\t\t\t\t\t : APPLICATION_TERMINATED);\n"
)
_STOPPED = (
    "\tstop_interrupts(core, application);\n\tstop_alarms(core, application);\n"
    "\tend_tasks(core, application);\n"
)
_ALL_ELSE = _CLOSED + _STOPPED
# For each kind of object, one or two services that name it.
_CHECKED_SERVICES = (
    *("CHAIN_TASK", "GET_EVENT", "GET_ALARM_BASE", "INCREMENT_COUNTER"),
    *("SYNC_TABLE", "SET_TABLE_ASYNC"),
)

APPLICATIONS = (
    fault_in(
        "termination.c",
        "AllowAccess lets in what was sent before it",
        "\tplf_receive(core);\n\tplf_set_application_state(application, APPLICATION_ACCESSIBLE);\n",
        "\tplf_set_application_state(application, APPLICATION_ACCESSIBLE);\n",
        _CORES,
    ),
    fault_in(
        "cores/several/inbox.c",
        "an application that restarts gets what other cores had begun",
        "plf_state_of_application(owner) != APPLICATION_ACCESSIBLE",
        "plf_state_of_application(owner) == APPLICATION_TERMINATED",
        _CORES,
    ),
    *(
        fault_in("cores/several/inbox.c", name, text, new, _CORES)
        for name, text, new in (
            (
                "of an application that restarts a task that another core wakes is dropped",
                " &&\n\t       !plf_has_waited(task);\n",
                ";\n",
            ),
            (
                "an application that ended for good gets what other cores had begun",
                "plf_state_of_application(owner) != APPLICATION_ACCESSIBLE",
                "plf_state_of_application(owner) == APPLICATION_RESTARTING",
            ),
            (
                "tasks of all applications are dropped while the first one is closed",
                "plf_owner_of(OBJECT_TASK, task->index);\n",
                "plf_owner_of(OBJECT_TASK, 0 * task->index);\n",
            ),
        )
    ),
    fault_in(
        "termination.c",
        "a task keeps its spinlock if its application ends itself",
        "\tplf_leave_global(core, task);\n",
        "\tif (core->running)\n\t\tplf_leave_global(core, task);\n",
        _CORES,
    ),
    fault_in(
        "termination.c",
        "a task calls the kernel for tasks that ended with their application",
        "\tif (core->running)\n"
        "\t\tplf_next_changed(core, plf_next_seen(core->running, plf_next_level(core)));\n",
        "",
        _ANSWERS,
    ),
    fault_in(
        "termination.c",
        "of an application that ends one table stops",
        "\t\t\t(void)plf_stop_table(table, 0, 0, core);\n",
        "\t\t{\n\t\t\t(void)plf_stop_table(table, 0, 0, core);\n\t\t\tbreak;\n\t\t}\n",
        _ENDS,
    ),
    fault_in(
        "application_hooks.c",
        "one application of a core has a startup hook",
        "\t\tplf_application_hooks[application].startup();\n",
        "\t\tplf_application_hooks[application].startup();\n\t\tbreak;\n",
        _HOOKS,
    ),
    fault_in(
        "application_hooks.c",
        "one application of a core has a shutdown hook",
        "\t\tplf_application_hooks[application].shutdown(status);\n",
        "\t\tplf_application_hooks[application].shutdown(status);\n\t\tbreak;\n",
        _HOOKS,
    ),
    *faults_of("application.c", _APPLICATION_C),
    *(
        fault_in_row(service, KIND, f"{service} may be called for all", "0", _STANDARD)
        for service in _CHECKED_SERVICES
    ),
    fault_in(
        "calls.c",
        "in standard status tasks may use what is of other applications",
        "\tif (PLF_APPLICATIONS && status == E_OK)\n",
        "\tif (PLF_APPLICATIONS && PLF_EXTENDED_STATUS && status == E_OK)\n",
        _ON_BOARD,
    ),
    fault_in(
        "calls.c",
        "applications come before interrupts that are held back",
        "\tif ((PLF_SERVERS || PLF_APPLICATIONS) && result.status == E_OK)\n",
        "\tif (PLF_SERVERS || PLF_APPLICATIONS)\n",
        _EXTENDED,
    ),
    fault_in(
        "calls.c",
        "handlers may use what is of other applications",
        _CHECKED,
        "\tif (PLF_APPLICATIONS && plf_is_application_hook(core)) {\n",
        _STANDARD,
    ),
    fault_in(
        "calls.c",
        "hooks may not use what their task may not",
        _CHECKED,
        "\tif (PLF_APPLICATIONS && core->running) {\n",
        _STANDARD,
    ),
    fault_in(
        "calls.c",
        "any hook may ask for access",
        "CHECKING = HANDLING | PLF_IN_ERROR_HOOK | PLF_IN_PROTECTION_HOOK,",
        "CHECKING = ANYWHERE,",
        _STANDARD,
    ),
    fault_in(
        "calls.c",
        "StartupHook may not ask where it runs",
        "INSIDE = ASKING | PLF_IN_STARTUP_HOOK | PLF_IN_SHUTDOWN_HOOK,",
        "INSIDE = ASKING | PLF_IN_SHUTDOWN_HOOK,",
        _STANDARD,
    ),
    fault_in(
        "routine.h",
        "a handler is its task's application's",
        "\tif (PLF_ROUTINES_ARE_KNOWN)\n",
        "\tif (PLF_ISR_RESOURCES)\n",
        _STANDARD,
    ),
    fault_in(
        "application.h",
        "what is terminated is open to all",
        "\treturn !PLF_TERMINATION || owner == by ||\n",
        "\treturn !PLF_TERMINATION || owner == by || !owner || owner ||\n",
        _ENDS,
    ),
    fault_in(
        "application.h",
        "an application without a task for it is restarted",
        "option == NO_RESTART || plf_application_config[application].restart != INVALID_TASK;",
        "option == NO_RESTART || plf_application_config[application].restart >= NO_RESTART;",
        _NO_RESTART,
    ),
    fault_in(
        "protection.c",
        "one that restarts is restarted again",
        "\tif (option == RESTART && plf_state_of_application(application) == "
        "APPLICATION_RESTARTING)\n"
        "\t\treturn false;\n",
        "",
        _TWICE,
    ),
    *(
        fault_in(file, f"of an application that ends {what} stays", text, "\t;\n", image)
        for file, what, text, image in (
            (
                "termination.c",
                "an alarm",
                "\t\t\t(void)plf_cancel_alarm(alarm, 0, 0, core);\n",
                _ENDS,
            ),
            ("termination.c", "a table", "\t\t\t(void)plf_stop_table(table, 0, 0, core);\n", _ENDS),
            (_ONE, "an event", "\tplf_end_events(task);\n", _ENDS),
            ("termination.c", "a section", "\tplf_forget_words(task);\n", _ENDS_EXTENDED),
            ("termination.c", "a place in code", "\tplf_port_forget_context(task);\n", _ENDS),
            ("termination.c", "a mask of interrupts", "\tplf_forget_masks(task);\n", _ENDS),
            ("scheduler/priority/schedule.c", "a ready task", "\tleave_ring(core, task);\n", _ENDS),
            (
                "scheduler/priority/schedule.c",
                "a preempted task",
                "\t*link = task->below;\n",
                _ENDS,
            ),
        )
    ),
    fault_in(
        _ONE,
        "of an application that ends a task waits on",
        "\ttask->is_waiting = false;\n\tplf_prepare_task(task);\n",
        "\tplf_prepare_task(task);\n",
        _ENDS,
    ),
    fault_in(
        _ONE,
        "of an application that ends an activation stays",
        "\tplf_prepare_task(task);\n\treturn true;\n",
        "\treturn true;\n",
        _ENDS,
    ),
    fault_in(
        "termination.c",
        "an application that restarts does not end for good",
        "(by != application || option == RESTART)",
        "(by != application || option <= RESTART)",
        _ENDS,
    ),
    fault_in(
        "termination.c",
        "an application ends on any core",
        "\tif (!plf_is_own(core, config->core))\n\t\treturn E_OS_CORE;\n",
        "",
        _CORES,
    ),
    fault_in(
        "scheduler/priority/schedule.c",
        "a level without tasks counts as ready",
        "\tif (ring->head == ring->tail)\n\t\tplf_queue_of(core)->ready &= ~plf_bit(level);\n",
        "",
        _ENDS,
    ),
    fault_in(
        "termination.c",
        "PostTaskHook finds an application that has ended",
        f"\tend_running(core, application);\n{_ALL_ELSE}",
        f"{_ALL_ELSE}\tend_running(core, application);\n",
        _ENDS,
    ),
    fault_in(
        "termination.c",
        "any application terminates any other",
        "by != application && !plf_application_config[by].is_trusted",
        "by != application && !plf_application_config",
        _ENDS,
    ),
    fault_in(
        "termination.c",
        "others terminate what restarts",
        "(by != application || option == RESTART)",
        "(option == RESTART)",
        _ENDS,
    ),
    fault_in(
        "termination.c",
        "what restarts begins again",
        "(by != application || option == RESTART)",
        "(by != application)",
        _ENDS,
    ),
    *(
        fault_in(file, name, text, "", image)
        for file, name, text, image in (
            (
                "termination.c",
                "interrupts of an application that ended come",
                "\t\tplf_port_disable(plf_isr_config[isr].source);\n",
                _ISR,
            ),
            (
                "termination.c",
                "interrupts of an application that restarted do not come",
                "\tstart_interrupts(application);\n",
                _ISR,
            ),
            (
                "termination.c",
                "a routine of an application that ended waits on",
                "\t\tif (PLF_ROUTINES_WAIT)\n\t\t\tplf_drop_waiting(core, isr);\n",
                _ISR,
            ),
            (
                _WAITING,
                "whichever routine waits does so no more",
                " || waiting[plf_index_of(core)] != isr",
                _ISR,
            ),
            (
                "ports/a53/gic.c",
                "an interrupt that came while it was disabled comes later",
                "\twrite_bit(GICD_ICPENDR, PLF_GIC_SHARED + source);\n",
                _ISR_ON_BOARD,
            ),
        )
    ),
    fault_in(
        _WAITING,
        "the interrupt of a routine that waits no more stays active",
        "\tplf_port_end_interrupt(plf_isr_config[isr].source);\n\tshow_next(core);\n}\n\n",
        "\tshow_next(core);\n}\n\n",
        _ISR,
    ),
    fault_in_row("TERMINATE_APPLICATION", PLACES, "handlers terminate no application", "0", _ISR),
    *(
        fault_in(file, name, text, new, image)
        for file, name, text, new, image in (
            (
                "termination.c",
                "a handler goes on in an application that it ended",
                "\t\tplf_leave_handler(core);\n",
                "\t\t;\n",
                _ISR,
            ),
            (
                "routine.c",
                "a handler that ended its application keeps its resource",
                "\troutine->top = 0;\n\troutine->held = 0;\n\t__builtin_longjmp",
                "\t__builtin_longjmp",
                _ISR,
            ),
            (
                "routine.c",
                "a handler that ended its application holds interrupts back",
                "\troutine->masks = (struct plf_masks) { 0 };\n",
                "",
                _ISR_ON_BOARD,
            ),
            (
                "scheduler/priority/plf_schedule.h",
                "a preempted task goes on that a routine has ended",
                "\t\tif (PLF_TERMINATION) {",
                "\t\tif (PLF_TERMINATION && !core) {",
                _ISR,
            ),
            (
                "scheduler/priority/plf_schedule.h",
                "a running task goes on that a routine has ended",
                "\t\tif (PLF_TERMINATION && !core->running) {",
                "\t\tif (PLF_TERMINATION && !core) {",
                _ISR,
            ),
        )
    ),
    fault_in(
        "calls.c",
        "hooks of applications may use what is of others",
        _CHECKED,
        "\tif (PLF_APPLICATIONS && core->place == PLF_IN_ISR) {\n",
        _HOOKS,
    ),
    fault_in(
        "task_signal.h",
        "an alarm's error is that of the task that runs",
        "\tif (PLF_APPLICATION_HOOKS)\n\t\tplf_acts_for(core, by);\n",
        "",
        _HOOKS,
    ),
    fault_in(
        "task_signal.h",
        "what comes behind an alarm's error is the alarm's, too",
        "\tif (PLF_APPLICATION_HOOKS)\n\t\tplf_acts_for(core, INVALID_OSAPPLICATION);\n",
        "",
        _HOOKS,
    ),
    fault_in(
        "os.c",
        "ShutdownHook comes before those of applications",
        "\tif (PLF_APPLICATION_HOOKS)\n"
        "\t\tplf_call_shutdown_hooks(plf_this_core(), status);\n"
        "\tif (PLF_SHUTDOWN_HOOK)\n\t\tShutdownHook(status);\n",
        "\tif (PLF_SHUTDOWN_HOOK)\n\t\tShutdownHook(status);\n"
        "\tif (PLF_APPLICATION_HOOKS)\n"
        "\t\tplf_call_shutdown_hooks(plf_this_core(), status);\n",
        _HOOKS,
    ),
    *faults_of(
        "application_hooks.c",
        {
            "application_in": _HOOKS,
            "is_here": _HOOKS,
            "plf_call_startup_hooks": _HOOKS,
            "plf_call_shutdown_hooks": _HOOKS,
            "at_fault": _HOOKS,
            "plf_call_error_hooks": _HOOKS,
        },
    ),
    *(
        fault_in(file, name, text, new, image)
        for file, name, text, new, image in (
            (
                _SEVERAL,
                "an activation that another core has begun is not waited for",
                "\t\treturn plf_load_acquire32(&task->room) == task->most;\n",
                "\t\treturn true;\n",
                _LATE,
            ),
            (
                _SEVERAL,
                "nor is one of a task with events",
                "\t\tif (seen != 0 && !plf_event_is_waiting(seen))\n\t\t\treturn false;\n",
                "",
                _LATE,
            ),
            (
                _SEVERAL,
                "a wake that another core has begun is not waited for",
                "if (seen != 0 && !plf_event_is_waiting(seen))",
                "if (seen != 0 && seen >> PLF_EVENT_SHIFT == 0)",
                _LATE,
            ),
            (
                "termination.c",
                "an application restarts with the activation of another core",
                "\twhile (plf_activate(core, task) != E_OK && PLF_CPUS > 1) {\n",
                "\tif (plf_activate(core, task) != E_OK && PLF_CPUS > 1) {\n",
                _LATE,
            ),
            (
                "termination.c",
                "an application that restarts waits for an activation, and does not receive it",
                "\t\tplf_port_wait_a_little();\n\t\tplf_receive(core);\n",
                "\t\tplf_port_wait_a_little();\n",
                _LATE,
            ),
            (
                "termination.c",
                "an application is closed when its tasks have ended",
                _CLOSED + _STOPPED,
                _STOPPED + _CLOSED,
                _LATE,
            ),
            (
                "termination.c",
                "a task that ended keeps its spinlock",
                "\tplf_leave_global(core, task);\n",
                "",
                _CORES,
            ),
            (
                "scheduler/priority/schedule.c",
                "an activation that was ready keeps its room",
                "\t\telse\n\t\t\tplf_drop(task);\n",
                "",
                _CORES,
            ),
            (
                "scheduler/priority/schedule.c",
                "a preempted activation keeps its room",
                "\tplf_drop(task);\n\treturn true;\n",
                "\treturn true;\n",
                _CORES,
            ),
        )
    ),
)
