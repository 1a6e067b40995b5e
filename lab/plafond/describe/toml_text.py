# SPDX-License-Identifier: MIT
"""Write the tables of a description as TOML."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LINE = 100


def toml_text(raw: Mapping[str, Any]) -> str:
    """Return the text of a file with these tables; the description must have no mistakes."""
    tables = {name: value for name, value in raw.items() if isinstance(value, dict)}
    lines = _fields({name: value for name, value in raw.items() if name not in tables})
    for name, table in tables.items():
        lines += _tables(name, table)
    return "\n".join(lines) + "\n"


def list_lines(name: str, elements: Sequence[str]) -> list[str]:
    """Return the lines of a list: a single line, or a line for each element if that is too long."""
    line = f"{name} = [{', '.join(elements)}]"
    if len(line) <= LINE:
        return [line]
    return [f"{name} = [", *(f"    {element}," for element in elements), "]"]


def quoted(text: str) -> str:
    """Return the quoted text; JSON and TOML quote printable text alike."""
    return json.dumps(text, ensure_ascii=False)


def _tables(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a single table such as [kernel], or of tables such as [task.A]."""
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
