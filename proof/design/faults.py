# SPDX-License-Identifier: MIT
"""Faults by hand, each a wrong design choice that the models must find."""

from __future__ import annotations

from proof.mutation import ByHand

_CLAIM, _FLOOR = "protocol/lazy_claim.h", "protocol/lazy_floor.h"
_KPRIO, _NPRIO = "protocol/uprio_kprio.h", "protocol/uprio_nprio.h"

_CLAIM_MAXIMUM = "\tplf_store32(claim, before > ceiling ? before : ceiling);\n"
_CLAIM_LEAVE = "\tplf_store32(claim, before);\n\treturn plf_load32(raised) > before;\n"
_CLAIM_LEAVE_SIMPLY = "\tplf_store32(claim, before);\n\treturn plf_load32(raised) != 0;\n"
_CLAIM_RAISE = "\tif (wanted <= prio)\n\t\treturn prio;\n\tplf_store32(raised, wanted);\n"
_CLAIM_RAISE_SIMPLY = "\tif (wanted != 0)\n\t\tplf_store32(raised, wanted);\n"
_CLAIM_SETTLE = (
    "\tplf_store32(raised, wanted > base ? wanted : 0);\n\treturn wanted > base ? wanted : base;\n"
)
_CLAIM_SETTLE_SIMPLY = "\tplf_store32(raised, wanted);\n\treturn wanted > base ? wanted : base;\n"
_CLAIM_BOUND = "\tif (wanted > highest)\n\t\tplf_store32(claim, wanted = highest);\n"

CLAIM = (
    ByHand("enter: the claim is not stored", _CLAIM, _CLAIM_MAXIMUM, "\t(void)ceiling;\n"),
    ByHand("enter: no maximum", _CLAIM, _CLAIM_MAXIMUM, "\tplf_store32(claim, ceiling);\n"),
    ByHand(
        "leave: raised is read before the claim is withdrawn",
        _CLAIM,
        _CLAIM_LEAVE,
        "\tbool due = plf_load32(raised) > before;\n\n"
        "\tplf_store32(claim, before);\n\treturn due;\n",
    ),
    ByHand(
        "leave: the claim is not withdrawn",
        _CLAIM,
        _CLAIM_LEAVE,
        "\treturn plf_load32(raised) > before;\n",
    ),
    ByHand(
        "leave: the claim is withdrawn whole",
        _CLAIM,
        _CLAIM_LEAVE,
        _CLAIM_LEAVE.replace("(claim, before)", "(claim, 0)"),
    ),
    ByHand(
        "leave: calls whenever it was raised",
        _CLAIM,
        _CLAIM_LEAVE,
        _CLAIM_LEAVE.replace("> before", "!= 0"),
    ),
    ByHand(
        "leave: never calls",
        _CLAIM,
        _CLAIM_LEAVE,
        "\tplf_store32(claim, before);\n\treturn (void)raised, false;\n",
    ),
    ByHand(
        "leave, simple: raised is read before the claim is withdrawn",
        _CLAIM,
        _CLAIM_LEAVE_SIMPLY,
        "\tbool due = plf_load32(raised) != 0;\n\n\tplf_store32(claim, before);\n\treturn due;\n",
    ),
    ByHand(
        "enter, simple: once raised, an inner section does not call",
        _CLAIM,
        "\treturn before != 0 && plf_load32(raised) != 0;\n",
        "\treturn before != 0 && plf_load32(raised) == 0;\n",
    ),
    ByHand(
        "raise: the task's raised is not set",
        _CLAIM,
        _CLAIM_RAISE,
        _CLAIM_RAISE.replace("\tplf_store32(raised, wanted);\n", "\t(void)raised;\n"),
    ),
    ByHand(
        "raise: one level short",
        _CLAIM,
        _CLAIM_RAISE + "\treturn wanted;\n",
        _CLAIM_RAISE + "\treturn wanted - 1;\n",
    ),
    ByHand(
        "raise, simple: the task's raised is not set",
        _CLAIM,
        _CLAIM_RAISE_SIMPLY,
        "\t(void)raised;\n",
    ),
    ByHand(
        "settle ignores base",
        _CLAIM,
        _CLAIM_SETTLE,
        _CLAIM_SETTLE.replace("return wanted > base ? wanted : base", "return wanted"),
    ),
    ByHand(
        "settle: the task's raised is not set",
        _CLAIM,
        _CLAIM_SETTLE,
        "\t(void)raised;\n\treturn wanted > base ? wanted : base;\n",
    ),
    ByHand(
        "settle, simple: ignores base",
        _CLAIM,
        _CLAIM_SETTLE_SIMPLY,
        _CLAIM_SETTLE_SIMPLY.replace("return wanted > base ? wanted : base", "return wanted"),
    ),
    ByHand(
        "settle, simple: the task's raised is not set",
        _CLAIM,
        _CLAIM_SETTLE_SIMPLY,
        "\t(void)raised;\n\treturn wanted > base ? wanted : base;\n",
    ),
    ByHand("a foul claim is not bounded", _CLAIM, _CLAIM_BOUND, "\t(void)highest;\n"),
)

