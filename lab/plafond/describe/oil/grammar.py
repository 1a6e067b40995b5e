# SPDX-License-Identifier: MIT
"""The grammar of OIL 2.5 (chapter 5) without includes, and with Trampoline's additions.

These are STRUCT, types of other names, brackets behind a kind of object, and descriptions of
several strings.

OIL reserves no words. For example, TASK is both a kind of object and an attribute of an alarm's
action. So only section keywords, types and WITH_AUTO are tokens, each at places that allow nothing
else.
"""

import json
import re
from decimal import Decimal
from functools import cache
from typing import Any, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken

from plafond.describe.oil.included import HIDING, Whole
from plafond.describe.oil.model import (
    Assignment,
    Choice,
    Cpu,
    Definition,
    Enumerator,
    Implementation,
    Literal,
    Object,
    Range,
    Section,
    Word,
)

_GRAMMAR = r"""
file: (version | implementation | cpu)*
version: "OIL_VERSION" "=" STRING [DESCRIPTION] ";"
implementation: IMPLEMENTATION NAME "{" kind* "}" [DESCRIPTION] ";"
cpu: CPU NAME "{" object* "}" [DESCRIPTION] ";"

kind: NAME [multiple] "{" definitions "}" [DESCRIPTION] ";"
definitions: definition*
?definition: TYPE [WITH_AUTO] [allowed] NAME [multiple] ["=" literal] [DESCRIPTION] ";" -> simple
    | STRUCT "{" definitions "}" NAME [multiple] [DESCRIPTION] ";" -> struct
multiple: "[" "]"
?allowed: "[" NUMBER ".." NUMBER "]" -> range
    | "[" NUMBER ("," NUMBER)* "]" -> numbers
    | "[" enumerator ("," enumerator)* "]" -> enumerators
enumerator: NAME ["{" definitions "}"] [DESCRIPTION]

object: NAME NAME ["{" assignments "}"] [DESCRIPTION] ";"
assignments: assignment*
?assignment: NAME "=" literal ["{" assignments "}"] [DESCRIPTION] ";" -> assigned
    | NAME NAME "{" assignments "}" [DESCRIPTION] ";" -> named
literal: NAME | NUMBER | STRING

IMPLEMENTATION: "IMPLEMENTATION"
CPU: "CPU"
STRUCT.2: /STRUCT\b/
WITH_AUTO.2: /WITH_AUTO\b/
TYPE: /[A-Za-z_]\w*/
NAME: /[A-Za-z_]\w*/
NUMBER: /[-+]?(0[xX][0-9a-fA-F]+|[0-9]+(\.[0-9]+([eE][-+]?[0-9]+)?)?)/
STRING: /"[^"\n]*"/
DESCRIPTION: /:\s*"[^"]*"(\s*"[^"]*")*/
COMMENT: /\/\/[^\n]*/ | /\/\*[^*]*\*+([^\/*][^*]*\*+)*\//
%ignore /[ \t\r\n\f]+/
%ignore COMMENT
"""
# Names of the grammar's tokens in messages.
_SHOWN = {
    "$END": "the end of the file",
    "OIL_VERSION": "OIL_VERSION",
    "IMPLEMENTATION": "IMPLEMENTATION",
    "CPU": "CPU",
    "WITH_AUTO": "WITH_AUTO",
    "TYPE": "a type (UINT32, ENUM, TASK_TYPE and so on)",
    "STRUCT": "STRUCT",
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a string",
    "DESCRIPTION": "a description",
    "LBRACE": '"{"',
    "RBRACE": '"}"',
    "LSQB": '"["',
    "RSQB": '"]"',
    "EQUAL": '"="',
    "SEMICOLON": '";"',
    "COMMA": '","',
    "__ANON_0": '".."',
}
# Messages omit these tokens, because they are allowed almost everywhere.
_UNSAID = {"DESCRIPTION", "STRUCT"}
# If no token matches: the text to show, and the missing part.
_BROKEN = re.compile(r"""["][^\n]{0,20}|/\*[^\n]{0,20}|\w+|.""", re.DOTALL)
_MISSING = {'"': "a string that ends on its line", "/": "a comment that ends"}
MOST_NESTED = 20
MOST_DIGITS = 40
# A number with more digits, or with an exponent of more than two digits.
_LONG = (
    rf"(?<![\w.])(?:0[xX][0-9a-fA-F]{{{MOST_DIGITS + 1},}}|[0-9]{{{MOST_DIGITS + 1},}}"
    rf"|[0-9]+\.(?:[0-9]{{{MOST_DIGITS + 1},}}|[0-9]+[eE][-+]?[0-9]{{3,}}))"
)


