# SPDX-License-Identifier: MIT
"""Parse variables: `cache 0us 2ms 50us`, `section 10us 10ms x2`, `share 0.1 0.9 0.2`, ..."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from plafond.describe.study import Case, Variable
from plafond.units import UNIT_NS, parse_duration

MOST_POINTS = 10_000
MOST_VARIED = 2

NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_VARY = re.compile(rf"({'|'.join(Variable)}) (\S+) (\S+) (\S+)", re.ASCII)
_FACTOR = re.compile(r"x([2-9]|\d{2,3})", re.ASCII)
_ZERO = re.compile(rf"0 ?(?:{'|'.join(UNIT_NS)})", re.ASCII)
_NUMBER = re.compile(NUMBER, re.ASCII)

VARY = (
    '"cache 0us 2ms 50us", "overhead 0us 50us 5us", "section 10us 10ms x2", "share 0.1 0.9 0.2" or '
    '"budget 0.5 1 0.1", from, to and step, or two of these as a list'
)


@dataclass(frozen=True)
class Varied:
    """All values of a variable."""

    variable: Variable
    values: tuple[Fraction, ...]


def parse_vary(value: object) -> tuple[Varied, ...]:
    """Return one or two variables; ValueError has the text of the expected form."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not 0 < len(texts) <= MOST_VARIED:
        raise ValueError(VARY)
    found = tuple(_varied(text) for text in texts)
    cases = 1
    for each in found:
        cases *= len(each.values)
    if len({each.variable for each in found}) < len(found) or cases > MOST_POINTS:
        raise ValueError(VARY)
    return found


def cases_of(varied: Sequence[Varied]) -> tuple[Case, ...]:
    """Return all combinations of values; the last variable changes fastest."""
    variables = [each.variable for each in varied]
    return tuple(
        _case(dict(zip(variables, values, strict=True)))
        for values in product(*(each.values for each in varied))
    )


def _case(values: dict[Variable, Fraction]) -> Case:
    overhead, section = (values.get(each) for each in (Variable.OVERHEAD, Variable.SECTION))
    return Case(
        cache_ns=int(values.get(Variable.CACHE, 0)),
        overhead_ns=None if overhead is None else int(overhead),
        section_ns=None if section is None else int(section),
        share=values.get(Variable.SHARE),
        budget=values.get(Variable.BUDGET),
    )


def _varied(text: object) -> Varied:
    match = _VARY.fullmatch(text) if isinstance(text, str) else None
    if not match:
        raise ValueError(VARY)
    variable = Variable(match[1])
    is_share = variable in (Variable.SHARE, Variable.BUDGET)
    read = _number if is_share else _time
    least, most = read(match[2]), read(match[3])
    factor = _FACTOR.fullmatch(match[4])
    step = Fraction(factor[1]) if factor else read(match[4])
    if least is None or most is None or not step or least > most or (is_share and most > 1):
        raise ValueError(VARY)
    if not least and (factor or variable in (Variable.SECTION, Variable.BUDGET)):
        raise ValueError(VARY)
    return Varied(variable, _rising(least, most, step) if factor else _even(least, most, step))


def _even(least: Fraction, most: Fraction, step: Fraction) -> tuple[Fraction, ...]:
    count = (most - least) // step + 1
    if count > MOST_POINTS:
        raise ValueError(VARY)
    return tuple(least + number * step for number in range(count))


def _rising(least: Fraction, most: Fraction, factor: Fraction) -> tuple[Fraction, ...]:
    values = [least]
    while values[-1] * factor <= most:
        values.append(values[-1] * factor)
    return tuple(values)


def _time(text: str) -> Fraction | None:
    time_ns = parse_time(text)
    return None if time_ns is None else Fraction(time_ns)


def parse_time(text: str) -> int | None:
    """Return nanoseconds, of which there may be none; None if it is no duration."""
    if _ZERO.fullmatch(text):
        return 0
    try:
        return parse_duration(text)
    except ValueError:
        return None


def _number(text: str) -> Fraction | None:
    return Fraction(text) if _NUMBER.fullmatch(text) else None
