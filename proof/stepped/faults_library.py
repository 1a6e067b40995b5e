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
    ByHand(
        "across CPUs, a thread that was granted a mutex waits for less urgent sections",
        "linux/core/global.c",
        "error = open_priority(t, true, true);",
        "error = open_priority(t, false, true);",
        test="global_order",
    ),
    ByHand(
        "across CPUs, a thread stands in line at its base priority",
        "linux/core/global.c",
        "if (raise_to_band(plf_slot_of(t)) == 0)\n\t\terror = stand",
        "if (plf_slot_of(t) != NULL)\n\t\terror = stand",
        test="global_order",
    ),
    ByHand(
        "across CPUs, a thread stays in the band after its section",
        "linux/core/global.c",
        "if (slot->effective != slot->priority && !plf_is_inside(t))",
        "if (slot->effective > PLF_PRIORITY_MAX && !plf_is_inside(t))",
        test="global_order",
    ),
    ByHand(
        "across CPUs, the kernel is not asked to hand a mutex on",
        "linux/core/global.c",
        "if (!plf_global_give(&mutex->holder, ref, t->tid))",
        "if (!plf_global_give(&mutex->holder, ref, t->tid) && ref == 0)",
        test="global_order",
    ),
    ByHand(
        "across CPUs, a thread waits with a section open",
        "linux/core/global.c",
        "return plf_is_inside(t) ? EDEADLK : wait_and_open(t, mutex);",
        "return wait_and_open(t, mutex);",
        test="global_errors",
    ),
    ByHand(
        "across CPUs, a free mutex is locked at once although its data were given up",
        "linux/core/global.c",
        "return open_section(t, mutex, &t->frame[0]);",
        "return open_section(t, mutex, &t->frame[0]) == EOWNERDEAD ? EOWNERDEAD : 0;",
        test="global_in_steps",
    ),
    ByHand(
        "across CPUs, a section opens one of this CPU alone",
        "linux/core/admission.c",
        "plf_holds(t, mutex) || plf_slot_of(t)->globals > 0",
        "plf_holds(t, mutex)",
        test="global_errors",
    ),
    ByHand(
        "across CPUs, the kernel's flag hides a dead holder",
        "linux/core/global.c",
        "return is_gone && !(plf_global_has_flags(seen) && has_sleepers(mutex));",
        "return is_gone && !(plf_global_has_flags(seen) && (has_sleepers(mutex) || true));",
        test="global_death",
    ),
    ByHand(
        "across CPUs, the kernel's mark of a dead holder is not looked at",
        "linux/core/global.c",
        "if (plf_global_granted(&mutex->holder, t->ref))",
        "if (plf_global_granted(&mutex->holder, t->ref) && t->ref == 0)",
        test="global_death",
    ),
    ByHand(
        "across CPUs, a child of fork() holds a mutex under the TID of its parent",
        "linux/lib/attach.c",
        "\tif (t != NULL)\n\t\tplf_global_after_fork(t);\n",
        "",
        test="global_death",
    ),
    ByHand(
        "across CPUs, in a child of fork() a holder of the parent lives",
        "linux/core/global.c",
        "bool is_gone = plf_global_is_noted(seen) &&",
        "bool is_gone = plf_fork_epoch == 0 && plf_global_is_noted(seen) &&",
        test="global_death",
    ),
)
