# SPDX-License-Identifier: MIT
"""Mutants by hand of mutexes across CPUs. Each violates an invariant or the claim of a test."""

from __future__ import annotations

from proof.mutation import ByHand

GLOBAL = "linux/core/global.c"
WORD = "protocol/global_word.h"

BY_HAND = (
    ByHand(
        "frame pushed after the futex: the mutex is taken before its frame is there",
        GLOBAL,
        "\tif (word == 0 || !plf_is64(t->top, 0) || "
        "plf_by_cas.swap(t, t->top, 0, word) != PLF_WRITTEN)\n"
        "\t\treturn PLF_SLOW;\n"
        "\treturn plf_global_take(&mutex->holder, 0, t->ref, t->tid) ? PLF_DONE : PLF_RECHECK;",
        "\tif (word == 0 || !plf_is64(t->top, 0) ||\n"
        "\t    !plf_global_take(&mutex->holder, 0, t->ref, t->tid))\n"
        "\t\treturn PLF_SLOW;\n"
        "\tif (!plf_cas64(t->top, 0, word))\n\t\treturn PLF_SLOW;\n\treturn PLF_DONE;",
        scene="flat",
    ),
    ByHand(
        "the frame goes before the mutex is free",
        GLOBAL,
        "\t    !plf_global_take(&mutex->holder, plf_global_word(t->ref, t->tid), 0, 0))\n"
        "\t\treturn PLF_SLOW;\n"
        "\tif (plf_by_cas.swap(t, t->top, word, 0) != PLF_WRITTEN)\n\t\treturn PLF_RECHECK;\n",
        "\t    !plf_cas64(t->top, word, 0))\n\t\treturn PLF_SLOW;\n"
        "\tif (!plf_global_take(&mutex->holder, plf_global_word(t->ref, t->tid), 0, 0))\n"
        "\t\tgive(t, mutex);\n",
        scene="flat",
    ),
    ByHand(
        "hand-over to the wrong one: the band does not keep the order of the bases",
        GLOBAL,
        "int priority = PLF_GLOBAL_BAND + slot->priority;",
        "int priority = 2 * PLF_GLOBAL_BAND - 1 - slot->priority;",
        scene="order-down",
    ),
    ByHand(
        "lost grant: an owner frees the word although threads wait",
        WORD,
        "if (__atomic_compare_exchange_n(word, &mine, 0, false, "
        "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))\n\t\treturn true;",
        "if (__atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST) == mine)\n\t\treturn true;",
        scene="waits",
    ),
    ByHand(
        "a mutex is taken by a look and a store",
        WORD,
        "\treturn __atomic_compare_exchange_n(word, &seen, plf_global_word(ref, tid), false,\n"
        "\t\t\t\t\t   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);",
        "\tif (plf_global_seen(word) != seen)\n\t\treturn false;\n"
        "\t__atomic_store_n(word, plf_global_word(ref, tid), __ATOMIC_SEQ_CST);\n\treturn true;",
        scene="two-cpus",
    ),
    ByHand(
        "I2: the reference names no frame",
        WORD,
        "return (uint64_t)ref << 32 | tid;",
        "return (uint64_t)(ref != 0) << 32 | tid;",
        scene="waits",
    ),
    ByHand(
        "I3: a newcomer takes a mutex for which threads wait from a dead owner",
        GLOBAL,
        "return is_gone && !(plf_global_has_flags(seen) && has_sleepers(mutex));",
        "return is_gone;",
        scene="death-granted",
    ),
    ByHand(
        "I4: the reference of the last owner stays while the kernel hands the mutex on",
        WORD,
        "\tplf_global_note(word, 0);\n\treturn false;",
        "\treturn false;",
        test="global_death",
    ),
    ByHand(
        "a thread that was granted a mutex, and cannot open its section, keeps it",
        GLOBAL,
        "\t\tgive(t, mutex);\n\t}\n\tcome_down(t, until_ns);",
        "\t}\n\tcome_down(t, until_ns);",
        scene="moved-waiting",
    ),
    ByHand(
        "across CPUs, a thread that was granted a mutex waits for less urgent sections",
        GLOBAL,
        "error = open_priority(t, true, until_ns);",
        "error = open_priority(t, false, until_ns);",
        test="global_order",
    ),
    ByHand(
        "across CPUs, a thread stands in line at its base priority",
        GLOBAL,
        "if (raise_to_band(plf_slot_of(t)) == 0)\n\t\terror = stand",
        "if (plf_slot_of(t) != NULL)\n\t\terror = stand",
        test="global_order",
    ),
    ByHand(
        "across CPUs, a thread stays in the band after its section",
        GLOBAL,
        "if (slot->effective == slot->priority || plf_is_inside(t))",
        "if (slot->effective == slot->priority || true)",
        test="global_order",
    ),
    ByHand(
        "across CPUs, the kernel is not asked to hand a mutex on",
        GLOBAL,
        "if (!plf_global_give(&mutex->holder, ref, t->tid))",
        "if (!plf_global_give(&mutex->holder, ref, t->tid) && ref == 0)",
        test="global_order",
    ),
    ByHand(
        "across CPUs, a thread waits with a section open",
        GLOBAL,
        "return plf_is_inside(t) ? EDEADLK : wait_and_open(t, mutex, until_ns);",
        "return wait_and_open(t, mutex, until_ns);",
        test="global_errors",
    ),
    ByHand(
        "across CPUs, a free mutex is locked at once although its data were given up",
        GLOBAL,
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
        GLOBAL,
        "return is_gone && !(plf_global_has_flags(seen) && has_sleepers(mutex));",
        "return is_gone && !(plf_global_has_flags(seen) && (has_sleepers(mutex) || true));",
        test="global_kernel",
    ),
    ByHand(
        "across CPUs, the kernel's mark of a dead holder is not looked at",
        GLOBAL,
        "if (plf_global_granted(&mutex->holder, t->ref))",
        "if (plf_global_granted(&mutex->holder, t->ref) && t->ref == 0)",
        test="global_death",
    ),
    ByHand(
        "across CPUs, a child of fork() holds a mutex under the TID of its parent",
        "linux/lib/attach.c",
        "\tif (t != NULL)\n\t\tplf_global_after_fork(t);\n",
        "",
        test="global_kernel",
    ),
    ByHand(
        "across CPUs, in a child of fork() a holder of the parent lives",
        GLOBAL,
        "bool is_gone = plf_global_is_noted(seen) &&",
        "bool is_gone = plf_fork_epoch == 0 && plf_global_is_noted(seen) &&",
        test="global_kernel",
    ),
    ByHand(
        "across CPUs, a thread does not spin that may",
        GLOBAL,
        "if (spin_ns == 0 || plf_held(t) != 1)",
        "if (spin_ns < PLF_SPIN_MAX_NS + 1 || plf_held(t) != 1)",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, a thread spins with another section open",
        GLOBAL,
        "if (spin_ns == 0 || plf_held(t) != 1)",
        "if (spin_ns == 0)",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, a thread spins for one that waits to be granted",
        GLOBAL,
        "return plf_global_is_noted(seen) && !plf_global_has_flags(seen) &&\n\t       !plf_ref",
        "return plf_global_is_noted(seen) &&\n\t       !plf_ref",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, a thread spins for a dead holder",
        GLOBAL,
        "!plf_ref_is_gone(t, plf_word_ref(seen)) && plf_owner_of(f)->cpu != t->cpu &&",
        "plf_owner_of(f)->cpu != t->cpu &&",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, a thread spins for a holder of its own CPU",
        GLOBAL,
        "plf_owner_of(f)->cpu != t->cpu &&\n",
        "\n",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, a thread spins for a holder that was preempted",
        GLOBAL,
        "plf_owner_of(f)->cpu != t->cpu &&\n\t       plf_load32(&f->gate.word) == 0;",
        "plf_owner_of(f)->cpu != t->cpu;",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, a thread that spins keeps its own CPU's from running",
        GLOBAL,
        "is_at_work(t, seen)) && plf_load32(&f->gate.word) == 0 &&",
        "is_at_work(t, seen)) &&",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, spinning does not end",
        GLOBAL,
        "plf_clock_ns() < end_ns);",
        "end_ns != 0);",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, spinning has no longest time",
        "linux/lib/mutex.c",
        "if (!plf_is_global(mutex) || spin_ns > PLF_SPIN_MAX_NS)",
        "if (!plf_is_global(mutex))",
        test="global_spin",
    ),
    ByHand(
        "across CPUs, a thread that waited goes on before a section that covers it",
        GLOBAL,
        "\trefused = plf_wait_uncovered(t, until_ns);\n",
        "\trefused = 0;\n\t(void)until_ns;\n",
        test="global_order",
    ),
    ByHand(
        "across CPUs, the first unlock frees a mutex that its holder locked again",
        "linux/core/recursive.c",
        "\t\tslot->globals += is_again ? 1 : -1U;\n",
        "\t\tslot->globals += 0;\n",
        test="recursive",
    ),
    ByHand(
        "across CPUs, a thread whose time is over waits for the sections of its CPU",
        GLOBAL,
        "\t\tgive(t, mutex);\n\t}\n\tcome_down(t, until_ns);",
        "\t\tgive(t, mutex);\n\t}\n\tcome_down(t, PLF_WITHOUT_END);",
        test="timed_lock",
    ),
    ByHand(
        "across CPUs, a thread that is granted the mutex forgets its time",
        GLOBAL,
        "\t\terror = open_priority(t, true, until_ns);\n",
        "\t\terror = open_priority(t, true, PLF_WITHOUT_END);\n",
        test="timed_lock",
    ),
    ByHand(
        "across CPUs, a thread that spins forgets its time",
        GLOBAL,
        "\tif (end_ns > until_ns)\n\t\tend_ns = until_ns;\n",
        "",
        test="timed_lock",
    ),
    ByHand(
        "across CPUs, a thread in line forgets its time",
        GLOBAL,
        "\t\terror = plf_futex_lock_pi(futex_of(mutex), until_ns);\n",
        "\t\terror = plf_futex_lock_pi(futex_of(mutex), PLF_WITHOUT_END);\n",
        test="timed_lock",
    ),
    ByHand(
        "across CPUs, a death makes data that were given up repairable again",
        "linux/core/admission.h",
        "\tif (mutex->state == PLF_MUTEX_CONSISTENT)\n\t\tmutex->state = PLF_MUTEX_INCONSISTENT;",
        "\tmutex->state = PLF_MUTEX_INCONSISTENT;",
        test="global_death",
    ),
    ByHand(
        "across CPUs, a thread that ends stays in the band",
        "linux/lib/attach.c",
        "\tplf_set_effective(plf_slot_of(t), plf_slot_of(t)->priority);",
        "",
        test="global_death",
    ),
    ByHand(
        "across CPUs, a lock between two holders is a cancellation point",
        GLOBAL,
        "\tsyscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);",
        "\tnanosleep(&time, NULL);",
        test="global_kernel",
    ),
    ByHand(
        "across CPUs, an unlock looks at its mutex before it lets a thread go",
        GLOBAL,
        "\tif (found == PLF_HANDOFF)\n\t\tplf_gates_release",
        "\tif (found == PLF_HANDOFF && mutex->state == PLF_MUTEX_CONSISTENT)\n"
        "\t\tplf_gates_release",
        test="global_freed",
    ),
    ByHand(
        "across CPUs, an unlock looks at its mutex again below a section that came meanwhile",
        GLOBAL,
        "return end_section(t, &t->frame[0]);",
        "return close_section(t, mutex);",
        test="global_freed",
    ),
)
