# SPDX-License-Identifier: MIT
"""JSON as rt-app reads it, with lines: comments and commas before a closing bracket are right.

The json module gives no lines and takes no comments. Members keep their order, and a key that is
there twice stays there twice: rt-app's events are members.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken

from plafond.describe.problems import DescriptionError, Problem

_GRAMMAR = r"""
?value: table | array | STRING -> text | NUMBER -> number | WORD -> word
table: "{" [member ("," member)* ","?] "}"
member: STRING ":" value
array: "[" [value ("," value)* ","?] "]"

STRING: /"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/
WORD: /(true|false|null)\b/i
COMMENT: /\/\/[^\n]*/ | /\/\*[^*]*\*+([^\/*][^*]*\*+)*\//
%ignore /[ \t\r\n]+/
%ignore COMMENT
"""
_MOST_DIGITS = 18  # no field of rt-app holds more
_WORDS = {"true": True, "false": False, "null": None}
# Tokens by their names in the grammar, as messages call them.
_VALUES = {"STRING", "NUMBER", "WORD", "LBRACE", "LSQB"}
_SHOWN = {
    "STRING": "a string",
    "RBRACE": '"}"',
    "RSQB": '"]"',
    "COLON": '":"',
    "COMMA": '","',
    "$END": "the end of the file",
}
# Where no token begins: what is there, to be shown, and what is missing.
_BROKEN = re.compile(r"""["][^\n]{0,20}|/\*[^\n]{0,20}|\w+|.""", re.DOTALL)
_MISSING = {'"': "a string that ends on its line, with JSON's escapes", "/": "a comment that ends"}


@dataclass(frozen=True)
class Odd:
    """A number that no field of rt-app holds: a fraction, or one with many digits."""

    written: str


@dataclass(frozen=True)
class Member:
    """A key of a table, its line, and its value."""

    key: str
    line: int
    value: "Value"


@dataclass(frozen=True)
class Table:
    """What JSON calls an object: its members in the order of the file."""

    members: tuple[Member, ...]


Value = Table | list["Value"] | str | int | Odd | None


def parse_json(file: Path, text: str) -> Value:
    """Return the value that the text is; DescriptionError names the first place that is wrong."""
    try:
        return cast(Value, _parser().parse(text))
    except UnexpectedToken as error:
        is_end = error.token.type == "$END"
        line = text.rstrip().count("\n") + 1 if is_end else error.line
        found = _SHOWN["$END"] if is_end else _quoted(error.token)
        expected = _listed(error.accepts or {"$END"})  # it names none behind a whole value
    except UnexpectedCharacters as error:
        line = error.line
        broken = _BROKEN.match(text, error.pos_in_stream or 0)
        assert broken  # there is a character, which is no token
        found = _quoted(broken[0])
        expected = _MISSING.get(broken[0][0]) or _listed(error.allowed)
    raise DescriptionError(file, [(line, Problem((), found, expected))])


@cache
def _parser() -> Lark:
    # Values are made while it parses, not from a tree: nothing recurses where brackets nest.
    return Lark(
        _GRAMMAR, start="value", parser="lalr", transformer=_Values(), maybe_placeholders=False
    )


class _Values(Transformer[Token, Value]):
    def table(self, members: list[Member]) -> Table:
        return Table(tuple(members))

    def array(self, values: list[Value]) -> list[Value]:
        return values

    def member(self, parts: list[Any]) -> Member:
        key, value = parts
        return Member(json.loads(key), key.line, value)

    def text(self, tokens: list[Token]) -> str:
        return str(json.loads(tokens[0]))

    def number(self, tokens: list[Token]) -> int | Odd:
        written = str(tokens[0])
        is_kept = re.fullmatch(rf"-?[0-9]{{1,{_MOST_DIGITS}}}", written)
        return int(written) if is_kept else Odd(written)

    def word(self, tokens: list[Token]) -> bool | None:
        return _WORDS[tokens[0].lower()]


def _quoted(text: str) -> str:
    return text if text.startswith('"') and text.isprintable() else json.dumps(text)


def _listed(names: set[str]) -> str:
    """Return what may stand there: a value, where every kind of value may."""
    listed = [_SHOWN[name] for name in sorted(names & _SHOWN.keys())]
    if names >= _VALUES:
        listed = ["a value", *(shown for shown in listed if shown != _SHOWN["STRING"])]
    return " or ".join(listed)
