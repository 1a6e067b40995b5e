# SPDX-License-Identifier: MIT
"""The exit codes of images: 0, a status code of OSEK, or a code above them."""

TRAPPED = 100  # a trap in the kernel itself
STUCK = 124  # the simulated processor is idle, and no event can ever come

# In the order of kernel/include/os_types.h.
STATUS_NAMES = (
    "E_OK",
    "E_OS_ACCESS",
    "E_OS_CALLEVEL",
    "E_OS_ID",
    "E_OS_LIMIT",
    "E_OS_NOFUNC",
    "E_OS_RESOURCE",
    "E_OS_STATE",
    "E_OS_VALUE",
    "E_OS_SERVICEID",
    "E_OS_ILLEGAL_ADDRESS",
    "E_OS_MISSINGEND",
    "E_OS_DISABLEDINT",
    "E_OS_PARAM_POINTER",
    "E_OS_PROTECTION_MEMORY",
    "E_OS_PROTECTION_EXCEPTION",
    "E_OS_CORE",
    "E_OS_INTERFERENCE_DEADLOCK",
    "E_OS_NESTING_DEADLOCK",
    "E_OS_SPINLOCK",
    "E_OS_PROTECTION_LOCKED",
    "E_OS_PROTECTION_TIME",
    "E_OS_PROTECTION_ARRIVAL",
    "E_OS_STACKFAULT",
)


def ending_of(code: int) -> str:
    """Describe the end of an image by its exit code, which is not 0."""
    if code == TRAPPED:
        return "trapped: the kernel did what it may not"
    if code == STUCK:
        return "hung: nothing runs, and nothing will ever come"
    if code < len(STATUS_NAMES):
        return f"ended with {STATUS_NAMES[code]}"
    return f"ended with the exit code {code}"
