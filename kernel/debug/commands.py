# SPDX-License-Identifier: MIT
"""Commands of gdb for an image of Plafond's kernel.

`plafond build` writes this file into the image's folder as image.gdb.py, and appends the names of
the description. In gdb: `source image.gdb.py`, then `info tasks`, `info stacks`, `info resources`,
`info events`, `info alarms`, `info counters`. They read the kernel's structures by name, and stop
nothing. Memory that tasks may write can hold any value, so the commands bound each index and
pointer from there.
"""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gdb

KEPT_IN_CALLS = range(19, 31)  # registers that every saved context of a board has
ADDRESS = (1 << 48) - 1
FILLING = 0xA5  # unused bytes of stacks in an image of `plafond run`: kernel/run/stack.c
PLACES = {  # enum plf_place of kernel/core.h
    1: "a task",
    2: "a handler",
    4: "ErrorHook",
    8: "PreTaskHook",
    16: "PostTaskHook",
    32: "StartupHook",
    64: "ShutdownHook",
    128: "ProtectionHook",
    256: "main",
    512: "a callback",
    1024: "a handler of category 1",
    2048: "a callback of a message",
    4096: "a trusted function",
}
Row = tuple[str, ...]


@dataclass(frozen=True)
class Names:
    """The names of the description's objects, each list in the kernel's order."""

    urgency: str  # heading of the column of urgencies: priority or deadline
    tasks: list[dict[str, Any]]  # name, urgency, and events: masks by name
    is_extended: bool  # extended status: the kernel records which resources a task holds
    resources: list[dict[str, Any]]  # resources of a single core: name, ceiling, users
    globals: list[dict[str, Any]]  # global resources: name, ceiling, users
    alarms: list[dict[str, Any]]  # name, counter, action
    counters: list[dict[str, Any]]  # name, tick
    files: dict[str, str]  # folders of the sources, by their names in the image


# ---- Reading ---------------------------------------------------------------------


def value(expression: str) -> Any:
    """Return the value of an expression with names of the kernel; None: the image lacks a name."""
    try:
        return gdb.parse_and_eval(expression)
    except gdb.error:
        return None


def members(structure: Any) -> list[str]:
    """Return the names of the members of a structure."""
    return [field.name for field in structure.type.strip_typedefs().fields()]


def is_board() -> bool:
    """Whether the image is for a board: it has its own registers and translation tables."""
    return value("plf_port_cores") is not None


@contextmanager
def all_memory() -> Iterator[None]:
    """Read physical memory, by a request of QEMU, because the stopped code may not read all.

    Images map each address to itself, except for the pages that page_of() finds.
    """
    if not is_board():
        yield
        return
    _set_physical(1)
    try:
        yield
    finally:
        _set_physical(0)


def _set_physical(number: int) -> None:
    gdb.execute(f"maintenance packet Qqemu.PhyMemMode:{number}", to_string=True)
    gdb.execute("maintenance flush dcache", to_string=True)


def page_of(task: Any, address: int) -> int | None:
    """Return the physical address of a task's page; None: its tables map no page there."""
    table = int(task["context"]["ttbr0"]) & ADDRESS
    for shift, mask in ((30, 1), (21, 511), (12, 511)):
        entry = int(value(f"*(unsigned long *){(table & ~7) + 8 * (address >> shift & mask)}"))
        if not entry & 1:
            return None
        table = entry & ADDRESS & ~0xFFF
    return table


# ---- Tasks ------------------------------------------------------------------------


def tasks(names: Names) -> list[Any]:
    """Return the control blocks, in the order of the names."""
    blocks = value("plf_tasks")
    return [blocks[index] for index in range(len(names.tasks))]


def cores() -> list[Any]:
    """Return the kernel's block of each core."""
    blocks = value("plf_cores")
    first, last = blocks.type.range()
    return [blocks[index] for index in range(first, last + 1)]


def running_on(task: Any) -> int | None:
    """Return the core on which a task runs now."""
    for index, core in enumerate(cores()):
        if int(core["running"]) == int(task.address):
            return index
    return None


def queues() -> list[Any]:
    """Return the queues of ready tasks of cores and servers."""
    found = [core["queue"] for core in cores()]
    servers = value("plf_servers")
    if servers is not None:
        first, last = servers.type.range()
        found += [servers[index]["queue"] for index in range(first, last + 1)]
    return found


