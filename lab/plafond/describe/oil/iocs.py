# SPDX-License-Identifier: MIT
"""What becomes of the objects IOC: OSEK's OIL has none, and Trampoline's are of applications."""

from collections.abc import Mapping

from plafond.describe.oil.attributes import Checked
from plafond.describe.oil.draft import Draft

FIELDS = {"TYPE": "type", "RECEIVER": "receiver", "QUEUE": "queue", "INIT": "initial"}
LISTS = {"HEADER": "headers", "SENDER": "senders"}


def add_iocs(draft: Draft, iocs: Mapping[str, Checked]) -> None:
    """Take them: each attribute is a field."""
    for name, ioc in iocs.items():
        draft.table(("ioc", name), ioc.place)
        for attribute, field in FIELDS.items():
            given = ioc.one(attribute)
            if given:
                value = given.value if isinstance(given.value, int) else str(given.value)
                draft.field(("ioc", name, field), value, given.place)
        for attribute, field in LISTS.items():
            draft.names(("ioc", name, field), ioc.all(attribute))
