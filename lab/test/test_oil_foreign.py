# SPDX-License-Identifier: MIT
"""OIL files of other tools: `check` reads them, and notes what means nothing here."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plafond.build.image import build_image
from plafond.cli import app
from plafond.describe import load
from plafond.describe.body import Activate, SetEvent
from plafond.describe.oil.definitions import taken
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read
from plafond.describe.system import System
from plafond.words import misspelt

TASK = "TASK T { PRIORITY = 1; AUTOSTART = TRUE; };"
# Attributes of Trampoline, ERIKA and others, which are none of ours.
VENDORS = {
    "OS": "USEORTI WITHORTI ORTI_SECTIONS CPU_FREQ_MHZ MEMORY_PROTECTION SERVICE_PROTECTION "
    "TIMING_PROTECTION IDLE_POWER_MODE PANICHOOK POSTISRHOOK PREISRHOOK SCHEDULER GDBCOMMANDS "
    "INITBOARD ISR2_PRIORITY_MASKING KERNEL_MODULE USERSERVICEHOOK TIMEENFORCEMENT IRQ_STACK",
    "TASK": "USEFLOAT LEVEL STATE DEADLINE REL_DEADLINE GROUP",
    "ISR": "LEVEL VECTOR SUBPRIORITY BANK",
    "COUNTER": "NANOSECONDSPERTICK UNIT PRESCALE",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def checked(folder: Path, text: str, name: str = "some.oil") -> tuple[int, str, list[str]]:
    """Return exit code, output and notes or mistakes of `check`, without the folder's name."""
    (folder / name).write_bytes(text.encode("latin-1"))
    printed = CliRunner().invoke(app, ["check", str(folder / name)])
    is_refused = isinstance(printed.exception, DescriptionError)
    said = str(printed.exception) if is_refused else printed.stderr
    return printed.exit_code, printed.stdout, said.replace(f"{folder}/", "").splitlines()


def system_of(folder: Path, *objects: str) -> System:
    file = folder / "some.oil"
    (folder / "t.c").touch()
    file.write_text("\n".join(['CPU c { OS o { APP_SRC = "t.c"; };', *objects, "};"]))
    return load(file)


def test_each_attribute_of_a_vendor_is_one_note(folder: Path) -> None:
    code, _, lines = checked(
        folder,
        'CPU c { OS o { APP_SRC = "t.c"; USEORTI = TRUE { A = B; }; CPU_FREQ_MHZ = 16;\n'
        "  USEORTI = FALSE; };\n"
        "  TASK T { PRIORITY = 1; USEFLOAT = TRUE; STATE s1 { INITIAL = TRUE; }; STATE s2 { }; };\n"
        "  TASK U { PRIORITY = 1; USEFLOAT = FALSE; };\n"
        "  ROBOT r { ARMS = 2; }; ROBOT s; };",
    )
    assert (code, lines) == (
        0,
        [
            "some.oil:5: ROBOT.r: ignored: ROBOT is no kind of object that is known here",
            "some.oil:1: OS.o.USEORTI: ignored: no attribute that is known here",
            "some.oil:1: OS.o.CPU_FREQ_MHZ: ignored: no attribute that is known here",
            "some.oil:3: TASK.T.USEFLOAT: ignored: no attribute that is known here",
            "some.oil:3: TASK.T.STATE: ignored: no attribute that is known here",
        ],
    )


@pytest.mark.parametrize("kind", VENDORS)
def test_no_attribute_of_a_vendor_counts_as_a_misspelt_attribute_of_ours(kind: str) -> None:
    assert [name for name in VENDORS[kind].split() if misspelt(name, list(taken()[kind]))] == []


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("PRIORTY", "PRIORITY"),
        ("STACK_SIZE", "STACKSIZE"),
        ("priority", "PRIORITY"),
        ("PRIOTIRY", "PRIORITY"),
        ("EVNT", "EVENT"),
        ("PRIOTRIX", None),  # three letters
        ("X", None),
    ],
)
def test_a_misspelt_attribute_would_lose_its_effect_so_it_is_a_mistake(
    word: str, meant: str | None
) -> None:
    assert misspelt(word, list(taken()["TASK"])) == meant


