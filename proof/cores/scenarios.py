# SPDX-License-Identifier: MIT
"""Scenarios in which tasks of two cores act on each other's tasks."""

from __future__ import annotations

from proof.cores.abstract import Call, Op
from proof.cores.across import GLOBAL
from proof.cores.world import TASKS, Scenario


def _of(call: Call, task: str, events: int = 0) -> Op:
    return Op(None, call, TASKS.index(task), events)


def _own(call: Call, events: int) -> Op:
    return Op(None, call, events=events)


_H0, _H1, _M0, _M1, _X1 = (_of(Call.ACTIVATE, name) for name in ("H0", "H1", "M0", "M1", "X1"))
_CHAIN_H1, _CHAIN_M1, _CHAIN_X1 = (_of(Call.CHAIN, name) for name in ("H1", "M1", "X1"))
_SET_1, _SET_2 = _of(Call.SET, "X1", 1), _of(Call.SET, "X1", 2)
_GET, _STATE = _of(Call.GET, "X1"), _of(Call.STATE, "X1")
_WAIT_1, _WAIT_2, _WAIT_BOTH = (_own(Call.WAIT, events) for events in (1, 2, 3))
_ENTER, _LEAVE = _own(Call.ENTER, 0), _own(Call.LEAVE, 0)
_CLEAR_1, _CLEAR_BOTH = _own(Call.CLEAR, 1), _own(Call.CLEAR, 3)
_GET_G, _RELEASE_G = _own(Call.GET_GLOBAL, GLOBAL), _own(Call.RELEASE_GLOBAL, GLOBAL)
_SECTION = (_GET_G, _RELEASE_G)
_X0, _STATE_L0 = _of(Call.ACTIVATE, "X0"), _of(Call.STATE, "L0")
_CHAIN_M0, _CHAIN_L0 = (_of(Call.CHAIN, name) for name in ("M0", "L0"))

# Sorted by size, because a fault meets them in this order.
SCENARIOS = (
    Scenario("start", from_reset=True),
    Scenario("activate", {"L0": ((_H1, _H1),), "L1": ((_H1,),)}),
    Scenario("section", {"L0": ((_H1,),), "L1": ((_ENTER, _LEAVE),)}),
    Scenario(
        "section, set",
        {"L0": ((_X1, _SET_1),), "X1": ((_ENTER, _LEAVE, _WAIT_1, _ENTER, _LEAVE),)},
    ),
    Scenario("set, end", {"L0": ((_SET_1, _GET, _X1),), "L1": ((_X1,),)}),
    Scenario("set, chain", {"L0": ((_X1, _SET_1, _GET),), "X1": ((_CHAIN_X1,), (_WAIT_1,))}),
    Scenario(
        "set, wait",
        {"L0": ((_X1, _SET_1, _SET_2),), "X1": ((_WAIT_1, _CLEAR_1, _WAIT_2),)},
    ),
    Scenario(
        "set, wait for both",
        {"L0": ((_X1, _SET_1, _SET_2),), "X1": ((_WAIT_BOTH, _CLEAR_BOTH, _WAIT_1),)},
    ),
    Scenario(
        "set, set",
        {"L0": ((_X1, _SET_1),), "L1": ((_X1, _SET_1),), "X1": ((_WAIT_1, _CLEAR_1),)},
    ),
    Scenario(
        "state",
        {"L0": ((_SET_1, _STATE, _STATE),), "L1": ((_X1,),), "X1": ((_WAIT_1,),)},
    ),
    Scenario(
        "chain itself",
        {"L0": ((_H1, _H1),), "L1": ((_H1,),), "H1": ((_CHAIN_H1,), ())},
    ),
    Scenario(
        "chain",
        {
            "L0": ((_H1,),),
            "L1": ((_H1,),),
            "H1": ((_CHAIN_M1,), ()),
            "M1": ((_CHAIN_H1,), ()),
        },
    ),
    Scenario("one level", {"L0": ((_M1, _X1),), "L1": ((_X1,),)}),
    Scenario("two activations", {"L0": ((_M1, _M1),), "L1": ((_M1,),)}),
    Scenario("across", {"L0": ((_H1, _M1),), "L1": ((_H0,),)}),
    Scenario(
        "chain across",
        {
            "L0": ((_H0,),),
            "L1": ((_H1, _H0),),
            "H0": ((_CHAIN_M1,), ()),
            "H1": ((_CHAIN_M1,), ()),
        },
    ),
    Scenario("start, activate", {"L0": ((_H1,),), "L1": ((_M0,),)}, from_reset=True),
)

_GET_GET = Scenario("get, get", {"L0": (_SECTION,), "L1": (_SECTION,)})
_END_INSIDE = Scenario("end inside", {"L0": ((_GET_G,),), "L1": (_SECTION,)})
_ABOVE_A_SECTION = Scenario(
    "above a section of its core",
    {"L0": ((_ENTER, _LEAVE),), "L1": ((_GET_G, _H0, _RELEASE_G),), "H0": (_SECTION,)},
)
_GIVES_WAY = Scenario("gives way", {"L0": (_SECTION,), "L1": ((_GET_G, _X0, _RELEASE_G),)})
_GIVES_WAY_TO_ITS_LEVEL = Scenario(
    "gives way to its level",
    {"X0": ((_M0, _M0, *_SECTION),), "L1": ((_GET_G, _X0, _RELEASE_G),)},
)
_TWICE = Scenario("twice", {"L0": ((*_SECTION, *_SECTION),), "L1": ((*_SECTION, _GET_G),)})

# The resource of all cores: a grant comes before its block, or after it.
MPCP = (
    _GET_GET,
    _END_INSIDE,
    Scenario("chain inside", {"L0": ((_GET_G, _CHAIN_M0),), "L1": (_SECTION,)}),
    Scenario("state of a waiter", {"L0": (_SECTION,), "L1": ((_GET_G, _STATE_L0, _RELEASE_G),)}),
    _ABOVE_A_SECTION,
    _GIVES_WAY,
    Scenario(
        "at the ceiling, and then at base",
        {"L0": ((*_SECTION, _CHAIN_L0), ()), "L1": ((_GET_G, _RELEASE_G, _H0),)},
    ),
    _GIVES_WAY_TO_ITS_LEVEL,
)
# By hardware these have too many orders.
LONG_MPCP = (
    _TWICE,
    Scenario(
        "the highest",
        {"L0": (_SECTION,), "L1": ((_GET_G, _H0, _RELEASE_G),), "H0": (_SECTION,)},
    ),
)

# Tasks that enter and leave by themselves may be interrupted on their way in and out.
IN_TASKS = (_GET_GET, _END_INSIDE, _GIVES_WAY_TO_ITS_LEVEL)
LONG_IN_TASKS = (
    Scenario("preempted around its section", {"L0": (_SECTION,), "L1": ((_H0, _GET_G),)}),
    Scenario(
        "two of one core wait", {"L0": ((_H0, *_SECTION),), "L1": (_SECTION,), "H0": (_SECTION,)}
    ),
    _ABOVE_A_SECTION,
    _GIVES_WAY,
    _TWICE,
)