def parse(whole: Whole) -> list[Section]:
    """Return the sections; DescriptionError names the first mistake."""
    text = whole.text
    _refuse_unbounded(whole, text)
    try:
        return cast(list[Section], _parser().parse(text))
    except UnexpectedToken as error:
        is_end = error.token.type == "$END"
        line = max(1, text.rstrip().count("\n") + 1) if is_end else error.line
        found = _SHOWN["$END"] if is_end else _quoted(error.token)
        expected = _listed(error.accepts or error.expected)
    except UnexpectedCharacters as error:
        line = error.line
        broken = _BROKEN.match(text, error.pos_in_stream or 0)
        assert broken  # a character is there that begins no token
        found = _quoted(broken[0])
        expected = _MISSING.get(broken[0][0]) or _listed(error.allowed)
    raise whole.error(whole.origin(line), found, expected)


def _refuse_unbounded(whole: Whole, text: str) -> None:
    """Refuse deeply nested braces, because later steps are recursive, and endless numbers."""
    depth = 0
    for piece in re.finditer(rf"{HIDING}|[{{}}]|{_LONG}", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(piece[0], 0)
        is_number = piece[0][0].isdigit()
        if depth > MOST_NESTED or is_number:
            line = text.count("\n", 0, piece.start()) + 1
            found, expected = "one brace more", f"at most {MOST_NESTED} braces in each other"
            if is_number:
                found = f"a number of {len(piece[0])} characters"
                expected = f"at most {MOST_DIGITS} digits, and an exponent of at most two"
            raise whole.error(whole.origin(line), found, expected)


@cache
def _parser() -> Lark:
    return Lark(
        _GRAMMAR, start="file", parser="lalr", transformer=_Sections(), maybe_placeholders=True
    )


class _Sections(Transformer[Token, list[Section]]):
    def file(self, sections: list[Section | None]) -> list[Section]:
        return [section for section in sections if section]

    def version(self, _: list[Token]) -> None:
        return None

    def implementation(self, parts: list[Any]) -> Implementation:
        word, name, *kinds, _ = parts
        return Implementation(str(name), word.line, tuple(kinds))

    def kind(self, parts: list[Any]) -> tuple[str, tuple[Definition, ...]]:
        return str(parts[0]), parts[2]

    def definitions(self, definitions: list[Definition]) -> tuple[Definition, ...]:
        return tuple(definitions)

    def struct(self, parts: list[Any]) -> Definition:
        kind, definitions, name, multiple, _ = parts
        return Definition(
            name=str(name),
            line=name.line,
            type=str(kind),
            with_auto=False,
            allowed=(Enumerator("", definitions),),
            multiple=multiple is not None,
            default=None,
        )

    def simple(self, parts: list[Any]) -> Definition:
        kind, auto, allowed, name, multiple, default, _ = parts
        return Definition(
            name=str(name),
            line=name.line,
            type=str(kind),
            with_auto=auto is not None,
            allowed=allowed,
            multiple=multiple is not None,
            default=default,
        )

    def multiple(self, _: list[Token]) -> bool:
        return True

    def range(self, bounds: list[Token]) -> Range:
        return Range(_number(bounds[0]), _number(bounds[1]))

    def numbers(self, numbers: list[Token]) -> Choice:
        return Choice(tuple(map(_number, numbers)))

    def enumerators(self, enumerators: list[Enumerator]) -> tuple[Enumerator, ...]:
        return tuple(enumerators)

    def enumerator(self, parts: list[Any]) -> Enumerator:
        return Enumerator(str(parts[0]), parts[1] or ())

    def cpu(self, parts: list[Any]) -> Cpu:
        word, name, *objects, _ = parts
        return Cpu(str(name), word.line, tuple(objects))

    def object(self, parts: list[Any]) -> Object:
        kind, name, attributes, _ = parts
        return Object(str(kind), str(name), kind.line, attributes or ())

    def assignments(self, assignments: list[Assignment]) -> tuple[Assignment, ...]:
        return tuple(assignments)

    def assigned(self, parts: list[Any]) -> Assignment:
        name, value, parameters, _ = parts
        return Assignment(str(name), name.line, value, parameters or ())

    def named(self, parts: list[Any]) -> Assignment:
        name, value, parameters, _ = parts
        return Assignment(str(name), name.line, Word(value), parameters, is_named=True)

    def literal(self, tokens: list[Token]) -> Literal:
        token = tokens[0]
        if token.type == "STRING":
            return str(token[1:-1])
        return Word(token) if token.type == "NAME" else _number(token)


def _number(token: Token) -> int | Decimal:
    text = str(token)
    if "x" in text or "X" in text:
        return int(text, 16)
    return Decimal(text) if "." in text else int(text)


def _quoted(text: str) -> str:
    return text if text.startswith('"') and text.isprintable() else json.dumps(text)


def _listed(names: set[str]) -> str:
    unsaid = _UNSAID | {"NAME"} if "EQUAL" in names else _UNSAID  # a name there is of a STRUCT
    return " or ".join(shown for name, shown in _SHOWN.items() if name in names - unsaid)
