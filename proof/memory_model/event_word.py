# SPDX-License-Identifier: MIT
"""The event word of a task.

Some results follow from a single word: the core that wakes the task, the core that is refused, and
the events that are set in the end. All processors see the accesses to it in the same order. Cases
ask for these results all the same. Data that a core wrote before its service, and another core must
see after its own, needs the order of the accesses.
"""

from __future__ import annotations

from proof.memory_model.cases import Case, Fault, Proof
from proof.mutation import ByHand

HEADER, WORD = "protocol/event_word.h", "protocol/word.h"
THREADS = "proof/memory_model/event_word.c"

SEEN, NOT_IN, FAILED, DONE, BLOCKS, REFUSED, SET, WAKES = range(1, 9)  # as in event_word.c
RUNNING, WAITING, READY = range(10, 13)
ACTIVE, WAITS = 1 << 31, 1 << 63
ONE, OTHER = 1, 2
WAITS_FOR_BOTH = WAITS | (ONE | OTHER) << 32 | ACTIVE


def _ends(first: int, second: int) -> str:
    return f"(0:X0={first} /\\ 1:X0={second})"


def _word(value: int) -> str:
    return f"word={value:#x}"


UNSEEN = "1:X0=0"
_SHORTER = ("LL/SC",)  # a failing CAS has more events than a failing pair

CASES = (
    Case(
        "found",
        ("sets", "waits_or_reads"),
        "what a core wrote before it set an event, the task sees that need not wait for it",
        UNSEEN,
        (f"1:X0={SEEN}", f"1:X0={BLOCKS}"),
        {"word": ACTIVE},
    ),
    Case(
        "found again",
        ("sets", "waits_or_reads"),
        "so it does where it looked too early, and its swap fails",
        UNSEEN,
        (f"1:X0={SEEN}",),
        {"word": ACTIVE},
        forms=_SHORTER,
        retries={1: 1},
    ),
    Case(
        "got",
        ("sets", "finds_event"),
        "what a core wrote before it set an event, each core sees that finds the event",
        UNSEEN,
        (f"1:X0={SEEN}", f"1:X0={NOT_IN}"),
        {"word": ACTIVE},
    ),
    Case(
        "cleared",
        ("sets", "clears"),
        "what a core wrote before it set an event, the task sees that cleared the event",
        f"{_ends(SET, 0)} /\\ {_word(ACTIVE)}",
        (
            f"{_ends(SET, SEEN)} /\\ {_word(ACTIVE)}",
            f"1:X0=0 /\\ {_word(ACTIVE | ONE)}",
        ),
        {"word": ACTIVE},
    ),
    Case(
        "kept",
        ("sets_other", "clears"),
        "an event that is set while another is cleared stays set, and that one is cleared",
        f"~{_word(ACTIVE | OTHER)}",
        (f"0:X0={SET}",),
        {"word": ACTIVE | ONE},
    ),
    Case(
        "waits",
        ("sets", "waits"),
        "the task waits if and only if the event wakes it",
        f"{_ends(SET, BLOCKS)} \\/ {_ends(WAKES, DONE)} \\/ 0:X0={REFUSED}",
        (_ends(SET, DONE), _ends(WAKES, BLOCKS)),
        {"word": ACTIVE},
    ),
    Case(
        "woken",
        ("waits", "sets_if_waiting"),
        "what a task wrote before it waited, the core sees that wakes it",
        UNSEEN,
        (f"1:X0={SEEN}", f"1:X0={NOT_IN}"),
        {"word": ACTIVE},
    ),
    Case(
        "once",
        ("sets", "sets_other"),
        "of two cores that set events at once, one wakes the task",
        f"~({_ends(WAKES, SET)} \\/ {_ends(SET, WAKES)})",
        (_ends(WAKES, SET), _ends(SET, WAKES)),
        {"word": WAITS_FOR_BOTH},
        forms=_SHORTER,
    ),
    Case(
        "passed on",
        ("sets", "sets_other", "finds_event"),
        "so each core sees it that finds the event beside another core's",
        "2:X0=0",
        (f"2:X0={SEEN}",),
        {"word": ACTIVE},
        forms=_SHORTER,
    ),
    Case(
        "ended",
        ("ends", "sets"),
        "an event of an activation that has ended is refused, or goes with it",
        f"~{_word(0)} \\/ 1:X0={WAKES}",
        (f"1:X0={SET}", f"1:X0={REFUSED}"),
        {"word": ACTIVE},
    ),
    Case(
        "last",
        ("sets", "ends_before"),
        "what a core wrote before it set an event, the core sees that ended the activation then",
        _ends(SET, 0),
        (_ends(SET, SEEN), _ends(REFUSED, 0)),
        {"word": ACTIVE},
    ),
    Case(
        "next",
        ("ends", "begins_before"),
        "what an activation wrote, the core sees that begins the next one",
        UNSEEN,
        (f"1:X0={SEEN}", f"1:X0={NOT_IN}"),
        {"word": ACTIVE},
    ),
    Case(
        "begun",
        ("begins_behind", "sets_if_active"),
        "what a core wrote before it began an activation, each core sees that may set its events",
        UNSEEN,
        (f"1:X0={SEEN}", f"1:X0={NOT_IN}"),
    ),
    Case(
        "begun again",
        ("ends", "begins", "finds_none"),
        "what an activation wrote, each core sees that finds the next one, whichever core began it",
        "2:X0=0",
        (f"1:X0={DONE} /\\ 2:X0={SEEN} /\\ {_word(ACTIVE)}", f"2:X0={NOT_IN}"),
        {"word": ACTIVE | ONE},
    ),
    Case(
        "one begins",
        ("begins", "begins_behind"),
        "of two cores that begin an activation at once, one does",
        f"~({_ends(DONE, FAILED)} \\/ {_ends(FAILED, DONE)})",
        (_ends(DONE, FAILED), _ends(FAILED, DONE)),
    ),
    Case(
        "renewed",
        ("renews", "finds_none"),
        "what an activation wrote, each core sees that finds the one that follows at once",
        UNSEEN,
        (f"1:X0={SEEN}", f"1:X0={NOT_IN}"),
        {"word": ACTIVE | ONE},
    ),
    Case(
        "without a gap",
        ("renews", "begins"),
        "no core begins an activation between one and another that follows at once",
        f"1:X0={DONE}",
        (f"1:X0={FAILED}",),
        {"word": ACTIVE | ONE},
    ),
    Case(
        "state",
        ("waits_and_switches", "asks"),
        "no task that waits is taken for ready by a core that finds another one running",
        f"1:X0={READY}",
        (f"1:X0={RUNNING}", f"1:X0={WAITING}"),
        {"word": ACTIVE},
    ),
)

