# SPDX-License-Identifier: MIT
"""The word of a mutex with users on several CPUs."""

from __future__ import annotations

from proof.memory_model.cases import Case, Fault, Proof
from proof.mutation import ByHand

HEADER = "protocol/global_word.h"
THREADS = "proof/memory_model/global_word.c"

HELD, WAITED_FOR = 0x10_0000_0005, 0x10_8000_0005  # by the first thread
GRANTED_BY_DEATH = 0x10_4000_0006  # to the second thread
FAILED, DONE, TORN = 2, 5, 5  # as in global_word.c

CASES = (
    Case(
        "free",
        ("gives", "takes"),
        "what a holder wrote, the next one sees",
        "1:X0=0",
        ("1:X0=1", "1:X0=2"),
        {"word": HELD},
    ),
    Case(
        "both",
        ("takes_first", "takes_second"),
        "one thread at a time takes it",
        f"0:X0={DONE} /\\ 1:X0={DONE}",
        (f"0:X0={DONE} /\\ 1:X0={FAILED}", f"0:X0={FAILED} /\\ 1:X0={DONE}"),
        {},
    ),
    Case(
        "sleeps",
        ("gives", "begins_to_wait"),
        "no thread sleeps that the holder does not see",
        f"0:X0={DONE} /\\ 1:X0={DONE}",
        (f"0:X0={DONE} /\\ 1:X0={FAILED}", f"0:X0={FAILED} /\\ 1:X0={DONE}"),
        {"word": HELD},
    ),
    Case(
        "handed-on",
        ("gives_to_waiter", "is_granted"),
        "what a holder wrote, the thread sees that is granted the word",
        "1:X0=0",
        ("1:X0=1",),
        {"word": WAITED_FOR},
    ),
    Case(
        "looks",
        ("gives_to_waiter", "looks"),
        "the old holder's reference never stands beside the new one's TID",
        f"0:X0={FAILED} \\/ 1:X0={TORN}",
        (f"0:X0={DONE}",),
        {"word": WAITED_FOR},
    ),
    Case(
        "heir",
        ("is_granted_by_death", "waits_for_heir"),
        "a thread that is granted the word names itself, and keeps the kernel's flag",
        f"~(0:X0={DONE} /\\ 1:X0={DONE} /\\ word={0x20_8000_0006:#x})",
        (f"0:X0={DONE}",),
        {"word": GRANTED_BY_DEATH},
    ),
)

_ORDERS = "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)"
_TAKE = (
    "return __atomic_compare_exchange_n(word, &seen, plf_global_word(ref, tid), false,\n"
    f"\t\t\t\t\t   {_ORDERS};"
)
_GIVE = f"__atomic_compare_exchange_n(word, &mine, 0, false, {_ORDERS}"
_NOTE = "\t__atomic_store_n(plf_high32(word), ref, __ATOMIC_RELEASE);\n"
_CLEAR = """__atomic_fetch_and(plf_low32(word), ~(uint32_t)PLF_GLOBAL_OWNER_DIED,
\t\t\t\t   __ATOMIC_SEQ_CST)"""
_CLEAR_IN_PARTS = (
    "({ uint32_t low = *(volatile uint32_t *)plf_low32(word);"
    " *(volatile uint32_t *)plf_low32(word) = low & ~(uint32_t)PLF_GLOBAL_OWNER_DIED; low; })"
)


_HAND_ON = """__ATOMIC_RELEASE);
\t__atomic_thread_fence(__ATOMIC_SEQ_CST);
\t__atomic_store_n(wake, 1, __ATOMIC_RELEASE);
"""


def _fault(case: str, name: str, text: str, instead: str, file: str = HEADER) -> Fault:
    return Fault(ByHand(name, file, text, instead), case)


FAULTS = (
    _fault("free", "take: no order", _TAKE, _TAKE.replace("SEQ_CST", "RELAXED")),
    _fault(
        "free",
        "take: the data may be read before",
        _TAKE,
        _TAKE.replace(_ORDERS, "__ATOMIC_RELEASE, __ATOMIC_RELAXED)"),
    ),
    _fault("free", "give: no order", _GIVE, _GIVE.replace("SEQ_CST", "RELAXED")),
    _fault(
        "free",
        "give: the data may be written after",
        _GIVE,
        _GIVE.replace(_ORDERS, "__ATOMIC_ACQUIRE, __ATOMIC_RELAXED)"),
    ),
    _fault(
        "both",
        "take: a look and a store",
        _TAKE,
        "if (*(volatile uint64_t *)word != seen)\n\t\treturn false;\n"
        "\t*(volatile uint64_t *)word = plf_global_word(ref, tid);\n\treturn true;",
    ),
    _fault(
        "sleeps",
        "give: a look and a store",
        f"if ({_GIVE})",
        "if (*(volatile uint64_t *)word == mine && ((*(volatile uint64_t *)word = 0), true))",
    ),
    _fault("looks", "give: the reference stays", "\tplf_global_note(word, 0);\n", ""),
    _fault(
        "looks",
        "give: the whole word is written",
        "\tplf_global_note(word, 0);\n",
        "\t__atomic_store_n(word, tid, __ATOMIC_RELEASE);\n",
    ),
    _fault("heir", "note: it is not written", _NOTE, "\t(void)word, (void)ref;\n"),
    _fault(
        "handed-on",
        "the kernel hands on and wakes without order",
        _HAND_ON,
        "__ATOMIC_RELAXED);\n\t__atomic_store_n(wake, 1, __ATOMIC_RELAXED);\n",
        THREADS,
    ),
    _fault("heir", "granted: the flag is cleared in parts", _CLEAR, _CLEAR_IN_PARTS),
)

GLOBAL_MUTEX = Proof(
    protocol="global-mutex",
    header=HEADER,
    threads=THREADS,
    what="2 CPUs, the kernel's half among them",
    shared={"word": "uint64_t", "data": "int", "wake": "int"},
    cases=CASES,
    faults=FAULTS,
)
