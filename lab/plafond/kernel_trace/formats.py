# SPDX-License-Identifier: MIT
"""Where the fields of events lie in their records: as the kernel's own texts say, never assumed.

Documentation/trace/events.rst, "Event formats"; offsets and sizes differ between kernels.
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
    """One field of a record."""

    offset: int
    size: int
    is_signed: bool
    is_array: bool

    @property
    def code(self) -> str:
        """What the module struct calls it: a number, or bytes."""
        if self.is_array:
            return f"{self.size}s"
        if self.size not in CODES:
            raise PlafondError(f"found a number of {self.size} bytes; expected 1, 2, 4 or 8")
        code = CODES[self.size]
        return code if self.is_signed else code.upper()


@dataclass(frozen=True)
class EventFormat:
    """One kind of event."""

    name: str
    number: int  # in the field common_type of its records
    fields: Mapping[str, Field]
    print_format: str

    def reader(self, names: Sequence[str]) -> Struct:
        """Return what unpacks these fields from a record; they lie in this order there."""
        missing = [name for name in names if name not in self.fields]
        if missing:
            there = ", ".join(self.fields)
            raise PlafondError(f"{self.name}: found the fields {there}; expected {missing[0]}")
        return struct_of(self.name, [self.fields[name] for name in names])

    def named_numbers(self) -> dict[int, str]:
        """Return the numbers that its print format has names for, such as states or softirqs."""
        return {int(number, 0): name for number, name in FLAG.findall(self.print_format)}


def struct_of(what: str, fields: Iterable[Field]) -> Struct:
    """Return what unpacks the fields, and nothing between them."""
    codes, at = "<", 0
    for field in fields:
        if field.offset < at:
            raise PlafondError(f"{what}: found fields in another order than expected")
        codes += f"{field.offset - at}x{field.code}"
        at = field.offset + field.size
    return Struct(codes)


def parse_fields(text: str) -> dict[str, Field]:
    """Return the fields that a text of the kernel declares, by their names."""
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
    """Parse the text of a file `format`; PlafondError says what it lacks."""
    name = re.search(r"^name: (\S+)$", text, re.MULTILINE)
    number = re.search(r"^ID: (\d+)$", text, re.MULTILINE)
    if not name or not number:
        first = text.splitlines()[0] if text else ""
        raise PlafondError(f"format: found {first!r}; expected the lines name: and ID:")
    printed = text.partition("print fmt:")[2]
    return EventFormat(name[1], int(number[1]), parse_fields(text), printed)