_LAZY = "protocol/lazy_ceiling.h"
_LAZY_ENTER = "\tplf_store64(&t->claim[PLF_LAZY_STRICT], claim);\n\tplf_store64(lock, claim);\n"
_LAZY_FREE = "\tplf_add64(lock, idle);\n"
_LAZY_GONE = "\tplf_store64(&t->claim[PLF_LAZY_STRICT], idle);\n"
_LAZY_RAISED = "\treturn plf_is32(&t->raised, 0) ? PLF_LAZY_DONE : PLF_LAZY_RAISED;\n"
_LAZY_WITHDRAW = (
    "\tplf_store64(&t->claim[strength], outer);\n"
    "\treturn plf_load32(&t->raised) > plf_lazy_wanted(outer) ? PLF_LAZY_RAISED : PLF_LAZY_DONE;\n"
)

LINUX = (
    ByHand(
        "enter: the lock is taken before the claim is made",
        _LAZY,
        _LAZY_ENTER,
        "\tplf_store64(lock, claim);\n\tplf_store64(&t->claim[PLF_LAZY_STRICT], claim);\n",
    ),
    ByHand(
        "leave: the lock is free after the claim is gone",
        _LAZY,
        _LAZY_FREE + _LAZY_GONE,
        _LAZY_GONE + _LAZY_FREE,
    ),
    ByHand(
        "leave: raised is read before the claim is withdrawn",
        _LAZY,
        _LAZY_GONE + _LAZY_RAISED,
        "\tbool due = !plf_is32(&t->raised, 0);\n\n"
        + _LAZY_GONE
        + "\treturn due ? PLF_LAZY_RAISED : PLF_LAZY_DONE;\n",
    ),
    ByHand(
        "an inner section has no maximum",
        _LAZY,
        "\tif (depth > 0 && (uint32_t)outer > excess)\n\t\texcess = (uint32_t)outer;\n",
        "",
    ),
    ByHand(
        "withdraw: raised is read before the claim is withdrawn",
        _LAZY,
        _LAZY_WITHDRAW,
        "\tbool due = plf_load32(&t->raised) > plf_lazy_wanted(outer);\n\n"
        "\tplf_store64(&t->claim[strength], outer);\n"
        "\treturn due ? PLF_LAZY_RAISED : PLF_LAZY_DONE;\n",
    ),
    ByHand(
        "the thread's raised is not set",
        _LAZY,
        "\tplf_store32(&t->raised, given);\n",
        "\t(void)t, (void)given;\n",
    ),
)

_FLOOR_LEAST = "\tplf_store64(claim, before < floor ? before : floor);\n"
_FLOOR_LEAVE = "\tplf_store64(claim, before);\n\treturn plf_load64(raised) < before;\n"
_FLOOR_SINCE = (
    "\t\tif (t->raises < PLF_FLOOR_RAISES)\n\t\t\tt->raise[t->raises++].since = instant;\n"
)
_FLOOR_RAISED = "\t\tt->deadline = instant + floor;\n\t\tplf_store64(raised, floor);\n"
_FLOOR_POPS = (
    "\twhile (t->raises > 0 && t->raise[t->raises - 1].floor < floor)\n"
    "\t\tsince = t->raise[--t->raises].since;\n"
)
_FLOOR_AGAIN = "plf_is_earlier(since + floor, t->deadline)"
_FLOOR_RETURNED = (
    "\tplf_store64(raised, t->raises > 0 ? t->raise[t->raises - 1].floor : PLF_FLOOR_NONE);\n"
)
_FLOOR_BEGIN = "\tt->own = deadline;\n\tt->deadline = deadline;\n"

