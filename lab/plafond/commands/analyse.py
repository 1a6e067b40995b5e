# SPDX-License-Identifier: MIT
"""The command `plafond analyse`."""

from collections.abc import Mapping
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
from plafond.errors import ArgumentError
from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as
from plafond.protocols import Protocol
from plafond.reserve.source import Source, period_ns_of

if TYPE_CHECKING:
    from plafond.analyse.on_target import TargetReport
    from plafond.describe import System

NO_OVERHEADS = "none"
# Several ticks of the kernel, and a usual period of tasks.
DEFAULT_PERIOD = "10ms"


def analyse(
    file: OptionalFileArgument = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Some of ceiling,inherit,none; under EDF floor; where resources are used on "
            "several CPUs also mpcp,msrp,spin-priority,spin-unordered. With --overheads some of "
            "those that `plafond run` has on the target. Without it, all of these (across CPUs "
            "without ceiling), or those that it runs by default.",
        ),
    ] = None,
    overheads: Annotated[
        str,
        typer.Option(
            metavar="TARGET",
            help="Also bounds with what locks, switches and interrupts cost on linux, vm, a53 or "
            "sim: on linux measured now, which takes some ten seconds and the privilege for "
            "SCHED_FIFO; on vm and a53 counted in instructions, of which one takes a nanosecond, "
            "and kept under build/.",
        ),
    ] = NO_OVERHEADS,
    slots: Annotated[
        bool,
        typer.Option(
            "--slots",
            help="Instead of bounds: the period and the slots of its servers on one processor, how "
            "fast that must be, and what other periods need. Run times are those of boards with "
            "the clock of each server.",
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --slots, draw what other periods need into FILE, as SVG or PDF.",
        ),
    ] = None,
    irqs: Annotated[
        Path | None,
        typer.Option(
            metavar="REPORT",
            help="Instead of FILE: the report of a run with --irqs, a folder or its report.json. "
            "Proposes a reservation for each interrupt thread, and prints [server] tables.",
        ),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            help="Of the reservations. A shorter one lets fewer interrupts pend; below some ticks "
            "of the kernel (1 to 10 ms), at which it ends budgets, it is not kept.  [default: 10ms]"
        ),
    ] = None,
    pending: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="How many interrupts a device keeps until they are served."
        ),
    ] = None,
    source: Annotated[
        Source | None,
        typer.Option(
            "--from",
            help="What the tables are for: the maximum, or a quantile of what was recorded.  "
            "[default: maximum]",
        ),
    ] = None,
    include: IncludeOption = None,
    default_policy: DefaultPolicyOption = None,
    default_cpu: DefaultCpuOption = None,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Bound the blocking and the response time of every task.

    The bounds hold for every schedule of the described system. They cover:

    \b
    - fixed priorities under immediate ceilings (plafond in every form, and priority
      protection), priority inheritance, and plain mutexes;
    - EDF under deadline floors, with the processor demand test;
    - several CPUs under the multiprocessor priority ceiling protocol (plafond on Linux),
      and with spinlocks in the order of requests or of priorities;
    - servers that get no more than their guaranteed time.

    Tasks may arrive as early as their least interval allows. Periodic tasks arrive in the
    phases of their offsets, unless --overheads are added.

    With --irqs it computes no bounds. For each interrupt thread of a report it proposes a
    budget in each period with which it loses no interrupt, or few (OSPERT 2010, 6).

    \b
    Examples:
      plafond analyse examples/carminati-2012-table-1.toml
      plafond analyse examples/carminati-2012-table-1.toml --protocol ceiling,inherit
      plafond analyse examples/carminati-2012-table-1.toml --format json > bounds.json
      plafond analyse examples/carminati-2012-table-1.toml --overheads a53
      plafond analyse my.toml --overheads vm --protocol plafond,inherit
      plafond analyse examples/almatary-2015-floor.toml
      plafond analyse examples/rt-app-inversion.json
      plafond analyse examples/vandenheuvel-2010-figure-6.toml
      plafond analyse examples/mueller-2014-mpcp.toml --protocol mpcp,msrp
      plafond analyse examples/kerstan-2010-boards.toml --slots --plot speed-up.svg
      plafond analyse --irqs plafond-report/inversion --period 10ms --pending 64

    \b
    Exit codes:
      0    analysed, even if deadlines are missed
      1    a wrong description or report, or a CPU is overloaded
      2    wrong arguments
      130  interrupted by Ctrl-C
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.analyse.analysis import analyse as analyse_system
    from plafond.analyse.analysis import protocols_of, shown_of
    from plafond.analyse.overload import refuse_overload
    from plafond.analyse.table import print_report, print_target_report
    from plafond.protocols import parse_protocols

    with ended_by_ctrl_c():
        _refuse_together(file, irqs, {"--period": period, "--pending": pending, "--from": source})
        if irqs:
            _refuse_bounds("--irqs", protocol, overheads)
            if slots or plot:
                raise ArgumentError("--slots: found it with --irqs; expected one of the two")
            _propose(irqs, period, pending, source, output_format)
            return
        assert file is not None
        system = load_with_notes(file, default_policy, default_cpu, include)
        if slots:
            _refuse_bounds("--slots", protocol, overheads)
            _derive_slots(system, plot, output_format)
            return
        if plot:
            raise ArgumentError("--plot: found no --slots; expected it, as bounds are not drawn")
        refuse_overload(system)
        if overheads == NO_OVERHEADS:
            known = protocols_of(system)
            names = shown_of(system) if protocol is None else parse_protocols(protocol, known)
            report = analyse_system(system, [Protocol(name) for name in names])
            print_as(output_format, report, print_report)
        else:
            target_report = _on_target(system, overheads, protocol)
            print_as(output_format, target_report, print_target_report)


