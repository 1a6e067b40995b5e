# SPDX-License-Identifier: MIT
"""Faults in trusted functions: in trusted_function.c, their rights, and the rights of tasks."""

from __future__ import annotations

from proof.kernel.in_image import PLACES, Fault, fault_in, fault_in_row, faults_of

_STANDARD = "functions-sim-standard-uprio-nprio"
_CORES = "cores_functions-sim-standard-uprio-nprio"
_FOUL = "foul_functions-a53-standard-uprio-nprio"
_CALL, _MEMORY = "CALL_TRUSTED_FUNCTION", "CHECK_TASK_MEMORY_ACCESS"
_CURRENT = "GET_CURRENT_APPLICATION_ID"
_FUNCTION_C = {
    "plf_provider_on": _STANDARD,
    "call": _STANDARD,
    "may_call": _STANDARD,
    "may_call: keep only plf_is_open_to": _CORES,
    "plf_call_trusted_function": _STANDARD,
    "plf_check_task_memory_access": _STANDARD,
}


def _in_calls(name: str, old: str, new: str, image: str = _STANDARD) -> Fault:
    return fault_in("calls.c", name, old, new, image)


def _in_memory(name: str, old: str, new: str) -> Fault:
    return fault_in("ports/a53/memory.c", name, old, new, _FOUL)


TRUSTED = (
    *faults_of("trusted_function.c", _FUNCTION_C),
    fault_in(
        "trusted_function.c",
        "all cores have one provider",
        "static uint8_t providers[PLF_CPUS];",
        "static uint8_t providers[PLF_CPUS];\n#define plf_index_of(core) (0 * plf_index_of(core))",
        _CORES,
    ),
    fault_in(
        "application.c",
        "a function has the rights of its caller",
        "\tif (PLF_TRUSTED_FUNCTIONS && plf_provider_on(core) != INVALID_OSAPPLICATION &&\n"
        "\t    !plf_is_application_hook(core))\n\t\treturn plf_provider_on(core);\n",
        "",
        _STANDARD,
    ),
    fault_in(
        "application.c",
        "a function's caller is its application",
        "\treturn plf_value(caller_on(core));\n",
        "\treturn plf_value(plf_application_of(core));\n",
        _STANDARD,
    ),
    _in_calls(
        "a function may use what is of other applications",
        "OF_APPLICATIONS = PLF_IN_ISR | IN_FUNCTION,",
        "OF_APPLICATIONS = PLF_IN_ISR,",
    ),
    _in_calls(
        "a function may call nothing",
        "IN_FUNCTION = PLF_TRUSTED_FUNCTIONS ? PLF_IN_TRUSTED_FUNCTION : 0,",
        "IN_FUNCTION = 0,",
    ),
    _in_calls(
        "a function may not send",
        "SENDING = PLF_IN_ISR | IN_FUNCTION,",
        "SENDING = PLF_IN_ISR,",
    ),
    *(
        fault_in_row(service, PLACES, name, new, _STANDARD)
        for service, name, new in (
            (_CALL, "a function calls another one", "SENDING"),
            (_CALL, "a callback of a message calls a function", "ISR_ONLY | PLF_IN_COM_CALLBACK"),
            (_CALL, "a callback of an alarm calls a function", "ISR_ONLY | PLF_IN_CALLBACK"),
            (_CALL, "a hook calls a function", "ISR_ONLY | PLF_IN_PRETASK_HOOK"),
            (_CALL, "a handler calls no function", "0"),
            (_MEMORY, "any hook may ask for the memory of tasks", "ANYWHERE"),
            (_MEMORY, "a function may not ask for the memory of tasks", "PLF_IN_ISR"),
            (_CURRENT, "a function may not ask where it is", "ISR_ONLY"),
        )
    ),
    fault_in(
        "ports/sim/processor.c",
        "all memory is a stack",
        "address + (size - 1) < low + STACK_BYTES;",
        "address + (size - 1) < low + STACK_BYTES || low;",
        _STANDARD,
    ),
    fault_in(
        "ports/a53/port.c",
        "the stack of a task goes on above it",
        "address + (size - 1) < config->stack_high;",
        "address < config->stack_high;",
        _FOUL,
    ),
    fault_in(
        "ports/a53/port.c",
        "the stack of a task goes on below it",
        "bool is_stack = address >= config->stack_low && address",
        "bool is_stack = address",
        "functions-a53-standard-syscall",
    ),
    _in_memory(
        "another task may do what the running one may",
        "\tput_in_force(plf_memory_of_task(index));\n",
        "",
    ),
    _in_memory("a task goes on with the memory of another one", "\tput_in_force(before);\n", ""),
    _in_memory(
        "what may be read may be written",
        "(user_may_write_page(page) ? PLF_IS_WRITEABLE : 0u)",
        "(user_may_read_page(page) ? PLF_IS_WRITEABLE : 0u)",
    ),
    _in_memory(
        "what may not be read is nothing to ask for",
        "(user_may_read_page(page) ? PLF_IS_READABLE : 0u)",
        "PLF_IS_READABLE",
    ),
    _in_memory(
        "the first page speaks for all",
        "access && page <= last;\n",
        "access && page <= address;\n",
    ),
    _in_memory(
        "code begins where nothing is",
        "address >= (uintptr_t)plf_shared_text && last",
        "last",
    ),
    _in_memory("code does not end", "&& last < (uintptr_t)plf_user_text_end;", "&& last;"),
)