FLOOR = (
    ByHand("enter: the claim is not stored", _FLOOR, _FLOOR_LEAST, "\t(void)floor;\n"),
    ByHand("enter: no minimum", _FLOOR, _FLOOR_LEAST, "\tplf_store64(claim, floor);\n"),
    ByHand(
        "leave: raised is read before the claim is withdrawn",
        _FLOOR,
        _FLOOR_LEAVE,
        "\tbool due = plf_load64(raised) < before;\n\n"
        "\tplf_store64(claim, before);\n\treturn due;\n",
    ),
    ByHand(
        "leave: the claim is not withdrawn",
        _FLOOR,
        _FLOOR_LEAVE,
        "\treturn plf_load64(raised) < before;\n",
    ),
    ByHand(
        "leave: never calls",
        _FLOOR,
        _FLOOR_LEAVE,
        "\tplf_store64(claim, before);\n\treturn (void)raised, false;\n",
    ),
    ByHand(
        "ties: an equal deadline is earlier",
        _FLOOR,
        "\treturn (int64_t)(deadline - than) < 0;\n",
        "\treturn (int64_t)(deadline - than) <= 0;\n",
    ),
    ByHand(
        "deadlines are compared as they are",
        _FLOOR,
        "\treturn (int64_t)(deadline - than) < 0;\n",
        "\treturn deadline < than;\n",
    ),
    ByHand(
        "raise: the instant is late",
        _FLOOR,
        "plf_is_earlier(instant + floor, t->deadline)) {\n",
        "plf_is_earlier(++instant + floor, t->deadline)) {\n",
    ),
    ByHand(
        "raise: since is not kept, each raise sets it",
        _FLOOR,
        _FLOOR_SINCE,
        "\t\tif (t->raises == 0)\n\t\t\tt->raises = 1;\n"
        "\t\tt->raise[t->raises - 1].since = instant;\n",
    ),
    ByHand(
        "raise: only the first raise's since is kept",
        _FLOOR,
        _FLOOR_SINCE,
        "\t\tif (t->raises == 0)\n\t\t\tt->raise[t->raises++].since = instant;\n",
    ),
    ByHand(
        "raise: the task's raised is not set",
        _FLOOR,
        _FLOOR_RAISED,
        _FLOOR_RAISED.replace("\t\tplf_store64(raised, floor);\n", "\t\t(void)raised;\n"),
    ),
    ByHand("settle: an outer section's floor is forgotten", _FLOOR, _FLOOR_AGAIN, "false"),
    ByHand("settle: no raise ends", _FLOOR, _FLOOR_POPS, ""),
    ByHand(
        "settle: outside all sections, nothing",
        _FLOOR,
        "\t\tplf_floor_begin(t, t->own);\n",
        "",
    ),
    ByHand("settle: the task's raised is not set", _FLOOR, _FLOOR_RETURNED, "\t(void)raised;\n"),
    ByHand(
        "wake-up: the deadline that it had stays",
        _FLOOR,
        _FLOOR_BEGIN,
        "\tif (t->own == 0)\n\t\tt->own = deadline;\n\tt->deadline = t->own;\n",
    ),
    ByHand(
        "begin: a raise of the activation before stays",
        _FLOOR,
        _FLOOR_BEGIN,
        "\tt->own = deadline;\n",
    ),
    ByHand(
        "a foul claim is not bounded",
        _FLOOR,
        "\tif (floor < least)\n\t\tplf_store64(claim, floor = least);\n",
        "\t(void)least;\n",
    ),
)


def _uprio(file: str, name: str, reported: str) -> tuple[ByHand, ...]:
    """Return the faults that the two protocols have in common."""
    leave = f"\tplf_store32(uprio, prio);\n\treturn prio < plf_load32({reported});\n"
    start = f"plf_{name}_"
    raising = f"{start}raise(uint32_t *uprio, uint32_t prio)\n{{\n\tplf_store32(uprio, prio);\n"
    upper = "\tif (prio > highest)\n\t\tplf_store32(uprio, prio = highest);\n"
    lower = "\tif (prio < lowest)\n\t\tplf_store32(uprio, prio = lowest);\n"
    return (
        ByHand(
            "raise: uprio is not stored",
            file,
            raising,
            raising.replace("plf_store32(uprio, prio)", "(void)uprio, (void)prio"),
        ),
        ByHand(
            f"lower: {reported} is read before uprio is stored",
            file,
            leave,
            f"\tbool due = prio < plf_load32({reported});\n\n\tplf_store32(uprio, prio);\n"
            "\treturn due;\n",
        ),
        ByHand(
            "lower: uprio is not stored",
            file,
            leave,
            f"\t(void)uprio;\n\treturn prio < plf_load32({reported});\n",
        ),
        ByHand(
            "lower: never calls",
            file,
            leave,
            f"\tplf_store32(uprio, prio);\n\treturn (void){reported}, false;\n",
        ),
        ByHand(
            "lower: always calls",
            file,
            leave,
            f"\tplf_store32(uprio, prio);\n\treturn (void){reported}, true;\n",
        ),
        ByHand(
            f"lower: calls at {reported} too", file, leave, leave.replace("prio < ", "prio <= ")
        ),
        ByHand("no upper bound", file, upper, "\t(void)highest;\n"),
        ByHand("no lower bound", file, lower, "\t(void)lowest;\n"),
    )


KPRIO = (
    *_uprio(_KPRIO, "kprio", "kprio"),
    ByHand(
        "the kernel does not publish what it knew",
        _KPRIO,
        "\tplf_store32(kprio, prio);\n\treturn prio;\n",
        "\t(void)kprio;\n\treturn prio;\n",
    ),
    ByHand(
        "kprio only rises",
        _KPRIO,
        "\tplf_store32(kprio, prio);\n\treturn prio;\n",
        "\tif (prio > plf_load32(kprio))\n\t\tplf_store32(kprio, prio);\n\treturn prio;\n",
    ),
)
NPRIO = (
    *_uprio(_NPRIO, "nprio", "nprio"),
    ByHand(
        "the next priority is published only when it rises",
        _NPRIO,
        "\tplf_store32(nprio, next);\n",
        "\tif (next > plf_load32(nprio))\n\t\tplf_store32(nprio, next);\n",
    ),
    ByHand(
        "the next priority is not published",
        _NPRIO,
        "\tplf_store32(nprio, next);\n",
        "\t(void)nprio, (void)next;\n",
    ),
)