def test_a_part_of_the_name_of_a_missing_attribute_is_a_mistake(folder: Path) -> None:
    alarm = "ALARM A { COUNTER = C; ACTION = ALARMCALLBACK { CALLBACK = f; %s }; };"
    text = f"CPU c {{ {TASK} COUNTER C; {alarm} }};"
    code, _, lines = checked(folder, text % "")
    assert code == 1
    assert "(did you mean ALARMCALLBACKNAME?)" in lines[0]
    code, _, lines = checked(folder, text % 'ALARMCALLBACKNAME = "f";')
    assert (code, lines) == (
        0,
        ["some.oil:1: ALARM.A.ACTION.CALLBACK: ignored: no attribute that is known here"],
    )


def test_the_same_value_twice_is_a_note_and_another_one_a_mistake(folder: Path) -> None:
    task = "TASK T { PRIORITY = 1; AUTOSTART = TRUE { APPMODE = m; };\n AUTOSTART = TRUE { %s }; };"
    text = f"CPU c {{ APPMODE m; APPMODE n; {task}\n}};"
    code, _, lines = checked(folder, text % "APPMODE = m;")
    assert (code, lines) == (0, ["some.oil:2: TASK.T.AUTOSTART: TRUE is said twice"])
    code, _, lines = checked(folder, text % "APPMODE = n;")
    assert (code, lines) == (
        1,
        [
            "some.oil:2: TASK.T.AUTOSTART: found TRUE, a second value; expected TRUE alone: it has "
            "no [] in OIL"
        ],
    )


def test_comments_may_be_in_latin_1_and_the_suffix_in_upper_case(folder: Path) -> None:
    text = f"/* Rückwärtsgang */ CPU c {{ {TASK} }};"
    code, output, lines = checked(folder, text, "SOME.OIL")
    assert (code, output.splitlines()[0][-14:], lines) == (0, "SOME.OIL: SOME", [])
    (folder / "b.Oil").write_text(f"CPU c {{ {TASK} }};")
    assert [task.name for task in load(folder / "b.Oil").tasks] == ["T"]
    tasks = json.dumps({"tasks": {"t": {"run": 1000, "timer": {"ref": "u", "period": 10000}}}})
    (folder / "some.JSON").write_text(tasks)
    with pytest.raises(DescriptionError, match=r"tasks\.t\.cpus: found nothing"):
        load(folder / "some.JSON")


def test_names_have_up_to_127_characters(folder: Path) -> None:
    longest = "L" * 127
    system = system_of(folder, f"TASK {longest} {{ PRIORITY = 1; }};")
    assert [task.name for task in system.tasks] == [longest]
    with pytest.raises(DescriptionError, match="a letter, then up to 126 letters"):
        system_of(folder, f"TASK {longest}L {{ PRIORITY = 1; }};")


def test_types_of_a_vendor_are_noted(folder: Path) -> None:
    """Trampoline's IMPLEMENTATION has brackets behind kinds, and descriptions of two strings."""
    code, _, lines = checked(
        folder,
        """IMPLEMENTATION i {
          TASK [] { IDENTIFIER GROUP; IDENTIFIER WITH_AUTO [a, b] OTHER [] = x; };
          API [] { STRUCT { IDENTIFIER TYPE; ENUM [A, B] KIND; } CALL[]; } : "one\\n"
            "two";
        };
        CPU c { TASK T { PRIORITY = 1; GROUP = 0.5; OTHER = "x"; }; API a { CALL f { TYPE = g; }; };
        };""",
    )
    assert (code, lines) == (
        0,
        [
            "some.oil:2: IMPLEMENTATION.i.TASK.GROUP: ignored: IDENTIFIER is no type of OIL, so "
            "any value is taken for one",
            "some.oil:6: API.a: ignored: API is no kind of object that is known here",
            "some.oil:6: TASK.T.GROUP: ignored: IMPLEMENTATION i declares it, and it means nothing "
            "here",
            "some.oil:6: TASK.T.OTHER: ignored: IMPLEMENTATION i declares it, and it means nothing "
            "here",
        ],
    )


