# SPDX-License-Identifier: MIT
"""Convert the objects MESSAGE and COM."""

from collections.abc import Mapping

from plafond.describe.message import NO_DATA, Com, Message, is_type_of_c, platform_type
from plafond.describe.oil.attributes import Given
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.fields import Objects, add_fields, add_objects
from plafond.describe.oil.needs import TYPES
from plafond.describe.oil.reader import Reader
from plafond.describe.problems import Where

OF_C = "a type of C or of OSEK"
NO_FILTER = "ALWAYS: the kernel has no filters"
SENT = ("SEND_STATIC_INTERNAL", "SEND_ZERO_INTERNAL")


def add_messages(reader: Reader, draft: Draft, messages: Objects) -> None:
    """Take the objects MESSAGE; only receivers may have a notification."""
    add_objects(reader, draft, Message, messages)
    for name, message in messages.items():
        for given in message.at("MESSAGEPROPERTY.FILTER"):
            if given.value != "ALWAYS":
                where: Where = ("message", name, "filter")
                draft.need(where, given.place, str(given.value), NO_FILTER)
        form, notification = message.one("MESSAGEPROPERTY"), message.one("NOTIFICATION")
        if form and form.value == "SEND_ZERO_INTERNAL":
            draft.field(("message", name, "type"), NO_DATA, form.place)
        if form and form.value in SENT and notification and notification.value != "NONE":
            expected = "NONE: it is for receivers, which notify each for itself"
            reader.refuse(notification.place, str(notification.value), expected)


def add_types(reader: Reader, draft: Draft, objects: Mapping[str, Objects]) -> None:
    """Take AUTOSAR's types as those of C, unless a header has the types."""
    if not any(com.all("TYPES_HEADER") for com in objects["COM"].values()):
        for name, message in objects["MESSAGE"].items():
            for given in message.at("MESSAGEPROPERTY.CDATATYPE"):
                _take_type(reader, draft, ("message", name), given)
    for name, ioc in objects["IOC"].items():
        for given in ioc.all("TYPE") if not ioc.all("HEADER") else ():
            _take_type(reader, draft, ("ioc", name), given)


def _take_type(reader: Reader, draft: Draft, where: Where, given: Given) -> None:
    here = platform_type(str(given.value))
    if here != given.value:
        why = f"{given.value} is {here}, because no header says otherwise"
        reader.note(f"type {here}", given.place, why)
        draft.field((*where, "type"), here, given.place)
    elif not is_type_of_c(here):
        draft.need((*where, TYPES), given.place, here, f"{OF_C}, or a header that has it")


def add_com(reader: Reader, draft: Draft, coms: Objects, *, used: bool) -> None:
    """Take the object COM; it is ignored if there are no messages."""
    for com in list(coms.values())[:1]:
        if not used:
            reader.ignore("COM", com.place, "there are no messages")
            continue
        draft.table(("com",), com.place)
        add_fields(reader, draft, ("com",), com, Com)
        asked = com.one("COMUSEPARAMETERACCESS")
        if asked and com.says("COMUSEPARAMETERACCESS", "TRUE"):
            draft.field(("kernel", "parameters"), True, asked.place)
