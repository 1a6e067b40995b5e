# SPDX-License-Identifier: MIT
"""Set fields of a description from the OIL attributes that they name."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from plafond.describe.fields import Form, Strict, fields_of, oil_of
from plafond.describe.named import Named
from plafond.describe.oil.attributes import Checked, Given
from plafond.describe.oil.definitions import shown_value
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.model import TRUE
from plafond.describe.oil.reader import Reader
from plafond.describe.problems import Where
from plafond.describe.schedule_table import ExpiryPoint
from plafond.describe.source import within
from plafond.units import LONGEST_NS, UNIT_NS, format_exactly

NANOSECONDS = "a whole number of nanoseconds, up to an hour"
# From OIL's value to our verb and the parameters that follow it.
ACTIONS = {
    "ACTIVATETASK": ("activate", "TASK"),
    "SETEVENT": ("set", "TASK", "EVENT"),
    "ALARMCALLBACK": ("call", "ALARMCALLBACKNAME"),
    "INCREMENTCOUNTER": ("increment", "COUNTER"),
    "COMCALLBACK": ("call", "CALLBACKROUTINENAME"),
    "FLAG": ("flag", "FLAGNAME"),
    "ABSOLUTE": ("absolute", "START"),
    "RELATIVE": ("relative", "OFFSET"),
    "SYNCHRON": ("synchron",),
}
Objects = Mapping[str, Checked]
Add = Callable[[Reader, Draft, Where, list[Given]], None]


def add_objects(reader: Reader, draft: Draft, model: type[Named], objects: Objects) -> None:
    """Take the objects of a kind."""
    for name, each in objects.items():
        draft.table((model.table, name), each.place)
        add_fields(reader, draft, (model.table, name), each, model)


def add_fields(
    reader: Reader, draft: Draft, where: Where, given: Checked, model: type[Strict]
) -> None:
    """Take the attributes that the fields of `model` name."""
    for name, field in fields_of(model).items():
        oil = oil_of(field)
        attributes = oil.name.split()
        if attributes and field.is_required():
            draft.missing((*where, name), within(given.place, attributes[-1]))
        found = [each for attribute in attributes for each in given.at(attribute)]
        if found and not (found[0].is_auto or found[0].value == oil.without):
            ADD[oil.form](reader, draft, (*where, name), found)
        if len(found) > 1 and oil.form in (Form.VALUE, Form.TRUE):
            expected = f"none beside {attributes[0]}: it is the same"
            reader.refuse(found[1].place, str(found[1].value), expected)


def _add_value(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    value = found[0].value
    draft.field(where, value if isinstance(value, int) else str(value), found[0].place)


def _add_word(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    draft.field(where, str(found[0].value).lower(), found[0].place)


def _add_true(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    if found[0].value == TRUE:
        draft.field(where, True, found[0].place)


def _add_list(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    for each in found:
        value = each.value if isinstance(each.value, int) else str(each.value)
        draft.element(where, value, each.place)


def _add_start(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    if found[0].value in ACTIONS:
        draft.field(where, action_of(found[0]), (_names(found[0]) or found)[-1].place)


def _add_action(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    if found[0].value in ACTIONS:
        draft.field(where, action_of(found[0]), found[0].place)


def _add_actions(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    for each in found:
        draft.element(where, action_of(each), each.place)


def _add_hooks(_: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    for each in found:
        if each.value == TRUE:
            attribute = str(each.place.where[-1])
            draft.element(where, attribute.removesuffix("HOOK").lower(), each.place)


def action_of(given: Given) -> str:
    """Return an action as a description has it."""
    return " ".join([ACTIONS[str(given.value)][0], *(str(each.value) for each in _names(given))])


def _names(given: Given) -> list[Given]:
    named = (given.parameters.one(name) for name in ACTIONS[str(given.value)][1:])
    return [each for each in named if each]


def _add_points(reader: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    """Add expiry points, sorted by offset."""
    offsets = [(point.parameters.one("OFFSET"), point) for point in found]
    given = [(int(offset.value), point) for offset, point in offsets if offset]
    given.sort(key=lambda each: each[0])
    for index, (_, point) in enumerate(given):
        draft.element(where, {}, point.place)
        add_fields(reader, draft, (*where, index), point.parameters, ExpiryPoint)


def add_seconds(reader: Reader, draft: Draft, where: Where, found: list[Given]) -> None:
    """Take a time in seconds."""
    given = found[0]
    assert not isinstance(given.value, str)
    given_ns = Fraction(given.value) * UNIT_NS["s"]
    if given_ns.denominator != 1 or not 0 < given_ns <= LONGEST_NS:
        reader.refuse(given.place, shown_value(given.value), NANOSECONDS)
    else:
        draft.field(where, format_exactly(int(given_ns)), given.place)


ADD: dict[Form, Add] = {
    Form.VALUE: _add_value,
    Form.WORD: _add_word,
    Form.TRUE: _add_true,
    Form.SECONDS: add_seconds,
    Form.LIST: _add_list,
    Form.START: _add_start,
    Form.ACTION: _add_action,
    Form.ACTIONS: _add_actions,
    Form.HOOKS: _add_hooks,
    Form.POINTS: _add_points,
}
