# SPDX-License-Identifier: MIT
"""Run every scene of a stepped proof (proof/step, global, pthread) and print one table."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from plafond.prove.model import Extent, Row

from proof.extent import add_extent
from proof.result import CouldNotRunError, concluded, print_json, row_of
from proof.stepped.scenes import Outcome, Scene, scenes_of, sweep

NAME = "proof.stepped"
# Scenes whose pairs are in the quick sweep, so that the rest omits them. The drop-in has none,
# because most of all its pairs are in its smallest scene.
IN_PAIRS: dict[str, tuple[str, ...]] = {
    "ceiling-stack": ("flat",),
    "global-mutex": (),
    "drop-in": (),
}


def symbol(place: str) -> str:
    """Name the source line of "file+offset#execution"."""
    if "+" not in place:
        return place
    file, rest = place.rsplit("+", 1)
    offset, execution = rest.split("#")
    named = subprocess.run(
        ["addr2line", "-fse", file, offset], capture_output=True, text=True, check=False
    )
    function, _, line = named.stdout.partition("\n")
    return f"{function} {line.strip()}, execution {execution}"


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Print the outcomes as text, with all counts."""
    header = f"{'scene':16} {'strength':8} {'boundaries':>10} {'singles':>8} {'waiter pairs':>13} "
    print(header + f"{'holder pairs':>13}  verdict")
    for o in outcomes:
        counts = f"{o.boundaries:10} {o.singles:8} {o.waiter_pairs:13} {o.holder_pairs:13}"
        print(f"{o.scene:16} {o.strength:8} {counts}  {o.finding or 'holds'}")
        if not o.holds:
            print(f"    first arrival: {symbol(o.first)}\n    second arrival: {symbol(o.second)}")
    runs = sum(o.singles + o.waiter_pairs + o.holder_pairs for o in outcomes)
    ended_early = sum(not o.holds for o in outcomes)
    left_out = f"{ended_early} scenes ended early" if ended_early else "none left out"
    print(f"{runs} arrivals and pairs of arrivals, {left_out}")


# The scope of each protocol's row.
SCOPES = {
    "ceiling-stack": "up to 3 threads and sections nested to 3, on this kernel and processor",
    "global-mutex": "up to 3 threads on two CPUs, in line too, of this kernel and processor",
    "drop-in": "up to 3 threads and sections nested to 3, on one CPU and on two, of this kernel "
    "and processor",
}


def summed_up(protocol: str, outcomes: Sequence[Outcome], began_s: float, part: str) -> Row:
    """The row for all scenes."""
    arrivals = sum(o.singles for o in outcomes)
    pairs = sum(o.waiter_pairs + o.holder_pairs for o in outcomes)
    broken = next((o for o in outcomes if not o.holds), None)
    names = len({o.scene for o in outcomes})
    return row_of(
        protocol,
        "stepped",
        f"{part}{SCOPES[protocol]}: {names} scenes, "
        f"{sum(o.boundaries for o in outcomes)} boundaries, {arrivals} arrivals, {pairs} pairs",
        began_s,
        trace=() if broken is None else trace_of(broken),
    )


def trace_of(outcome: Outcome) -> tuple[str, ...]:
    """The way to a violation."""
    return (
        f"{outcome.scene}, {outcome.strength}: {outcome.finding}",
        f"first arrival: {symbol(outcome.first)}",
        f"second arrival: {symbol(outcome.second)}",
    )


def parse_arguments() -> argparse.Namespace:
    """The command line of the sweep."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 all hold, 1 a violation was found, 2 could not run, 130 Ctrl-C\n"
        "example: python -m proof.stepped build/proof/step/step --scene flat --format json",
    )
    parser.add_argument("program", type=Path, help="the built proof/step/step, or step-pthread")
    parser.add_argument("--protocol", choices=tuple(SCOPES), default="ceiling-stack")
    parser.add_argument("--scene", action="append", help="only this one (may be repeated)")
    add_extent(parser, "single arrivals, and pairs in the smallest scene, if there")
    parser.add_argument("--singles", action="store_true", help="one arrival at a time, no pairs")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def is_chosen(scene: Scene, arguments: argparse.Namespace) -> bool:
    """Whether a scene is played: if it is asked for, or if none is and it belongs to the part.

    The rest plays scenes with pairs whole, with their single arrivals.
    """
    if arguments.scene:
        return scene.name in arguments.scene
    is_whole_in_quick = scene.name in IN_PAIRS[arguments.protocol] or not scene.has_pairs
    return arguments.extent is not Extent.REST or not is_whole_in_quick


def part_of(arguments: argparse.Namespace) -> str:
    """The beginning of the row's scope."""
    paired = ", ".join(IN_PAIRS[arguments.protocol])
    extent: Extent = arguments.extent
    if extent is Extent.REST:
        others = f", without {paired}" if paired else ""
        return f"the rest, the scenes with pairs{others}: "
    return extent.label(f"pairs in {paired or 'no scene'}")


def prove(arguments: argparse.Namespace) -> bool:
    """Play the chosen scenes. Returns whether no violation was found."""
    began_s = time.monotonic()
    program = arguments.program.resolve()
    chosen = [s for s in scenes_of(program) if is_chosen(s, arguments)]
    if not chosen:
        raise CouldNotRunError(f"found no scene {arguments.scene}; {program} --list shows them")
    outcomes: list[Outcome] = []
    paired = IN_PAIRS[arguments.protocol]
    is_quick = arguments.extent is Extent.QUICK
    singly = [s for s in chosen if arguments.singles or (is_quick and s.name not in paired)]
    in_pairs = [s for s in chosen if s not in singly]
    for outcome in chain(sweep(program, in_pairs, False), sweep(program, singly, True)):
        outcomes.append(outcome)
        print(f"\r{len(outcomes)}/{len(chosen)} scenes", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    order = [(s.name, s.strength) for s in chosen]
    outcomes.sort(key=lambda o: order.index((o.scene, o.strength)))
    row = summed_up(arguments.protocol, outcomes, began_s, part_of(arguments))
    if arguments.format == "json":
        print_json(NAME, [row], {"scenes": [vars(o) for o in outcomes]}, holds=row.is_right)
    else:
        print_table(outcomes)
    return row.is_right


if __name__ == "__main__":
    given = parse_arguments()
    sys.exit(concluded(NAME, lambda: prove(given)))
