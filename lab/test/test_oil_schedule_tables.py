# SPDX-License-Identifier: MIT
"""Schedule tables in OIL: Trampoline's objects SCHEDULETABLE, and what becomes of them."""

from pathlib import Path

import pytest

from plafond.cli import main
from plafond.describe import load
from plafond.describe.body import Activate, SetEvent
from plafond.describe.kernel import ExpiryPoint, ScheduleTable, StartKind, TableStart, TableSync
from plafond.describe.problems import DescriptionError
from plafond.describe.read import read

TABLES = """
  SCHEDULETABLE A {
    COUNTER = C;
    AUTOSTART = RELATIVE { OFFSET = 10; APPMODE = night; };
    PERIODIC = TRUE;
    LENGTH = 0x32;
    EXPIRY_POINT second { OFFSET = 7; ACTION = ACTIVATETASK { TASK = high; }; } : "a point";
    EXPIRY_POINT first {
      ACTION = SETEVENT { TASK = high; EVENT = GO; };
      ACTION = ACTIVATETASK { TASK = low; };
      OFFSET = 5;
    };
  };
  SCHEDULETABLE B {
    COUNTER = S; DURATION = 3; REPEATING = FALSE; AUTOSTART = ABSOLUTE { START = 0; };
    EXPIRY_POINT only { OFFSET = 0; ACTION = SETEVENT { TASK = high; EVENT = GO; }; };
  };
"""
WHOLE = """
OIL_VERSION = "3.1";
IMPLEMENTATION i {
  SCHEDULETABLE {
    COUNTER_TYPE COUNTER;
    UINT64 LENGTH;
    STRUCT { UINT64 OFFSET; BOOLEAN LOUD; } EXPIRY_POINT[];
  };
};
CPU c {
  OS o { APP_SRC = "tasks.c"; USERESSCHEDULER = FALSE; };
  APPMODE day; APPMODE night;
  TASK high { PRIORITY = 9; EVENT = GO; };
  TASK low { PRIORITY = 3; };
  EVENT GO;
  COUNTER C { MAXALLOWEDVALUE = 100; MINCYCLE = 2; SECONDSPERTICK = 0.001; };
  COUNTER S;
TABLES
};
"""


def write(folder: Path, tables: str) -> Path:
    (folder / "tasks.c").touch()
    file = folder / "some.oil"
    file.write_text(WHOLE.replace("TABLES\n", tables.strip() + "\n"))
    return file


def mistakes(folder: Path, tables: str) -> list[str]:
    with pytest.raises(DescriptionError) as caught:
        load(write(folder, tables))
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def test_whole_tables(tmp_path: Path) -> None:
    goes = SetEvent("high", "GO")
    first = ScheduleTable(
        name="A",
        counter="C",
        duration=50,
        repeats=True,
        points=(
            ExpiryPoint(5, (goes, Activate("low"))),  # in the order of their offsets
            ExpiryPoint(7, (Activate("high"),)),
        ),
        autostart=TableStart(StartKind.RELATIVE, 10),
        modes=("night",),
    )
    second = ScheduleTable(
        name="B",
        counter="S",
        duration=3,
        repeats=False,
        points=(ExpiryPoint(0, (goes,)),),
        autostart=TableStart(StartKind.ABSOLUTE, 0),
    )
    assert load(write(tmp_path, TABLES)).schedule_tables == (first, second)


def test_a_table_that_does_not_start_with_the_kernel(tmp_path: Path) -> None:
    for word in ("NONE", "FALSE"):
        tables = TABLES.replace("ABSOLUTE { START = 0; }", word)
        assert load(write(tmp_path, tables)).schedule_tables[1].autostart is None
    tables = TABLES.replace("AUTOSTART = ABSOLUTE { START = 0; };", "")
    assert load(write(tmp_path, tables)).schedule_tables[1].autostart is None


FOLLOWING = TABLES.replace("RELATIVE { OFFSET = 10;", "SYNCHRON {").replace(
    "PERIODIC = TRUE;",
    "PERIODIC = TRUE; LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION = "
    "TRUE { SYNC_STRATEGY = EXPLICIT; PRECISION = 2; };",
)
FOLLOWING = FOLLOWING.replace(
    "OFFSET = 5;", "OFFSET = 5; ADJUSTABLE = TRUE { MAX_ADVANCE = 9; MAX_RETARD = 4; };"
)


