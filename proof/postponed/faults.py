# SPDX-License-Identifier: MIT
"""Faults that no operator makes: other choices of the design, all wrong."""

from __future__ import annotations

from proof.boundary.subject import with_habit
from proof.mutation import ByHand
from proof.postponed.scenarios import SUBJECTS

_DRIVER = "proof/postponed/driver.c"
_LOCK = """\tpreempt_disable();
\tif (!plf_cas64(&proof_shared.owner[lock], 0, (uintptr_t)t)) {
\t\tpreempt_enable();
\t\tlock_slow(t, lock);
\t\treturn;
\t}
"""
_NOTE = """\tplf_store64(&proof_shared.pending,
\t\t    plf_postpone(&proof_shared.section[lock], plf_load64(&proof_shared.pending)));
"""
_UNLOCK = """\tpreempt_disable();
\tif (!plf_is_newest(&proof_shared.section[lock], plf_load64(&proof_shared.pending))) {
"""

BY_HAND = (
    ByHand("noted before it is taken", _DRIVER, _LOCK + _NOTE, _NOTE + _LOCK),
    ByHand(
        "lock: preemption stays on",
        _DRIVER,
        _LOCK + _NOTE + "\tpreempt_enable();\n",
        _LOCK.replace("\tpreempt_disable();\n", "").replace("\t\tpreempt_enable();\n", "") + _NOTE,
    ),
    ByHand(
        "lock: preemption comes on between taking and noting",
        _DRIVER,
        _LOCK + _NOTE,
        _LOCK + "\tpreempt_enable();\n\tpreempt_disable();\n" + _NOTE,
    ),
    ByHand(
        "unlock: preemption comes on between the question and the answer",
        _DRIVER,
        "\tplf_store64(&proof_shared.pending, plf_unpostpone(",
        "\tpreempt_enable();\n\tpreempt_disable();\n"
        "\tplf_store64(&proof_shared.pending, plf_unpostpone(",
    ),
    ByHand(
        "unlock: off the list, preemption comes on, and then free",
        _DRIVER,
        "plf_unpostpone(&proof_shared.section[lock]));\n",
        "plf_unpostpone(&proof_shared.section[lock]));\n"
        "\tpreempt_enable();\n\tpreempt_disable();\n",
    ),
    ByHand(
        "unlock: popped though it is not on top",
        _DRIVER,
        _UNLOCK,
        _UNLOCK.replace("if (", "if (t->sections == 0 && false && "),
    ),
    ByHand(
        "unlock: only what is settled takes the slow path",
        _DRIVER,
        _UNLOCK,
        _UNLOCK.replace(
            "if (!plf_is_newest(&proof_shared.section[lock], plf_load64(&proof_shared.pending)))",
            "if (plf_load64(&proof_shared.pending) == 0)",
        ),
    ),
    ByHand(
        "settle: the list is not emptied", _DRIVER, "\tplf_store64(&proof_shared.pending, 0);\n", ""
    ),
    ByHand(
        "settle: only the newest section counts",
        _DRIVER,
        "\tfor (; s != NULL; s = plf_section_at(s->older))\n\t\tnote_settled(t, s);\n",
        "\tif (s != NULL)\n\t\tnote_settled(t, s);\n",
    ),
    ByHand(
        "unlock: a section in the middle of the list stays on it",
        _DRIVER,
        "\t\t\ts->older = plf_unpostpone(which);\n",
        "",
    ),
    ByHand(
        "unlock: the priority stays",
        _DRIVER,
        "\tfree_mutex(t, lock);\n\tadjust(t);\n",
        "\tfree_mutex(t, lock);\n",
    ),
)

HABITS = {
    "the kernel raises to the tail of the level": with_habit(SUBJECTS, is_raise_first=False),
    "preemption that is off defers nothing": with_habit(SUBJECTS, is_deferred=False),
}
