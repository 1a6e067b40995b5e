# SPDX-License-Identifier: MIT
"""Find out which code each check runs, because a check cannot find a fault in other code.

The sources are compiled once more, with a mark at the beginning of each block of the files that are
mutated. marks.c notes the marks that ran.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tree_sitter_c
from tree_sitter import Language, Node, Parser

from proof.mutation import Mutant, walk

MOST = 4096  # see MARKS in marks.c
DECLARED = b'extern unsigned char plf_marks[] __attribute__((visibility("hidden")));\n#line 1\n'


@dataclass(frozen=True)
class Block:
    """A block of a file, between braces: its first byte, and the first after it."""

    file: str
    start: int
    end: int

    def holds(self, mutant: Mutant) -> bool:
        """Whether the block has the whole fault."""
        return self.file == mutant.file and self.start <= mutant.start and mutant.end <= self.end


def blocks_of(file: str, source: bytes) -> list[Block]:
    """All blocks except of `switch`, which would jump over its mark."""
    tree = Parser(Language(tree_sitter_c.language())).parse(source)
    return [
        Block(file, node.start_byte + 1, node.end_byte)
        for node in walk(tree.root_node)
        if node.type == "compound_statement" and not _is_of_switch(node)
    ]


def _is_of_switch(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "switch_statement"


def marked(source: bytes, blocks: Sequence[Block], first: int) -> bytes:
    """The source with a mark in each of its blocks, numbered from `first`."""
    for number, block in reversed(list(enumerate(blocks, first))):
        store = f" plf_marks[{number}] = 1; ".encode()
        source = source[: block.start] + store + source[block.start :]
    return DECLARED + source


def mark(tree: Path, files: Iterable[str]) -> list[Block]:
    """Mark these files of a tree. Return their blocks, by the number of the mark."""
    found: list[Block] = []
    for file in files:
        source = (tree / file).read_bytes()
        blocks = blocks_of(file, source)
        (tree / file).unlink()  # because other trees may share the file
        (tree / file).write_bytes(marked(source, blocks, len(found)))
        found += blocks
    if len(found) > MOST:
        raise ValueError(f"{len(found)} blocks to mark: marks.c has room for {MOST}")
    return found


class Marks:
    """The file in which a marked process notes the blocks that it ran."""

    def __init__(self, path: Path) -> None:
        """Begin with no marks."""
        self.path = path
        path.write_bytes(bytes(MOST))

    @property
    def environment(self) -> dict[str, str]:
        """The variable that names the file to the process."""
        return {"PLF_MARKS": str(self.path)}

    def numbers(self) -> frozenset[int]:
        """The marks that ran."""
        return frozenset(n for n, mark in enumerate(self.path.read_bytes()) if mark)


@dataclass(frozen=True)
class Reached:
    """For each check, by name, the marks that ran."""

    blocks: Sequence[Block]
    by: Mapping[str, frozenset[int]]

    def may_show(self, check: str, mutant: Mutant | None) -> bool:
        """Whether the check runs the code around the fault; true outside of all blocks."""
        if mutant is None:
            return True
        around = [n for n, block in enumerate(self.blocks) if block.holds(mutant)]
        innermost = max(around, key=lambda n: self.blocks[n].start, default=None)
        return innermost is None or innermost in self.by[check]