_EVENT = "protocol/event_word.h"
_EVENT_SWAP = "\t} while (!plf_shared_cas64(word, &seen, plf_event_with(seen, events)));\n"
_EVENT_WAIT_SWAP = "\t} while (!plf_shared_cas64(word, &seen,\n"

EVENT_WORD = (
    ByHand(
        "set: without compare-and-swap",
        _EVENT,
        _EVENT_SWAP,
        "\t} while ((plf_store64(word, plf_event_with(seen, events)), false));\n",
    ),
    ByHand(
        "set: events of a suspended task are set",
        _EVENT,
        "\t\tif (!(seen & PLF_EVENT_ACTIVE))\n\t\t\tbreak;\n",
        "",
    ),
    ByHand(
        "set: what the word becomes is of the first look, after a swap that failed, too",
        _EVENT,
        "\tevents &= PLF_EVENT_ALL;\n\tdo {\n\t\tif (!(seen & PLF_EVENT_ACTIVE))\n\t\t\tbreak;\n"
        + _EVENT_SWAP,
        "\tuint64_t with = plf_event_with(seen, events & PLF_EVENT_ALL);\n\n"
        "\tdo {\n\t\tif (!(seen & PLF_EVENT_ACTIVE))\n\t\t\tbreak;\n"
        "\t} while (!plf_shared_cas64(word, &seen, with));\n",
    ),
    ByHand(
        "set: a task that is woken still waits",
        _EVENT,
        "with & ~PLF_EVENT_WAITS : with",
        "with : with",
    ),
    ByHand(
        "set: wakes for any event",
        _EVENT,
        "with & seen >> PLF_EVENT_SHIFT & PLF_EVENT_ALL ?",
        "with & PLF_EVENT_ALL ?",
    ),
    ByHand(
        "set: every setter of an event that is waited for makes the task ready",
        _EVENT,
        "return (seen & ~plf_event_with(seen, events & PLF_EVENT_ALL) & PLF_EVENT_WAITS) != 0;",
        "return (seen >> PLF_EVENT_SHIFT & events & PLF_EVENT_ALL) != 0;",
    ),
    ByHand(
        "clear: without compare-and-swap",
        _EVENT,
        "\twhile (!plf_shared_cas64(word, &seen, seen & ~events))\n\t\t;\n",
        "\tplf_store64(word, seen & ~events);\n",
    ),
    ByHand(
        "wait: what it waits for is stored after the look at the events",
        _EVENT,
        _EVENT_WAIT_SWAP,
        "\t\tplf_store64(word, (seen & (PLF_EVENT_ACTIVE | PLF_EVENT_ALL)) |\n"
        "\t\t\t\t\t  PLF_EVENT_WAITS | events << PLF_EVENT_SHIFT);\n"
        "\t} while (false && !plf_shared_cas64(word, &seen,\n",
    ),
    ByHand(
        "wait: no look at the events that are set",
        _EVENT,
        "\t\tif (seen & events)\n\t\t\treturn false;\n",
        "",
    ),
    ByHand(
        "wait: what it waited for before is kept",
        _EVENT,
        "(seen & (PLF_EVENT_ACTIVE | PLF_EVENT_ALL)) | PLF_EVENT_WAITS |",
        "seen | PLF_EVENT_WAITS |",
    ),
    ByHand(
        "end: the events stay set",
        _EVENT,
        "\tplf_event_become(word, 0);\n",
        "\tplf_event_become(word, plf_load64(word) & PLF_EVENT_ALL);\n",
    ),
    ByHand(
        "renew: the events stay set",
        _EVENT,
        "\tplf_event_become(word, PLF_EVENT_ACTIVE);\n",
        "\tplf_event_become(word, PLF_EVENT_ACTIVE | (plf_load64(word) & PLF_EVENT_ALL));\n",
    ),
    ByHand(
        "begin: it is not active",
        _EVENT,
        "\treturn plf_shared_cas64(word, &none, PLF_EVENT_ACTIVE);\n",
        "\treturn plf_shared_cas64(word, &none, 0);\n",
    ),
    ByHand(
        "begin: without compare-and-swap",
        _EVENT,
        "\treturn plf_shared_cas64(word, &none, PLF_EVENT_ACTIVE);\n",
        "\tif (plf_load64(word) != none)\n\t\treturn false;\n"
        "\tplf_store_release64(word, PLF_EVENT_ACTIVE);\n\treturn true;\n",
    ),
    ByHand(
        "begin: one that is active begins again",
        _EVENT,
        "\treturn plf_shared_cas64(word, &none, PLF_EVENT_ACTIVE);\n",
        "\tplf_store_release64(word, PLF_EVENT_ACTIVE);\n\treturn !none;\n",
    ),
)

_INBOX = "protocol/inbox.h"
_INBOX_FILL = "\tplf_store_release32(&places[ticket & mask], entry);\n\tplf_full_barrier();\n"
_INBOX_ANSWER = "\treturn plf_load32(&inbox->head) == ticket;\n"