_BEGIN = "plf_shared_cas64(word, &none, PLF_EVENT_ACTIVE)"
_BECOME = "plf_shared_cas64(word, &seen, next)"
_SET = "plf_shared_cas64(word, &seen, plf_event_with(seen, events))"
_CLEAR = "plf_shared_cas64(word, &seen, seen & ~events)"
_WAIT = """plf_shared_cas64(word, &seen,
\t\t\t\t   (seen & (PLF_EVENT_ACTIVE | PLF_EVENT_ALL)) | PLF_EVENT_WAITS |
\t\t\t\t\t   events << PLF_EVENT_SHIFT)"""
_WAITS_LOOK = "\tuint64_t seen = plf_load_acquire64(word);\n"
_LOOK = "return plf_load_acquire64(word);"
_RENEW = "\tplf_event_become(word, PLF_EVENT_ACTIVE);\n"
_CAS64 = """plf_shared_cas64(uint64_t *word, uint64_t *seen, uint64_t desired)
{
\treturn __atomic_compare_exchange_n(word, seen, desired, false, """
_ACQ_REL = "__ATOMIC_ACQ_REL,\n\t\t\t\t\t   __ATOMIC_ACQUIRE);"
_LOAD64 = """plf_load_acquire64(const uint64_t *word)
{
\treturn __atomic_load_n(word, """
_SWITCH = "__atomic_store_n(other_runs, true, __ATOMIC_RELEASE)"
_ASK = "__atomic_load_n(other_runs, __ATOMIC_ACQUIRE)"
NO_ACQUIRE, NO_RELEASE = (
    "__ATOMIC_RELEASE, __ATOMIC_RELAXED",
    "__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE",
)


