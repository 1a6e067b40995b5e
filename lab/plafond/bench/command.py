# SPDX-License-Identifier: MIT
"""The command line of `plafond bench`."""

from typing import Annotated

import typer

from plafond.output import Format, FormatOption

app = typer.Typer(help="Measure on this machine.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure on this machine."""


@app.command()
def locks(
    output_format: FormatOption = Format.TABLE,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few repetitions: a first look, not a result.")
    ] = False,
) -> None:
    """Compare what critical sections cost, libplafond beside pthread mutexes.

    One process and one run on the last CPU allowed, SCHED_FIFO, all locks
    compiled alike, repetitions mixed at random: uncontended and nested pairs, the
    wake hook, preempted sections with their break-even, up to 64 threads, and the
    figures to reach. Times are of this machine; compare rows, not runs.

    \b
    Needs the privilege for SCHED_FIFO at priority 40 (RLIMIT_RTPRIO or
    CAP_SYS_NICE) and to lock memory (RLIMIT_MEMLOCK or CAP_IPC_LOCK).

    \b
    Examples:
      plafond bench locks
      plafond bench locks --quick
      plafond bench locks --format json > locks.json

    \b
    Exit codes:
      0    measured, whether or not the figures were reached
      1    the measurement failed
      2    wrong arguments, or a privilege is missing
      130  interrupted by Ctrl-C
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.bench.locks import measure_locks
    from plafond.bench.table import print_report

    try:
        report = measure_locks(quick)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    if output_format is Format.JSON:
        print(report.model_dump_json(indent=2))
    else:
        print_report(report)
