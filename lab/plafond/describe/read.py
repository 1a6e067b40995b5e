# SPDX-License-Identifier: MIT
"""Read a description as TOML, rt-app's JSON or OIL; the file's suffix selects the form."""

import re
from collections.abc import Iterable
from pathlib import Path

from plafond.describe.defaults import NO_DEFAULTS, Defaults
from plafond.describe.file_text import text_of
from plafond.describe.problems import DescriptionError, Problem
from plafond.describe.source import Source
from plafond.describe.system import System
from plafond.describe.toml import source_of_toml
from plafond.errors import ArgumentError

# Suffixes of rt-app's and OSEK's files.
RT_APP = ".json"
OIL = ".oil"
FORMS = {RT_APP: "rt-app's JSON", OIL: "OIL"}
STANDARD_INPUT = "-"  # other commands read standard input by this name
ARXML = ".arxml"
INSTEAD_OF_ARXML = (
    "another form: ARXML is not read; export OIL, or write the tasks as `plafond check --schema` "
    "says"
)
_AUTOSAR = re.compile(r"<(?:\w+:)?AUTOSAR\b")  # the outermost element of ARXML


def form_of(file: Path) -> str:
    """Return the suffix that selects the form of a file; upper case is the same."""
    return file.suffix.lower()


def read(file: Path, folders: tuple[Path, ...] = (), *, defaults: Defaults = NO_DEFAULTS) -> Source:
    """Return the file's content; PlafondError if it is unreadable or malformed.

    `folders`: where #include of OIL searches. `defaults` are for rt-app's files alone:
    ArgumentError if there are some for another file, or if the file is standard input.
    """
    if str(file) == STANDARD_INPUT and not file.exists():
        wanted = "a file, because its suffix gives the form and its folder the included files"
        raise ArgumentError(f"found {file} for standard input; expected the name of {wanted}")
    form = form_of(file)
    if defaults != NO_DEFAULTS and form != RT_APP:
        raise ArgumentError(
            f"{defaults.option}: found {file}; expected rt-app's JSON (NAME.json), whose threads "
            "may lack it"
        )
    is_arxml = form == ARXML
    text = ""
    if not is_arxml:
        text = text_of(file, FORMS.get(form, "TOML"), may_be_latin_1=form == OIL)
    if is_arxml or (text.lstrip().startswith("<") and _AUTOSAR.search(text)):
        raise DescriptionError(file, [(1, Problem((), "ARXML", INSTEAD_OF_ARXML))])
    # Import here because the parsers take a tenth of a second to load.
    if form == RT_APP:
        from plafond.describe.rt_app.convert import source_of_rt_app

        return source_of_rt_app(file, text, defaults)
    if form == OIL:
        from plafond.describe.oil.convert import source_of_oil

        return source_of_oil(file, text, folders)
    return source_of_toml(file, text)


def error_of(system: System, problems: Iterable[Problem]) -> DescriptionError:
    """Return the error that names each problem of a system that was read from a file."""
    assert system.file is not None  # a system that was made without a file has no mistakes
    return read(system.file, system.folders, defaults=system.defaults).error(problems)
