# SPDX-License-Identifier: MIT
"""The options of a run. Tests replace the options that matter to them."""

from fractions import Fraction
from pathlib import Path

from plafond.run.options import Options

OPTIONS = Options(
    command="plafond run",
    protocols=["plafond"],
    scale=Fraction(1),
    activations=None,
    seed=None,
    out=Path(),
    shown=None,
    overheads=False,
    guest=None,
    board=None,
)
