# SPDX-License-Identifier: MIT
"""The model's OS-Applications: docs/kernel/applications.md (AUTOSAR OS 4.x, 7.6 and 8.4).

The description gives each object its application. The state of an application decides whether other
applications may use its objects.
"""

from __future__ import annotations

from .program import Code, Status, Step
from .rights import ObjectKind, Owner, Rights

INVALID_APPLICATION = 0xFF
NO_ACCESS, ACCESS = range(2)
ACCESSIBLE, RESTARTING, TERMINATED = range(3)
NO_RESTART, RESTART = range(2)

# The kind of object that a service names. Resources are missing, because their users are known when
# the image is built.
NAMED = {
    Code.ACTIVATE_TASK: ObjectKind.TASK,
    Code.CHAIN_TASK: ObjectKind.TASK,
    Code.GET_TASK_STATE: ObjectKind.TASK,
    Code.SET_EVENT: ObjectKind.TASK,
    Code.GET_EVENT: ObjectKind.TASK,
    Code.GET_ALARM_BASE: ObjectKind.ALARM,
    Code.GET_ALARM: ObjectKind.ALARM,
    Code.SET_REL_ALARM: ObjectKind.ALARM,
    Code.SET_ABS_ALARM: ObjectKind.ALARM,
    Code.CANCEL_ALARM: ObjectKind.ALARM,
    Code.INCREMENT_COUNTER: ObjectKind.COUNTER,
    Code.GET_COUNTER_VALUE: ObjectKind.COUNTER,
    Code.GET_ELAPSED_VALUE: ObjectKind.COUNTER,
    Code.START_TABLE_REL: ObjectKind.SCHEDULETABLE,
    Code.START_TABLE_ABS: ObjectKind.SCHEDULETABLE,
    Code.STOP_TABLE: ObjectKind.SCHEDULETABLE,
    Code.NEXT_TABLE: ObjectKind.SCHEDULETABLE,
    Code.GET_TABLE_STATUS: ObjectKind.SCHEDULETABLE,
}


class Applications:
    """The application of each object, and the state of each application now."""

    def __init__(self, rights: Rights) -> None:
        """All applications are accessible."""
        self.rights = rights
        self.states = [ACCESSIBLE for _ in rights.applications]

    def is_open(self, owner: int, by: int) -> bool:
        """SWS_Os_00509: other applications may use only an accessible application."""
        return owner == by or self.states[owner] == ACCESSIBLE

    def refuses(self, step: Step, by: int) -> bool:
        """SWS_Os_00056. A number without an object is not refused here."""
        if step.code not in NAMED:
            return False
        numbers = [step.object, *([step.first] if step.code == Code.NEXT_TABLE else [])]
        owners = [self.rights.owner(NAMED[step.code], number) for number in numbers]
        return None not in owners and any(self.is_closed(owner, by) for owner in owners)

    def is_closed(self, owner: Owner | None, by: int) -> bool:
        """Whether an object is closed to `by`: it has no access, or the owner is not accessible."""
        if owner is None or owner.application is None:
            return False
        return by not in owner.access or not self.is_open(owner.application, by)

    def access(self, application: int, kind: int, number: int) -> int:
        """CheckObjectAccess: SWS_Os_00271, 00272, 00423."""
        owner = self.rights.owner(kind, number)
        return NO_ACCESS if owner is None or application not in owner.access else ACCESS

    def ownership(self, kind: int, number: int) -> int:
        """CheckObjectOwnership: SWS_Os_00273, 00274."""
        owner = self.rights.owner(kind, number)
        if owner is None or owner.application is None:
            return INVALID_APPLICATION
        return owner.application

    def allow(self, by: int) -> Status:
        """AllowAccess: SWS_Os_00497, 00498."""
        if self.states[by] != RESTARTING:
            return Status.E_OS_STATE
        self.states[by] = ACCESSIBLE
        return Status.E_OK

    def refusal(self, by: int, number: int, option: int) -> Status:
        """The status of TerminateApplication, checked in the order of os_applications.h."""
        applications = self.rights.applications
        if number >= len(applications):  # SWS_Os_00493
            return Status.E_OS_ID
        if option not in (NO_RESTART, RESTART):  # SWS_Os_00459
            return Status.E_OS_VALUE
        if option == RESTART and applications[number].restart is None:
            return Status.E_OS_VALUE
        if by != number and not applications[by].is_trusted:  # SWS_Os_00494
            return Status.E_OS_ACCESS
        state = self.states[number]
        is_again = state == RESTARTING and (by != number or option == RESTART)
        if state == TERMINATED or is_again:  # SWS_Os_00507, 00508, 00548
            return Status.E_OS_STATE
        return Status.E_OK
