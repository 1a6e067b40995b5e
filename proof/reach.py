# SPDX-License-Identifier: MIT
"""Find the functions on which the machine code of a C file can depend.

A `static inline` function leaves no code behind if nothing else in the file names it. A fault in
such a function does not change the file's machine code. Anything not recognised as such a function
counts as named, so the answer may have too many names but never too few.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

import tree_sitter_c
from tree_sitter import Language, Node, Parser

_LINE_MARK = re.compile(rb'^# \d+ "([^"]*)".*$', re.MULTILINE)
_NAME = re.compile(rb"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Reach:
    """The files that a C file consists of, and the names on which its code can depend."""

    files: frozenset[str]
    names: frozenset[str]


def reach(preprocessed: bytes) -> Reach:
    """Compute the reach from the output of `gcc -E`."""
    files = {str(PurePath(name.decode())) for name in _LINE_MARK.findall(preprocessed)}
    text = _LINE_MARK.sub(b"", preprocessed)
    tree = Parser(Language(tree_sitter_c.language())).parse(text)
    dormant: dict[bytes, set[bytes]] = {}  # the names used in each function that may leave no code
    awake: set[bytes] = set()
    end = 0
    for node in tree.root_node.children:
        name = _inline_name(node)
        if name is not None:
            awake.update(_NAME.findall(text, end, node.start_byte))
            named = _NAME.findall(text, node.start_byte, node.end_byte)
            dormant.setdefault(name, set()).update(named)
            end = node.end_byte
    awake.update(_NAME.findall(text, end))
    return Reach(frozenset(files), frozenset(n.decode() for n in _closure(awake, dormant)))


def _inline_name(node: Node) -> bytes | None:
    """Return the name of a declared or defined `static inline` function, or None."""
    if node.type not in ("declaration", "function_definition") or node.has_error:
        return None
    kinds = {n.text for n in node.children if n.type == "storage_class_specifier"}
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    if declarator is None or not {b"static", b"inline"} <= kinds:
        return None
    name = declarator.child_by_field_name("declarator")
    return name.text if name is not None and name.type == "identifier" else None


def _closure(names: set[bytes], dormant: dict[bytes, set[bytes]]) -> set[bytes]:
    """Return the names, and all names that the functions among them use, transitively."""
    found: set[bytes] = set()
    new = names
    while new:
        found |= new
        new = {n for name in new for n in dormant.get(name, ())} - found
    return found
