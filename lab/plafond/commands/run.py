# SPDX-License-Identifier: MIT
"""The command line of `plafond run`."""

import shlex
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plafond.commands.arguments import (
    DefaultCpuOption,
    DefaultPolicyOption,
    IncludeOption,
    OptionalFileArgument,
    load_with_notes,
)
from plafond.commands.image import run_image_here
from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as
from plafond.protocols import Row, names_of
from plafond.vm.guest import KernelLine, Processor
from plafond.writing import write_whole

if TYPE_CHECKING:
    from plafond.describe import System
    from plafond.run.options import Options


class Target(StrEnum):
    """Where a description runs."""

    LINUX = "linux"
    VM = "vm"
    SIM = "sim"
    A53 = "a53"


class Overheads(StrEnum):
    """Whether bounds with the overheads of the target are computed, too."""

    MEASURED = "measured"
    NONE = "none"


class Arrivals(StrEnum):
    """When tasks arrive."""

    DESCRIBED = "described"
    WORST = "worst"


def _listed(trait: Callable[[Row], object]) -> str:
    return ", ".join(names_of(trait))


def run(
    context: typer.Context,
    file: OptionalFileArgument = None,
    on: Annotated[
        Target,
        typer.Option(
            help="Where: linux, real threads on this machine; vm, in a virtual one, emulated, with "
            "a PREEMPT_RT kernel; or on Plafond's own kernel: sim, in virtual time; a53, on an "
            "emulated Cortex-A53 board. All but linux without any privilege."
        ),
    ] = Target.LINUX,
    protocol: Annotated[
        str | None,
        typer.Option(
            help=f"Some of {_listed(lambda row: row.is_stock)}, and with our kernel modules "
            f"{_listed(lambda row: row.linux and row.linux.needs_modules)}; "
            f"on Plafond's own kernel some of {_listed(lambda row: row.runs_under('priority'))}, "
            f"by its interrupt controller {_listed(lambda row: row.runs_under('hardware'))}, "
            f"or under EDF {_listed(lambda row: row.runs_under('edf'))}; "
            f"there with resources across CPUs also {_listed(lambda row: row.across)}; "
            "run in this order, separated by commas.  "
            "[default: none,inherit,protect,plafond; on Plafond's own kernel all]"
        ),
    ] = None,
    scale: Annotated[str, typer.Option(help="Multiply all times, such as 0.1.")] = "1",
    activations: Annotated[
        int | None,
        typer.Option(min=1, help="Instead of the description's, for the tasks that count."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**63 - 1,
            help="Instead of the description's, for random arrivals, ranges and jitter.",
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(help="The task of the pictures, instead of the most urgent one."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the report.  [default: plafond-report/NAME]")
    ] = None,
    overheads: Annotated[
        Overheads,
        typer.Option(
            help="Of the target, for the bounds that the verdict is about: measured before the "
            "run, on linux for some ten seconds and on the others by counting instructions, or "
            "none."
        ),
    ] = Overheads.MEASURED,
    arrivals: Annotated[
        Arrivals,
        typer.Option(
            help="As described, or the worst: all tasks at once, right after the longest section "
            "that can block has begun, for each task in turn. --activations is how often."
        ),
    ] = Arrivals.DESCRIBED,
    spare_cpu: Annotated[
        int | None,
        typer.Option(
            metavar="PAIRS",
            help="Compare the processor time that two protocols leave to a task below the others.",
        ),
    ] = None,
    irqs: Annotated[
        bool,
        typer.Option(
            "--irqs",
            help="Record the kernel's scheduler, too, and report which threads of interrupts, "
            "softirqs and other threads ran, and which part of the worst activation each took. "
            "On linux it needs root.",
        ),
    ] = False,
    kernel: Annotated[
        KernelLine | None, typer.Option(help="Of the virtual machine.  [default: 6.12]")
    ] = None,
    cpus: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=2,
            help="Of the virtual machine. With one, times are exact and repeat.  "
            "[default: as described]",
        ),
    ] = None,
    processor: Annotated[
        Processor | None, typer.Option(help="Of the virtual machine.  [default: x86_64]")
    ] = None,
    image: Annotated[
        Path | None,
        typer.Option(
            help="Instead of FILE: an image that `plafond build` made. Its console is the terminal."
        ),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(min=0.1, max=1e6, metavar="SECONDS", help="Of --image: end it after so long."),
    ] = None,
    gdb: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="PORT",
            help="Of --image on a53: begin when gdb has come to this port of this machine.",
        ),
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Print the outcome alone; the page has the rest."),
    ] = False,
    include: IncludeOption = None,
    default_policy: DefaultPolicyOption = None,
    default_cpu: DefaultCpuOption = None,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Run a description, and compare the measurements with its bounds.

    Runs the task set under each protocol in turn, with the same arrivals. Tasks are
    pinned SCHED_FIFO threads with run steps that burn time, or tasks of Plafond's own
    kernel, in an image built for the run.

    For each task and protocol it prints activation latency, blocking, response, deadline
    misses, context switches, and lock system calls. Beside them are the response bound of
    the theory, the bound with the target's overheads, and the ratio of the longest response
    to that bound. It writes one HTML page, its pictures and data, and a Perfetto trace of each
    run.

    The run fails if a response is above that bound plus all time that the machine took
    meanwhile. The report then splits the response's time. A response that is above the
    bound only because the machine stopped is not judged.

    \b
    --on linux  needs the privilege for SCHED_FIFO at priority 99 and to lock memory; see
                `plafond doctor`.
    --on vm     needs no privilege. QEMU boots Debian's PREEMPT_RT kernel, unpacked on first
                use. With one CPU, an instruction takes 1 ns.
    --on sim    needs gcc and ninja. Times are virtual, and the kernel's work takes none.
    --on a53    needs a cross compiler and QEMU for AArch64. Each instruction takes 1 ns, of
                all CPUs together.

    With --image it starts an image of `plafond build` instead, and measures nothing. The
    terminal shows the image's output at once; on a53 it is also the serial input. Waiting
    takes real time on a53, and none on sim. The exit code is the image's.

    \b
    Examples:
      plafond run examples/inversion.toml --on linux
      plafond run examples/inversion.toml --on vm --kernel 7.x
      plafond run examples/inversion.toml --on vm --processor aarch64
      plafond run examples/inversion.toml --on sim
      plafond run examples/almatary-2015-floor.toml --on sim
      plafond run examples/rt-app-inversion.json --on sim
      plafond run examples/vandenheuvel-2010-figure-6.toml --on sim
      plafond run examples/zuepke-2014-nested.toml --on a53 --protocol syscall,uprio-nprio
      plafond run examples/carminati-2012-table-1.toml --scale 0.1 --activations 100
      plafond run examples/carminati-2012-table-1.toml --on a53 --arrivals worst
      plafond run my.toml --protocol inherit,plafond --seed 3 --out /tmp/report
      plafond run examples/zuepke-2014-figure-1.toml --task between
      plafond run examples/inversion.toml --on vm --irqs
      plafond run examples/carminati-2012-table-5.toml --scale 0.1 \\
          --protocol inherit,plafond --spare-cpu 40
      plafond run --image build/kernel/inversion-a53/image --limit 10

    \b
    Exit codes:
      0    ran to the end under every protocol
      1    wrong description, a bound was EXCEEDED, or a run was cut: what was measured is
           kept, and marked
      2    wrong arguments, or a privilege, a CPU, memory or disk is missing
      124  an image had not ended when its --limit was over
      130  interrupted by Ctrl-C, 143 by SIGTERM: what was measured is kept, and marked
    """
    if image:
        run_image_here(context, image, limit, gdb)
        return
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.board.boards import BOARDS
    from plafond.errors import ArgumentError
    from plafond.run.options import Options, folder_for_report, parse_scale, refuse_unknown_task
    from plafond.run.targets import choose_guest, protocols_to_run

    if file is None:
        raise ArgumentError("nothing to run: name a description, or an image with --image")
    if limit is not None or gdb is not None:
        raise ArgumentError("--limit and --gdb are of an image: they need --image")
    factor = parse_scale(scale)
    if spare_cpu is not None and arrivals is Arrivals.WORST:
        raise ArgumentError("--arrivals worst is for bounds, and --spare-cpu compares none")
    _refuse_for_target(on, kernel, cpus, processor, spare_cpu, irqs)
    system = load_with_notes(file, default_policy, default_cpu, include)
    protocols = protocols_to_run(on, system, protocol)
    refuse_unknown_task(task, [each.name for each in system.tasks])
    options = Options(
        command=shlex.join(["plafond", *sys.argv[1:]]),
        protocols=protocols,
        scale=factor,
        activations=activations,
        seed=seed,
        shown=task,
        out=out or Path("plafond-report") / file.stem,
        overheads=overheads is Overheads.MEASURED,
        worst=arrivals is Arrivals.WORST,
        irqs=irqs,
        guest=choose_guest(system, protocols, kernel, cpus, processor) if on is Target.VM else None,
        board=BOARDS.get(on),
    )
    with ended_by_ctrl_c(), folder_for_report(options.out):
        if spare_cpu is not None:
            _compare(system, options, spare_cpu, output_format)
        else:
            _execute(system, options, output_format, brief)


def _refuse_for_target(
    on: Target,
    kernel: KernelLine | None,
    cpus: int | None,
    processor: Processor | None,
    spare_cpu: int | None,
    irqs: bool,
) -> None:
    from plafond.errors import ArgumentError

    for name, value in (("--kernel", kernel), ("--cpus", cpus), ("--processor", processor)):
        if on is not Target.VM and value is not None:
            raise ArgumentError(f"{name} is of the virtual machine: it needs --on vm")
    if on not in (Target.LINUX, Target.VM) and spare_cpu is not None:
        raise ArgumentError("--spare-cpu measures threads: it needs --on linux or --on vm")
    if irqs and on not in (Target.LINUX, Target.VM):
        raise ArgumentError(f"--irqs records Linux: found --on {on}; expected linux or vm")
    if irqs and spare_cpu is not None:
        raise ArgumentError(
            "--irqs is for responses, and --spare-cpu compares processor time, which a recording "
            "takes, too: found both; expected one of them"
        )


def _compare(system: "System", options: "Options", pairs: int, output_format: Format) -> None:
    from plafond.run.spare.experiment import compare_spare
    from plafond.run.spare.table import print_spare

    report, interrupted = compare_spare(system, options, pairs)
    write_whole(options.out / "spare.json", report.model_dump_json(indent=2))
    print_as(output_format, report, print_spare)
    if interrupted:
        raise interrupted


def _execute(system: "System", options: "Options", output_format: Format, is_brief: bool) -> None:
    from plafond.report.terminal import print_brief, print_execution
    from plafond.report.write import write_report
    from plafond.run.execution import execute

    execution, interrupted = execute(system, options)
    page = write_report(execution, options.out)
    if output_format is Format.JSON:
        print(execution.report.model_dump_json(indent=2))
    else:
        (print_brief if is_brief else print_execution)(execution)
        print(f"\nthe report: {page}")
    if interrupted:
        raise interrupted
    if execution.report.cuts or execution.alarms:
        raise typer.Exit(1)
