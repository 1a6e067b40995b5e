# SPDX-License-Identifier: MIT
"""Schedule tables in OIL: Trampoline's SCHEDULETABLE objects, and the tables read from them."""

from pathlib import Path

import pytest

from plafond.cli import main
from plafond.describe import load
from plafond.describe.body import Activate, SetEvent
from plafond.describe.read import read
from plafond.describe.schedule_table import (
    ExpiryPoint,
    ScheduleTable,
    StartKind,
    TableStart,
    TableSync,
)

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


def test_whole_tables(tmp_path: Path) -> None:
    goes = SetEvent("high", "GO")
    first = ScheduleTable.made(
        "A",
        counter="C",
        duration=50,
        repeats=True,
        points=(
            ExpiryPoint.model_construct(
                at=5, signals=(goes, Activate("low"))
            ),  # in the order of their offsets
            ExpiryPoint.model_construct(at=7, signals=(Activate("high"),)),
        ),
        autostart=TableStart(StartKind.RELATIVE, 10),
        modes=("night",),
    )
    second = ScheduleTable.made(
        "B",
        counter="S",
        duration=3,
        points=(ExpiryPoint.model_construct(at=0, signals=(goes,)),),
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


def test_what_an_implementation_adds_to_a_point_is_noted(tmp_path: Path) -> None:
    tables = TABLES.replace("OFFSET = 7;", "OFFSET = 7; LOUD = TRUE;")
    assert [note.rpartition("/")[2] for note in read(write(tmp_path, tables)).notes] == [
        "some.oil:23: SCHEDULETABLE.A.EXPIRY_POINT.LOUD: ignored: IMPLEMENTATION i declares it, "
        "and it means nothing here"
    ]
