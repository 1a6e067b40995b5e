# SPDX-License-Identifier: MIT
"""Read the file of a description, in the form that its name says: TOML, or rt-app's JSON."""

from collections.abc import Iterable
from pathlib import Path

from plafond.describe.problems import DescriptionError, Problem
from plafond.describe.source import Source
from plafond.describe.system import System
from plafond.describe.toml import source_of_toml
from plafond.errors import PlafondError

LARGEST_FILE = 1 << 20
RT_APP = ".json"  # what the name of a file ends in that is rt-app's


def read(file: Path) -> Source:
    """Return what the file says; PlafondError if it cannot be read, or not in its form."""
    form = "rt-app's JSON" if file.suffix == RT_APP else "TOML"
    text = _text_of(file, form)
    if file.suffix != RT_APP:
        return source_of_toml(file, text)
    # Late, because its parser takes a tenth of a second to be loaded.
    from plafond.describe.rt_app.convert import source_of_rt_app

    return source_of_rt_app(file, text)


def error_of(system: System, problems: Iterable[Problem]) -> DescriptionError:
    """Return the error that names each problem of a system that was read from a file."""
    assert system.file is not None  # a system that was not read from a file is known to be right
    return read(system.file).error(problems)


def _text_of(file: Path, form: str) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise PlafondError(f"{file}: found more than 1 MiB; expected a description")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise PlafondError(f"{file}: {error.strerror}; expected a description ({form})") from None
    except UnicodeDecodeError:
        raise PlafondError(f"{file}: found bytes that are not UTF-8; expected {form}") from None
