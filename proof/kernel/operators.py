# SPDX-License-Identifier: MIT
"""Faults of the kernel around the protocols: one small one each, in plain code.

What the sweep's programs cannot show is passed over: hooks, traces, casts that only keep a compiler
quiet, and the errors that no script makes, which are for the programs of kernel/test.
"""

from __future__ import annotations

from tree_sitter import Node

from proof.mutation import one_line, text_of
from proof.mutator import Mutator

WITHOUT_EFFECT = ("(void)core", "(void)task", "(void)next", "(void)above", "(void)words")
ERRORS = ("PLF_TASKS", "PLF_RESOURCES", "PLF_EXTENDED_STATUS", "config->events", "PLF_TRACE")
# Only images of certain descriptions have these and what they call: in others a condition that is
# turned round is not linked. timing.py and applications.py have faults by hand in theirs.
ELSEWHERE = ("PLF_BUDGETS", "PLF_LOCK_BUDGETS", "PLF_TIME_FRAMES", "PLF_APPLICATION_HOOKS")
# What is only shown: traces, hooks, and which service ended an image (lab/test/test_sim_ending.py).
SHOWN = ("plf_trace", "trace(", "plf_pre_task(", "plf_post_task(", "plf_port_note_end(")
SILENT = (*SHOWN, *WITHOUT_EFFECT)


class CoreMutator(Mutator):
    """As for protocols, and: any statement that is missing, any condition turned round.

    Also: bits that are put in the place of others, where they should join or leave them.
    """

    has_single_rounds = False  # the sweeps' scenarios have few of each thing

    def drop(self, node: Node) -> None:
        """A statement that is missing, or a set of bits that forgets the others."""
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
        """A comparison, but for those that find errors."""
        if not any(error in text_of(node) for error in ERRORS):
            super().compare(node)

    def forget_half(self, node: Node) -> None:
        """The same."""
        halves = {text_of(each) for each in node.named_children}
        if not any(error in text_of(node) for error in ERRORS) and not halves & {*ELSEWHERE}:
            super().forget_half(node)

    def predicate(self, node: Node) -> None:
        """A condition that is turned round."""
        super().predicate(node)
        condition = node.child_by_field_name("condition")
        if node.type == "if_statement" and condition is not None:
            text = text_of(condition)
            is_elsewhere = text.startswith(tuple(f"({each}" for each in ELSEWHERE))
            if is_elsewhere or any(error in text for error in ERRORS):
                return
            self.add(condition, f"not {one_line(text)}", f"(!{text})")


class ImageMutator(CoreMutator):
    """Faults that an image of kernel/test finds, which can have many of each thing."""

    has_single_rounds = True