def test_an_implementation_alone_is_a_part_of_a_file(folder: Path) -> None:
    code, output, lines = checked(folder, "IMPLEMENTATION i { TASK { UINT32 X = 1; }; };")
    assert (code, output.replace(f"{folder}/", ""), lines) == (
        0,
        "some.oil: only an IMPLEMENTATION, for a file that includes it\n",
        [],
    )
    assert read(folder / "some.oil").part
    with pytest.raises(DescriptionError, match="found only an IMPLEMENTATION; expected a CPU"):
        load(folder / "some.oil")
    code, _, lines = checked(folder, "IMPLEMENTATION i { TASK { STRING PRIORITY; }; };")
    assert code == 1
    assert "found STRING; expected UINT32" in lines[0]


CORES = 'CPU_DATA = TRICORE { ID = "cpu0"; }; CPU_DATA = TRICORE { ID = "cpu1"; };'


def test_cores_may_have_names(folder: Path) -> None:
    """CPU_DATA gives each core a name in the order of their numbers; MASTER_CPU is core 0."""
    text = """CPU c { OS o { %s }; TASK T { PRIORITY = 1; CPU_ID = "cpu0"; };
        TASK U { PRIORITY = 1; CPU_ID = "cpu1"; }; };"""
    code, _, lines = checked(folder, text % CORES)
    assert (code, lines[0]) == (0, "some.oil:1: TASK.T.CPU_ID: cpu0 is core 0, cpu1 is core 1")
    cpus = {task.name: task.cpu for task in load(folder / "some.oil").tasks}
    assert cpus == {"T": 0, "U": 1}
    checked(folder, text % (CORES + 'MASTER_CPU = "cpu1";'))
    cpus = {task.name: task.cpu for task in load(folder / "some.oil").tasks}
    assert cpus == {"T": 1, "U": 0}
    code, _, lines = checked(folder, (text % CORES).replace('CPU_ID = "cpu1"', 'CPU_ID = "cpu9"'))
    assert code == 1
    assert 'found "cpu9"; expected a whole number, from 0 to 3' in lines[0]


def test_a_spinlock_of_one_core_is_a_note(folder: Path) -> None:
    two = "TASK T { PRIORITY = 1; }; TASK U { PRIORITY = 1; CPU_ID = %d; };"
    locks = "SPINLOCK s { ACCESSING_APPLICATION = a; NEXT_SPINLOCK = t; }; SPINLOCK t;"
    code, _, lines = checked(folder, f"CPU c {{ {TASK} APPLICATION a {{ TASK = T; }}; {locks} }};")
    why = "ignored: its users are on one core, and a RESOURCE is for one"
    assert (code, lines) == (0, [f"some.oil:1: SPINLOCK.{name}: {why}" for name in "st"])
    assert [each.name for each in load(folder / "some.oil").resources] == ["RES_SCHEDULER"]
    # Without applications all tasks may lock it, and the successor is one of several cores.
    locks = locks.replace("ACCESSING_APPLICATION = a;", "")
    no_scheduler = "OS o { USERESSCHEDULER = FALSE; };"
    code, _, lines = checked(folder, f"CPU c {{ {no_scheduler} {two % 1} {locks} }};")
    assert (code, lines) == (0, [])
    found = load(folder / "some.oil").resources
    assert {each.name: (each.successor, each.users) for each in found} == {
        "s": ("t", ("T", "U")),
        "t": (None, ("T", "U")),
    }


