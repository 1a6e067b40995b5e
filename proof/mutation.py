# SPDX-License-Identifier: MIT
"""A fault in a C source: its name and the bytes that it replaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tree_sitter_c
from tree_sitter import Language, Node, Parser


@dataclass(frozen=True)
class Mutant:
    """One fault: `text` replaces the bytes from `start` to `end` of the file."""

    file: str
    function: str
    line: int
    what: str
    start: int
    end: int
    text: str

    @property
    def key(self) -> str:
        """A name that stays valid if other parts of the file change."""
        return f"{Path(self.file).name}:{self.function}: {self.what}"

    @property
    def is_generated(self) -> bool:
        """Whether an operator of the Mutator made it. A fault by hand has "by hand" as its
        function."""
        return self.function.isidentifier()

    def apply(self, source: bytes) -> bytes:
        """Return the source with the fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]


@dataclass(frozen=True)
class ByHand:
    """A fault by hand: `new` replaces `old` in the file."""

    name: str
    file: str
    old: str
    new: str
    scene: str = ""  # the scene to play first
    test: str = ""  # the test to run first

    def mutant(self, root: Path) -> Mutant:
        """Return the mutant. Raise ValueError unless `old` occurs exactly once in the file."""
        source = (root / self.file).read_text(encoding="utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.name}: its text stands not once in {self.file}")
        start = len(source[: source.index(self.old)].encode())
        line = source[: source.index(self.old)].count("\n") + 1
        end = start + len(self.old.encode())
        return Mutant(self.file, "by hand", line, self.name, start, end, self.new)


def one_line(text: str, limit: int = 60) -> str:
    """Return source text as a line of a table, cut to `limit` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 3] + "..."


def text_of(node: Node) -> str:
    """Return the source text of a node."""
    return (node.text or b"").decode()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes below it."""
    yield node
    for child in node.children:
        yield from walk(child)


def name_of(function: Node) -> str:
    """Return the name of the function that a definition defines, or "?"."""
    names = [n for n in walk(function) if n.type == "function_declarator"]
    name = names[0].child_by_field_name("declarator") if names else None
    return text_of(name) if name is not None else "?"


def function_around(source: bytes, mutant: Mutant) -> str:
    """Return the function whose definition contains the whole fault, or "" if none does."""
    tree = Parser(Language(tree_sitter_c.language())).parse(source)
    for node in walk(tree.root_node):
        inside = node.start_byte <= mutant.start and mutant.end <= node.end_byte
        if node.type == "function_definition" and inside:
            return name_of(node)
    return ""


def functions_in(root: Path, file: str) -> set[str]:
    """Return the names of the functions that a file defines."""
    tree = Parser(Language(tree_sitter_c.language())).parse((root / file).read_bytes())
    return {name_of(n) for n in walk(tree.root_node) if n.type == "function_definition"}
