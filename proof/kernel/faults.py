# SPDX-License-Identifier: MIT
"""Faults that no operator makes: other design choices, each of which is wrong."""

from __future__ import annotations

from proof.mutation import ByHand

SECTION = "kernel/resource/plf_section.h"
SAVE = "\tplf_store_bound(saved, plf_enter(ceiling));\n"
LEAVE = "\tif (plf_leave(plf_load_bound(saved)))\n\t\tplf_call0(PLF_CALL_PREEMPT);\n"
GET = (
    "\tplf_acquire(&plf_find_page()->resources[resource].saved, plf_ceiling[resource]);\n"
    "\tif (PLF_EXTENDED_STATUS)\n\t\tplf_note_got(resource);\n"
)
NOTE = "\t\tplf_note_released(resource);\n\t}\n"
RELEASE = (
    "\tif (plf_is_of_servers(resource))\n\t\tplf_release_of_servers(resource);\n"
    "\telse\n\t\tplf_release(&plf_find_page()->resources[resource].saved);\n"
)

SECTIONS = (
    ByHand("nothing is saved", SECTION, SAVE, "\t(void)saved, (void)plf_enter(ceiling);\n"),
    ByHand(
        "the release restores nothing",
        SECTION,
        LEAVE,
        LEAVE.replace("plf_load_bound(saved)", "plf_ceiling[0] + 0 * plf_load_bound(saved)"),
    ),
    ByHand("the call is forgotten", SECTION, LEAVE, "\t(void)plf_leave(plf_load_bound(saved));\n"),
    ByHand(
        "the call is made always",
        SECTION,
        LEAVE,
        "\t(void)plf_leave(plf_load_bound(saved));\n\tplf_call0(PLF_CALL_PREEMPT);\n",
    ),
    ByHand(
        "extended: left after the priority was lowered",
        SECTION,
        NOTE + RELEASE,
        "\t}\n" + RELEASE + "\tif (PLF_EXTENDED_STATUS)\n\t\tplf_note_released(resource);\n",
    ),
    ByHand(
        "extended: the section entered last is another task's",
        "kernel/resource/plf_checks.h",
        "\t\tplf_store32(&words->checks.top, task->words.top);\n",
        "",
    ),
    ByHand(
        "extended: the resources are another task's",
        "kernel/resource/plf_checks.h",
        "\t\tplf_store64(&words->checks.resources, task->resources);\n",
        "",
    ),
    ByHand(
        "extended: noted before the priority is raised",
        SECTION,
        GET,
        "\tif (PLF_EXTENDED_STATUS)\n\t\tplf_note_got(resource);\n"
        "\tplf_acquire(&plf_find_page()->resources[resource].saved, plf_ceiling[resource]);\n",
    ),
)

# ---- UPRIO|NPRIO and UPRIO|KPRIO ---------------------------------------------------------------

UPPER = "\tif (prio > highest)\n\t\tplf_store32(uprio, prio = highest);\n"
LOWER = "\tif (prio < lowest)\n\t\tplf_store32(uprio, prio = lowest);\n"


def _uprio(how: str) -> tuple[ByHand, ...]:
    """Faults that both protocols can have."""
    header, folder = f"protocol/uprio_{how}.h", f"kernel/resource/uprio-{how}/plf_resource.h"
    enter = f"\tplf_{how}_raise(uprio, before > ceiling ? before : ceiling);\n\treturn before;\n"
    return (
        ByHand(
            f"{how}: an inner section of a lower ceiling lowers",
            folder,
            "before > ceiling ? before : ceiling",
            "ceiling",
        ),
        ByHand(
            f"{how}: the ceiling is saved, not what was before",
            folder,
            enter,
            enter.replace("return before", "return ceiling"),
        ),
        ByHand(f"{how}: no upper bound", header, UPPER, ""),
        ByHand(f"{how}: no lower bound", header, LOWER, ""),
        ByHand(
            f"{how}: the bounds are not published",
            header,
            UPPER + LOWER,
            (UPPER + LOWER).replace("plf_store32(uprio, ", "").replace("t);", "t;"),
        ),
        ByHand(
            f"{how}: below the lowest priority is the lowest of all",
            header,
            LOWER,
            LOWER.replace("prio = lowest", "prio = 0"),
        ),
    )


