# SPDX-License-Identifier: MIT
"""OIL files: the description of each object, and refusals with their lines."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from descriptions import described, mistakes
from typer.testing import CliRunner

from plafond.check.attribute_text import attribute_text
from plafond.cli import app
from plafond.describe import load
from plafond.describe.alarm import Alarm
from plafond.describe.body import Activate, CallBack, Flag, Increment, SetEvent
from plafond.describe.counter import Counter
from plafond.describe.isr import Isr
from plafond.describe.kernel import SCHEDULER, Hook, Status
from plafond.describe.message import COM, Com, Message
from plafond.describe.oil.definitions import taken
from plafond.describe.oil.keys import IGNORED, REFUSED, REFUSED_KINDS, REFUSED_VALUES
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read
from plafond.describe.system import System
from plafond.errors import PlafondError

ROOT = Path(__file__).resolve().parents[2]
OIL = "some.oil"
TASK = "TASK T { PRIORITY = 5; };"
PING = "MESSAGE PING { MESSAGEPROPERTY = SEND_ZERO_INTERNAL; };"
ONES = ("OS", "COM")  # a system has a single object of each


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tasks.c", "trusted.c"):
        (tmp_path / name).write_text("")
    return tmp_path


def text_of(*objects: str, system: str = "", implementation: str = "") -> str:
    """Return a description with an object on each line from 4 on, and the OS on line 3."""
    os = f'OS o {{ APP_SRC = "tasks.c"; {system} }};'
    section = f"IMPLEMENTATION i {{ {implementation} }};"
    return "\n".join([section, "CPU c {", os, *objects, "};"])


def system_of(folder: Path, *objects: str, system: str = "", implementation: str = "") -> System:
    text = text_of(*objects, system=system, implementation=implementation)
    return described(folder, text, OIL)


def refusals(folder: Path, *objects: str, system: str = "", implementation: str = "") -> list[str]:
    text = text_of(*objects, system=system, implementation=implementation)
    return mistakes(folder, text, OIL)


def notes(folder: Path, text: str) -> list[str]:
    file = folder / OIL
    file.write_text(text)
    return [note.replace(f"{folder}/", "") for note in read(file).notes]


def test_names_may_stand_in_quotes(folder: Path) -> None:
    objects = ("RESOURCE R;", "APPMODE day;", "APPMODE night;")
    task = 'TASK T { PRIORITY = 5; SCHEDULE = "NON"; RESOURCE = "R"; AUTOSTART = "TRUE" %s; };'
    task %= '{ APPMODE = "night"; }'
    os = "USERESSCHEDULER = FALSE;"

    quoted = system_of(folder, *objects, task, system=os)
    assert quoted == system_of(folder, *objects, task.replace('"', ""), system=os)
    (only,) = quoted.tasks
    assert (only.declared, only.modes, only.is_preemptable) == (("R",), ("night",), False)


def test_a_whole_file(folder: Path) -> None:
    system = described(
        folder,
        """OIL_VERSION = "2.5" : "A description
            of two lines";
        CPU c {
          OS o { // a comment
            STATUS = EXTENDED; STARTUPHOOK = FALSE; PROTECTIONHOOK = TRUE; ERRORHOOK = TRUE;
            CONSOLE = TRUE; USERESSCHEDULER = FALSE; USEPARAMETERACCESS = TRUE;
            APP_SRC = "tasks.c"; TRUSTED_SRC = "trusted.c" : "hooks";
          } : "the system";
          APPMODE day; APPMODE night;
          TASK low { PRIORITY = 0x3; ACTIVATION = 4; RESOURCE = R; RESOURCE = I; };
          TASK high { PRIORITY = 9; SCHEDULE = NON; STACKSIZE = 8192; /* EVENT = F; */
            AUTOSTART = TRUE { APPMODE = night; APPMODE = day; }; EVENT = E; EVENT = G;
            RESOURCE = R; };
          RESOURCE R { RESOURCEPROPERTY = STANDARD; };
          RESOURCE I { RESOURCEPROPERTY = INTERNAL; };
          EVENT E { MASK = AUTO; }; EVENT G;
          COUNTER C { MAXALLOWEDVALUE = 500; TICKSPERBASE = 3; MINCYCLE = 2;
            SECONDSPERTICK = 0.0001; };
          COUNTER S;
          ALARM A { COUNTER = C; ACTION = ACTIVATETASK { TASK = low; };
            AUTOSTART = TRUE { ALARMTIME = 7; CYCLETIME = 0; APPMODE = night; }; };
          ALARM B { COUNTER = S; ACTION = SETEVENT { TASK = high; EVENT = G; }; };
          ALARM D { COUNTER = C; ACTION = ALARMCALLBACK { ALARMCALLBACKNAME = "beat"; };
            AUTOSTART = TRUE { ALARMTIME = 2; CYCLETIME = 2; }; };
          ALARM F { COUNTER = C; ACTION = INCREMENTCOUNTER { COUNTER = S; }; };
          ISR key { CATEGORY = 2; INTERRUPT = 12; };
        };""",
        OIL,
    )
    assert (system.name, system.kernel.status) == ("some", Status.EXTENDED)
    assert system.kernel.hooks == (Hook.ERROR, Hook.PROTECTION)
    assert system.kernel.parameters
    assert system.kernel.modes == ("day", "night")
    assert system.user_files == (folder / "tasks.c",)
    assert system.kernel.trusted == ("trusted.c",)
    assert system.kernel.console
    high, low = system.tasks
    assert (high.name, high.priority, high.stack, high.autostart) == ("high", 9, 8192, True)
    assert (high.modes, low.modes) == (("night", "day"), ())
    assert (high.events, high.declared, high.is_preemptable) == (("E", "G"), ("R",), False)
    assert (low.name, low.priority, low.queue, low.internal) == ("low", 3, 4, "I")
    assert (low.declared, low.is_preemptable, low.autostart) == (("R",), True, False)
    assert [(r.name, r.ceiling, r.internal) for r in system.resources] == [
        ("R", 9, False),
        ("I", 3, True),
    ]
    assert system.counters == (
        Counter.made("C", highest=500, ticks_per_base=3, min_cycle=2, tick_ns=100_000),
        Counter.made("S"),
    )
    assert system.alarms == (
        Alarm.made("A", counter="C", action=Activate("low"), autostart=(7, 0), modes=("night",)),
        Alarm.made("B", counter="S", action=SetEvent("high", "G")),
        Alarm.made("D", counter="C", action=CallBack("beat"), autostart=(2, 2)),
        Alarm.made("F", counter="C", action=Increment("S")),
    )
    assert system.isrs == (Isr.made("key", source=12),)


def test_the_example_is_the_toml_of_the_guide_and_names_its_mode() -> None:
    of_toml, of_oil = (load(ROOT / f"examples/osek-console.{form}") for form in ("toml", "oil"))
    kernel = of_toml.kernel.changed(modes=("always",))
    tasks = tuple(each.changed(modes=("always",) * each.autostart) for each in of_toml.tasks)
    alarms = tuple(each.model_copy(update={"modes": ("always",)}) for each in of_toml.alarms)
    cycles = [{"min_cycle": each.shortest_cycle} for each in of_toml.counters]
    counters = tuple(
        counter.model_copy(update=cycle)
        for counter, cycle in zip(of_toml.counters, cycles, strict=True)
    )
    expected = replace(of_toml, file=of_oil.file, kernel=kernel, tasks=tasks, alarms=alarms)
    assert replace(expected, counters=counters) == of_oil


def test_all_tasks_may_lock_the_scheduler_unless_the_file_says_otherwise(folder: Path) -> None:
    task = "TASK U { PRIORITY = 2; RESOURCE = RES_SCHEDULER; };"
    for system in ("", "USERESSCHEDULER = TRUE;"):
        both = system_of(folder, TASK, task, system=system)
        assert [each.declared for each in both.tasks] == [(SCHEDULER,), (SCHEDULER,)]
    without = system_of(folder, TASK, system="USERESSCHEDULER = FALSE;")
    assert (without.tasks[0].declared, without.resources) == ((), ())


def test_priorities_that_do_not_fit_become_ranks(folder: Path) -> None:
    tasks = [f"TASK T{p} {{ PRIORITY = {p}; }};" for p in (0, 4294967295, 40, 7)]
    system = system_of(folder, *tasks, "TASK U { PRIORITY = 7; };")
    assert {task.name: task.priority for task in system.tasks} == {
        "T4294967295": 4,
        "T40": 3,
        "T7": 2,
        "U": 2,
        "T0": 1,
    }
    assert notes(folder, text_of(*tasks)) == [
        f"{OIL}:4: TASK.T0.PRIORITY: 0 is not from 1 to 98, so each priority becomes its rank: "
        "0 becomes 1, 7 becomes 2, 40 becomes 3, 4294967295 becomes 4"
    ]
    many = [f"TASK T{p} {{ PRIORITY = {p}; }};" for p in range(99)]
    assert "found 99 different priorities; expected at most 98" in refusals(folder, *many)[0]
    assert [task.priority for task in system_of(folder, *many[1:]).tasks] == [*range(98, 0, -1)]


def test_a_stack_is_as_large_as_that_of_every_task_at_least(folder: Path) -> None:
    for given, stack in (("300", None), ("4096", None), ("4097", 4097), ("AUTO", None)):
        task = f"TASK T {{ PRIORITY = 1; STACKSIZE = {given}; }};"
        assert [each.stack for each in system_of(folder, task).tasks] == [stack]


def test_masks_are_those_that_are_given_or_a_free_bit(folder: Path) -> None:
    events = "EVENT E { MASK = 0x10; }; EVENT F { MASK = 1; }; EVENT G { MASK = AUTO; }; EVENT H;"
    apart = "TASK T { PRIORITY = 1; EVENT = E; EVENT = G; }; TASK U { PRIORITY = 2; EVENT = F; };"
    system = system_of(folder, events, apart)
    assert [task.events for task in system.tasks] == [("F",), ("E", "G")]
    assert system.events == {"E": 16, "G": 2, "F": 1, "H": 4}
    assert notes(folder, text_of(events, apart)) == []
    two = "EVENT E { MASK = 3; }; EVENT F { MASK = 0x8000000000000000; }; EVENT G { MASK = 1; };"
    task = "TASK T { PRIORITY = 1; EVENT = E; EVENT = F; EVENT = G; };"
    assert system_of(folder, two, task).events == {"E": 3, "F": 1 << 63, "G": 1}


def test_a_linked_resource_is_another_name_of_one(folder: Path) -> None:
    """Users of any name raise the ceiling of all names. A linked resource may have further
    names."""
    linked = "RESOURCEPROPERTY = LINKED { LINKEDRESOURCE = "
    system = system_of(
        folder,
        "TASK T { PRIORITY = 5; RESOURCE = S; }; TASK U { PRIORITY = 2; RESOURCE = R; };",
        f"RESOURCE R; RESOURCE L {{ {linked} R; }}; }}; RESOURCE S {{ {linked} L; }}; }};",
        system="USERESSCHEDULER = FALSE;",
    )
    assert [(each.name, each.linked, each.ceiling, each.users) for each in system.resources] == [
        ("R", None, 5, ("U",)),
        ("L", "R", 5, ()),
        ("S", "L", 5, ("T",)),
    ]


def test_an_alarm_may_start_at_0_which_its_counter_reaches_when_it_has_wrapped(
    folder: Path,
) -> None:
    alarm = "COUNTER C {{ MAXALLOWEDVALUE = 9; }}; ALARM A {{ COUNTER = C; ACTION = ACTIVATETASK"
    alarm += " {{ TASK = T; }};\nAUTOSTART = TRUE {{ {}ALARMTIME = {}; CYCLETIME = 0; }}; }};"
    for kind, time, first in (
        ("", 0, 10),
        ("TYPE = ABSOLUTE; ", 0, 10),
        ("TYPE = ABSOLUTE; ", 9, 9),
        ("TYPE = RELATIVE; ", 9, 9),
    ):
        system = system_of(folder, TASK, alarm.format(kind, time))
        (counter,) = system.counters
        assert [each.start(counter) for each in system.alarms] == [(first, 0)]


def test_a_tick_is_a_whole_number_of_nanoseconds(folder: Path) -> None:
    for seconds, tick_ns in (("0.000000001", 1), ("1.5e-3", 1_500_000), ("3600", 3_600 * 10**9)):
        counter = f"COUNTER C {{ SECONDSPERTICK = {seconds}; }};"
        assert [c.tick_ns for c in system_of(folder, TASK, counter).counters] == [tick_ns]


def test_files_are_found_wherever_vendors_name_them(folder: Path) -> None:
    """The places are OS, parameters of BUILD or CPU_DATA, APPDATA and TASK. Each file counts
    once."""
    names = ["a.c", "b.c", "c.c", "d.c", "e.c", "f.c"]
    for name in names:
        (folder / name).write_text("")
    system = described(
        folder,
        'CPU c { OS o { APP_SRC = "a.c"; BUILD = TRUE { X = Y { APP_SRC = "b.c"; }; }; '
        'CPU_DATA = Z { APP_SRC = "e.c"; }; };'
        'APPDATA p { APP_SRC = "c.c"; TRUSTED_SRC = "b.c"; MIXED_SRC = "f.c"; };'
        'TASK T { PRIORITY = 1; APP_SRC = "d.c"; APP_SRC = "f.c"; }; };',
        OIL,
    )
    assert system.kernel.sources == ("a.c", "e.c", "c.c", "d.c")
    assert system.kernel.trusted == ("b.c",)
    assert system.kernel.mixed == ("f.c",)


def test_a_program_in_one_file_has_no_file_of_tasks_alone(folder: Path) -> None:
    system = described(
        folder,
        'CPU c { OS o { ERRORHOOK = TRUE; APP_SRC = "tasks.c"; MIXED_SRC = "tasks.c"; };'
        "TASK T { PRIORITY = 1; }; };",
        OIL,
    )
    kernel = system.kernel
    assert kernel.mixed == ("tasks.c",)
    assert (kernel.sources, kernel.trusted) == ((), ())


def test_an_object_grows_wherever_it_is_described(folder: Path) -> None:
    """So a file that includes another file can add missing attributes."""
    (folder / "theirs.oil").write_text("CPU c { COUNTER C { MINCYCLE = 3; }; ISR I; };\n")
    system = described(
        folder,
        '#include "theirs.oil"\nCPU c { OS o { APP_SRC = "tasks.c"; TRUSTED_SRC = "trusted.c"; };\n'
        f"COUNTER C {{ SECONDSPERTICK = 0.001; }}; ISR I {{ INTERRUPT = 4; }}; {TASK} }};",
        OIL,
    )
    assert system.counters == (Counter.made("C", min_cycle=3, tick_ns=1_000_000),)
    assert system.isrs == (Isr.made("I", source=4),)


def test_what_an_implementation_declares_restricts_and_gives_defaults(folder: Path) -> None:
    implementation = """TASK { UINT32 [1..10] PRIORITY = 4; ENUM [FULL] SCHEDULE; STRING COLOUR[];
        BOOLEAN [TRUE { UINT32 DELAY = 3; }, FALSE] AUTOSTART = TRUE; UINT32 STACKSIZE = 8192; };
        ALARM { ENUM [SETEVENT { TASK_TYPE TASK; }, ACTIVATETASK { FLOAT X; }] ACTION; };"""
    task = 'TASK T { COLOUR = "red"; COLOUR = "blue"; };'
    system = system_of(folder, task, implementation=implementation)
    (only,) = system.tasks
    assert (only.priority, only.autostart, only.stack) == (4, True, 8192)
    assert notes(folder, text_of(task, implementation=implementation)) == [
        f"{OIL}:6: TASK.T.COLOUR: ignored: IMPLEMENTATION i declares it, and it means nothing here"
    ]


def test_there_is_a_mode_where_none_is_described(folder: Path) -> None:
    task = "TASK T { PRIORITY = 1; AUTOSTART = TRUE { APPMODE = OSDEFAULTAPPMODE; }; };"
    system = system_of(folder, task)
    assert system.kernel.modes == system.tasks[0].modes == ("OSDEFAULTAPPMODE",)


def test_an_implementation_may_declare_all_that_oil_has(folder: Path) -> None:
    """Attributes that no object here has may be declared, too. Unused attributes need no note."""
    text = """OIL_VERSION = "2.5" : "all forms";
    IMPLEMENTATION whole {
      OS { ENUM [STANDARD, EXTENDED] STATUS; BOOLEAN USERESSCHEDULER = TRUE; BOOLEAN ERRORHOOK;
        ENUM WITH_AUTO [SC1, SC2] SCALABILITYCLASS = AUTO; STRING WITH_AUTO VENDOR = AUTO; };
      APPMODE { };
      TASK { BOOLEAN [TRUE { APPMODE_TYPE APPMODE[]; } : "at the start", FALSE : "later"] AUTOSTART;
        UINT32 PRIORITY; UINT32 ACTIVATION; ENUM [NON, FULL : "preemptable"] SCHEDULE;
        EVENT_TYPE EVENT[]; RESOURCE_TYPE RESOURCE []; MESSAGE_TYPE MESSAGE[];
        FLOAT [-1.5 .. 2.5e+3] WEIGHT = 0.5; INT64 [-3, 0, +3] SIGN = -3 : "a default"; };
      ISR { UINT32 [1, 2] CATEGORY; RESOURCE_TYPE RESOURCE[]; };
      COUNTER { UINT32 MINCYCLE; UINT32 MAXALLOWEDVALUE; UINT32 TICKSPERBASE; };
      ALARM { COUNTER_TYPE COUNTER;
        ENUM [ACTIVATETASK { TASK_TYPE TASK; }, SETEVENT { TASK_TYPE TASK; EVENT_TYPE EVENT; },
          ALARMCALLBACK { STRING ALARMCALLBACKNAME; }] ACTION;
        BOOLEAN [TRUE { UINT32 ALARMTIME; UINT32 CYCLETIME; APPMODE_TYPE APPMODE[]; }, FALSE]
          AUTOSTART = FALSE; };
      EVENT { UINT64 WITH_AUTO MASK = AUTO; };
      RESOURCE { ENUM [STANDARD, LINKED { RESOURCE_TYPE LINKEDRESOURCE; }, INTERNAL]
        RESOURCEPROPERTY; };
      MESSAGE { ENUM [SEND_STATIC_INTERNAL { STRING CDATATYPE; }, RECEIVE_QUEUED_INTERNAL {
        MESSAGE_TYPE SENDINGMESSAGE; UINT32 QUEUESIZE; ENUM [NONE, FLAG { STRING FLAGNAME; }]
        NOTIFICATION = NONE; }] MESSAGEPROPERTY; IPDU_TYPE IPDU; };
      COM { STRING COMAPPMODE[]; }; NM { };
    } : "the standard";
    CPU c { OS o { STATUS = STANDARD; APP_SRC = "tasks.c"; }; APPMODE m;
      TASK T { AUTOSTART = TRUE { APPMODE = m; }; PRIORITY = 1; ACTIVATION = 1; SCHEDULE = FULL;
        EVENT = E; RESOURCE = R; }; EVENT E; RESOURCE R { RESOURCEPROPERTY = STANDARD; };
      COUNTER C { MINCYCLE = 1; MAXALLOWEDVALUE = 9; TICKSPERBASE = 1; };
      ALARM A { COUNTER = C; ACTION = SETEVENT { TASK = T; EVENT = E; }; };
    };"""
    assert notes(folder, text) == []
    (task,) = load(folder / OIL).tasks
    assert (task.autostart, task.events, task.declared) == (True, ("E",), ("R", SCHEDULER))


def test_braces_do_not_nest_without_end(folder: Path) -> None:
    first = mistakes(folder, "CPU c {" + "O o { X = Y {" * 21, OIL)[0]
    assert first == f"{OIL}:1: found one brace more; expected at most 20 braces in each other"


def test_strings_and_comments_hide_directives_and_braces(folder: Path) -> None:
    system = described(
        folder,
        '/*\n#include "no.oil"\n{{{ */\nCPU c { // "\n OS o { APP_SRC = "tasks.c"; X = "//"; };'
        f"{TASK} }};".replace('X = "//"', 'CFLAGS = "//{ /*"'),
        OIL,
    )
    assert len(system.tasks) == 1


def test_mistakes_of_included_files_are_named_there(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/a.oil").write_text("// one\n  #  include <b.oil> // two\nCPU c {\n TASKS f;\n};")
    (folder / "sub/b.oil").write_text("IMPLEMENTATION i { TASK { STRING PRIORITY; }; };")
    text = f'#include "sub/a.oil"\n{text_of("TASK T { PRIORITY = 0.5; };")}'
    assert mistakes(folder, text, OIL) == [
        f"{OIL}:5: TASK.T.PRIORITY: found 0.5; expected a whole number, from 0 to 4294967295",
        "sub/a.oil:4: TASKS.f: found an object TASKS; expected a kind of OIL (did you mean TASK?)",
        "sub/b.oil:1: IMPLEMENTATION.i.TASK.PRIORITY: found STRING; expected UINT32, as OIL has it",
    ]
    (folder / "sub/b.oil").write_text('#include "../some.oil"')
    assert mistakes(folder, text, OIL) == [
        "sub/b.oil:1: found sub/../some.oil, which includes itself; expected a file that does not"
    ]
    printed = CliRunner().invoke(app, ["check", str(folder / OIL), "--format", "json"]).stdout
    assert [problem["file"] for problem in json.loads(printed)["problems"]] == [
        f"{folder}/sub/b.oil"
    ]
    (folder / "sub/b.oil").write_text("CPU c {\n TASK\n};")
    assert mistakes(folder, text, OIL) == ['sub/b.oil:3: found "}"; expected a name']


def test_what_is_included_is_no_more_than_a_description_may_be(folder: Path) -> None:
    """Files that include each other twice would double with each level."""
    for level in range(12):
        (folder / f"{level}.oil").write_text(f'#include "{level + 1}.oil"\n' * 2)
    (folder / "12.oil").write_text("// " + "x" * 10_000)
    (message,) = mistakes(folder, '#include "0.oil"', OIL)
    assert message.endswith("found more than 1 MiB with what is included; expected a description")
    (folder / OIL).write_text("// " + "x" * (1 << 20))
    with pytest.raises(PlafondError, match="found more than 1 MiB; expected a description"):
        load(folder / OIL)
    for begin in ("/*", '"', "CPU c { OS o { A = X { "):
        assert mistakes(folder, begin * ((1 << 20) // len(begin) - 1), OIL)
    (folder / OIL).write_bytes(b"\xff")
    with pytest.raises(DescriptionError, match=r'some.oil:1: found "\\u00ff"; expected'):
        load(folder / OIL)


@pytest.mark.parametrize(("key", "why"), IGNORED.items())
def test_what_means_nothing_here_is_noted_once(folder: Path, key: str, why: str) -> None:
    kind, *attributes = key.split(".")
    inner = f"{attributes[-1]} = X {{ ANYTHING = 3; }};" if attributes else ""
    if len(attributes) > 1:
        inner = f"{attributes[0]} = TRUE {{ ALARMTIME = 1; CYCLETIME = 0; {inner} }};"
    rest = {
        "TASK": "PRIORITY = 1;",
        "ALARM": "COUNTER = C; ACTION = ACTIVATETASK { TASK = T; };",
        "ISR": "INTERRUPT = 1;",
        "MESSAGE": "MESSAGEPROPERTY = SEND_ZERO_INTERNAL;",
    }.get(kind, "")
    first = "o" if kind in ONES else "X1"
    names = ["o", "o"] if kind in ONES else ["X1", "X2"]
    objects = [f"{kind} {name} {{ {rest} {inner} }};" for name in names]
    where = ".".join([kind, first, *attributes])
    assert notes(folder, text_of(TASK, f"COUNTER C; {PING}", *objects)) == [
        f"{OIL}:6: {where}: ignored: {why}"
    ]


@pytest.mark.parametrize(("key", "expected"), [*REFUSED.items(), *REFUSED_KINDS.items()])
def test_what_the_kernel_has_not_is_refused(folder: Path, key: str, expected: str) -> None:
    kind, *attributes = key.split(".")
    inner = f"{attributes[-1]} = X;" if attributes else ""
    for outer in attributes[-2::-1]:
        inner = f"{outer} = TRUE {{ {inner} }};"
    found = refusals(folder, TASK, f"{kind} X {{ PRIORITY = 1; {inner} }};")
    where = ".".join([kind, "X", *attributes])
    what = "an attribute that is not taken" if attributes else f"an object {kind}"
    assert f"{OIL}:5: {where}: found {what}; expected {expected}" in found


@pytest.mark.parametrize(("value", "expected"), [*REFUSED_VALUES.items()])
def test_values_that_the_kernel_has_not_are_refused(
    folder: Path, value: tuple[str, object], expected: str
) -> None:
    """They are refused even if an implementation declares them."""
    kind, attribute = value[0].split(".")
    name = "o" if kind == "OS" else "X"
    values = "SEND_STATIC_INTERNAL, SEND_STATIC_EXTERNAL, RECEIVE_UNQUEUED_EXTERNAL"
    implementation = f"MESSAGE {{ ENUM [{values}] MESSAGEPROPERTY; }};"
    line = f"{kind} {name} {{ {attribute} = {value[1]}; }};"
    found = refusals(folder, TASK, line, implementation=implementation)
    assert f"{OIL}:5: {kind}.{name}.{attribute}: found {value[1]}; expected {expected}" in found


def receiver(name: str, form: str, rest: str = "") -> str:
    return f"MESSAGE {name} {{ MESSAGEPROPERTY = RECEIVE_{form}; {rest} }};"


def test_messages(folder: Path) -> None:
    (folder / "types.h").touch()
    system = system_of(
        folder,
        "TASK T { PRIORITY = 5; EVENT = E; MESSAGE = S; MESSAGE = R1; }; EVENT E;",
        "ISR I { INTERRUPT = 1; MESSAGE = S; };",
        'MESSAGE S { MESSAGEPROPERTY = SEND_STATIC_INTERNAL { CDATATYPE = "struct s"; };',
        "  NOTIFICATION = NONE; };",
        PING,
        receiver("R1", "UNQUEUED_INTERNAL { SENDINGMESSAGE = S; FILTER = ALWAYS; }"),
        receiver("R2", "UNQUEUED_INTERNAL { SENDINGMESSAGE = S; INITIALVALUE = 0x10; }"),
        receiver(
            "R3",
            "QUEUED_INTERNAL { QUEUESIZE = 3; SENDINGMESSAGE = S; INITIALVALUE = 0; }",
            "NOTIFICATION = ACTIVATETASK { TASK = T; };",
        ),
        receiver(
            "R4",
            "ZERO_INTERNAL { SENDINGMESSAGE = PING; }",
            "NOTIFICATION = SETEVENT { EVENT = E; TASK = T; };",
        ),
        receiver(
            "R5",
            "ZERO_INTERNAL { SENDINGMESSAGE = PING; }",
            'NOTIFICATION = COMCALLBACK { CALLBACKROUTINENAME = "f"; MESSAGE = R1; };',
        ),
        receiver(
            "R6",
            "ZERO_INTERNAL { SENDINGMESSAGE = PING; }",
            'NOTIFICATION = FLAG { FLAGNAME = "F"; };',
        ),
        'COM c { COMERRORHOOK = TRUE; COMSTARTCOMEXTENSION = TRUE; COMAPPMODE = "A";',
        '  COMAPPMODE = "B"; TYPES_HEADER = "types.h"; COMUSEPARAMETERACCESS = TRUE; };',
        system='TRUSTED_SRC = "trusted.c";',
    )
    assert system.messages == (
        Message.made("S", type="struct s"),
        Message.made("PING", type="void"),
        Message.made("R1", sender="S"),
        Message.made("R2", sender="S", initial=16),
        Message.made("R3", sender="S", queue=3, action=Activate("T")),
        Message.made("R4", sender="PING", action=SetEvent("T", "E")),
        Message.made("R5", sender="PING", action=CallBack("f")),
        Message.made("R6", sender="PING", action=Flag("F")),
    )
    assert system.com == Com.model_construct(
        modes=("A", "B"), headers=("types.h",), error_hook=True, extension=True
    )
    assert system.kernel.parameters


def test_com_without_messages_means_nothing(folder: Path) -> None:
    text = text_of(TASK, 'COM c { COMAPPMODE = "A"; };')
    assert notes(folder, text) == [f"{OIL}:5: COM.c: ignored: there are no messages"]
    assert load(folder / OIL).com == COM


def test_commands_print_the_notes(folder: Path) -> None:
    notes_of_file = notes(folder, text_of(TASK, system='CFLAGS = "-O2"; DEBUG = TRUE;'))
    assert len(notes_of_file) == 2
    for command in ("check", "analyse"):
        printed = CliRunner().invoke(app, [command, str(folder / OIL)])
        assert printed.exit_code == 0
        assert printed.stderr.replace(f"{folder}/", "").splitlines() == notes_of_file


def test_no_attribute_is_in_two_tables() -> None:
    names = {f"{kind}.{name}" for kind, known in taken().items() for name in known}
    assert not names & (IGNORED.keys() | REFUSED.keys())
    assert not IGNORED.keys() & REFUSED.keys()
    assert not taken().keys() & REFUSED_KINDS.keys()
    assert all(name in names for name, _ in REFUSED_VALUES)


def test_the_attributes_are_printed() -> None:
    printed = CliRunner().invoke(app, ["check", "--oil-attributes"])
    text = printed.stdout
    assert (printed.exit_code, text) == (0, f"{attribute_text()}\n")
    assert "  TASK {\n    UINT32 PRIORITY = NO_DEFAULT" in text
    assert "\n\nignored:\nOS.APP_NAME                         the image is named after" in text
    assert "\nAPPLICATION.IOC " in text
    assert "\nAPPLICATION.TIMING_PROTECTION = TRUE\n" in text
    assert "\nMESSAGE.MESSAGEPROPERTY = SEND_STATIC_EXTERNAL" in text


def test_later_checks_name_the_attribute(folder: Path) -> None:
    """Checks of `plafond build` read the file again, so they name the attribute, too."""
    from plafond.build.image import build_image

    system = system_of(folder, "TASK int { PRIORITY = 3; };")
    with pytest.raises(DescriptionError) as caught:
        build_image(system, "sim", None, None)
    assert str(caught.value) == (
        f"{folder / OIL}:4: TASK.int: found int; expected another name: C or the kernel has this "
        "one"
    )
