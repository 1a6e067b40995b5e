# SPDX-License-Identifier: MIT
"""Faults in MPCP, found by images of kernel/test."""

from __future__ import annotations

from proof.kernel.in_image import Fault, fault_in
from proof.mutation import ByHand

_MPCP, _CALLED = "cores_mpcp-sim-standard-uprio-nprio", "cores_mpcp-sim-standard-syscall"
_BY_HARDWARE = "cores_mpcp-sim-standard-hardware-uprio-kprio"
_FOUL = "cores_mpcp_foul-a53-standard-uprio-nprio"
_STORM = "cores_mpcp_storm-sim-standard-uprio-nprio"
_MANY, _MANY_CALLED = (
    "cores_mpcp_many-sim-standard-uprio-nprio",
    "cores_mpcp_many-sim-standard-syscall",
)
_EXTENDED, _CALLED_EXTENDED = (
    "cores_mpcp-sim-extended-uprio-nprio",
    "cores_mpcp-sim-extended-syscall",
)
_KERNEL = "global/plf_mpcp_kernel.h"
_USER, _SERVICES = "global/mpcp/plf_global.h", "global/mpcp-called/mpcp_called.c"
_SOFTWARE, _HARDWARE = "scheduler/priority/plf_schedule.h", "scheduler/hardware"

GLOBALS = (
    fault_in(
        "task.c",
        "a task that ends inside stays in the queue",
        "\tplf_leave_global(core, task);\n",
        "",
        _MPCP,
    ),
    fault_in(
        _KERNEL,
        "a task that was killed inside leaves the queue, and no other is granted the resource",
        "\t\tif (plf_end_in_queue(&use))\n\t\t\tplf_grant_next(core, &use);\n",
        "\t\t(void)plf_end_in_queue(&use);\n\t\t(void)core;\n",
        _FOUL,
    ),
    fault_in(
        _KERNEL,
        "a task that ends inside leaves the first of its resources",
        "\t\tif (plf_end_in_queue(&use))\n\t\t\tplf_grant_next(core, &use);\n",
        "\t\tif (plf_end_in_queue(&use))\n\t\t\tplf_grant_next(core, &use);\n\t\tbreak;\n",
        _MPCP,
    ),
    fault_in(
        _KERNEL,
        "a waiter goes on at its base",
        "\tplf_go_on_at(task, use->config->ceiling);\n",
        "\tplf_go_on_at(task, task->urgency.base);\n",
        _MPCP,
    ),
    fault_in(
        _KERNEL,
        "by core the user of another core is granted the resource",
        "\t*next += place * PLF_MPCP_MOST;\n",
        "\t(void)place;\n",
        _MANY,
    ),
    fault_in(
        _KERNEL,
        "by core the core of a task that ends inside stays in the queue",
        "\t\treturn plf_mpcp_end_by_core(use->queue, plf_place_of(use), use->bit, use->state);\n",
        "\t\treturn plf_mpcp_end(&use->queue[1 + plf_place_of(use)], use->bit, use->state);\n",
        _MANY,
    ),
    fault_in(
        "config.h",
        "by core all users find the place of the same core",
        "\t\treturn PLF_GLOBAL_PLACE(plf_global_config[global].user_of_task[task]);\n",
        "\t\treturn 0;\n",
        _MANY,
    ),
    fault_in(
        _SERVICES,
        "by core the users of a core enter, and not the core",
        "\t\treturn plf_mpcp_enter_by_core(use->queue, plf_place_of(use), use->bit);\n",
        "\t\treturn plf_mpcp_enter(&use->queue[1 + plf_place_of(use)], use->bit);\n",
        _MANY_CALLED,
    ),
    Fault(
        ByHand(
            "the least urgent waiter is granted the resource",
            "protocol/mpcp_queue.h",
            "63U - (unsigned)__builtin_clzll(left)",
            "(unsigned)__builtin_ctzll(left)",
        ),
        _MPCP,
    ),
    fault_in(
        _USER,
        "a task leaves others behind, and grants none of them the resource",
        "\t\tplf_call2(PLF_CALL_RELEASE_GLOBAL, resource, before);\n\telse if",
        "\t\t(void)plf_leave(before);\n\telse if",
        _MPCP,
    ),
    fault_in(
        _USER,
        "a task that finds others in the queue is inside",
        "\t\tplf_call1(PLF_CALL_GET_GLOBAL, resource);\n",
        "\t\t;\n",
        _STORM,
    ),
    fault_in(
        _USER,
        "sections nest in each other",
        "\treturn top ? E_OS_RESOURCE : E_OK;\n",
        "\treturn E_OK;\n",
        _EXTENDED,
    ),
    fault_in(
        _SERVICES,
        "a task enters twice",
        "\tif (is_inside(&use))\n\t\treturn plf_status(E_OS_ACCESS);\n",
        "",
        _CALLED_EXTENDED,
    ),
    fault_in(
        _SERVICES,
        "a task that has left stays at the ceiling",
        "\tplf_put_bound(core, task->urgency.base);\n",
        "",
        _CALLED,
    ),
    fault_in(
        _SOFTWARE,
        "a task that has come down goes on",
        "\treturn plf_has_come_down(core, plf_counting(core->running, level));\n",
        "\t(void)core, (void)level;\n\treturn false;\n",
        _MPCP,
    ),
    fault_in(
        "scheduler/priority/schedule.c",
        "a task that gives way is the last of its level",
        "\tplf_push_front(core, core->running, counting);\n"
        "\tplf_queue_of(core)->ready |= plf_bit(counting);\n"
        "\tplf_put_aside(core, level);\n",
        "\tplf_put_aside(core, level);\n"
        "\tplf_ring_append(core, core->running);\n\t(void)counting;\n",
        _MPCP,
    ),
    fault_in(
        f"{_HARDWARE}/schedule.c",
        "by hardware a task that has come down stays at the ceiling",
        "\tplf_let_go(core);\n\tplf_push_front",
        "\treturn;\n\tplf_let_go(core);\n\tplf_push_front",
        _BY_HARDWARE,
    ),
    fault_in(
        f"{_HARDWARE}/plf_pending.h",
        "the interrupt of a task that goes on is ended as that of its base",
        "\tplf_take_level(*task, plf_port_level_of(*taken));\n",
        "\tplf_take_level(*task, (*task)->urgency.base);\n",
        _BY_HARDWARE,
    ),
    fault_in(
        "ports/a53/memory.c",
        "every task reaches the queue of every global resource",
        "\t\tif (globals >> global & 1)\n",
        "\t\tif (globals + 1)\n",
        _FOUL,
    ),
    fault_in(
        "ports/a53/memory.c",
        "the queue of a global resource is in the tables of all cores",
        "\tmap_globals(level2, NULL, UINT64_MAX, OTHERS_DATA);\n",
        "\tmap_globals(level2, NULL, UINT64_MAX, OWN_DATA);\n",
        _FOUL,
    ),
)
