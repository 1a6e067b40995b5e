# SPDX-License-Identifier: MIT
"""Faults in interrupt routines: in their masks, and in resources for which they wait."""

from __future__ import annotations

from proof.kernel.in_image import PLACES, fault_in, fault_in_row, faults_of

_ENDS = "isr_end-sim-extended-uprio-nprio"
_LOCKS = "isr_resources-sim-standard-uprio-nprio"
_ON_BOARD = "isr_resources-a53-standard-uprio-nprio"
_CORES = "cores_isr_resources-sim-standard-uprio-nprio"
_BESIDE = "category_one-sim-standard-uprio-nprio"
_BESIDE_ON_BOARD = "category_one-a53-standard-uprio-nprio"
_ROUTINE_C = {
    "missing_service": _ENDS,
    "settle_masks": _ENDS,
    "settle_resources": _LOCKS,
    "plf_settle_routine": _LOCKS,
    "plf_begin_routine": _LOCKS,
    "plf_running_routine": _LOCKS,
    "plf_get_in_routine": _LOCKS,
    "plf_release_in_routine": _LOCKS,
}
_WAITING_C = {"show_next": _LOCKS, "plf_let_wait": _LOCKS, "plf_serve_waiting": _LOCKS}

ROUTINES = (
    *faults_of("routine.c", _ROUTINE_C),
    *faults_of("scheduler/priority/waiting.c", _WAITING_C),
    *faults_of("scheduler/priority/plf_schedule.h", {"plf_routine_waits": _LOCKS}),
    fault_in(
        "routine.c",
        "a resource of another core is one that the routine has not declared",
        "is_elsewhere ? E_OS_CORE : status",
        "is_elsewhere ? status : status",
        _CORES,
    ),
    fault_in(
        "scheduler/priority/waiting.c",
        "all cores keep the routine that waits in one place",
        "\twaiting[plf_index_of(core)] = (uint8_t)isr;\n",
        "\twaiting[plf_index_of(core)] = (uint8_t)isr;\n\twaiting[0] = (uint8_t)isr;\n",
        _CORES,
    ),
    fault_in(
        "scheduler/priority/plf_schedule.h",
        "a routine does not wait for a section",
        "if (plf_routine_waits(core) && level < highest) {",
        "if (plf_routine_waits(core)) {",
        _LOCKS,
    ),
    fault_in(
        "scheduler/priority/plf_schedule.h",
        "a routine waits on when a task has ended in a section",
        "\tif (plf_routine_waits(core)) {\n\t\tplf_set_running(core, NULL);\n",
        "\tif (core->running == NULL && plf_routine_waits(core)) {\n"
        "\t\tplf_set_running(core, NULL);\n",
        _LOCKS,
    ),
    fault_in(
        "calls.c",
        "a routine that holds interrupts back may call all",
        "plf_is_masked_routine(core) && is_refused_masked(number)",
        "plf_is_masked_routine(core) && false",
        _ENDS,
    ),
    fault_in_row(
        "GET_RESOURCE", PLACES, "hooks may lock resources of routines", "ANYWHERE", _LOCKS
    ),
    fault_in_row(
        "RELEASE_RESOURCE", PLACES, "hooks may release resources of routines", "ANYWHERE", _LOCKS
    ),
    fault_in(
        "isr_id.c",
        "a routine that waits is the one that runs",
        "\tif (PLF_ROUTINES_ARE_KNOWN)\n\t\treturn",
        "\tif (PLF_ROUTINES_ARE_KNOWN && plf_this_core()->place == PLF_IN_ISR)\n\t\treturn",
        _LOCKS,
    ),
    fault_in(
        "ports/sim/controller.c",
        "another interrupt comes while a routine waits",
        " || level <= served_level(c);\n",
        ";\n",
        _LOCKS,
    ),
    fault_in(
        "ports/a53/port.c",
        "the interrupt of a routine that waits is over at once",
        "\t\tif (PLF_ROUTINES_WAIT)\n\t\t\treturn;\n",
        "",
        _ON_BOARD,
    ),
    *faults_of("interrupt.c", {"plf_interrupt_beside": _BESIDE}),
    fault_in(
        "interrupt.c",
        "what holds back category 2 holds back category 1, too",
        "plf_port_mask_beside(task->masks.disabled || task->masks.suspended_all);\n",
        "plf_port_mask_beside(masked);\n",
        _BESIDE_ON_BOARD,
    ),
    fault_in(
        "interrupt.c",
        "nothing holds back category 1",
        "plf_port_mask_beside(task->masks.disabled || task->masks.suspended_all);\n",
        "plf_port_mask_beside(false);\n",
        _BESIDE_ON_BOARD,
    ),
    fault_in(
        "ports/a53/gic.c",
        "what is active keeps category 1 out",
        "enable_routed(number, core, PLF_GIC_LEVELS - 1);\n",
        "enable_routed(number, core, 1);\n",
        _BESIDE_ON_BOARD,
    ),
)
