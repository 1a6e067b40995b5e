# SPDX-License-Identifier: MIT
"""Faults in the expiry of an alarm: callbacks and counters. core.py has the other faults."""

from __future__ import annotations

from proof.kernel.in_image import PLACES, fault_in, fault_in_row, faults_of

_ALARMS = "alarms-sim-standard-uprio-nprio"
_CALLBACKS = "callbacks-sim-standard-uprio-nprio"
_CASCADES = "cascades-sim-standard-uprio-nprio"
_CALLS = "PLF_CALLBACKS && config->action == PLF_ALARM_CALLS"
_TABLES = "schedule_tables-sim-standard-uprio-nprio"
_DRIVES = "PLF_SCHEDULE_TABLES && config->action == PLF_ALARM_DRIVES"
_INCREMENTS = "PLF_INCREMENTS && config->action == PLF_ALARM_INCREMENTS"
_ALARM_C = {
    "act": _ALARMS,
    f"act: not ({_CALLS})": _CALLBACKS,
    "act: keep only PLF_CALLBACKS": _CALLBACKS,
    "act: keep only config->action == PLF_ALARM_CALLS": _CALLBACKS,
    "act: flip config->action == PLF_ALARM_CALLS": _CALLBACKS,
    "act: drop plf_call_back": _CALLBACKS,
    f"act: not ({_INCREMENTS})": _CASCADES,
    "act: keep only PLF_INCREMENTS": _CASCADES,
    "act: keep only config->action == PLF_ALARM_INCREMENTS": _CASCADES,
    "act: flip config->action == PLF_ALARM_INCREMENTS": _CASCADES,
    "act: drop plf_tick": _CASCADES,
    f"act: not ({_DRIVES})": _TABLES,
    "act: keep only PLF_SCHEDULE_TABLES": _TABLES,
    "act: keep only config->action == PLF_ALARM_DRIVES": _TABLES,
    "act: flip config->action == PLF_ALARM_DRIVES": _TABLES,
    "act: drop plf_drive_table": _TABLES,
}

_COUNTERS = "counters-sim-standard-uprio-nprio"
_COUNTER_C = {
    "check_counter": _COUNTERS,
    "value_of": _COUNTERS,
    "plf_get_counter_value": _COUNTERS,
    "plf_get_elapsed_value": _COUNTERS,
}

EXPIRIES = (
    *faults_of("alarm.c", _ALARM_C),
    *faults_of("callback.h", {"plf_call_back": _CALLBACKS}),
    *faults_of("counter.c", _COUNTER_C),
    fault_in(
        "counter.c",
        "another core's counter may be read",
        "\treturn plf_is_own(core, plf_counter_config[counter].core) ? E_OK : E_OS_CORE;\n",
        "\treturn core ? E_OK : E_OS_CORE;\n",
        "cores_alarms-sim-standard-uprio-nprio",
    ),
    *faults_of("alarm.h", {"plf_tick": _CASCADES}),
    *faults_of("task_signal.h", {"plf_signal": _ALARMS}),
    fault_in(
        "calls.c",
        "a callback may call what a hook may",
        "NOT_IN_CALLBACK = ANYWHERE & ~PLF_IN_CALLBACK,",
        "NOT_IN_CALLBACK = ANYWHERE,",
        _CALLBACKS,
    ),
    fault_in_row(
        "SUSPEND_ALL_INTERRUPTS",
        PLACES,
        "a callback may not hold back all interrupts",
        "NOT_IN_CALLBACK",
        _CALLBACKS,
    ),
)
