# SPDX-License-Identifier: MIT
"""Check the attributes of an object, and add defaults."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from plafond.describe.oil.definitions import Attribute, Attributes, shown_value
from plafond.describe.oil.keys import IGNORED, REFUSED, REFUSED_VALUES
from plafond.describe.oil.model import AUTO, Assignment, Literal, Word
from plafond.describe.oil.reader import Reader
from plafond.describe.source import Place, within
from plafond.words import suggestion

Names = Mapping[str, Collection[str]]  # names of objects, by kind


@dataclass(frozen=True)
class Given:
    """A value with its place and its parameters."""

    place: Place
    value: Literal
    parameters: "Checked"

    @property
    def is_auto(self) -> bool:
        """Whether the value is AUTO, so the generator chooses."""
        return isinstance(self.value, Word) and self.value == AUTO


@dataclass(frozen=True)
class Checked:
    """The accepted attributes of an object or of a value."""

    place: Place
    given: dict[str, list[Given]] = field(default_factory=dict)

    def all(self, name: str) -> list[Given]:
        """Return the values of an attribute, in their order."""
        return self.given.get(name, [])

    def at(self, path: str) -> list[Given]:
        """Return the values of an attribute, or of a parameter: `ATTRIBUTE.PARAMETER`."""
        name, _, parameter = path.partition(".")
        if not parameter:
            return self.all(name)
        return [each for given in self.all(name) for each in given.parameters.at(parameter)]

    def one(self, name: str) -> Given | None:
        """Return the value of an attribute without []; None if it is missing or wrong."""
        return next(iter(self.all(name)), None)

    def says(self, name: str, word: str) -> bool:
        """Whether the attribute has that word as its value."""
        one = self.one(name)
        return one is not None and one.value == word


@dataclass(frozen=True)
class Checker:
    """Checks objects against their definitions, and references against the names of all objects."""

    reader: Reader
    names: Names

    def checked(
        self, path: str, place: Place, assignments: Iterable[Assignment], known: Attributes
    ) -> Checked:
        """Return the accepted attributes; `path` is their prefix in keys.py."""
        result = Checked(place)
        written: set[str] = set()
        for each in assignments:
            own = self.reader.place((*place.where, each.name), each.line)
            attribute = known.get(each.name)
            key = f"{path}.{each.name}"
            if key in REFUSED:
                self.reader.refuse(own, "an attribute that is not taken", REFUSED[key])
            elif key in IGNORED:
                self.reader.ignore(key, own, IGNORED[key])
            elif attribute is None:
                self.reader.refuse(own, "an unknown attribute", _one_of(each.name, known))
            elif each.name in written and not attribute.multiple:
                found = f"{shown_value(each.value)}, a second value"
                self.reader.refuse(own, found, "one: it has no [] in OIL")
            else:
                self._take(result, key, own, each, attribute)
            written.add(each.name)
        self._add_defaults(result, path, known, written)
        return result

    def _take(
        self, result: Checked, key: str, place: Place, each: Assignment, attribute: Attribute
    ) -> None:
        value = _as_name(each.value, attribute)
        refused = REFUSED_VALUES.get((key, value))
        if refused or not attribute.takes(value) or each.is_named != attribute.is_struct:
            self.reader.refuse(place, shown_value(each.value), refused or attribute.expected)
        elif attribute.vendor is not None:
            why = f"IMPLEMENTATION {attribute.vendor} declares it, and it means nothing here"
            self.reader.ignore(key, place, why)
        elif attribute.kind and value not in self.names.get(attribute.kind, ()):
            hint = suggestion(str(value), list(self.names.get(attribute.kind, ())))
            expected = f"{attribute.expected} that is described{hint}"
            self.reader.refuse(place, shown_value(each.value), expected)
        else:
            known = attribute.parameters_of(value)
            parameters = self.checked(key, place, each.parameters, known)
            result.given.setdefault(each.name, []).append(Given(place, value, parameters))

    def _add_defaults(
        self, result: Checked, path: str, known: Attributes, written: Collection[str]
    ) -> None:
        """Add the defaults of missing attributes, with the defaults of their parameters."""
        for name, attribute in known.items():
            if name in written:
                continue
            place = within(result.place, name)
            default = attribute.default
            if attribute.is_needed:
                self.reader.refuse(place, "nothing", attribute.expected)
            elif attribute.vendor is None and default is not None and attribute.takes(default):
                known_of_it = attribute.parameters_of(default)
                parameters = self.checked(f"{path}.{name}", place, (), known_of_it)
                result.given[name] = [Given(place, default, parameters)]


def _as_name(value: Literal, attribute: Attribute) -> Literal:
    """Accept a name in quotes, which ERIKA's files have, although OIL does not allow it."""
    is_quoted = isinstance(value, str) and not isinstance(value, Word)
    return Word(value) if is_quoted and (attribute.kind or attribute.values) else value


def _one_of(name: str, known: Attributes) -> str:
    taken = [each for each, attribute in known.items() if attribute.vendor is None]
    listed = f"one of {', '.join(taken)}" if taken else "none"
    return f"{listed}{suggestion(name, taken)}, or its declaration in an IMPLEMENTATION"
