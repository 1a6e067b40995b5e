# SPDX-License-Identifier: MIT
"""The line of each field in a TOML file, because tomllib does not report lines."""

import tomllib

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from plafond.describe.problems import Where

_LANGUAGE = Language(tree_sitter_toml.language())
_TABLES = ("table", "table_array_element")
# Length of the path of a step, such as ("task", "T1", "body", 2). Its parts have the step's line.
_DEEPEST = 4


def lines_of(text: str) -> dict[Where, int]:
    """Map the path of each key, table and list element to its line, counted from 1."""
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
    """Return the line of a field, or of the innermost table around it that the file has."""
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
    # A dotted key or table name also sets the lines of the tables that it implies.
    for length in range(1, min(len(path), _DEEPEST) + 1):
        lines.setdefault(path[:length], node.start_point[0] + 1)


def _path(key: Node) -> Where:
    """Return the names of a bare, quoted or dotted key, to any depth."""
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
        # Let tomllib resolve escapes inside the quotes.
        return next(iter(tomllib.loads(f"{written} = 0")))
    return written
