# SPDX-License-Identifier: MIT
"""The objects of an application, merged from all their declarations."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plafond.describe.oil.keys import REFUSED_KINDS
from plafond.describe.oil.model import Assignment, Cpu, Object, Word
from plafond.describe.oil.reader import Reader
from plafond.describe.source import Place
from plafond.words import suggestion


@dataclass(frozen=True)
class Described:
    """An object; each of its declarations may add attributes."""

    place: Place  # its first declaration
    attributes: list[Assignment] = field(default_factory=list)


Application = dict[str, dict[str, Described]]  # by kind and name


def application_of(reader: Reader, cpus: list[Cpu], kinds: list[str]) -> Application:
    """Return the objects of the supported kinds; all CPU sections must name the same CPU."""
    found: Application = {kind: {} for kind in kinds}
    if not cpus:
        reader.refuse(Place((), 1), "no CPU", "a section CPU NAME { ... };")
    for cpu in cpus:
        if cpu.name != cpus[0].name:
            place = reader.place(("CPU",), cpu.line)
            reader.refuse(place, cpu.name, f"{cpus[0].name} again: a system has one CPU")
        for each in cpu.objects:
            _add(reader, found, each)
    return found


def _add(reader: Reader, found: Application, each: Object) -> None:
    place = reader.place((each.kind, each.name), each.line)
    if each.kind in REFUSED_KINDS:
        reader.refuse(place, f"an object {each.kind}", REFUSED_KINDS[each.kind])
    elif each.kind not in found:
        listed = ", ".join(found)
        expected = f"one of {listed}{suggestion(each.kind, list(found))}"
        reader.refuse(place, f"an object {each.kind}", expected)
    else:
        described = found[each.kind].setdefault(each.name, Described(place))
        described.attributes.extend(each.attributes)


def refuse_second(reader: Reader, objects: dict[str, Described], why: str) -> None:
    """Refuse all objects except the first."""
    first, *others = objects or [""]
    for name in others:
        reader.refuse(objects[name].place, "a second one", f"{first} alone: {why}")


def files_of(
    reader: Reader, place: Place, attributes: Iterable[Assignment], name: str
) -> Iterator[tuple[Place, str]]:
    """Yield the files of all attributes with this name, at any depth of an object."""
    for each in attributes:
        own = reader.place((*place.where, each.name), each.line)
        if each.name == name and isinstance(each.value, str) and not isinstance(each.value, Word):
            yield own, each.value
        yield from files_of(reader, own, each.parameters, name)
