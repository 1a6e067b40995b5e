# SPDX-License-Identifier: MIT
"""Properties common to services: the places that may call them, and the values that they leave."""

from __future__ import annotations

from .applications import INVALID_APPLICATION, NO_ACCESS
from .program import POINTERS, Code, Place, Step

MASK = (1 << 64) - 1
UNTOUCHED, UNTOUCHED_EVENTS = 0xEE, 0xEEEE

# 12.3, Figure 12-1: the services that each kind of code besides tasks may call, and AUTOSAR's
# services (Table 2).
ISRS = frozenset({Place.ISR_0, Place.ISR_1})
CALLBACKS = frozenset({Place.CALLBACK_0, Place.CALLBACK_1})
ASKING = ISRS | {Place.ERROR, Place.PRE_TASK, Place.POST_TASK}
ENDING = ISRS | {Place.ERROR, Place.STARTUP}
ANYWHERE = frozenset(Place)
ALLOWED: dict[Code, frozenset[Place]] = {
    Code.ACTIVATE_TASK: ISRS,
    Code.GET_TASK_ID: ASKING,
    Code.GET_TASK_STATE: ASKING,
    Code.SET_EVENT: ISRS,
    Code.GET_EVENT: ASKING,
    Code.GET_ALARM_BASE: ASKING,
    Code.GET_ALARM: ASKING,
    Code.SET_REL_ALARM: ISRS,
    Code.SET_ABS_ALARM: ISRS,
    Code.CANCEL_ALARM: ISRS,
    Code.INCREMENT_COUNTER: ISRS,
    Code.DISABLE_ALL_INTERRUPTS: ANYWHERE - CALLBACKS,
    Code.ENABLE_ALL_INTERRUPTS: ANYWHERE - CALLBACKS,
    Code.SUSPEND_ALL_INTERRUPTS: ANYWHERE,
    Code.RESUME_ALL_INTERRUPTS: ANYWHERE,
    Code.SUSPEND_OS_INTERRUPTS: ANYWHERE - CALLBACKS,
    Code.RESUME_OS_INTERRUPTS: ANYWHERE - CALLBACKS,
    Code.GET_ACTIVE_APPLICATION_MODE: ANYWHERE - CALLBACKS,
    Code.SHUTDOWN_OS: ENDING,
    Code.GET_COUNTER_VALUE: ISRS,
    Code.GET_ELAPSED_VALUE: ISRS,
    Code.GET_APPLICATION_ID: ANYWHERE - CALLBACKS,
    Code.CHECK_OBJECT_ACCESS: ISRS | {Place.ERROR},
    Code.CHECK_OBJECT_OWNERSHIP: ISRS | {Place.ERROR},
    Code.GET_APPLICATION_STATE: ANYWHERE - CALLBACKS,
    Code.ALLOW_ACCESS: ISRS,
    Code.TERMINATE_APPLICATION: ISRS,
    Code.START_TABLE_REL: ISRS,
    Code.START_TABLE_ABS: ISRS,
    Code.STOP_TABLE: ISRS,
    Code.NEXT_TABLE: ISRS,
    Code.GET_TABLE_STATUS: ISRS,
    Code.SEND_MESSAGE: ISRS,
    Code.RECEIVE_MESSAGE: ISRS,
    Code.GET_MESSAGE_STATUS: ASKING,
}
OF_INTERRUPTS = frozenset(
    {
        Code.DISABLE_ALL_INTERRUPTS,
        Code.ENABLE_ALL_INTERRUPTS,
        Code.SUSPEND_ALL_INTERRUPTS,
        Code.RESUME_ALL_INTERRUPTS,
        Code.SUSPEND_OS_INTERRUPTS,
        Code.RESUME_OS_INTERRUPTS,
    }
)
WHILE_MASKED = OF_INTERRUPTS | {Code.SHUTDOWN_OS, Code.GET_ISR_ID}
OF_APPLICATIONS = frozenset(
    {Code.GET_APPLICATION_ID, Code.CHECK_OBJECT_ACCESS, Code.CHECK_OBJECT_OWNERSHIP}
)
WITHOUT_STATUS = (
    OF_INTERRUPTS
    | OF_APPLICATIONS
    | {Code.GET_ACTIVE_APPLICATION_MODE, Code.GET_ISR_ID, Code.SHUTDOWN_OS, Code.RAISE}
)


def untouched(step: Step) -> tuple[int, int]:
    """The values that the variables of fuzz.c had before."""
    if step.code == Code.GET_ALARM_BASE:
        return UNTOUCHED << 32 | UNTOUCHED, UNTOUCHED
    if step.code == Code.GET_EVENT:
        return UNTOUCHED_EVENTS, 0
    if step.code == Code.GET_ELAPSED_VALUE:
        return UNTOUCHED, step.first & 0xFFFFFFFF
    if step.code in (Code.GET_APPLICATION_ID, Code.CHECK_OBJECT_OWNERSHIP):
        return INVALID_APPLICATION, 0
    if step.code == Code.CHECK_OBJECT_ACCESS:
        return NO_ACCESS, 0
    is_stored = step.code in POINTERS or step.code == Code.RECEIVE_MESSAGE
    return (UNTOUCHED, 0) if is_stored else (0, 0)


OF_OBJECT = frozenset(
    {
        Code.ACTIVATE_TASK,
        Code.CHAIN_TASK,
        Code.GET_TASK_STATE,
        Code.GET_RESOURCE,
        Code.RELEASE_RESOURCE,
        Code.SET_EVENT,
        Code.GET_EVENT,
        Code.GET_ALARM_BASE,
        Code.GET_ALARM,
        Code.SET_REL_ALARM,
        Code.SET_ABS_ALARM,
        Code.CANCEL_ALARM,
        Code.INCREMENT_COUNTER,
        Code.GET_COUNTER_VALUE,
        Code.GET_ELAPSED_VALUE,
        Code.CHECK_OBJECT_ACCESS,
        Code.GET_APPLICATION_STATE,
        Code.TERMINATE_APPLICATION,
        Code.START_TABLE_REL,
        Code.START_TABLE_ABS,
        Code.STOP_TABLE,
        Code.NEXT_TABLE,
        Code.GET_TABLE_STATUS,
    }
)


def parameters_of(step: Step) -> tuple[int, int, int]:
    """The parameters that ErrorHook reads (11.2)."""
    if step.code in (Code.CLEAR_EVENT, Code.WAIT_EVENT):
        return step.first & MASK, 0, 0
    if step.code == Code.SHUTDOWN_OS:
        return step.first & 0xFF, 0, 0
    if step.code == Code.CHECK_OBJECT_OWNERSHIP:
        return step.first & 0xFF, step.second & MASK, 0
    first = step.object if step.code in OF_OBJECT else 0
    if step.code == Code.SET_EVENT:
        return first, step.first & MASK, 0
    if step.code in (Code.SET_REL_ALARM, Code.SET_ABS_ALARM):
        return first, step.first & 0xFFFFFFFF, step.second & 0xFFFFFFFF
    if step.code in (Code.START_TABLE_REL, Code.START_TABLE_ABS, Code.NEXT_TABLE):
        return first, step.first, 0
    if step.code == Code.CHECK_OBJECT_ACCESS:
        return first, step.first & 0xFF, step.second & 0xFFFFFFFF
    if step.code == Code.TERMINATE_APPLICATION:
        return first, step.first & 0xFF, 0
    return first, 0, int(step.code in POINTERS and not step.is_null)
