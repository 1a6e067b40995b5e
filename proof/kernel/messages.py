# SPDX-License-Identifier: MIT
"""Faults in the messages of the kernel."""

from __future__ import annotations

from proof.kernel.in_image import PLACES, fault_in, fault_in_row, faults_of

_MESSAGES = "messages-sim-standard-uprio-nprio"
_ON_BOARD = "messages-a53-standard-uprio-nprio"
_BARE = "messages_bare-sim-standard-uprio-nprio"
_CORES = "cores_messages-sim-standard-uprio-nprio"
_FOUL = "foul_messages-a53-standard-uprio-nprio"
_MESSAGE_C = {
    "check_core": _CORES,
    "check_sent": _MESSAGES,
    "check_received": _MESSAGES,
    "check_queue": _MESSAGES,
    "is_trusted": _FOUL,
    "check_source": _FOUL,
    "check_target": _FOUL,
    "check_source: keep only !plf_port_may_read": _ON_BOARD,
    "check_target: keep only !plf_port_may_write": _ON_BOARD,
    "copy": _MESSAGES,
    "put": _MESSAGES,
    "take": _MESSAGES,
    "empty": _MESSAGES,
    "set_flag": _MESSAGES,
    "notify": _MESSAGES,
    "send": _BARE,
    "plf_send_message": _MESSAGES,
    "plf_send_zero_message": _MESSAGES,
    "plf_receive_message": _MESSAGES,
    "plf_get_message_status": _MESSAGES,
    "plf_init_message": _MESSAGES,
    "reset": _MESSAGES,
    "plf_start_com": _MESSAGES,
    "plf_start_com: always": _CORES,
    "plf_stop_com": _MESSAGES,
}

MESSAGES = (
    *faults_of("message.c", _MESSAGE_C),
    fault_in(
        "calls.c",
        "a callback of a message may not call what tasks and handlers may",
        " | (PLF_MESSAGES ? PLF_IN_COM_CALLBACK : 0)",
        "",
        _MESSAGES,
    ),
    fault_in_row(
        "SEND_MESSAGE", PLACES, "a callback of a message sends messages", "HANDLING", _MESSAGES
    ),
    fault_in_row("SEND_MESSAGE", PLACES, "a handler sends no message", "0", _MESSAGES),
    fault_in(
        "error.c",
        "an error of OSEK OS goes to COMErrorHook",
        "service >= PLF_CALL_SEND_MESSAGE",
        "service",
        _MESSAGES,
    ),
)
