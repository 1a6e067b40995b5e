# SPDX-License-Identifier: MIT
"""The language of ORTI files, KOIL: OSEK ORTI 2.2, Part A.

A file declares the attributes of each type of object, and then gives each object a value for each
attribute of its type. A value is a text, or an expression in C that the debugger evaluates.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

INDENT = "    "
VERSION = "2.2"


@dataclass(frozen=True)
class Choice:
    """A value of an enumeration: its name, and the number or expression that means it."""

    name: str
    value: int | str
    object: str = ""  # the object that the value stands for; "": none

    def __str__(self) -> str:
        """Return the choice as a declaration has it."""
        target = f" : {self.object}" if self.object else ""
        value = self.value if isinstance(self.value, int) else _quoted(self.value)
        return f"{_quoted(self.name)}{target} = {value}"


@dataclass(frozen=True)
class Attribute:
    """An attribute of a type; with neither `c_type` nor `choices`, its value is a text."""

    name: str
    title: str
    c_type: str = ""  # of the value, for images without debugging information
    choices: Sequence[Choice] = ()
    is_traced: bool = False  # a debugger that can trace variables should trace this one

    def declared(self) -> Iterator[str]:
        """Yield the lines of its declaration."""
        trace = "TOTRACE " if self.is_traced else ""
        end = f"{self.name}, {_quoted(self.title)};"
        if not self.choices:
            kind = f"CTYPE {_quoted(self.c_type)}" if self.c_type else "STRING"
            yield f"{trace}{kind} {end}"
            return
        yield f"{trace}ENUM {_quoted(self.c_type)} ["
        *others, last = map(str, self.choices)
        yield from (f"{INDENT}{choice}," for choice in others)
        yield from (f"{INDENT}{last}", f"] {end}")


@dataclass(frozen=True)
class Object:
    """An object, with the value of each attribute in the order of its type."""

    name: str
    values: Sequence[str]


@dataclass(frozen=True)
class Table:
    """A type of objects, its attributes and all its objects."""

    type: str
    title: str
    attributes: Sequence[Attribute]
    objects: Sequence[Object]

    def declared(self) -> Iterator[str]:
        """Yield the lines of the declaration of the type."""
        yield f"{self.type} {{"
        for attribute in self.attributes:
            yield from (f"{INDENT}{line}" for line in attribute.declared())
        yield f"}}, {_quoted(self.title)};"

    def informed(self) -> Iterator[str]:
        """Yield the lines of the objects."""
        for each in self.objects:
            yield f"{self.type} {each.name} {{"
            for attribute, value in zip(self.attributes, each.values, strict=True):
                yield f"{INDENT}{attribute.name} = {_quoted(value)};"
            yield "};"


def text_of(implementation: str, tables: Iterable[Table]) -> str:
    """Return the text of a file; a type without objects is left out."""
    used = [table for table in tables if table.objects]
    lines = [
        "VERSION {",
        f'{INDENT}KOIL = "{VERSION}";',
        f'{INDENT}OSSEMANTICS = "ORTI", "{VERSION}";',
        "};",
        "",
        f"IMPLEMENTATION {implementation} {{",
        *(f"{INDENT}{line}" for table in used for line in table.declared()),
        "};",
    ]
    for table in used:
        lines += ["", *table.informed()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return f'"{text}"'
