# SPDX-License-Identifier: MIT
"""The inbox of a core."""

from __future__ import annotations

from proof.memory_model.cases import Case, Fault, Proof
from proof.mutation import ByHand

HEADER = "protocol/inbox.h"
THREADS = "proof/memory_model/inbox.c"

SILENT, NOTIFIES = 3, 4  # as in inbox.c
SEEN, NONE, FOUND = 1, 5, 6
FAILED, DONE = 7, 8
ONE_SENT = 0x1  # the first ticket was given, and its place is filled
FIRST_FILLED = 0x5

CASES = (
    Case(
        "seen",
        ("sends", "takes"),
        "what a sender wrote before, the owner sees that takes the entry",
        "1:X0=0",
        (f"1:X0={SEEN}", f"1:X0={NONE}"),
    ),
    Case(
        "noticed",
        ("sends", "takes_twice"),
        "an entry is found by the owner, or its sender interrupts the owner",
        f"0:X0={SILENT} /\\ 1:X0={NONE}",
        (f"0:X0={NOTIFIES} /\\ 1:X0={NONE}", f"0:X0={SILENT} /\\ 1:X0={FOUND}"),
        {"inbox": ONE_SENT, "places": FIRST_FILLED},
    ),
    Case(
        "two senders",
        ("sends", "sends_another"),
        "two entries have two places",
        "~(places=0x800000007 \\/ places=0x700000008)",
        ("places=0x800000007", "places=0x700000008"),
    ),
    Case(
        "again",
        ("takes_and_gives_room", "sends_with_room"),
        "a place that was emptied stays filled when the next sender has filled it",
        f"1:X0={DONE} /\\ places=0",
        (f"1:X0={DONE} /\\ places=7", f"1:X0={FAILED}"),
        {"inbox": ONE_SENT, "places": FIRST_FILLED},
    ),
)


def _fault(case: str, name: str, text: str, instead: str, form: str = "LSE") -> Fault:
    return Fault(ByHand(name, HEADER, text, instead), case, form)


_FILL = "\tplf_store_release32(&places[ticket & mask], entry);\n"
_BARRIER = "\tplf_full_barrier();\n"
_HEAD = "\t\tplf_store_release32(&inbox->head, head + 1);\n"

_TAKEN = "\tif (!plf_inbox_take(inbox, places, ONE_PLACE))\n\t\treturn FAILED;\n"
_GIVEN = "\tplf_shared_add32(room, 1);\n"

FAULTS = (
    _fault(
        "seen",
        "put: the place is filled without order",
        _FILL,
        _FILL.replace("_release", ""),
        "LL/SC",
    ),
    _fault("seen", "take: no barrier, for what was sent", _HEAD + "\t" + _BARRIER, _HEAD),
    _fault("noticed", "put: no barrier", _FILL + _BARRIER, _FILL),
    _fault("noticed", "take: no barrier, for what comes", _HEAD + "\t" + _BARRIER, _HEAD),
    _fault(
        "two senders",
        "put: a ticket in two steps",
        "plf_shared_add32(&inbox->tickets, 1);\n",
        "plf_load32(&inbox->tickets);\n\n\tplf_store32(&inbox->tickets, ticket + 1);\n",
    ),
    Fault(
        ByHand(
            "the room is given back before the entry is taken out",
            THREADS,
            _TAKEN + _GIVEN,
            _GIVEN + _TAKEN,
        ),
        "again",
    ),
)

INBOX = Proof(
    protocol="inbox",
    header=HEADER,
    threads=THREADS,
    what="2 cores, a room that is given back among them",
    shared={"inbox": "uint64_t", "places": "uint64_t", "data": "int", "room": "uint32_t"},
    cases=CASES,
    faults=FAULTS,
    in_order=True,
)
