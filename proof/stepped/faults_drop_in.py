# SPDX-License-Identifier: MIT
"""Faults in the drop-in. Each violates a sentence of its design."""

from __future__ import annotations

from proof.mutation import ByHand

STACK = "protocol/ceiling_stack.h"
FRAMES = "linux/pthread/frames.c"
SECTION = "linux/pthread/section.c"
FAST = "linux/pthread/section_fast.h"
SEQUENCES = "linux/core/rseq.h"
STEPS = "linux/core/processors/x86_64/sequence.h"
WORD = "linux/pthread/lock_word.c"
ROBUST = "linux/pthread/robust.c"
MEMBER = "linux/pthread/member.c"
COMMIT = "linux/pthread/commit.c"
PROCESS = "linux/pthread/process.c"

BY_HAND = (
    ByHand(
        "the change of mode does not wait: no membarrier",
        "linux/pthread/kernel_calls.c",
        "\tif (!restart_by_membarrier(cpu) && ",
        "\tif (cpu == UINT32_MAX && !restart_by_membarrier(cpu) && ",
        "change",
    ),
    ByHand(
        "the sequence that locks does not look at the mode",
        SEQUENCES,
        " PLF_EXPECT_32(home, word)",
        "",
        "changed-before",
    ),
    ByHand(
        "the sequence that unlocks does not look at the mode",
        SEQUENCES,
        " PLF_EXPECT_32(home, local)",
        "",
        "changed-before",
    ),
    ByHand(
        "sequences do not look at the CPU",
        STEPS,
        '\t"1:\tcmpl\t%[cpu], 4(%[rseq])\\n"'
        "                                                             \\\n"
        '\t"\tjne\t%l[mismatch]\\n"\n',
        '\t"1:\tnop\\n"\n',
        "moved",
    ),
    ByHand(
        "the lock word is taken before the frame is on the stack",
        SEQUENCES,
        "PLF_STORE_64(top, word) PLF_STORE_32(lock, tid)",
        "PLF_STORE_32(lock, tid) PLF_STORE_64(top, word)",
        "again",
    ),
    ByHand(
        "a frame without its lock word is not taken back",
        FAST,
        "\tcase PLF_RESTARTED:\n\t\treturn PLF_FAST_TAKE_BACK;\n",
        "\tcase PLF_RESTARTED:\n\t\treturn PLF_FAST_NOT;\n",
        "flat",
    ),
    ByHand(
        "the account is closed after the mutex is free: a handler finds what is over",
        FAST,
        "\tplf_set_published(0);\n\tplf_barrier();\n"
        "\tif (plf_me.section[0].kept != PLF_KEPT_BY_FRAME)\n\t\treturn PLF_FAST_NOT;\n",
        "",
        "handler",
    ),
    ByHand(
        "a commit of a handler during the fast close is not noticed",
        FAST,
        "\tif (plf_me.section[0].kept != PLF_KEPT_BY_FRAME)\n\t\treturn PLF_FAST_NOT;\n",
        "",
        "handler",
    ),
    ByHand(
        "fast close: the thread that sleeps at the gate is not let go",
        FAST,
        " ||\n\t    plf_load32(&plf_me.place->frame[0].gate.word) != 0)\n",
        ")\n",
        "flat",
    ),
    ByHand(
        "shared: a frame stays on the stack although the mutex is held",
        FAST,
        "\t\t\t\t\t __ATOMIC_SEQ_CST))\n\t\treturn PLF_FAST_TAKE_BACK;\n",
        "\t\t\t\t\t __ATOMIC_SEQ_CST))\n\t\treturn PLF_FAST_NOT;\n",
        test="semantics/two_cpus",
    ),
    ByHand(
        "shared: a thread that cannot be lazy opens a section by a frame",
        FAST,
        "base == PLF_RANK_FAR || ",
        "",
        test="semantics/outside",
    ),
    ByHand(
        "shared: the mutex is free, and a thread that sleeps for it sleeps on",
        FAST,
        "\t       __atomic_compare_exchange_n(&m->lock, &mine, 0, false, __ATOMIC_SEQ_CST,\n"
        "\t\t\t\t\t   __ATOMIC_SEQ_CST);\n",
        "\t       (__atomic_store_n(&m->lock, 0, __ATOMIC_SEQ_CST), true);\n",
        test="semantics/two_cpus",
    ),
    ByHand(
        "shared: the ceiling is not looked at again",
        FAST,
        "\tif (plf_home(m) != home) {",
        "\tif (false) {",
        "two-cpus-ceiling",
    ),
    ByHand(
        "shared: the lock word is taken without its frame",
        FAST,
        "\tif (plf_rseq_swap(plf_me.rseq, plf_me.cpu, plf_me.top, 0, word) != PLF_COMMITTED)\n"
        "\t\treturn PLF_FAST_NOT;\n",
        "",
        "flat",
    ),
    ByHand(
        "the gate is looked at before the frame goes",
        FRAMES,
        "\tif (!plf_unlink(t, f, &plf_by_sequence))\n\t\treturn false;\n"
        "\tplf_set_published(plf_me.published - 1);\n"
        "\tif (plf_me.published > 0)\n"
        "\t\treckoned = plf_reckon_above(t, below, &plf_by_sequence);\n",
        "\tif (plf_load32(&f->gate.word) != 0)\n\t\tplf_gates_release(f, plf_me.tid);\n"
        "\tif (!plf_unlink(t, f, &plf_by_sequence))\n\t\treturn false;\n"
        "\tplf_set_published(plf_me.published - 1);\n"
        "\tif (plf_me.published > 0)\n"
        "\t\treckoned = plf_reckon_above(t, below, &plf_by_sequence);\n"
        "\tf = &plf_me.place->frame[0];\n",
        "rising",
    ),
    ByHand(
        "a frame is unlinked without looking again",
        STACK,
        "\t\t    writer->move(t, where, word, &f->prev) == PLF_MOVED)\n\t\t\treturn false;\n",
        "\t\t    writer->move(t, where, word, &f->prev) == PLF_MOVED)\n\t\t\treturn false;\n"
        "\t\treturn true;\n",
        "rising",
    ),
    ByHand(
        "a frame in the middle goes, and the frame above still points at it",
        STACK,
        "\t\tuint64_t *where = plf_namer(t, f->ref);\n\t\tuint64_t word;\n\n"
        "\t\tif (where == NULL)\n",
        "\t\tuint64_t *where = plf_namer(t, f->ref);\n\t\tuint64_t word;\n\n"
        "\t\tif (where != t->top)\n",
        "out-of-order",
    ),
    ByHand(
        "the ceilings of the frames above are not reckoned anew",
        FRAMES,
        "\t\treckoned = plf_reckon_above(t, below, &plf_by_sequence);\n",
        "\t\t(void)below;\n",
        "out-of-order",
    ),
    ByHand(
        "a thread that slept at the gate of a frame above is not let go",
        FRAMES,
        "\t\t\tplf_gates_release(&t->frame[level], plf_me.tid);\n",
        "\t\t\tcontinue;\n",
        "out-of-order",
    ),
    ByHand(
        "a restart of the sequence that writes is taken for a commit",
        SEQUENCES,
        "\tif (outcome == PLF_COMMITTED)\n",
        "\tif (outcome != PLF_MISMATCH)\n",
        "rising",
    ),
    ByHand(
        "a frame is pushed though the top has changed",
        SEQUENCES,
        "PLF_EXPECT_64(word, expected) PLF_STORE_64(prev, expected)",
        "PLF_STORE_64(prev, expected)",
        test="frames/walk",
    ),
    ByHand(
        "a pushed frame does not know what lay below it",
        SEQUENCES,
        " PLF_STORE_64(prev, expected)",
        "",
        "rising",
    ),
    ByHand(
        "a frame's `prev` is written before the sequence that pushes it",
        SEQUENCES,
        "\treturn plf_sequence_wrote(\n"
        "\t\tt, plf_rseq_push(plf_rseq_area(), t->cpu, word, expected, desired, prev));\n",
        "\tplf_store64(prev, expected);\n\treturn plf_sequence_wrote(\n"
        "\t\tt, plf_rseq_swap(plf_rseq_area(), t->cpu, word, expected, desired));\n",
        test="frames/walk",
    ),
    ByHand(
        "frame 0 is used above others",
        FRAMES,
        "\tfor (int index = below == 0 ? 0 : 1; index",
        "\t(void)below;\n\tfor (int index = 0; index",
        "sleeper",
    ),
    ByHand(
        "a frame stands on a section that the kernel keeps",
        SECTION,
        "\tif (o->why == PLF_RAISED)\n\t\treturn 0;\n",
        "",
        "called",
    ),
    ByHand(
        "a pushed frame shows its own ceiling, not the highest up to it",
        STACK,
        "plf_word(f->ref, plf_higher(rank, plf_word_rank(below)))",
        "plf_word(f->ref, rank)",
        "falling",
    ),
    ByHand(
        "the first frame that covers is waited for, not the outermost",
        STACK,
        "\t\tif (!plf_is_dead(plf_owner_of(f)))\n",
        "\t\tif (blocker == NULL && !plf_is_dead(plf_owner_of(f)))\n",
        "rising",
    ),
    ByHand(
        "a dead one's frame is waited for",
        FRAMES,
        "\t\tif (blocker == NULL) { /* all",
        "\t\tif (t == NULL) { /* all",
        "vanished",
    ),
    ByHand(
        "a commit does not reach the kernel",
        COMMIT,
        "\tint error = plf_priority_raise(section->ceiling);\n",
        "\tint error = EPERM;\n",
        "handler",
    ),
    ByHand(
        "a sleeper keeps its frame",
        "linux/pthread/wait.c",
        "\tplf_commit(PLF_BLOCKING_CALL);\n",
        "",
        "behind",
    ),
    ByHand(
        "a handler that interrupted the library commits, too",
        "linux/pthread/wait.c",
        "\tif (plf_me.busy != 0)\n\t\treturn;\n\tsignals",
        "\tsignals",
        "handler-nested",
    ),
    ByHand(
        "a woken thread does not look up",
        "linux/pthread/wait.c",
        "plf_me.place != NULL && plf_me.inside == 0 && !plf_wait_for_cover()",
        "plf_me.place == NULL",
        "flat",
    ),
    ByHand(
        "the priority of an eager section is not given back",
        SECTION,
        "\tif (kept == PLF_KEPT_EAGERLY)\n\t\tplf_priority_lower(ceiling);\n",
        "\t(void)ceiling;\n",
        "handler",
    ),
    ByHand(
        "close: the frame goes before the mutex is free",
        SECTION,
        "\tplf_robust_leave(m);\n\tplf_lock_word_give(m);\n\tplf_robust_end();\n"
        "\tif (kept == PLF_KEPT_EAGERLY)\n\t\tplf_priority_lower(ceiling);\n"
        "\tif (kept == PLF_KEPT_BY_FRAME)\n\t\tend_frame(plf_number_of(section));\n"
        "\telse if (section != NULL)\n\t\tsection->kept = PLF_KEPT_NOT;\n",
        "\tif (kept == PLF_KEPT_EAGERLY)\n\t\tplf_priority_lower(ceiling);\n"
        "\tif (kept == PLF_KEPT_BY_FRAME)\n\t\tend_frame(plf_number_of(section));\n"
        "\telse if (section != NULL)\n\t\tsection->kept = PLF_KEPT_NOT;\n"
        "\tplf_robust_leave(m);\n\tplf_lock_word_give(m);\n\tplf_robust_end();\n",
        "rising",
    ),
    ByHand(
        "the thread that has the frame may sleep for the lock word with it",
        SECTION,
        "\tgive_priority(o);\n\to->kept = inherits",
        "\to->kept = inherits",
        "two-cpus",
    ),
    ByHand(
        "a thread that is gone is no reason to wait on",
        SECTION,
        "error == ESRCH || error == EPERM ||",
        "error == EPERM ||",
        "death",
    ),
    ByHand(
        "a shared mutex with waiters is freed without the kernel",
        WORD,
        "\t\t\tif (!swap(&m->lock, plf_me.tid, 0))\n\t\t\t\tfutex(&m->lock, FUTEX_UNLOCK_PI",
        "\t\t\tm->lock = 0;\n\t\t\tif (m == NULL)\n\t\t\t\tfutex(&m->lock, FUTEX_UNLOCK_PI",
        "two-cpus",
    ),
    ByHand(
        "a thread that cannot have a shared mutex takes it",
        WORD,
        "\t\t\treturn swap(&m->lock, 0, plf_me.tid) || try_after_death(m);\n",
        "\t\t\treturn swap(&m->lock, plf_lock_word(m), plf_me.tid);\n",
        "two-cpus",
    ),
    ByHand(
        "a waiter in local mode sleeps without a change of mode",
        WORD,
        "\tshare(m);\n\tplf_counts.lock_waits++;\n",
        "\tplf_counts.lock_waits++;\n",
        "sleeper",
    ),
    ByHand(
        "a robust mutex is not hung in the kernel's list",
        "linux/core/robust_list.c",
        "\t*(void *volatile *)&head->list.next = plf_robust_link_to(first);\n",
        "",
        "robust",
    ),
    ByHand(
        "a death is not reported",
        "linux/pthread/robust.c",
        "\t\tm->state = PLF_INCONSISTENT;\n",
        "\t\tm->state = PLF_CONSISTENT;\n",
        "robust",
    ),
    ByHand(
        "a signal begins no new sequence number",
        "linux/pthread/cond_state.c",
        "\t__atomic_fetch_add(plf_cond_sequence(cond), 1, __ATOMIC_SEQ_CST);\n",
        "",
        "wait",
    ),
    ByHand(
        "a signal wakes no waiter",
        "linux/pthread/cond_state.c",
        "\tplf_cond_rouse(plf_cond_sequence(cond), is_shared(state), sleepers);\n",
        "\t(void)sleepers;\n",
        "wait",
    ),
    ByHand(
        "a broadcast wakes one",
        "linux/pthread/cond.c",
        "\tplf_cond_wake(cond, state, INT_MAX);\n",
        "\tplf_cond_wake(cond, state, 1);\n",
        "broadcast",
    ),
    ByHand(
        "a waiter reads the sequence number after it has unlocked",
        "linux/pthread/cond.c",
        "\tplf_before_wait();\n\terror = sleep_until(",
        "\tenter(&waiter);\n\tplf_cond_leave(cond, waiter.state);\n\tplf_before_wait();\n"
        "\terror = sleep_until(",
        "wait",
    ),
    ByHand(
        "a cancelled waiter does not lock again",
        "linux/pthread/cond.c",
        "\t\tplf_cond_rouse(sequence, (waiter->state & PLF_COND_SHARED) != 0, INT_MAX);\n"
        "\tleave(waiter);\n",
        "\t\tplf_cond_rouse(sequence, (waiter->state & PLF_COND_SHARED) != 0, INT_MAX);\n"
        "\tplf_cond_leave(waiter->cond, waiter->state);\n",
        "cancelled",
    ),
    ByHand(
        "shared is written before the sequences of the mutex's CPU are restarted",
        WORD,
        "\t\t\tswap(&m->home, home, home | PLF_HOME_CHANGING);\n",
        "\t\t\tif (set_mode(m, home, (uint32_t)PLF_HOME_SHARED))\n"
        "\t\t\t\tplf_kernel_restart_sequences(plf_home_place(home) - 1);\n",
        "change-by-two",
    ),
    ByHand(
        "a thread that finds the change of mode begun restarts no sequence",
        WORD,
        "\tfor (;;) {\n\t\tuint32_t home = plf_home(m);\n\n"
        "\t\tif (plf_home_is_shared(home))\n\t\t\treturn;\n"
        "\t\tif ((home & PLF_HOME_CHANGING) != 0) {\n\t\t\tplf_kernel",
        "\tbool found = (plf_home(m) & PLF_HOME_CHANGING) != 0;\n\n"
        "\tfor (;;) {\n\t\tuint32_t home = plf_home(m);\n\n"
        "\t\tif (plf_home_is_shared(home))\n\t\t\treturn;\n"
        "\t\tif ((home & PLF_HOME_CHANGING) != 0) {\n\t\t\tif (!found)\n\t\t\t\tplf_kernel",
        "change-by-two",
    ),
    ByHand(
        "the kernel does not hear of a robust mutex before it is locked",
        ROBUST,
        "\tif (is_robust(m))\n\t\tset_pending(plf_robust_link_to(m->link));\n",
        "\t(void)m;\n",
        "killed-robust",
    ),
    ByHand(
        "the kernel does not hear of a robust mutex before it is unlocked",
        ROBUST,
        "\tset_pending(plf_robust_link_to(m->link));\n\tplf_robust_list_take_out",
        "\tplf_robust_list_take_out",
        "killed-robust",
    ),
    ByHand(
        "a robust mutex leaves the kernel's list before the kernel hears of it",
        ROBUST,
        "\tset_pending(plf_robust_link_to(m->link));\n"
        "\tplf_robust_list_take_out(m->link, m->link);\n",
        "\tplf_robust_list_take_out(m->link, m->link);\n"
        "\tset_pending(plf_robust_link_to(m->link));\n",
        "killed-robust",
    ),
    ByHand(
        "a mutex is no longer pending for the kernel before it is in the list",
        ROBUST,
        "\tplf_robust_list_hang_in(own_head(), m->link, m->link);\n\tplf_robust_end();\n",
        "\tplf_robust_end();\n\tplf_robust_list_hang_in(own_head(), m->link, m->link);\n",
        "killed-robust",
    ),
    ByHand(
        "a freed robust mutex stays in the kernel's list",
        ROBUST,
        "\tplf_robust_list_take_out(m->link, m->link);\n",
        "",
        test="semantics/robust",
    ),
    ByHand(
        "a freed robust mutex stays what the kernel looks at besides",
        ROBUST,
        "\tif (head != NULL)\n\t\tset_pending(NULL);\n",
        "",
        test="semantics/robust",
    ),
    ByHand(
        "a death makes a lost state inconsistent, which can be mended",
        ROBUST,
        "\t     FUTEX_OWNER_DIED) != 0 &&\n\t    m->state == PLF_CONSISTENT)\n",
        "\t     FUTEX_OWNER_DIED) != 0)\n",
        "killed-lost",
    ),
    ByHand(
        "a mutex that was not made consistent can be locked again",
        ROBUST,
        "\t\tm->state = PLF_NOT_RECOVERABLE;\n",
        "\t\tm->state = PLF_CONSISTENT;\n",
        test="semantics/robust",
    ),
    ByHand(
        "the child of fork() owns nothing that its thread held",
        PROCESS,
        "\tplf_sections_after_fork();\n",
        "",
        test="semantics/fork",
    ),
    ByHand(
        "in the child of fork() the parent's TID stands in the frames",
        "linux/pthread/settle.c",
        "\tif (plf_arena != NULL)\n\t\tplf_arena_after_fork(plf_me.place == NULL ? NULL : "
        "plf_slot_of(plf_me.place), tid);\n",
        "",
        test="semantics/fork",
    ),
    ByHand(
        "the registry stays locked in the child of fork()",
        PROCESS,
        "\tplf_registry_renew(had_registry);\n",
        "",
        test="semantics/fork",
    ),
    ByHand(
        "the waiters of the parent are waited for in the child of fork()",
        PROCESS,
        "\tplf_conds_after_fork();\n",
        "",
        test="cond/fork",
    ),
    ByHand(
        "a ceiling reckoned anew is the frame's own, not the highest up to it",
        STACK,
        "plf_word(f->ref, plf_higher(f->rank, plf_word_rank(plf_load64(&f->prev))))",
        "plf_word(f->ref, f->rank)",
        test="semantics/release_order",
    ),
    ByHand(
        "ceilings are reckoned anew from inside out",
        STACK,
        "\twhile (count-- > 0) {\n\t\tplf_reckon(t, &t->frame[above[count]], writer);\n"
        "\t\tlevels |= 1U << above[count];\n",
        "\tfor (size_t i = 0; i < count; i++) {\n\t\tplf_reckon(t, &t->frame[above[i]], writer);\n"
        "\t\tlevels |= 1U << above[i];\n",
        "out-of-order",
    ),
    ByHand(
        "a ceiling is reckoned once, though a frame came or went meanwhile",
        STACK,
        "\t\t    writer->swap(t, where, word, right) == PLF_MOVED)\n\t\t\treturn;\n",
        "\t\t    writer->swap(t, where, word, right) != PLF_WRITTEN)\n\t\t\treturn;\n",
        "out-of-order",
    ),
    ByHand(
        "the sleepers at the gate of a frame that is taken back are not let go",
        FRAMES,
        "\tplf_gates_release(f, plf_me.tid);\n\treturn true;\n}\n\nbool plf_frames_take_off",
        "\treturn true;\n}\n\nbool plf_frames_take_off",
        "unsettled",
    ),
    ByHand(
        "a commit takes the frame before the kernel knows the ceiling",
        COMMIT,
        "\t\tkeep_eagerly(section);\n"
        "\t\tmoved = moved || !plf_frame_take_off(plf_number_of(section));\n",
        "\t\tmoved = moved || !plf_frame_take_off(plf_number_of(section));\n"
        "\t\tkeep_eagerly(section);\n",
        "asked",
    ),
    ByHand(
        "of several sections the lowest is taken for the highest",
        MEMBER,
        "\t\t    (highest == NULL || member->section[i].ceiling > highest->ceiling))\n",
        "\t\t    (highest == NULL || member->section[i].ceiling < highest->ceiling))\n",
        test="semantics/effective_priority",
    ),
    ByHand(
        "a thread that waited for its holder pushes a frame",
        SECTION,
        "\tif (may_be_lazy(o) && plf_me.may_claim)\n\t\tclaim(o);\n",
        "\tif (may_be_lazy(o) && be_lazy(o) != 0)\n\t\to->kept = PLF_KEPT_INHERITED;\n",
        "lent",
    ),
    ByHand(
        "a system call that succeeds returns the error of an earlier one",
        WORD,
        "NULL, bits) < 0)\n",
        "NULL, bits) <= 0)\n",
        "two-cpus",
    ),
    ByHand(
        "a sleep for what will not come ends by its time alone",
        WORD,
        "\twhile (error == 0 || error == EINTR)\n",
        "\twhile (error != ETIMEDOUT)\n",
        test="semantics/timedlock",
    ),
    ByHand(
        "a woken waiter waits for a section before a destroyer may go on",
        "linux/pthread/cond.c",
        "\tplf_cond_leave(waiter->cond, waiter->state);\n\tplf_after_wait();\n",
        "\tplf_after_wait();\n\tplf_cond_leave(waiter->cond, waiter->state);\n",
        test="cond/destruction",
    ),
    ByHand(
        "a cancelled waiter takes the wake-up of another one with it",
        "linux/pthread/cond.c",
        "\tif (__atomic_load_n(sequence, __ATOMIC_SEQ_CST) != waiter->sequence)\n",
        "\tif (sequence == NULL)\n",
        test="cond/cancellation",
    ),
    ByHand(
        "the last waiter that leaves does not wake the destroyer",
        "linux/pthread/cond_state.c",
        "\tif ((before & PLF_COND_DESTROYER) != 0 && "
        "(before & PLF_COND_WAITERS) == PLF_COND_WAITER)\n",
        "\tif (before == UINT32_MAX)\n",
        test="cond/destruction",
    ),
    ByHand(
        "the C library's waiters are not brought along",
        "linux/pthread/cond_state.c",
        "\tif (!plf_cond_is_ours(state) && has_waiters(state))\n\t\tbring_along(cond);\n",
        "\t(void)bring_along;\n",
        test="cond/other_mutexes",
    ),
    ByHand(
        "a place that a thread was moved away from is lost",
        "linux/pthread/place.c",
        "\tplf_slot_leave_behind(plf_slot_of(place), plf_frames_there(place));\n",
        "",
        test="semantics/moves",
    ),
    ByHand(
        "a frame of a place that was left behind is not counted as gone",
        FRAMES,
        "\t\tplf_slot_bury(slot);\n",
        "\t\t(void)slot;\n",
        test="semantics/moves",
    ),
    ByHand(
        "a place of one stack is given to a thread of another CPU",
        "linux/core/arena.c",
        "is_free(&plf_arena->slot[i]) && may_serve(&plf_arena->slot[i], cpu)",
        "is_free(&plf_arena->slot[i]) && (may_serve(&plf_arena->slot[i], cpu) || true)",
        test="frames/walk",
    ),
    ByHand(
        "whether the newest frame is a dead one's is asked before the look for the blocker",
        FRAMES,
        "\t\tblocker = plf_blocker(t, word);\n\t\tif (blocker == NULL) {",
        "\t\tbool is_dead = plf_is_dead(plf_owner_of(plf_frame_of(t, word)));\n"
        "\t\tblocker = plf_blocker(t, word);\n\t\tif (is_dead) {",
        test="frames/walk",
    ),
    ByHand(
        "a lock is refused for an old base, without asking again",
        "linux/pthread/section.c",
        "\treturn error == EINVAL ? refuse(error) : error;\n",
        "\treturn error;\n",
        test="semantics/outside",
    ),
    ByHand(
        "the first section does not ask for the base",
        "linux/pthread/settle.c",
        "plf_me.known && plf_priority_ask_again();",
        "false;",
        test="semantics/outside",
    ),
    ByHand(
        "a kept priority is taken for the base",
        "linux/pthread/priority.c",
        "\tif (priority_now != priority)\n",
        "",
        test="semantics/scheduling_calls",
    ),
    ByHand(
        "the hook of a child of vfork() settles its parent's thread",
        "linux/pthread/wait.c",
        "\tplf_me.lent = !plf_is_self();\n\treturn plf_me.lent;\n",
        "\tplf_me.tid = plf_libc_tid() + 1;\n\treturn false;\n",
        test="semantics/vfork",
    ),
    ByHand(
        "a handler may interrupt the thread that has the registry",
        "linux/core/registry.c",
        "\tpthread_sigmask(SIG_BLOCK, &signals, before);\n",
        "\tpthread_sigmask(SIG_BLOCK, NULL, before);\n",
        test="semantics/interrupted",
    ),
    ByHand(
        "a handler may interrupt a wait at a gate",
        "linux/pthread/frames.c",
        "\tuint64_t signals = plf_kernel_block_signals();\n",
        "\tuint64_t signals = 0;\n",
        test="semantics/jumps",
    ),
    ByHand(
        "a process without a report makes a system call at its end",
        "linux/pthread/report.c",
        "\tif (__atomic_load_n(&target->writer, __ATOMIC_RELAXED) == 0)\n\t\treturn false;\n",
        "",
        test="semantics/sandbox",
    ),
)
