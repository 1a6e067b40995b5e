# SPDX-License-Identifier: MIT
"""Read the layout of C structures in memory from the debugging information of an image."""

from collections.abc import Collection, Iterator
from pathlib import Path

from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile
from pydantic import BaseModel

STRUCTURE = "DW_TAG_structure_type"


class Member(BaseModel):
    """A member of a structure."""

    name: str
    offset: int
    size: int


class Structure(BaseModel):
    """A structure; its sizes and offsets are in bytes."""

    name: str
    size: int
    members: list[Member]


def structures_of(file: Path, names: Collection[str]) -> dict[str, Structure]:
    """Return the structures of these names, each from the first unit that defines it."""
    found: dict[str, Structure] = {}
    with file.open("rb") as opened:
        for unit in ELFFile(opened).get_dwarf_info().iter_CUs():
            for die in unit.get_top_DIE().iter_children():
                name = _name(die)
                if die.tag == STRUCTURE and name in names and name not in found and _size(die):
                    found[name] = _structure(name, die)
            if len(found) == len(names):
                break
    return found


def _structure(name: str, die: DIE) -> Structure:
    return Structure(name=name, size=_size(die), members=list(_members(die)))


def _members(die: DIE, start: int = 0) -> Iterator[Member]:
    """Yield the members with names, including members of unnamed structures and unions."""
    for member in die.iter_children():
        if member.tag != "DW_TAG_member":
            continue
        place = member.attributes.get("DW_AT_data_member_location")  # None in a union
        offset = start + (place.value if place else 0)
        if _name(member):
            yield Member(name=_name(member), offset=offset, size=_size(member))
        else:
            yield from _members(member.get_DIE_from_attribute("DW_AT_type"), offset)


def _name(die: DIE) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return attribute.value.decode() if attribute else ""


def _size(die: DIE) -> int:
    """Return the size in bytes of a type or of an object with a type; 0: not known here."""
    attribute = die.attributes.get("DW_AT_byte_size")
    if attribute:
        return int(attribute.value)
    if "DW_AT_type" not in die.attributes:
        return 0
    size = _size(die.get_DIE_from_attribute("DW_AT_type"))
    for dimension in die.iter_children() if die.tag == "DW_TAG_array_type" else ():
        bound = dimension.attributes.get("DW_AT_upper_bound")
        size *= bound.value + 1 if bound else 0
    return size
