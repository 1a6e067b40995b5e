# SPDX-License-Identifier: MIT
"""Compare plf_is_earlier() with true instants: its text with narrow types, and with 64 bits."""

from __future__ import annotations

import re
from pathlib import Path

from plafond.prove.model import Extent

from proof.design.cases import Answer
from proof.design.spin import HERE, run

_WIDTHS: tuple[tuple[str, list[str], str], ...] = (
    ("8 bits", ["-DNARROW=8"], "all pairs"),
    ("16 bits", ["-DNARROW=16"], "all pairs"),
    ("64 bits", [], "at and beside each power of two"),
)
# At exactly half the range both directions are equally far. It then answers true for both orders.
_CLAIM = "right for every two instants less than half the range apart"


def compared(folder: Path, protocol: Path, extent: Extent) -> list[Answer]:
    """Return a row for each width. 16 bits are not quick, because they have 4 thousand million
    pairs."""
    rows = []
    for width, defines, which in _WIDTHS:
        if not extent.takes(width != "16 bits"):
            continue
        program = folder / f"earlier{width.split()[0]}"
        run(
            [
                *("gcc", "-std=gnu17", "-O2", "-w", *defines, f"-I{protocol}"),
                *(HERE / "earlier.c", "-o", program),
            ],
            folder,
        )
        found = re.fullmatch(r"pairs (\d+) wrong (\d+)\n", run([program], folder))
        assert found is not None
        pairs, wrong = int(found[1]), int(found[2])
        rows.append(
            Answer(
                "plf_is_earlier()",
                width,
                _CLAIM,
                f"{pairs} pairs, {which}",
                0,
                "holds" if wrong == 0 else f"{wrong} pairs are wrong",
                "holds",
            )
        )
    return rows
