# SPDX-License-Identifier: MIT
"""Small descriptions, made from a fragment of TOML for each feature of
plafond.describe.features."""

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import plafond.describe.features as of
from plafond.describe.combine import FEATURES, ROWS, Place, Row
from plafond.describe.features import Feature
from plafond.describe.kernel import Scheduler
from plafond.describe.toml_text import toml_text
from plafond.protocols import GlobalProtocol, KernelProtocol

BASE = """
[task.base]
body = ["run 10us"]
"""
SERVER = """
[server.S]
kind = "deferrable"
priority = 2
period = "1ms"
budget = "400us"
"""
ISR = """
[isr.{name}]
source = {source}
"""
FRAGMENTS = {
    of.CORES: 'cpus = 2\n[task.elsewhere]\ncpu = 1\nbody = ["run 10us"]\n',
    of.SERVERS: SERVER,
    of.SLOTS: SERVER.replace("deferrable", "slot").replace("priority = 2\n", ""),
    of.RESERVATIONS: """
[server.V]
kind = "reservation"
irq = "eth0"
period = "10ms"
budget = "1ms"
""",
    of.LIMITS: '[task.framed]\ntime_frame = "1ms"\nbody = ["run 10us"]\n',
    of.BUDGETS: '[task.limited]\nexecution_budget = "1ms"\nbody = ["run 10us"]\n',
    of.BUDGETS_OF_SECTIONS: """
[resource.HELD]
[task.held]
resource_lock_budgets = { HELD = "1ms" }
body = ["lock HELD", "run 10us", "unlock HELD"]
""",
    of.INTERNAL: """
[resource.GROUP]
internal = true
[task.grouped]
internal = "GROUP"
body = ["run 10us"]
""",
    of.NON: '[task.unhindered]\nschedule = "non"\nbody = ["run 10us"]\n',
    of.SLEEPS: '[task.sleeper]\nbody = ["run 10us", "sleep 10us", "run 10us"]\n',
    of.BACKGROUND: '[task.behind]\nbackground = true\nbody = ["run 10us"]\n',
    of.WORKING_SETS: '[task.cached]\nworking_set = "4KiB"\nbody = ["run 10us"]\n',
    of.JITTER: '[task.late]\njitter = "1ms"\nbody = ["run 10us"]\n',
    of.CEILINGS: """
[resource.CEILED]
ceiling = 98
[task.ceiled]
body = ["lock CEILED", "run 10us", "unlock CEILED"]
""",
    of.FLOORS: """
[resource.FLOORED]
floor = "1ms"
[task.floored]
body = ["lock FLOORED", "run 10us", "unlock FLOORED"]
""",
    of.GLOBALS: """
cpus = 2
[resource.G]
[task.here]
body = ["lock G", "run 10us", "unlock G"]
[task.there]
cpu = 1
body = ["lock G", "run 10us", "unlock G"]
""",
    of.PREEMPTED: """
cpus = 2
[resource.OPEN]
lock = "nothing"
[task.spinner]
body = ["lock OPEN", "run 10us", "unlock OPEN"]
[task.other_spinner]
cpu = 1
body = ["lock OPEN", "run 10us", "unlock OPEN"]
""",
    of.SHARED: f"""
{SERVER}
global = "skip"
{SERVER.replace(".S]", ".S2]").replace("priority = 2", "priority = 1")}
global = "skip"
[resource.SHARED]
[task.first]
server = "S"
body = ["lock SHARED", "run 10us", "unlock SHARED"]
[task.second]
server = "S2"
body = ["lock SHARED", "run 10us", "unlock SHARED"]
""",
    of.QUEUED: """
[resource.USED]
[task.queued]
queue = 2
body = ["lock USED", "run 10us", "unlock USED"]
""",
    of.QUEUED_ACROSS: """
cpus = 2
[resource.ACROSS]
[task.queued_here]
queue = 2
body = ["lock ACROSS", "run 10us", "unlock ACROSS"]
[task.queued_there]
cpu = 1
body = ["lock ACROSS", "run 10us", "unlock ACROSS"]
""",
    of.LINKED: """
[resource.L]
[resource.ALIAS]
linked = "L"
[task.twice]
body = ["lock L", "lock ALIAS", "run 10us", "unlock ALIAS", "unlock L"]
""",
    of.RES_SCHEDULER: """
[task.alone]
body = ["lock RES_SCHEDULER", "run 10us", "unlock RES_SCHEDULER"]
""",
    of.PRIORITIES_OF_ISRS: ISR.format(name="RANKED", source=1) + "priority = 50\n",
    of.NESTING: ISR.format(name="LOW", source=2)
    + "priority = 50\n"
    + ISR.format(name="HIGH", source=3)
    + "priority = 60\n",
    of.CATEGORY_1: ISR.format(name="FIRST", source=4) + "category = 1\n",
    of.RESOURCES_OF_ISRS: ISR.format(name="LOCKS", source=5)
    + """
resources = ["OF_ISR"]
[resource.OF_ISR]
[task.beside_isr]
body = ["lock OF_ISR", "run 10us", "unlock OF_ISR"]
""",
    of.CALLING_ALARMS: """
[counter.FAST]
tick = "100us"
[counter.SLOW]
[alarm.DRIVES]
counter = "FAST"
action = "increment SLOW"
autostart = [1, 1]
""",
    of.SCHEDULE_TABLES: """
[counter.TABLES]
tick = "100us"
[schedule_table.ROUND]
counter = "TABLES"
duration = 10
autostart = "relative 1"
points = [{ at = 0, do = ["activate by_table"] }]
[task.by_table]
queue = 2
body = ["run 10us"]
""",
    of.MESSAGES: """
[message.SENT]
type = "int"
[message.RECEIVED]
from = "SENT"
action = "activate by_message"
[task.by_message]
body = ["run 10us"]
""",
    of.MUTEXES: """
[resource.MUTEX]
[mutex.MUTEX]
use = false
module = "app"
offset = "0x12ab"
protocol = "inherit"
order = 1
""",
    of.RESTARTS: '[application.A0]\nrestart = "revived"\n[task.revived]\nbody = ["run 10us"]\n',
    of.FUNCTIONS: '[application.A0]\nfunctions = ["CFEATURESED"]\n',
    of.PROTECTED: '[application.CALLEE.function.CALLED]\ncallers = ["A0"]\n',
}
ROUTINE = "ISR({name})\n{{\n}}\n"
FUNCTION = """\
void TRUSTED_{name}(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
void TRUSTED_{name}(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{{
\t(void)index;
\t(void)parameters;
}}
"""
CALLED = """\
#include "os.h"
uint64_t FUNCTION_CALLED(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
\treturn a + b + c + d;
}
"""


