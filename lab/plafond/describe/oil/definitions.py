# SPDX-License-Identifier: MIT
"""The attributes that objects may have: the built-in ones of keys.py, restricted by the file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path

from plafond.describe.form import shown
from plafond.describe.ioc import Ioc
from plafond.describe.oil.grammar import parse
from plafond.describe.oil.included import whole_text
from plafond.describe.oil.keys import TAKEN
from plafond.describe.oil.model import (
    AUTO,
    NO_DEFAULT,
    Definition,
    Implementation,
    Literal,
    Numbers,
    Range,
    Word,
)
from plafond.describe.oil.reader import Reader
from plafond.describe.problems import Where

WHOLE = {
    "UINT32": Range(0, 2**32 - 1),
    "INT32": Range(-(2**31), 2**31 - 1),
    "UINT64": Range(0, 2**64 - 1),
    "INT64": Range(-(2**63), 2**63 - 1),
}
OTHERS = ("FLOAT", "ENUM", "BOOLEAN", "STRING", "STRUCT")


@dataclass(frozen=True)
class Attribute:
    """The definition of an attribute."""

    type: str
    line: int  # line of its definition in the whole text
    with_auto: bool
    numbers: Numbers | None
    values: Mapping[str, "Attributes"]  # values of ENUM and BOOLEAN, with their parameters
    multiple: bool
    default: Literal | None
    vendor: str | None  # the IMPLEMENTATION that adds it; None: Plafond takes it

    @property
    def kind(self) -> str | None:
        """Return the kind of object that a reference names; None for other types."""
        return self.type.removesuffix("_TYPE") if self.type.endswith("_TYPE") else None

    @property
    def is_whole(self) -> bool:
        """Whether it holds a whole number."""
        return self.type in WHOLE

    @property
    def is_number(self) -> bool:
        """Whether it holds a number."""
        return self.is_whole or self.type == "FLOAT"

    @property
    def is_unknown(self) -> bool:
        """Whether its type is a vendor's own, so that it may hold any value."""
        return self.type not in WHOLE and self.type not in OTHERS and self.kind is None

    @property
    def is_struct(self) -> bool:
        """Whether its values are names, each with attributes: STRUCT."""
        return self.type == "STRUCT"

    def parameters_of(self, value: Literal) -> "Attributes":
        """Return the attributes that a value adds."""
        return self.values.get("" if self.is_struct else str(value), {})

    @property
    def is_needed(self) -> bool:
        """Whether an object must have it."""
        is_reference = self.kind is not None and not self.multiple
        return self.default == NO_DEFAULT or (is_reference and self.vendor is None)

    def takes(self, value: Literal) -> bool:
        """Whether its type allows the value."""
        if self.is_unknown:
            return True
        if isinstance(value, Word):
            if self.is_struct:
                return True
            return self.with_auto if value == AUTO else value in self.values or bool(self.kind)
        if isinstance(value, str):
            return self.type == "STRING"
        if self.is_whole:
            return isinstance(value, int) and value in WHOLE[self.type] and self._lists(value)
        return self.type == "FLOAT" and self._lists(value)

    def _lists(self, value: int | Decimal) -> bool:
        return self.numbers is None or value in self.numbers

    @property
    def expected(self) -> str:
        """Return the expected values, for messages."""
        if self.is_struct:
            wanted = "a name, and its attributes in braces, without ="
        elif self.values:
            listed = ", ".join(self.values)
            wanted = f"one of {listed}" if len(self.values) > 1 else listed
        elif self.kind:
            wanted = f"the name of an object {self.kind}"
        elif self.type == "STRING":
            wanted = "a string"
        elif self.is_whole:
            wanted = f"a whole number, {self.numbers or WHOLE[self.type]}"
        else:
            wanted = f"a number, {self.numbers}" if self.numbers else "a number"
        return f"{wanted}, or AUTO" if self.with_auto else wanted


Attributes = Mapping[str, Attribute]
Kinds = Mapping[str, Attributes]


@cache
def taken() -> Kinds:
    """Return the attributes that Plafond takes, by kind of object."""
    (section,) = parse(whole_text(Path("plafond"), TAKEN))
    assert isinstance(section, Implementation)
    return {kind: _attributes(definitions, None) for kind, definitions in section.kinds}


