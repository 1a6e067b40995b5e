# SPDX-License-Identifier: MIT
"""The command line of `plafond build`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from plafond.commands.arguments import (
    DefaultCpuOption,
    DefaultPolicyOption,
    FileArgument,
    IncludeOption,
    load_with_notes,
)
from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as


def build(
    file: FileArgument,
    board: Annotated[
        str,
        typer.Option(
            help="sim: a simulated processor, a program of this machine. a53: a Cortex-A53, QEMU's "
            "board virt."
        ),
    ],
    protocol: Annotated[
        str | None,
        typer.Option(
            help="Instead of the description's: syscall, syscall-bare, syscall-id-uprio, "
            "uprio-kprio, uprio-kprio-lazy, uprio-nprio, lazy-ceiling, lazy-ceiling-simple or "
            "irq-off; by hardware mask, uprio-kprio, uprio-kprio-lazy or lazy-ceiling; under EDF "
            "deadline-floor or lazy-floor."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the image.  [default: build/kernel/NAME-BOARD]"),
    ] = None,
    include: IncludeOption = None,
    default_policy: DefaultPolicyOption = None,
    default_cpu: DefaultCpuOption = None,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Build an image of Plafond's own kernel from a description.

    Generates the kernel's configuration as readable C: system.h, system.c, and the task
    bodies in tasks.c. Compiles it with only the needed parts of the kernel. Prints the size
    of each part, the stack of each task, and the addresses of the words that tasks and the
    kernel share.

    The same description gives the same image, byte by byte. A second build compiles only
    changed files, and prints only their compiler warnings.

    The image's folder also has image.gdb.py: gdb commands for tasks, stacks, resources,
    events, alarms and counters. image.ort is for debuggers that read ORTI 2.2. With several
    cores, each core has such a file.

    \b
    Examples:
      plafond build examples/inversion.toml --board sim
      plafond build examples/zuepke-2014-figure-1.toml --board a53 --protocol syscall
      plafond build examples/almatary-2015-floor.toml --board a53 --protocol deadline-floor
      plafond build examples/osek-console.oil --board a53
      plafond build my.toml --board a53 --out /tmp/image
      plafond build my.toml --board a53 --format json

    \b
    Exit codes:
      0    the image was built
      1    the description is wrong, or the board cannot hold it, or C does not compile
      2    wrong arguments, or a compiler or ninja is missing
      130  interrupted by Ctrl-C
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.build.image import build_image
    from plafond.build.report import report_of
    from plafond.build.table import print_report

    with ended_by_ctrl_c():
        system = load_with_notes(file, default_policy, default_cpu, include)
        image = build_image(system, board, protocol, out)
    for warning in image.warnings:
        print(warning, file=sys.stderr)
    report = report_of(image)
    print_as(output_format, report, print_report)
