# SPDX-License-Identifier: MIT
"""What becomes of the objects MESSAGE and COM."""

from collections.abc import Mapping

from plafond.describe.message import NO_DATA
from plafond.describe.oil.attributes import Checked, Given
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.reader import Reader
from plafond.describe.problems import Where

# Ours, by OIL's, with the parameters that name what it is for.
NOTIFICATIONS = {
    "ACTIVATETASK": ("activate", "TASK"),
    "SETEVENT": ("set", "TASK", "EVENT"),
    "COMCALLBACK": ("call", "CALLBACKROUTINENAME"),
    "FLAG": ("flag", "FLAGNAME"),
}
OF_RECEIVERS = {"SENDINGMESSAGE": "from", "QUEUESIZE": "queue", "INITIALVALUE": "initial"}
OF_COM = {"COMERRORHOOK": "error_hook", "COMSTARTCOMEXTENSION": "extension"}
SENT = ("SEND_STATIC_INTERNAL", "SEND_ZERO_INTERNAL")


def add_messages(reader: Reader, draft: Draft, messages: Mapping[str, Checked]) -> None:
    """Take the objects MESSAGE."""
    for name, message in messages.items():
        where: Where = ("message", name)
        draft.table(where, message.place)
        form = message.one("MESSAGEPROPERTY")
        if not form:
            continue
        if form.value == "SEND_ZERO_INTERNAL":
            draft.field((*where, "type"), NO_DATA, form.place)
        c_type = form.parameters.one("CDATATYPE")
        if c_type:
            draft.field((*where, "type"), c_type.value, c_type.place)
        for attribute, field in OF_RECEIVERS.items():
            given = form.parameters.one(attribute)
            if given and given.value != 0:
                value = given.value if isinstance(given.value, int) else str(given.value)
                draft.field((*where, field), value, given.place)
        _add_notification(reader, draft, where, form, message.one("NOTIFICATION"))


def _add_notification(
    reader: Reader, draft: Draft, where: Where, form: Given, notification: Given | None
) -> None:
    if not notification or notification.value == "NONE":
        return
    if form.value in SENT:
        expected = "NONE: it is for receivers, which notify each for itself"
        reader.refuse(notification.place, str(notification.value), expected)
        return
    verb, *names = NOTIFICATIONS[str(notification.value)]
    given = (notification.parameters.one(name) for name in names)
    action = " ".join([verb, *(str(each.value) for each in given if each)])
    draft.field((*where, "action"), action, notification.place)


def add_com(reader: Reader, draft: Draft, coms: Mapping[str, Checked], *, used: bool) -> None:
    """Take the object COM; without messages it means nothing."""
    for com in list(coms.values())[:1]:
        if not used:
            reader.ignore("COM", com.place, "there are no messages")
            continue
        draft.table(("com",), com.place)
        for attribute, field in (("COMAPPMODE", "modes"), ("TYPES_HEADER", "headers")):
            for each in com.all(attribute):
                draft.element(("com", field), each.value, each.place)
        for attribute, field in OF_COM.items():
            given = com.one(attribute)
            if given and com.says(attribute, "TRUE"):
                draft.field(("com", field), True, given.place)
        asked = com.one("COMUSEPARAMETERACCESS")
        if asked and com.says("COMUSEPARAMETERACCESS", "TRUE"):
            draft.field(("kernel", "parameters"), True, asked.place)
