# SPDX-License-Identifier: MIT
"""The command line of `plafond preload`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from plafond.output import Format, FormatOption
from plafond.preload.environment import CEILINGS, MODE, ROBUST, STATS, Mode, environment_of

# Words after the program's name are its arguments, even if they begin with `-`.
OWN_WORDS_FIRST = {"allow_interspersed_args": False}


def preload(
    command: Annotated[
        list[str], typer.Argument(help="The program, and its arguments.", metavar="APP [ARGS]")
    ],
    learn: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what it locks, and the ceilings it could have."),
    ] = None,
    ceilings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Run the mutexes that FILE chooses under its ceilings, or inheriting.",
        ),
    ] = None,
    stats: Annotated[
        bool,
        typer.Option(
            "--stats", help="Count locks, and print the counts on standard error at the end."
        ),
    ] = False,
    stats_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Count locks, and write JSON to FILE; processes that APP starts, to FILE.PID too.",
        ),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            help="How ceilings are given: lazy, without system calls where possible; eager, as "
            "glibc does; off, by glibc.  [default: lazy]"
        ),
    ] = None,
    robust: Annotated[
        bool,
        typer.Option("--robust", help="Let mutexes be robust and protected, which glibc cannot."),
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Of --learn: the report goes there.  [default: standard error]"
        ),
    ] = None,
    output_format: FormatOption = Format.TABLE,
) -> None:
    """Run an unchanged program with the drop-in, which makes priority ceilings cheap.

    libplafond-pthread.so replaces some functions of the C library through LD_PRELOAD. It
    locks PTHREAD_PRIO_PROTECT mutexes without system calls, and leaves all other mutexes to
    the C library. The program keeps its input and output, signals and exit code.

    \b
    Most real-time programs use PTHREAD_PRIO_INHERIT, because ceilings must be known. Learn them:
      plafond preload --learn app.toml -- app     records the mutexes; choose some with `use`.
      plafond check app.toml                      works, because the file is a description, too.
      plafond preload --ceilings app.toml -- app  runs the chosen mutexes under their ceilings.
    A chosen plain mutex inherits or has a ceiling, without a change of the source. A locker
    above a learned ceiling is not refused: it falls back to inheritance, and --stats counts it.
    --learn keeps an old FILE as FILE~.

    \b
    Examples:
      plafond preload -- app
      taskset -c 1 plafond preload --stats -- app --of the app
      plafond preload --learn app.toml --report app.txt -- app
      plafond preload --learn app.toml --format json --report app.json -- app
      plafond preload --ceilings app.toml --stats-file app.json -- app
      plafond preload --mode eager -- app

    \b
    Exit codes:
      APP's own, or 128 plus the number of the signal that ended it.
      1    the drop-in is not built, or the file of --ceilings is wrong
      2    wrong arguments, or a file cannot be written; APP is not run then
      126  APP cannot be executed
      127  there is no APP
    """
    # Late, because --help and wrong arguments should not wait for these.
    from plafond.errors import ArgumentError
    from plafond.preload.destination import begin_anew, refuse_unwritable
    from plafond.preload.launch import become
    from plafond.preload.library import find_library
    from plafond.preload.loadable import why_not_loaded

    if learn and ceilings:
        raise ArgumentError(
            "--learn and --ceilings: expected one: what is learned is the program as it was"
        )
    if stats and stats_file:
        raise ArgumentError("--stats and --stats-file: expected one of the two")
    if not learn and (report or output_format is not Format.TABLE):
        raise ArgumentError("--report and --format are of the report of --learn")

    settings: dict[str, str] = {}
    if mode:
        settings[MODE] = mode.value
    if robust:
        settings[ROBUST] = "1"
    if stats:
        settings[STATS] = "1"
    if ceilings:
        from plafond.preload.ceilings import in_memory, table_of  # reads descriptions

        table = table_of(ceilings)
        if table:
            settings[CEILINGS] = in_memory(table)
        else:
            print(
                f"plafond: {ceilings}: no mutex has use = true: it runs as it is", file=sys.stderr
            )
    library = find_library()
    if stats_file:
        refuse_unwritable("--stats-file", stats_file)
        settings[STATS] = str(begin_anew(stats_file))
    environment = environment_of(library, settings)
    if learn:
        from plafond.preload.learning import Learning, run_and_learn

        raise typer.Exit(
            run_and_learn(command, environment, Learning(learn, report, output_format))
        )
    if why := why_not_loaded(command[0]):
        print(f"plafond: {command[0]} {why}: it runs without the drop-in", file=sys.stderr)
    become(command, environment)