def test_a_table_that_follows_another_time(tmp_path: Path) -> None:
    table = load(write(tmp_path, FOLLOWING)).schedule_tables[0]
    assert (table.sync, table.precision) == (TableSync.EXPLICIT, 2)
    assert (table.autostart, table.modes) == (TableStart(StartKind.SYNCHRON), ("night",))
    # AUTOSAR's MaxAdvance became MaxLengthen, and its MaxRetard MaxShorten.
    assert [(point.shorten, point.lengthen) for point in table.points] == [(4, 9), (0, 0)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("SYNC_STRATEGY = EXPLICIT;", "", "TION.SYNC_STRATEGY: found nothing; expected one of IMP"),
        (
            "EXPLICIT;",
            "SOME;",
            "TION.SYNC_STRATEGY: found SOME; expected one of IMPLICIT, EXPLICIT",
        ),
        ("EXPLICIT;", "IMPLICIT;", 'AUTOSTART: found synchron; expected sync = "explicit": a tabl'),
        ("PRECISION = 2;", "PRECISION = 51;", "TION.PRECISION: found 51; expected at most the dur"),
        ("MAX_RETARD = 4;", "MAX_RETARD = 44;", "A.EXPIRY_POINT.ADJUSTABLE.MAX_RETARD: found 44; "),
        ("MAX_ADVANCE = 9;", "MAX_ADVANCE = 99;", "ADJUSTABLE.MAX_ADVANCE: found 99; expected at"),
    ],
)
def test_a_mistake_of_synchronisation_is_named(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in FOLLOWING
    found = mistakes(tmp_path, FOLLOWING.replace(old, new, 1))
    assert any(message in line for line in found), found


def test_printed_as_toml_it_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, FOLLOWING)
    monkeypatch.setattr("sys.argv", ["plafond", "check", str(file), "--toml"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    again = tmp_path / "again.toml"
    again.write_text(capsys.readouterr().out)
    assert load(again).schedule_tables == load(file).schedule_tables


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LENGTH = 0x32;", "", "SCHEDULETABLE.A.DURATION: found nothing; expected a whole number"),
        ("LENGTH = 0x32;", "LENGTH = 8;", "22: SCHEDULETABLE.A.LENGTH: found 8; expected from min"),
        ("LENGTH = 0x32;", "LENGTH = 50; DURATION = 50;", "A.DURATION: found 50; expected none be"),
        ("PERIODIC = TRUE;", "PERIODIC = TRUE; REPEATING = TRUE;", "found TRUE; expected none bes"),
        ("COUNTER = C;", "", "SCHEDULETABLE.A.COUNTER: found nothing; expected the name of an ob"),
        ("COUNTER = C;", "COUNTER = D;", "found D; expected the name of an object COUNTER that is"),
        ("OFFSET = 10;", "", "A.AUTOSTART.OFFSET: found nothing; expected a whole number"),
        ("OFFSET = 10;", "OFFSET = 96;", "A.AUTOSTART.OFFSET: found relative 96; expected from 1"),
        ("RELATIVE {", "SYNCHRONS {", "A.AUTOSTART: found SYNCHRONS; expected one of NONE, FALSE"),
        ("OFFSET = 7;", "OFFSET = 6;", "23: SCHEDULETABLE.A.EXPIRY_POINT.OFFSET: found 6; expecte"),
        ("OFFSET = 7;", "", "23: SCHEDULETABLE.A.EXPIRY_POINT.OFFSET: found nothing; expected a w"),
        ("OFFSET = 7;", "LOUD = TRUE;", "A.EXPIRY_POINT.OFFSET: found nothing; expected a whole "),
        ("TASK = low;", "TASK = lov;", "A.EXPIRY_POINT.ACTION.TASK: found lov; expected the name"),
        ("TASK = low;", "TASK = low; COUNTER = C;", "ACTION.COUNTER: found an unknown attribute;"),
        (
            "EVENT = GO; };\n      ACTION",
            "EVENT = NO; };\n      ACTION",
            "ACTION.EVENT: found NO; expected the name of an object EVENT that is described",
        ),
        ("SETEVENT { TASK = high;", "SETEVENT { TASK = low;", "25: SCHEDULETABLE.A.EXPIRY_POINT"),
        (
            "ACTION = ACTIVATETASK { TASK = high; }; }",
            "}",
            "23: SCHEDULETABLE.A.EXPIRY_POINT.ACTION: found a list of 0; expected a list of at l",
        ),
        (
            "ACTION = ACTIVATETASK { TASK = low; }",
            "ACTION = INCREMENTCOUNTER { COUNTER = S; }",
            "ACTION: found INCREMENTCOUNTER; expected one of ACTIVATETASK, SETEVENT",
        ),
        (
            "EXPIRY_POINT first {",
            "EXPIRY_POINT = first {",
            "EXPIRY_POINT: found first; expected a name, and its attributes in braces, without =",
        ),
        ("ACTION = ACTIVATETASK { TASK = low", "ACTION ACTIVATETASK { TASK = low", "found ACTIVAT"),
        ("PERIODIC = TRUE;", "ACCESSING_APPLICATION = X;", "expected the name of an object APP"),
        (
            "EXPIRY_POINT only { OFFSET = 0; ACTION = SETEVENT { TASK = high; EVENT = GO; }; };",
            "",
            "SCHEDULETABLE.B.EXPIRY_POINT: found nothing; expected a list of 1 to 1000 tables",
        ),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in TABLES
    found = mistakes(tmp_path, TABLES.replace(old, new, 1))
    assert any(message in line for line in found), found


def test_what_an_implementation_adds_to_a_point_is_noted(tmp_path: Path) -> None:
    tables = TABLES.replace("OFFSET = 7;", "OFFSET = 7; LOUD = TRUE;")
    assert [note.rpartition("/")[2] for note in read(write(tmp_path, tables)).notes] == [
        "some.oil:23: SCHEDULETABLE.A.EXPIRY_POINT.LOUD: ignored: IMPLEMENTATION i declares it, "
        "and it means nothing here"
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("STRUCT {", "BOOLEAN [TRUE {", 'found "EXPIRY_POINT"; expected "]" or ","'),
        (
            "STRUCT { UINT64 OFFSET; BOOLEAN LOUD; } EXPIRY_POINT[]",
            "STRING EXPIRY_POINT[]",
            "EXPIRY_POINT: found STRING; expected STRUCT, as OIL has it",
        ),
        ("UINT64 LENGTH", "STRUCT { UINT32 X; } LENGTH", "found STRUCT; expected UINT32, as OIL"),
    ],
)
def test_an_implementation_may_not_contradict(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    file = write(tmp_path, TABLES)
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(DescriptionError) as caught:
        load(file)
    assert message in str(caught.value)
