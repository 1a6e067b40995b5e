# SPDX-License-Identifier: MIT
"""Faults in what applications may use: of application.c, and where calls.c asks it."""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_STANDARD = "applications-sim-standard-uprio-nprio"
_EXTENDED = "applications-sim-extended-uprio-nprio"
_ON_BOARD = "applications-a53-standard-syscall"
_APPLICATION_C = {
    "find": _STANDARD,
    "application_of": _STANDARD,
    "names_two": _STANDARD,
    "plf_access_of_application": _STANDARD,
    "plf_get_application_id": _STANDARD,
    "plf_check_object_access": _STANDARD,
    "plf_check_object_ownership": _STANDARD,
}
_KINDS = (
    ("ACTIVATE_TASK", "TASK"),
    ("CHAIN_TASK", "TASK"),
    ("GET_TASK_STATE", "TASK"),
    ("SET_EVENT", "TASK"),
    ("GET_EVENT", "TASK"),
    ("GET_ALARM_BASE", "ALARM"),
    ("GET_ALARM", "ALARM"),
    ("SET_REL_ALARM", "ALARM"),
    ("SET_ABS_ALARM", "ALARM"),
    ("CANCEL_ALARM", "ALARM"),
    ("INCREMENT_COUNTER", "COUNTER"),
    ("START_TABLE_REL", "SCHEDULETABLE"),
    ("START_TABLE_ABS", "SCHEDULETABLE"),
    ("STOP_TABLE", "SCHEDULETABLE"),
    ("NEXT_TABLE", "SCHEDULETABLE"),
    ("GET_TABLE_STATUS", "SCHEDULETABLE"),
    ("START_TABLE_SYNCHRON", "SCHEDULETABLE"),
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
        "\tif (PLF_APPLICATIONS && core->place == PLF_IN_ISR) {\n",
        "\tif (PLF_APPLICATIONS && !core) {\n",
        _STANDARD,
    ),
    fault_in(
        "calls.c",
        "hooks may not use what their task may not",
        "\tif (PLF_APPLICATIONS && core->place == PLF_IN_ISR) {\n",
        "\tif (PLF_APPLICATIONS && core->running) {\n",
        _STANDARD,
    ),
    fault_in(
        "calls.c",
        "any hook may ask for access",
        "CHECKING = PLF_IN_ISR | PLF_IN_ERROR_HOOK | PLF_IN_PROTECTION_HOOK,",
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
)
