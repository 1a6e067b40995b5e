# SPDX-License-Identifier: MIT
"""Operators for faults in the kernel around the protocols: each makes a small fault in plain code.

They skip code that the sweep's programs cannot judge: hooks, traces, and casts that only silence a
compiler. They also skip errors that no script makes, because the programs of kernel/test cover
these.
"""

from __future__ import annotations

from tree_sitter import Node

from proof.mutation import one_line, text_of
from proof.mutator import Mutator

WITHOUT_EFFECT = ("(void)core", "(void)task", "(void)next", "(void)above", "(void)words")
ERRORS = ("PLF_TASKS", "PLF_RESOURCES", "PLF_EXTENDED_STATUS", "config->events", "PLF_TRACE")
# Only images of some descriptions have these symbols and their callees. In other images an inverted
# condition does not link. timing.py and applications.py have faults by hand in this code.
ELSEWHERE = ("PLF_BUDGETS", "PLF_LOCK_BUDGETS", "PLF_TIME_FRAMES", "PLF_APPLICATION_HOOKS")
# Code that only reports: traces, hooks, and the service that ended an image
# (lab/test/test_sim_ending.py).
SHOWN = ("plf_trace", "trace(", "plf_pre_task(", "plf_post_task(", "plf_port_note_end(")
SILENT = (*SHOWN, *WITHOUT_EFFECT)


class CoreMutator(Mutator):
    """The operators of protocols, and three more: drop a statement, invert a condition, set bits.

    The last replaces bits, although the statement should add or remove bits.
    """

    has_single_rounds = False  # because the sweeps' scenarios have few objects of each kind

    def drop(self, node: Node) -> None:
        """Drop a statement, or let a set of bits lose the other bits."""
        is_silent = text_of(node).startswith(SILENT)
        if node.type == "expression_statement" and node.named_children and not is_silent:
            self.add(node, f"drop {one_line(text_of(node))}", ";")
            self._forget_others(node.named_children[0])

    def _forget_others(self, node: Node) -> None:
        operator = node.child_by_field_name("operator")
        if node.type != "assignment_expression" or operator is None:
            return
        what = one_line(text_of(node))
        if text_of(operator) in ("|=", "&="):
            self.add(operator, f"assign {what}", "=")
        if text_of(operator) == "&=":
            left = node.child_by_field_name("left")
            assert left is not None
            self.add(node, f"none left by {what}", f"{text_of(left)} = 0")

    def compare(self, node: Node) -> None:
        """Change a comparison unless it detects errors."""
        if not any(error in text_of(node) for error in ERRORS):
            super().compare(node)

    def forget_half(self, node: Node) -> None:
        """Drop half of a condition unless it detects errors."""
        halves = {text_of(each) for each in node.named_children}
        if not any(error in text_of(node) for error in ERRORS) and not halves & {*ELSEWHERE}:
            super().forget_half(node)

    def predicate(self, node: Node) -> None:
        """Invert a condition."""
        super().predicate(node)
        condition = node.child_by_field_name("condition")
        if node.type == "if_statement" and condition is not None:
            text = text_of(condition)
            is_elsewhere = text.startswith(tuple(f"({each}" for each in ELSEWHERE))
            if is_elsewhere or any(error in text for error in ERRORS):
                return
            self.add(condition, f"not {one_line(text)}", f"(!{text})")


class ImageMutator(CoreMutator):
    """Operators for images of kernel/test. These images may have many objects of each kind."""

    has_single_rounds = True