def _refuse_together(file: Path | None, irqs: Path | None, of_irqs: Mapping[str, object]) -> None:
    """Raise ArgumentError unless exactly a description or a report is given, with its options."""
    if irqs and file:
        raise ArgumentError(f"--irqs: found it with {file}; expected one of the two")
    if not irqs and not file:
        raise ArgumentError("nothing to analyse: name a description, or a report with --irqs")
    given = next((option for option, value in of_irqs.items() if value is not None), None)
    if given and not irqs:
        raise ArgumentError(f"{given}: found no --irqs; expected it: bounds have no such thing")


def _refuse_bounds(option: str, protocol: str | None, overheads: str) -> None:
    if protocol is not None or overheads != NO_OVERHEADS:
        found = "--overheads" if protocol is None else "--protocol"
        raise ArgumentError(f"{found}: found it with {option}; expected no bounds with that")


def _propose(
    report: Path,
    period: str | None,
    pending: int | None,
    source: Source | None,
    output_format: Format,
) -> None:
    from plafond.reserve.proposal import Wanted, propose
    from plafond.reserve.report import read_recorded
    from plafond.reserve.table import print_proposal

    wanted = Wanted(period_ns_of(period or DEFAULT_PERIOD), pending, source or Source.MAXIMUM)
    print_as(output_format, propose(read_recorded(report), wanted), print_proposal)


def _derive_slots(system: "System", plot: Path | None, output_format: Format) -> None:
    from plafond.analyse.slots import derive_slots
    from plafond.analyse.slots_table import print_slots
    from plafond.report.drawing import refuse_unknown_form
    from plafond.report.speed_up import write_speed_up

    if plot:
        refuse_unknown_form(plot)
    report = derive_slots(system)
    if plot:
        write_speed_up(report, plot)
    print_as(output_format, report, print_slots)


def _on_target(system: "System", target: str, protocol: str | None) -> "TargetReport":
    from plafond.analyse.on_target import analyse_on
    from plafond.board.boards import BOARDS
    from plafond.run.overheads import overheads_for, refuse_unknown_target
    from plafond.run.targets import protocols_on, refuse_kernel_only, refuse_linux_only

    refuse_unknown_target(target)
    (refuse_linux_only if target in BOARDS else refuse_kernel_only)(system, target)
    protocols = protocols_on(target, system, protocol)
    return analyse_on(target, system, overheads_for(target, protocols, system))
