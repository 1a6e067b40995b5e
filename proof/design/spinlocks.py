# SPDX-License-Identifier: MIT
"""Spinlocks: the searches between cores, and the faults that they must find."""

from __future__ import annotations

from proof.design.cases import ASKED_OF_SPINLOCKS, Case, Query
from proof.mutation import ByHand


def _spinlock(header: str, name: str, ordered: int, *, last: bool) -> Case:
    """`last`: the users have the last places of the word, not the first."""
    spins = "w->facts.state[{}] == SPINS"
    return Case(
        header,
        f"{name}, the last users" if last else name,
        "three cores that want a lock, spin, try, leave and end, any number of times",
        "spinlock.c",
        {"ACCESSES": 8, "LOGGED": "uint64_t", "ORDERED": ordered, "LAST": int(last)},
        queries=(
            Query(
                "two cores spin, and the third is inside",
                f"{spins.format(0)} && {spins.format(1)} && w->facts.state[2] == INSIDE",
                is_reachable=True,
            ),
            Query(
                "a core comes while the lock is handed over",
                "w->facts.state[0] == INSIDE && w->core[0].doing == END && "
                f"{spins.format(1)} && w->core[2].doing == JOIN",
                is_reachable=True,
            ),
        ),
        is_small=not last,
        asks=ASKED_OF_SPINLOCKS,
    )


def _spinlocks(header: str, name: str, ordered: int) -> tuple[Case, ...]:
    return tuple(_spinlock(header, name, ordered, last=last) for last in (False, True))


UNORDERED_CASES = _spinlocks("spin_unordered.h", "any order", 0)
FIFO_CASES = _spinlocks("spin_fifo.h", "in the order of requests", 1)
PRIORITY_CASES = _spinlocks("spin_priority.h", "the most urgent first", 2)

_UNORDERED = "protocol/spin_unordered.h"
_FIFO = "protocol/spin_fifo.h"
_PRIORITY = "protocol/spin_priority.h"


def _try(header: str) -> ByHand:
    return ByHand(
        "try: looks, and writes then",
        header,
        "\tuint64_t seen = 0;\n\n\treturn plf_shared_cas64(word, &seen, me);\n",
        "\tif (plf_load64(word) != 0)\n\t\treturn false;\n"
        "\tplf_store64(word, me);\n\treturn true;\n",
    )


UNORDERED = (
    _try(_UNORDERED),
    ByHand(
        "turn: looks, and writes then",
        _UNORDERED,
        "\treturn *seen == 0 && plf_shared_cas64(word, seen, me);\n",
        "\tif (*seen != 0)\n\t\treturn false;\n\tplf_store64(word, me);\n\treturn true;\n",
    ),
    ByHand(
        "end: frees the lock of another holder",
        _UNORDERED,
        "\tif (plf_load64(word) == me)\n",
        "\tif (plf_load64(word) != 0)\n",
    ),
    ByHand(
        "end: leaves the lock held",
        _UNORDERED,
        "\tif (plf_load64(word) == me)\n",
        "\tif (plf_load64(word) == 0)\n",
    ),
)

