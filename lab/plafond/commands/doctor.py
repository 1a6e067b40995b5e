# SPDX-License-Identifier: MIT
"""The command line of `plafond doctor`."""

import typer

from plafond.commands.arguments import (
    DefaultCpuOption,
    DefaultPolicyOption,
    OptionalFileArgument,
    load_with_notes,
)
from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as


def doctor(
    file: OptionalFileArgument = None,
    default_policy: DefaultPolicyOption = None,
    default_cpu: DefaultCpuOption = None,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Report what this machine gives a real-time program, and what to change.

    The exit code says whether `plafond run FILE --on linux` will be meaningful. It needs
    SCHED_FIFO threads up to priority 99, pinned, with locked memory. Warnings do not change
    the exit code; they mean noisier times or a weaker ceiling rule.

    \b
    It changes no setting. It tries policies, locked memory and mutexes in a child process
    that ends within five seconds. A real-time thread watches each of up to four CPUs for a
    second. As root it sees more.

    With FILE it also names the interrupt threads that run before tasks of the description,
    and prints [server] tables that bound them.

    \b
    Examples:
      plafond doctor
      sudo plafond doctor
      plafond doctor my.toml
      plafond doctor --format json | jq '.findings[] | select(.verdict != "ok")'

    \b
    Exit codes:
      0    run --on linux will be meaningful here
      1    it will not: a privilege or a part of the system is missing; or FILE is wrong
      2    wrong arguments
      130  interrupted by Ctrl-C
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.doctor.examine import examine
    from plafond.doctor.machine import Machine
    from plafond.doctor.probes import try_here
    from plafond.doctor.table import print_report
    from plafond.reserve.rivals import interrupt_threads

    with ended_by_ctrl_c():
        system = load_with_notes(file, default_policy, default_cpu) if file else None
        machine = Machine()
        report = examine(machine, try_here())
        if system:
            findings = [*report.findings, interrupt_threads(machine, system)]
            report = report.model_copy(update={"findings": findings})
    print_as(output_format, report, print_report)
    if not report.meaningful:
        raise typer.Exit(1)
