# SPDX-License-Identifier: MIT
"""The queue of an IOC."""

from __future__ import annotations

from proof.memory_model.cases import Case, Fault, Needless, Proof
from proof.mutation import ByHand

HEADER = "protocol/ioc_queue.h"

OLD, NEW, NONE, FULL, SENT, REPORTED, SILENT = 1, 2, 5, 6, 7, 8, 9  # as in ioc_queue.c
ONE_SENT = (1,)  # a sent message, and no lost message
FORMS = ("LL/SC",)  # Armv8.1 has no other instructions for this code

CASES = (
    Case(
        "whole",
        ("sends", "receives"),
        "a message is what its sender stored",
        "1:X0=0",
        (f"1:X0={NEW}", f"1:X0={NONE}"),
        forms=FORMS,
    ),
    Case(
        "kept",
        ("sends", "receives"),
        "a message is not overwritten before it was received",
        f"1:X0={NEW}",
        (f"0:X0={SENT} /\\ 1:X0={OLD}", f"0:X0={FULL} /\\ 1:X0={OLD}"),
        {"sent": ONE_SENT, "places": (OLD,)},
        forms=FORMS,
    ),
    Case(
        "dropped",
        ("sends", "drops"),
        "a message is not overwritten before the receiver has left it",
        f"1:X0={NEW}",
        (f"0:X0={SENT} /\\ 1:X0={OLD}", f"0:X0={FULL} /\\ 1:X0={OLD}"),
        {"sent": ONE_SENT, "places": (OLD,)},
        forms=FORMS,
    ),
    Case(
        "reported",
        ("loses_and_sends", "receives_report"),
        "a loss is reported with the first message that was sent after it",
        f"1:X0={SILENT}",
        (f"1:X0={REPORTED}", f"1:X0={NONE}"),
        forms=FORMS,
    ),
)

_PUBLISH = "\tplf_store_release32(&sent->tail, plf_load32(&sent->tail) + 1);\n"
_FIRST = "\treturn plf_load_acquire32(&sent->tail) != head;\n"
_RELEASE = "\tplf_store_release32(&taken->head, plf_load32(&taken->head) + 1);\n"
_EMPTY = "\tplf_store_release32(&taken->head, tail);\n"
_CLAIM = "plf_load_acquire32(&taken->head) < most"


def _fault(case: str, name: str, text: str, instead: str) -> Fault:
    return Fault(ByHand(name, HEADER, text, instead), case, FORMS[0])


FAULTS = (
    _fault("whole", "publish: no release", _PUBLISH, _PUBLISH.replace("_release", "")),
    _fault("whole", "first: no acquire", _FIRST, _FIRST.replace("_acquire", "")),
    _fault("kept", "release: no release", _RELEASE, _RELEASE.replace("_release", "")),
    _fault("dropped", "empty: no release", _EMPTY, _EMPTY.replace("_release", "")),
    _fault(
        "reported",
        "publish: no release, for a loss",
        _PUBLISH,
        _PUBLISH.replace("_release", ""),
    ),
    _fault("reported", "first: no acquire, for a loss", _FIRST, _FIRST.replace("_acquire", "")),
)

NEEDLESS = (
    Needless(
        ByHand("claim: no acquire", HEADER, _CLAIM, _CLAIM.replace("_acquire", "")),
        ("kept", "dropped", "reported"),
        "what is stored to the place depends on a branch that this load decides; C asks for it",
    ),
)

IOC_QUEUE = Proof(
    protocol="ioc-queue",
    header=HEADER,
    threads="proof/memory_model/ioc_queue.c",
    what="a sender and a receiver",
    shared={"sent": "uint32_t[2]", "taken": "uint32_t[2]", "places": "uint32_t[2]"},
    cases=CASES,
    has_halves=False,
    in_order=True,
    faults=FAULTS,
    needless=NEEDLESS,
)
