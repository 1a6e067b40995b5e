# SPDX-License-Identifier: MIT
"""What the tasks of two cores do to each other's tasks."""

from __future__ import annotations

from proof.cores.abstract import Call, Op
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

# The smallest first: a fault meets them in this order.
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