@dataclass(frozen=True)
class Choice:
    """The fields of a description that have exactly one value each."""

    scheduler: Scheduler
    protocol: KernelProtocol
    across: GlobalProtocol | None

    @property
    def features(self) -> frozenset[Feature]:
        """Return the features that these values select."""
        found = {each for each in FEATURES if self.scheduler in each.schedulers}
        found |= {each for each in FEATURES if self.protocol in each.protocols}
        if self.across and not self.across.traits.spins:
            found.add(of.SUSPENDING)
        if self.across and self.across.traits.is_fair:
            found.add(of.FAIR)
        return frozenset(found)


def with_implied(features: Collection[Feature]) -> frozenset[Feature]:
    """Return the features, and the features that their fragments imply."""
    return frozenset().union(*(each.with_implied for each in features))


def refusing(features: Collection[Feature]) -> list[Row]:
    """Return the rows that make the kernel refuse a description with these features."""
    return [
        row
        for row in ROWS
        if row.place in (Place.EVERYWHERE, Place.KERNEL)
        and row.feature in features
        and (row.other is None or row.other in features)
    ]


def choices(features: Collection[Feature]) -> Iterator[Choice]:
    """Yield the choices that a description with these features can make."""
    wanted = with_implied(features)
    for scheduler, protocol in product(Scheduler, KernelProtocol):
        if scheduler not in protocol.traits.schedulers:
            continue
        able = protocol.traits.globals if of.GLOBALS in wanted else ()
        for across in able or (None,):
            choice = Choice(scheduler, protocol, across)
            if {each for each in wanted if each not in FRAGMENTS} <= choice.features:
                yield choice


