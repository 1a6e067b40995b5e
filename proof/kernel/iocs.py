# SPDX-License-Identifier: MIT
"""Faults in IOC: in queues, in last values, and in the tasks' access to their memory.

proof/memory_model shows which orders another core may see.
"""

from __future__ import annotations

from proof.kernel.in_image import Fault, fault_in, faults_of
from proof.mutation import ByHand

_IOC = "ioc-sim-standard-uprio-nprio"
_ON_BOARD = "ioc-a53-standard-uprio-nprio"
_FOUL, _OUTSIDE = "foul_ioc-a53-standard-uprio-nprio", "ioc_outside-a53-standard-uprio-nprio"
_SEVERAL = "ioc_several-sim-standard-uprio-nprio"
_SEVERAL_ON_BOARD = "ioc_several-a53-standard-uprio-nprio"
_TABLES = "tables_cores-a53-standard-uprio-nprio"
_QUEUE = (
    *("plf_ioc_queue_claim", "plf_ioc_queue_publish", "plf_ioc_queue_first"),
    *("plf_ioc_queue_release", "plf_ioc_queue_empty"),
)
_LANES = (
    *("plf_ioc_lane_behind", "plf_ioc_turn_taken", "plf_ioc_stamp_is_later"),
    "plf_ioc_stamp_take",
)
_OF_LANES = (
    *("plf_ioc_receive_one", "plf_ioc_empty_all", "plf_ioc_write_stamped", "plf_ioc_find"),
    "plf_ioc_read_last",
)
_SERVICES = ("plf_ioc_send", "plf_ioc_receive", "plf_ioc_empty", "plf_ioc_write", "plf_ioc_read")


def _by_hand(file: str, name: str, old: str, new: str, image: str) -> Fault:
    return Fault(ByHand(name, f"protocol/{file}", old, new), image)


IOCS = (
    *faults_of("ioc_queue.h", dict.fromkeys(_QUEUE, _IOC), "protocol"),
    *faults_of("ioc_last.h", {"plf_ioc_last_publish": _IOC}, "protocol"),
    *faults_of("ioc_lanes.h", dict.fromkeys(_LANES, _SEVERAL), "protocol"),
    *faults_of("ioc/plf_ioc.h", dict.fromkeys(_SERVICES, _IOC)),
    *faults_of(
        "ioc/plf_ioc.h",
        {
            **dict.fromkeys(_OF_LANES, _SEVERAL),
            "plf_ioc_empty_all: weaken": _SEVERAL_ON_BOARD,  # reads beyond the lanes
        },
    ),
    fault_in(
        "ioc/plf_ioc.h",
        "a place is given back before its message is copied",
        "\t__builtin_memcpy(data, &places[place * size], size);\n"
        "\treturn plf_ioc_queue_release(&queue->taken, &queue->sent) ?",
        "\tbool has_lost = plf_ioc_queue_release(&queue->taken, &queue->sent);\n\n"
        "\t__builtin_memcpy(data, &places[place * size], size);\n"
        "\treturn has_lost ?",
        _IOC,
    ),
    fault_in(
        "ioc/plf_ioc.h",
        "a message can be found before it is copied",
        "\t__builtin_memcpy(&places[place * size], data, size);\n"
        "\tplf_ioc_queue_publish(&queue->sent);\n",
        "\tplf_ioc_queue_publish(&queue->sent);\n"
        "\t__builtin_memcpy(&places[place * size], data, size);\n",
        _IOC,
    ),
    fault_in(
        "ioc/plf_ioc.h",
        "a value can be found before it is copied",
        "\t__builtin_memcpy(&slots[place * size], data, size);\n"
        "\tplf_ioc_last_publish(last, place);\n",
        "\tplf_ioc_last_publish(last, place);\n"
        "\t__builtin_memcpy(&slots[place * size], data, size);\n",
        _IOC,
    ),
    fault_in(
        "ioc/plf_ioc.h",
        "a value of several senders can be found before it is copied",
        "\t__builtin_memcpy((char *)lane + slots + place * size, data, size);\n"
        "\tplf_ioc_last_publish(&lane->last, place);\n",
        "\tplf_ioc_last_publish(&lane->last, place);\n"
        "\t__builtin_memcpy((char *)lane + slots + place * size, data, size);\n",
        _SEVERAL,
    ),
    fault_in(
        "ioc/plf_ioc.h",
        "a value of several senders can be found before its stamp",
        "\tplf_store64(&lane->stamps[place], stamp);\n"
        "\t__builtin_memcpy((char *)lane + slots + place * size, data, size);\n"
        "\tplf_ioc_last_publish(&lane->last, place);\n",
        "\t__builtin_memcpy((char *)lane + slots + place * size, data, size);\n"
        "\tplf_ioc_last_publish(&lane->last, place);\n"
        "\tplf_store64(&lane->stamps[place], stamp);\n",
        _SEVERAL,
    ),
    _by_hand(
        "ioc_queue.h",
        "the place for a message is wherever the word leads",
        "\t*place = tail & mask;\n",
        "\t*place = tail % (8 * (mask + 1));\n",
        _FOUL,
    ),
    _by_hand(
        "ioc_queue.h",
        "the oldest message is wherever the word leads",
        "\t*place = head & mask;\n",
        "\t*place = head;\n",
        _FOUL,
    ),
    _by_hand(
        "ioc_last.h",
        "the slot of a pair is all that stands in the word",
        "\treturn written >> (1 + pair) & 1;\n",
        "\treturn written >> (1 + pair);\n",
        _FOUL,
    ),
    _by_hand(
        "ioc_last.h",
        "a read is not announced",
        "\tplf_store_release32(&last->reading, pair); /* behind what it has read so far */\n",
        "",
        _IOC,
    ),
    _by_hand(
        "ioc_last.h",
        "the pair that is announced is written",
        "pair = ~plf_load32(&last->reading) & 1;",
        "pair = plf_load32(&last->reading) & 1;",
        _IOC,
    ),
    _by_hand(
        "ioc_last.h",
        "the slot that holds the last value of its pair is written",
        "2 * pair + !plf_ioc_slot_of(",
        "2 * pair + plf_ioc_slot_of(",
        _IOC,
    ),
    fault_in(
        "ports/a53/memory.c",
        "all tasks have the memory of all IOC",
        "index == PLF_TASKS || share->task == index",
        "index <= PLF_TASKS",
        _OUTSIDE,
    ),
    fault_in(
        "ports/a53/memory.c",
        "IOC is in the tables of no task",
        "index == PLF_TASKS || share->task == index",
        "index == PLF_TASKS",
        _ON_BOARD,
    ),
    fault_in(
        "ports/a53/memory.c",
        "IOC is open in the tables that all tasks share",
        "map_iocs(level2, NULL, PLF_TASKS, OTHERS_DATA);",
        "map_iocs(level2, NULL, PLF_TASKS, OWN_DATA);",
        _TABLES,
    ),
    fault_in(
        "ports/a53/memory.c",
        "a sender may write the lanes of others",
        "(PLF_IOC_READERS && share->is_read_only ? READ_ONLY : 0)",
        "(PLF_IOC_READERS && share->is_read_only ? 0 : 0)",
        _OUTSIDE,
    ),
    fault_in(
        "ports/a53/memory.c",
        "a lane is read-only for its own sender, too",
        "(PLF_IOC_READERS && share->is_read_only ? READ_ONLY : 0)",
        "(PLF_IOC_READERS ? READ_ONLY : 0)",
        _SEVERAL_ON_BOARD,
    ),
)
