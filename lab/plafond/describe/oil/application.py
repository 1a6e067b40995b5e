# SPDX-License-Identifier: MIT
"""The objects of an application, merged from all their declarations."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plafond.describe.oil.keys import REFUSED_KINDS
from plafond.describe.oil.model import Assignment, Cpu, Object, Word
from plafond.describe.oil.reader import Reader
from plafond.describe.source import Place
from plafond.words import misspelt


@dataclass(frozen=True)
class Described:
    """An object; each of its declarations may add attributes."""

    place: Place  # its first declaration
    attributes: list[Assignment] = field(default_factory=list)


Application = dict[str, dict[str, Described]]  # by kind and name


def application_of(
    reader: Reader, cpus: list[Cpu], kinds: list[str], *, is_part: bool
) -> Application:
    """Return the objects of the supported kinds; the main file must name a single CPU.

    An included file may name another CPU, as the files of a tool do. `is_part`: there need be none.
    """
    found: Application = {kind: {} for kind in kinds}
    if not cpus and not is_part:
        reader.refuse(Place((), 1), "no CPU", "a section CPU NAME { ... };")
    name = name_of(reader, cpus)
    for cpu in cpus:
        place = reader.place(("CPU",), cpu.line)
        if cpu.name != name and place.file is None and _has_routines(cpus):
            reader.refuse(place, cpu.name, f"{name} again: a system has one CPU")
        for each in cpu.objects:
            _add(reader, found, each)
    return found


def _has_routines(cpus: list[Cpu]) -> bool:
    return any(each.kind in ("TASK", "ISR") for cpu in cpus for each in cpu.objects)


def part_of(cpus: list[Cpu], application: Application, *, is_part: bool) -> str:
    """Return what a file has that is only for files that include it; else nothing.

    Such a file has an IMPLEMENTATION, objects of a tool, or objects without an OS, but no routine.
    """
    objects = [each for cpu in cpus for each in cpu.objects]
    if _has_routines(cpus) or not (objects or is_part):
        return ""
    if not objects:
        return "only an IMPLEMENTATION"
    is_of_tool = any(each.kind not in application for each in objects)
    return "no TASK and no ISR" if is_of_tool or not application["OS"] else ""


def name_of(reader: Reader, cpus: list[Cpu]) -> str:
    """Return the name of the CPU: the first in the main file, or else in any file."""
    places = [(reader.place((), cpu.line), cpu.name) for cpu in cpus]
    main = [name for place, name in places if place.file is None]
    return next(iter([*main, *(name for _, name in places)]), "")


def _add(reader: Reader, found: Application, each: Object) -> None:
    place = reader.place((each.kind, each.name), each.line)
    if each.kind in REFUSED_KINDS:
        reader.refuse(place, f"an object {each.kind}", REFUSED_KINDS[each.kind])
    elif each.kind not in found:
        # An object of a misspelt kind would be lost without a mistake.
        meant = misspelt(each.kind, list(found))
        if meant:
            expected = f"a kind of OIL (did you mean {meant}?)"
            reader.refuse(place, f"an object {each.kind}", expected)
        else:
            reader.ignore(each.kind, place, f"{each.kind} is no kind of object that is known here")
    else:
        described = found[each.kind].setdefault(each.name, Described(place))
        described.attributes.extend(each.attributes)


def merge(reader: Reader, objects: dict[str, Described], why: str) -> None:
    """Merge all objects of a kind into the first; the main file must have a single one."""
    main = [name for name, each in objects.items() if each.place.file is None]
    for name in main[1:]:
        reader.refuse(objects[name].place, "a second one", f"{main[0]} alone: {why}")
    kept = next(iter([*main, *objects]), None)
    for name in [each for each in objects if each != kept]:
        objects[kept or ""].attributes.extend(objects.pop(name).attributes)


def files_of(
    reader: Reader, place: Place, attributes: Iterable[Assignment], name: str
) -> Iterator[tuple[Place, str]]:
    """Yield the files of all attributes with this name, at any depth of an object."""
    for each in attributes:
        own = reader.place((*place.where, each.name), each.line)
        if each.name == name and isinstance(each.value, str) and not isinstance(each.value, Word):
            yield own, each.value
        yield from files_of(reader, own, each.parameters, name)
