# SPDX-License-Identifier: MIT
"""The queue of a resource with users on several cores."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proof.memory_model.cases import Case, Fault, Proof
from proof.mutation import ByHand

HEADER = "protocol/mpcp_queue.h"
WORD = "protocol/word.h"
THREADS = "proof/memory_model/mpcp_queue.c"

SEEN, NOT_IN, ALONE, OTHERS, IN = 1, 2, 3, 4, 5  # as in mpcp_queue.c
HAS_TO_WAIT, WAITING, KEPT, WOKEN = 6, 7, 8, 9
FIRST, BOTH = 1, 3  # users in the queue
WAITS = 1  # the second user's state

CASES = (
    Case(
        "free",
        ("leaves", "enters"),
        "what a user wrote inside, the next one sees that finds the queue empty",
        "1:X0=0",
        (f"1:X0={SEEN}", f"1:X0={NOT_IN}"),
        {"queue": FIRST},
    ),
    Case(
        "read",
        ("reads_and_leaves", "enters_and_writes"),
        "a user inside does not see what the next one writes",
        f"0:X0={SEEN} /\\ 1:X0={IN}",
        (f"0:X0=0 /\\ 1:X0={IN}",),
        {"queue": FIRST},
    ),
    Case(
        "ended",
        ("ends", "enters"),
        "what a user wrote inside that ends there, the next one sees",
        "1:X0=0",
        (f"1:X0={SEEN}", f"1:X0={NOT_IN}"),
        {"queue": FIRST},
    ),
    Case(
        "both",
        ("enters_first", "enters_second"),
        "one user is inside, and the other one has to wait",
        f"~(0:X0={IN} /\\ 1:X0={HAS_TO_WAIT} \\/ 0:X0={HAS_TO_WAIT} /\\ 1:X0={IN})",
        (f"0:X0={IN} /\\ 1:X0={HAS_TO_WAIT}", f"0:X0={HAS_TO_WAIT} /\\ 1:X0={IN}"),
        {},
    ),
    Case(
        "meet",
        ("leaves", "writes_and_enters"),
        "one that leaves hands over if another one has to wait, and only then",
        f"~(0:X0={ALONE} /\\ 1:X0={IN} \\/ 0:X0={OTHERS} /\\ 1:X0={HAS_TO_WAIT})",
        (f"0:X0={ALONE} /\\ 1:X0={IN}", f"0:X0={OTHERS} /\\ 1:X0={HAS_TO_WAIT}"),
        {"queue": FIRST},
    ),
    Case(
        "found",
        ("leaves_and_reads", "writes_and_enters"),
        "what a user wrote before it came into the queue, the one sees that finds it there",
        "0:X0=0",
        (f"0:X0={SEEN}", f"0:X0={NOT_IN}"),
        {"queue": FIRST},
    ),
    Case(
        "kept",
        ("hands_over", "blocks"),
        "what a user wrote inside, the next one sees that finds its grant when it blocks",
        "1:X0=0",
        (f"1:X0={SEEN}", f"1:X0={WAITING}"),
        {"queue": BOTH},
    ),
    Case(
        "once",
        ("hands_over", "blocks"),
        "a grant is kept for one that has not blocked, and wakes one that has",
        f"~(0:X0={KEPT} /\\ 1:X0={SEEN} \\/ 0:X0={WOKEN} /\\ 1:X0={WAITING})",
        (f"0:X0={KEPT} /\\ 1:X0={SEEN}", f"0:X0={WOKEN} /\\ 1:X0={WAITING}"),
        {"queue": BOTH},
    ),
    Case(
        "level",
        ("grants_and_reads", "writes_and_blocks"),
        "at which level a user goes on that blocked, the core sees that makes it ready",
        "0:X0=0",
        (f"0:X0={SEEN}", f"0:X0={KEPT}"),
        {},
    ),
    Case(
        "woken",
        ("hands_over", "is_granted"),
        "what a user wrote inside, the next one sees that does not wait any more",
        "1:X0=0",
        (f"1:X0={SEEN}", f"1:X0={WAITING}"),
        {"queue": BOTH, "state": WAITS},
    ),
    Case(
        "core",
        ("looks_by_core", "comes_by_core"),
        "one that finds a core in the queue finds a user in the core's word",
        f"0:X0={ALONE}",
        (f"0:X0={SEEN}", f"0:X0={NOT_IN}"),
        {"queue": FIRST},
    ),
    Case(
        "left",
        ("hands_over_by_core", "blocks_and_looks"),
        "one that is granted the resource does not find the one that left in its core's word",
        "1:X0=0",
        (f"1:X0={SEEN}", f"1:X0={WAITING}"),
        {"queue": BOTH, "word": BOTH},
    ),
)

_SET = "return __atomic_fetch_or(word, bit, __ATOMIC_ACQ_REL);"
_CLEAR = "return __atomic_fetch_and(word, ~bit, __ATOMIC_ACQ_REL);"
_CAS = """(uint{0}_t *word, uint{0}_t *seen, uint{0}_t desired)
{{
\treturn __atomic_compare_exchange_n(word, seen, desired, false, __ATOMIC_ACQ_REL,
\t\t\t\t\t   __ATOMIC_ACQUIRE);"""
_CAS32, _CAS64 = _CAS.format(32), _CAS.format(64)
_ENTER = "\treturn plf_shared_set64(queue, bit) == 0;\n"
_LEAVE = "\treturn plf_shared_clear64(queue, bit) != bit;\n"
_BLOCK = "\tif (plf_shared_cas32(state, &seen, PLF_MPCP_WAITS))\n\t\treturn true;\n"
_GRANT = (
    "\t} while (!plf_shared_cas32(state, &seen,\n"
    "\t\t\t\t   seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED));\n"
)


def _weak(case: str, name: str, text: str, orders: Mapping[str, str], form: str = "LSE") -> Fault:
    """Return a fault: an operation of word.h with a weaker order."""
    weaker = re.sub("|".join(orders), lambda order: orders[order[0]], text)
    return Fault(ByHand(name, WORD, text, weaker), case, form)


def _fault(case: str, name: str, text: str, instead: str) -> Fault:
    return Fault(ByHand(name, HEADER, text, instead), case)


_NO_ACQUIRE, _NO_RELEASE = {"ACQ_REL": "RELEASE", "ACQUIRE": "RELAXED"}, {"ACQ_REL": "ACQUIRE"}
_NONE = {"ACQ_REL": "RELAXED", "ACQUIRE": "RELAXED"}

# A release followed by an acquire is a barrier between them. So either order suffices for a grant
# after a leave, and for the swap of a queue after the store of a state.
FAULTS = (
    _weak("free", "set: no acquire", _SET, _NO_ACQUIRE),
    _weak("found", "set: no release", _SET, _NO_RELEASE),
    _weak("found", "clear: no acquire", _CLEAR, _NO_ACQUIRE),
    _weak("free", "clear: no release", _CLEAR, _NO_RELEASE),
    _weak("read", "clear: no release, for what was read", _CLEAR, _NO_RELEASE),
    _weak("level", "swap of a state: no acquire", _CAS32, _NO_ACQUIRE),
    _weak("level", "swap of a state: no release", _CAS32, _NO_RELEASE),
    _weak("kept", "swap of a state: no acquire, for a block", _CAS32, _NO_ACQUIRE),
    _weak("kept", "swap of a state: no order, for a grant", _CAS32, _NONE, "LL/SC"),
    _weak("woken", "swap of a state: no order, for one that waits", _CAS32, _NONE, "LL/SC"),
    _weak("ended", "swap of a queue: no order", _CAS64, _NONE),
    _weak("core", "set: no release, by core", _SET, _NO_RELEASE),
    _weak("left", "swap of a state: no order, by core", _CAS32, _NONE, "LL/SC"),
    _fault(
        "core",
        "next: no acquire",
        "\tuint64_t left = plf_load_acquire64(queue) & users;\n",
        "\tuint64_t left = plf_load64(queue) & users;\n",
    ),
    _fault(
        "both",
        "enter: a look and a store",
        _ENTER,
        "\tuint64_t seen = plf_load64(queue);\n\n"
        "\tplf_store64(queue, seen | bit);\n\treturn seen == 0;\n",
    ),
    _fault(
        "meet",
        "leave: the others are looked at before it leaves",
        _LEAVE,
        "\tuint64_t seen = plf_load64(queue);\n\n"
        "\t(void)plf_shared_clear64(queue, bit);\n\treturn seen != bit;\n",
    ),
    _fault(
        "once",
        "block: a look and a store",
        _BLOCK,
        "\tif (plf_load_acquire32(state) == seen) {\n"
        "\t\tplf_store_release32(state, PLF_MPCP_WAITS);\n\t\treturn true;\n\t}\n",
    ),
    _fault(
        "once",
        "grant: a look and a store",
        _GRANT,
        "\t\tplf_store_release32(state,\n"
        "\t\t\t\t    seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED);\n"
        "\t} while (0);\n",
    ),
    _fault(
        "woken",
        "is waiting: no acquire",
        "plf_load_acquire32(state) == PLF_MPCP_WAITS",
        "plf_load32(state) == PLF_MPCP_WAITS",
    ),
)

MPCP_QUEUE = Proof(
    protocol="mpcp-queue",
    header=HEADER,
    threads=THREADS,
    what="2 cores",
    shared={
        "queue": "uint64_t",
        "state": "uint32_t",
        "data": "int",
        "level": "int",
        "word": "uint64_t",
    },
    cases=CASES,
    faults=FAULTS,
    has_halves=False,
    in_order=True,
)
