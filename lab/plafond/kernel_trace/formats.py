# SPDX-License-Identifier: MIT
"""Find the fields of events in their records, with the format texts of the running kernel.

The texts are needed because offsets and sizes differ between kernels
(Documentation/trace/events.rst, "Event formats").
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from struct import Struct

from plafond.errors import PlafondError

FIELD = re.compile(
    r"\s*field:[^;]*?\b(?P<name>\w+)(?P<count>\[\w*\])?;"
    r"\s*offset:(?P<offset>\d+);\s*size:(?P<size>\d+);\s*signed:(?P<signed>[01]);"
)
CODES = {1: "b", 2: "h", 4: "i", 8: "q"}
FLAG = re.compile(r"\{\s*(0x[0-9a-f]+|\d+)\s*,\s*\"([^\"]*)\"\s*\}")


@dataclass(frozen=True)
class Field:
    """A field of a record."""

    offset: int
    size: int
    is_signed: bool
    is_array: bool

    @property
    def code(self) -> str:
        """Return the code of the module struct for the field: a number, or bytes."""
        if self.is_array:
            return f"{self.size}s"
        if self.size not in CODES:
            raise PlafondError(f"found a number of {self.size} bytes; expected 1, 2, 4 or 8")
        code = CODES[self.size]
        return code if self.is_signed else code.upper()


@dataclass(frozen=True)
class EventFormat:
    """The format of a kind of event."""

    name: str
    number: int  # the value of the field common_type in its records
    fields: Mapping[str, Field]
    print_format: str

    def reader(self, names: Sequence[str]) -> Struct:
        """Return an unpacker for these fields of a record; they must lie in this order."""
        missing = [name for name in names if name not in self.fields]
        if missing:
            there = ", ".join(self.fields)
            raise PlafondError(f"{self.name}: found the fields {there}; expected {missing[0]}")
        return struct_of(self.name, [self.fields[name] for name in names])

    def named_numbers(self) -> dict[int, str]:
        """Return the numbers with a name in the print format, such as states or softirqs."""
        return {int(number, 0): name for number, name in FLAG.findall(self.print_format)}


def struct_of(what: str, fields: Iterable[Field]) -> Struct:
    """Return an unpacker that skips all bytes between the fields."""
    codes, at = "<", 0
    for field in fields:
        if field.offset < at:
            raise PlafondError(f"{what}: found fields in another order than expected")
        codes += f"{field.offset - at}x{field.code}"
        at = field.offset + field.size
    return Struct(codes)


def parse_fields(text: str) -> dict[str, Field]:
    """Return the fields that a text of the kernel declares, by name."""
    return {
        match["name"]: Field(
            int(match["offset"]),
            int(match["size"]),
            match["signed"] == "1",
            match["count"] is not None,
        )
        for match in map(FIELD.match, text.splitlines())
        if match
    }


def parse_format(text: str) -> EventFormat:
    """Parse the text of a file `format`; PlafondError names a line that is missing."""
    name = re.search(r"^name: (\S+)$", text, re.MULTILINE)
    number = re.search(r"^ID: (\d+)$", text, re.MULTILINE)
    if not name or not number:
        first = text.splitlines()[0] if text else ""
        raise PlafondError(f"format: found {first!r}; expected the lines name: and ID:")
    printed = text.partition("print fmt:")[2]
    return EventFormat(name[1], int(number[1]), parse_fields(text), printed)
