# SPDX-License-Identifier: MIT
"""Write a description as TOML: the tables of a file, as they were read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LINE = 100


def toml_text(raw: Mapping[str, Any]) -> str:
    """Return the text of a file with these tables, of a description without mistakes."""
    tables = {name: value for name, value in raw.items() if isinstance(value, dict)}
    lines = _fields({name: value for name, value in raw.items() if name not in tables})
    for name, table in tables.items():
        lines += _tables(name, table)
    return "\n".join(lines) + "\n"


def list_lines(name: str, elements: Sequence[str]) -> list[str]:
    """Return a field that is a list: on one line, or an element a line where that is long."""
    line = f"{name} = [{', '.join(elements)}]"
    if len(line) <= LINE:
        return [line]
    return [f"{name} = [", *(f"    {element}," for element in elements), "]"]


def quoted(text: str) -> str:
    """Return it quoted, as JSON and TOML both do printable text."""
    return json.dumps(text, ensure_ascii=False)


def _tables(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """The table [kernel], or those of one kind: [task.A], [task.B]."""
    if not table or not all(isinstance(value, dict) for value in table.values()):
        yield from ["", f"[{name}]", *_fields(table)]
        return
    for key, fields in table.items():
        yield from ["", f"[{name}.{key}]", *_fields(fields)]


def _fields(fields: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, value in fields.items():
        if isinstance(value, list):
            lines += list_lines(name, [_value(element) for element in value])
        else:
            lines.append(f"{name} = {_value(value)}")
    return lines


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_value(field)}" for key, field in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        return quoted(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
