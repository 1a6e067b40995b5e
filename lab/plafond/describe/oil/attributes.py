# SPDX-License-Identifier: MIT
"""Check the attributes of an object, and add defaults."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from plafond.describe.oil.definitions import Attribute, Attributes, shown_value
from plafond.describe.oil.keys import IGNORED, OF_BUILD, REFUSED, REFUSED_VALUES
from plafond.describe.oil.model import AUTO, Assignment, Literal, Word
from plafond.describe.oil.reader import Reader
from plafond.describe.source import Place, within
from plafond.words import misspelt, suggestion

NAMES_AS_STRINGS = ("COM.COMAPPMODE",)  # which ERIKA's files have without quotes
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
        self, path: str, place: Place, assignments: Collection[Assignment], known: Attributes
    ) -> Checked:
        """Return the accepted attributes; `path` is their prefix in keys.py."""
        result = Checked(place)
        assigned = {each.name for each in assignments}
        written: dict[str, Assignment] = {}
        for each in assignments:
            own = self.reader.place((*place.where, each.name), each.line)
            attribute = known.get(each.name)
            key = f"{path}.{each.name}"
            if key in REFUSED:
                self.reader.refuse(own, "an attribute that is not taken", REFUSED[key])
            elif key in IGNORED:
                self.reader.ignore(key, own, IGNORED[key])
            elif attribute is None:
                self._pass_over(key, own, each.name, known, assigned)
            elif each.name in written and not attribute.multiple:
                self._take_again(key, own, each, written[each.name])
            else:
                self._take(result, key, own, each, attribute)
            written.setdefault(each.name, each)
        self._add_defaults(result, path, known, written)
        return result

    def _pass_over(
        self, key: str, place: Place, name: str, known: Attributes, assigned: Collection[str]
    ) -> None:
        """Note a vendor's attribute; refuse a misspelt attribute.

        A misspelt attribute would lose its effect without a mistake. Its name is nearly that of an
        attribute, or a part of the name of an attribute that the object lacks.
        """
        ours = [each for each, attribute in known.items() if attribute.vendor is None]
        needed = [each for each in ours if known[each].is_needed and each not in assigned]
        meant = misspelt(name, ours) or next((each for each in needed if name in each), None)
        if meant:
            expected = f"an attribute of OIL (did you mean {meant}?), or its declaration in an"
            self.reader.refuse(place, "an unknown attribute", f"{expected} IMPLEMENTATION")
        else:
            self.reader.ignore(key, place, "no attribute that is known here")

    def _take_again(self, key: str, place: Place, each: Assignment, first: Assignment) -> None:
        """Note an attribute that is said twice; refuse a second value."""
        if each.is_same(first):
            self.reader.note(f"{key} twice", place, f"{shown_value(each.value)} is said twice")
        else:
            found = f"{shown_value(each.value)}, a second value"
            expected = f"{shown_value(first.value)} alone: it has no [] in OIL"
            self.reader.refuse(place, found, expected)

    def _take(
        self, result: Checked, key: str, place: Place, each: Assignment, attribute: Attribute
    ) -> None:
        value = _as_name(each.value, attribute)
        if key in NAMES_AS_STRINGS:
            value = str(value)
        refused = REFUSED_VALUES.get((key, value))
        if refused or not attribute.takes(value) or each.is_named != attribute.is_struct:
            self.reader.refuse(place, shown_value(each.value), refused or attribute.expected)
        elif (key, value) in OF_BUILD:
            self.reader.needs.append((place, shown_value(each.value), OF_BUILD[key, value]))
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
