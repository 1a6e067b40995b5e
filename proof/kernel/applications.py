# SPDX-License-Identifier: MIT
"""Faults in what applications may use: of application.c, and where calls.c asks it."""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_STANDARD = "applications-sim-standard-uprio-nprio"
_EXTENDED = "applications-sim-extended-uprio-nprio"
_ON_BOARD = "applications-a53-standard-syscall"
_ENDS = "applications_end-sim-standard-uprio-nprio"
_ENDS_EXTENDED = "applications_end-sim-extended-uprio-nprio"
_NO_RESTART = "applications_foul-a53-standard-uprio-nprio-2"
_FUNCTIONS = "functions-sim-standard-uprio-nprio"
_TWICE = "applications_foul-a53-standard-uprio-nprio-3"
_APPLICATION_C = {
    "find": _STANDARD,
    "may_use": _ENDS,
    "may_use: keep only plf_is_open_to": _STANDARD,
    "caller_on": _STANDARD,
    "plf_application_of": _FUNCTIONS,
    "names_two": _STANDARD,
    "plf_access_of_application": _STANDARD,
    "plf_get_application_id": _FUNCTIONS,
    "plf_get_current_application_id": _FUNCTIONS,
    "plf_check_object_access": _STANDARD,
    "plf_check_object_ownership": _STANDARD,
}
# By service and the kind of object that it names, one or two of each.
_KINDS = (
    ("CHAIN_TASK", "TASK"),
    ("GET_EVENT", "TASK"),
    ("GET_ALARM_BASE", "ALARM"),
    ("INCREMENT_COUNTER", "COUNTER"),
    ("SYNC_TABLE", "SCHEDULETABLE"),
    ("SET_TABLE_ASYNC", "SCHEDULETABLE"),
)

APPLICATIONS = (
    *faults_of("application.c", _APPLICATION_C),
    *(
        fault_in(
            "application.c",
            f"{service} may be called for all",
            f"\t[PLF_CALL_{service}] = 1 + OBJECT_{kind},\n",
            "",
            _STANDARD,
        )
        for service, kind in _KINDS
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
        "\tif (PLF_APPLICATIONS && core->place & OF_APPLICATIONS) {\n",
        "\tif (PLF_APPLICATIONS && !core) {\n",
        _STANDARD,
    ),
    fault_in(
        "calls.c",
        "hooks may not use what their task may not",
        "\tif (PLF_APPLICATIONS && core->place & OF_APPLICATIONS) {\n",
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
        "(option == NO_RESTART || config->restart != INVALID_TASK);",
        "(option == NO_RESTART || config->restart >= NO_RESTART);",
        _NO_RESTART,
    ),
    fault_in(
        "protection.c",
        "one that restarts is restarted again",
        "\tif (option == RESTART && plf_application_state[application] == APPLICATION_RESTARTING)\n"
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
            ("termination.c", "an event", "\tplf_end_events(task);\n", _ENDS),
            ("termination.c", "a wait", "\ttask->is_waiting = false;\n", _ENDS),
            ("termination.c", "a section", "\tplf_forget_words(task);\n", _ENDS_EXTENDED),
            ("termination.c", "a place in code", "\tplf_port_forget_context(task);\n", _ENDS),
            ("termination.c", "an activation", "\tplf_prepare_task(task);\n", _ENDS),
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
        "scheduler/priority/schedule.c",
        "a level without tasks counts as ready",
        "\tif (ring->head == ring->tail)\n\t\tplf_queue_of(core)->ready &= ~plf_bit(level);\n",
        "",
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
)
