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
        "\tplf_cores[task->core].running = NULL;\n\tif (plf_has_event_word(task))\n"
        "\t\tplf_event_end(",
        "\tif (plf_has_event_word(task))\n\t\tplf_event_end(",
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
        "\twhile ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0)\n",
        "\tif ((entry = plf_inbox_take(&core->inbox, own->places, own->mask)) != 0)\n",
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