def test_schedule_tables_of_erika(folder: Path) -> None:
    table = """SCHEDULETABLE S { COUNTER = C; DURATION = 400; REPEATING = TRUE;
      AUTOSTART = TRUE { TYPE = %s; START_VALUE = 7; };
      EXPIRE_POINT = ACTION { EXPIRE_VALUE = 300; ACTION = SETEVENT { TASK = T; EVENT = E; }; };
      EXPIRE_POINT = ACTION { EXPIRE_VALUE = 25; ACTION = ACTIVATETASK { TASK = T; };
        SYNC_ADJUSTMENT = FALSE; };
    };"""
    objects = "TASK T { PRIORITY = 1; EVENT = E; }; EVENT E; COUNTER C;"
    for kind, start in (("ABSOLUTE", "absolute 7"), ("RELATIVE", "relative 7")):
        (found,) = system_of(folder, objects, table % kind).schedule_tables
        assert (found.duration, found.repeats, str(found.autostart)) == (400, True, start)
        assert [(point.at, point.signals) for point in found.points] == [
            (25, (Activate("T"),)),
            (300, (SetEvent("T", "E"),)),
        ]
    plain = (table % "X").replace("{ TYPE = X; START_VALUE = 7; }", "")
    (found,) = system_of(folder, objects, plain).schedule_tables
    assert str(found.autostart) == "absolute 0"


IOCS = """TASK T { PRIORITY = 1; AUTOSTART = TRUE; }; TASK U { PRIORITY = 2; };
  TASK V { PRIORITY = 3; };
  APPLICATION a { TRUSTED = TRUE; TASK = T; IOC = I; };
  APPLICATION b { TRUSTED = TRUE; TASK = U; %s };"""
AUTOSAR = """IOC I { DATATYPENAME = "uint32"; SEMANTICS = %s;
  SENDER = s { SENDING_OSAPPLICATION = a; }; RECEIVER = r { RECEIVING_OSAPPLICATION = b; }; };"""
TRAMPOLINE = """IOC I { DATATYPENAME uint32 { DATATYPEPROPERTY = DATA; }; SEMANTICS = %s;
  SENDER s { SND_OSAPPLICATION = a; }; RECEIVER r { RCV_OSAPPLICATION = b; }; };"""


@pytest.mark.parametrize("form", [AUTOSAR, TRAMPOLINE])
def test_iocs_of_autosar(folder: Path, form: str) -> None:
    others = "APPLICATION c { TRUSTED = TRUE; TASK = V; };"
    for semantics, queue, initial in (
        ('LAST_IS_BEST { INIT_VALUE_SYMBOL = "7"; }', None, 7),
        ("QUEUED { BUFFER_LENGTH = 5; }", 5, 0),
    ):
        system = system_of(folder, IOCS % "", others, form % semantics)
        (ioc,) = system.iocs
        assert (ioc.type, ioc.senders, ioc.receiver) == ("uint32_t", ("T",), "U")
        assert (ioc.queue, ioc.initial, system.needs) == (queue, initial, None)


def test_the_tasks_of_an_ioc_are_for_a_build_if_its_applications_have_several(
    folder: Path,
) -> None:
    """The printed line says them; then the IOC is whole."""
    ioc = AUTOSAR % 'LAST_IS_BEST { INIT_VALUE_SYMBOL = "first"; }'
    system = system_of(folder, IOCS % "TASK = V;", ioc)
    assert system.iocs == ()
    assert system.needs
    (line,) = system.needs.lines[1:-1]
    assert line == "  IOC I { RECEIVER = V; };"
    with pytest.raises(DescriptionError) as caught:
        build_image(system, "sim")
    assert "IOC.I.RECEIVER: found r of an application with the tasks U, V; expected a task" in str(
        caught.value
    )
    (whole,) = system_of(folder, IOCS % "TASK = V;", ioc, line).iocs
    assert (whole.senders, whole.receiver, whole.initial) == (("T",), "V", 0)