FIFO = (
    _try(_FIFO),
    ByHand(
        "join: before all others",
        _FIFO,
        "\t\tjoined = plf_fifo_append(seen, me);\n",
        "\t\tjoined = seen ? (seen & PLF_FIFO_MASK) | me << PLF_FIFO_BITS |\n"
        "\t\t\t\t(seen & ~(uint64_t)PLF_FIFO_MASK) << PLF_FIFO_BITS : me;\n",
    ),
    ByHand(
        "join: inside whatever was there",
        _FIFO,
        "\treturn seen == 0;\n",
        "\treturn seen == 0 || seen >> PLF_FIFO_BITS == 0;\n",
    ),
    ByHand(
        "turn: inside when it is in the list",
        _FIFO,
        "\treturn (*seen & PLF_FIFO_MASK) == me;\n",
        "\treturn (*seen & PLF_FIFO_MASK) == me || *seen >> PLF_FIFO_BITS == me;\n",
    ),
    ByHand(
        "leave: all others are forgotten",
        _FIFO,
        "\twhile (!plf_shared_cas64(word, &seen, seen >> PLF_FIFO_BITS))\n",
        "\twhile (!plf_shared_cas64(word, &seen, 0))\n",
    ),
    ByHand(
        "leave: by a load and a store",
        _FIFO,
        "\tuint64_t seen = me;\n\n"
        "\twhile (!plf_shared_cas64(word, &seen, seen >> PLF_FIFO_BITS))\n\t\t;\n",
        "\t(void)me;\n\tplf_store_release64(word, plf_load64(word) >> PLF_FIFO_BITS);\n",
    ),
    ByHand(
        "end: any user is taken for the holder",
        _FIFO,
        "bool holds = (seen & PLF_FIFO_MASK) == me;",
        "bool holds = seen != 0;",
    ),
    ByHand(
        "end: one that spins stays in the list",
        _FIFO,
        "plf_fifo_without(seen, me);",
        "seen;",
    ),
    ByHand(
        "end: with one that spins, all behind it are forgotten",
        _FIFO,
        "return (list & (first - 1)) | (list >> PLF_FIFO_BITS & ~(first - 1));",
        "return list & (first - 1);",
    ),
    ByHand(
        "end: with one that spins, the holder leaves",
        _FIFO,
        "return (list & (first - 1)) | (list >> PLF_FIFO_BITS & ~(first - 1));",
        "return list >> PLF_FIFO_BITS;",
    ),
    ByHand("end: tries once", _FIFO, "i < 2 * PLF_FIFO_MOST;", "i < 1;"),
)

PRIORITY = (
    _try(_PRIORITY),
    ByHand(
        "join: inside whatever was there",
        _PRIORITY,
        "\treturn seen == 0;\n",
        "\treturn seen == 0 || seen >> PLF_SPINNERS == 0;\n",
    ),
    ByHand(
        "turn: inside when it spins",
        _PRIORITY,
        "\treturn (*seen & me) != 0;\n",
        "\treturn (*seen & (me | me << PLF_SPINNERS)) != 0;\n",
    ),
    ByHand(
        "leave: to the lowest",
        _PRIORITY,
        "\tnext = UINT64_C(1) << (63U - (unsigned)__builtin_clzll(spinners));\n",
        "\tnext = spinners & (~spinners + 1);\n",
    ),
    ByHand(
        "leave: the lock is free, and any one may come",
        _PRIORITY,
        "\treturn next | (spinners & ~next) << PLF_SPINNERS;\n",
        "\treturn (spinners & ~next) << PLF_SPINNERS;\n",
    ),
    ByHand(
        "leave: the next one spins, too",
        _PRIORITY,
        "\treturn next | (spinners & ~next) << PLF_SPINNERS;\n",
        "\treturn next | spinners << PLF_SPINNERS;\n",
    ),
    ByHand(
        "leave: by a load and a store",
        _PRIORITY,
        "\tuint64_t seen = me;\n\tuint64_t left = 0;\n\n"
        "\twhile (!plf_shared_cas64(word, &seen, left))\n"
        "\t\tleft = plf_spin_handed_over(seen);\n",
        "\t(void)me;\n\tplf_store_release64(word, plf_spin_handed_over(plf_load64(word)));\n",
    ),
    ByHand(
        "end: any user is taken for the holder",
        _PRIORITY,
        "\tif (!(seen & me))\n",
        "\tif (seen == 0)\n",
    ),
    ByHand(
        "end: one that spins is handed the lock all the same",
        _PRIORITY,
        "return seen & ~(me << PLF_SPINNERS);",
        "return seen;",
    ),
    ByHand(
        "end: one that spins and is handed the lock keeps it",
        _PRIORITY,
        "\tif (!(seen & me))\n",
        "\tif (!(seen & me) || seen == me)\n",
    ),
    ByHand("end: tries once", _PRIORITY, "i < PLF_SPIN_ATTEMPTS;", "i < 1;"),
)
