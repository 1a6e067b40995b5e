# SPDX-License-Identifier: MIT
"""Faults in the spinlocks, found by images of kernel/test."""

from __future__ import annotations

from proof.kernel.in_image import Fault, fault_in
from proof.mutation import ByHand

_SPIN, _EXTENDED = "cores_spin-sim-standard-msrp", "cores_spin-sim-extended-msrp"
_STORM, _FOUL = "cores_spin_storm-sim-standard-msrp", "cores_spin_foul-a53-standard-msrp"
_FIFO = "cores_msrp-sim-standard-msrp"
_PRIORITY = "cores_spin_priority-sim-standard-spin-priority"
_NOTHING = "cores_spin_nothing-sim-extended-spin-unordered"
_ENDED, _ENDED_TOO = (
    "cores_applications-sim-standard-uprio-nprio",
    "cores_applications-sim-standard-spin-priority",
)
_USER, _KERNEL = "global/plf_spinlock.h", "global/plf_spin_kernel.h"


def _in_protocol(file: str, name: str, old: str, new: str, image: str) -> Fault:
    return Fault(ByHand(name, f"protocol/{file}", old, new), image)


SPINS = (
    fault_in(
        _USER,
        "a task spins below the ceiling",
        "plf_enter(plf_global_ceiling[lock - PLF_RESOURCES]));\n\tif (!plf_spin_join",
        "plf_enter(0));\n\tif (!plf_spin_join",
        _SPIN,
    ),
    fault_in(
        _USER,
        "a task that finds the lock taken is inside",
        "\t\tplf_spin(plf_lock_word(lock), own->bit);\n",
        "\t\t;\n",
        _STORM,
    ),
    fault_in(
        _USER,
        "a task that tries in vain stays at the ceiling",
        "\tplf_release(&own->saved);\n\t*success = TRYTOGETSPINLOCK_NOSUCCESS;\n",
        "\t*success = TRYTOGETSPINLOCK_NOSUCCESS;\n",
        _SPIN,
    ),
    fault_in(
        _USER,
        "a task tries in vain, and finds that it has the lock",
        "\t*success = TRYTOGETSPINLOCK_NOSUCCESS;\n",
        "\t*success = TRYTOGETSPINLOCK_SUCCESS;\n",
        _SPIN,
    ),
    fault_in(
        _USER,
        "a task spins for a lock that a task of its core holds",
        "\t\treturn E_OS_INTERFERENCE_DEADLOCK;\n",
        "\t\treturn E_OK;\n",
        _NOTHING,
    ),
    fault_in(
        _USER,
        "spinlocks nest in any order",
        "\t\treturn E_OS_NESTING_DEADLOCK;\n",
        "\t\treturn E_OK;\n",
        _EXTENDED,
    ),
    fault_in(
        _USER,
        "a resource hides the spinlock around it",
        "\tif (entry == 0)\n\t\treturn E_OK;\n",
        "\tif (entry == 0 || plf_load32(&plf_find_page()->words.checks.top) <= PLF_RESOURCES)\n"
        "\t\treturn E_OK;\n",
        _EXTENDED,
    ),
    fault_in(
        "resource/plf_section.h",
        "a spinlock hides the resource around it",
        "\t\tentry = plf_load32(&plf_find_global(entry - 1 - PLF_RESOURCES)->below);\n",
        "\t\t;\n",
        _EXTENDED,
    ),
    fault_in(
        _USER,
        "a lock ends the section of the resource around it",
        "\tplf_spin_leave(plf_lock_word(lock), own->bit);\n\tplf_release(&own->saved);\n",
        "\tplf_bound least = 1;\n\n\tplf_spin_leave(plf_lock_word(lock), own->bit);\n"
        "\tplf_release(&least);\n",
        _SPIN,
    ),
    fault_in(
        _USER,
        "locks are released in any order",
        "\treturn plf_holds_lock(lock) ? E_OS_NOFUNC : E_OS_STATE;\n",
        "\treturn plf_holds_lock(lock) ? E_OK : E_OS_STATE;\n",
        _EXTENDED,
    ),
    fault_in(
        _USER,
        "a lock is released that the task does not hold",
        "\treturn plf_holds_lock(lock) ? E_OS_NOFUNC : E_OS_STATE;\n",
        "\treturn plf_holds_lock(lock) ? E_OS_NOFUNC : E_OK;\n",
        _EXTENDED,
    ),
    fault_in(
        _KERNEL,
        "a task that ends inside keeps the lock",
        "\t\tif (left & 1)\n",
        "\t\tif (left > UINT32_MAX)\n",
        _SPIN,
    ),
    fault_in(
        _KERNEL,
        "a task waits, or ends, in a spinlock",
        "\treturn plf_load32(&core->words->checks.top) > PLF_RESOURCES;\n",
        "\t(void)core;\n\treturn false;\n",
        _EXTENDED,
    ),
    fault_in(
        _KERNEL,
        "a task that is killed inside keeps the lock",
        "\t\t\tplf_spin_end(plf_globals[global].words,\n"
        "\t\t\t\t     plf_global_mark(task->index, global));\n",
        "\t\t\t(void)task;\n",
        _FOUL,
    ),
    _in_protocol(
        "spin_fifo.h",
        "the last one that came is next",
        "\twhile (!plf_shared_cas64(word, &seen, seen >> PLF_FIFO_BITS))\n\t\t;\n",
        "\tuint64_t next;\n\n\tdo {\n"
        "\t\tuint64_t left = seen >> PLF_FIFO_BITS;\n"
        "\t\tunsigned last = left ? (63U - (unsigned)__builtin_clzll(left)) / 8 * 8 : 0;\n\n"
        "\t\tnext = left && last\n"
        "\t\t\t       ? (left & ~(UINT64_C(255) << last)) << 8 | left >> last\n"
        "\t\t\t       : left;\n"
        "\t} while (!plf_shared_cas64(word, &seen, next));\n",
        _FIFO,
    ),
    _in_protocol(
        "spin_priority.h",
        "the least urgent one is next",
        "UINT64_C(1) << (63U - (unsigned)__builtin_clzll(spinners))",
        "UINT64_C(1) << (unsigned)__builtin_ctzll(spinners)",
        _PRIORITY,
    ),
    _in_protocol(
        "spin_unordered.h",
        "a lock that is held is taken",
        "\treturn *seen == 0 && plf_shared_cas64(word, seen, me);\n",
        "\treturn plf_shared_cas64(word, seen, me);\n",
        "cores_spin_storm-sim-standard-spin-unordered",
    ),
    *(
        _in_protocol(file, "a task that ends while it spins is handed the lock", old, new, image)
        for file, old, new, image in (
            ("spin_fifo.h", "plf_fifo_without(seen, me);", "seen;", _ENDED),
            ("spin_priority.h", "return seen & ~(me << PLF_SPINNERS);", "return seen;", _ENDED_TOO),
        )
    ),
)
