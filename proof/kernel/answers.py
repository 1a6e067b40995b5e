# SPDX-License-Identifier: MIT
"""Faults in queries of hooks and handlers: the parameters of an error, and the running handler.

The faults are in error.c, isr_id.c and the calls that keep the parameters.
"""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_PARAMETERS = "error_parameters-sim-standard-uprio-nprio"
_EXTENDED = "error_parameters-sim-extended-uprio-nprio"
_CORES = "cores_errors-sim-extended-uprio-nprio"
_ISR_ID, _ON_BOARD = "isr_id-sim-standard-uprio-nprio", "isr_id-a53-standard-uprio-nprio"
_CORES_ISR_ID = "cores_isr_id-a53-standard-uprio-nprio"
_MESSAGES = "messages-sim-standard-uprio-nprio"
_COM_ALONE = "messages_edf-sim-standard-lazy-floor"
_COM_NOT = "cores_messages-sim-standard-uprio-nprio"
_ERROR_C = {
    "is_for_hook": "hooks-sim-standard-uprio-nprio",
    "plf_error_parameter": _PARAMETERS,
    "plf_keep_parameters": _PARAMETERS,
    "plf_error": "hooks-sim-standard-uprio-nprio",
    "is_for_hook: keep only PLF_ERROR_HOOK": _COM_ALONE,
    "is_of_messages": _MESSAGES,
    "plf_error: not (PLF_COM_ERROR_HOOK": _MESSAGES,
    "plf_error: keep only PLF_COM_ERROR_HOOK": _MESSAGES,
    "plf_error: drop COMErrorHook": _MESSAGES,
    "plf_error: keep only PLF_ERROR_HOOK": _COM_NOT,
    "plf_error: keep only !is_of_messages": _MESSAGES,
    "plf_error: keep only is_of_messages": _MESSAGES,
}
_ISR_ID_C = {
    "GetISRID": _ISR_ID,
    "GetISRID: keep only !plf_is_category_1(isr)": _CORES_ISR_ID,
    "GetISRID: keep only !plf_is_category_1(isr) &&": _ISR_ID,
    "GetISRID: always plf_is_own": _CORES_ISR_ID,
}

ANSWERS = (
    *faults_of("error.c", _ERROR_C),
    *faults_of("isr_id.c", _ISR_ID_C),
    fault_in(
        "task_signal.h",
        "an alarm that activates does not say which task",
        "PLF_CALL_ACTIVATE_TASK, index, 0,",
        "PLF_CALL_ACTIVATE_TASK, 7, 0,",
        _PARAMETERS,
    ),
    fault_in(
        "task_signal.h",
        "an alarm that sets events does not say which",
        "PLF_CALL_SET_EVENT, index, events, 0);\n",
        "PLF_CALL_SET_EVENT, index, 0, 0);\n",
        _EXTENDED,
    ),
    fault_in(
        "calls.c",
        "an error of user code comes without the resource",
        "(unsigned)service, parameter, 0, 0);",
        "(unsigned)service, 0 * parameter + 7, 0, 0);",
        _EXTENDED,
    ),
    fault_in(
        "resource/plf_section.h",
        "user code does not pass the resource",
        "\t\tplf_call3(PLF_CALL_ERROR, service, status, resource);\n",
        "\t\tplf_call3(PLF_CALL_ERROR, service, status, 7 + 0 * resource);\n",
        _EXTENDED,
    ),
    fault_in(
        "error.c",
        "all cores keep the parameters in one place",
        "\tuintptr_t *kept = parameters[plf_index_of(core)];\n",
        "\tuintptr_t *kept = parameters[0];\n",
        _CORES,
    ),
    fault_in(
        "global/mpcp/plf_global.h",
        "user code of MPCP does not pass the resource",
        "plf_refused(PLF_CALL_GET_GLOBAL, status, resource)",
        "plf_refused(PLF_CALL_GET_GLOBAL, status, 0)",
        _CORES,
    ),
    fault_in(
        "global/plf_spinlock.h",
        "user code does not pass the spinlock",
        "plf_refused(PLF_CALL_RELEASE_GLOBAL, status, lock)",
        "plf_refused(PLF_CALL_RELEASE_GLOBAL, status, 0)",
        "cores_errors-sim-extended-msrp",
    ),
    fault_in(
        "ports/a53/gic.c",
        "a source is active where its neighbour is",
        "number / 32 * 4) >> number % 32 & 1;\n",
        "number / 32 * 4) != 0;\n",
        _ON_BOARD,
    ),
)