def choice_for(features: Collection[Feature]) -> Choice | None:
    """Return the first choice with which no row refuses a description with these features."""
    wanted = with_implied(features)
    able = (each for each in choices(features) if not refusing(wanted | each.features))
    return next(able, None)


def groups() -> list[tuple[tuple[Feature, ...], Choice]]:
    """Return sets of features that combine. Each pair that combines is in at least one set."""
    able = [each for each in FEATURES if choice_for([each])]
    open_pairs = {frozenset(pair) for pair in combinations(able, 2) if choice_for(pair)}
    found = []
    while open_pairs:
        group = sorted(
            min(open_pairs, key=lambda pair: sorted(map(able.index, pair))), key=able.index
        )
        for feature in able:
            is_new = any(frozenset((feature, each)) in open_pairs for each in group)
            if is_new and feature not in group and choice_for([*group, feature]):
                group.append(feature)
        choice = choice_for(group)
        assert choice
        open_pairs -= {frozenset(pair) for pair in combinations(group, 2)}
        found.append((tuple(group), choice))
    return found


def write(folder: Path, features: Collection[Feature], choice: Choice) -> Path:
    """Write a description with these features, and the C sources that it needs."""
    raw: dict[str, Any] = tomllib.loads(BASE)
    for feature in FEATURES:
        if feature in with_implied(features) and feature in FRAGMENTS:
            _merge(raw, tomllib.loads(FRAGMENTS[feature]))
    _complete(raw, with_implied(features), choice)
    isrs, functions = raw.get("isr", {}), raw.get("application", {}).get("A0", {}).get("functions")
    if isrs or functions:
        raw["kernel"]["trusted"] = ["trusted.c"]
        parts = [ROUTINE.format(name=name) for name in isrs]
        parts += [FUNCTION.format(name=name) for name in functions or ()]
        (folder / "trusted.c").write_text("".join(['#include "os.h"\n', *parts]))
    if of.PROTECTED in with_implied(features):
        raw["application"]["CALLEE"]["sources"] = ["called.c"]
        (folder / "called.c").write_text(CALLED)
    file = folder / "some.toml"
    file.write_text(toml_text(raw))
    return file


def _merge(tables: dict[str, Any], others: dict[str, Any]) -> None:
    for key, value in others.items():
        if isinstance(value, dict):
            _merge(tables.setdefault(key, {}), value)
        else:
            tables[key] = value


def _complete(raw: dict[str, Any], features: Collection[Feature], choice: Choice) -> None:
    """Add the fields that an object needs because of the fragments of other features."""
    raw["scheduler"] = choice.scheduler.value
    raw["kernel"] = {"protocol": choice.protocol.value}
    if choice.across:
        raw["kernel"]["global"] = choice.across.value
    for number, (name, task) in enumerate(raw["task"].items()):
        if not name.startswith("by_"):
            task["arrival"] = "periodic 10ms"
        task["deadline"] = "9ms"
        if not task.get("background"):
            task["priority"] = 1 + number % 4
        if of.SERVERS in features:
            task.setdefault("server", "S1" if task.get("cpu") else "S")
    if any(task.get("server") == "S1" for task in raw["task"].values()):
        raw["server"]["S1"] = raw["server"]["S"] | {"cpu": 1}
    if of.SLOTS in features:
        for name in {"S", "S1", "S2"} & {*raw["server"]}:
            raw["server"][name]["kind"] = "slot"
            raw["server"][name].pop("priority", None)
    for isr in raw.get("isr", {}).values():
        if of.PRIORITIES_OF_ISRS in features and "category" not in isr:
            isr.setdefault("priority", 50)
    if "application" in raw:
        for kind in ("task", "isr", "counter", "alarm", "schedule_table"):
            for table in raw.get(kind, {}).values():
                table["application"] = f"A{table.get('cpu', 0)}"
                raw["application"].setdefault(table["application"], {})
        if "isr" in raw or "functions" in raw["application"]["A0"]:
            raw["application"]["A0"]["trusted"] = True
