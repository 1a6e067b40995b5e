# SPDX-License-Identifier: MIT
"""The command line of `plafond bench`."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from plafond.errors import ArgumentError
from plafond.output import INTERRUPTED, Format, FormatOption, ended_by_ctrl_c, print_as
from plafond.vm.guest import KernelLine, Processor

QuickOption = Annotated[
    bool, typer.Option("--quick", help="Few and short measurements: a first look, not a result.")
]

REAL_TIME = """the privilege for SCHED_FIFO at priority 70 (RLIMIT_RTPRIO or
CAP_SYS_NICE) and to lock memory (RLIMIT_MEMLOCK or CAP_IPC_LOCK)."""


def _help(
    measures: str,
    needs: str,
    examples: Sequence[str],
    failed: str = "the measurement failed",
    missing: str = "a privilege is missing",
    done: str = "measured, whether or not the figures were reached",
) -> str:
    """Return the help of a command. The last three texts explain exit codes 1, 2 and 0."""
    lines = "\n".join(f"  plafond bench {example}" for example in examples)
    return f"""{measures}

\b
Needs {needs}

\b
Examples:
{lines}

\b
Exit codes:
  0    {done}
  1    {failed}
  2    wrong arguments, or {missing}
  130  interrupted by Ctrl-C
"""


app = typer.Typer(
    help="Measure what locks and preemptions cost, and what reservations and servers do.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def bench() -> None:
    """Measure what locks and preemptions cost, and what reservations and servers do."""


@app.command(
    help=_help(
        """Compare what critical sections cost, libplafond beside pthread mutexes.

One process and one run on the last CPU allowed, SCHED_FIFO, all locks
compiled alike, repetitions mixed at random: uncontended and nested pairs, the
wake hook, preempted sections with their break-even, up to 64 threads,
hand-overs between two CPUs with the section from which on sleeping beats
spinning, and the figures to reach. Times are of this machine; compare rows,
not runs.""",
        REAL_TIME,
        ["locks", "locks --quick", "locks --format json > locks.json"],
    )
)
def locks(
    output_format: FormatOption = Format.TABLE,
    quick: QuickOption = False,
) -> None:
    """Compare what critical sections cost, libplafond beside pthread mutexes."""
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.bench.locks import measure_locks
    from plafond.bench.table import print_report

    with ended_by_ctrl_c():
        report = measure_locks(quick)
    print_as(output_format, report, print_report)


@app.command(
    help=_help(
        """Compare what pthread mutexes cost plain and with the drop-in preloaded.

One program that knows pthreads only, on the last CPU allowed, SCHED_FIFO, as two
processes in turn: plain, and with libplafond-pthread.so. Uncontended pairs on each
path through the drop-in, preempted sections with their break-even, whole programs
that use no ceilings, and the figures to reach. Times are of this machine; compare
rows, not runs.""",
        f"two CPUs, {REAL_TIME}",
        ["pthread", "pthread --quick", "pthread --format json > pthread.json"],
    )
)
def pthread(
    output_format: FormatOption = Format.TABLE,
    quick: QuickOption = False,
) -> None:
    """Compare what pthread mutexes cost plain and with the drop-in preloaded."""
    # Late, as above.
    from plafond.bench.pthread.measure import measure_pthread
    from plafond.bench.pthread.table import print_report

    with ended_by_ctrl_c():
        report = measure_pthread(quick)
    print_as(output_format, report, print_report)


@app.command(
    help=_help(
        """Measure real-time programs that lock, plain and with the drop-in preloaded.

pi_stress of rt-tests, whose inherit mutexes get the ceilings that `plafond preload --learn`
found: how many inversions it gets through in a time. Ada programs, whose run-time system
locks with PTHREAD_PRIO_PROTECT: what each operation of a task costs. And examples of
pthreads, an audio callback and the executor of a robot, under each kind of lock: how long
the most urgent callback waits, and how many scheduling calls are made.
Figures are of this machine; compare columns, not runs.""",
        "cc, rt-tests, gnat and strace, and the privilege for SCHED_FIFO (CAP_SYS_NICE).",
        ["programs", "programs --quick", "programs --format json > programs.json"],
        missing="a program is missing",
    )
)
def programs(
    output_format: FormatOption = Format.TABLE,
    quick: QuickOption = False,
) -> None:
    """Measure real-time programs that lock, plain and with the drop-in preloaded."""
    # Late, as above.
    from plafond.bench.programs.measure import measure_programs
    from plafond.bench.programs.table import print_report

    with ended_by_ctrl_c():
        report = measure_programs(quick)
    print_as(output_format, report, print_report)


@app.command(
    help=_help(
        """Count what sections cost in instructions, in a virtual machine with plafond.ko.

