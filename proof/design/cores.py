# SPDX-License-Identifier: MIT
"""Cases of words that cores share: a task's event word, a core's inbox, a resource's queue."""

from __future__ import annotations

from proof.design.cases import (
    ASKED_OF_EVENTS,
    ASKED_OF_FOUL_MPCP,
    ASKED_OF_INBOX,
    ASKED_OF_LANES,
    ASKED_OF_MPCP,
    ASKED_OF_QUEUES,
    Case,
    Query,
)


def _events(name: str, scope: str, events: int, is_small: bool, *, anew: bool) -> Case:
    renewed = ", is renewed" if anew else ""
    begun = ", of which one begins it, too" if anew else ""
    return Case(
        "event_word.h",
        name,
        f"a task that begins, waits, clears{renewed} and ends, and two cores that set "
        f"{scope}{begun}, any number of times",
        "event_word.c",
        {"ACCESSES": 5, "EVENTS": events, "ANEW": int(anew)},
        queries=(
            Query("the task waits", "w->facts.life == BLOCKED", is_reachable=True),
            Query(
                "both cores set an event of a waiting task at once",
                "w->facts.life == BLOCKED && w->core[1].doing == SET && w->core[2].doing == SET",
                is_reachable=True,
            ),
        ),
        is_small=is_small,
        asks=ASKED_OF_EVENTS,
    )


EVENT_WORD = (
    _events("one event", "its event", 1, is_small=True, anew=True),
    _events("two events", "its two events", 3, is_small=False, anew=False),
)


def _inbox(sent: int, is_small: bool, *, one_by_one: bool = False) -> Case:
    way = ", taken one by one" if one_by_one else ""
    return Case(
        "inbox.h",
        f"{sent} sent{way}",
        f"two senders, 3 entries in 4 places, {sent} sent in all{way}, counts that wrap",
        "inbox.c",
        {"ACCESSES": 8, "PUTS": sent, "ONE_BY_ONE": int(one_by_one)},
        queries=(
            Query(
                "an entry is taken out before its sender is done",
                "memchr(w->facts.where, GONE, ENTRIES) != NULL",
                is_reachable=True,
            ),
            Query(
                "all entries are in",
                "memcmp(w->facts.where, (uint8_t[]){ IN, IN, IN }, ENTRIES) == 0",
                is_reachable=True,
            ),
        ),
        is_small=is_small,
        asks=ASKED_OF_INBOX,
    )


INBOX = (
    _inbox(7, is_small=True),
    _inbox(7, is_small=True, one_by_one=True),
    _inbox(12, is_small=False),
    _inbox(12, is_small=False, one_by_one=True),
)


def _lanes(senders: int, *, sent: int, reads: int = 0, queued: bool = False) -> Case:
    """Return a case of lanes. Services of two senders may be ended at any access, of three not.

    If reads are counted, each sender sends once, and the value of a lane changes by one access.
    """
    what, kind = ("messages", "a queue") if queued else ("values", "a last value")
    ended = senders == 2
    often = f"{reads or 'any number of'} reads{', ended at any access' if ended else ''}"
    return Case(
        "ioc_lanes.h",
        f"{senders} senders of {kind}",
        f"{senders} senders and a receiver of {kind}, {sent} {what}; {often}",
        "ioc_lanes.c",
        {
            "ACCESSES": 2 * senders + 8 if queued else 4 * senders + 5,
            "LOGGED": "uint8_t",
            "HAS_CORES": senders + 1,
            "SENDS": sent,
            "EACH": 1 if reads else sent,
            "READS": reads,
            "ENDED": int(ended),
            "QUEUED": int(queued),
            "SIMPLE": int(bool(reads)),
        },
        queries=(BEGINS_FULL,) if queued else (ONE_STAMP,),
        is_small=senders == 2,
        asks=ASKED_OF_QUEUES if queued else ASKED_OF_LANES,
    )


ONE_STAMP = Query(
    "two values have one stamp",
    "w->words.lane[0].last.stamp == 1 && w->words.lane[1].last.stamp == 1",
    is_reachable=True,
)
BEGINS_FULL = Query(
    "a sender begins with its lane full, and waits for its turn",
    "w->facts.full && w->facts.passed[0] == SENDERS - 1",
    is_reachable=True,
)
IOC_LANES = (
    _lanes(2, sent=3),
    _lanes(3, sent=3, reads=2),
    _lanes(2, sent=4, queued=True),
    _lanes(3, sent=4, queued=True),
)


KEPT = Query(
    "a grant is kept for one that has not blocked",
    "w->words.states[0] == PLF_MPCP_GRANTED",
    is_reachable=True,
)
ALL_WAIT = Query(
    "all wait but one",
    "w->facts.queued == ALL && memcmp(w->facts.life, "
    "(uint8_t[3]){ INSIDE, WAITS, WAITS }, USERS < 3 ? USERS : 3) == 0",
    is_reachable=True,
)
ENDS = Query(
    "one ends inside while others wait",
    "w->facts.life[1] == WAITS && w->facts.life[0] == INSIDE && "
    "w->core[0].doing == END && w->core[0].with == 0",
    is_reachable=True,
)
BETWEEN = Query(
    "the last user of a core has left its word, and the core has not left the queue",
    "w->core[0].doing == LEAVE && w->words.queue[1] == 0 && w->words.queue[0] & 1",
    is_reachable=True,
)
_GARBAGE = ", any value in the queue at any moment"


def _mpcp(users: int, is_small: bool, *, foul: bool = False) -> Case:
    return Case(
        "mpcp_queue.h",
        f"{users} users{', a foul queue' if foul else ''}",
        f"{users} users on 3 cores, that enter, block, leave and end, inside and outside, any "
        f"number of times{_GARBAGE if foul else ''}",
        "mpcp_queue.c",
        {"ACCESSES": 6, "USERS": users, "BY_CORE": 0, "GARBAGE": int(foul)},
        queries=(KEPT, ALL_WAIT, ENDS),
        is_small=is_small,
        asks=ASKED_OF_FOUL_MPCP if foul else ASKED_OF_MPCP,
    )


def _mpcp_by_core(users: int, is_small: bool, *, foul: bool = False) -> Case:
    what = "enter, block and leave" if foul else "enter, block, leave and end, inside and outside"
    return Case(
        "mpcp_queue.h",
        f"{users} users, by core{', a foul queue' if foul else ''}",
        f"{users} users on 3 cores, by core, that {what}, any number of times"
        f"{_GARBAGE if foul else ''}",
        "mpcp_queue.c",
        {"ACCESSES": 11, "USERS": users, "BY_CORE": 1, "GARBAGE": int(foul)},
        queries=(KEPT, ALL_WAIT, BETWEEN) if foul else (KEPT, ALL_WAIT, ENDS, BETWEEN),
        is_small=is_small,
        asks=ASKED_OF_FOUL_MPCP - {"STALE"} if foul else ASKED_OF_MPCP | {"VAIN"},
    )


MPCP_QUEUE = (
    _mpcp(3, is_small=True),
    _mpcp(2, is_small=True, foul=True),
    _mpcp(6, is_small=False),
    _mpcp_by_core(4, is_small=True),
    _mpcp_by_core(2, is_small=True, foul=True),
    _mpcp_by_core(6, is_small=False),
)
