# SPDX-License-Identifier: MIT
"""Random systems as tables of a description, and their OIL text in one of many forms.

Objects and attributes come in any order and, if OIL allows it, in several places. Numbers come in
each base. Comments, descriptions and vendors' attributes are added. Defaults are written or left
out.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from random import Random
from typing import Any, TypeVar

from plafond.describe.kernel import SCHEDULER

Tables = dict[str, Any]
Attribute = tuple[str, str]
Piece = tuple[str, str]  # the kind and the text of an object
Item = TypeVar("Item")
TICKS = {"1ms": "0.001", "250us": "2.5e-4", "10us": "0.000010", "1us": "1.0E-6", None: "AUTO"}
LEAST_CYCLE = {"1us": 10}  # ticks; other resolutions have 1
COMMENTS = ["", "", "\n", ' // { } " TASK\n', ' /* } " #\n*/ ', "/**/"]
HOOKS = ["startup", "shutdown", "error", "pretask", "posttask", "protection"]
VENDOR = "IMPLEMENTATION vendor { TASK { UINT32 [1..9] COLOUR = 7; INT64 WITH_AUTO DEPTH[]; }; };"


def random_tables(random: Random) -> Tables:
    """Return a random system that OIL can express and the kernel supports."""
    modes = [f"M{i}" for i in range(random.randint(1, 3))]
    hooks = [hook for hook in HOOKS if random.random() < 0.5]
    kernel = {
        "modes": modes,
        "parameters": "error" in hooks and random.random() < 0.5,
        "status": random.choice(["standard", "extended"]),
        "hooks": hooks,
        "console": random.random() < 0.5,
        "stack_monitoring": random.random() < 0.5,
        "sources": ["tasks.c", "more.c"],
        "trusted": ["trusted.c"],
        "mixed": ["mixed.c"] if random.random() < 0.5 else [],
        "include": [".", ".."][: random.randrange(3)],
        "flags": random.sample(["-DA=1", "-Wno-unused", "-DTEXT=a $(b)"], random.randrange(3)),
        "warnings": random.choice(["shown", "errors", "none"]),
    }
    resources: Tables = {
        f"R{i}": {"internal": random.random() < 0.3} for i in range(random.randrange(5))
    }
    resources |= _linked(random, resources)
    events = [f"E{i}" for i in range(random.randrange(5))]
    bits = random.sample(range(64), len(events))
    event = {
        name: {"mask": 1 << bit}
        for name, bit in zip(events, bits, strict=True)
        if random.random() < 0.5
    }
    scheduler = [SCHEDULER] if random.random() < 0.5 else []
    task = {
        f"T{i}": _task(random, resources, events, scheduler) | _modes(random, modes)
        for i in range(random.randint(1, 6))
    }
    counter = {f"C{i}": _counter(random) for i in range(random.randrange(4))}
    for table in task.values():
        if not table["autostart"]:
            table.pop("modes", None)
    alarm = {
        f"A{i}": _alarm(random, task, counter, modes)
        for i in range(random.randrange(5) if counter else 0)
    }
    _increment(random, alarm, counter)
    schedule_table = {
        f"S{i}": _schedule_table(random, task, counter, modes)
        for i in range(random.randrange(4) if counter else 0)
    }
    sources = random.sample(range(988), random.randrange(4))
    linked = {table.get("linked") for table in resources.values()}
    plain = [
        name
        for name, table in resources.items()
        if not table.get("internal", "linked" in table) and name not in linked
    ]
    isr = {
        f"I{i}": {"source": source} | _routine(random, plain) for i, source in enumerate(sources)
    }
    message = _messages(random, task)
    com = {"com": _com(random)} if message else {}
    owned = {
        "task": task,
        "resource": resources,
        "counter": counter,
        "alarm": alarm,
        "schedule_table": schedule_table,
        "isr": isr,
    }
    return {
        "kernel": kernel,
        **com,
        "message": message,
        "task": task,
        "resource": resources,
        "event": event,
        "counter": counter,
        "alarm": alarm,
        "schedule_table": schedule_table,
        "isr": isr,
        "application": _applications(random, owned) if random.random() < 0.5 else {},
    }


OWN_HOOKS = ["startup", "error", "shutdown"]


def _applications(random: Random, owned: Tables) -> Tables:
    """Give each object to an application, and open it to all others so that each use stays
    allowed."""
    names = [f"P{i}" for i in range(random.randint(1, 4))]
    needed = set()
    for kind, tables in owned.items():
        for table in tables.values():
            table["application"] = random.choice(names)
            if kind != "isr":
                others = [name for name in names if name != table["application"]]
                table["access"] = random.sample(others, len(others))
            if kind == "isr" or table.get("action", "").startswith("call"):
                needed.add(table["application"])
    found: Tables = {}
    for name in names:
        found[name] = {"trusted": name in needed or random.random() < 0.5}
        if found[name]["trusted"]:
            found[name]["hooks"] = random.sample(OWN_HOOKS, random.randint(0, len(OWN_HOOKS)))
        own = [task for task, table in owned["task"].items() if table["application"] == name]
        if own and random.random() < 0.5:
            found[name]["restart"] = random.choice(own)
        if found[name]["trusted"] and random.random() < 0.5:
            found[name]["functions"] = [f"F{name}{i}" for i in range(random.randint(1, 3))]
    if random.random() < 0.5:
        found[random.choice(names)]["sources"] = ["own.c"]
    return found


def _routine(random: Random, resources: list[str]) -> Tables:
    if random.random() < 0.3:
        return {"category": 1, "resources": []}
    priority = {"priority": random.randint(1, 40)} if random.random() < 0.5 else {}
    return priority | {"resources": random.sample(resources, random.randint(0, len(resources)))}


def _task(random: Random, resources: Tables, events: list[str], scheduler: list[str]) -> Tables:
    internal = [name for name, table in resources.items() if table.get("internal")]
    plain = [name for name, table in resources.items() if not table.get("internal")]
    own = random.sample(events, random.randint(0, len(events)))
    table = {
        "priority": random.randint(1, 98),
        "autostart": random.random() < 0.5,
        "schedule": random.choice(["full", "non"]),
        "events": own,
        "resources": random.sample(plain, random.randint(0, len(plain))) + scheduler,
        "stack": random.randint(4097, 1 << 20),
    }
    if not own and random.random() < 0.5:
        table["queue"] = random.randint(2, 255)
    if internal and table["schedule"] == "full" and random.random() < 0.7:
        table["internal"] = random.choice(internal)
    return table


def _linked(random: Random, resources: Tables) -> Tables:
    """Return additional names of resources. Some of them name another additional name."""
    names = [name for name, table in resources.items() if not table["internal"]]
    linked: Tables = {}
    while names and random.random() < 0.5:
        name = f"L{len(linked)}"
        linked[name] = {"linked": random.choice(names)}
        names.append(name)
    return linked


def _counter(random: Random) -> Tables:
    tick = random.choice(list(TICKS))
    least = LEAST_CYCLE.get(str(tick), 1)
    highest = random.randint(least, 2**32 - 2)
    table = {
        "highest": highest,
        "ticks_per_base": random.randint(1, 2**32 - 2),
        "min_cycle": random.randint(least, highest),
    }
    return table if tick is None else table | {"tick": tick}


def _modes(random: Random, modes: list[str]) -> Tables:
    some = random.sample(modes, random.randrange(len(modes) + 1))
    return {"modes": some} if some else {}


def _alarm(random: Random, tasks: Tables, counters: Tables, modes: list[str]) -> Tables:
    task, table = random.choice(list(tasks.items()))
    name, counter = random.choice(list(counters.items()))
    events = table["events"]
    action = f"set {task} {random.choice(events)}" if events else f"activate {task}"
    if random.random() < 0.3:
        action = f"call back{random.randrange(3)}"
    first = random.choice([0, random.randint(1, counter["highest"])])
    cycle = random.choice([0, random.randint(counter["min_cycle"], counter["highest"])])
    started = {"autostart": [first, cycle], **_modes(random, modes)}
    return {"counter": name, "action": action, **(started if random.random() < 0.5 else {})}


def _schedule_table(random: Random, tasks: Tables, counters: Tables, modes: list[str]) -> Tables:
    name, counter = random.choice(list(counters.items()))
    least, highest = counter["min_cycle"], counter["highest"]
    ways = [random.randint(least, min(highest, least + 99)) for _ in range(random.randint(1, 4))]
    while len(ways) > 1 and sum(ways) > 2**32 - 2:
        ways.pop()
    first = random.choice([0, ways[0]]) if len(ways) > 1 else 0
    at = [first + sum(ways[1:index]) for index in range(1, max(len(ways), 2))]
    table: Tables = {
        "counter": name,
        "duration": at[-1] + ways[-1],
        "repeating": random.random() < 0.5,
        "points": [{"at": each, "do": _signals(random, tasks)} for each in at],
    }
    kinds = {"absolute": highest, "relative": highest - first}
    if table["duration"] <= highest + 1 and random.random() < 0.5:
        table |= {"sync": "explicit", "precision": random.randint(0, table["duration"])}
        table["points"][0] |= {"shorten": 0, "lengthen": highest - first - ways[-1]}
        table["points"][0]["lengthen"] = max(table["points"][0]["lengthen"], 0)
        kinds["synchron"] = 0
    kind, most = random.choice(list(kinds.items()))
    if kind == "synchron" or most > 0:
        start = kind if kind == "synchron" else f"{kind} {random.randint(1, most)}"
        started = {"autostart": start, **_modes(random, modes)}
        table |= started if random.random() < 0.5 else {}
    return table


def _signals(random: Random, tasks: Tables) -> list[str]:
    some = random.sample(list(tasks), random.randint(1, len(tasks)))
    return [
        f"set {task} {random.choice(tasks[task]['events'])}"
        if tasks[task]["events"]
        else f"activate {task}"
        for task in some
    ]


def _messages(random: Random, tasks: Tables) -> Tables:
    types = ["uint32_t", "struct s", "char[8]", "void"]
    sent = {f"S{i}": {"type": random.choice(types)} for i in range(random.randrange(4))}
    received: Tables = {}
    for i in range(random.randrange(6) if sent else 0):
        name, sender = random.choice(list(sent.items()))
        receiver = received[f"R{i}X"] = {"from": name}
        if sender["type"] != "void" and random.random() < 0.5:
            receiver["queue"] = random.randint(1, 255)
        elif sender["type"] != "void" and random.random() < 0.5:
            receiver["initial"] = random.randrange(1, 2**64)
        if random.random() < 0.7:
            receiver["action"] = _notification(random, tasks)
    return {**sent, **received}


def _notification(random: Random, tasks: Tables) -> str:
    task, table = random.choice(list(tasks.items()))
    known = [f"set {task} {event}" for event in table["events"]]
    return random.choice([*known, f"activate {task}", "call back1", "flag F1", "flag F2"])


def _com(random: Random) -> Tables:
    table: Tables = {"error_hook": True} if random.random() < 0.5 else {}
    if random.random() < 0.5:
        table |= {"modes": ["COM1", "COM2"], "headers": ["types.h"]}
    return table | ({"extension": True} if random.random() < 0.5 else {})


def _increment(random: Random, alarms: Tables, counters: Tables) -> None:
    """Let some alarms increment a counter each. It comes after the alarm's own counter, so there is
    no cycle."""
    behind = [name for name, counter in counters.items() if "tick" not in counter]
    for alarm in alarms.values():
        if behind and random.random() < 0.3 and alarm["counter"] < behind[-1]:
            alarm["action"] = f"increment {behind.pop()}"


class Writer:
    """Writes tables as OIL, with choices that do not change the meaning."""

    def __init__(self, random: Random) -> None:
        """Draw the choices from `random`."""
        self._random = random

    def text(self, tables: Tables) -> tuple[str, str]:
        """Return a file, and the file `part.oil` that it includes."""
        pieces = self._mixed(self._pieces(tables), key=lambda piece: piece[0])
        cut = self._random.randrange(len(pieces) + 1)
        first, second = ("".join(text for _, text in part) for part in (pieces[:cut], pieces[cut:]))
        part = f"\n{self._blank()}CPU board {{{second}}}{self._said()};\n{VENDOR}"
        begin = f'{self._blank()}OIL_VERSION = "2.5"{self._said()};\n'
        return f'{begin}CPU board {{{first}}};\n  # include "part.oil" // its end', part

    def _pieces(self, tables: Tables) -> Iterator[Piece]:
        """Yield each object in one or more pieces."""
        for mode in tables["kernel"]["modes"]:
            yield from self._object("APPMODE", mode, [])
        yield from self._object("OS", "board", self._system(tables))
        owned = [event for task in tables["task"].values() for event in task["events"]]
        for name in dict.fromkeys([*owned, *tables["event"]]):
            yield from self._object("EVENT", name, self._mask(tables["event"].get(name)))
        write: dict[str, Callable[[Tables], list[Attribute]]] = {
            "task": self._task,
            "resource": self._resource,
            "counter": self._counter,
            "alarm": self._alarm,
            "schedule_table": self._schedule_table,
            "isr": self._isr,
            "message": lambda message: self._message(message, tables["message"]),
        }
        for kind, attributes in write.items():
            for name, table in tables[kind].items():
                shown = kind.upper().replace("_", "")
                access = [("ACCESSING_APPLICATION", each) for each in table.get("access", [])]
                yield from self._object(shown, name, attributes(table) + access)
        for name, application in tables["application"].items():
            yield from self._object("APPLICATION", name, self._members(name, application, tables))
        if "com" in tables:
            yield from self._object("COM", "com", self._com(tables["com"]))

    def _members(self, name: str, application: Tables, tables: Tables) -> list[Attribute]:
        kinds = ("task", "resource", "counter", "alarm", "schedule_table", "isr")
        return [
            ("TRUSTED", self._trusted(application)),
            *((f"{hook.upper()}HOOK", "TRUE") for hook in application.get("hooks", [])),
            *self._restart(application.get("restart")),
            *(("APP_SRC", f'"{file}"') for file in application.get("sources", [])),
            *(
                (kind.upper().replace("_", ""), member)
                for kind in kinds
                for member, table in tables[kind].items()
                if table.get("application") == name
            ),
        ]

    def _trusted(self, application: Tables) -> str:
        if not application["trusted"]:
            return "FALSE"
        functions = "".join(
            f'TRUSTED_FUNCTION = TRUE {{ NAME = "{name}"; }}; '
            for name in application.get("functions", [])
        )
        return f"TRUE {{ {functions}}}" if functions or self._either() else "TRUE"

    def _restart(self, task: str | None) -> list[Attribute]:
        if task is None:
            return [("HAS_RESTARTTASK", "FALSE")] if self._either() else []
        return [("HAS_RESTARTTASK", f"TRUE {{ RESTARTTASK = {task}; }}")]

    def _com(self, com: Tables) -> list[Attribute]:
        truths = {"COMERRORHOOK": "error_hook", "COMSTARTCOMEXTENSION": "extension"}
        return [
            *(("COMAPPMODE", f'"{mode}"') for mode in com.get("modes", [])),
            *(("TYPES_HEADER", f'"{file}"') for file in com.get("headers", [])),
            *((name, "TRUE") for name, field in truths.items() if field in com),
        ]

    def _message(self, message: Tables, messages: Tables) -> list[Attribute]:
        if "type" in message:
            form = f'SEND_STATIC_INTERNAL {{ CDATATYPE = "{message["type"]}"; }}'
            if message["type"] == "void":
                form = "SEND_ZERO_INTERNAL"
            return [("MESSAGEPROPERTY", form)]
        inner = f"SENDINGMESSAGE = {message['from']};"
        kind = "ZERO" if messages[message["from"]]["type"] == "void" else "UNQUEUED"
        if "queue" in message:
            kind, inner = "QUEUED", f"{inner} QUEUESIZE = {self._number(message['queue'])};"
        elif "initial" in message:
            inner = f"INITIALVALUE = {self._number(message['initial'])}; {inner}"
        form = f"RECEIVE_{kind}_INTERNAL {{ {inner} }}"
        return [("MESSAGEPROPERTY", form), *self._notification(message.get("action"))]

    def _notification(self, action: str | None) -> list[Attribute]:
        if action is None:
            return [("NOTIFICATION", "NONE")] if self._either() else []
        verb, name, *event = action.split()
        value = {
            "activate": f"ACTIVATETASK {{ TASK = {name}; }}",
            "set": f"SETEVENT {{ EVENT = {''.join(event)}; TASK = {name}; }}",
            "call": f'COMCALLBACK {{ CALLBACKROUTINENAME = "{name}"; }}',
            "flag": f'FLAG {{ FLAGNAME = "{name}"; }}',
        }[verb]
        return [("NOTIFICATION", value)]

    def _object(self, kind: str, name: str, attributes: list[Attribute]) -> Iterator[Piece]:
        mixed = self._mixed(attributes, key=lambda attribute: attribute[0])
        cut = self._random.randrange(len(mixed) + 1)
        for part in (mixed[:cut], mixed[cut:]) if self._either() else (mixed,):
            inner = "".join(
                f"{self._blank()}{key}{self._blank()} {self._equals(key)}{value}{self._said()};"
                for key, value in part
            )
            braces = f" {{{inner}}}" if inner or self._either() else ""
            yield kind, f"{self._blank()}{kind} {name}{braces}{self._said()};"

    def _system(self, tables: Tables) -> list[Attribute]:
        kernel = tables["kernel"]
        locks = any(SCHEDULER in task["resources"] for task in tables["task"].values())
        truths = {f"{hook.upper()}HOOK": hook in kernel["hooks"] for hook in HOOKS}
        truths |= {"CONSOLE": kernel["console"], "USEGETSERVICEID": self._either()}
        truths["USEPARAMETERACCESS"] = kernel["parameters"]
        truths["STACKMONITORING"] = kernel["stack_monitoring"]
        attributes = [
            (name, "TRUE" if truth else "FALSE")
            for name, truth in truths.items()
            if truth or self._either()
        ]
        if not locks or self._either():
            attributes.append(("USERESSCHEDULER", "TRUE" if locks else "FALSE"))
        if kernel["status"] == "extended" or self._either():
            attributes.append(("STATUS", kernel["status"].upper()))
        if kernel["warnings"] != "shown" or self._either():
            attributes.append(("WARNINGS", kernel["warnings"].upper()))
        attributes += [("INCLUDE", f'"{folder}"') for folder in kernel["include"]]
        attributes += [("FLAG", f'"{flag}"') for flag in kernel["flags"]]
        attributes += [("APP_SRC", f'"{file}"') for file in kernel["sources"]]
        attributes += [("TRUSTED_SRC", f'"{file}"') for file in kernel["trusted"]]
        attributes += [("MIXED_SRC", f'"{file}"') for file in kernel["mixed"]]
        return [*attributes, ("CFLAGS", '"-O2"'), ("CPU_DATA", "X { Y = 1.5 { Z = A; }; }")]

    def _task(self, task: Tables) -> list[Attribute]:
        locked = [each for each in task["resources"] if each != SCHEDULER or self._either()]
        held = [task["internal"]] if "internal" in task else []
        attributes = [
            ("PRIORITY", self._number(task["priority"])),
            ("STACKSIZE", self._number(task["stack"])),
            *(("EVENT", event) for event in task["events"]),
            *(("RESOURCE", resource) for resource in self._inserted(held, locked)),
            *([("COLOUR", "3"), ("DEPTH", "AUTO"), ("DEPTH", "-5")] if self._either() else []),
        ]
        modes = "".join(f"APPMODE = {mode}; " for mode in task.get("modes", []))
        started = f"TRUE {{ {modes}}}" if modes or self._either() else "TRUE"
        for name, value, default in (
            ("AUTOSTART", started if task["autostart"] else "FALSE", "FALSE"),
            ("SCHEDULE", task["schedule"].upper(), "FULL"),
            ("ACTIVATION", str(task.get("queue", 1)), "1"),
        ):
            if value != default or self._either():
                attributes.append((name, value))
        return attributes

    def _resource(self, resource: Tables) -> list[Attribute]:
        if "linked" in resource:
            value = f"LINKED {{ LINKEDRESOURCE = {resource['linked']}; }}"
            return [("RESOURCEPROPERTY", value)]
        if resource["internal"]:
            return [("RESOURCEPROPERTY", "INTERNAL")]
        return [("RESOURCEPROPERTY", "STANDARD")] if self._either() else []

    def _mask(self, event: Tables | None) -> list[Attribute]:
        if event:
            return [("MASK", self._number(event["mask"]))]
        return [("MASK", "AUTO")] if self._either() else []

    def _counter(self, counter: Tables) -> list[Attribute]:
        numbers = {
            "MAXALLOWEDVALUE": "highest",
            "TICKSPERBASE": "ticks_per_base",
            "MINCYCLE": "min_cycle",
        }
        attributes = [(name, self._number(counter[field])) for name, field in numbers.items()]
        return [*attributes, ("SECONDSPERTICK", TICKS[counter.get("tick")])]

    def _action(self, written: str) -> str:
        verb, name, *event = written.split()
        return {
            "activate": f"ACTIVATETASK {{ TASK = {name}; }}",
            "set": f"SETEVENT {{ EVENT = {''.join(event)}; TASK = {name}; }}",
            "call": f'ALARMCALLBACK {{ ALARMCALLBACKNAME = "{name}"; }}',
            "increment": f"INCREMENTCOUNTER {{ COUNTER = {name}; }}",
        }[verb]

    def _schedule_table(self, table: Tables) -> list[Attribute]:
        attributes = [
            ("COUNTER", table["counter"]),
            (self._random.choice(["LENGTH", "DURATION"]), self._number(table["duration"])),
        ]
        if table["repeating"] or self._either():
            word = self._random.choice(["PERIODIC", "REPEATING"])
            attributes.append((word, "TRUE" if table["repeating"] else "FALSE"))
        if "sync" in table:
            strategy = f"SYNC_STRATEGY = EXPLICIT; PRECISION = {table['precision']};"
            attributes.append(("LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION", f"TRUE {{ {strategy} }}"))
        if "autostart" in table:
            kind, *ticks = table["autostart"].split()
            modes = "".join(f"APPMODE = {mode}; " for mode in table.get("modes", []))
            at = {"absolute": "START", "relative": "OFFSET"}.get(kind, "")
            when = "".join(f"{at} = {each}; " for each in ticks)
            attributes.append(("AUTOSTART", f"{kind.upper()} {{ {modes}{when}}}"))
        points = self._random.sample(table["points"], len(table["points"]))  # in any order
        return [*attributes, *(("EXPIRY_POINT", self._point(point)) for point in points)]

    def _point(self, point: Tables) -> str:
        parts = [f"ACTION = {self._action(each)};" for each in point["do"]]
        parts = self._inserted([f"OFFSET = {self._number(point['at'])};"], parts)
        if "shorten" in point:
            most = f"MAX_RETARD = {point['shorten']}; MAX_ADVANCE = {point['lengthen']};"
            parts.append(f"ADJUSTABLE = TRUE {{ {most} }};")
        return f"at_{point['at']} {{ {' '.join(parts)} }}"

    def _equals(self, key: str) -> str:
        return "" if key == "EXPIRY_POINT" else "= "

    def _alarm(self, alarm: Tables) -> list[Attribute]:
        attributes = [("COUNTER", alarm["counter"]), ("ACTION", self._action(alarm["action"]))]
        if "autostart" in alarm:
            first, cycle = map(self._number, alarm["autostart"])
            modes = "".join(f"APPMODE = {mode}; " for mode in alarm.get("modes", []))
            kind = "TYPE = ABSOLUTE; " if self._either() else ""
            value = f"TRUE {{ CYCLETIME = {cycle}; {kind}{modes}ALARMTIME = {first}; }}"
            return [*attributes, ("AUTOSTART", value)]
        return [*attributes, ("AUTOSTART", "FALSE")] if self._either() else attributes

    def _isr(self, isr: Tables) -> list[Attribute]:
        locked = [("RESOURCE", resource) for resource in isr["resources"]]
        number = ("INTERRUPT", self._number(isr["source"]))
        if isr.get("category") == 1:
            return [number, ("CATEGORY", "1")]
        priority = [("PRIORITY", self._number(isr["priority"]))] if "priority" in isr else []
        return [number, *priority, *locked, *([("CATEGORY", "2")] if self._either() else [])]

    def _either(self) -> bool:
        return self._random.random() < 0.5

    def _number(self, number: int) -> str:
        return self._random.choice([str(number), hex(number), f"0X{number:X}"])

    def _blank(self) -> str:
        return self._random.choice(COMMENTS)

    def _said(self) -> str:
        return self._random.choice(["", "", ' : "it { is"', ' :\n "two // lines\n#"'])

    def _inserted(self, items: list[str], among: list[str]) -> list[str]:
        place = self._random.randint(0, len(among))
        return [*among[:place], *items, *among[place:]]

    def _mixed(self, items: Iterable[Item], key: Callable[[Item], Hashable]) -> list[Item]:
        """Shuffle the items, but keep the order among items of the same key."""
        ordered = list(items)
        waiting = {key(item): iter([i for i in ordered if key(i) == key(item)]) for item in ordered}
        shuffled = self._random.sample(ordered, len(ordered))
        return [next(waiting[key(item)]) for item in shuffled]
