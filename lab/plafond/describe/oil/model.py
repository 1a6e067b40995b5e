# SPDX-License-Identifier: MIT
"""The content of an OIL file, unchecked."""

from dataclasses import dataclass
from decimal import Decimal


class Word(str):
    """A value that is a name: of an object, an enumerator, TRUE, FALSE or AUTO."""


# A string in double quotes is a plain str.
Literal = Word | str | int | Decimal
AUTO = Word("AUTO")
NO_DEFAULT = Word("NO_DEFAULT")
TRUE = Word("TRUE")
FALSE = Word("FALSE")


@dataclass(frozen=True)
class Assignment:
    """An attribute with its value, and the parameters of that value."""

    name: str
    line: int  # in the whole text
    value: Literal
    parameters: tuple["Assignment", ...] = ()
    is_named: bool = False  # a STRUCT's value: a name without "="

    def is_same(self, other: "Assignment") -> bool:
        """Whether the other assignment says the same on any line."""
        mine, theirs = self.parameters, other.parameters
        return (
            (self.name, self.value, self.is_named) == (other.name, other.value, other.is_named)
            and len(mine) == len(theirs)
            and all(a.is_same(b) for a, b in zip(mine, theirs, strict=True))
        )


@dataclass(frozen=True)
class Object:
    """An object of the application."""

    kind: str
    name: str
    line: int
    attributes: tuple[Assignment, ...]


@dataclass(frozen=True)
class Cpu:
    """A section CPU: the application, or a part of it."""

    name: str
    line: int
    objects: tuple[Object, ...]


@dataclass(frozen=True)
class Enumerator:
    """A value of an enumeration or Boolean, with the attributes that it adds.

    A STRUCT has a single enumerator without a name, for all its values.
    """

    name: str
    parameters: tuple["Definition", ...]


@dataclass(frozen=True)
class Range:
    """The numbers from `least` to `most`, both included."""

    least: int | Decimal
    most: int | Decimal

    def __contains__(self, number: int | Decimal) -> bool:
        """Whether the number is in the range."""
        return self.least <= number <= self.most

    def __str__(self) -> str:
        """Return the range in the form for messages."""
        return f"from {self.least} to {self.most}"


@dataclass(frozen=True)
class Choice:
    """Listed numbers."""

    numbers: tuple[int | Decimal, ...]

    def __contains__(self, number: int | Decimal) -> bool:
        """Whether the number is in the list."""
        return number in self.numbers

    def __str__(self) -> str:
        """Return the list in the form for messages."""
        return " or ".join(map(str, self.numbers))


Numbers = Range | Choice


@dataclass(frozen=True)
class Definition:
    """An attribute as an IMPLEMENTATION declares it."""

    name: str
    line: int
    type: str  # such as UINT32, ENUM or TASK_TYPE
    with_auto: bool
    allowed: Numbers | tuple[Enumerator, ...] | None
    multiple: bool
    default: Literal | None


@dataclass(frozen=True)
class Implementation:
    """A section IMPLEMENTATION: the attributes of each kind of object."""

    name: str
    line: int
    kinds: tuple[tuple[str, tuple[Definition, ...]], ...]


Section = Cpu | Implementation
