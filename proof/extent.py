# SPDX-License-Identifier: MIT
"""The options --quick, --rest and --unargued, which choose a part of a program's work.

--rest is everything except the quick part. --unargued is the rest for programs without a quick
part: everything except the mutants that are argued equivalent.
"""

from __future__ import annotations

import argparse

from plafond.prove.model import Extent


def add_extent(parser: argparse.ArgumentParser, small: str) -> None:
    """Add the options, which set `extent`. `small` describes the quick part."""
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
