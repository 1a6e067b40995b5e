# SPDX-License-Identifier: MIT
"""The attributes of one object: checked, with their defaults."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from plafond.describe.oil.definitions import Attribute, Attributes, shown_value
from plafond.describe.oil.keys import IGNORED, REFUSED, REFUSED_VALUES
from plafond.describe.oil.model import AUTO, Assignment, Literal, Word
from plafond.describe.oil.reader import Reader
from plafond.describe.source import Place, within
from plafond.words import suggestion

Names = Mapping[str, Collection[str]]  # of objects, by their kind


@dataclass(frozen=True)
class Given:
    """A value, where it stands, and its parameters."""

    place: Place
    value: Literal
    parameters: "Checked"

    @property
    def is_auto(self) -> bool:
        """Whether the generator chooses."""
        return isinstance(self.value, Word) and self.value == AUTO


@dataclass(frozen=True)
class Checked:
    """Those attributes of an object, or of a value, that are taken."""

    place: Place
    given: dict[str, list[Given]] = field(default_factory=dict)

    def all(self, name: str) -> list[Given]:
        """Return the values of an attribute, in their order."""
        return self.given.get(name, [])

    def one(self, name: str) -> Given | None:
        """Return the value of an attribute that has one at most; None behind a mistake, too."""
        return next(iter(self.all(name)), None)

    def says(self, name: str, word: str) -> bool:
        """Whether the value is that word."""
        one = self.one(name)
        return one is not None and one.value == word


def checked(
    reader: Reader,
    names: Names,
    path: str,
    place: Place,
    assignments: Iterable[Assignment],
    known: Attributes,
) -> Checked:
    """Return what is right and taken; `path` is as keys.py names it."""
    result = Checked(place)
    lines: dict[str, int] = {}
    for each in assignments:
        own = reader.place((*place.where, each.name), each.line)
        attribute = known.get(each.name)
        key = f"{path}.{each.name}"
        if key in REFUSED:
            reader.refuse(own, "an attribute that is not taken", REFUSED[key])
        elif key in IGNORED:
            reader.ignore(key, own, IGNORED[key])
        elif attribute is None:
            reader.refuse(own, "an unknown attribute", _one_of(each.name, known))
        elif each.name in lines and not attribute.multiple:
            reader.refuse(
                own, f"{shown_value(each.value)}, a second value", "one: it has no [] in OIL"
            )
        else:
            given = _given(reader, names, key, own, each, attribute)
            if given and attribute.vendor is None:
                result.given.setdefault(each.name, []).append(given)
            elif attribute.vendor is not None:
                why = f"IMPLEMENTATION {attribute.vendor} declares it, and it means nothing here"
                reader.ignore(key, own, why)
        lines.setdefault(each.name, each.line)
    _add_defaults(reader, names, path, result, known, lines)
    return result


def _one_of(name: str, known: Attributes) -> str:
    taken = [each for each, attribute in known.items() if attribute.vendor is None]
    listed = f"one of {', '.join(taken)}" if taken else "none"
    hint = suggestion(name, taken)
    return f"{listed}{hint}, or its declaration in an IMPLEMENTATION"


def _given(
    reader: Reader, names: Names, key: str, place: Place, each: Assignment, attribute: Attribute
) -> Given | None:
    """Return the value with its parameters; None if it is wrong."""
    refused = REFUSED_VALUES.get((key, each.value))
    if refused or not attribute.takes(each.value):
        reader.refuse(place, shown_value(each.value), refused or attribute.expected)
        return None
    if attribute.kind and attribute.vendor is None:
        objects = names.get(attribute.kind, ())
        if each.value not in objects:
            expected = f"{attribute.expected} that is described"
            hint = suggestion(str(each.value), list(objects))
            reader.refuse(place, str(each.value), expected + hint)
            return None
    known = attribute.values.get(str(each.value), {})
    if attribute.vendor is not None:
        return Given(place, each.value, Checked(place))
    parameters = checked(reader, names, key, place, each.parameters, known)
    return Given(place, each.value, parameters)


def _add_defaults(
    reader: Reader,
    names: Names,
    path: str,
    result: Checked,
    known: Attributes,
    written: Collection[str],
) -> None:
    """Add what is not written: the defaults, each with those of its parameters."""
    for name, attribute in known.items():
        if name in written:
            continue
        place = within(result.place, name)
        default = attribute.default
        if attribute.is_needed:
            reader.refuse(place, "nothing", attribute.expected)
        elif attribute.vendor is None and default is not None and attribute.takes(default):
            known_of_it = attribute.values.get(str(default), {})
            parameters = checked(reader, names, f"{path}.{name}", place, (), known_of_it)
            result.given[name] = [Given(place, default, parameters)]
