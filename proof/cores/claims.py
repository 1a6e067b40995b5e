# SPDX-License-Identifier: MIT
"""The claims about two cores, and the faults that must be found."""

from __future__ import annotations

from proof.boundary.claim import Claim, Mutated
from proof.cores.faults import BY_HAND
from proof.cores.faults import MPCP as BY_HAND_OF_MPCP
from proof.cores.scenarios import IN_TASKS, LONG_IN_TASKS, LONG_MPCP, MPCP, SCENARIOS
from proof.cores.variant import Variant, staged
from proof.kernel.operators import CoreMutator

SCOPE = "2 cores, either of which takes the next step, by software and by hardware"
EQUIVALENT = "proof/cores/equivalent.toml"


def _in(file: str, *functions: str) -> Mutated:
    return Mutated(file, frozenset(functions) if functions else None, CoreMutator)


MUTATED = (
    _in(
        "kernel/cores/several/plf_cores.h",
        *("plf_has", "plf_is_running", "plf_set_running", "plf_has_event_word"),
        *(
            "plf_take_room",
            "plf_drop",
            "plf_give_room",
            "plf_keep_room",
            "plf_room_of",
            "plf_hand_over",
        ),
        *("plf_add_events", "plf_remove_events", "plf_get_events", "plf_wait_for"),
        *("plf_is_waiting", "plf_prepare_task"),
    ),
    _in("kernel/cores/several/inbox.c", "plf_send"),
    _in("kernel/scheduler/hardware/plf_pending.h", "plf_pend", "plf_first_of", "plf_take_above"),
    _in(
        "kernel/scheduler/hardware/plf_schedule.h",
        *("plf_make_ready", "plf_own_level", "plf_dispatch", "plf_let_go"),
    ),
    _in("kernel/scheduler/hardware/schedule.c", "plf_prepare_queue"),
)

_MPCP_BY_SOFTWARE = Variant("priority", "syscall", "mpcp-called")
_MPCP_BY_HARDWARE = Variant("hardware", "mask", "mpcp-called")
_IN_TASKS_BY_SOFTWARE = Variant("priority", "uprio-nprio", "mpcp")
_IN_TASKS_BY_HARDWARE = Variant("hardware", "lazy-ceiling", "mpcp")
MUTATED_OF_MPCP = (
    _in("kernel/global/mpcp/plf_global.h", "GetMPCPResource", "ReleaseMPCPResource"),
    _in("kernel/global/mpcp/mpcp.c"),
    _in("kernel/global/plf_mpcp_kernel.h", "plf_grant_next", "plf_block"),
    _in(
        "kernel/global/plf_raised_levels.h",
        *("plf_go_on_at", "plf_is_there", "plf_has_come_down", "plf_push_front"),
        *("plf_take_front", "plf_is_taken_above"),
    ),
    _in("kernel/scheduler/priority/schedule.c", "plf_give_way"),
)

CLAIMS = (
    Claim(
        "kernel",
        SCOPE,
        staged(SCENARIOS, Variant("priority", "syscall"), Variant("hardware", "mask")),
        EQUIVALENT,
        MUTATED,
        BY_HAND,
    ),
    Claim(
        "mpcp-queue",
        SCOPE,
        staged(MPCP, _MPCP_BY_SOFTWARE, _MPCP_BY_HARDWARE)
        + staged(LONG_MPCP, _MPCP_BY_SOFTWARE)
        + staged(IN_TASKS, _IN_TASKS_BY_SOFTWARE, _IN_TASKS_BY_HARDWARE)
        + staged(LONG_IN_TASKS, _IN_TASKS_BY_SOFTWARE),
        EQUIVALENT,
        MUTATED_OF_MPCP,
        BY_HAND_OF_MPCP,
    ),
)