def preempted() -> set[int]:
    """Return the addresses of preempted tasks."""
    found: set[int] = set()
    blocks = value("plf_tasks")
    start, end = int(blocks.address), int(blocks.address) + blocks.type.sizeof
    for queue in queues():
        task = queue["preempted"]
        while start <= int(task) < end and int(task) not in found:
            found.add(int(task))
            task = task["below"]
    return found


def waits_for(task: Any) -> int | None:
    """Return the events that a task waits for now."""
    if "event_word" in members(task):
        word = int(task["event_word"])
        return word >> 32 & 0x7FFFFFFF if word >> 63 else None
    return int(task["waits_for"]) if task["is_waiting"] else None


def events_set(task: Any) -> int:
    """Return the events that are set and not cleared."""
    if "event_word" in members(task):
        return int(task["event_word"]) & 0x7FFFFFFF
    return int(task["events"])


def activations(task: Any) -> int:
    """Return the number of activations of a task, the running activation included."""
    if "event_word" in members(task) and int(task["config"]["events"]):
        return int(task["event_word"]) >> 31 & 1
    return int(task["most"]) - int(task["room"])


def is_blocked(task: Any) -> bool:
    """Whether the task is suspended until another task leaves a resource."""
    if "request" not in members(task) or not int(task["request"]):
        return False
    if task["request"].type.code == gdb.TYPE_CODE_INT:
        return True  # none, inherit: 1 + the resource
    return int(task["request"].dereference()) == 1  # PLF_MPCP_WAITS


def event_names(task: dict[str, Any], mask: int) -> str:
    """Return the names of some events of a task."""
    return " ".join(name for name, bit in task["events"].items() if bit & mask) or "-"


def state_of(name: dict[str, Any], task: Any, below: set[int]) -> str:
    """Say what a task does, in a word or two."""
    core = running_on(task)
    if core is not None:
        place = int(cores()[core]["place"])
        return "running" if place == 1 else f"running, under {PLACES.get(place, 'the kernel')}"
    if activations(task) == 0:
        return "suspended"
    awaited = waits_for(task)
    if awaited is not None:
        return f"waiting for {event_names(name, awaited)}"
    if is_blocked(task):
        return "waiting for a resource"
    return "preempted" if int(task.address) in below else "ready"


# ---- Where a task is ----------------------------------------------------------------


def is_ours(frame: Any) -> bool:
    """Whether a frame executes code of the kernel or of its headers."""
    symtab = frame.find_sal().symtab
    return symtab is None or symtab.filename.startswith("/plafond/")


def line_of(frame: Any) -> str:
    """Return the innermost line of the application, from `frame` outwards; -: none was found."""
    for _ in range(64):
        if frame is None:
            break
        if not is_ours(frame):
            sal = frame.find_sal()
            return f"{sal.symtab.filename.rpartition('/')[2]}:{sal.line} {frame.name()}"
        try:
            frame = frame.older()
        except gdb.error:
            break
    return "-"


@contextmanager
def registers_of(task: Any) -> Iterator[None]:
    """Load the registers of a task that does not run, and restore them at the end."""
    context = task["context"]
    wanted = {f"x{number}": int(context["x"][number]) for number in KEPT_IN_CALLS}
    after_call = int(context["kind"]) == 0  # PLF_SAVED_CALL: the line is that of the call
    wanted |= {"pc": int(context["pc"]) - 4 * after_call, "sp": int(context["sp"])}
    before = {name: int(value(f"(unsigned long)${name}")) for name in wanted}
    try:
        _set_registers(wanted)
        yield
    finally:
        _set_registers(before)


def _set_registers(values: dict[str, int]) -> None:
    for name, number in values.items():
        gdb.execute(f"set ${name} = {number}", to_string=True)


def place_of(name: str, task: Any) -> str:
    """Return the line of C at which a task resumes; -: unknown, or the task is suspended."""
    core = running_on(task)
    if core is not None:
        # A simulated processor has a single thread, which may execute any core.
        is_there = is_board() or _is_inside(f"plf_task_{name}")
        return _line_on(core) if is_there else "-"
    if activations(task) == 0 or not is_board():
        return "-"
    if int(task["context"]["kind"]) == 1:  # PLF_SAVED_NONE
        return "its begin"
    with registers_of(task):
        return line_of(gdb.newest_frame())


