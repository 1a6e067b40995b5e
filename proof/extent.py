# SPDX-License-Identifier: MIT
"""How a program of proof/ is asked for a part of its work: `--quick`, or `--rest`, all else.

`--unargued` is the rest where nothing is quick: all that could fail.
"""

from __future__ import annotations

import argparse

from plafond.prove.model import Extent


def add_extent(parser: argparse.ArgumentParser, small: str) -> None:
    """Take both options into `extent`; `small`: what the quick part is."""
    parts = parser.add_mutually_exclusive_group()
    for extent, text in (
        (Extent.QUICK, f"only {small}"),
        (Extent.REST, f"all but {small}"),
        (Extent.UNARGUED, "all but the mutants that are argued"),
    ):
        parts.add_argument(
            extent.option,
            action="store_const",
            dest="extent",
            const=extent,
            default=Extent.WHOLE,
            help=text,
        )
