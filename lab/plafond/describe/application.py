# SPDX-License-Identifier: MIT
"""OS-Applications: whose each object is, and which other ones may use it."""

from dataclasses import dataclass
from pathlib import Path

from plafond.describe.kernel import Hook

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