QEMU boots Debian's PREEMPT_RT kernel, emulated, and counts every instruction, the
kernel's too. All ways to lock in one table: uncontended, nested, preempted,
and the cost to threads that use no lock; the drop-in beside plain glibc;
Almatary 2015, Table I; the kernel's mutexes; and the figures to reach. The
figures repeat exactly. They are no times.""",
        "no privilege. Kernel and modules are fetched and built on first use.",
        [
            "instructions",
            "instructions --kernel 7.x",
            "instructions --processor aarch64",
            "instructions --format json > instructions.json",
        ],
        failed="the measurement failed, or the virtual machine did",
        missing="something is missing here",
    )
)
def instructions(
    kernel: Annotated[KernelLine, typer.Option(help="Of the virtual machine.")] = KernelLine.V6_12,
    processor: Annotated[
        Processor, typer.Option(help="Of the virtual machine.")
    ] = Processor.X86_64,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Count what sections cost in instructions, in a virtual machine with plafond.ko."""
    # Late, as above.
    from plafond.bench.instructions.measure import measure_instructions
    from plafond.bench.instructions.table import print_report

    with ended_by_ctrl_c():
        report = measure_instructions(kernel, processor)
    print_as(output_format, report, print_report)


@app.command(
    help=_help(
        """Count what Plafond's own kernel costs in instructions: Zuepke, Almatary, Mueller.

Builds the programs of bench/kernel for each way to change priorities or deadlines, and
runs them in QEMU, which counts every instruction, the kernel's too. Zuepke's Tables II
and III in the paper's layout with its gains beside ours; what each variable that tasks
can read costs; masked interrupts instead; Almatary's Table I for IPCP and the deadline
floor, and the nested sections of Section V; how EDF's ready queue grows; Mueller's
Tables I to III, scheduled by software and by the interrupt controller, on one core
and between two; and the figures to reach. The figures repeat exactly. They are no times.

With --sizes nothing runs: it builds a system without any feature, and one with each, and
prints the bytes that the feature adds; and of one with all services, those of each.""",
        "no privilege, but a cross compiler, ninja and, without --sizes, QEMU.",
        ["kernel", "kernel --sizes", "kernel --board a53 --format json > kernel.json"],
        failed="the measurement failed: an image was not built, hung or trapped",
        missing="a compiler or QEMU is missing",
    )
)
def kernel(
    board: Annotated[
        str, typer.Option(help="Where: a53, a Cortex-A53, QEMU's board virt.")
    ] = "a53",
    sizes: Annotated[
        bool,
        typer.Option("--sizes", help="The bytes of each feature of a description, and service."),
    ] = False,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Count what Plafond's own kernel costs in instructions: Zuepke, Almatary, Mueller."""
    # Late, as above.
    from plafond.bench.kernel.measure import measure_kernel
    from plafond.bench.kernel.sizes import measure_sizes
    from plafond.bench.kernel.table import print_report
    from plafond.bench.kernel.table_sizes import print_sizes

    if sizes:
        with ended_by_ctrl_c():
            added = measure_sizes(board)
        print_as(output_format, added, print_sizes)
        return
    with ended_by_ctrl_c():
        report = measure_kernel(board)
    print_as(output_format, report, print_report)


@app.command(
    help=_help(
        """Put interrupt threads into reservations, in a virtual machine: OSPERT 2010, 6.

QEMU boots Debian's PREEMPT_RT kernel with a device of our own: a timer makes its
interrupts, and a real interrupt thread serves them from a ring. Where frames begin to be
lost, beside the paper's equation 2 and a simulation; throughput against the reserved share;
periodic frames as sent, as received and in the thread; tasks and players in reservations
beside them. The paper's Tables I to VIII and Figures 3 to 12, its rows beside ours. Two real
drivers in guests of their own, virtio-blk and virtio-net: ratios with their spread. All figures
repeat exactly, but for those of virtio-blk.""",
        "no privilege. Kernel and modules are fetched and built on first use.",
        ["irqs", "irqs --format json > irqs.json"],
        failed="the measurement failed, or the virtual machine did",
        missing="something is missing here",
    )
)
def irqs(output_format: FormatOption = Format.TABLE) -> None:
    """Put interrupt threads into reservations, in a virtual machine: OSPERT 2010, 6."""
    # Late, as above.
    from plafond.bench.irqs.measure import measure_irqs
    from plafond.bench.irqs.table import print_report

    with ended_by_ctrl_c():
        report = measure_irqs()
    print_as(output_format, report, print_report)


@app.command(
    help=_help(
        """Count what servers that share cost on a stock kernel, in a guest: OSPERT 2010, 5.

QEMU boots Debian's PREEMPT_RT kernel, emulated, with one CPU. The paper's Table I on it, under
skipping, overrun with payback and overrun, beside the paper and the same sets on Plafond's own
kernel: calls of lock and unlock, and by these of the scheduler of servers; overruns, paybacks,
failed tests, servers kept out; the decisions of the manager, and the time that they take; the
tasks' calls of the kernel; and a section without contention in instructions. The figures
repeat exactly. Its times are those of the emulator: an instruction takes a nanosecond.""",
        "no privilege. The kernel is fetched on first use.",
        ["servers", "servers --format json > servers.json"],
        failed="the measurement failed, or the virtual machine did",
        missing="something is missing here",
    )
)
def servers(output_format: FormatOption = Format.TABLE) -> None:
    """Count what servers that share cost on a stock kernel, in a guest: OSPERT 2010, 5."""
    # Late, as above.
    from plafond.servers.measure import measure_servers
    from plafond.servers.table import print_report

    with ended_by_ctrl_c():
        report = measure_servers()
    print_as(output_format, report, print_report)


class StudyFormat(StrEnum):
    """How a report with long rows is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class RatioFormat(StrEnum):
    """How the report of a study is printed; each CSV has one kind of row."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    CSV_UTILISATIONS = "csv-utilisations"


@app.command(
    help=_help(
        """Compare schedulers, or protocols of locks, by the task sets that each can take.

Draws task sets as the table [draw] of a description says, and asks of each set whether each
of the compared can take it, in each case of what varies: weighted schedulability and
acceptance ratios with 95 % intervals. Without sections these are partitioned, clustered and
global EDF, and the report says from which cache delay on one is worse than the first one
without (OSPERT 2010, 4, Section 5 and Figure 5). With sections they are protocols: on one
CPU, with the costs of `bench locks` or counts of instructions; across CPUs, with those of
libplafond's mutexes; or of servers. The report says at which length and share of sections,
or at which overhead of a job, which one takes most. Nothing runs: a set is judged by tests,
in exact arithmetic. All get the same sets, and any number of processes prints the same.
Ctrl-C prints the utilisations that are finished, and a checkpoint keeps them.""",
        "no privilege.",
        [
            "schedulability examples/studies/bastoni-2010-figure-5.toml",
            "schedulability examples/studies/bastoni-2010-figure-5.toml --plot figure-5.svg",
            "schedulability examples/studies/locks.toml --plot map.pdf",
            "schedulability my.toml --checkpoint my.points   # again, to go on",
            "schedulability my.toml --jobs 1 --format csv > my.csv",
            "schedulability my.toml --cluster tcp://host:8786",
        ],
        failed="the description is wrong, or a worker died; finished points are printed",
        missing="the checkpoint is of another description",
        done="the study is whole",
    )
)
def schedulability(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="TOML with a table [draw].")],
    jobs: Annotated[
        int | None,
        typer.Option(min=1, max=1024, metavar="N", help="Processes.  [default: one a CPU]"),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep finished utilisations here, and go on from them."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Instead count on the workers of this scheduler of dask: tcp://host:8786.",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw into FILE, as SVG or PDF.")
    ] = None,
    output_format: Annotated[
        RatioFormat,
        typer.Option(
            "--format",
            help="How to print the report. csv has W of each case; csv-utilisations has the "
            "acceptance ratios of each utilisation in each case.",
        ),
    ] = RatioFormat.TABLE,
) -> None:
    """Compare schedulers, or protocols of locks, by the task sets that each can take."""
    # Late, as above.
    from os import sched_getaffinity, times

    from plafond.describe.draw import load_study
    from plafond.report.drawing import refuse_unknown_form
    from plafond.studies.effort import effort_in_words
    from plafond.studies.measure import measure_schedulability
    from plafond.studies.table import csv_text, print_report, utilisations_csv_text

    with ended_by_ctrl_c():
        if cluster and jobs:
            raise ArgumentError("--cluster: found --jobs, too; expected one of them")
        if plot:
            refuse_unknown_form(plot)
        study = load_study(file)
        begun = times()
        processes = jobs or len(sched_getaffinity(0))
        outcome = measure_schedulability(study, processes, checkpoint, cluster)
        took = effort_in_words(outcome.report, begun, times(), is_here=cluster is None)
        if output_format is RatioFormat.CSV:
            print(csv_text(outcome.report), end="")
        elif output_format is RatioFormat.CSV_UTILISATIONS:
            print(utilisations_csv_text(outcome.report), end="")
        else:
            print_as(Format(output_format.value), outcome.report, print_report)
        if plot:
            from plafond.report.schedulability import write_schedulability

            write_schedulability(outcome.report, plot)
        print(took, file=sys.stderr)
        if isinstance(outcome.stopped_by, KeyboardInterrupt):
            raise typer.Exit(INTERRUPTED)
        if outcome.stopped_by:
            raise outcome.stopped_by