RECEIVED = """MESSAGE out { MESSAGEPROPERTY = SEND_STATIC_INTERNAL { CDATATYPE = "%s"; }; };
  MESSAGE in { MESSAGEPROPERTY = RECEIVE_UNQUEUED_INTERNAL { SENDINGMESSAGE = out; %s }; };"""


@pytest.mark.parametrize(
    ("given", "here"),
    [
        ("uint8", "uint8_t"),
        ("sint16", "int16_t"),
        ("uint32_least", "uint_least32_t"),
        ("boolean", "uint8_t"),
        ("float64", "double"),
        ("unsigned int", "unsigned int"),
        ("TickType", "TickType"),
    ],
)
def test_types_of_autosar_are_those_of_c(folder: Path, given: str, here: str) -> None:
    system = system_of(folder, TASK, RECEIVED % (given, ""))
    assert (system.messages[0].type, system.needs) == (here, None)
    (folder / "types.h").touch()
    com = 'COM x { TYPES_HEADER = "types.h"; };'
    assert system_of(folder, TASK, RECEIVED % (given, ""), com).messages[0].type == given


def test_a_type_without_a_header_is_for_a_build(folder: Path) -> None:
    system = system_of(folder, TASK, RECEIVED % ("struct s *", ""), "COM x;")
    assert system.needs
    assert system.needs.lines == ("CPU c {", '  COM x { TYPES_HEADER = "types.h"; };', "};")


def test_a_filter_is_for_other_kernels(folder: Path) -> None:
    for value in ("ONEEVERYN { PERIOD = 3; OFFSET = 0; }", "NEVER", "NEWISWITHIN { MIN = 1; }"):
        text = f"CPU c {{ {TASK} {RECEIVED % ('int', f'FILTER = {value};')} }};"
        code, output, _ = checked(folder, text)
        name = value.partition(" ")[0]
        assert (code, f"found {name}; expected ALWAYS: the kernel has no" in output) == (0, True)
        with pytest.raises(DescriptionError, match="the kernel has no filters"):
            build_image(load(folder / "some.oil"), "sim")
    assert system_of(folder, TASK, RECEIVED % ("int", "FILTER = ALWAYS;")).needs is None


def test_access_to_parameters_needs_a_hook(folder: Path) -> None:
    text = f"CPU c {{ OS o {{ USEPARAMETERACCESS = TRUE; %s }}; {TASK} {RECEIVED % ('int', '')}\n"
    text += "COM x { COMUSEPARAMETERACCESS = TRUE; }; };"
    code, _, lines = checked(folder, text % "")
    why = "ignored: there is no hook for errors"
    assert (code, lines) == (
        0,
        [
            f"some.oil:1: OS.o.USEPARAMETERACCESS: {why}",
            f"some.oil:3: COM.x.COMUSEPARAMETERACCESS: {why}",
        ],
    )
    assert not load(folder / "some.oil").kernel.parameters
    code, _, lines = checked(folder, text % "ERRORHOOK = TRUE;")
    assert (code, lines) == (0, [])
    assert load(folder / "some.oil").kernel.parameters


def test_a_mode_of_com_may_be_a_name(folder: Path) -> None:
    """ERIKA's files have no quotes there."""
    system = system_of(folder, TASK, RECEIVED % ("int", ""), "COM x { COMAPPMODE = A; };")
    assert system.com.modes == ("A",)


def test_rights_that_the_kernel_lacks_are_for_a_build(folder: Path) -> None:
    """A hook of an application without trust, and an alarm for a task of another application."""
    alarm = "COUNTER C; ALARM A { COUNTER = C; ACTION = ACTIVATETASK { TASK = U; }; };"
    system = system_of(
        folder,
        TASK,
        "TASK U { PRIORITY = 1; };",
        alarm,
        "APPLICATION a { TRUSTED = FALSE; STARTUPHOOK = TRUE; TASK = T; COUNTER = C; ALARM = A; };",
        "APPLICATION b { TASK = U; };",
    )
    with pytest.raises(DescriptionError) as caught:
        build_image(system, "sim")
    found = [line.partition(": ")[2].partition("; ")[0] for line in str(caught.value).splitlines()]
    assert "ALARM.A.ACTION: found activate U" in found
    assert "APPLICATION.a.STARTUPHOOK: found startup" in found