INBOX = (
    ByHand(
        "put: interrupts only where the inbox was not empty",
        _INBOX,
        _INBOX_ANSWER,
        _INBOX_ANSWER.replace("==", "!="),
    ),
    ByHand(
        "put: looks where the owner is before the place is filled",
        _INBOX,
        _INBOX_FILL + _INBOX_ANSWER,
        "\tbool is_there = plf_load32(&inbox->head) == ticket;\n\n"
        + _INBOX_FILL
        + "\treturn is_there;\n",
    ),
    ByHand("put: always interrupts", _INBOX, _INBOX_ANSWER, "\treturn true;\n"),
    ByHand(
        "put: interrupts where the place before it was empty",
        _INBOX,
        _INBOX_ANSWER,
        "\treturn plf_load32(&places[(ticket - 1) & mask]) == 0;\n",
    ),
    ByHand(
        "put: a ticket in two steps",
        _INBOX,
        "plf_shared_add32(&inbox->tickets, 1);\n",
        "plf_load32(&inbox->tickets);\n\n\tplf_store32(&inbox->tickets, ticket + 1);\n",
    ),
    ByHand(
        "put: all at one place",
        _INBOX,
        "&places[ticket & mask], entry",
        "&places[0 & mask], entry",
    ),
    ByHand(
        "take: the place is not emptied",
        _INBOX,
        "\t\tplf_store32(&places[head & mask], 0);\n",
        "\n",
    ),
    ByHand(
        "take: the place is emptied after the next sender may have it",
        _INBOX,
        "\t\tplf_store32(&places[head & mask], 0);\n"
        "\t\tplf_store_release32(&inbox->head, head + 1);\n",
        "\t\tplf_store_release32(&inbox->head, head + 1);\n"
        "\t\tplf_store32(&places[(head + 1) & mask], 0);\n",
    ),
    ByHand(
        "take: goes on at the same place",
        _INBOX,
        "\t\tplf_store_release32(&inbox->head, head + 1);\n",
        "",
    ),
    ByHand(
        "take: skips a place that is not filled yet",
        _INBOX,
        "\tif (entry) {\n",
        "\tif (!entry && plf_load32(&inbox->tickets) != head) {\n"
        "\t\tplf_store32(&inbox->head, head + 1);\n\t} else if (entry) {\n",
    ),
    ByHand(
        "has first: looks at the place that was taken",
        _INBOX,
        "&places[plf_load32(&inbox->head) & mask]",
        "&places[(plf_load32(&inbox->head) - 1) & mask]",
    ),
    ByHand(
        "has first: looks behind the first",
        _INBOX,
        "&places[plf_load32(&inbox->head) & mask]",
        "&places[(plf_load32(&inbox->head) + 1) & mask]",
    ),
)

_LANES = "protocol/ioc_lanes.h"
_LANES_STORE = "\tplf_store64(plf_ioc_stamp_of(stamps, between, own), latest + 1);\n"
_LANES_BEHIND = "\treturn lane + 1 < lanes ? lane + 1 : 0;\n"

IOC_LANES = (
    ByHand("take: the stamp is not stored", _LANES, _LANES_STORE, ""),
    ByHand(
        "take: the latest stamp again",
        _LANES,
        f"{_LANES_STORE}\treturn latest + 1;\n",
        f"{_LANES_STORE.replace(' + 1', '')}\treturn latest;\n",
    ),
    ByHand(
        "take: looks at its own stamp alone",
        _LANES,
        "between, 0));\n\n\tfor (uint32_t lane = 1; lane < lanes;",
        "between, own));\n\n\tfor (uint32_t lane = lanes; lane < lanes;",
    ),
    ByHand(
        "take: does not look at the first lane",
        _LANES,
        "between, 0));\n\n\tfor (uint32_t lane = 1; lane",
        "between, 1));\n\n\tfor (uint32_t lane = 2; lane",
    ),
    ByHand(
        "is later: an earlier stamp is",
        _LANES,
        "\treturn stamp - other - 1 < INT64_MAX;\n",
        "\treturn other - stamp - 1 < INT64_MAX;\n",
    ),
    ByHand(
        "turn: begins at the first lane",
        _LANES,
        "\treturn lane < lanes ? lane : 0;\n",
        "\treturn lane < 0 ? lane : 0;\n",
    ),
    ByHand(
        "taken: it is the same lane's turn again",
        _LANES,
        "\tplf_store32(turn, plf_ioc_lane_behind(lane, lanes));\n",
        "\tplf_store32(turn, lane);\n",
    ),
    ByHand(
        "behind: there is none behind the last lane",
        _LANES,
        _LANES_BEHIND,
        _LANES_BEHIND.replace(": 0", ": lane"),
    ),
)


