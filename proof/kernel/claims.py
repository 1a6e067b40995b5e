# SPDX-License-Identifier: MIT
"""Claims about each protocol of the kernel: its subjects, and the faults that they must find."""

from __future__ import annotations

from collections.abc import Mapping

from proof.boundary.claim import Claim, Mutated
from proof.kernel import scenarios as s
from proof.kernel import variant as v
from proof.kernel.faults import BY_HAND
from proof.kernel.operators import CoreMutator

SCOPE = "2 to 8 tasks and sections nested to 3"
SCOPES = {
    "servers": "2 servers of 1 or 2 tasks each",
    "lazy-global": "2 servers of 1 or 2 tasks each, and 4 of 1",
}
# Time arrives, too: only four arrivals show that a server pays back twice.
ARRIVALS: Mapping[str, tuple[int | None, ...]] = {"lazy-global": (1, 2, None)}
EQUIVALENT = "proof/kernel/equivalent.toml"
# The programs of kernel/test show the errors of extended status.
_SERVICES = frozenset(
    {
        *("plf_acquire", "plf_release", "plf_note_got", "plf_note_released"),
        *("GetResource", "ReleaseResource"),
    }
)
_CHECKS = frozenset({"plf_load_checks", "plf_leave_checks", "plf_forget_checks"})
_RESOURCE = "kernel/resource"
_SERVERS = "server/budget"

_KPRIO = (
    *v.staged(v.KPRIO, (*s.RESOURCES, *s.FOUL_UPRIO, *s.YIELDERS)),
    *v.staged(v.KPRIO_LAZY, (*s.RESOURCES, *s.FOUL_UPRIO, *s.YIELDERS)),
    *v.staged(v.KPRIO_LAZY_X, (*s.EXTENDED, *s.FOUL_UPRIO_X)),
)
_NPRIO = (
    *v.staged(v.NPRIO, (*s.RESOURCES, *s.FOUL_UPRIO, *s.CORE, *s.FOUL_ACTIVATORS, *s.YIELDERS)),
    *v.staged(v.NPRIO_X, (*s.EXTENDED, *s.FOUL_UPRIO_X)),
)
_CEILING = (
    *v.staged(v.CLAIM, (*s.RESOURCES, *s.FOUL_CLAIM, *s.CORE, *s.YIELDERS)),
    *v.staged(v.SIMPLE, (*s.RESOURCES, *s.FOUL_CLAIM, *s.YIELDERS)),
    *v.staged(v.CLAIM_X, (*s.EXTENDED, *s.FOUL_CLAIM_X)),
)
_FLOOR = (
    *v.staged(
        v.FLOOR,
        (*s.FLOORS, *s.FOUL_FLOOR, *s.CORE_FLOORS, *s.YIELDERS_FLOORS),
    ),
    *v.staged(v.FLOOR_X, (*s.FLOORS_EXTENDED, *s.FOUL_FLOOR_X)),
)
_KERNEL = (
    *v.staged(v.SYSCALL, (*s.CORE, *s.YIELDERS, *s.RESOURCES, *s.FOUL_CALLED)),
    *v.staged(
        v.CALLED_FLOOR,
        (*s.CORE_FLOORS, *s.YIELDERS_FLOORS, *s.FLOORS, *s.FOUL_CALLED_FLOOR),
    ),
    *v.staged(v.SYSCALL_X, s.EXTENDED),
    *v.staged(v.CALLED_FLOOR_X, s.FLOORS_EXTENDED),
)

_SERVED = (
    *v.staged(v.SERVED_NPRIO, (*s.SERVED, *s.SERVED_SECTIONS)),
    *v.staged(v.SERVED_SLOTS, s.SERVED),
    *v.staged(v.SERVED_KPRIO, (*s.SERVED, *s.SERVED_SECTIONS[:1])),
    *v.staged(v.SERVED_CLAIM, (*s.SERVED, *s.SERVED_SECTIONS)),
    *v.staged(v.SERVED_CALLED, s.SERVED),
    *v.staged(v.SERVED_FLOOR, (*s.SERVED, *s.SERVED_SECTIONS)),
)

_SHARED = (
    *v.staged(v.SHARED_OVER, (*s.OVERRUN, s.FOUL_OVERRUN)),
    *v.staged(v.SHARED_PAID, s.OVERRUN),
    *v.staged(v.SHARED_SKIP, s.SKIP),
    *v.staged(v.SHARED_MIXED, (*s.SKIP, s.FOUL_SKIP)),
    *v.staged(v.SHARED_CALLED, (*s.OVERRUN, s.LATE)),
    *v.staged(v.SHARED_FOUR, s.FOUR),
    *v.staged(v.SHARED_FOUR_CALLED, (*s.FOUR, *s.IN_TURN)),
)

_ALSO = (
    *v.staged(v.CLAIM, (*s.CORE, *s.FOUL_CLAIM)),
    *v.staged(v.NPRIO, (*s.CORE, *s.FOUL_ACTIVATORS, *s.YIELDERS, s.FOUL_UPRIO[0])),
    *v.staged(v.KPRIO, s.RESOURCES[:2]),
)


def _files(*names: str) -> tuple[Mutated, ...]:
    return tuple(Mutated(name) for name in names)


