# SPDX-License-Identifier: MIT
"""The command line of `plafond doctor`."""

import typer

from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as


def doctor(output_format: FormatOption = Format.TABLE) -> None:
    """Report what this machine gives a real-time program, and what to change.

    The answer is whether `plafond run FILE --on linux` will be meaningful: real
    SCHED_FIFO threads up to priority 99, pinned, memory locked. Warnings do not
    change it; they make times noisy, or the ceiling rule weaker.

    \b
    Nothing is changed. What can only be tried (policy, locked memory, mutexes) is
    tried in a child process that ends within five seconds. As root it sees more.

    \b
    Examples:
      plafond doctor
      sudo plafond doctor
      plafond doctor --format json | jq '.findings[] | select(.verdict != "ok")'

    \b
    Exit codes:
      0    run --on linux will be meaningful here
      1    it will not: a privilege or a part of the system is missing
      2    wrong arguments
      130  interrupted by Ctrl-C
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.doctor.examine import examine
    from plafond.doctor.machine import Machine
    from plafond.doctor.probes import try_here
    from plafond.doctor.table import print_report

    with ended_by_ctrl_c():
        report = examine(Machine(), try_here())
    print_as(output_format, report, print_report)
    if not report.meaningful:
        raise typer.Exit(1)