def _fault(case: str, name: str, text: str, instead: str, file: str = HEADER) -> Fault:
    return Fault(ByHand(name, file, text, instead), case, "LL/SC")


def _ordered(case: str, name: str, swap: str, orders: str) -> Fault:
    """Return a fault: the compare-and-swap with these orders for success and for failure."""
    call = swap.replace("plf_shared_cas64", "__atomic_compare_exchange_n")
    return _fault(case, name, swap, f"{call[:-1]}, false, {orders})")


def _stored(case: str, name: str, swap: str) -> Fault:
    """Return a fault: a store of the desired value, whatever the word holds."""
    desired = swap.split(",", 2)[2].strip()[:-1]
    return _fault(
        case,
        f"{name}: without compare-and-swap",
        swap,
        f"(plf_store64(word, {desired}), true)",
    )


FAULTS = (
    _fault("next", "cas64: no acquire", _CAS64 + _ACQ_REL, f"{_CAS64}{NO_ACQUIRE});", WORD),
    _fault("next", "cas64: no release", _CAS64 + _ACQ_REL, f"{_CAS64}{NO_RELEASE});", WORD),
    _fault(
        "got",
        "load64: no acquire",
        f"{_LOAD64}__ATOMIC_ACQUIRE);",
        f"{_LOAD64}__ATOMIC_RELAXED);",
        WORD,
    ),
    _ordered("found", "set: no release", _SET, NO_RELEASE),
    _fault(
        "found",
        "wait: a look without acquire",
        _WAITS_LOOK,
        _WAITS_LOOK.replace("_acquire", ""),
    ),
    _ordered("found again", "wait: a swap that fails without acquire", _WAIT, NO_ACQUIRE),
    _fault("got", "seen: a look without acquire", _LOOK, _LOOK.replace("_acquire", "")),
    _ordered("cleared", "clear: no acquire", _CLEAR, NO_ACQUIRE),
    _stored("kept", "clear", _CLEAR),
    _stored("kept", "set, against a clear", _SET),
    _stored("waits", "set, against a wait", _SET),
    _stored("waits", "wait", _WAIT),
    _ordered("woken", "wait: no release", _WAIT, NO_RELEASE),
    _ordered("woken", "set: no acquire", _SET, NO_ACQUIRE),
    _stored("once", "set, against a set", _SET),
    _ordered("passed on", "set: no release, and another core sets", _SET, NO_RELEASE),
    _fault(
        "ended",
        "end: the events stay set",
        "plf_event_become(word, 0);",
        "plf_event_become(word, plf_load64(word) & ~PLF_EVENT_ACTIVE);",
    ),
    _stored("ended", "set, against an end", _SET),
    _ordered("last", "end: no acquire", _BECOME, NO_ACQUIRE),
    _ordered("next", "end: no release", _BECOME, NO_RELEASE),
    _ordered("next", "begin: no acquire", _BEGIN, NO_ACQUIRE),
    _ordered("begun", "begin: no release", _BEGIN, NO_RELEASE),
    _ordered("begun again", "end: no release, and another core begins", _BECOME, NO_RELEASE),
    _fault(
        "one begins",
        "begin: a look and a store",
        f"return {_BEGIN};",
        "if (plf_load64(word) != none)\n\t\treturn false;\n"
        "\tplf_store64(word, PLF_EVENT_ACTIVE);\n\treturn true;",
    ),
    _ordered("renewed", "renew: no release", _BECOME, NO_RELEASE),
    _fault(
        "without a gap",
        "renew: an end, and a begin",
        _RENEW,
        f"\tplf_event_become(word, 0);\n{_RENEW}",
    ),
    _fault(
        "state",
        "another task runs without release",
        _SWITCH,
        _SWITCH.replace("RELEASE", "RELAXED"),
        THREADS,
    ),
    _fault(
        "state",
        "whether another task runs is asked without acquire",
        _ASK,
        _ASK.replace("ACQUIRE", "RELAXED"),
        THREADS,
    ),
)

EVENT_WORD = Proof(
    protocol="event-word",
    header=HEADER,
    threads=THREADS,
    what="2 and 3 cores",
    shared={"word": "uint64_t", "data": "int"},
    cases=CASES,
    faults=FAULTS,
    in_order=True,
    has_halves=False,
)
