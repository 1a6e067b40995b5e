# SPDX-License-Identifier: MIT
"""Find names of a description that C cannot have.

Names of tasks, resources, applications, functions, counters, alarms, schedule tables, interrupts,
messages and events become constants. They share a namespace with the services and with each other.
The kernel's files do not see them.
"""

import re
from collections.abc import Iterator
from functools import cache

from plafond.board.boards import KERNEL, ROOT
from plafond.describe.kernel import DEFAULT_MODE, SCHEDULER
from plafond.describe.problems import Problem, Where
from plafond.describe.system import System
from plafond.protocols import KernelProtocol

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "auto break case char const continue default do double else enum extern float for goto if "
        "inline int long register restrict return short signed sizeof static struct switch "
        "typedef union unsigned void volatile while asm typeof bool true false main NULL offsetof",
    )
)
# Names of <stdint.h> and <stddef.h>, and forms of names that the kernel or compiler reserves.
FORMS = re.compile(
    r"(plf_|PLF_|Ioc(Send|Receive|Write|Read|EmptyQueue)_|IOC_E_|OSServiceId_|OSError_|ReadFlag_|ResetFlag_|COMServiceId_|COMError_|OS(MAXALLOWEDVALUE|TICKSPERBASE|MINCYCLE)_|__)\w*|u?int\w*_t|(size|ptrdiff|wchar|max_align)_t|U?INT\w*_(C|MAX|MIN)"
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*")


def problems_of_names(system: System) -> Iterator[Problem]:
    """Yield each name that C, the kernel or another table already has."""
    kinds: dict[str, str] = {}
    for where, kind, name in _names(system):
        other = kinds.setdefault(name, kind)
        if other != kind:
            yield Problem(where, name, f"another name: there is {other} {name}, and C sees both")
        elif _is_taken(name):
            yield Problem(where, name, "another name: C or the kernel has this one")
    yield from _problems_of_services(system)


def _problems_of_services(system: System) -> Iterator[Problem]:
    """Yield clashes of IOC services: an IOC A_B without lanes clashes with sender B of an IOC A."""
    owners: dict[str, str] = {}
    for ioc in system.iocs:
        for service in ioc.sending:
            other = owners.setdefault(service, ioc.name)
            if other != ioc.name:
                expected = f"another name: {service} is a service of [ioc.{other}], too"
                yield Problem(("ioc", ioc.name), ioc.name, expected)


def _names(system: System) -> Iterator[tuple[Where, str, str]]:
    """Each name with its field and its kind."""
    for task in system.tasks:
        yield ("task", task.name), "a task", task.name
    for resource in system.resources:
        if resource.name != SCHEDULER:
            yield ("resource", resource.name), "a resource", resource.name
    for server in system.servers:
        yield ("server", server.name), "a server", server.name
    for application in system.applications:
        yield ("application", application.name), "an application", application.name
    for application in system.applications:
        for index, function in enumerate(application.functions):
            where = ("application", application.name, "functions", index)
            yield where, "a trusted function", function
            yield where, "a trusted function", f"TRUSTED_{function}"
        for function in application.function:
            place: Where = ("application", application.name, "function", function)
            for name in (function, f"FUNCTION_{function}", f"Call_{function}"):
                yield place, "a protected function", name
    for counter in system.counters:
        yield ("counter", counter.name), "a counter", counter.name
    for alarm in system.alarms:
        yield ("alarm", alarm.name), "an alarm", alarm.name
    for table in system.schedule_tables:
        yield ("schedule_table", table.name), "a schedule table", table.name
    for isr in system.isrs:
        yield ("isr", isr.name), "an interrupt", isr.name
    for message in system.messages:
        yield ("message", message.name), "a message", message.name
    for index, mode in enumerate(system.com.modes):
        yield ("com", "modes", index), "a mode of COM", mode
    for index, mode in enumerate(system.kernel.modes):
        if mode != DEFAULT_MODE:
            yield ("kernel", "modes", index), "a mode", mode
    for task in system.tasks:
        for index, event in enumerate(task.events):
            yield ("task", task.name, "events", index), "an event", event
    owned = {event for task in system.tasks for event in task.events}
    for event in system.events:
        if event not in owned:
            yield ("event", event), "an event", event


def _is_taken(name: str) -> bool:
    if name in KEYWORDS or FORMS.fullmatch(name):
        return True
    # Names of services begin with a capital. Other words, such as parameters, only hide a constant,
    # which is harmless.
    return name[0].isupper() and name in _words()


@cache
def _words() -> frozenset[str]:
    """All words of headers that are compiled with the names of a description."""
    folders = [KERNEL / name for name in ("include", "ioc", "resource", "trusted", "mixed", "run")]
    folders += [KERNEL / "resource" / protocol.folder for protocol in KernelProtocol]
    folders += (KERNEL / "ports").glob("*/user")
    folders += KERNEL.glob("scheduler/*")
    headers = [file for folder in [*folders, ROOT / "protocol"] for file in folder.glob("*.h")]
    text = "".join(COMMENT.sub("", file.read_text()) for file in headers)
    return frozenset(WORD.findall(text))
