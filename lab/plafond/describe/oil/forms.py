# SPDX-License-Identifier: MIT
"""Attributes of ERIKA and Trampoline, written as ours: tables, trusted functions, cores by name."""

from collections.abc import Iterable
from dataclasses import replace

from plafond.describe.oil.application import Application, Described
from plafond.describe.oil.model import FALSE, TRUE, Assignment, Literal, Word
from plafond.describe.oil.reader import Reader

POINT, POINT_VALUE, ADJUSTMENT = "EXPIRE_POINT", "EXPIRE_VALUE", "SYNC_ADJUSTMENT"
# From TYPE of AUTOSTART to the parameter with the start.
STARTS = {"ABSOLUTE": "START", "RELATIVE": "OFFSET", "SYNCHRON": ""}
OF_CORES = ("TASK", "ISR", "COUNTER", "MESSAGE")


def rewrite(reader: Reader, application: Application) -> None:
    """Replace the attributes in all objects."""
    for each in application["APPLICATION"].values():
        each.attributes[:] = [
            replace(attribute, parameters=tuple(map(_with_name, attribute.parameters)))
            for attribute in each.attributes
        ]
    for each in application["SCHEDULETABLE"].values():
        each.attributes[:] = [
            _of_table(number, attribute) for number, attribute in enumerate(each.attributes)
        ]
    for each in application["SPINLOCK"].values():
        each.attributes[:] = [_renamed(a, NEXT_SPINLOCK="SUCCESSOR") for a in each.attributes]
    numbers = _numbers_of_cores(application["OS"].values())
    for kind in OF_CORES if numbers else ():
        for each in application[kind].values():
            each.attributes[:] = [_with_number(reader, each, a, numbers) for a in each.attributes]


def _renamed(attribute: Assignment, **names: str) -> Assignment:
    return replace(attribute, name=names.get(attribute.name, attribute.name))


def _with_name(attribute: Assignment) -> Assignment:
    """Return a trusted function with the parameter NAME; Trampoline has the name as the value."""
    is_name = attribute.name == "TRUSTED_FUNCTION" and attribute.value not in (TRUE, FALSE)
    if not is_name:
        return attribute
    name = Assignment("NAME", attribute.line, str(attribute.value))
    return replace(attribute, value=TRUE, parameters=(name,))


def _of_table(number: int, attribute: Assignment) -> Assignment:
    """Return an attribute of a schedule table; `number` names an expiry point."""
    if attribute.name == POINT and not attribute.is_named:
        inner = [
            _renamed(each, EXPIRE_VALUE="OFFSET", SYNC_ADJUSTMENT="ADJUSTABLE")
            for each in attribute.parameters
        ]
        name = Word(f"point_{number}")
        return replace(
            attribute, name="EXPIRY_POINT", value=name, parameters=tuple(inner), is_named=True
        )
    if attribute.name == "AUTOSTART" and attribute.value == TRUE:
        return _autostart(attribute)
    return attribute


def _autostart(attribute: Assignment) -> Assignment:
    given = {each.name: each for each in attribute.parameters}
    kind = str(given["TYPE"].value) if "TYPE" in given else "ABSOLUTE"
    start = STARTS.get(kind)
    if start is None:
        return attribute
    parameters = [each for each in attribute.parameters if each.name not in ("TYPE", "START_VALUE")]
    if start:
        value = given["START_VALUE"].value if "START_VALUE" in given else 0
        parameters.append(Assignment(start, attribute.line, value))
    return replace(attribute, value=Word(kind), parameters=tuple(parameters))


def _numbers_of_cores(systems: Iterable[Described]) -> dict[Literal, int]:
    """Return the number of each core with a name: ID of CPU_DATA, and MASTER_CPU is 0."""
    names: dict[Literal, None] = {}
    for system in systems:
        master = [each.value for each in system.attributes if each.name == "MASTER_CPU"]
        data = [each for each in system.attributes if each.name == "CPU_DATA"]
        named = [a.value for each in data for a in each.parameters if a.name == "ID"]
        names |= dict.fromkeys(each for each in [*master, *named] if isinstance(each, str))
    return {name: number for number, name in enumerate(names)}


def _with_number(
    reader: Reader, described: Described, attribute: Assignment, numbers: dict[Literal, int]
) -> Assignment:
    number = numbers.get(attribute.value)
    if attribute.name != "CPU_ID" or number is None:
        return attribute
    place = reader.place((*described.place.where, "CPU_ID"), attribute.line)
    listed = ", ".join(f"{name} is core {each}" for name, each in numbers.items())
    reader.note("cores by name", place, listed)
    return replace(attribute, value=number)
