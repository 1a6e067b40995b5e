# SPDX-License-Identifier: MIT
"""Mutants by hand of libplafond beside the protocol: each is the claim of a test, broken."""

from __future__ import annotations

from proof.mutation import ByHand

BY_HAND = (
    ByHand(
        "a thread that attaches does not wait for the section that covers it",
        "linux/lib/attach.c",
        "\terror = plf_wake_hook();\n\tif (error != 0)\n\t\tplf_detach();\n",
        "\terror = 0;\n",
        test="slots",
    ),
    ByHand(
        "a condition's wait goes on where the hook refused",
        "linux/lib/cond.c",
        "\terror = plf_wait_end(0);\n",
        "\terror = 0;\n",
        test="migration",
    ),
    ByHand(
        "the parent's waiters stay in the queue of the child",
        "linux/lib/cond.c",
        "\t\tcond->first = 0;\n",
        "",
        test="fork_of_queues",
    ),
    ByHand(
        "a place is given away while a waiter comes back to it",
        "linux/core/arena.c",
        "slot->used == 0 && __atomic_load_n(&slot->visitors, __ATOMIC_SEQ_CST) == 0 &&",
        "slot->used == 0 &&",
        test="slots",
    ),
    ByHand(
        "a place of one stack is given to a thread of another CPU",
        "linux/core/arena.c",
        "is_free(&plf_arena->slot[i]) && may_serve(&plf_arena->slot[i], cpu)",
        "is_free(&plf_arena->slot[i]) && (may_serve(&plf_arena->slot[i], cpu) || true)",
        test="slots",
    ),
    ByHand(
        "the gates that a child of fork() inherits stay shut",
        "linux/core/arena.c",
        "\t\topen_gates(survivor);\n",
        "",
        test="fork_of_places",
    ),
    ByHand(
        "the list of another C library is hung in, too",
        "linux/core/robust_list.c",
        "head == NULL || !distance_fits(head)",
        "head == NULL",
        test="glibc_robust",
    ),
    ByHand(
        "across CPUs, the second comer to a free mutex leaves its gate shut",
        "linux/core/eager.c",
        "\t\tplf_gate_release(&f->gate, t->tid);\n\t\treturn EAGAIN;\n",
        "\t\treturn EAGAIN;\n",
        test="two_cpus",
    ),
)
