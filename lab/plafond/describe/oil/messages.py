# SPDX-License-Identifier: MIT
"""Convert the objects MESSAGE and COM."""

from plafond.describe.message import NO_DATA, Com, Message
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.fields import Objects, add_fields, add_objects
from plafond.describe.oil.reader import Reader

SENT = ("SEND_STATIC_INTERNAL", "SEND_ZERO_INTERNAL")


def add_messages(reader: Reader, draft: Draft, messages: Objects) -> None:
    """Take the objects MESSAGE; only receivers may have a notification."""
    add_objects(reader, draft, Message, messages)
    for name, message in messages.items():
        form, notification = message.one("MESSAGEPROPERTY"), message.one("NOTIFICATION")
        if form and form.value == "SEND_ZERO_INTERNAL":
            draft.field(("message", name, "type"), NO_DATA, form.place)
        if form and form.value in SENT and notification and notification.value != "NONE":
            expected = "NONE: it is for receivers, which notify each for itself"
            reader.refuse(notification.place, str(notification.value), expected)


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
