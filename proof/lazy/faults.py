# SPDX-License-Identifier: MIT
"""Faults that no operator makes: other choices of the design, all wrong."""

from __future__ import annotations

from proof.boundary.subject import with_habit
from proof.lazy.scenarios import SUBJECTS
from proof.mutation import ByHand

_HEADER, _DRIVER = "protocol/lazy_ceiling.h", "proof/lazy/driver.c"
_ENTER_ROBUST = """\tplf_store64(&t->claim[PLF_LAZY_ROBUST], claim);
\tif (!plf_cas64(lock, free, claim))
\t\treturn PLF_LAZY_TAKEN;
"""
_LEAVE_ROBUST = """\tif (!plf_cas64(lock, held, held + idle))
\t\treturn PLF_LAZY_SLOW; /* a thread began to wait */
\tplf_store64(&t->claim[PLF_LAZY_ROBUST], idle);
"""
_LEAVE_STRICT = """\tplf_add64(lock, idle);
\tplf_store64(&t->claim[PLF_LAZY_STRICT], idle);
\treturn plf_is32(&t->raised, 0) ? PLF_LAZY_DONE : PLF_LAZY_RAISED;
"""
_LEAVE_SLOWLY = """\t\tif (plf_lazy_give(&proof_shared.lock[which], key_of[which]))
\t\t\tCALL(MARK_WAKE, which, 0);
\t\toutcome = plf_lazy_withdraw(t, STRENGTH);
"""
_ENTER_SLOWLY = """\t\tplf_lazy_claim(t, STRENGTH, key);
\t\tif (plf_lazy_take(t, STRENGTH, lock, key))
\t\t\treturn true;
"""

BY_HAND = (
    ByHand(
        "robust leave: the claim is withdrawn before the lock is given back",
        _HEADER,
        _LEAVE_ROBUST,
        "\tplf_store64(&t->claim[PLF_LAZY_ROBUST], idle);\n"
        "\tif (!plf_cas64(lock, held, held + idle))\n\t\treturn PLF_LAZY_SLOW;\n",
    ),
    ByHand(
        "strict leave: the claim is withdrawn before the lock is given back",
        _HEADER,
        _LEAVE_STRICT,
        "\tplf_store64(&t->claim[PLF_LAZY_STRICT], idle);\n\tplf_add64(lock, idle);\n"
        "\treturn plf_is32(&t->raised, 0) ? PLF_LAZY_DONE : PLF_LAZY_RAISED;\n",
    ),
    ByHand(
        "strict leave: `raised` is tested before the claim is withdrawn",
        _HEADER,
        _LEAVE_STRICT,
        "\tbool is_raised = !plf_is32(&t->raised, 0);\n\n\tplf_add64(lock, idle);\n"
        "\tplf_store64(&t->claim[PLF_LAZY_STRICT], idle);\n"
        "\treturn is_raised ? PLF_LAZY_RAISED : PLF_LAZY_DONE;\n",
    ),
    ByHand(
        "any depth: the claim is withdrawn before the lock is given back",
        _DRIVER,
        _LEAVE_SLOWLY,
        "\t\toutcome = plf_lazy_withdraw(t, STRENGTH);\n"
        "\t\tif (plf_lazy_give(&proof_shared.lock[which], key_of[which]))\n"
        "\t\t\tCALL(MARK_WAKE, which, 0);\n",
    ),
    ByHand(
        "robust enter: claimed after the lock is taken",
        _HEADER,
        _ENTER_ROBUST,
        "\tif (!plf_cas64(lock, free, claim))\n\t\treturn PLF_LAZY_TAKEN;\n"
        "\tplf_store64(&t->claim[PLF_LAZY_ROBUST], claim);\n",
    ),
    ByHand(
        "any depth: claimed after the lock is taken",
        _DRIVER,
        _ENTER_SLOWLY,
        "\t\tif (plf_cas64(lock, key, (uint64_t)1 << 40)) {\n"
        "\t\t\tplf_lazy_claim(t, STRENGTH, key);\n\t\t\treturn true;\n\t\t}\n"
        "\t\tplf_lazy_claim(t, STRENGTH, key);\n",
    ),
    ByHand(
        "any depth: an inner section's ceiling counts, not the highest",
        _HEADER,
        "\tif (depth > 0 && (uint32_t)outer > excess)\n\t\texcess = (uint32_t)outer;\n",
        "",
    ),
    ByHand(
        "any depth: what was before is not restored, the claim goes altogether",
        _HEADER,
        "\tuint64_t outer = depth == 1 ? t->idle : t->outer[depth - 1];\n",
        "\tuint64_t outer = depth > 0 ? t->idle : t->outer[0];\n",
    ),
    ByHand(
        "an inner section's lock looks like an outermost one's",
        _HEADER,
        "plf_lazy_depth(t, strength) == 1 ? claim : claim - PLF_LAZY_OUTERMOST",
        "claim",
    ),
    ByHand(
        "withdraw: lowered only when nothing is claimed any more",
        _HEADER,
        "\treturn plf_load32(&t->raised) > plf_lazy_wanted(outer) ?",
        "\treturn plf_load32(&t->raised) != 0 && plf_lazy_wanted(outer) == 0 ?",
    ),
    ByHand(
        "the kernel looks at strict claims only",
        _HEADER,
        "\treturn strict > robust ? strict : robust;\n",
        "\treturn strict + 0 * robust;\n",
    ),
    ByHand(
        "the kernel looks at robust claims only",
        _HEADER,
        "\treturn strict > robust ? strict : robust;\n",
        "\treturn robust + 0 * strict;\n",
    ),
    ByHand(
        "the kernel raises, and does not report it",
        _DRIVER,
        "\treturn now > priority ? given(t, base, now) : priority;\n",
        "\treturn now > priority ? now : priority;\n",
    ),
    ByHand(
        "the kernel lowers, and does not report it",
        _DRIVER,
        "\treturn now != priority ? given(t, base, now) : priority;\n",
        "\treturn now;\n",
    ),
    ByHand(
        "an actor that finds the lock taken keeps the claim while it waits",
        _DRIVER,
        "\tif (outcome == PLF_LAZY_TAKEN)\n\t\tlower_if(plf_lazy_withdraw(t, STRENGTH));\n",
        "",
    ),
)
HABITS = {
    "the kernel raises to the tail of the level": with_habit(SUBJECTS, is_raise_first=False),
}
