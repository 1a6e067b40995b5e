# SPDX-License-Identifier: MIT
"""Faults in interrupts that nest: in admission to a running routine, and in its later state."""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_NESTS = "nesting-sim-standard-uprio-nprio"
_ON_BOARD = "nesting-a53-standard-uprio-nprio"
_LOCKS = "nesting_resources-sim-standard-uprio-nprio"
_LOCKS_ON_BOARD = "nesting_resources-a53-standard-uprio-nprio"
_CORES = "cores_nesting-sim-standard-uprio-nprio"
_CORES_ON_BOARD = "cores_nesting-a53-standard-uprio-nprio"
_PORT, _GIC, _VECTORS = "ports/a53/port.c", "ports/a53/gic.c", "ports/a53/vectors.S"
_OFFSETS = "ports/a53/offsets.h"

NESTING = (
    *faults_of("routine.c", {"plf_return_to_routine": _NESTS}),
    *faults_of("interrupt.c", {"run_inside": _LOCKS}),
    fault_in(
        "interrupt.c",
        "what comes into a routine lets tasks run",
        "\tif (PLF_NESTING && core->place == PLF_IN_ISR) {\n",
        "\tif (PLF_NESTING && !core) {\n",
        _NESTS,
    ),
    fault_in(
        "calls.c",
        "interrupts come into the services of a routine",
        "\tif (PLF_NESTING)\n\t\tplf_let_none_nest();\n",
        "",
        _NESTS,
    ),
    fault_in(
        "calls.c",
        "nothing comes into a routine that has called a service",
        "\tif (PLF_NESTING)\n\t\tplf_let_nest(core);\n",
        "",
        _NESTS,
    ),
    fault_in(
        "routine.c",
        "interrupts come to a service of a hook, a callback, or category 1",
        "\tif (core->place == PLF_IN_ISR)\n\t\tplf_port_mask_routine(",
        "\tif (core->place != PLF_IN_TASK)\n\t\tplf_port_mask_routine(",
        _NESTS,
    ),
    fault_in(
        "routine.c",
        "a routine in a section keeps out none",
        "plf_hold_back(masks) || routine->top > 0",
        "plf_hold_back(masks)",
        _LOCKS,
    ),
    fault_in(
        "routine.c",
        "a routine that holds interrupts back keeps out none",
        "plf_hold_back(masks) || routine->top > 0",
        "routine->top > 0",
        _NESTS,
    ),
    fault_in(
        "routine.c",
        "what keeps out category 2 keeps out category 1, in a routine",
        "masks->disabled || masks->suspended_all);\n}\n",
        "plf_hold_back(masks));\n}\n",
        _NESTS,
    ),
    fault_in(
        "routine.c",
        "nothing keeps category 1 out of a routine",
        "masks->disabled || masks->suspended_all);\n}\n",
        "false);\n}\n",
        _NESTS,
    ),
    fault_in(
        "routine.h",
        "the routine that was interrupted is not known any more",
        "\tif (PLF_NESTING)\n\t\tplf_return_to_routine(core, interrupted);\n",
        "\t(void)interrupted;\n",
        _NESTS,
    ),
    fault_in(
        "routine.h",
        "what a routine holds is of no account where no error is seen",
        "\t\t      PLF_APPLICATIONS || PLF_NESTING))\n",
        "\t\t      PLF_APPLICATIONS))\n",
        _CORES,
    ),
    fault_in(
        "routine.h",
        "the controller says which of several routines runs",
        "(PLF_ISR_RESOURCES || PLF_APPLICATIONS || PLF_NESTING))\n",
        "(PLF_ISR_RESOURCES || PLF_APPLICATIONS))\n",
        _NESTS,
    ),
    fault_in(
        "isr_id.c",
        "category 1 is the routine that it interrupted",
        "(PLF_NESTING ? PLF_IN_CATEGORY_1 : 0)",
        "0",
        _NESTS,
    ),
    fault_in(
        "scheduler/priority/waiting.c",
        "more urgent ones come while a routine waits",
        "\thold_back(true);\n",
        "\thold_back(false);\n",
        _LOCKS,
    ),
    fault_in(
        "scheduler/priority/waiting.c",
        "nothing comes into a routine that has waited",
        "\thold_back(false);\n",
        "",
        _LOCKS_ON_BOARD,
    ),
    fault_in(
        "config.h",
        "the most urgent one comes while another one waits",
        "#define PLF_HIGHEST_ROUTINE (PLF_NESTING + 1)\n",
        "#define PLF_HIGHEST_ROUTINE PLF_NESTING\n",
        _LOCKS_ON_BOARD,
    ),
    fault_in(
        _PORT,
        "the interrupt of a routine returns where what came into it did",
        '\tPLF_WRITE("elr_el1", pc);\n',
        "\t(void)pc;\n",
        _ON_BOARD,
    ),
    fault_in(
        _PORT,
        "the interrupt of a routine returns in the mode of what came into it",
        '\tPLF_WRITE("spsr_el1", state);\n',
        "\t(void)state;\n",
        _ON_BOARD,
    ),
    fault_in(
        _PORT,
        "a routine begins with interrupts masked",
        "\tplf_port_mask_routine(false, false);\n",
        "",
        _ON_BOARD,
    ),
    fault_in(
        _PORT,
        "interrupts come behind the end of a routine",
        "\troutine();\n\tplf_port_mask_routine(true, true);\n",
        "\troutine();\n",
        _ON_BOARD,
    ),
    fault_in(
        _PORT,
        "category 1 does not come into a routine",
        "bool lets_fiq = PLF_CATEGORY_1 && !beside;\n",
        "bool lets_fiq = PLF_CATEGORY_1 && beside && !masked;\n",
        _ON_BOARD,
    ),
    fault_in(
        _PORT,
        "category 2 comes where category 1 does",
        "(masked ? MASK_IRQ : 0)",
        "(masked && beside ? MASK_IRQ : 0)",
        _ON_BOARD,
    ),
    fault_in(
        _GIC,
        "all that nests is of one level",
        "PLF_TASKS_ARE_INTERRUPTS || PLF_NESTING ? configured : 1;",
        "PLF_TASKS_ARE_INTERRUPTS ? configured : 1;",
        _ON_BOARD,
    ),
    fault_in(
        _VECTORS,
        "a routine finds other values in x16 and x17",
        "\t.rept\t9\n",
        "\t.rept\t8\n",
        _ON_BOARD,
    ),
    fault_in(
        _VECTORS,
        "a routine finds another value in x18",
        "\t\\operation x18, x30, [sp, #8 * 18]\n",
        "\t\\operation x19, x30, [sp, #8 * 18]\n",
        _ON_BOARD,
    ),
    fault_in(
        _VECTORS,
        "a routine does not return to its caller any more",
        "\t\\operation x18, x30, [sp, #8 * 18]\n",
        "\t\\operation x18, x29, [sp, #8 * 18]\n",
        _ON_BOARD,
    ),
    fault_in(
        _VECTORS,
        "category 1 has no way into a routine",
        "\t.if\tPLF_NESTING && PLF_CATEGORY_1\n",
        "\t.if\t0\n",
        _ON_BOARD,
    ),
    fault_in(
        _VECTORS,
        "another core begins on the stack of the first",
        "\t.if\tPLF_PORT_CORE >> 16\n",
        "\t.if\t0\n",
        _CORES_ON_BOARD,
    ),
    fault_in(
        _OFFSETS,
        "category 1 has no room on the stack",
        "(PLF_A_ROUTINE * (PLF_NESTING + 1))",
        "(PLF_A_ROUTINE * PLF_NESTING)",
        _ON_BOARD,
    ),
)