@app.command(
    help=_help(
        """Measure what a preemption or a migration costs a working set: OSPERT 2010, 4.

One thread, SCHED_FIFO at the highest priority, goes through its working set until that is in the
caches. Then it is away for 0 to 50 ms, resumes on the same CPU or another one, and goes through
it again: the delay is how much longer that takes than when the set was warm. Without load, and
beside a best-effort process on each CPU that empties the caches. The paper's Tables 1 to 4 with
its figures beside, Figures 2 and 3, and its observations, judged by what the samples could show.
Moves that this machine lacks are named. The whole takes many hours, as --samples are 5000:
Ctrl-C prints what is finished.

With --schedule the tasks of descriptions run instead, and their own schedule preempts them: what
that costs each `working_set`, and whether it depends on how many tasks there are.""",
        """the privilege for SCHED_FIFO at priority 99 (RLIMIT_RTPRIO or CAP_SYS_NICE) and to
lock memory (RLIMIT_MEMLOCK or CAP_IPC_LOCK), and caches in sysfs.""",
        [
            "cpmd --quick",
            "cpmd --samples 200 --write-ratio 1/4 --plot build/cpmd",
            "cpmd --size 64KiB,1MiB --load polluted --format csv > cpmd.csv",
            "cpmd --schedule few.toml --schedule many.toml --seconds 30",
        ],
        done="measured, whatever the verdicts are",
    )
)
def cpmd(
    quick: QuickOption = False,
    samples: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=100_000,
            metavar="N",
            help="Valid ones, of each kind of move with each set.  [default: 5000; quick: 30]",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Working sets, such as 4KiB,1MiB.  [default: from 4KiB to beyond the last cache]",
        ),
    ] = None,
    write_ratio: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Of words that are written: 0, 1, or 1/N.  "
            "[default: 0,1/128,1/64,1/16,1/4,1/2,1; quick: 1/4]",
        ),
    ] = None,
    load: Annotated[
        str, typer.Option(metavar="LIST", help="Some of idle,polluted.")
    ] = "idle,polluted",
    seed: Annotated[int, typer.Option(min=0, help="Of the moves.")] = 1,
    schedule: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Run the tasks of a description; several are compared."),
    ] = None,
    seconds: Annotated[
        int, typer.Option(min=1, max=60, metavar="N", help="With --schedule, under each load.")
    ] = 10,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Draw Figures 2 and 3, with --schedule 4, into FOLDER (SVG)."
        ),
    ] = None,
    output_format: Annotated[
        StudyFormat, typer.Option("--format", help="How to print the report.")
    ] = StudyFormat.TABLE,
) -> None:
    """Measure what a preemption or a migration costs a working set: OSPERT 2010, 4."""
    # Late, as above.
    from plafond.bench.cpmd.arguments import Wanted, refuse_with_schedule
    from plafond.bench.cpmd.measure import measure_cpmd
    from plafond.bench.cpmd.table import csv_text, print_report

    with ended_by_ctrl_c():
        if schedule:
            refuse_with_schedule(quick=quick, samples=samples, size=size, write_ratio=write_ratio)
            _cpmd_of_tasks(schedule, load, seconds, plot, output_format)
            return
        wanted = Wanted.of(quick, samples, size, write_ratio, load, seed)
        report, stopped_by = measure_cpmd(wanted)
        if output_format is StudyFormat.CSV:
            print(csv_text(report), end="")
        else:
            print_as(Format(output_format.value), report, print_report)
        if plot:
            from plafond.report.cpmd import write_figures

            write_figures(report, plot)
        if isinstance(stopped_by, KeyboardInterrupt):
            raise typer.Exit(INTERRUPTED)
        if stopped_by:
            raise stopped_by


def _cpmd_of_tasks(
    files: Sequence[Path],
    load: str,
    seconds: int,
    plot: Path | None,
    output_format: StudyFormat,
) -> None:
    from plafond.bench.cpmd.arguments import loads_of
    from plafond.bench.cpmd.tasks_report import measure_tasks
    from plafond.bench.cpmd.tasks_table import print_tasks_report, tasks_csv_text
    from plafond.commands.arguments import load_with_notes

    report = measure_tasks([load_with_notes(file) for file in files], loads_of(load), seconds)
    if output_format is StudyFormat.CSV:
        print(tasks_csv_text(report), end="")
    else:
        print_as(Format(output_format.value), report, print_tasks_report)
    if plot:
        from plafond.report.cpmd import write_tasks_figure

        write_tasks_figure(report, plot)