_MPCP = "protocol/mpcp_queue.h"
_MPCP_ENTER = "\treturn plf_shared_set64(queue, bit) == 0;\n"
_MPCP_LEAVE = "\treturn plf_shared_clear64(queue, bit) != bit;\n"
_MPCP_NEXT = "\t*next = 63U - (unsigned)__builtin_clzll(left);\n"
_MPCP_BLOCK = (
    "\tif (plf_shared_cas32(state, &seen, PLF_MPCP_WAITS))\n\t\treturn true;\n"
    "\tplf_store_release32(state, PLF_MPCP_IDLE);\n\treturn false;\n"
)
_MPCP_GRANT = (
    "\t} while (!plf_shared_cas32(state, &seen,\n"
    "\t\t\t\t   seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED));\n"
)
_MPCP_REMOVE = "\t} while (!plf_shared_cas64(queue, &seen, seen & ~bit));\n"
_MPCP_NOT_IN = "\t\tif (!(seen & bit))\n\t\t\treturn false;\n"
_ENTER_BY_CORE = (
    "\treturn plf_mpcp_enter(&queue[1 + place], bit) &&\n"
    "\t       plf_mpcp_enter(queue, UINT64_C(1) << place);\n"
)
_LEAVE_BY_CORE = (
    "\treturn plf_mpcp_leave(&queue[1 + place], bit) ||\n"
    "\t       plf_mpcp_leave(queue, UINT64_C(1) << place);\n"
)
_END_BY_CORE = (
    "\treturn plf_mpcp_end(&queue[1 + place], bit, state) ||\n"
    "\t       (was_in && plf_mpcp_end(queue, UINT64_C(1) << place, state));\n"
)

