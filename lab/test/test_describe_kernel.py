# SPDX-License-Identifier: MIT
"""Descriptions for Plafond's own kernel: what is read, and every mistake with its place."""

from pathlib import Path

import pytest

from plafond.describe import load
from plafond.describe.body import (
    Activate,
    CallBack,
    Chain,
    ClearEvent,
    Increment,
    Run,
    SetEvent,
    WaitEvent,
)
from plafond.describe.kernel import KERNEL, Alarm, Counter, Hook, Isr, Status
from plafond.describe.linux import needs_kernel
from plafond.describe.problems import DescriptionError
from plafond.describe.system import System
from plafond.protocols import KernelProtocol

WHOLE = """
[kernel]
status = "extended"
protocol = "uprio-kprio"
hooks = ["error", "startup"]
sources = ["tasks.c"]
trusted = ["hooks.c"]

[task.high]
priority = 9
events = ["GO", "STOP"]
autostart = true
body = ["wait GO", "clear GO", "activate low", "set high STOP", "chain low"]

[task.low]
priority = 3
internal = "I"
queue = 4
resources = ["R"]
stack = 8192

[task.single]
priority = 3
schedule = "non"
arrival = "periodic 5ms"
body = ["lock RES_SCHEDULER", "run 1us", "unlock RES_SCHEDULER"]

[resource.R]
[resource.I]
internal = true
ceiling = 5

[counter.C]
highest = 1000
ticks_per_base = 10
min_cycle = 2
tick = "1ms"
[counter.soft]

[alarm.A]
counter = "C"
action = "set high GO"
autostart = [3, 0]
[alarm.B]
counter = "soft"
action = "activate low"

[isr.button]
source = 7
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "some.toml"
    file.write_text(text)
    for name in ("tasks.c", "hooks.c"):
        (folder / name).touch()
    return file


def system_of(folder: Path, text: str) -> System:
    return load(write(folder, text))


def mistakes(folder: Path, text: str) -> list[str]:
    with pytest.raises(DescriptionError) as caught:
        system_of(folder, text)
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def test_a_whole_description(tmp_path: Path) -> None:
    system = system_of(tmp_path, WHOLE)
    high, low, single = system.tasks
    assert high.body == (
        WaitEvent("GO"),
        ClearEvent("GO"),
        Activate("low"),
        SetEvent("high", "STOP"),
        Chain("low"),
    )
    assert (high.interval, high.deadline_ns, high.autostart) == (None, None, True)
    assert (high.events, high.queue) == (("GO", "STOP"), None)
    assert (low.body, low.queue, low.internal, low.stack) == ((), 4, "I", 8192)
    assert low.resources == {"R"}
    assert (single.is_preemptable, single.deadline_ns) == (False, 5_000_000)
    kernel = system.kernel
    assert (kernel.status, kernel.protocol) == (Status.EXTENDED, KernelProtocol.UPRIO_KPRIO)
    assert kernel.hooks == {Hook.STARTUP, Hook.ERROR}
    assert not kernel.console
    assert (kernel.sources, kernel.trusted) == ((tmp_path / "tasks.c",), (tmp_path / "hooks.c",))
    assert system.counters == (
        Counter("C", 1000, 10, 2, 1_000_000),
        Counter("soft", 65535, 1, 1, None),
    )
    assert system.alarms == (
        Alarm("A", "C", SetEvent("high", "GO"), (3, 0)),
        Alarm("B", "soft", Activate("low"), None),
    )
    assert system.isrs == (Isr("button", 7),)


def test_ceilings_of_all_kinds_of_resources(tmp_path: Path) -> None:
    resources = {r.name: r for r in system_of(tmp_path, WHOLE).resources}
    assert (resources["R"].ceiling, resources["R"].users) == (3, ("low",))
    assert (resources["I"].ceiling, resources["I"].is_internal) == (5, True)
    scheduler = resources["RES_SCHEDULER"]
    assert (scheduler.ceiling, scheduler.users) == (9, ("single",))


def test_unrequested_features_are_not_there(tmp_path: Path) -> None:
    text = '[task.T]\npriority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n'
    system = system_of(tmp_path, text)
    assert (system.resources, system.kernel) == ((), KERNEL)
    assert system.tasks[0].body == (Run(1000),)
    assert needs_kernel(system) is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"extended"', '"extend"', '3: kernel.status: found "extend"; expected one of standard'),
        ('"uprio-kprio"', '"uprio"', "one of syscall, syscall-bare, syscall-id-uprio, uprio-kprio"),
        ('"uprio-kprio"', '"uprio-nprios"', "(did you mean uprio-nprio?)"),
        ('"error", ', '"eror", ', '5: kernel.hooks[0]: found "eror"; expected one of startup'),
        ('"error", ', '"eror", ', "(did you mean error?)"),
        ("hooks =", "hook =", "5: kernel.hook: found an unknown key; expected one of status"),
        ('["tasks.c"]', '["task.c"]', "6: kernel.sources[0]: found no file task.c; expected a C"),
        ("hooks =", "console = 1\nhooks =", "5: kernel.console: found 1; expected true or false"),
        ('["tasks.c"]', '["tasks.c", "task.c"]', "kernel.sources[1]: found no file task.c; expect"),
        ('["tasks.c"]', '["some.toml"]', "found some.toml; expected the name of a C file"),
        ('["tasks.c"]', '["hooks.c"]', "2: kernel: found hooks.c twice; expected each file once"),
        ("hooks =", 'mixed = ["hooks.c"]\nhooks =', "2: kernel: found hooks.c twice; expected"),
        ('trusted = ["hooks.c"]', "", "2: kernel.trusted: found nothing; expected the C files in"),
        ('"wait GO"', '"wait G0"', "13: task.high.body[0]: found wait G0; expected one of the"),
        ('"wait GO"', '"wait G0"', "events of task high: GO, STOP"),
        ('"wait GO"', '"wait STOPP"', "(did you mean STOP?)"),
        ('"wait GO"', '"wait"', '"wait"; expected wait and the name of one event'),
        ('"clear GO"', '"clear A B"', '"clear A B"; expected clear and the name of one event'),
        ('"clear GO"', '"clear X"', "found clear X; expected one of the events of task high"),
        ('"activate low"', '"activate lo"', "found activate lo; expected a task that is described"),
        ('"activate low"', '"activate lo"', "a table [task.lo] (did you mean low?)"),
        ('"activate low"', '"activate"', "expected activate and the name of one task"),
        ('"set high STOP"', '"set low STOP"', "one of the events of task low: none so far"),
        ('"set high STOP"', '"set STOP"', "expected set and the names of one task and one event"),
        ('"set high STOP"', '"set hig STOP"', "(did you mean high?)"),
        ('"chain low"', '"chain"', "expected chain and the name of one task"),
        ('"chain low"', '"chain low", "run 1us"', "found chain low before the last step; expected"),
        ('"wait GO"', '"wiat GO"', "(did you mean wait?)"),
        ('"wait GO"', '"lock R", "wait GO", "unlock R"', "found a wait inside a section; expected"),
        (
            '"lock RES',
            '"lock I", "lock RES',
            "found lock I; expected a resource that is not intern",
        ),
        ('"GO", "STOP"', '"GO", "STOP", "GO"', "11: task.high.events: found GO twice; expected ea"),
        ("autostart = true", "queue = 2", "task.high.queue: found 2; expected 1: a task with even"),
        ("autostart = true", "autostart = 1", "12: task.high.autostart: found 1; expected true or"),
        ("autostart = true", 'pending = "skip"', "task.high.pending: found no arrival that it is"),
        (
            "queue = 4",
            "queue = 256",
            "18: task.low.queue: found 256; expected a whole number from 1 to 255",
        ),
        (
            "stack = 8192",
            "stack = 10",
            "20: task.low.stack: found 10; expected a whole number of bytes",
        ),
        ('internal = "I"', 'internal = "R"', "found R; expected internal = true in [resource.R]"),
        ('internal = "I"', 'internal = "J"', "17: task.low.internal: found J; expected a table"),
        ('internal = "I"', 'internal = ["I", "R"]', "found a list of 2; expected the name of one"),
        ('schedule = "non"', 'schedule = "none"', "(did you mean non?)"),
        ("queue = 4", 'schedule = "non"', 'found I beside schedule = "non"; expected one of the'),
        ('["R"]', '["I"]', "19: task.low.resources[0]: found I; expected a resource that is not"),
        ('["R"]', '["Q"]', "19: task.low.resources[0]: found Q; expected a resource that is desc"),
        ("ceiling = 5", "ceiling = 2", "31: resource.I.ceiling: found 2; expected at least 3, the"),
        (
            "[resource.R]",
            "[resource.RES_SCHEDULER]\nceiling = 12",
            "found 12; expected 9, the prio",
        ),
        ("[resource.R]", "[resource.RES_SCHEDULER]\ninternal = true", "expected a resource of ste"),
        (
            "highest = 1000",
            "highest = 0",
            "34: counter.C.highest: found 0; expected a whole number",
        ),
        ("min_cycle = 2", "min_cycle = 2000", "36: counter.C.min_cycle: found 2000; expected at"),
        ('tick = "1ms"', 'tick = "1"', '37: counter.C.tick: found "1"; expected a duration'),
        ('counter = "C"', 'counter = "D"', "41: alarm.A.counter: found D; expected a counter that"),
        ('counter = "soft"', 'counter = "sofd"', "(did you mean soft?)"),
        ('counter = "soft"', "", "44: alarm.B.counter: found nothing; expected the name of one co"),
        (
            '"set high GO"',
            '"set high G0"',
            "42: alarm.A.action: found set high G0; expected one of",
        ),
        ('"set high GO"', '"activate hihg"', "(did you mean high?)"),
        (
            '"set high GO"',
            '"call"',
            'found "call"; expected call and the name of one function: ALA',
        ),
        (
            '"set high GO"',
            '"call a-b"',
            'found "call a-b"; expected call and the name of one functi',
        ),
        ('"set high GO"', '"cal f"', "(did you mean call?)"),
        ('"set high GO"', '"increment C soft"', "expected increment and the name of one counter"),
        (
            '"set high GO"',
            '"increment sft"',
            "42: alarm.A.action: found increment sft; expected a co",
        ),
        ('"set high GO"', '"increment sft"', "(did you mean soft?)"),
        (
            '"activate low"\n\n',
            '"increment C"\n\n',
            "found increment C; expected a counter without tick",
        ),
        ('"set high GO"', '"chain high"', 'found "chain high"; expected activate TASK, set TASK'),
        ("[3, 0]", "[1001, 0]", "43: alarm.A.autostart[0]: found 1001; expected from 0 to high"),
        ("[3, 0]", "[3, 1]", "43: alarm.A.autostart[1]: found 1; expected 0, or from min_cycle, 2"),
        ("hooks =", "modes = []\nhooks =", "kernel.modes: found a list of 0; expected a list of 1"),
        ("hooks =", 'modes = ["A", "A"]\nhooks =', "kernel.modes: found A twice; expected each"),
        (
            "hooks =",
            'modes = ["A", "OSDEFAULTAPPMODE"]\nhooks =',
            "kernel.modes[1]: found OSDEFAULTAPPMODE; expected another name, or its own at the fir",
        ),
        (
            "autostart = true",
            'autostart = true\nmodes = ["A"]',
            "task.high.modes[0]: found A; expected one of the modes of [kernel]: none so far",
        ),
        (
            "autostart = true",
            'modes = ["A"]',
            "12: task.high.modes: found no autostart that it is about; expected a field autostart",
        ),
        (
            "autostart = [3, 0]",
            'autostart = [3, 0]\nmodes = ["A"]',
            "44: alarm.A.modes[0]: found A; expected one of the modes of [kernel]",
        ),
        (
            'hooks = ["error", ',
            "parameters = true\nhooks = [",
            '5: kernel.parameters: found true; expected "error" among hooks',
        ),
        ("[3, 0]", "[3]", "43: alarm.A.autostart: found a list of 1; expected [FIRST, CYCLE]"),
        (
            "source = 7",
            "source = -1",
            "49: isr.button.source: found -1; expected a whole number from 0",
        ),
        (
            "source = 7",
            "source = 7\npriority = 0",
            "50: isr.button.priority: found 0; expected a whole number from 1",
        ),
        ("source = 7", "source = 7\n[isr.other]\nsource = 7", "found 7; expected a source of its"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in WHOLE
    found = mistakes(tmp_path, WHOLE.replace(old, new, 1))
    assert any(message in line for line in found), found


def test_autostart_may_be_of_some_modes(tmp_path: Path) -> None:
    text = WHOLE.replace("hooks =", 'modes = ["RUN", "FIX"]\nparameters = true\nhooks =')
    text = text.replace("autostart = true", 'autostart = true\nmodes = ["FIX"]')
    system = system_of(tmp_path, text)
    assert (system.kernel.modes, system.kernel.parameters) == (("RUN", "FIX"), True)
    assert {task.name: task.modes for task in system.tasks if task.autostart} == {"high": ("FIX",)}
    assert system.alarms[0].modes == ()
    assert needs_kernel(system) == "kernel.hooks"


def test_an_unknown_mode_names_those_that_are_known(tmp_path: Path) -> None:
    text = WHOLE.replace("hooks =", 'modes = ["RUN", "FIX"]\nhooks =')
    found = mistakes(
        tmp_path, text.replace("autostart = true", 'autostart = true\nmodes = ["FUX"]')
    )
    expected = "one of the modes of [kernel]: RUN, FIX (did you mean FIX?)"
    assert found == [f"some.toml:14: task.high.modes[0]: found FUX; expected {expected}"]


COUNTING = """
[task.T]
priority = 1
arrival = "periodic 1ms"
body = ["run 1us"]
[counter]
{counters}
[alarm]
{alarms}
"""


def counting(folder: Path, counters: str, *rows: str, more: str = "") -> list[str]:
    """Return the mistakes of alarms that increment: "A B" is one of the counter A, for B."""
    tables = "\n".join(f"{name} = {{}}" for name in counters.split())
    alarms = "\n".join(
        f'X{index} = {{ counter = "{row.split()[0]}", action = "increment {row.split()[1]}" }}'
        for index, row in enumerate(rows)
    )
    return mistakes(folder, COUNTING.format(counters=tables, alarms=alarms) + more)


def test_counters_may_be_incremented_in_a_row(tmp_path: Path) -> None:
    text = WHOLE.replace('"set high GO"', '"increment soft"')
    text = text.replace('"activate low"\n\n', '"call ready"\n\n')
    system = system_of(tmp_path, text)
    assert [alarm.action for alarm in system.alarms] == [Increment("soft"), CallBack("ready")]
    assert [alarm.task for alarm in system.alarms] == [None, None]


def test_a_circle_of_counters_is_refused(tmp_path: Path) -> None:
    assert counting(tmp_path, "A", "A A") == [
        "some.toml:9: alarm.X0.action: found increment A; expected no circle of counters, each "
        "incremented by the last: A, A"
    ]
    assert counting(tmp_path, "A B C", "B C", "C A", "A B") == [
        "some.toml:13: alarm.X2.action: found increment B; expected no circle of counters, each "
        "incremented by the last: B, C, A, B"
    ]


def test_an_alarm_of_an_unknown_counter_is_one_mistake(tmp_path: Path) -> None:
    (found,) = counting(tmp_path, "A", "X A")
    assert found.startswith("some.toml:9: alarm.X0.counter: found X; expected a counter that is")


def test_one_alarm_increments_a_counter(tmp_path: Path) -> None:
    assert counting(tmp_path, "A B C", "A C", "B C") == [
        "some.toml:12: alarm.X1.action: found increment C; expected a counter that no other alarm "
        "increments: X0 does"
    ]


def test_a_row_of_counters_has_an_end(tmp_path: Path) -> None:
    rows = [f"{one} {other}" for one, other in zip("ABCDEFGH", "BCDEFGHI", strict=True)]
    assert counting(tmp_path, "A B C D E F G H I", *rows[::-1]) == [
        "some.toml:17: alarm.X0.action: found increment I; expected at most 8 counters in a row, "
        "each incremented by the last"
    ]
    text = COUNTING.format(
        counters="\n".join(f"{name} = {{}}" for name in "ABCDEFGH"),
        alarms="\n".join(
            f'X{row[0]} = {{ counter = "{row[0]}", action = "increment {row[2]}" }}'
            for row in rows[:-1]
        ),
    )
    assert len(system_of(tmp_path, text).counters) == 8


def test_only_the_counters_cpu_increments_it(tmp_path: Path) -> None:
    text = COUNTING.format(
        counters="A = {}\nB = { cpu = 1 }", alarms='X = { counter = "A", action = "increment B" }'
    )
    assert mistakes(tmp_path, "cpus = 2\n" + text) == [
        "some.toml:11: alarm.X.action: found increment B; expected a counter of CPU 0, which "
        "drives A"
    ]


def test_no_server_pays_for_callbacks(tmp_path: Path) -> None:
    alarms = 'X = { counter = "A", action = "call f" }'
    text = COUNTING.format(counters="A = {}", alarms=alarms)
    found = mistakes(
        tmp_path,
        text.replace("priority = 1\n", 'priority = 1\nserver = "S"\n')
        + '[kernel]\ntrusted = ["hooks.c"]\n'
        + '[server.S]\nkind = "idling"\npriority = 1\nperiod = "1ms"\nbudget = "500us"\n',
    )
    assert found == [
        "some.toml:10: alarm.X.action: found call f, with servers; expected activate TASK or set "
        "TASK EVENT: no server pays for anything else"
    ]


def test_callbacks_are_in_trusted_files(tmp_path: Path) -> None:
    text = COUNTING.format(counters="A = {}", alarms='X = { counter = "A", action = "call f" }')
    found = mistakes(tmp_path, text + "[kernel]\n")
    assert found == [
        "some.toml:10: kernel.trusted: found nothing; expected the C files in which the callbacks "
        "of alarms are (in a file with tasks, too: mixed, or MIXED_SRC of OIL)"
    ]
    mixed = system_of(tmp_path, text + "[kernel]\nmixed = ['tasks.c']\n")
    assert isinstance(mixed.alarms[0].action, CallBack)


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    text = WHOLE.replace('"wait GO"', '"wait G"').replace("stack = 8192", "stack = 1")
    text = text.replace("source = 7", "source = 7000").replace('"activate low"\n', '"activate l"\n')
    fields = [line.split(" ")[1] for line in mistakes(tmp_path, text)]
    assert fields == [
        "task.high.body[0]:",
        "task.low.stack:",
        "alarm.B.action:",
        "isr.button.source:",
    ]


def test_a_task_has_64_events_at_most(tmp_path: Path) -> None:
    events = ", ".join(f'"E{index}"' for index in range(65))
    found = mistakes(tmp_path, WHOLE.replace('"GO", "STOP"', f'"GO", "STOP", {events}'))
    assert found[0].endswith("high.events: found events of 67 bits; expected at most 64 of a task")


LONELY = "[task.T]\npriority = 1\n{}\n"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (LONELY.format('body = ["run 1us"]'), ["task.T.arrival:"]),
        (LONELY.format('arrival = "periodic 1ms"'), ["task.T.body:"]),
        (LONELY.format(""), ["task.T.body:", "task.T.arrival:"]),
        (LONELY.format("") + "[kernel]\ntrusted = ['hooks.c']", ["task.T.body:"]),
        (LONELY.format("") + "[kernel]\nmixed = ['hooks.h']", ["kernel.mixed[0]:"]),
        (LONELY.format("body = 3\narrival = 4"), ["task.T.body:", "task.T.arrival:"]),
        ("task = 3", ["task:"]),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, text: str, fields: list[str]) -> None:
    assert [line.split(" ")[1] for line in mistakes(tmp_path, text)] == fields


@pytest.mark.parametrize(
    "more",
    [
        'autostart = true\nbody = ["run 1us"]',
        'body = ["activate T"]',
        'body = ["run 1us", "chain T"]',
        'body = ["run 1us"]\n[counter.C]\n[alarm.A]\ncounter = "C"\naction = "activate T"',
        '[kernel]\nsources = ["tasks.c"]',
        '[kernel]\nmixed = ["tasks.c"]\nhooks = ["error"]\n[isr.I]\nsource = 1',
    ],
)
def test_a_task_may_be_activated_by_others(tmp_path: Path, more: str) -> None:
    assert system_of(tmp_path, LONELY.format(more)).tasks[0].interval is None


ON_LINUX = '[task.T]\npriority = 1\narrival = "periodic 1ms"\n{}\nbody = ["run 1us"{}]\n'


@pytest.mark.parametrize(
    ("more", "steps", "tables", "first"),
    [
        ("", "", "", None),
        ("stack = 9000", "", '[kernel]\nprotocol = "syscall"\nstatus = "extended"', None),
        ("", ', "lock RES_SCHEDULER", "unlock RES_SCHEDULER"', "", None),
        ("autostart = true", "", "", "task.T.autostart"),
        ("queue = 1", "", "", "task.T.queue"),
        ('schedule = "non"', "", "", "task.T.schedule"),
        ('events = ["E"]', "", "", "task.T.events"),
        ('internal = "I"', "", "[resource.I]\ninternal = true", "task.T.internal"),
        ("", ', "activate T"', "", 'task.T.body[1] "activate T"'),
        ("", "", '[kernel]\nsources = ["tasks.c"]', "kernel.sources"),
        ("", "", "[kernel]\nconsole = true", "kernel.console"),
        ("", "", "[counter.C]", "[counter.C]"),
        ("", "", "[isr.I]\nsource = 1\n[kernel]\ntrusted = ['hooks.c']", "kernel.trusted"),
        ("", "", "[kernel]\nmixed = ['hooks.c']", "kernel.mixed"),
    ],
)
def test_what_linux_cannot_do_is_named(
    tmp_path: Path, more: str, steps: str, tables: str, first: str | None
) -> None:
    system = system_of(tmp_path, f"{ON_LINUX.format(more, steps)}{tables}\n")
    assert needs_kernel(system) == first


def test_a_task_without_arrival_needs_the_kernel(tmp_path: Path) -> None:
    text = ON_LINUX.format("", ', "activate U"') + '[task.U]\npriority = 2\nbody = ["run 1us"]\n'
    assert needs_kernel(system_of(tmp_path, text)) == "task.U without arrival"
