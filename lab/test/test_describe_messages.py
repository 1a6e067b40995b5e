# SPDX-License-Identifier: MIT
"""Messages of a description: the values that are read, the generated C, and every mistake."""

from pathlib import Path

import pytest
from quick_images import build_quickly

from plafond.board.boards import board_of
from plafond.build.configuration import configuration_of
from plafond.build.locks import locks_of
from plafond.describe import load
from plafond.describe.body import Activate, CallBack, Flag, SetEvent
from plafond.describe.linux import needs_kernel
from plafond.describe.message import COM, Com, Message
from plafond.describe.problems import DescriptionError
from plafond.describe.system import System
from plafond.errors import PlafondError

KERNEL = '[kernel]\nsources = ["tasks.c"]\ntrusted = ["hooks.c"]\n'
TASK = '[task.T]\npriority = 1\nevents = ["E"]\n'
SENT = '[message.S]\ntype = "uint32_t"\n'


def system_of(folder: Path, *tables: str, first: str = "") -> System:
    file = folder / "some.toml"
    file.write_text(f"{first}{KERNEL}{TASK}" + "".join(tables))
    for name in ("tasks.c", "hooks.c", "types.h"):
        (folder / name).touch()
    return load(file)


def received(fields: str, sender: str = "S") -> str:
    return f'[message.R]\nfrom = "{sender}"\n{fields}\n'


def test_messages_are_read(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        '[com]\nmodes = ["A", "B"]\nheaders = ["types.h"]\nerror_hook = true\nextension = true\n',
        '[message]\nR1 = { from = "S", queue = 3, action = "activate T" }\n',
        'S = { type = "struct s *", cpu = 0 }\nR2 = { from = "S", initial = 7 }\n',
        'Z = { type = "void" }\nR3 = { from = "Z", action = "set T E" }\n',
        'R4 = { from = "S", action = "call f" }\nR5 = { from = "Z", action = "flag F" }\n',
    )
    assert system.com == Com.model_construct(
        modes=("A", "B"), headers=("types.h",), error_hook=True, extension=True
    )
    assert system.paths(system.com.headers) == ((tmp_path / "types.h").resolve(),)
    assert system.messages == (
        Message.made("R1", sender="S", queue=3, action=Activate("T")),
        Message.made("S", type="struct s *"),
        Message.made("R2", sender="S", initial=7),
        Message.made("Z", type="void"),
        Message.made("R3", sender="Z", action=SetEvent("T", "E")),
        Message.made("R4", sender="S", action=CallBack("f")),
        Message.made("R5", sender="Z", action=Flag("F")),
    )
    assert system.activators == {"T": "the message R1"}
    assert [each.name for each in system.receivers_of(system.messages[1])] == ["R1", "R2", "R4"]


def test_the_receivers_of_one_message_are_in_a_row(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        '[message]\nR1 = { from = "B" }\nA = { type = "char" }\nB = { type = "char" }\n',
        'R2 = { from = "A", action = "flag F" }\nR3 = { from = "B", action = "flag G" }\n',
    )
    board = board_of("sim")
    made = configuration_of(system, board, locks_of(system, board, None), None)
    assert [(each.name, each.first, each.receivers) for each in made.sent] == [
        ("A", 0, 1),
        ("B", 1, 2),
    ]
    assert [(each.name, each.flag) for each in made.received] == [
        ("R2", 0),
        ("R1", None),
        ("R3", 1),
    ]
    assert made.flags == ("F", "G")


def test_a_system_without_messages_has_none(tmp_path: Path) -> None:
    system = system_of(tmp_path)
    assert (system.messages, system.com) == ((), COM)


def test_messages_need_the_kernel(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text('[task.T]\npriority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n' + SENT)
    assert needs_kernel(load(file)) == "the message S"


def test_a_message_has_so_many_receivers(tmp_path: Path) -> None:
    many = "".join(f'[message.R{i}]\nfrom = "S"\n' for i in range(16))
    assert len(system_of(tmp_path, SENT, many).messages) == 17


def test_names_are_no_others(tmp_path: Path) -> None:
    for table, wrong in (
        ('[message.T]\ntype = "char"\n', "another name: there is a task T, and C sees both"),
        ('[message.SendMessage]\ntype = "char"\n', "another name: C or the kernel has this one"),
        (SENT + '[com]\nmodes = ["S"]\n', "another name: there is a message S, and C sees both"),
    ):
        with pytest.raises(DescriptionError, match=wrong):
            build_quickly(system_of(tmp_path, table), "sim", None, tmp_path / "image")


def built(folder: Path, *tables: str) -> None:
    system = system_of(folder, *tables)
    (folder / "types.h").write_text("struct s { char byte[257]; };\n")
    (folder / "tasks.c").write_text(
        '#include "os.h"\nTASK(T)\n{\n\tReadFlag_F();\n\tTerminateTask();\n}\n'
    )
    build_quickly(system, "sim", None, folder / "image")


def test_the_compiler_refuses_what_is_too_large_or_no_number(tmp_path: Path) -> None:
    flag = '[message.Z]\ntype = "void"\n[message.N]\nfrom = "Z"\naction = "flag F"\n'
    com = '[com]\nheaders = ["types.h"]\n'
    built(tmp_path, flag, com, SENT, received("initial = 4294967295"))
    for table, wrong in (
        ('[message.S]\ntype = "struct s"\n', "message.S.type: expected at most PLF_MESSAGE_MOST"),
        ('[message.S]\ntype = "struct t"\n', "incomplete type"),
        (SENT + received("initial = 4294967296"), "initial_R"),
        (SENT.replace("uint32_t", "struct s") + received("initial = 1"), "initial_R"),
    ):
        with pytest.raises(PlafondError, match=wrong):
            built(tmp_path, flag, com, table)