MPCP_QUEUE = (
    ByHand(
        "enter: the old word is looked at before the enqueue",
        _MPCP,
        _MPCP_ENTER,
        "\tuint64_t seen = plf_load64(queue);\n\n"
        "\t(void)plf_shared_set64(queue, bit);\n\treturn seen == 0;\n",
    ),
    ByHand(
        "enter: the word is looked at after the enqueue",
        _MPCP,
        _MPCP_ENTER,
        "\t(void)plf_shared_set64(queue, bit);\n\treturn plf_load64(queue) == bit;\n",
    ),
    ByHand(
        "enter: in two steps",
        _MPCP,
        _MPCP_ENTER,
        "\tuint64_t seen = plf_load64(queue);\n\n"
        "\tplf_store64(queue, seen | bit);\n\treturn seen == 0;\n",
    ),
    ByHand(
        "enter: one that is more urgent than all that wait is inside",
        _MPCP,
        _MPCP_ENTER,
        "\treturn plf_shared_set64(queue, bit) < bit;\n",
    ),
    ByHand(
        "leave: the others are looked at before it leaves",
        _MPCP,
        _MPCP_LEAVE,
        "\tuint64_t seen = plf_load64(queue);\n\n"
        "\t(void)plf_shared_clear64(queue, bit);\n\treturn seen != bit;\n",
    ),
    ByHand(
        "leave: the others are looked at after it has left",
        _MPCP,
        _MPCP_LEAVE,
        "\t(void)plf_shared_clear64(queue, bit);\n\treturn plf_load64(queue) != 0;\n",
    ),
    ByHand(
        "leave: without a grant",
        _MPCP,
        _MPCP_LEAVE,
        "\t(void)plf_shared_clear64(queue, bit);\n\treturn false;\n",
    ),
    ByHand(
        "leave: it stays in the queue",
        _MPCP,
        _MPCP_LEAVE,
        "\treturn plf_load64(queue) != bit;\n",
    ),
    ByHand(
        "next: the lowest",
        _MPCP,
        _MPCP_NEXT,
        "\t*next = (unsigned)__builtin_ctzll(left);\n",
    ),
    ByHand(
        "next: any that is in the queue, no user either",
        _MPCP,
        "plf_load_acquire64(queue) & users;\n",
        "plf_load_acquire64(queue) & ~(users & 0);\n",
    ),
    ByHand(
        "grant: it is not kept",
        _MPCP,
        "seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED));\n",
        "PLF_MPCP_IDLE));\n",
    ),
    ByHand(
        "grant: without compare-and-swap",
        _MPCP,
        _MPCP_GRANT,
        "\t\tplf_store_release32(state,\n"
        "\t\t\tseen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED);\n"
        "\t} while (0);\n",
    ),
    ByHand(
        "grant: a user that is woken still waits",
        _MPCP,
        "seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED));\n",
        "seen == PLF_MPCP_WAITS ? PLF_MPCP_WAITS : PLF_MPCP_GRANTED));\n",
    ),
    ByHand(
        "grant: wakes one that has not blocked",
        _MPCP,
        "\treturn seen == PLF_MPCP_WAITS;\n",
        "\treturn seen != PLF_MPCP_GRANTED;\n",
    ),
    ByHand(
        "block: a grant is overwritten",
        _MPCP,
        _MPCP_BLOCK,
        "\t(void)seen;\n\tplf_store_release32(state, PLF_MPCP_WAITS);\n\treturn true;\n",
    ),
    ByHand(
        "block: without compare-and-swap",
        _MPCP,
        _MPCP_BLOCK,
        "\tif (plf_load32(state) == seen) {\n"
        "\t\tplf_store_release32(state, PLF_MPCP_WAITS);\n\t\treturn true;\n\t}\n"
        "\tplf_store_release32(state, PLF_MPCP_IDLE);\n\treturn false;\n",
    ),
    ByHand(
        "block: a grant that was taken stays",
        _MPCP,
        _MPCP_BLOCK,
        "\treturn plf_shared_cas32(state, &seen, PLF_MPCP_WAITS);\n",
    ),
    ByHand(
        "end: the holder stays in the queue",
        _MPCP,
        _MPCP_REMOVE,
        "\t} while (0);\n",
    ),
    ByHand(
        "end: the queue becomes empty",
        _MPCP,
        _MPCP_REMOVE,
        "\t} while (!plf_shared_cas64(queue, &seen, 0));\n",
    ),
    ByHand(
        "end: without compare-and-swap",
        _MPCP,
        _MPCP_REMOVE,
        "\t\tplf_store64(queue, seen & ~bit);\n\t} while (0);\n",
    ),
    ByHand(
        "end: one hands over that was not inside",
        _MPCP,
        _MPCP_NOT_IN,
        "\t\tif (!(seen & bit))\n\t\t\treturn seen != 0;\n",
    ),
    ByHand(
        "end: without a grant",
        _MPCP,
        "\treturn (seen & ~bit) != 0;\n",
        "\treturn false;\n",
    ),
    ByHand(
        "end: the state is not reset",
        _MPCP,
        "\tuint64_t seen = plf_load64(queue);\n\n\tplf_store_release32(state, PLF_MPCP_IDLE);\n",
        "\tuint64_t seen = plf_load64(queue);\n\n\t(void)state;\n",
    ),
    ByHand(
        "enter: the users of a core compete with each other alone",
        _MPCP,
        _ENTER_BY_CORE,
        "\t(void)queue;\n\treturn plf_mpcp_enter(&queue[1 + place], bit);\n",
    ),
    ByHand(
        "enter: the core comes into the queue before its user comes into the word",
        _MPCP,
        _ENTER_BY_CORE,
        "\treturn plf_mpcp_enter(queue, UINT64_C(1) << place) &&\n"
        "\t       plf_mpcp_enter(&queue[1 + place], bit);\n",
    ),
    ByHand(
        "enter: one that is more urgent than all of its core competes for it",
        _MPCP,
        _ENTER_BY_CORE,
        "\treturn plf_shared_set64(&queue[1 + place], bit) < bit &&\n"
        "\t       plf_mpcp_enter(queue, UINT64_C(1) << place);\n",
    ),
    ByHand(
        "leave: the core leaves the queue before its user leaves the word",
        _MPCP,
        _LEAVE_BY_CORE,
        "\treturn plf_mpcp_leave(queue, UINT64_C(1) << place) ||\n"
        "\t       plf_mpcp_leave(&queue[1 + place], bit);\n",
    ),
    ByHand(
        "leave: the core leaves the queue, and others are in its word",
        _MPCP,
        _LEAVE_BY_CORE,
        "\tbool others = plf_mpcp_leave(&queue[1 + place], bit);\n\n"
        "\treturn plf_mpcp_leave(queue, UINT64_C(1) << place) || others;\n",
    ),
    ByHand(
        "leave: the core stays in the queue, and none is in its word",
        _MPCP,
        _LEAVE_BY_CORE,
        "\treturn plf_mpcp_leave(&queue[1 + place], bit) ||\n"
        "\t       plf_load64(queue) != UINT64_C(1) << place;\n",
    ),
    ByHand(
        "next: any core that is in the queue, one without users either",
        _MPCP,
        "plf_mpcp_next(queue, cores, place) &&",
        "plf_mpcp_next(queue, ~(cores & 0), place) &&",
    ),
    ByHand(
        "next: any that is in the word of a core, no user either",
        _MPCP,
        "users[*place], next);",
        "~(users[*place] & 0), next);",
    ),
    ByHand(
        "end: the core stays in the queue",
        _MPCP,
        _END_BY_CORE,
        "\treturn plf_mpcp_end(&queue[1 + place], bit, state) || (was_in && false);\n",
    ),
    ByHand(
        "end: the core leaves the queue, and others are in its word",
        _MPCP,
        _END_BY_CORE,
        "\tbool others = plf_mpcp_end(&queue[1 + place], bit, state);\n\n"
        "\treturn (was_in && plf_mpcp_end(queue, UINT64_C(1) << place, state)) || others;\n",
    ),
    ByHand(
        "end: a core that has none in its word leaves the queue, whichever user ends",
        _MPCP,
        "\tbool was_in = plf_load64(&queue[1 + place]) & bit;\n",
        "\tbool was_in = (plf_load64(&queue[1 + place]) & ~bit) == 0;\n",
    ),
)

_GLOBAL = "protocol/lazy_global.h"
_GLOBAL_TEST = "\tuint64_t last_ns = plf_load64(&words->last_ns);\n\n\treturn now_ns() < last_ns;\n"
_GLOBAL_ENTER = "\tplf_store32(&words->claim, before > ceiling ? before : ceiling);\n"
_GLOBAL_LEAVE = (
    "\tplf_store32(&words->claim, before);\n\treturn plf_load32(&words->late) > before;\n"
)
_GLOBAL_BOUND = "\tif (wanted > highest)\n\t\treturn highest;\n"
_GLOBAL_LATE = "\tplf_store32(&words->late, late > held ? late : 0);\n"
_GLOBAL_USED = "\treturn most_ns - left_ns;\n"

