# SPDX-License-Identifier: MIT
"""Faults in resources for which tasks wait, found by images of kernel/test."""

from __future__ import annotations

from proof.kernel.in_image import fault_in, faults_of

_NONE, _INHERIT = "waiting-sim-standard-none", "waiting-sim-standard-inherit"
_STATUS = "waiting_status-sim-extended-inherit"

WAITING = (
    fault_in(
        "global/waiting/waiting.c",
        "a task that ends in two resources leaves one",
        "\twhile (task->words.top != 0) {\n",
        "\tif (task->words.top != 0) {\n",
        _NONE,
    ),
    *faults_of(
        "global/waiting/waiting.c",
        {
            "enqueue": _INHERIT,
            "enqueue: weaken": _NONE,  # equally urgent tasks wait only there
            "enqueue: once": _NONE,
            "dequeue": _INHERIT,
            "hold": _INHERIT,
            "let_go": _INHERIT,
            "due_level": _INHERIT,
            "unlink_from": _INHERIT,
            "mark_ready": _INHERIT,
            "go_to_front": _INHERIT,
            "go_to_front: drop link": _NONE,  # see enqueue
            "go_to_front: once": _NONE,
            "leave_front": _INHERIT,
            "requeue": _INHERIT,
            "inherit": _INHERIT,
            "wait_for": _INHERIT,
            "hand_over": _INHERIT,
            "plf_get_mutex": _INHERIT,
            "plf_release_mutex": _INHERIT,
            "plf_release_mutex: flip task->words.top": _STATUS,
            "plf_leave_mutexes": _INHERIT,
        },
    ),
)
