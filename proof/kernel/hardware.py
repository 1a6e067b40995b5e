# SPDX-License-Identifier: MIT
"""Faults in the hardware scheduler, found by images of kernel/test."""

from __future__ import annotations

from proof.kernel.in_image import fault_in

_LEVELS, _LEVELS_A53 = (
    "hardware_levels-sim-standard-hardware-mask",
    "hardware_levels-a53-standard-hardware-mask",
)
_MOST = "hardware_most-sim-standard-hardware-uprio-kprio"
_RESOURCES, _MASKING = (
    "resources-sim-standard-hardware-uprio-kprio",
    "masking-sim-standard-hardware-uprio-kprio",
)
_SCHEDULE, _EVENTS = (
    "schedule-sim-standard-hardware-uprio-kprio",
    "events-sim-standard-hardware-uprio-kprio",
)
_ACTIVATE = "cores_activate-a53-standard-hardware-uprio-kprio"
_SWEEP = "sweep_timer-a53-standard-hardware-uprio-kprio"
_DECIDES, _PENDING = "scheduler/hardware/plf_schedule.h", "scheduler/hardware/plf_pending.h"
_GIC = "ports/a53/gic.c"
_HOLD = "\tplf_port_hold_back(level);\n"
_TAKE = "\t*taken = plf_port_take();\n"

HARDWARE = (
    fault_in(
        _PENDING,
        "the first of what is pending is taken before the mask is set",
        f"{_HOLD}{_TAKE}",
        f"{_TAKE}{_HOLD}",
        _RESOURCES,
    ),
    fault_in(
        _PENDING,
        "the mask is not set",
        f"{_HOLD}{_TAKE}",
        _TAKE,
        _SWEEP,
    ),
    fault_in(
        _PENDING,
        "a level is not pending again for the next of its ring",
        "\tif (plf_has_front(core, number) ||\n"
        "\t    plf_inbox_has_first(&level->ring, level->places, level->mask))\n"
        "\t\tplf_port_pend(plf_index_of(core), number);\n",
        "\t(void)core, (void)number;\n",
        _LEVELS,
    ),
    fault_in(
        _PENDING,
        "a task of a ring makes its level pending only if another one stands there",
        "\tif (!PLF_RINGS || level->only ||\n\t    plf_inbox_put",
        "\tif (!PLF_RINGS || level->only ||\n\t    !plf_inbox_put",
        _LEVELS,
    ),
    fault_in(
        _PENDING,
        "a task becomes pending on the core that activates it",
        "plf_port_pend(home, number)",
        "plf_port_pend(plf_index_of(plf_this_core()), number)",
        _ACTIVATE,
    ),
    fault_in(
        _DECIDES,
        "the interrupt of another task is ended",
        "plf_port_end_level(plf_index_of(core), plf_taken_level(core->running))",
        "plf_port_end_level(plf_index_of(core), plf_taken_level(core->running) - 1U)",
        _MOST,
    ),
    fault_in(
        _DECIDES,
        "the interrupt of a task that is over stays active",
        "\tplf_port_end_level(plf_index_of(core), plf_taken_level(core->running));\n",
        "\t(void)core;\n",
        _EVENTS,
    ),
    fault_in(
        _DECIDES,
        "what keeps tasks out stays after the task that was in the section",
        "plf_take_above(core, plf_preempted_level(core), ",
        "plf_take_above(core, PLF_LEVELS - 1, ",
        _LEVELS,
    ),
    fault_in(
        _DECIDES,
        "a preempted task lets in what its section keeps out",
        "plf_take_above(core, plf_preempted_level(core), ",
        "plf_take_above(core, top->urgency.base, ",
        _SWEEP,
    ),
    fault_in(
        _DECIDES,
        "an internal resource keeps no task out",
        "\treturn plf_counting(core->running, *of_resources);\n",
        "\treturn *of_resources;\n",
        _SCHEDULE,
    ),
    fault_in(
        _DECIDES,
        "Schedule() lets go of the resources, too",
        "\tlevel = plf_running_level(core, PLF_LEVELS);\n",
        "\tlevel = core->running->urgency.base;\n",
        "schedule_section-sim-standard-hardware-uprio-kprio",
    ),
    fault_in(
        _DECIDES,
        "Schedule() keeps the internal resource",
        "\t\tplf_queue_of(core)->preempted->urgency.internal =\n"
        "\t\t\tplf_queue_of(core)->preempted->urgency.base;\n",
        "",
        _SCHEDULE,
    ),
    fault_in(
        _DECIDES,
        "interrupts come to a task that holds them back",
        "\tif (core->running->masked) {\n",
        "\tif (false) {\n",
        _MASKING,
    ),
    fault_in(
        _DECIDES,
        "a section that ends while interrupts are held back keeps its mask",
        "\t\tplf_port_hold_back(level);\n\t\treturn;\n",
        "\t\treturn;\n",
        _MASKING,
    ),
    fault_in(
        "scheduler/hardware/schedule.c",
        "an interrupt between two tasks finds the one that is over",
        "\tplf_set_running(core, NULL);\n\tplf_pass_over(core, taken);\n",
        "\tplf_pass_over(core, taken);\n",
        _LEVELS,
    ),
    fault_in(
        "interrupt.h",
        "an interrupt decides while another decision is made",
        "\tif (PLF_TASKS_ARE_INTERRUPTS)\n\t\treturn;",
        "\tif (0)\n\t\treturn;",
        _LEVELS,
    ),
    fault_in(
        _GIC,
        "all levels are one",
        "\tset_byte(GICD_IPRIORITYR, number, plf_gic_priority(level));\n",
        "\tset_byte(GICD_IPRIORITYR, number, plf_gic_priority(1));\n\t(void)level;\n",
        _LEVELS_A53,
    ),
    fault_in(
        _GIC,
        "the timer is above all tasks",
        "PLF_GIC_TIMER, level_of(levels[PLF_TIMER_ALARMS])",
        "PLF_GIC_TIMER, 31",
        _LEVELS_A53,
    ),
    fault_in(
        _GIC,
        "levels go to the first core",
        "enable_shared(PLF_GIC_TASKS + PLF_GIC_LEVELS * core + level, core, level)",
        "enable_shared(PLF_GIC_TASKS + PLF_GIC_LEVELS * core + level, 0, level)",
        _ACTIVATE,
    ),
    fault_in(
        _PENDING,
        "what is no task is not served",
        "\t\tplf_port_serve(taken);\n",
        "\t\tplf_port_end_level(plf_index_of(core), 0);\n",
        _LEVELS,
    ),
)
