# SPDX-License-Identifier: MIT
"""Mutants by hand of libplafond beside the protocol. Each violates the claim of a test."""

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
        "the next holder has the locks of one that died",
        "linux/core/admission.h",
        "\tmutex->again = 0;\n",
        "",
        test="recursive",
    ),
    ByHand(
        "a condition's wait leaves one lock of several",
        "linux/lib/cond.c",
        "plf_is_attached(t) && mutex->again == 0 &&",
        "plf_is_attached(t) &&",
        test="recursive",
    ),
    ByHand(
        "the classic protocol's waiter forgets its time",
        "linux/core/eager.c",
        "\terror = plf_gate_acquire(&owner->thread, &f->gate, until_ns);\n",
        "\terror = plf_gate_acquire(&owner->thread, &f->gate, PLF_WITHOUT_END);\n"
        "\t(void)until_ns;\n",
        test="timed_lock",
    ),
    ByHand(
        "a lock whose time is over is only tried",
        "linux/lib/mutex.c",
        "time_ns == PLF_NOT_AT_ALL ? 1 : time_ns;",
        "time_ns;",
        test="timed_lock",
    ),
    ByHand(
        "across CPUs, the second comer to a free mutex leaves its gate shut",
        "linux/core/eager.c",
        "\t\tplf_gate_release(&f->gate, t->tid);\n\t\treturn EAGAIN;\n",
        "\t\treturn EAGAIN;\n",
        test="two_cpus",
    ),
)