_PUBLISH = "\tplf_store32(nprio, next);\n"
NPRIO = (
    *_uprio("nprio"),
    ByHand(
        "nprio is published only while a task is ready",
        "protocol/uprio_nprio.h",
        _PUBLISH,
        "\tif (next > 0)\n\t\tplf_store32(nprio, next);\n",
    ),
    ByHand(
        "nprio is published only when it rises",
        "protocol/uprio_nprio.h",
        _PUBLISH,
        "\tif (next > plf_load32(nprio))\n\t\tplf_store32(nprio, next);\n",
    ),
    ByHand(
        "saved before the priority is raised",
        SECTION,
        SAVE,
        "\tplf_store_bound(saved, plf_load32(&plf_find_page()->words.uprio));\n"
        "\t(void)plf_enter(ceiling);\n",
    ),
    *SECTIONS,
)

_SYNC = "\tplf_sync_level(core, core->running);\n"
KPRIO = (
    *_uprio("kprio"),
    ByHand(
        "kprio only rises",
        "protocol/uprio_kprio.h",
        "\tplf_store32(kprio, prio);\n",
        "\tif (prio > plf_load32(kprio))\n\t\tplf_store32(kprio, prio);\n",
    ),
    ByHand(
        "eager: an entry does not synchronise",
        "kernel/resource/uprio-kprio/plf_level.h",
        _SYNC,
        "\t(void)core;\n",
    ),
    ByHand(
        "lazy: a decision does not synchronise",
        "kernel/resource/uprio-kprio-lazy/plf_level.h",
        _SYNC,
        "",
    ),
    ByHand(
        "a task goes on at its base",
        "kernel/resource/plf_level_user.h",
        "plf_store32(&words->uprio, level)",
        "plf_store32(&words->uprio, task->urgency.base)",
    ),
    ByHand(
        "a task goes on with kprio as it was",
        "kernel/resource/plf_level_kprio.h",
        "\tplf_store32(&core->words->kprio, level);\n",
        "",
    ),
)

# ---- Lazy ceilings -----------------------------------------------------------------------------

