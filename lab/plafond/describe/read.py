# SPDX-License-Identifier: MIT
"""Read the file of a description, in the form that its name says: TOML, JSON of rt-app, OIL."""

from collections.abc import Iterable
from pathlib import Path

from plafond.describe.file_text import text_of
from plafond.describe.problems import DescriptionError, Problem
from plafond.describe.source import Source
from plafond.describe.system import System
from plafond.describe.toml import source_of_toml

# What the name of a file ends in that is rt-app's, and of one that is OSEK's.
RT_APP = ".json"
OIL = ".oil"
FORMS = {RT_APP: "rt-app's JSON", OIL: "OIL"}


def read(file: Path) -> Source:
    """Return what the file says; PlafondError if it cannot be read, or not in its form."""
    text = text_of(file, FORMS.get(file.suffix, "TOML"))
    # Late, because their parser takes a tenth of a second to be loaded.
    if file.suffix == RT_APP:
        from plafond.describe.rt_app.convert import source_of_rt_app

        return source_of_rt_app(file, text)
    if file.suffix == OIL:
        from plafond.describe.oil.convert import source_of_oil

        return source_of_oil(file, text)
    return source_of_toml(file, text)


def error_of(system: System, problems: Iterable[Problem]) -> DescriptionError:
    """Return the error that names each problem of a system that was read from a file."""
    assert system.file is not None  # a system that was not read from a file is known to be right
    return read(system.file).error(problems)
