# SPDX-License-Identifier: MIT
"""Generated faults in the start and the end of the kernel, with one core and with several."""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_START, _END = "cores_start-sim-standard-uprio-nprio", "cores_end-sim-standard-uprio-nprio"
_START_ON_BOARD = "cores_start-a53-standard-uprio-nprio"
_ACTIVATE = "cores_activate-sim-standard-uprio-nprio"
_RESOURCES = "cores_resources-sim-standard-uprio-nprio"
_AUTOSTART = "autostart-sim-standard-uprio-nprio"
_TABLES = "table_starts-sim-standard-uprio-nprio"
_SHUTDOWN = "shutdown-sim-standard-uprio-nprio"
_MODES = "modes-sim-standard-uprio-nprio"
_CORES_MODES = "cores_modes-sim-standard-uprio-nprio"
_STATUS = "resource_status-sim-extended-uprio-nprio"

_START_C = {
    "number_of_cores": _START,
    "plf_wait_for_all": _START,
    "StartCore": _START,
    "note_mode": f"{_CORES_MODES}-1",
    "note_mode: weaken mode >= PLF_MODES": f"{_CORES_MODES}-4",
    "note_mode: keep only first != 0": _CORES_MODES,
    "note_mode: flip first != mode + 1U": _CORES_MODES,
    "note_mode: drop plf_port_end(E_OS_ID)": f"{_CORES_MODES}-4",
    "note_mode: drop plf_port_end(E_OS_STATE)": f"{_CORES_MODES}-3",
    "StartOS": _START,
    "StartOS: not (PLF_MODES)": _CORES_MODES,
    "StartOS: drop note_mode": _CORES_MODES,
    "plf_main": _END,
    "plf_begin": _START,
    "plf_begin: drop plf_port_end": f"{_START}-1",
    "plf_shutdown_all_cores": f"{_END}-2",
    "plf_note_status": f"{_END}-1",
    "plf_leave_system": _END,
}
_ONE_C = {
    "StartOS": f"{_MODES}-1",
    "StartOS: weaken mode >= PLF_MODES": f"{_MODES}-2",
    "StartOS: drop plf_port_end": f"{_MODES}-2",
    "plf_main": "modes_default-sim-standard-uprio-nprio",
    "plf_begin": _MODES,
    "plf_begin: drop plf_port_end": f"{_MODES}-3",
}
_MODE_H = {
    "plf_mode": f"{_MODES}-1",
    "plf_starts_in": _MODES,
}
_OS_C = {
    "plf_prepare": _RESOURCES,
    "start_tasks": _START,
    "start_tasks: keep only plf_is_own": _ACTIVATE,
    "plf_start": _START,
    "plf_start: drop core->place = PLF_IN_TASK": _STATUS,
    "plf_start: drop plf_meet(PLF_AFTER_STARTUP_HOOK": _START_ON_BOARD,
    "plf_start: not (PLF_ALARMS)": _AUTOSTART,
    "plf_start: not (PLF_SCHEDULE_TABLES)": _TABLES,
    "plf_start: drop plf_start_alarms": _AUTOSTART,
    "call_shutdown_hook": _END,
    "call_shutdown_hook: drop plf_this_core()->place": _SHUTDOWN,
    "plf_shut_down": f"{_END}-2",
    "plf_shut_down: drop plf_port_end": _ACTIVATE,
    "plf_shut_down_core": _END,
    "plf_shut_down_core: drop plf_note_end": f"{_END}-1",
    "plf_shutdown_os": _END,
}

START = (
    *faults_of("cores/several/start.c", _START_C),
    *faults_of("cores/one/start.c", _ONE_C),
    *faults_of("mode.h", _MODE_H),
    *faults_of("os.c", _OS_C),
    fault_in(
        "mode.h", "each autostart is of all modes", "modes >> plf_mode() & 1", "modes", _MODES
    ),
    fault_in("mode.h", "the mode is the first", "plf_noted_mode - 1)", "0)", f"{_MODES}-1"),
)
