# SPDX-License-Identifier: MIT
"""Generate mutants of a C source from its syntax tree. Each mutant has one small fault.

The operators make faults that break protocols:

- drop a store;
- swap two accesses to shared words;
- flip or weaken a comparison;
- replace a compare-and-swap by a store;
- keep only half of a condition;
- end a loop after its first round, unless the loop only tries again.

With `calls_are_steps`, for a protocol that is spread over functions of a library, calls are steps,
too. Each call that is made for its effect is dropped, and is swapped with its neighbour. Statements
that only count for statistics get no faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import tree_sitter_c
from tree_sitter import Language, Node, Parser

from proof.mutation import Mutant, name_of, one_line, text_of, walk

STORES = {
    *("plf_store32", "plf_store64", "plf_store_half", "plf_add64"),
    *("plf_cas32", "plf_cas64", "plf_barrier"),
}
LOADS = {"plf_load32", "plf_load64", "plf_load_half", "plf_is32", "plf_is64", "plf_minus64"}
STEPS = {
    *("plf_publish", "plf_unpublish", "plf_shut_gate", "plf_gate_acquire", "plf_gate_release"),
    *("writer->swap", "writer->move", "writer->push", "plf_by_cas.swap"),
}
SHARED = STORES | LOADS | STEPS
PREDICATES = {
    "plf_is32",
    "plf_is64",
    "plf_is_covered",
    "plf_is_own",
    "plf_is_dead",
    "plf_lazy_is_inside",
    "plf_shut_gate",
    "plf_cas32",
    "plf_cas64",
    "is_gone",
}
QUESTION = re.compile(r"(plf_)?(is|has|may|needs|can)_")
# The reason why a section is eager (`why`) serves statistics only.
STATISTICS = re.compile(r"plf_counts|plf_stats_mutex|->why\b")
PURE = {"plf_rank", "plf_word"}  # functions that only compute a value
WEAKER = {">=": ">", ">": ">=", "<": "<=", "<=": "<"}
OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", ">": "<=", "<": ">=", "<=": ">"}


def callee(node: Node) -> str:
    """Return the name of the called function, or "" if the node is no call."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return text_of(function) if function is not None else ""


def touches_shared(node: Node) -> bool:
    """Whether a statement reads or writes a shared word."""
    return any(callee(n) in SHARED for n in walk(node))


def is_effect(node: Node) -> bool:
    """Whether the statement has an effect: it is a call, or a store through a pointer or to a
    field."""
    if node.type != "expression_statement" or not node.named_children:
        return False
    expression = node.named_children[0]
    if STATISTICS.search(text_of(expression)):
        return False
    if expression.type == "call_expression":
        return True
    target = re.split(r"[-+]?=|[+]{2}|--", text_of(expression).replace("->", "."))[0]
    return expression.type in ("assignment_expression", "update_expression") and (
        "." in target or "*" in target
    )


def stored_to(statement: Node) -> str:
    """Return the target of a plain store, or "" if the statement is no store or has a call."""
    expression = statement.named_children[0]
    is_plain = {callee(n) for n in walk(expression)} <= {"", *PURE}
    target = expression.child_by_field_name("left")
    return text_of(target) if is_plain and target is not None else ""


def are_independent(first: Node, second: Node) -> bool:
    """Whether both are plain stores and neither uses the other's target.

    The compiler may swap two such stores, too.
    """
    one, other = stored_to(first), stored_to(second)
    if not one or not other:
        return False
    return one not in text_of(second) and other not in text_of(first)


def repeats_until_won(loop: Node) -> bool:
    """Whether the loop only tries again: it has no condition, or its body and update are empty."""
    body = loop.child_by_field_name("body")
    is_empty = body is not None and text_of(body) == ";"
    if loop.child_by_field_name("condition") is None:
        return True
    return is_empty and loop.child_by_field_name("update") is None


