# SPDX-License-Identifier: MIT
"""Mutants that no operator makes: other design choices, each of which is wrong."""

from __future__ import annotations

from proof.mutation import ByHand

STACK = "protocol/ceiling_stack.h"


BY_HAND = (
    ByHand(
        "push order: the lock is taken before its frame is published",
        STACK,
        "\tif (__builtin_expect(writer->swap(t, top, 0, word) != PLF_WRITTEN, 0))\n"
        "\t\treturn PLF_SLOW;\n\tif (!plf_is64(lock, plf_word_rank(word)))\n"
        "\t\treturn PLF_RECHECK;\n\tplf_store64(lock, word);\n",
        "\tif (!plf_is64(lock, plf_word_rank(word)))\n\t\treturn PLF_RECHECK;\n"
        "\tplf_store64(lock, word);\n"
        "\tif (__builtin_expect(writer->swap(t, top, 0, word) != PLF_WRITTEN, 0))\n"
        "\t\treturn PLF_SLOW;\n",
    ),
    ByHand(
        "pop order, strict: the lock is freed after its frame is gone",
        STACK,
        "\tplf_store64(lock, plf_load_half(plf_low32(lock)));\n\tplf_store64(top, 0);\n"
        "\treturn plf_is32",
        "\tplf_store64(top, 0);\n\tplf_store64(lock, plf_load_half(plf_low32(lock)));\n"
        "\treturn plf_is32",
    ),
    ByHand(
        "pop order, robust: the gate is looked at before the frame is unpublished",
        STACK,
        "\tplf_store64(lock, rank);\n\tif (plf_by_cas.swap(t, t->top, word, 0) != PLF_WRITTEN) {\n"
        "\t\tplf_store64(lock, plf_word(ref, rank));\n\t\treturn PLF_SLOW;\n\t}\n"
        "\treturn plf_is32(&t->frame[0].gate.word, 0) ? PLF_DONE : PLF_HANDOFF;",
        "\tbool open = plf_is32(&t->frame[0].gate.word, 0);\n"
        "\tplf_store64(lock, rank);\n\tif (plf_by_cas.swap(t, t->top, word, 0) != PLF_WRITTEN) {\n"
        "\t\tplf_store64(lock, plf_word(ref, rank));\n\t\treturn PLF_SLOW;\n\t}\n"
        "\treturn open ? PLF_DONE : PLF_HANDOFF;",
    ),
    ByHand(
        "nested push order: the lock is taken before its frame is published",
        STACK,
        "\tif (plf_publish(t, f, plf_word_rank(free), below, writer) != PLF_WRITTEN)\n"
        "\t\treturn PLF_SLOW;\n\tt->nested++;\n\tif (!plf_is64(lock, free))\n"
        "\t\treturn PLF_RECHECK;\n\tplf_store64(lock, held);\n",
        "\tif (!plf_is64(lock, free))\n\t\treturn PLF_SLOW;\n\tplf_store64(lock, held);\n"
        "\tif (plf_publish(t, f, plf_word_rank(free), below, writer) != PLF_WRITTEN)\n"
        "\t\treturn PLF_SLOW;\n\tt->nested++;\n",
    ),
    ByHand(
        "nested pop order: the gate is looked at before the frame is unpublished",
        STACK,
        "\tplf_store64(lock, rank);\n"
        "\tif (plf_unpublish(t, f, word, writer) != PLF_WRITTEN) {\n"
        "\t\tplf_store64(lock, plf_word(f->ref, rank));\n\t\treturn PLF_SLOW;\n\t}\n"
        "\tt->nested--;\n"
        "\treturn plf_is32(&f->gate.word, 0) ? PLF_DONE : PLF_HANDOFF;",
        "\tbool open = plf_is32(&f->gate.word, 0);\n"
        "\tplf_store64(lock, rank);\n"
        "\tif (plf_unpublish(t, f, word, writer) != PLF_WRITTEN) {\n"
        "\t\tplf_store64(lock, plf_word(f->ref, rank));\n\t\treturn PLF_SLOW;\n\t}\n"
        "\tt->nested--;\n"
        "\treturn open ? PLF_DONE : PLF_HANDOFF;",
    ),
    ByHand(
        "one gate a thread: the waiter waits for the holder's outermost section",
        STACK,
        "\t\t\tblocker = f;\n\t\tword = plf_load64(&f->prev);\n\t}\n\treturn blocker;",
        "\t\t\tblocker = f;\n\t\tword = plf_load64(&f->prev);\n\t}\n"
        "\twhile (blocker != NULL && plf_load64(&blocker->prev) != 0 &&\n"
        "\t       plf_owner_of(plf_frame_of(t, plf_load64(&blocker->prev))) ==\n"
        "\t\t       plf_owner_of(blocker))\n"
        "\t\tblocker = plf_frame_of(t, plf_load64(&blocker->prev));\n\treturn blocker;",
    ),
    ByHand(
        "the waiter waits for the inner section",
        STACK,
        "\t\tif (!plf_is_dead(plf_owner_of(f)))\n",
        "\t\tif (blocker == NULL && !plf_is_dead(plf_owner_of(f)))\n",
    ),
    ByHand(
        "two words for top, push: first the frame, then the ceiling",
        STACK,
        "\t(void)expected;\n\tplf_store64(word, desired);\n",
        "\t(void)expected;\n\tplf_store_half(plf_high32(word), plf_word_ref(desired));\n"
        "\tplf_store_half(plf_low32(word), plf_word_rank(desired));\n",
    ),
    ByHand(
        "two words for top, push: first the ceiling, then the frame",
        STACK,
        "\t(void)expected;\n\tplf_store64(word, desired);\n",
        "\t(void)expected;\n\tplf_store_half(plf_low32(word), plf_word_rank(desired));\n"
        "\tplf_store_half(plf_high32(word), plf_word_ref(desired));\n",
    ),
    ByHand(
        "two words for top, pop: first the frame, then the ceiling",
        STACK,
        "\tplf_store64(top, 0);\n",
        "\tplf_store_half(plf_high32(top), 0);\n\tplf_store_half(plf_low32(top), 0);\n",
    ),
    ByHand(
        "the waiter looks before it shuts the gate, not after",
        STACK,
        "\tplf_cas32(&gate->word, 0, tid);\n\tif (plf_blocker(t, plf_load64(t->top)) == f)\n"
        "\t\treturn true;\n",
        "\tif (plf_blocker(t, plf_load64(t->top)) == f) {\n"
        "\t\tplf_cas32(&gate->word, 0, tid);\n\t\treturn true;\n\t}\n",
    ),
    ByHand(
        "strict leaves for robust threads too",
        STACK,
        "\tuint32_t ref = t->fast_ref[PLF_STRENGTH_STRICT];",
        "\tuint32_t ref = t->ref;",
    ),
    ByHand(
        "strict enters for robust threads too",
        STACK,
        "\tuint64_t word = plf_load64(lock) - t->fast_rank[strength];",
        "\tuint64_t word = plf_load64(lock) - t->rank;",
    ),
    ByHand(
        "a frame's ceiling is its lock's own, not the highest up to it",
        STACK,
        "plf_word(f->ref, plf_higher(rank, plf_word_rank(below)))",
        "plf_word(f->ref, rank)",
    ),
    ByHand(
        "no second gate: a waiter that passed the first one takes it again",
        "linux/core/gate.c",
        "\t\terror = acquire(t, f, &f->second, until_ns);\n",
        "\t\terror = EAGAIN;\n",
    ),
    ByHand(
        "a mutex that its holder locked again names its frame for the short paths",
        "linux/core/frames.c",
        "\t\tword = plf_word(t->ref + plf_word_rank(word), rank);\n"
        "\tplf_store64(&mutex->word, word);\n",
        "\t\tword = plf_word(t->ref + plf_word_rank(word), rank);\n",
        scene="recursive",
    ),
    ByHand(
        "a mutex that its holder locked again is given back to frame 0",
        "linux/core/frames.c",
        "\t\tword = plf_word(t->ref + plf_word_rank(word), rank);\n",
        "\t\tword = plf_word(t->ref, rank);\n",
        test="recursive",
    ),
    ByHand(
        "a waiter that gives up at the second gate leaves that shut",
        "linux/core/gate.c",
        "\t\telse if (error != EAGAIN)\n\t\t\tplf_store32(&f->second.word, 0);\n",
        "",
        test="timed_lock",
    ),
    ByHand(
        "a waiter that gives up opens the first gate, where others sleep",
        "linux/core/gate.c",
        "\tplf_slot_end_visit(owner);\n\treturn error",
        "\tif (error == ETIMEDOUT)\n\t\tplf_store32(&f->gate.word, 0);\n"
        "\tplf_slot_end_visit(owner);\n\treturn error",
        test="timed_lock",
    ),
    ByHand(
        "a waiter at the second gate forgets its time",
        "linux/core/gate.c",
        "\t\terror = acquire(t, f, &f->second, until_ns);\n",
        "\t\terror = acquire(t, f, &f->second, PLF_WITHOUT_END);\n",
        test="timed_lock",
    ),
    ByHand(
        "a thread that goes on when its time is over takes its lock for entered",
        "linux/core/frames.c",
        "\t\terror = push(t, rank, until_ns);\n\t\tif (error != 0)\n",
        "\t\terror = push(t, rank, until_ns);\n\t\tif (error != 0 && error != ETIMEDOUT)\n",
        scene="timed",
    ),
)
