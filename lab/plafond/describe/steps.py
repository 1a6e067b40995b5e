# SPDX-License-Identifier: MIT
"""The texts inside a description: steps, actions of alarms and messages, signals."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from plafond.describe.body import (
    Action,
    Activate,
    CallBack,
    Chain,
    ClearEvent,
    Flag,
    Increment,
    Lock,
    Notification,
    Run,
    SetEvent,
    Signal,
    Sleep,
    Step,
    Unlock,
    WaitEvent,
)
from plafond.units import DURATION, parse_duration
from plafond.words import suggestion

STEPS = (
    "run DURATION or LEAST..MOST, lock RESOURCE, unlock RESOURCE, sleep DURATION, activate TASK, "
    "set TASK EVENT, wait EVENT, clear EVENT or chain TASK"
)
LATER_STEPS = ("call",)
ACTIONS = "activate TASK, set TASK EVENT, call FUNCTION or increment COUNTER"
SIGNALS = "activate TASK or set TASK EVENT"
NOTIFICATIONS = "activate TASK, set TASK EVENT, call FUNCTION or flag NAME"

RANGE = "LEAST..MOST with LEAST below MOST"

# From the verb: the class, the number of names, and their text in messages.
_NAMED: dict[str, tuple[Callable[..., Step], int, str]] = {
    "lock": (Lock, 1, "the name of one resource"),
    "unlock": (Unlock, 1, "the name of one resource"),
    "activate": (Activate, 1, "the name of one task"),
    "set": (SetEvent, 2, "the names of one task and one event"),
    "wait": (WaitEvent, 1, "the name of one event"),
    "clear": (ClearEvent, 1, "the name of one event"),
    "chain": (Chain, 1, "the name of one task"),
}


def parse_step(text: str) -> Step:
    """Turn `lock R1` into a step; ValueError has the text of the expected form."""
    verb, *arguments = text.split() or [""]
    if verb in LATER_STEPS:
        raise ValueError(f"{STEPS} ({verb} is not there yet)")
    if verb in _TIMED:
        return _TIMED[verb](" ".join(arguments))
    if verb in _NAMED:
        step, count, named = _NAMED[verb]
        if len(arguments) != count or not all(map(str.isprintable, arguments)):
            raise ValueError(f"{verb} and {named}")
        return step(*arguments)
    raise ValueError(STEPS + suggestion(verb, [*_TIMED, *_NAMED]))


def _parse_run(text: str) -> Step:
    """Parse `1ms`, or a range: `1ms..3ms`."""
    try:
        least_ns, *most_ns = map(parse_duration, text.split("..", 1))
    except ValueError:
        raise ValueError(f"run and {DURATION}, or {RANGE}") from None
    if not most_ns:
        return Run(least_ns)
    if least_ns >= most_ns[0]:
        raise ValueError(f"run and {RANGE}")
    return Run(most_ns[0], least_ns)


def _parse_sleep(text: str) -> Step:
    try:
        return Sleep(parse_duration(text))
    except ValueError:
        fixed = "; only run steps have ranges" if ".." in text else ""
        raise ValueError(f"sleep and {DURATION}{fixed}") from None


_TIMED: dict[str, Callable[[str], Step]] = {"run": _parse_run, "sleep": _parse_sleep}
_OF_TASKS = ("activate", "set")
# Verbs of alarms, beyond the signals to tasks.
_OF_ALARMS: dict[str, tuple[Callable[[str], Action], str]] = {
    "call": (CallBack, "the name of one function: ALARMCALLBACK(NAME) of a trusted file"),
    "increment": (Increment, "the name of one counter"),
}


_OF_MESSAGES: dict[str, tuple[Callable[[str], Notification], str]] = {
    "call": (CallBack, "the name of one function: COMCallback(NAME) of a trusted file"),
    "flag": (Flag, "the name of one flag: ReadFlag_NAME()"),
}
Named = TypeVar("Named", Action, Notification)


def parse_action(text: str) -> Action:
    """Turn `activate T1` into an alarm's action; ValueError has the text of the expected form."""
    return _parse_one(text, _OF_ALARMS, ACTIONS)


def parse_notification(text: str) -> Notification:
    """Turn `flag F1` into a received message's action; ValueError as from parse_action()."""
    return _parse_one(text, _OF_MESSAGES, NOTIFICATIONS)


def _parse_one(
    text: str, named_by: Mapping[str, tuple[Callable[[str], Named], str]], all_of_them: str
) -> Named | Activate | SetEvent:
    verb, *arguments = text.split() or [""]
    if verb in named_by:
        action, named = named_by[verb]
        if len(arguments) != 1 or not re.fullmatch(r"[A-Za-z]\w*", arguments[0], re.ASCII):
            raise ValueError(f"{verb} and {named}")
        return action(arguments[0])
    if verb not in _OF_TASKS:
        raise ValueError(all_of_them + suggestion(verb, [*_OF_TASKS, *named_by]))
    return parse_signal(text)


def parse_signal(text: str) -> Signal:
    """Turn `activate T1` into a signal of an expiry point; ValueError as from parse_action()."""
    verb, *_ = text.split() or [""]
    if verb not in _OF_TASKS:
        raise ValueError(SIGNALS + suggestion(verb, _OF_TASKS))
    step = parse_step(text)
    assert isinstance(step, Activate | SetEvent)
    return step