def kinds_of(reader: Reader, implementations: Iterable[Implementation]) -> Kinds:
    """Return the attributes that objects may have; refuse an IMPLEMENTATION that contradicts
    OIL."""
    kinds = dict(taken())
    for section in implementations:
        for kind, definitions in section.kinds:
            where: Where = ("IMPLEMENTATION", section.name, kind)
            _check_form(reader, where, definitions)
            if kind == Ioc.oil_kind:
                continue  # AUTOSAR's attributes, which iocs.py knows
            own = _attributes(definitions, section.name)
            kinds[kind] = _restricted(reader, where, kinds.get(kind, {}), own)
    return kinds


def shown_value(value: Literal) -> str:
    """Return a value in the form for messages."""
    if isinstance(value, Decimal):
        return f"{value:f}"  # without an exponent, as in the file
    return str(value) if isinstance(value, Word) else shown(value)


def _check_form(reader: Reader, where: Where, definitions: Iterable[Definition]) -> None:
    """Refuse names behind a type that is no enumeration, and ranges of types without numbers.

    Note an unknown type.
    """
    for each in definitions:
        place = reader.place((*where, each.name), each.line)
        if _attribute(each, str(where[1])).is_unknown:
            why = f"{each.type} is no type of OIL, so any value is taken for one"
            reader.ignore(f"type {each.type}", place, why)
            continue
        names = each.allowed if isinstance(each.allowed, tuple) else ()
        if each.type == "ENUM" and not names:
            reader.refuse(place, "an ENUM without names", "ENUM [NAME, NAME] and the attribute")
        elif each.allowed and not names and each.type not in {*WHOLE, "FLOAT"}:
            reader.refuse(place, f"numbers behind {each.type}", "none: it holds no number")
        elif names and each.type not in ("ENUM", "BOOLEAN", "STRUCT"):
            reader.refuse(place, f"names behind {each.type}", "none: only ENUM lists names")
        for value in names:
            _check_form(reader, (*place.where, value.name), value.parameters)


def _attributes(definitions: Iterable[Definition], vendor: str | None) -> Attributes:
    return {each.name: _attribute(each, vendor) for each in definitions}


def _attribute(definition: Definition, vendor: str | None) -> Attribute:
    listed = definition.allowed if isinstance(definition.allowed, tuple) else ()
    values = {each.name: _attributes(each.parameters, vendor) for each in listed}
    both: dict[str, Attributes] = {"TRUE": {}, "FALSE": {}} if definition.type == "BOOLEAN" else {}
    return Attribute(
        type=definition.type,
        line=definition.line,
        with_auto=definition.with_auto,
        numbers=None if isinstance(definition.allowed, tuple) else definition.allowed,
        values=both | values,
        multiple=definition.multiple,
        default=definition.default,
        vendor=vendor,
    )


def _restricted(reader: Reader, where: Where, known: Attributes, own: Attributes) -> Attributes:
    """Return `known` with the restrictions and additions of `own`."""
    result = dict(known)
    for name, attribute in own.items():
        place = reader.place((*where, name), attribute.line)
        before = known.get(name)
        if before is None:
            result[name] = attribute
        elif attribute.is_unknown:
            continue  # noted already; our type stays
        elif before.type != attribute.type and not (before.is_number and attribute.is_whole):
            reader.refuse(place, attribute.type, f"{before.type}, as OIL has it")
            continue
        elif attribute.values and not attribute.values.keys() & before.values.keys():
            reader.refuse(place, ", ".join(attribute.values), before.expected)
            continue
        else:
            result[name] = _both(reader, place.where, before, attribute)
        default = attribute.default
        if default not in (None, NO_DEFAULT) and not result[name].takes(default):
            reader.refuse(place, f"the default {shown_value(default)}", result[name].expected)
    return result


def _both(reader: Reader, where: Where, known: Attribute, own: Attribute) -> Attribute:
    """Return the restricted attribute; `own` may drop values and add parameters, but not add
    values."""
    values = {
        value: _restricted(reader, (*where, value), known.values[value], parameters)
        for value, parameters in own.values.items()
        if value in known.values
    }
    return replace(
        known,
        numbers=own.numbers or known.numbers,
        values=values,
        default=known.default if own.default is None else own.default,
    )
