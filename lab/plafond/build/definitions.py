# SPDX-License-Identifier: MIT
"""Check that C files define the description's tasks, handlers, callbacks and hooks.

The linker reports a missing function, but not the field that needs it. It does not report a task in
a trusted file, or a handler in a file of user mode. On a board with memory protection, the first
call of such a function is a fault. A mixed file may contain both.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.build.objects import Part, Unit
from plafond.build.symbols import defined_in
from plafond.describe.application import HOOKS as OF_APPLICATIONS
from plafond.describe.application import Application
from plafond.describe.body import CallBack
from plafond.describe.kernel import Hook
from plafond.describe.problems import Problem, Where
from plafond.describe.read import error_of, read
from plafond.describe.system import System
from plafond.words import suggestion

KINDS = {Part.USER: "user file", Part.TRUSTED: "trusted file", Part.MIXED: "mixed file"}
MOST_NAMED = 4  # file names in a message
# From the prefix of a symbol to the macro that defines it in C.
MACROS = {"plf_task_": "TASK", "plf_isr_": "ISR", "plf_callback_": "ALARMCALLBACK"}
TRUSTED_FUNCTION = "TRUSTED_"  # begins the symbol of a trusted function
PROTECTED_FUNCTION = "FUNCTION_"  # begins the symbol of a protected function
COM_CALLBACK = "COMCallback"
COM_ERROR_HOOK, COM_EXTENSION = "COMErrorHook", "StartCOMExtension"
FUNCTIONS = frozenset({*(hook.function for hook in Hook), COM_ERROR_HOOK, COM_EXTENSION})


@dataclass(frozen=True)
class Wanted:
    """A function that the description names, and the kind of file that must define it.

    A mixed file may define it too. None: a body defines the task, so no file may.
    """

    where: Where
    symbol: str
    part: Part | None
    macro: str = ""  # the macro, if the prefix of the symbol is ambiguous

    @property
    def spelled(self) -> str:
        """The name in C."""
        spelled = _spelled(self.symbol)
        return f"{self.macro}({spelled.partition('(')[2]}" if self.macro else spelled


@dataclass(frozen=True)
class Defined:
    """A function of a C file that a description could name."""

    symbol: str
    part: Part
    source: Path


def check_definitions(system: System, units: Iterable[Unit], folder: Path) -> list[str]:
    """Check the objects of the application's C files.

    DescriptionError names each function that no file of the right kind defines. Returns a line for
    each function that is defined but never called.
    """
    own = [unit for unit in units if unit.is_of_application]
    if not own or system.file is None:
        return []
    defined = list(_defined(system, own, folder))
    wanted = list(_wanted(system))
    files = {part: [unit.source for unit in own if unit.part is part] for part in KINDS}
    problems = [
        *(problem for each in wanted for problem in _problems(each, defined, files)),
        *_problems_of_main(system, own, folder),
    ]
    if problems:
        raise error_of(system, problems)
    known = {each.symbol for each in wanted}
    return [
        f"{each.source}: {_spelled(each.symbol)} is never called: {_why(system, each.symbol)}"
        for each in defined
        if each.symbol not in known
    ]


def _hooks_of_applications(system: System) -> dict[str, tuple[Application, Hook]]:
    """Return the hooks that applications may have, by symbol."""
    return {
        f"{hook.function}_{each.name}": (each, hook)
        for each in system.applications
        for hook in OF_APPLICATIONS
    }


def _defined(system: System, units: Iterable[Unit], folder: Path) -> Iterator[Defined]:
    functions = FUNCTIONS | {*_hooks_of_applications(system)}
    prefixes = (*MACROS, *([TRUSTED_FUNCTION] if system.applications else []))
    if any(each.function for each in system.applications):
        prefixes = (*prefixes, PROTECTED_FUNCTION)
    for unit in units:
        for symbol in defined_in(folder / unit.object):
            if symbol in functions or symbol.startswith(prefixes):
                yield Defined(symbol, unit.part, unit.source)


def _wanted(system: System) -> Iterator[Wanted]:
    for task in system.tasks:
        part = None if task.body else Part.USER
        yield Wanted(("task", task.name), f"plf_task_{task.name}", part)
    for isr in system.isrs:
        yield Wanted(("isr", isr.name), f"plf_isr_{isr.name}", Part.TRUSTED)
    for application in system.applications:
        for index, function in enumerate(application.functions):
            place: Where = ("application", application.name, "functions", index)
            yield Wanted(place, f"{TRUSTED_FUNCTION}{function}", Part.TRUSTED)
        for function in application.function:
            place = (*application.where, "function", function)
            yield Wanted(place, f"{PROTECTED_FUNCTION}{function}", Part.USER)
    for alarm in system.alarms:
        if isinstance(alarm.action, CallBack):
            symbol = f"plf_callback_{alarm.action.function}"
            yield Wanted(("alarm", alarm.name, "action"), symbol, Part.TRUSTED)
    for message in system.messages:
        if isinstance(message.action, CallBack):
            symbol = f"plf_callback_{message.action.function}"
            where: Where = ("message", message.name, "action")
            yield Wanted(where, symbol, Part.TRUSTED, COM_CALLBACK)
    if system.com.error_hook:
        yield Wanted(("com", "error_hook"), COM_ERROR_HOOK, Part.TRUSTED)
    if system.com.extension:
        yield Wanted(("com", "extension"), COM_EXTENSION, Part.USER)
    for hook in system.kernel.hooks:
        yield Wanted(_place(system, hook), hook.function, Part.TRUSTED)
    for symbol, (application, hook) in _hooks_of_applications(system).items():
        if hook in application.hooks:
            yield Wanted(("application", application.name, "hooks"), symbol, Part.TRUSTED)


def _place(system: System, hook: Hook) -> Where:
    """The place at which the description names a hook."""
    assert system.file is not None
    named = read(system.file, system.folders).raw.get("kernel", {}).get("hooks", [])
    place: Where = ("kernel", "hooks")
    return (*place, named.index(hook.value)) if hook.value in named else place


def _problems(
    wanted: Wanted, defined: Iterable[Defined], files: dict[Part, list[Path]]
) -> Iterator[Problem]:
    """Yield at most one problem."""
    spelled = wanted.spelled
    places = [each for each in defined if each.symbol == wanted.symbol]
    right = (wanted.part, Part.MIXED) if wanted.part else ()
    wrong = next((each for each in places if each.part not in right), None)
    if wanted.part is None:
        if wrong:
            found = f"{spelled} in {wrong.source.name} beside a body"
            yield Problem(wanted.where, found, "one of the two")
        return
    expected = f"{spelled} in {_listed_both(wanted.part, files)}"
    if wrong:
        found = f"it in the {KINDS[wrong.part]} {wrong.source.name}"
        yield Problem(wanted.where, found, expected)
    elif not places:
        others = [_spelled(each.symbol) for each in defined if each.part in right]
        yield Problem(wanted.where, f"no {spelled}", expected + suggestion(spelled, others))


def _problems_of_main(system: System, units: Iterable[Unit], folder: Path) -> Iterator[Problem]:
    """Yield each main() in a user file, because only tasks run in user mode."""
    user = [unit for unit in units if unit.part is Part.USER]
    for unit, where in zip(user, _places_of_sources(system), strict=True):
        if "main" in defined_in(folder / unit.object):
            found = f"main() in {unit.source.name}"
            expected = "it in a trusted or a mixed file, or only tasks"
            yield Problem(where, found, expected)


def _places_of_sources(system: System) -> Iterator[Where]:
    """Yield the places of the user files, in the order of user_files."""
    yield from (("kernel", "sources", index) for index in range(len(system.kernel.sources)))
    for each in system.applications:
        yield from (("application", each.name, "sources", i) for i in range(len(each.sources)))


def _listed_both(part: Part, files: dict[Part, list[Path]]) -> str:
    """Return the allowed files: files of the part, and mixed files, if there are some."""
    parts = [each for each in (part, Part.MIXED) if files[each]] or [part]
    return " or ".join(_listed(each, files[each]) for each in parts)


def _listed(part: Part, files: list[Path]) -> str:
    kind = KINDS[part]
    names = [file.name for file in files]
    if len(names) == 1:
        return f"the {kind} {names[0]}"
    if 0 < len(names) <= MOST_NAMED:
        return f"one of the {kind}s {', '.join(names)}"
    return f"one of the {len(names)} {kind}s" if names else f"a {kind}"


def _macro(symbol: str) -> str | None:
    return next((prefix for prefix in MACROS if symbol.startswith(prefix)), None)


def _spelled(symbol: str) -> str:
    """Return the name of a function in C: TASK(beat), ErrorHook()."""
    prefix = _macro(symbol)
    return f"{MACROS[prefix]}({symbol.removeprefix(prefix)})" if prefix else f"{symbol}()"


def _why(system: System, symbol: str) -> str:
    for hook in Hook:
        if symbol == hook.function:
            return f'no "{hook}" among the hooks'
    if symbol in (own := _hooks_of_applications(system)):
        application, hook = own[symbol]
        return f'no "{hook}" among the hooks of {application.name}'
    return "the description does not name it"
