# SPDX-License-Identifier: MIT
"""The last value of an IOC."""

from __future__ import annotations

from proof.memory_model.cases import Case, Fault, Proof
from proof.mutation import ByHand

HEADER = "protocol/ioc_last.h"

TORN = 9  # as in ioc_last.c
FORMS = ("LL/SC",)  # Armv8.1 has no other instructions for this code
PAIR_1_ANNOUNCED = (0, 1)
PAIR_1_WRITTEN = (1, 0)

CASES = (
    Case(
        "whole",
        ("writes", "reads"),
        "a value is what its sender stored",
        f"1:X0={TORN}",
        ("1:X0=0", "1:X0=1"),
        forms=FORMS,
    ),
    Case(
        "announced",
        ("writes_twice", "reads"),
        "a slot is not overwritten while it is read",
        f"1:X0={TORN}",
        ("0:X0=0 /\\ 1:X0=0", "~0:X0=0 /\\ 1:X0=0"),
        {"last": PAIR_1_ANNOUNCED},
        forms=FORMS,
    ),
    Case(
        "left",
        ("writes_twice", "reads_and_announces"),
        "a slot is not overwritten before its read has ended",
        "~1:X0=0",
        ("0:X0=0 /\\ 1:X0=0", "~0:X0=0 /\\ 1:X0=0"),
        {"last": PAIR_1_WRITTEN},
        forms=FORMS,
    ),
)

_PUBLISH = "\tplf_store_release32(&last->written, slots | pair);\n"
_ANNOUNCE = "\tplf_store_release32(&last->reading, pair); /* behind what it has read so far */\n"
_BARRIER = "\tplf_full_barrier();\n"
_LOOK = "\tpair = ~plf_load32(&last->reading) & 1;\n"


def _fault(case: str, name: str, text: str, instead: str) -> Fault:
    return Fault(ByHand(name, HEADER, text, instead), case, FORMS[0])


FAULTS = (
    _fault("whole", "publish: no release", _PUBLISH, _PUBLISH.replace("_release", "")),
    _fault("announced", "claim: no barrier", _BARRIER + _LOOK, _LOOK),
    _fault("announced", "find: no barrier", _ANNOUNCE + _BARRIER, _ANNOUNCE),
    _fault(
        "left",
        "find: announces before it has read",
        _ANNOUNCE,
        _ANNOUNCE.replace("_release", ""),
    ),
)

IOC_LAST = Proof(
    protocol="ioc-last",
    header=HEADER,
    threads="proof/memory_model/ioc_last.c",
    what="a sender and a receiver",
    shared={"last": "uint32_t[2]", "slots": "uint32_t[4]"},
    cases=CASES,
    has_halves=False,
    in_order=True,
    faults=FAULTS,
)
