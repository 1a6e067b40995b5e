# SPDX-License-Identifier: MIT
"""The schema as text, for people who write descriptions."""

from textwrap import fill

from plafond.describe.schema import Description, ResourceFields, Strict, TaskFields

WIDTH = 100
TABLES: dict[str, type[Strict]] = {"task": TaskFields, "resource": ResourceFields}


def schema_text() -> str:
    """Return every field with what is expected there; [ ] marks what may be left out."""
    blocks = [_fields(Description)]
    for name, model in TABLES.items():
        blocks.append(f"[{name}.NAME]\n{_fields(model)}")
    return "\n\n".join(blocks)


def _fields(model: type[Strict]) -> str:
    lines = []
    for name, field in model.model_fields.items():
        if name in TABLES:
            continue
        shown = name if field.is_required() else f"[{name}]"
        told = "" if field.is_required() or field.default is None else f"; default {field.default}"
        lines.append(
            fill(
                f"{field.description}{told}",
                WIDTH,
                initial_indent=f"{shown:<14}",
                subsequent_indent=" " * 14,
            )
        )
    return "\n".join(lines)
