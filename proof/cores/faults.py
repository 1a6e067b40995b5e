# SPDX-License-Identifier: MIT
"""Faults that no operator makes."""

from __future__ import annotations

from proof.mutation import ByHand

_SEVERAL = "kernel/cores/several/plf_cores.h"
_PENDING = "kernel/scheduler/hardware/plf_pending.h"
_EVENT, _INBOX = "protocol/event_word.h", "protocol/inbox.h"
_CAS_ROOM = "\t} while (!plf_shared_cas32(&task->room, &room, room - 1));\n"

BY_HAND = (
    ByHand(
        "a room is taken without compare-and-swap",
        _SEVERAL,
        _CAS_ROOM,
        "\t\tplf_store_release32(&task->room, room - 1);\n\t} while (0);\n",
    ),
    ByHand(
        "a room is given back without one",
        _SEVERAL,
        "(void)plf_shared_add32(&task->room, 1);",
        "plf_store_release32(&task->room, plf_load32(&task->room) + 1);",
    ),
    ByHand(
        "the activation of a task with events is taken apart from its events",
        _SEVERAL,
        "\t\treturn plf_event_begin(&task->event_word);\n",
        "\t{\n\t\troom = 1;\n"
        "\t\tif (!plf_shared_cas32(&task->room, &room, 0))\n\t\t\treturn false;\n"
        "\t\treturn plf_event_begin(&task->event_word);\n\t}\n",
    ),
    ByHand(
        "a task seems to run when its room is given back",
        _SEVERAL,
        "\tplf_cores[task->core].running = NULL;\n\tplf_drop(task);\n",
        "\tplf_drop(task);\n",
    ),
    ByHand(
        "an activation begins without compare-and-swap",
        _EVENT,
        "\treturn plf_shared_cas64(word, &none, PLF_EVENT_ACTIVE);\n",
        "\tif (plf_load64(word) != none)\n\t\treturn false;\n"
        "\tplf_store_release64(word, PLF_EVENT_ACTIVE);\n\treturn true;\n",
    ),
    ByHand(
        "an end is a store, which others see late",
        _EVENT,
        "\tuint64_t seen = plf_load64(word);\n\n"
        "\twhile (!plf_shared_cas64(word, &seen, next))\n\t\t;\n",
        "\tplf_store_release64(word, next);\n",
    ),
    ByHand(
        "events are set without compare-and-swap",
        _EVENT,
        "\t} while (!plf_shared_cas64(word, &seen, plf_event_with(seen, events)));\n",
        "\t\tplf_store_release64(word, plf_event_with(seen, events));\n\t} while (0);\n",
    ),
    ByHand(
        "what a task waits for is stored after the look at its events",
        _EVENT,
        "\t} while (!plf_shared_cas64(word, &seen,\n",
        "\t} while (plf_store_release64(word, seen | PLF_EVENT_WAITS | events << PLF_EVENT_SHIFT),"
        " false && !plf_shared_cas64(word, &seen,\n",
    ),
    ByHand(
        "a sender does not wait until its entry is seen",
        _INBOX,
        "\tplf_store_release32(&places[ticket & mask], entry);\n\tplf_full_barrier();\n",
        "\tplf_store_release32(&places[ticket & mask], entry);\n",
    ),
    ByHand(
        "the owner does not wait until its head is seen",
        _INBOX,
        "\t\tplf_store_release32(&inbox->head, head + 1);\n\t\tplf_full_barrier();\n",
        "\t\tplf_store_release32(&inbox->head, head + 1);\n",
    ),
    ByHand(
        "a core waits for none",
        "kernel/cores/several/start.c",
        "\t\tif (so_far == number_of_cores())\n",
        "\t\tif (so_far >= 1)\n",
    ),
    ByHand(
        "a core finds one task in its inbox",
        "kernel/cores/several/inbox.c",
        "\twhile ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0) {\n",
        "\tif ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0) {\n",
    ),
    ByHand(
        "an interrupt only if the inbox was not empty",
        _INBOX,
        "\treturn plf_load32(&inbox->head) == ticket;\n",
        "\treturn plf_load32(&inbox->head) != ticket;\n",
    ),
    ByHand(
        "the first of a ring is taken, and no look at the next",
        _PENDING,
        "\tif (plf_has_front(core, number) ||\n"
        "\t    plf_inbox_has_first(&level->ring, level->places, level->mask))\n"
        "\t\tplf_port_pend(plf_index_of(core), number);\n",
        "\t(void)number;\n",
    ),
)

