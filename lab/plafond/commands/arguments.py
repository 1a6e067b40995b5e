# SPDX-License-Identifier: MIT
"""The FILE argument of several commands: a description."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plafond.errors import ArgumentError

if TYPE_CHECKING:
    from plafond.describe import System
    from plafond.describe.defaults import Defaults
    from plafond.describe.source import Source

_HELP = "A description: TOML, or rt-app's JSON (NAME.json) or OIL (NAME.oil), which is converted."

FileArgument = Annotated[Path, typer.Argument(help=_HELP, metavar="FILE")]
# For a command that also runs without a description.
OptionalFileArgument = Annotated[Path | None, typer.Argument(help=_HELP, metavar="FILE")]


IncludeOption = Annotated[
    list[Path] | None,
    typer.Option(
        "-I",
        "--include",
        metavar="FOLDER",
        help="Where #include of an OIL file also searches; may be repeated.",
    ),
]
DefaultPolicyOption = Annotated[
    str | None,
    typer.Option(
        metavar="POLICY",
        help="Of threads of rt-app without one, instead of default_policy in the file, such as "
        "SCHED_FIFO.",
    ),
]
DefaultCpuOption = Annotated[
    str | None,
    typer.Option(
        metavar="CPUS",
        help="Of threads of rt-app without one: a CPU, or several such as 0,1,2, which they take "
        "in turn.",
    ),
]


def read_with_notes(
    file: Path,
    policy: str | None = None,
    cpus: str | None = None,
    folders: list[Path] | None = None,
) -> "Source":
    """Read the file. Print a note for each item that a description cannot express.

    `policy` and `cpus` are the values of DefaultPolicyOption and DefaultCpuOption, and `folders`
    those of IncludeOption: ArgumentError if a folder does not exist.
    """
    from plafond.describe.read import read

    for folder in folders or ():
        if not folder.is_dir():
            raise ArgumentError(f"-I: found {folder}; expected a folder")
    source = read(file, tuple(folders or ()), defaults=_defaults_of(policy, cpus))
    for note in source.notes:
        print(note, file=sys.stderr)
    return source


def load_with_notes(
    file: Path,
    policy: str | None = None,
    cpus: str | None = None,
    folders: list[Path] | None = None,
) -> "System":
    """Return the system that the file describes. Print notes as read_with_notes() does.

    DescriptionError also for a system without tasks, which only `check` shows.
    """
    from plafond.describe.loading import system_from

    system = system_from(read_with_notes(file, policy, cpus, folders))
    if system.needs and not system.tasks:
        raise system.needs.error
    return system


def _defaults_of(policy: str | None, cpus: str | None) -> "Defaults":
    from plafond.describe.defaults import POLICIES, Defaults
    from plafond.describe.fields import MOST_CPUS

    if policy is not None and policy not in POLICIES:
        known = ", ".join(POLICIES)
        raise ArgumentError(f"--default-policy: found {policy}; expected one of {known}")
    named = [] if cpus is None else cpus.split(",")
    if not all(re.fullmatch("[0-9]{1,4}", each) and int(each) < MOST_CPUS for each in named):
        most = MOST_CPUS - 1
        raise ArgumentError(
            f"--default-cpu: found {cpus}; expected a CPU from 0 to {most}, or several such as 0,1"
        )
    return Defaults(policy, tuple(map(int, named)))