_CLAIM, _LEVELS = "protocol/lazy_claim.h", "kernel/resource/plf_level_lazy.h"
_CLAIM_LEAVE = (
    "\tplf_barrier();\n\tplf_store32(claim, before);\n\treturn plf_load32(raised) > before;\n"
)
_CLAIM_BOUND = "\tif (wanted > highest)\n\t\tplf_store32(claim, wanted = highest);\n"
CEILING = (
    ByHand(
        "an inner section of a lower ceiling lowers the claim",
        _CLAIM,
        "before > ceiling ? before : ceiling",
        "ceiling",
    ),
    ByHand(
        "leave: the claim is withdrawn altogether",
        _CLAIM,
        _CLAIM_LEAVE,
        _CLAIM_LEAVE.replace("store32(claim, before)", "store32(claim, 0)"),
    ),
    ByHand(
        "leave: `raised` is read before the claim is withdrawn",
        _CLAIM,
        _CLAIM_LEAVE,
        "\tuint32_t found = plf_load32(raised);\n\n\tplf_barrier();\n"
        "\tplf_store32(claim, before);\n\treturn found > before;\n",
    ),
    ByHand(
        "leave: called whenever the task is raised",
        _CLAIM,
        _CLAIM_LEAVE,
        _CLAIM_LEAVE.replace("> before", "!= 0"),
    ),
    ByHand(
        "leave: called only out of the outermost section",
        _CLAIM,
        _CLAIM_LEAVE,
        _CLAIM_LEAVE.replace("> before", "!= 0 && before == 0"),
    ),
    ByHand("the claim is not bounded", _CLAIM, _CLAIM_BOUND, ""),
    ByHand(
        "settle: raised is set though it is not above base",
        _CLAIM,
        "\tplf_store32(raised, wanted > base ? wanted : 0);\n",
        "\tplf_store32(raised, wanted);\n",
    ),
    ByHand(
        "simple: an inner enter of a raised task does not call",
        _CLAIM,
        "\treturn before != 0 && plf_load32(raised) != 0;\n",
        "\treturn before != before + 0 * plf_load32(raised);\n",
    ),
    ByHand(
        "raised only to one below the claim",
        _CLAIM,
        "\tplf_store32(raised, wanted);\n\treturn wanted;\n",
        "\tplf_store32(raised, wanted);\n\treturn wanted - 1;\n",
    ),
    ByHand(
        "a preempted task's claim stays in the page",
        _LEVELS,
        "\ttask->words.claim = plf_load_bound(&core->words->claim);\n",
        "\ttask->words.claim = PLF_NO_CLAIM;\n",
    ),
    ByHand(
        "a task goes on with raised as it was",
        _LEVELS,
        "\tplf_store_bound(&words->raised, task->words.raised);\n",
        "",
    ),
    ByHand(
        "a task goes on with a claim as it was",
        _LEVELS,
        "\tplf_store_bound(&words->claim, task->words.claim);\n",
        "",
    ),
    ByHand(
        "saved before it is claimed",
        SECTION,
        SAVE,
        "\tplf_store_bound(saved, plf_find_page()->words.claim);\n\t(void)plf_enter(ceiling);\n",
    ),
)

# ---- Lazy floors -------------------------------------------------------------------------------

_FLOOR, _FLOOR_LEVEL = "protocol/lazy_floor.h", "kernel/resource/lazy-floor/plf_level.h"
_TIME, _EDF = "kernel/scheduler/edf/plf_schedule.h", "kernel/scheduler/edf/schedule.c"
_FLOOR_LEAVE = (
    "\tplf_barrier();\n\tplf_store64(claim, before);\n\treturn plf_load64(raised) < before;\n"
)
_PENDING = "\t\tif (queue->timers[kind] < instant)\n\t\t\tinstant = queue->timers[kind];\n"
FLOOR = (
    ByHand(
        "floors count from the reading of the clock (Theorem 1, one instant for both)",
        _TIME,
        _PENDING,
        _PENDING.replace("instant = queue->timers[kind];", ";"),
    ),
    ByHand(
        "a comer of the same deadline preempts the holder",
        _FLOOR,
        "\t\tt->deadline = instant + floor;\n",
        "\t\tt->deadline = instant + floor + 1;\n",
    ),
    ByHand(
        "what is still claimed counts from the first raise of all",
        _FLOOR,
        "\tif (plf_is_earlier(since + floor, t->deadline)) {\n",
        "\tsince = t->raise[0].since;\n\tif (plf_is_earlier(since + floor, t->deadline)) {\n",
    ),
    ByHand(
        "a task that wakes up keeps the deadline of its arrival (Theorem 1, all have just arrived)",
        _EDF,
        "queue->arrival + task->config->urgency.deadline_ns;",
        "task->waits_for ? task->urgency.latest\n"
        "\t\t\t\t\t    : queue->arrival + task->config->urgency.deadline_ns;",
    ),
    ByHand(
        "deadlines are compared as they are, not as they wrap",
        _FLOOR,
        "\treturn (int64_t)(deadline - than) < 0;\n",
        "\treturn deadline < than;\n",
    ),
    ByHand(
        "an inner section of a longer floor lowers the claim",
        _FLOOR,
        "before < floor ? before : floor",
        "floor",
    ),
    ByHand(
        "leave: `raised` is read before the claim is withdrawn",
        _FLOOR,
        _FLOOR_LEAVE,
        "\tuint64_t found = plf_load64(raised);\n\n\tplf_barrier();\n"
        "\tplf_store64(claim, before);\n\treturn found < before;\n",
    ),
    ByHand(
        "leave: called whenever the task is raised",
        _FLOOR,
        _FLOOR_LEAVE,
        _FLOOR_LEAVE.replace("< before", "!= PLF_FLOOR_NONE"),
    ),
    ByHand(
        "leave: the claim is withdrawn altogether",
        _FLOOR,
        _FLOOR_LEAVE,
        _FLOOR_LEAVE.replace("store64(claim, before)", "store64(claim, PLF_FLOOR_NONE)"),
    ),
    ByHand(
        "the claim is not bounded",
        _FLOOR,
        "\tif (floor < least)\n\t\tplf_store64(claim, floor = least);\n",
        "",
    ),
)