def _core(file: str, *functions: str) -> Mutated:
    return Mutated(f"kernel/{file}", frozenset(functions) if functions else None, CoreMutator)


MUTATED = {
    "uprio-kprio": _files(
        "protocol/uprio_kprio.h",
        f"{_RESOURCE}/uprio-kprio/plf_level.h",
        f"{_RESOURCE}/uprio-kprio-lazy/plf_level.h",
        f"{_RESOURCE}/plf_level_kprio.h",
        f"{_RESOURCE}/plf_level_user.h",
    ),
    "uprio-nprio": (
        *_files("protocol/uprio_nprio.h", f"{_RESOURCE}/uprio-nprio/plf_level.h"),
        Mutated(f"{_RESOURCE}/plf_section.h", _SERVICES),
        Mutated(f"{_RESOURCE}/plf_checks.h", _CHECKS),
    ),
    "lazy-ceiling": _files(
        "protocol/lazy_claim.h",
        f"{_RESOURCE}/lazy-ceiling/plf_level.h",
        f"{_RESOURCE}/lazy-ceiling-simple/plf_level.h",
        f"{_RESOURCE}/lazy-ceiling-simple/plf_resource.h",
        f"{_RESOURCE}/plf_level_lazy_ceiling.h",
        f"{_RESOURCE}/plf_level_lazy.h",
    ),
    "lazy-floor": (
        *_files("protocol/lazy_floor.h", f"{_RESOURCE}/lazy-floor/plf_level.h"),
        _core("scheduler/edf/plf_schedule.h"),
        _core("scheduler/edf/schedule.c"),
        _core("scheduler/edf/ready.c"),
    ),
    "kernel": (
        _core(
            "task.c",
            *("make_ready", "plf_activate", "leave_activation"),
            *("plf_end_activation", "plf_activate_task", "plf_terminate_task"),
            *("plf_chain_task", "plf_schedule", "plf_preempt"),
        ),
        _core("event.c", "set_events", "plf_set_event", "plf_clear_event", "plf_wait_event"),
        _core(
            "cores/one/plf_cores.h",
            *("plf_take_room", "plf_give_room", "plf_end_events", "plf_add_events"),
            *("plf_remove_events", "plf_wait_for", "plf_prepare_task"),
        ),
        _core("interrupt.h", "plf_begin_interrupt", "plf_end_interrupt"),
        _core("os.c", "prepare_task", "plf_prepare"),
        _core("scheduler/plf_preempted.h"),
        # proof/cores covers tasks that are suspended inside a section.
        _core(
            "scheduler/plf_running.h",
            *("plf_next_seen", "plf_put_back", "plf_take_over", "plf_prepare_urgency"),
        ),
        _core("scheduler/priority/plf_schedule.h"),
        _core("scheduler/priority/plf_ready.h"),
        _core("scheduler/priority/schedule.c", "plf_preempt_below", "plf_prepare_queue"),
        _core("resource/plf_level_called.h", "plf_load_words", "plf_set_level", "plf_enter"),
        _core("resource/plf_called_services.h", "plf_get_resource", "plf_release_resource"),
        _core("resource/deadline-floor/plf_level.h", "plf_load_words", "plf_enter"),
    ),
    # The programs of kernel/test cover services, alarms and the arrivals of a run.
    "servers": (
        _core(
            f"{_SERVERS}/server.c",
            *("deplete", "use", "next_after", "replenish", "charge", "has_ready", "wants"),
            *("pass_over", "choose", "take_core_from", "give_core_to", "plf_decide_server"),
            *("plf_give_to_server", "prepare_no_server", "prepare_server", "prepare_queue"),
            *("plf_prepare_servers", "plf_begin_periods"),
        ),
        _core(f"{_SERVERS}/plf_handed.h"),
        _core(
            f"{_SERVERS}/plf_server.h",
            *("plf_make_current", "plf_least", "plf_leave_kernel", "plf_prepare_queues"),
            "plf_set_server_timer",
        ),
        _core("scheduler/priority/plf_served.h"),
        _core("scheduler/edf/plf_served.h"),
    ),
    # proof/design has the faults of lazy_global.h. The kernel around it has faults by hand.
    "lazy-global": (Mutated("kernel/server/sharing/plf_sharing_section.h"),),
}


def _claim(protocol: str, subjects: tuple[v.Staged, ...], also: tuple[v.Staged, ...] = ()) -> Claim:
    mutated, by_hand = MUTATED.get(protocol, ()), BY_HAND.get(protocol, ())
    scope, arrivals = SCOPES.get(protocol, SCOPE), ARRIVALS.get(protocol, (1, 2))
    return Claim(
        protocol, scope, subjects, EQUIVALENT, mutated, by_hand, also=also, arrivals=arrivals
    )


CLAIMS = (
    _claim("uprio-kprio", _KPRIO),
    _claim("uprio-nprio", _NPRIO),
    _claim("lazy-ceiling", _CEILING),
    _claim("lazy-floor", _FLOOR),
    _claim("kernel", _KERNEL, _ALSO),
    _claim("servers", _SERVED),
    _claim("lazy-global", _SHARED),
)
