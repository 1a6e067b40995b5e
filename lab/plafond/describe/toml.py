# SPDX-License-Identifier: MIT
"""Read the text of a TOML file, without checking its content as a description."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from plafond.describe.form import TOO_MANY_DIGITS
from plafond.describe.positions import line_of, lines_of
from plafond.describe.problems import DescriptionError, Problem, Where, field_name
from plafond.describe.source import Place, Source
from plafond.errors import PlafondError

# A key with this many parts. The time of tomllib would grow with the square of that number.
_DEEP_KEY = re.compile(r"""(?:^|[\[{,])[ \t]*(?:[\w"'-]+[ \t]*\.[ \t]*){100}""", re.MULTILINE)


def source_of_toml(file: Path, text: str) -> Source:
    """Return the file's tables; DescriptionError or PlafondError if it is not TOML."""

    @cache
    def lines() -> dict[Where, int]:
        return lines_of(text)  # cached; needed only for a file with mistakes

    raw = _parse(file, text)
    return Source(file, raw, lambda where: Place(where, line_of(lines(), where)))


def _parse(file: Path, text: str) -> dict[str, Any]:
    try:
        if _DEEP_KEY.search(text):
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise PlafondError(f"{file}: found tables nested too deeply; expected at most 3") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        found = _in_terms_of_toml(re.sub(r" \(at [^)]*\)", "", str(error)))
        raise DescriptionError(file, [(line, Problem((), found, "valid TOML"))]) from None
    except ValueError:  # Python limits the digits of a number
        digits = re.search(r"[0-9][0-9_]{4000}", text)
        line = text.count("\n", 0, digits.start() if digits else None) + 1
        problem = Problem((), TOO_MANY_DIGITS, "a smaller number")
        raise DescriptionError(file, [(line, problem)]) from None


def _in_terms_of_toml(message: str) -> str:
    """Return tomllib's message, with names of tables as in the file."""
    twice = re.fullmatch(r"Cannot declare (\(.*\)) twice", message)
    return f"[{field_name(ast.literal_eval(twice[1]))}] twice" if twice else message