# ---- The kernel around them --------------------------------------------------------------------

_SCHEDULE, _ONE = "kernel/scheduler/priority/plf_schedule.h", "kernel/cores/one/plf_cores.h"
_YIELD = "\t} else if (highest > level) {\n\t\tplf_put_back(core, level);\n"
_LETS_GO = "\t\ttask->urgency.internal = task->urgency.base;\n"
_AT_ONCE = "plf_queue_of(core)->ready >> base == 0"
KERNEL = (
    ByHand(
        "Schedule() lets go of the resources, too",
        _SCHEDULE,
        "\tlevel = plf_running_level(core, highest);\n",
        "\tlevel = task->urgency.base;\n",
    ),
    ByHand(
        "Schedule() lets go of the resources that the internal one covers",
        _SCHEDULE,
        _YIELD,
        _YIELD.replace(
            "highest > level",
            "highest > task->urgency.base && level <= task->urgency.internal",
        ).replace("plf_put_back(core, level)", "plf_put_back(core, level = task->urgency.base)"),
    ),
    ByHand(
        "Schedule() in a section does nothing",
        _SCHEDULE,
        _YIELD,
        _YIELD.replace("highest > level", "highest > level && level == task->urgency.base"),
    ),
    ByHand(
        "Schedule() keeps the internal resource",
        _SCHEDULE,
        _YIELD + _LETS_GO,
        _YIELD,
    ),
    ByHand(
        "an internal resource is not taken again",
        "kernel/scheduler/plf_running.h",
        "\tif (PLF_INTERNAL_RESOURCES)\n"
        "\t\ttask->urgency.internal = task->config->urgency.internal;\n",
        "",
        scene="yielder, syscall, x86-64",
    ),
    ByHand(
        "activated at once before others of its level",
        _SCHEDULE,
        _AT_ONCE,
        _AT_ONCE.replace(">> base", ">> (base + 1)"),
        scene="foul activator, equal, uprio-nprio, x86-64",
    ),
    ByHand(
        "activated at once whichever task is above",
        _SCHEDULE,
        _AT_ONCE,
        "plf_queue_of(core)->ready >> (PLF_LEVELS - 1) == 0",
        scene="foul activator, uprio-nprio, x86-64",
    ),
    ByHand(
        "ClearEvent clears all",
        _ONE,
        "\ttask->events &= ~events;\n",
        "\ttask->events = events & 0;\n",
    ),
    ByHand(
        "a waiting task wakes for any event",
        _ONE,
        "!task->is_waiting || !(task->events & task->waits_for)",
        "!task->is_waiting || !task->events",
    ),
)

# ---- Servers -----------------------------------------------------------------------------------

SERVERS = (
    ByHand(
        "the timer is set for alarms alone",
        "kernel/server/budget/plf_server.h",
        "alarm_is_first ? alarm_ns : core->until_ns",
        "alarm_is_first ? core->until_ns : alarm_ns",
    ),
    ByHand(
        "a server has what it used to have",
        "kernel/server/budget/server.c",
        "\tuse(server, since_ns, now_ns);\n",
        "",
    ),
    ByHand(
        "a stopped task goes on outside of its sections",
        "kernel/scheduler/priority/plf_served.h",
        "task, task->urgency.level, plf_next_level(core)",
        "task, task->urgency.base, plf_next_level(core)",
    ),
)