def _is_inside(function: str) -> bool:
    """Whether the stopped thread is inside a call of the function."""
    frame = gdb.newest_frame()
    while frame is not None and frame.name() != function:
        frame = frame.older()
    return frame is not None


def _line_on(core: int) -> str:
    """Return the line of the task that a core runs, because each core is a thread of QEMU."""
    selected = gdb.selected_thread()
    threads = {thread.num: thread for thread in gdb.selected_inferior().threads()}
    thread = threads.get(core + 1, selected)
    try:
        thread.switch()
        return line_of(gdb.newest_frame())
    finally:
        selected.switch()


# ---- Resources ----------------------------------------------------------------------


def held_by(names: Names, index: int) -> list[int]:
    """Return the resources that a task holds, the last entered first."""
    task = tasks(names)[index]
    core = running_on(task)
    found: list[int] = []
    entry = _top_of(task, core)
    while 0 < entry <= len(names.resources) and entry - 1 not in found:
        found.append(entry - 1)
        entry = _below(task, entry - 1)
    return found


def _top_of(task: Any, core: int | None) -> int:
    if core is not None:
        words = value("plf_page" if core == 0 else f"plf_other_pages[{core}]")["words"]
        if "checks" in members(words):
            return int(words["checks"]["top"])
    words = task["words"]
    return int(words["top"]) if "top" in members(words) else 0


def _below(task: Any, resource: int) -> int:
    """1 + the resource entered before, in the words of the kernel or of the task; 0: none."""
    called = value("plf_resource_words")
    if called is not None:
        first, last = called.type.range()
        core = int(task["config"]["core"])
        return int(called[core][resource]["below"]) if core <= last - first else 0
    words = value("plf_page")["resources"][resource]["below"]
    if not is_board():
        return int(words)
    page = page_of(task, int(words.address))
    if page is None:
        return 0
    return int(value(f"*(unsigned int *){page + int(words.address) % 4096}"))


def queue_of(index: int) -> str:
    """Return the tasks that hold a global resource or wait for it; -: none, or no such queue."""
    config = value(f"plf_global_config[{index}]")
    if "states" not in members(config) or not int(config["states"]) or int(config["users_on"]):
        return "-"
    word = int(value(f"plf_globals[{index}].words[0]")) & int(config["users"])
    users = [bit for bit in range(63, -1, -1) if word >> bit & 1]
    found = [value("plf_task_config")[int(config["task_of_user"][bit])] for bit in users]
    return " ".join(task["name"].string() for task in found) or "-"


# ---- The tables ---------------------------------------------------------------------


def of_tasks(names: Names) -> Iterator[Row]:
    """A row for each task, the most urgent first."""
    below = preempted()
    yield "task", "core", names.urgency, "activations", "state", "at"
    for name, task in zip(names.tasks, tasks(names), strict=True):
        yield (
            name["name"],
            str(int(task["config"]["core"])),
            name["urgency"],
            f"{activations(task)} of {int(task['most'])}",
            state_of(name, task, below),
            place_of(name["name"], task),
        )


def of_stacks(names: Names) -> Iterator[Row]:
    """The bytes of its stack that each task uses now, and the most that it has used so far."""
    is_filled = value("plf_stack_used") is not None
    yield "task", "stack", "bytes", "now", "most"
    for name, task in zip(names.tasks, tasks(names), strict=True):
        low, high = int(task["config"]["stack_low"]), int(task["config"]["stack_high"])
        if low == high:
            yield name["name"], "the board's own", "-", "-", "-"
            continue
        now = _pointer_of(task)
        most = str(_filled(low, high)) if is_filled else "-"
        used = str(high - now) if low <= now <= high else "-"
        yield name["name"], f"{low:#x}", str(high - low), used, most


def _pointer_of(task: Any) -> int:
    """The stack pointer of a task; 0: not known."""
    core = running_on(task)
    if core is None:
        has_one = activations(task) and int(task["context"]["kind"]) != 1
        return int(task["context"]["sp"]) if has_one else int(task["config"]["stack_high"])
    selected = gdb.selected_thread()
    threads = {thread.num: thread for thread in gdb.selected_inferior().threads()}
    try:
        threads.get(core + 1, selected).switch()
        return int(value("(unsigned long)$sp"))
    finally:
        selected.switch()


