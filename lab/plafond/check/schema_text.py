# SPDX-License-Identifier: MIT
"""The schema as text, for authors of descriptions."""

from plafond.check.columns import entry
from plafond.describe.description import SINGLE, TABLES, Description
from plafond.describe.fields import Strict, fields_of

NAMES = 17  # the width of the column


def schema_text() -> str:
    """Return the expected value of every field; [ ] marks optional fields."""
    blocks = [_fields(Description)]
    blocks += [f"[{name}]\n{_fields(model)}" for name, model in SINGLE.items()]
    blocks += [f"[{name}.NAME]\n{_fields(model)}" for name, model in TABLES.items()]
    return "\n\n".join(blocks)


def _fields(model: type[Strict]) -> str:
    lines = []
    tables = (*TABLES, *SINGLE) if model is Description else ()  # these tables have separate blocks
    for name, field in fields_of(model).items():
        if name in tables:
            continue
        shown = name if field.is_required() else f"[{name}]"
        default = "" if field.is_required() else _default(field.default)
        lines.append(entry(shown, f"{field.description}{default}", NAMES))
    return "\n".join(lines)


def _default(value: object) -> str:
    if value is None or value == ():
        return ""
    return f"; default {str(value).lower() if isinstance(value, bool) else value}"