GLOBAL = (
    ByHand(
        "test: the clock is read before the instant",
        _GLOBAL,
        _GLOBAL_TEST,
        "\tuint64_t read_ns = now_ns();\n\n\treturn read_ns < plf_load64(&words->last_ns);\n",
    ),
    ByHand(
        "test: X is enough",
        _GLOBAL,
        _GLOBAL_TEST,
        _GLOBAL_TEST.replace("now_ns() <", "now_ns() <="),
    ),
    ByHand(
        "test: never asks", _GLOBAL, _GLOBAL_TEST, "\treturn (void)words, (void)now_ns, true;\n"
    ),
    ByHand(
        "test: always asks", _GLOBAL, _GLOBAL_TEST, "\treturn (void)words, (void)now_ns, false;\n"
    ),
    ByHand(
        "enter: the claim is not stored", _GLOBAL, _GLOBAL_ENTER, "\t(void)before, (void)ceiling;\n"
    ),
    ByHand("enter: no maximum", _GLOBAL, _GLOBAL_ENTER, "\tplf_store32(&words->claim, ceiling);\n"),
    ByHand(
        "leave: the claim is withdrawn whole",
        _GLOBAL,
        _GLOBAL_LEAVE,
        _GLOBAL_LEAVE.replace("(&words->claim, before)", "(&words->claim, 0)"),
    ),
    ByHand(
        "leave: the claim is not withdrawn",
        _GLOBAL,
        _GLOBAL_LEAVE,
        "\treturn plf_load32(&words->late) > before;\n",
    ),
    ByHand(
        "leave: late is not looked at",
        _GLOBAL,
        _GLOBAL_LEAVE,
        "\tplf_store32(&words->claim, before);\n\treturn false;\n",
    ),
    ByHand(
        "leave: late is read before the claim is withdrawn",
        _GLOBAL,
        _GLOBAL_LEAVE,
        "\tbool due = plf_load32(&words->late) > before;\n\n"
        "\tplf_store32(&words->claim, before);\n\treturn due;\n",
    ),
    ByHand(
        "leave: calls whenever a server is late",
        _GLOBAL,
        _GLOBAL_LEAVE,
        _GLOBAL_LEAVE.replace("> before", "!= 0"),
    ),
    ByHand("a foul claim is not bounded", _GLOBAL, _GLOBAL_BOUND, "\t(void)highest;\n"),
    ByHand(
        "publish: late is not stored",
        _GLOBAL,
        _GLOBAL_LATE,
        "\t(void)late, (void)held;\n",
    ),
    ByHand(
        "publish: what others of the server claim is not looked at",
        _GLOBAL,
        _GLOBAL_LATE,
        "\tplf_store32(&words->late, ((void)held, late));\n",
    ),
    ByHand(
        "a server at the ceiling is not kept out",
        _GLOBAL,
        "\treturn claim >= level;\n",
        "\treturn claim > level;\n",
    ),
    ByHand(
        "every section keeps out all servers",
        _GLOBAL,
        "\treturn claim >= level;\n",
        "\treturn (void)level, claim != 0;\n",
    ),
    ByHand(
        "an overrun may take X, and not one more",
        _GLOBAL,
        "\treturn hold_ns + 1;\n",
        "\treturn hold_ns;\n",
    ),
    ByHand(
        "a section begins with X left, by the kernel",
        _GLOBAL,
        "\treturn left_ns > hold_ns;\n",
        "\treturn left_ns >= hold_ns;\n",
    ),
    ByHand(
        "the last instant is the end of the budget",
        _GLOBAL,
        "\treturn end_ns > hold_ns ? end_ns - hold_ns : 0;\n",
        "\treturn (void)hold_ns, end_ns;\n",
    ),
    ByHand(
        "the last instant is one later",
        _GLOBAL,
        "\treturn end_ns > hold_ns ? end_ns - hold_ns : 0;\n",
        "\treturn end_ns + 1 > hold_ns ? end_ns + 1 - hold_ns : 0;\n",
    ),
    ByHand(
        "payback: forgotten", _GLOBAL, _GLOBAL_USED, "\treturn (void)left_ns, (void)most_ns, 0;\n"
    ),
    ByHand(
        "payback: paid twice",
        _GLOBAL,
        _GLOBAL_USED,
        "\tuint64_t used_ns = most_ns - left_ns;\n\n"
        "\treturn 2 * used_ns < most_ns ? 2 * used_ns : used_ns;\n",
    ),
    ByHand("payback: all of X", _GLOBAL, _GLOBAL_USED, "\treturn (void)left_ns, most_ns - 1;\n"),
    ByHand(
        "payback: without the one more", _GLOBAL, _GLOBAL_USED, "\treturn most_ns - 1 - left_ns;\n"
    ),
    ByHand(
        "a foul claim below its own level stays",
        _GLOBAL,
        "\treturn wanted < lowest ? lowest : wanted;\n",
        "\treturn (void)lowest, wanted;\n",
    ),
)
