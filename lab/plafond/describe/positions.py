# SPDX-License-Identifier: MIT
"""On which line of a TOML file each field stands; tomllib does not say."""

import tomllib

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from plafond.describe.problems import Where

_LANGUAGE = Language(tree_sitter_toml.language())
_TABLES = ("table", "table_array_element")
_DEEPEST = 4  # a step, as ("task", "T1", "body", 2); what lies deeper has the line around it


def lines_of(text: str) -> dict[Where, int]:
    """Map the path of each key, table and element of a list to its line, from 1."""
    lines: dict[Where, int] = {}
    root = Parser(_LANGUAGE).parse(text.encode()).root_node
    for node in root.named_children:
        if node.type in _TABLES:
            path = _path(node.named_children[0])
            _note(lines, path, node)
            for pair in node.named_children[1:]:
                _pair(lines, path, pair)
        else:
            _pair(lines, (), node)
    return lines


def line_of(lines: dict[Where, int], where: Where) -> int:
    """Return the line of a field, or of the innermost table around it that is written."""
    while where and where not in lines:
        where = where[:-1]
    return lines.get(where, 1)


def _pair(lines: dict[Where, int], table: Where, node: Node) -> None:
    if node.type == "pair":
        key, value = node.named_children[0], node.named_children[1]
        path = table + _path(key)
        _note(lines, path, key)
        _value(lines, path, value)


def _value(lines: dict[Where, int], path: Where, value: Node) -> None:
    if len(path) >= _DEEPEST:
        return
    if value.type == "inline_table":
        for pair in value.named_children:
            _pair(lines, path, pair)
    elif value.type == "array":
        elements = [node for node in value.named_children if node.type != "comment"]
        for index, element in enumerate(elements):
            _note(lines, (*path, index), element)
            _value(lines, (*path, index), element)


def _note(lines: dict[Where, int], path: Where, node: Node) -> None:
    # A dotted key or table also places the tables that it implies.
    for length in range(1, min(len(path), _DEEPEST) + 1):
        lines.setdefault(path[:length], node.start_point[0] + 1)


def _path(key: Node) -> Where:
    """Return the names of a bare, quoted or dotted key; a dotted key nests as deep as it likes."""
    names: list[str] = []
    parts = [key]
    while parts:
        part = parts.pop()
        if part.type == "dotted_key":
            parts += reversed(part.named_children)
        else:
            names.append(_name(part))
    return tuple(names)


def _name(key: Node) -> str:
    written = (key.text or b"").decode()
    if key.type == "quoted_key":
        # As TOML reads it: the quotes may hide escapes.
        return next(iter(tomllib.loads(f"{written} = 0")))
    return written
