# SPDX-License-Identifier: MIT
"""The command line of `plafond bench`."""

from typing import Annotated

import typer

from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as
from plafond.vm.guest import KernelLine

QuickOption = Annotated[
    bool, typer.Option("--quick", help="Few repetitions: a first look, not a result.")
]

app = typer.Typer(help="Measure what locks cost.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure what locks cost."""


@app.command()
def locks(
    output_format: FormatOption = Format.TABLE,
    quick: QuickOption = False,
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

    with ended_by_ctrl_c():
        report = measure_locks(quick)
    print_as(output_format, report, print_report)


@app.command()
def pthread(
    output_format: FormatOption = Format.TABLE,
    quick: QuickOption = False,
) -> None:
    """Compare what pthread mutexes cost plain and with the drop-in preloaded.

    One program that knows pthreads only, on the last CPU allowed, SCHED_FIFO, as two
    processes in turn: plain, and with libplafond-pthread.so. Uncontended pairs on each
    path through the drop-in, preempted sections with their break-even, whole programs
    that use no ceilings, and the figures to reach. Times are of this machine; compare
    rows, not runs.

    \b
    Needs two CPUs, the privilege for SCHED_FIFO at priority 40 (RLIMIT_RTPRIO or
    CAP_SYS_NICE) and to lock memory (RLIMIT_MEMLOCK or CAP_IPC_LOCK).

    \b
    Examples:
      plafond bench pthread
      plafond bench pthread --quick
      plafond bench pthread --format json > pthread.json

    \b
    Exit codes:
      0    measured, whether or not the figures were reached
      1    the measurement failed
      2    wrong arguments, or a privilege is missing
      130  interrupted by Ctrl-C
    """
    # Late, as above.
    from plafond.bench.pthread.measure import measure_pthread
    from plafond.bench.pthread.table import print_report

    with ended_by_ctrl_c():
        report = measure_pthread(quick)
    print_as(output_format, report, print_report)


@app.command()
def instructions(
    kernel: Annotated[KernelLine, typer.Option(help="Of the virtual machine.")] = KernelLine.V6_12,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Count what sections cost in instructions, in a virtual machine with plafond.ko.

    QEMU boots Debian's PREEMPT_RT kernel, emulated, and counts every instruction, the
    kernel's too. All ways to lock in one table: uncontended, nested, preempted,
    and what each costs threads that use no lock; Almatary 2015, Table I; the
    kernel's mutexes; and the figures to reach. The figures repeat exactly. They are
    no times.

    \b
    Needs no privilege. Kernel and modules are fetched and built on first use.

    \b
    Examples:
      plafond bench instructions
      plafond bench instructions --kernel 7.x
      plafond bench instructions --format json > instructions.json

    \b
    Exit codes:
      0    measured, whether or not the figures were reached
      1    the measurement failed, or the virtual machine did
      2    wrong arguments, or something is missing here
      130  interrupted by Ctrl-C
    """
    # Late, as above.
    from plafond.bench.instructions.measure import measure_instructions
    from plafond.bench.instructions.table import print_report

    with ended_by_ctrl_c():
        report = measure_instructions(kernel)
    print_as(output_format, report, print_report)


@app.command()
def kernel(
    board: Annotated[
        str, typer.Option(help="Where: a53, a Cortex-A53, QEMU's board virt.")
    ] = "a53",
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Count what Plafond's own kernel costs in instructions: Zuepke 2014, Almatary 2015.

    Builds the programs of bench/kernel for each way to change priorities or deadlines, and
    runs them in QEMU, which counts every instruction, the kernel's too. Zuepke's Tables II
    and III in the paper's layout with its gains beside ours; what each variable that tasks
    can read costs; masked interrupts instead; Almatary's Table I for IPCP and the deadline
    floor, and the nested sections of Section V; how EDF's ready queue grows; and the
    figures to reach. The figures repeat exactly. They are no times.

    \b
    Needs no privilege, but a cross compiler, ninja and QEMU.

    \b
    Examples:
      plafond bench kernel
      plafond bench kernel --board a53 --format json > kernel.json

    \b
    Exit codes:
      0    measured, whether or not the figures were reached
      1    the measurement failed: an image was not built, hung or trapped
      2    wrong arguments, or a compiler or QEMU is missing
      130  interrupted by Ctrl-C
    """
    # Late, as above.
    from plafond.bench.kernel.measure import measure_kernel
    from plafond.bench.kernel.table import print_report

    with ended_by_ctrl_c():
        report = measure_kernel(board)
    print_as(output_format, report, print_report)
