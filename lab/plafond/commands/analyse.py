# SPDX-License-Identifier: MIT
"""The command `plafond analyse`."""

from typing import TYPE_CHECKING, Annotated

import typer

from plafond.commands.arguments import FileArgument, Overhead, OverheadsOption
from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as
from plafond.protocols import Protocol

if TYPE_CHECKING:
    from plafond.analyse.overheads import Overheads
    from plafond.describe import System


def analyse(
    file: FileArgument,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Some of ceiling,inherit,none; under EDF floor. Without it, all of these.",
        ),
    ] = None,
    overheads: OverheadsOption = Overhead.NONE,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Bound the blocking and the response time of every task.

    Bounds hold for every schedule of the described system, on each CPU by itself, with
    fixed priorities, under immediate ceilings (plafond in every form, and priority
    protection), priority inheritance, and plain mutexes; or with EDF under deadline
    floors, beside the processor demand test. Arrivals may come as early as their least
    interval allows; offsets are ignored.

    \b
    Examples:
      plafond analyse examples/carminati-2012-table-1.toml
      plafond analyse examples/carminati-2012-table-1.toml --protocol ceiling,inherit
      plafond analyse examples/carminati-2012-table-1.toml --format json > bounds.json
      plafond analyse my.toml --overheads measured
      plafond analyse examples/almatary-2015-floor.toml

    \b
    Exit codes:
      0    analysed, whether or not deadlines are kept
      1    the description is wrong, or asks for all the time of a CPU or more (under
           EDF: for more)
      2    wrong arguments
      130  interrupted by Ctrl-C
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.analyse.analysis import analyse as analyse_system
    from plafond.analyse.analysis import protocols_under
    from plafond.analyse.overload import refuse_overload
    from plafond.analyse.table import print_report
    from plafond.describe import load
    from plafond.protocols import parse_protocols

    with ended_by_ctrl_c():
        system = load(file)
        known = protocols_under(system.scheduler)
        names = known if protocol is None else parse_protocols(protocol, known)
        chosen = [Protocol(name) for name in names]
        refuse_overload(system)
        report = analyse_system(system, chosen, _measure(system, overheads))
    print_as(output_format, report, print_report)


def _measure(system: "System", overheads: Overhead) -> "Overheads | None":
    if overheads is Overhead.NONE:
        return None
    from plafond.describe.kernel import Scheduler
    from plafond.errors import ArgumentError

    if system.scheduler is Scheduler.EDF:
        raise ArgumentError(
            "--overheads: found measured; expected none under EDF: they are those of Linux, "
            "which does not run it"
        )
    from plafond.bench.overheads import measure_overheads

    return measure_overheads(system).of_analysis()