_QUEUE, _KERNEL = "protocol/mpcp_queue.h", "kernel/global/plf_mpcp_kernel.h"
_CALLED, _LEVELS = (
    "kernel/global/mpcp-called/mpcp_called.c",
    "kernel/global/plf_raised_levels.h",
)
_USER = "kernel/global/mpcp/plf_global.h"
_SOFTWARE, _HARDWARE = "kernel/scheduler/priority", "kernel/scheduler/hardware"
_BLOCK = "\tif (plf_shared_cas32(state, &seen, PLF_MPCP_WAITS))\n\t\treturn true;\n"
_GRANT = (
    "\t} while (!plf_shared_cas32(state, &seen,\n"
    "\t\t\t\t   seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED));\n"
)
_ASIDE = (
    "\tplf_push_front(core, core->running, counting);\n"
    "\tplf_queue_of(core)->ready |= plf_bit(counting);\n\tplf_put_aside(core, level);\n"
)
_GO_ON = "\tplf_go_on_at(task, use->config->ceiling);\n"
_REQUEST = "\t__atomic_store_n(&task->request, use->state, __ATOMIC_RELEASE);\n"
_RAISE = (
    "\tplf_store_bound(&own->saved, plf_enter(plf_global_ceiling[resource - PLF_RESOURCES]));\n"
)
_ENQUEUE = "plf_enter_queue(resource - PLF_RESOURCES, own)"
_IF_DEQUEUED = "\tif (plf_leave_queue(resource - PLF_RESOURCES, own))\n"
_HAS_TO_WAIT = "\tif (!plf_mpcp_block(use->state)) {\n\t\tplf_is_there(task);\n\t\treturn;\n\t}\n"

