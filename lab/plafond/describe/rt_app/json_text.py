# SPDX-License-Identifier: MIT
"""Parse JSON as rt-app accepts it: with comments, and with commas before closing brackets.

The json module reports no lines and rejects comments. Members keep their order, and duplicate keys
are kept, because rt-app's events are members. A `suspend` may lack its value, because workgen,
which starts rt-app, adds it.
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
member: STRING ":" value | BARE
array: "[" [value ("," value)* ","?] "]"

BARE.1: /"suspend\w*"(?=[ \t\r\n]*[,}])/
STRING: /"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/
WORD: /(true|false|null)\b/i
COMMENT: /\/\/[^\n]*/ | /\/\*[^*]*\*+([^\/*][^*]*\*+)*\//
%ignore /[ \t\r\n]+/
%ignore COMMENT
"""
_MOST_DIGITS = 18  # more than any field of rt-app holds
_WORDS = {"true": True, "false": False, "null": None}
# Names of the grammar's tokens in messages.
_VALUES = {"STRING", "NUMBER", "WORD", "LBRACE", "LSQB"}
_SHOWN = {
    "STRING": "a string",
    "RBRACE": '"}"',
    "RSQB": '"]"',
    "COLON": '":"',
    "COMMA": '","',
    "$END": "the end of the file",
}
# If no token matches: the text to show, and the missing part.
_BROKEN = re.compile(r"""["][^\n]{0,20}|/\*[^\n]{0,20}|\w+|.""", re.DOTALL)
_MISSING = {'"': "a string that ends on its line, with JSON's escapes", "/": "a comment that ends"}


@dataclass(frozen=True)
class Odd:
    """A number that no field of rt-app can hold: a fraction, or too many digits."""

    written: str


@dataclass(frozen=True)
class Member:
    """A key of a table, its line, and its value."""

    key: str
    line: int
    value: "Value"


@dataclass(frozen=True)
class Table:
    """A JSON object: its members in the order of the file."""

    members: tuple[Member, ...]


Value = Table | list["Value"] | str | int | Odd | None


def parse_json(file: Path, text: str) -> Value:
    """Return the value of the text; DescriptionError names the first mistake."""
    try:
        return cast(Value, _parser().parse(text))
    except UnexpectedToken as error:
        is_end = error.token.type == "$END"
        line = text.rstrip().count("\n") + 1 if is_end else error.line
        found = _SHOWN["$END"] if is_end else _quoted(error.token)
        expected = _listed(error.accepts or {"$END"})  # lark names no tokens after a complete value
    except UnexpectedCharacters as error:
        line = error.line
        broken = _BROKEN.match(text, error.pos_in_stream or 0)
        assert broken  # a character is there that begins no token
        found = _quoted(broken[0])
        expected = _MISSING.get(broken[0][0]) or _listed(error.allowed)
    raise DescriptionError(file, [(line, Problem((), found, expected))])


@cache
def _parser() -> Lark:
    # The transformer runs during parsing, not on a tree, so nested brackets cause no recursion.
    return Lark(
        _GRAMMAR, start="value", parser="lalr", transformer=_Values(), maybe_placeholders=False
    )


class _Values(Transformer[Token, Value]):
    def table(self, members: list[Member]) -> Table:
        return Table(tuple(members))

    def array(self, values: list[Value]) -> list[Value]:
        return values

    def member(self, parts: list[Any]) -> Member:
        key, value = parts if len(parts) == 2 else (parts[0], "")
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
    """Return the tokens that may follow; `a value` if all kinds of value may."""
    listed = [_SHOWN[name] for name in sorted(names & _SHOWN.keys())]
    if names >= _VALUES:
        listed = ["a value", *(shown for shown in listed if shown != _SHOWN["STRING"])]
    return " or ".join(listed)
