# SPDX-License-Identifier: MIT
"""A fault of a C source: its name, and the bytes that it changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tree_sitter_c
from tree_sitter import Language, Node, Parser


@dataclass(frozen=True)
class Mutant:
    """One fault: these bytes of the file become that text."""

    file: str
    function: str
    line: int
    what: str
    start: int
    end: int
    text: str

    @property
    def key(self) -> str:
        """A name that survives edits elsewhere in the file."""
        return f"{Path(self.file).name}:{self.function}: {self.what}"

    @property
    def is_generated(self) -> bool:
        """Made by an operator, in the function of that name; by hand it may stand anywhere."""
        return self.function.isidentifier()

    def apply(self, source: bytes) -> bytes:
        """The file with the fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]


@dataclass(frozen=True)
class ByHand:
    """In this file, this text becomes that."""

    name: str
    file: str
    old: str
    new: str
    scene: str = ""  # which is played first,
    test: str = ""  # or which test is run first

    def mutant(self, root: Path) -> Mutant:
        """The fault, placed; the text must be there once, or the mutant would be none."""
        source = (root / self.file).read_text(encoding="utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.name}: its text stands not once in {self.file}")
        start = len(source[: source.index(self.old)].encode())
        line = source[: source.index(self.old)].count("\n") + 1
        end = start + len(self.old.encode())
        return Mutant(self.file, "by hand", line, self.name, start, end, self.new)


def one_line(text: str, limit: int = 60) -> str:
    """Source text for a table."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 3] + "..."


def text_of(node: Node) -> str:
    """Source of a node."""
    return (node.text or b"").decode()


def walk(node: Node) -> Iterator[Node]:
    """All nodes below and with this one."""
    yield node
    for child in node.children:
        yield from walk(child)


def name_of(function: Node) -> str:
    """Name of a function that is defined here."""
    names = [n for n in walk(function) if n.type == "function_declarator"]
    name = names[0].child_by_field_name("declarator") if names else None
    return text_of(name) if name is not None else "?"


def function_around(source: bytes, mutant: Mutant) -> str:
    """The function whose definition has the whole fault; "": none has."""
    tree = Parser(Language(tree_sitter_c.language())).parse(source)
    for node in walk(tree.root_node):
        inside = node.start_byte <= mutant.start and mutant.end <= node.end_byte
        if node.type == "function_definition" and inside:
            return name_of(node)
    return ""


def functions_in(root: Path, file: str) -> set[str]:
    """The names of the functions that a file defines."""
    tree = Parser(Language(tree_sitter_c.language())).parse((root / file).read_bytes())
    return {name_of(n) for n in walk(tree.root_node) if n.type == "function_definition"}