# ---- Resources of several servers --------------------------------------------------------------

_GLOBAL, _SHARES = "protocol/lazy_global.h", "kernel/server/sharing/sharing.c"
_SHARED_H = "kernel/server/sharing/plf_sharing.h"
_GLOBAL_LEAVE = (
    "\tplf_barrier();\n\tplf_store32(&words->claim, before);\n"
    "\treturn plf_load32(&words->late) > before;\n"
)
_TEST = "\t\tplf_enter_outer(resource, plf_wait_for_budget(saved), 0);\n"
_OWED = "\towed_ns = is_next ? server->owed_ns : 0;\n"
SHARING = (
    ByHand(
        "the budget test reads the clock before the end",
        _GLOBAL,
        "\tuint64_t last_ns = plf_load64(&words->last_ns);\n\n\treturn now_ns() < last_ns;\n",
        "\tuint64_t now = now_ns();\n\n\treturn now < plf_load64(&words->last_ns);\n",
    ),
    ByHand(
        "the test grants what just suffices",
        _GLOBAL,
        "return now_ns() < last_ns;",
        "return now_ns() <= last_ns;",
    ),
    ByHand(
        "claimed before the test",
        "kernel/server/sharing/plf_sharing_section.h",
        _TEST,
        "\t\tplf_enter_outer(resource, saved, 0), (void)plf_wait_for_budget(saved);\n",
    ),
    ByHand(
        "leave: `late` is not looked at",
        _GLOBAL,
        _GLOBAL_LEAVE,
        _GLOBAL_LEAVE.replace("plf_load32(&words->late) > before", "false"),
    ),
    ByHand(
        "leave: `late` is read before the claim is withdrawn",
        _GLOBAL,
        _GLOBAL_LEAVE,
        "\tuint32_t late = plf_load32(&words->late);\n\n\tplf_barrier();\n"
        "\tplf_store32(&words->claim, before);\n\treturn late > before;\n",
    ),
    ByHand("a payback is forgotten", _SHARES, _OWED, "\towed_ns = 0 * is_next;\n"),
    ByHand("a payback is paid twice", _SHARES, "\tserver->owed_ns = 0;\n", ""),
    ByHand(
        "enter: the ceiling is claimed, whatever was before",
        _GLOBAL,
        "before > ceiling ? before : ceiling",
        "ceiling",
    ),
    ByHand(
        "leave: the claim is withdrawn altogether",
        _GLOBAL,
        _GLOBAL_LEAVE,
        _GLOBAL_LEAVE.replace("claim, before", "claim, 0"),
    ),
    ByHand(
        "a holder that has the core again stays in the list",
        _SHARES,
        "\tif (server == core->holder)\n\t\tcore->holder = server->below;\n",
        "\t(void)core;\n",
    ),
    ByHand(
        "a section may keep others out for ever",
        _SHARED_H,
        "\t\tserver->limit_ns -= server->limit_ns < used_ns ? server->limit_ns : used_ns;\n",
        "\t\t(void)used_ns;\n",
    ),
    ByHand(
        "published without what the server claims besides",
        _GLOBAL,
        "late > held ? late : 0",
        "late",
    ),
    ByHand(
        "a task that waits for a budget is ready",
        _SHARED_H,
        "\treturn task->waits_until_ns && plf_has_to_wait(core, task);\n",
        "\treturn !core;\n",
    ),
    ByHand(
        "a task goes on with a claim as it was",
        _SHARED_H,
        "\tplf_store32(&page->global.claim, task->claim);\n",
        "",
    ),
)

BY_HAND = {
    "uprio-nprio": NPRIO,
    "uprio-kprio": KPRIO,
    "lazy-ceiling": CEILING,
    "lazy-floor": FLOOR,
    "kernel": KERNEL,
    "servers": SERVERS,
    "lazy-global": SHARING,
}