def _filled(low: int, high: int) -> int:
    memory = bytes(gdb.selected_inferior().read_memory(low, high - low))
    return len(memory.lstrip(bytes([FILLING])))


def of_resources(names: Names) -> Iterator[Row]:
    """The task that holds each resource: known in extended status only."""
    yield "resource", "ceiling", "users", "held by"
    holders: dict[int, list[str]] = {}
    for index, task in enumerate(names.tasks):
        for resource in held_by(names, index) if names.is_extended else ():
            holders.setdefault(resource, []).append(task["name"])
    for index, each in enumerate(names.resources):
        held = " ".join(holders.get(index, [])) or ("-" if names.is_extended else "not kept")
        yield each["name"], each["ceiling"], each["users"], held
    for index, each in enumerate(names.globals):
        yield each["name"], each["ceiling"], each["users"], queue_of(index)


def of_events(names: Names) -> Iterator[Row]:
    """A row for each event of a task."""
    yield "task", "event", "mask", "set", "waited for"
    for name, task in zip(names.tasks, tasks(names), strict=True):
        awaited = waits_for(task) or 0
        for event, mask in name["events"].items():
            marks = ("yes" if mask & bits else "-" for bits in (events_set(task), awaited))
            yield name["name"], event, f"{mask:#x}", *marks


def of_alarms(names: Names) -> Iterator[Row]:
    """When each alarm expires: a tick since the start, or a number of IncrementCounter calls."""
    yield "alarm", "counter", "action", "expires", "cycle"
    numbers = {counter["name"]: number for number, counter in enumerate(names.counters)}
    for index, each in enumerate(names.alarms):
        alarm = value(f"plf_alarms[{index}]")
        counter = numbers[each["counter"]]
        ticks = int(value(f"plf_counters[{counter}].ticks"))
        at = int(alarm["expires"])
        when = f"at {at}" if names.counters[counter]["tick"] else f"in {at - ticks}"
        cycle = str(int(alarm["cycle"])) if int(alarm["cycle"]) else "once"
        shown = (when, cycle) if alarm["is_set"] else ("-", "-")
        yield each["name"], each["counter"], each["action"], *shown


def of_counters(names: Names) -> Iterator[Row]:
    """The value of each counter of IncrementCounter calls, and the tick of all other counters."""
    yield "counter", "core", "tick", "highest", "value", "alarms set"
    for index, each in enumerate(names.counters):
        config = value(f"plf_counter_config[{index}]")
        ticks = int(value(f"plf_counters[{index}].ticks")) % (int(config["highest"]) + 1)
        of_it = [number for number, a in enumerate(names.alarms) if a["counter"] == each["name"]]
        yield (
            each["name"],
            str(int(config["core"])),
            each["tick"] or "calls",
            str(int(config["highest"])),
            "-" if each["tick"] else str(ticks),
            str(sum(bool(value(f"plf_alarms[{number}].is_set")) for number in of_it)),
        )


def table(rows: list[Row]) -> str:
    """Return rows as text, the columns below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"


class Command(gdb.Command):  # type: ignore[misc]
    """A command of gdb that prints a table."""

    def __init__(self, kind: str, rows: Callable[[Names], Iterator[Row]], names: Names) -> None:
        """Take the rows that it prints. `kind` is the word after `info`."""
        self.__doc__ = f"Show the {kind} of this image of Plafond's kernel: {rows.__doc__}"
        super().__init__(f"info {kind}", gdb.COMMAND_STATUS)
        self._kind, self._rows, self._names = kind, rows, names

    def invoke(self, _argument: str, _from_tty: bool) -> None:
        """Print the table. Raise an error of gdb if the image does not run."""
        if not gdb.selected_inferior().threads():
            raise gdb.GdbError(f"info {self._kind}: the image does not run")
        with all_memory():
            rows = list(self._rows(self._names))
        gdb.write(table(rows) if rows[1:] else f"no {self._kind}\n")


def register(names: Names) -> None:
    """Add the commands, and let gdb find the sources."""
    for name, folder in names.files.items():
        gdb.execute(f"set substitute-path {shlex.quote(name)} {shlex.quote(folder)}")
    for kind, rows in (
        ("tasks", of_tasks),
        ("stacks", of_stacks),
        ("resources", of_resources),
        ("events", of_events),
        ("alarms", of_alarms),
        ("counters", of_counters),
    ):
        Command(kind, rows, names)