def test_types_of_an_ioc_are_those_of_c_too(folder: Path) -> None:
    tasks = (TASK, "TASK U { PRIORITY = 2; };")
    ioc = 'IOC I { TYPE = "%s"; SENDER = T; RECEIVER = U; %s };'
    assert system_of(folder, *tasks, ioc % ("sint32", "")).iocs[0].type == "int32_t"
    (folder / "h.h").touch()
    assert system_of(folder, *tasks, ioc % ("sint32", 'HEADER = "h.h";')).iocs[0].type == "sint32"
    needs = system_of(folder, *tasks, ioc % ("struct s", "")).needs
    assert needs
    assert needs.lines[1:-1] == ('  IOC I { HEADER = "types.h"; };',)


def test_the_application_of_an_object_is_for_a_build(folder: Path) -> None:
    """The proposal is the first application; SystemCounter needs one, too."""
    objects = (
        TASK,
        "TASK U { PRIORITY = 2; };",
        "ALARM A { COUNTER = SystemCounter; ACTION = ACTIVATETASK { TASK = T; }; };",
        "APPLICATION a { TASK = T; };",
    )
    needs = system_of(folder, *objects).needs
    assert needs
    added = needs.lines[1:-1]
    assert added == (
        "  COUNTER SystemCounter { SECONDSPERTICK = 0.001; };",
        "  APPLICATION a { TASK = U; COUNTER = SystemCounter; ALARM = A; };",
    )
    assert system_of(folder, *objects, *added).needs is None


def test_a_handler_of_an_application_without_trust_is_for_a_build(folder: Path) -> None:
    isr = "ISR I { INTERRUPT = 1; };"
    owner = "APPLICATION a { TRUSTED = FALSE; TASK = T; ISR = I; };"
    needs = system_of(folder, TASK, isr, owner).needs
    assert needs
    assert "found a; expected one with trusted = true: its handler runs in the" in needs.lines[0]
    assert needs.lines[0].startswith("// ")


def test_objects_of_a_tool_alone_are_a_part_of_a_file(folder: Path) -> None:
    """Such a file may have several CPUs. A system without routines is a mistake, though."""
    part = "some.oil: no TASK and no ISR, for a file that includes it\n"
    for text in (
        "CPU c { BUILDOPTIONS b { X = 1; }; OS o; }; CPU d { COUNTER C; };",
        "CPU c { COUNTER SystemCounter; };",
        "IMPLEMENTATION i { }; CPU c { COUNTER SystemCounter; };",
    ):
        code, output, _ = checked(folder, text)
        assert (code, output.replace(f"{folder}/", "")) == (0, part)
    for text in (
        "CPU c { };",
        "CPU c { OS o; COUNTER C; };",
        "IMPLEMENTATION i { }; CPU c { OS o; };",
    ):
        code, _, lines = checked(folder, text)
        assert (code, lines) == (
            1,
            ["some.oil:1: TASK: found nothing; expected at least one object TASK or ISR"],
        )


def test_limits_of_a_routine_are_for_other_kernels(folder: Path) -> None:
    isr = "ISR I { INTERRUPT = 1; TIMING_PROTECTION = TRUE { EXECUTIONTIME = 1; }; };"
    code, output, lines = checked(folder, f"CPU c {{ {TASK} {isr} }};")
    assert (code, lines) == (0, [])
    assert "ISR.I.TIMING_PROTECTION: found TRUE; expected no limits of a routine" in output
    with pytest.raises(DescriptionError, match="TIMING_PROTECTION: found TRUE; expected no limits"):
        build_image(load(folder / "some.oil"), "sim")
