# SPDX-License-Identifier: MIT
"""OS-Applications: whose each object is, and which other ones may use it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from plafond.describe.fields import Files, Form, Listed, Name, Oil, Strict, field, one_of
from plafond.describe.kernel import Hook

MOST_APPLICATIONS = 32  # a bit each in kernel/config.h
MOST_FUNCTIONS = 255  # of all of them: a byte numbers them
HOOKS = (Hook.STARTUP, Hook.ERROR, Hook.SHUTDOWN)  # that one may have

Object = tuple[str, str]  # kind, as the tables of a description are called, and name


@dataclass(frozen=True)
class Application:
    """Objects that belong together."""

    name: str
    trusted: bool = False  # it may have what runs in the kernel's mode, and terminate others
    restart: str | None = None  # the task that restarts it
    sources: tuple[Path, ...] = ()  # of those in user mode: all their data are its own
    functions: tuple[str, ...] = ()  # that it offers to all others, in the kernel's mode
    hooks: tuple[Hook, ...] = ()


@dataclass(frozen=True)
class Owner:
    """Whose an object is."""

    application: str | None  # None: that of none, which only resources can be
    access: frozenset[str]  # the applications that may use it, its own among them


class ApplicationFields(Strict):
    """One [application.NAME]."""

    elsewhere: ClassVar[Mapping[str, str]] = {
        kind.replace("_", ""): f"application of the tables [{kind}.NAME] that belong to it"
        for kind in ("task", "isr", "resource", "counter", "alarm", "schedule_table")
    }

    trusted: bool = field(
        "true or false; whether it may have interrupts, callbacks of alarms, functions "
        "and hooks, which run in the kernel's mode, and terminate other applications",
        False,
    )
    hooks: Annotated[tuple[Annotated[str, one_of(list(HOOKS))], ...], Listed()] = field(
        f"a list of some of {', '.join(HOOKS)}; its own hooks to call, of which C "
        "defines StartupHook_NAME, ErrorHook_NAME and ShutdownHook_NAME",
        (),
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
        oil=Oil(also="trustedfunction trustedfunctions"),
    )
