# SPDX-License-Identifier: MIT
"""Faults in protected functions: in function.c, the call paths of a53, and the page tables."""

from __future__ import annotations

from proof.kernel.in_image import Fault, fault_in, faults_of

STANDARD = "protected-sim-standard-uprio-nprio"
_BOARD = "protected-a53-standard-uprio-nprio"
_FOUL = "foul_protected-a53-standard-uprio-nprio"
_OUTSIDE = "foul_protected-a53-standard-uprio-nprio-1"
_FUNCTION_C = {
    "is_inside": STANDARD,
    "plf_call_non_trusted_function": STANDARD,
    "plf_is_refused_inside": STANDARD,
    "plf_force_return": _FOUL,
}


def _in_call(name: str, old: str, new: str, image: str = _FOUL) -> Fault:
    return fault_in("ports/a53/call.S", name, old, new, image)


PROTECTED = (
    *faults_of("function.c", _FUNCTION_C),
    fault_in(
        "function.c",
        "a fault outside of functions returns",
        "\tif (!is_inside(core))\n\t\treturn false;\n\tplf_port",
        "\tplf_port",
        _OUTSIDE,
    ),
    fault_in(
        "calls.c",
        "a function may end its task",
        "PLF_PROTECTED_FUNCTIONS && status == E_OK && plf_is_refused_inside(core, number)",
        "PLF_PROTECTED_FUNCTIONS && status != E_OK && plf_is_refused_inside(core, number)",
        STANDARD,
    ),
    fault_in(
        "application.c",
        "a handler has the rights of the function that it interrupts",
        "!(PLF_ROUTINES_ARE_KNOWN && plf_running_routine(core) != INVALID_ISR);",
        "true;",
        STANDARD,
    ),
    fault_in(
        "ports/sim/processor.c",
        "a task begins in the application of the first task",
        "context->domain[0] = (uint8_t)task;",
        "context->domain[0] = 0;",
        STANDARD,
    ),
    fault_in(
        "ports/sim/processor.c",
        "a task does not come back from a function",
        "\ttask->context->domain[0] = before;\n",
        "",
        STANDARD,
    ),
    fault_in(
        "ports/sim/processor.c",
        "a task that holds interrupts back calls",
        "function < PLF_PROTECTED_FUNCTIONS && !task->masked",
        "function < PLF_PROTECTED_FUNCTIONS",
        STANDARD,
    ),
    _in_call("the context has the caller's table", "\tstr\tx10, [x16, #PLF_CONTEXT_TTBR0]\n", ""),
    _in_call("a call loads no table", "\tmsr\tttbr0_el1, x10\n", ""),
    _in_call("the caller's registers go in", "\tclear\t4, 29\n", "\tclear\t4, 17\n"),
    _in_call("the callee's registers come out", "\tclear\t2, 29\n", "\tclear\t2, 17\n"),
    _in_call(
        "the caller's flags go in",
        "\tmsr\ttpidr_el0, xzr\n\tmsr\tspsr_el1, xzr\n",
        "\tmsr\ttpidr_el0, xzr\n",
    ),
    _in_call(
        "the callee's flags come out",
        "\tmsr\ttpidr_el0, x12\n\tmsr\tspsr_el1, xzr\n",
        "\tmsr\ttpidr_el0, x12\n",
    ),
    _in_call("the caller's TPIDR_EL0 goes in", "\tmsr\ttpidr_el0, xzr\n", ""),
    _in_call("the callee's TPIDR_EL0 comes out", "\tmsr\ttpidr_el0, x12\n", ""),
    _in_call("a callee has its caller's stack", "\tmsr\tsp_el0, x11\n", ""),
    _in_call("a caller has its callee's stack", "\tmsr\tsp_el0, x8\n", ""),
    _in_call("a frame stays", "[x17, #-PLF_A_FRAME]!", "[x17, #-PLF_A_FRAME]"),
    _in_call(
        "a task returns without a call",
        "\tldp\tx12, x6, [x17, #16 - PLF_A_FRAME]\n\tcbz\tx6, refuse\n",
        "\tldp\tx12, x6, [x17, #16 - PLF_A_FRAME]\n",
    ),
    _in_call("numbers do not end", "\tb.hi\trefuse\n", ""),
    _in_call(
        "a task that holds interrupts back calls",
        "\ttbnz\tx7, #PLF_SPSR_I, refuse\n",
        "",
        _BOARD,
    ),
    fault_in(
        "ports/a53/domain.c",
        "a forced return leaves registers",
        "\t\tcontext->x[i] = 0;\n",
        "\t\tcontext->x[i] = context->x[i];\n",
        _FOUL,
    ),
    fault_in(
        "ports/a53/domain.c",
        "a forced return keeps the table",
        "\tcontext->ttbr0 = frame->domain->ttbr0;\n",
        "",
        _FOUL,
    ),
    fault_in(
        "ports/a53/domain.h",
        "a task that ended begins in the function",
        "\tcontext->ttbr0 = plf_domains[task->index].ttbr0;\n",
        "\tif (!context->ttbr0)\n\t\tcontext->ttbr0 = plf_domains[task->index].ttbr0;\n",
        _FOUL,
    ),
    fault_in(
        "ports/a53/memory.c",
        "a function has the words of sections",
        "map_own_words(level2, NULL, OTHERS_DATA);",
        "map_own_words(level2, NULL, USER_DATA);",
        _FOUL,
    ),
    fault_in(
        "ports/a53/memory.c",
        "a function has the data of the first application",
        "map(own, shared, plf_application_memory[domain->application].data,",
        "map(own, shared, plf_application_memory[0].data,",
        _FOUL,
    ),
    fault_in(
        "ports/a53/port.c",
        "a function that overflows its stack is in the stack of its task",
        "PLF_PROTECTED_FUNCTIONS ? is_stack_fault_inside() : is_stack_fault()",
        "PLF_PROTECTED_FUNCTIONS ? is_stack_fault() : is_stack_fault_inside()",
        _FOUL,
    ),
)