MPCP = (
    ByHand(
        "enter: the old word is looked at before the enqueue",
        _QUEUE,
        "\treturn plf_shared_set64(queue, bit) == 0;\n",
        "\tuint64_t seen = plf_load64(queue);\n\n"
        "\t(void)plf_shared_set64(queue, bit);\n\treturn seen == 0;\n",
    ),
    ByHand(
        "leave: without a grant",
        _QUEUE,
        "\treturn plf_shared_clear64(queue, bit) != bit;\n",
        "\t(void)plf_shared_clear64(queue, bit);\n\treturn false;\n",
    ),
    ByHand(
        "next: the lowest",
        _QUEUE,
        "\t*next = 63U - (unsigned)__builtin_clzll(left);\n",
        "\t*next = (unsigned)__builtin_ctzll(left);\n",
        scene="the highest, mpcp-called priority, x86-64",
    ),
    ByHand(
        "a newcomer hands over",
        _CALLED,
        "\t\tplf_block(core, &use);\n",
        "\t{\n\t\tplf_grant_next(core, &use);\n\t\tplf_block(core, &use);\n\t}\n",
    ),
    ByHand(
        "the ceiling is stored after the enqueue",
        _USER,
        f"{_RAISE}\tif (!{_ENQUEUE})\n",
        f"\tbool is_inside = {_ENQUEUE};\n\n{_RAISE}\tif (!is_inside)\n",
        scene="preempted around its section, mpcp priority, x86-64",
    ),
    ByHand(
        "a task comes down before it leaves the queue",
        _USER,
        f"{_IF_DEQUEUED}\t\tplf_call2(PLF_CALL_RELEASE_GLOBAL, resource, before);\n"
        "\telse if (plf_leave(before))\n",
        f"\tbool is_due = plf_leave(before);\n\n{_IF_DEQUEUED}"
        "\t\tplf_call2(PLF_CALL_RELEASE_GLOBAL, resource, before);\n\telse if (is_due)\n",
        scene="preempted around its section, mpcp priority, x86-64",
    ),
    ByHand(
        "a task comes down before it grants the resource to the next",
        _USER,
        "\t\tplf_call2(PLF_CALL_RELEASE_GLOBAL, resource, before);\n",
        "\t{\n\t\t(void)plf_leave(before);\n"
        "\t\tplf_call2(PLF_CALL_RELEASE_GLOBAL, resource, before);\n\t}\n",
        scene="preempted around its section, mpcp priority, x86-64",
    ),
    ByHand(
        "grant: it is not kept",
        _QUEUE,
        "seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED));\n",
        "PLF_MPCP_IDLE));\n",
    ),
    ByHand(
        "grant: without compare-and-swap",
        _QUEUE,
        _GRANT,
        "\t\tplf_store_release32(state,\n"
        "\t\t\t\t    seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED);\n"
        "\t} while (0);\n",
    ),
    ByHand(
        "block: a grant is overwritten",
        _QUEUE,
        _BLOCK,
        "\tplf_store_release32(state, PLF_MPCP_WAITS);\n\tif (!seen)\n\t\treturn true;\n",
    ),
    ByHand(
        "block: without compare-and-swap",
        _QUEUE,
        _BLOCK,
        "\tif (plf_load32(state) == seen) {\n"
        "\t\tplf_store_release32(state, PLF_MPCP_WAITS);\n\t\treturn true;\n\t}\n",
    ),
    ByHand(
        "a waiter goes on at base",
        _KERNEL,
        _GO_ON,
        "\tplf_go_on_at(task, task->urgency.base);\n",
        scene="gives way, mpcp-called priority, x86-64",
    ),
    ByHand(
        "at which level a waiter goes on is known after it waits",
        _KERNEL,
        _GO_ON + _REQUEST + _HAS_TO_WAIT,
        _REQUEST + _HAS_TO_WAIT + _GO_ON,
    ),
    ByHand(
        "a task that ends stays in the queue",
        "kernel/task.c",
        "\tplf_leave_global(core, task);\n",
        "",
        scene="end inside, mpcp-called priority, x86-64",
    ),
    ByHand(
        "the stack instead of the front",
        f"{_SOFTWARE}/schedule.c",
        _ASIDE,
        "\t(void)counting;\n\tplf_put_back(core, level);\n",
        scene="gives way, mpcp-called priority, x86-64",
    ),
    ByHand(
        "one that came down to the level of the preempted task goes on",
        _LEVELS,
        "return plf_preempted_level(core) >= level;",
        "return plf_preempted_level(core) > level;",
        scene="gives way to its level, mpcp-called priority, x86-64",
    ),
    ByHand(
        "one that gave way stands behind those that are new",
        f"{_SOFTWARE}/plf_ready.h",
        "\tstruct plf_task *task = plf_take_front(core, level);\n\n\tif (!task) {\n",
        "\tstruct plf_task *task =\n"
        "\t\tring->head == ring->tail ? plf_take_front(core, level) : NULL;\n\n\tif (!task) {\n",
        scene="gives way to its level, mpcp-called priority, x86-64",
    ),
    ByHand(
        "the interrupt that ends is that of the task's own level",
        f"{_HARDWARE}/plf_schedule.h",
        "plf_port_end_level(plf_index_of(core), plf_taken_level(core->running));",
        "plf_port_end_level(plf_index_of(core), core->running->urgency.base);",
        scene="get, get, mpcp-called hardware, x86-64",
    ),
    ByHand(
        "one that came down stays at the ceiling",
        f"{_HARDWARE}/plf_schedule.h",
        "\tif (plf_is_taken_above(core->running, level)) {\n"
        "\t\tplf_come_down(core, of_resources, level);\n\t\treturn;\n\t}\n",
        "\t(void)of_resources;\n",
        scene="gives way, mpcp-called hardware, x86-64",
    ),
    ByHand(
        "one that came down does not stand in front",
        f"{_HARDWARE}/schedule.c",
        "\tplf_push_front(core, core->running, level);\n",
        "",
        scene="gives way, mpcp-called hardware, x86-64",
    ),
    ByHand(
        "one that came down is not pending",
        f"{_HARDWARE}/schedule.c",
        "\tplf_push_front(core, core->running, level);\n"
        "\tplf_port_pend(plf_index_of(core), level);\n",
        "\tplf_push_front(core, core->running, level);\n",
        scene="gives way, mpcp-called hardware, x86-64",
    ),
    ByHand(
        "one that came down goes on, whichever was taken",
        f"{_HARDWARE}/schedule.c",
        "\tif (above == PLF_TASK_ABOVE && task == core->running)\n",
        "\tif (above == PLF_TASK_ABOVE)\n",
        scene="above a section of its core, mpcp-called hardware, x86-64",
    ),
)