class Mutator:
    """Generates all mutants of the functions of a file."""

    has_single_rounds = True  # make `once` mutants; a subclass may turn them off

    def __init__(
        self,
        root: Path,
        file: str,
        functions: set[str] | None = None,
        *,
        calls_are_steps: bool = False,
    ) -> None:
        """Mutate only these `functions`, or all if it is None."""
        self.file = file
        self.source = (root / file).read_bytes()
        self.functions = functions
        self.calls_are_steps = calls_are_steps
        self.found: list[Mutant] = []
        self.function = ""

    def mutants(self) -> list[Mutant]:
        """Return all mutants in source order."""
        tree = Parser(Language(tree_sitter_c.language())).parse(self.source)
        for node in walk(tree.root_node):
            if node.type == "function_definition":
                self.visit_function(node)
        return self.found

    def visit_function(self, function: Node) -> None:
        """Add the mutants of a function, unless `functions` excludes it."""
        self.function = name_of(function)
        if self.functions is not None and self.function not in self.functions:
            return
        body = function.child_by_field_name("body")
        for node in walk(body) if body is not None else ():
            self.drop(node)
            self.compare(node)
            self.forget_half(node)
            self.predicate(node)
            self.swap_store_for_cas(node)
            if self.has_single_rounds:
                self.once(node)
            if node.type == "compound_statement":
                self.reorder(node.named_children)

    def add(self, node: Node, what: str, text: str) -> None:
        """Add a mutant that replaces a node."""
        self.add_span(node, node, what, text)

    def add_span(self, first: Node, last: Node, what: str, text: str) -> None:
        """Add a mutant that replaces the text from the first node to the last."""
        line = first.start_point[0] + 1
        self.found.append(
            Mutant(self.file, self.function, line, what, first.start_byte, last.end_byte, text)
        )

    def drop(self, node: Node) -> None:
        """Drop a store to a shared word or a field; if calls are steps, drop any effect."""
        if node.type != "expression_statement" or not node.named_children:
            return
        if self.calls_are_steps:
            if is_effect(node):
                self.add(node, f"drop {one_line(text_of(node))}", ";")
            return
        expression = node.named_children[0]
        is_field = (
            expression.type in ("assignment_expression", "update_expression")
            and "->" in text_of(expression).split("=")[0]
        )
        if callee(expression) in STORES | {"plf_gate_release"} or is_field:
            self.add(node, f"drop {one_line(text_of(node))}", ";")

    def compare(self, node: Node) -> None:
        """Flip a comparison, or weaken it: `<` and `<=`, or `>` and `>=`, change places."""
        operator = node.child_by_field_name("operator")
        if node.type != "binary_expression" or operator is None:
            return
        sign = text_of(operator)
        for table, how in ((OPPOSITE, "flip"), (WEAKER, "weaken")):
            if sign in table:
                self.add(operator, f"{how} {one_line(text_of(node))}", table[sign])

    def forget_half(self, node: Node) -> None:
        """Keep only the left or the right side of `&&` or `||`."""
        operator = node.child_by_field_name("operator")
        if node.type != "binary_expression" or operator is None:
            return
        if text_of(operator) in ("&&", "||"):
            for side in ("left", "right"):
                kept = node.child_by_field_name(side)
                if kept is not None:
                    what = f"keep only {one_line(text_of(kept))}"
                    self.add(node, what, f"({text_of(kept)})")

    def predicate(self, node: Node) -> None:
        """Negate a predicate, or replace its answer by true or false."""
        is_question = callee(node) in PREDICATES or (
            self.calls_are_steps and QUESTION.match(callee(node)) is not None
        )
        is_statement = node.parent is not None and node.parent.type == "expression_statement"
        if not is_question or is_statement:
            return
        text = text_of(node)
        self.add(node, f"not {one_line(text)}", f"!({text})")
        if self.calls_are_steps:
            return
        if callee(node) in {"plf_is32", "plf_is64", "plf_shut_gate"} or callee(node).startswith(
            "plf_is_"
        ):
            self.add(node, f"always {one_line(text)}", f"(((void)({text})), true)")
            self.add(node, f"never {one_line(text)}", f"(((void)({text})), false)")

    def swap_store_for_cas(self, node: Node) -> None:
        """Replace a compare-and-swap by a store that always succeeds."""
        arguments = node.child_by_field_name("arguments")
        if callee(node) not in ("plf_cas32", "plf_cas64") or arguments is None:
            return
        word, _, desired = (text_of(n) for n in arguments.named_children)
        store = callee(node).replace("cas", "store")
        what = f"store instead of {one_line(text_of(node))}"
        self.add(node, what, f"({store}({word}, {desired}), true)")

    def once(self, node: Node) -> None:
        """Let a loop's body run at most once, even if the body has `continue`.

        A loop that only tries again is left alone, because only another thread could make it fail.
        """
        body = node.child_by_field_name("body")
        if node.type not in ("for_statement", "while_statement") or body is None:
            return
        if repeats_until_won(node):
            return
        asked = node.child_by_field_name("condition")
        assert asked is not None
        start = node.start_byte
        head = self.source[start : body.start_byte]
        limited = b"".join(
            (
                head[: asked.start_byte - start],
                f"(plf_rounds++ == 0 && ({text_of(asked)}))".encode(),
                head[asked.end_byte - start :],
            )
        )
        text = f"{{ int plf_rounds = 0; {limited.decode()}{text_of(body)} }}"
        self.add(node, f"once {one_line(head.decode())}", text)

    def reorder(self, statements: Iterable[Node]) -> None:
        """Swap each two neighbouring statements if both access shared words or have effects."""
        rows = [s for s in statements if s.type != "comment"]
        for first, second in pairwise(rows):
            if first.type != "expression_statement":
                continue
            if self.calls_are_steps:
                if not is_effect(first) or not is_effect(second):
                    continue
                if are_independent(first, second):
                    continue
            elif not touches_shared(first) or not touches_shared(second):
                continue
            moved = self.before(text_of(first), second)
            if moved is not None:
                what = f"swap {one_line(text_of(first), 40)} and {one_line(text_of(second), 40)}"
                self.add_span(first, second, what, moved)

    def before(self, first: str, second: Node) -> str | None:
        """Return C code that runs `second` before `first`.

        For an `if` or a `return`, only the condition or the value runs before `first`.
        """
        if second.type == "expression_statement":
            return f"{text_of(second)} {first}"
        if second.type == "return_statement" and second.named_children:
            value = text_of(second.named_children[0])
            return f"{{ __typeof__({value}) plf_v = {value}; {first} return plf_v; }}"
        condition = second.child_by_field_name("condition")
        if second.type == "if_statement" and condition is not None:
            rest = text_of(second).replace(text_of(condition), "(plf_c)", 1)
            return f"{{ bool plf_c = {text_of(condition)}; {first} {rest} }}"
        return None
