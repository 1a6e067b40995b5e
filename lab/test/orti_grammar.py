# SPDX-License-Identifier: MIT
"""Read ORTI files, and find their faults: OSEK ORTI 2.2, Parts A and B.

This knows nothing of the program that writes the files.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lark import Lark, Token, Transformer

# Part A: the version, the declarations, and the objects.
GRAMMAR = r"""
file: version implementation information*
version: "VERSION" "{" "KOIL" "=" STRING ";" "OSSEMANTICS" "=" STRING "," STRING ";" "}" ";"
implementation: "IMPLEMENTATION" NAME "{" declaration+ "}" ";"
declaration: NAME "{" attribute+ "}" ["," STRING] ";"
attribute: [TOTRACE] kind NAME ["," STRING] ";"
kind: "CTYPE" [STRING] -> ctype
    | "STRING" -> string
    | "ENUM" [STRING] "[" choice ("," choice)* "]" -> enum
choice: STRING [":" NAME] "=" (NUMBER | STRING)
information: NAME NAME "{" value+ "}" ";"
value: NAME "=" STRING ";"
TOTRACE: "TOTRACE"
NAME: /[A-Za-z_][A-Za-z0-9_]*/
NUMBER: /-?[0-9]+|0x[0-9a-fA-F]+/
STRING: /"[^"\n]*"/
COMMENT: /\/\*(.|\n)*?\*\/|\/\/[^\n]*/
%ignore COMMENT
%ignore /\s+/
"""

# Part B: the attributes of the standard's types, and the kinds that each may have.
NUMBERS, TEXTS = ("ctype", "enum"), ("string",)
PART_B: dict[str, dict[str, tuple[str, ...]]] = {
    "OS": {
        "RUNNINGTASK": ("enum",),
        "RUNNINGTASKPRIORITY": NUMBERS,
        "RUNNINGISR2": ("enum",),
        "SERVICETRACE": ("enum",),
        "LASTERROR": ("enum",),
        "CURRENTAPPMODE": ("enum",),
    },
    "TASK": {
        "PRIORITY": NUMBERS,
        "STATE": ("enum",),
        "STACK": ("enum",),
        "CURRENTACTIVATIONS": NUMBERS,
        "CONTEXT": ("enum",),
    },
    "STACK": {
        "SIZE": NUMBERS,
        "BASEADDRESS": NUMBERS,
        "STACKDIRECTION": TEXTS,
        "FILLPATTERN": NUMBERS,
    },
    "ALARM": {
        "ALARMTIME": NUMBERS,
        "CYCLETIME": NUMBERS,
        "STATE": ("enum",),
        "ACTION": TEXTS,
        "COUNTER": TEXTS,
        "COUNTERVALUE": NUMBERS,
    },
    "RESOURCE": {"STATE": ("enum",), "LOCKER": ("enum",), "PRIORITY": (*NUMBERS, *TEXTS)},
}
STATES = {
    ("TASK", "STATE"): {"RUNNING", "WAITING", "READY", "SUSPENDED"},
    ("ALARM", "STATE"): {"STOPPED", "RUNNING"},
    ("RESOURCE", "STATE"): {"UNLOCKED", "LOCKED"},
}


@dataclass(frozen=True)
class Choice:
    """A name of an enumeration, the expression that means it, and the object behind it."""

    name: str
    value: str
    object: str | None


@dataclass(frozen=True)
class Attribute:
    """A declared attribute."""

    name: str
    kind: str  # ctype, string or enum
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Object:
    """An object, with the value of each attribute that it has."""

    type: str
    name: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class File:
    """A file that has the right form."""

    version: tuple[str, ...]
    types: tuple[tuple[str, tuple[Attribute, ...]], ...]
    objects: tuple[Object, ...]

    def attributes(self, name: str) -> dict[str, Attribute]:
        """Return the declared attributes of a type; none if the type is not declared."""
        return {each.name: each for each in dict(self.types).get(name, ())}


class _ToFile(Transformer[Token, File]):
    def STRING(self, token: Token) -> str:  # noqa: N802
        return str(token)[1:-1]

    def version(self, parts: list[str]) -> tuple[str, ...]:
        return tuple(parts)

    def ctype(self, _: list[Any]) -> tuple[str, tuple[Choice, ...]]:
        return "ctype", ()

    def string(self, _: list[Any]) -> tuple[str, tuple[Choice, ...]]:
        return "string", ()

    def enum(self, parts: list[Any]) -> tuple[str, tuple[Choice, ...]]:
        return "enum", tuple(each for each in parts if isinstance(each, Choice))

    def choice(self, parts: list[Any]) -> Choice:
        return Choice(parts[0], str(parts[2]), parts[1] and str(parts[1]))

    def attribute(self, parts: list[Any]) -> Attribute:
        _, (kind, choices), name, _ = parts
        return Attribute(str(name), kind, choices)

    def declaration(self, parts: list[Any]) -> tuple[str, tuple[Attribute, ...]]:
        return str(parts[0]), tuple(each for each in parts if isinstance(each, Attribute))

    def implementation(self, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts[1:])

    def value(self, parts: list[Any]) -> tuple[str, str]:
        return str(parts[0]), parts[1]

    def information(self, parts: list[Any]) -> Object:
        return Object(str(parts[0]), str(parts[1]), tuple(parts[2:]))

    def file(self, parts: list[Any]) -> File:
        return File(parts[0], parts[1], tuple(parts[2:]))


_PARSER = Lark(GRAMMAR, start="file", parser="lalr", maybe_placeholders=True)


def read(text: str) -> File:
    """Read the text of a file; lark.UnexpectedInput names a place at which the form is wrong."""
    return _ToFile().transform(_PARSER.parse(text))


def faults(file: File) -> Iterator[str]:
    """Yield the faults of a file that has the right form."""
    if file.version != ("2.2", "ORTI", "2.2"):
        yield f"version {file.version}"
    yield from _repeated("type", [name for name, _ in file.types])
    for name, attributes in file.types:
        yield from _repeated(f"attribute of {name}", [each.name for each in attributes])
        if name not in PART_B and not name.startswith("vs_"):
            yield f"type {name} is neither of Part B nor vs_"
        for attribute in attributes:
            yield from _faults_of_attribute(name, attribute, file)
    yield from _repeated("object", [f"{each.type} {each.name}" for each in file.objects])
    if sum(each.type == "OS" for each in file.objects) != 1:
        yield "not exactly one OS"
    for each in file.objects:
        yield from _faults_of_object(each, file)


def _repeated(kind: str, names: list[str]) -> Iterator[str]:
    yield from (f"{kind} {name} twice" for name, count in Counter(names).items() if count > 1)


def _faults_of_attribute(type_name: str, attribute: Attribute, file: File) -> Iterator[str]:
    name = f"{type_name}.{attribute.name}"
    kinds = PART_B.get(type_name, {}).get(attribute.name)
    if kinds is None and not attribute.name.startswith("vs_"):
        yield f"attribute {name} is neither of Part B nor vs_"
    if kinds and attribute.kind not in kinds:
        yield f"attribute {name} is {attribute.kind}, not {' or '.join(kinds)}"
    yield from _repeated(f"choice of {name}", [each.name for each in attribute.choices])
    yield from _repeated(f"value of {name}", [each.value for each in attribute.choices])
    names = {each.name for each in attribute.choices}
    if names != STATES.get((type_name, attribute.name), names):
        yield f"states of {name}: {', '.join(sorted(names))}"
    existing = {each.name for each in file.objects}
    for choice in attribute.choices:
        if choice.object and choice.object not in existing:
            yield f"{name} names {choice.object}, which is no object"


def _faults_of_object(each: Object, file: File) -> Iterator[str]:
    declared = file.attributes(each.type)
    name = f"{each.type} {each.name}"
    if not declared:
        yield f"{name} has no declared type"
    given = [attribute for attribute, _ in each.values]
    yield from _repeated(f"value of {name}", given)
    if set(given) != set(declared):
        yield f"{name} has {', '.join(given)}; declared are {', '.join(declared)}"
    values = dict(each.values)
    if values.get("STACKDIRECTION", "DOWN") not in ("UP", "DOWN"):
        yield f"{name} grows {values['STACKDIRECTION']}"
