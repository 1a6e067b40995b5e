# SPDX-License-Identifier: MIT
"""The command line of `plafond prove`."""

from functools import partial
from typing import Annotated

import typer

from plafond.errors import ArgumentError
from plafond.output import Format, FormatOption, ended_by_ctrl_c, print_as


def prove(
    protocol: Annotated[
        str | None,
        typer.Argument(
            help="Only this: a protocol, ceiling-stack, global-mutex, lazy-ceiling, lazy-floor, "
            "lazy-global, postponed-ceiling, uprio-kprio, uprio-nprio, event-word, inbox, "
            "ioc-lanes, ioc-last, ioc-queue, mpcp-queue, spin-unordered, msrp or spin-priority; "
            "kernel, the portable code around them; servers, that of budgets; library, the rest of "
            "libplafond; servers-linux, its servers; drop-in, the pthread library; or analysis, "
            "the bounds of the lab.",
            metavar="[PROTOCOL]",
            show_default=False,
        ),
    ] = None,
    output_format: FormatOption = Format.TABLE,
    faults: Annotated[
        bool, typer.Option("--faults", help="Show every mutant, and what found it.")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="Only the smallest scenes and the mutants made by hand. What boots guests or "
            "fetches a program has no such part, and is named as left out.",
        ),
    ] = False,
    rest: Annotated[bool, typer.Option("--rest", help="Only what --quick leaves out.")] = False,
    without_certificates: Annotated[
        bool, typer.Option("--all", help="Prove what is certified, too.")
    ] = False,
    sample: Annotated[
        str | None,
        typer.Option(
            "--sample",
            metavar="SEED",
            help="Prove a tenth of what is certified again, drawn by this, such as a commit.",
        ),
    ] = None,
    renew: Annotated[
        bool, typer.Option("--renew", help="Write the certificates of the rows that hold.")
    ] = False,
) -> None:
    """Check every protocol in the code that ships, and show that the checks can fail.

    Runs the checks of proof/checks.toml one after the other:

    \b
    - the designs in Spin;
    - the compiled halves, with arrivals at every instruction and every pair;
    - the library on the real kernel;
    - the shared words of several CPUs in herd7;
    - mutants of all of these.

    A row has the scope, time and verdict of a check, and its mutants: put in, and found.
    Below the table are the path to each violation and the reason for each unknown verdict.
    Unknown is never a pass.

    A result is not proved again if a certificate in proof/certificates names the same
    machine code, scenarios, prover and compilers. A list says how much of each row was
    certified, and why the rest was proved.

    \b
    Needs the repository and the packages that `make test` installs. Checks on the real
    kernel need the privilege for SCHED_FIFO.

    \b
    Examples:
      plafond prove
      plafond prove lazy-floor
      plafond prove lazy-floor --quick
      plafond prove lazy-floor --rest
      plafond prove ceiling-stack --faults
      plafond prove kernel --all
      plafond prove kernel --renew
      plafond prove --format json > proof.json

    \b
    Exit codes:
      0    all hold, and no mutant survived
      1    something is violated, or a mutant survived
      2    wrong arguments, or a check could not run: its verdict is unknown
      130  interrupted by Ctrl-C
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.prove.attempt import prove as prove_all
    from plafond.prove.checks import checks_of
    from plafond.prove.model import Extent
    from plafond.prove.table import print_report

    with ended_by_ctrl_c():
        if quick and rest:
            raise ArgumentError(
                "found --quick and --rest; expected one of them, or neither for all"
            )
        if without_certificates and sample is not None:
            raise ArgumentError("found --all and --sample; expected one of them, or neither")
        extent = Extent.QUICK if quick else Extent.REST if rest else Extent.WHOLE
        report = prove_all(
            checks_of(protocol),
            extent,
            [
                *([] if without_certificates else ["--certified"]),
                *([] if sample is None else ["--sample", sample]),
                *(["--renew"] if renew else []),
            ],
        )
        if not report.rows:
            raise ArgumentError(f"this part is empty: {'; '.join(report.left_out)}")
    print_as(output_format, report, partial(print_report, faults=faults))
    if not report.holds:
        raise typer.Exit(1 if any(row.is_wrong for row in report.rows) else 2)
