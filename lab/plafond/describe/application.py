# SPDX-License-Identifier: MIT
"""OS-Applications: the owner of each object, and the applications that may use it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from plafond.describe.fields import Files, Form, Listed, Name, Oil, field, one_of
from plafond.describe.function import Function
from plafond.describe.kernel import Hook
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem

MOST_APPLICATIONS = 32  # one bit each in kernel/config.h
MOST_FUNCTIONS = 255  # over all applications: a byte numbers them
HOOKS = (Hook.STARTUP, Hook.ERROR, Hook.SHUTDOWN)  # hooks that an application may have

Object = tuple[str, str]  # kind, which is the name of its table in a description, and name


@dataclass(frozen=True)
class Owner:
    """The owner of an object."""

    application: str | None  # None: no owner; only a resource may have no owner
    access: frozenset[str]  # the applications that may use the object; the owner is among them


def _in_order(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
    return tuple(hook for hook in HOOKS if hook in hooks)


class Application(Named):
    """A table [application.NAME]: objects that belong together."""

    table = "application"
    oil_kind = "APPLICATION"
    oil = """
        UINT32 [0..3] CORE : "that of all its objects, as Trampoline has it";
        BOOLEAN [
          TRUE {
            BOOLEAN [TRUE { STRING NAME = NO_DEFAULT; }, FALSE] TRUSTED_FUNCTION[]
              : "TRUSTED_NAME of a trusted file";
          },
          FALSE
        ] TRUSTED = FALSE
          : "it may have interrupts, callbacks, functions and hooks, and terminate others";
        BOOLEAN STARTUPHOOK = FALSE;
        BOOLEAN SHUTDOWNHOOK = FALSE;
        BOOLEAN ERRORHOOK = FALSE;
        BOOLEAN [TRUE { TASK_TYPE RESTARTTASK; }, FALSE] HAS_RESTARTTASK = FALSE;
        BOOLEAN TIMING_PROTECTION = FALSE;
        TASK_TYPE TASK[];
        ISR_TYPE ISR[];
        ALARM_TYPE ALARM[];
        COUNTER_TYPE COUNTER[];
        SCHEDULETABLE_TYPE SCHEDULETABLE[];
        RESOURCE_TYPE RESOURCE[] : "those that are its own; a resource need not be one's";
        STRING APP_SRC[] : "C files of its own: all their data are for its tasks alone";
    """

    elsewhere: ClassVar[Mapping[str, str]] = {
        kind.replace("_", ""): f"application of the tables [{kind}.NAME] that belong to it"
        for kind in ("task", "isr", "resource", "counter", "alarm", "schedule_table")
    } | {
        "serial": "nothing: tasks that call its functions may be inside at once",
        "stacks": "stack: each task that calls its functions has a stack of its own there",
    }

    trusted: bool = field(
        "true or false; whether it may have interrupts, callbacks of alarms, functions "
        "and hooks, which run in the kernel's mode, and terminate other applications",
        False,
        oil=Oil("TRUSTED", Form.TRUE),
    )
    hooks: Annotated[
        tuple[Annotated[Hook, one_of(HOOKS)], ...], Listed(), AfterValidator(_in_order)
    ] = field(
        f"a list of some of {', '.join(HOOKS)}; its own hooks to call, of which C "
        "defines StartupHook_NAME, ErrorHook_NAME and ShutdownHook_NAME",
        (),
        oil=Oil("STARTUPHOOK ERRORHOOK SHUTDOWNHOOK", Form.HOOKS),
    )
    restart: Name | None = field(
        "the name of one task of its own; which TerminateApplication(..., RESTART) activates",
        None,
        oil=Oil("HAS_RESTARTTASK.RESTARTTASK"),
    )
    sources: Files = field(
        "a list of C files beside the description; as sources of [kernel], but all "
        "their data are for the tasks of this application alone",
        (),
        oil=Oil("APP_SRC", Form.LIST, also="src"),
    )
    functions: Annotated[tuple[Name, ...], Listed(most=MOST_FUNCTIONS)] = field(
        "a list of names, of an application with trusted = true; of each a trusted "
        "file has TRUSTED_NAME, which tasks and handlers of all applications may call by "
        "CallTrustedFunction",
        (),
        oil=Oil(
            "TRUSTED.TRUSTED_FUNCTION.NAME", Form.LIST, also="trustedfunction trustedfunctions"
        ),
    )
    function: Annotated[dict[Name, Function], Field(max_length=MOST_FUNCTIONS)] = field(
        f"tables [application.NAME.function.NAME], at most {MOST_FUNCTIONS}, each with callers, a "
        "list of names of other applications; their tasks call FUNCTION_NAME of C, which runs in "
        "user mode with the memory of this application; not with trusted = true",
        {},
    )
    stack: Annotated[int, Field(ge=256, le=2**24)] | None = field(
        "bytes from 256 to 16777216; the stack that each task of another application has for "
        "functions of this one; default 4096",
        None,
    )

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield hooks of an application that is not trusted, because hooks run in the kernel's
        mode."""
        if self.hooks and not self.trusted:
            expected = "none, or trusted = true: they run in the kernel's mode"
            where = (*self.where, "hooks")
            yield Problem(where, ", ".join(self.hooks), expected, of_build=True)
