# SPDX-License-Identifier: MIT
"""The command line of `plafond check`."""

import sys
from typing import Annotated

import typer

from plafond.commands.arguments import (
    DefaultCpuOption,
    DefaultPolicyOption,
    FileArgument,
    IncludeOption,
    read_with_notes,
)
from plafond.output import Format, FormatOption, print_as


def _print_schema(wanted: bool) -> None:
    if wanted:
        from plafond.check.schema_text import schema_text

        print(schema_text())
        raise typer.Exit


def _print_keys(wanted: bool) -> None:
    if wanted:
        from plafond.check.key_text import key_text

        print(key_text())
        raise typer.Exit


def _print_attributes(wanted: bool) -> None:
    if wanted:
        from plafond.check.attribute_text import attribute_text

        print(attribute_text())
        raise typer.Exit


def _print_combinations(wanted: bool) -> None:
    if wanted:
        from plafond.check.combination_text import combination_text

        print(combination_text())
        raise typer.Exit


def check(
    file: FileArgument,
    protocol: Annotated[
        str,
        typer.Option(help="Which protocols must not deadlock: some of ceiling,inherit,none,floor."),
    ] = "ceiling",
    include: IncludeOption = None,
    default_policy: DefaultPolicyOption = None,
    default_cpu: DefaultCpuOption = None,
    output_format: FormatOption = Format.TABLE,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            help="Print what a description may hold.",
            callback=_print_schema,
            is_eager=True,
        ),
    ] = False,
    combinations: Annotated[
        bool,
        typer.Option(
            "--combinations",
            help="Print what combines with what, and why the rest does not.",
            callback=_print_combinations,
            is_eager=True,
        ),
    ] = False,
    toml: Annotated[
        bool,
        typer.Option("--toml", help="Instead of a report, print the description as TOML."),
    ] = False,
    rt_app_keys: Annotated[
        bool,
        typer.Option(
            "--rt-app-keys",
            help="Print which keys of rt-app's JSON are taken, ignored and refused.",
            callback=_print_keys,
            is_eager=True,
        ),
    ] = False,
    oil_attributes: Annotated[
        bool,
        typer.Option(
            "--oil-attributes",
            help="Print which attributes of OIL are taken, ignored and refused.",
            callback=_print_attributes,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Validate a description, and show ceilings or deadline floors, and utilisation.

    Reports all mistakes at once: file, line, field, the found value, the expected value.
    Computes each ceiling (under EDF, each deadline floor) that the description omits.

    \b
    - A resource with users on several CPUs is global and has no ceiling. With --protocol
      ceiling, a use that libplafond does not support is a mistake.
    - A resource with users in several servers has a ceiling in each server. Its ceiling
      among servers is the most urgent of them.
    - Without ceilings or floors, tasks that lock in different orders can deadlock. The
      report shows that; it is a mistake for the protocols in --protocol.

    A FILE named *.json is a description of the tool rt-app, and *.oil is OSEK's OIL 2.5.
    Both are converted: threads of rt-app become tasks, and its mutexes resources. Keys with
    the same meaning are taken, keys without meaning here are reported, and all others are
    mistakes. A thread without a policy or a CPU takes it from --default-policy and
    --default-cpu.

    OIL may lack what only a build needs, such as the C files. Then the report ends with the
    lines to add, and build and run refuse the file with the same lines. An attribute that is
    not known here is reported, unless its name is nearly that of a known attribute.

    \b
    Examples:
      plafond check examples/carminati-2012-table-1.toml
      plafond check examples/vandenheuvel-2010-figure-6.toml
      plafond check my.toml --protocol ceiling,inherit
      plafond check my.toml --format json
      plafond check --schema
      plafond check --combinations
      plafond check examples/rt-app-inversion.json
      plafond check examples/rt-app-inversion.json --toml > my.toml
      plafond check --rt-app-keys
      plafond check examples/osek-console.oil
      plafond check examples/osek-console.oil --toml > my.toml
      plafond check --oil-attributes

    \b
    Exit codes:
      0    the description is right
      1    it is wrong, or it can deadlock under a protocol in --protocol
      2    wrong arguments
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.check.model import report_of, report_of_problems
    from plafond.check.table import print_report
    from plafond.describe.across_cpus import refuse_across_cpus
    from plafond.describe.loading import system_from
    from plafond.describe.lock_order import refuse_deadlock
    from plafond.describe.problems import DescriptionError
    from plafond.describe.toml_text import toml_text
    from plafond.errors import ArgumentError
    from plafond.protocols import Protocol, parse_protocols

    alone = [each for each in Protocol if not each.is_across]
    protocols = [Protocol(name) for name in parse_protocols(protocol, alone)]
    if toml and output_format is Format.JSON:
        raise ArgumentError("--toml: found --format json with it; expected one of the two")
    try:
        source = read_with_notes(file, default_policy, default_cpu, include)
        if source.part and output_format is Format.TABLE:
            print(f"{file}: {source.part}, for a file that includes it")
            return
        system = system_from(source)
    except DescriptionError as error:
        if output_format is Format.TABLE:
            raise
        print(report_of_problems(error).model_dump_json(indent=2))
        raise typer.Exit(1) from None
    if toml:
        print(toml_text(source.raw), end="")
        if system.needs:
            print(system.needs.text, file=sys.stderr)
    else:
        print_as(output_format, report_of(file, system), print_report)
    if Protocol.CEILING in protocols:
        refuse_across_cpus(system)
    refuse_deadlock(system, protocols)
