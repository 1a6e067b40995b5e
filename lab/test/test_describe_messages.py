# SPDX-License-Identifier: MIT
"""Messages of a description: what is read, what C is generated, and every mistake."""

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


def mistakes(folder: Path, *tables: str, first: str = "") -> list[str]:
    with pytest.raises(DescriptionError) as caught:
        system_of(folder, *tables, first=first)
    return [line.split(": ", 1)[1] for line in str(caught.value).splitlines()]


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
    assert system.com == Com(("A", "B"), ((tmp_path / "types.h").resolve(),), True, True)
    assert system.messages == (
        Message("R1", sender="S", queue=3, action=Activate("T")),
        Message("S", type="struct s *"),
        Message("R2", sender="S", initial=7),
        Message("Z", type="void"),
        Message("R3", sender="Z", action=SetEvent("T", "E")),
        Message("R4", sender="S", action=CallBack("f")),
        Message("R5", sender="Z", action=Flag("F")),
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
    assert needs_kernel(load(file)) == "[message.S]"


def test_the_description_may_only_name_files_that_are_there(tmp_path: Path) -> None:
    for file, wrong in (
        ("gone.h", f"no file {tmp_path}/gone.h; expected a header beside the description"),
        ("types.c", "types.c; expected the name of a C header, which ends in .h"),
        ('"quoted\\".h"', ""),
    ):
        written = file if file.startswith('"') else f'"{file}"'
        (found,) = mistakes(tmp_path, SENT, f"[com]\nheaders = [{written}]\n")
        assert found.startswith("com.headers[0]: found ")
        assert found.endswith(wrong)


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        (
            "[message.S]\n",
            "message.S: found neither; expected type, of what is sent, or from, of what is "
            "received",
        ),
        (
            SENT + 'from = "S"\n',
            "message.S: found both; expected type, of what is sent, or from, of what is received",
        ),
        (
            SENT + "queue = 3\n",
            "message.S.queue: found a message that is sent; expected from: queue is of a receiver",
        ),
        (
            SENT + "initial = 3\n",
            "message.S.initial: found a message that is sent; expected from: initial is of a "
            "receiver",
        ),
        (
            SENT + 'action = "flag F"\n',
            "message.S.action: found a message that is sent; expected from: action is of a "
            "receiver",
        ),
        (
            SENT.replace(".S", ".SPEED") + received("", "SPED"),
            "message.R.from: found SPED; expected a message that is described: a table "
            "[message.SPED] (did you mean SPEED?)",
        ),
        (
            SENT + received("") + '[message.Q]\nfrom = "R"\n',
            "message.Q.from: found R; expected a message with a type: R is received itself",
        ),
        (
            SENT + received("cpu = 0"),
            "message.R.cpu: found 0; expected none: a receiver is where the message is sent",
        ),
        (
            SENT + "cpu = 1\n",
            "message.S.cpu: found 1; expected a CPU below cpus, which is 1",
        ),
        (
            SENT + received("queue = 2\ninitial = 1"),
            "message.R.initial: found 1; expected none beside queue: a queue begins empty",
        ),
        (
            SENT.replace("uint32_t", "void") + received("queue = 2"),
            "message.R.queue: found 2; expected none: S has no data",
        ),
        (
            SENT.replace("uint32_t", "void") + received("initial = 2"),
            "message.R.initial: found 2; expected none: S has no data",
        ),
        (
            SENT + received("queue = 0"),
            "message.R.queue: found 0; expected a whole number from 1 to 255",
        ),
        (
            SENT + received('action = "activate U"'),
            "message.R.action: found activate U; expected a task that is described: a table "
            "[task.U]",
        ),
        (
            SENT + received('action = "set T F"'),
            "message.R.action: found set T F; expected one of the events of task T: E",
        ),
        (
            SENT + received('action = "increment C"'),
            'message.R.action: found "increment C"; expected activate TASK, set TASK EVENT, call '
            "FUNCTION or flag NAME",
        ),
        (
            SENT + received('action = "flag 1x"'),
            'message.R.action: found "flag 1x"; expected flag and the name of one flag: '
            "ReadFlag_NAME()",
        ),
        (
            SENT.replace("uint32_t", "int; x"),
            'message.S.type: found "int; x"; expected a type as C writes it, such as uint32_t',
        ),
        (
            "[com]\nerror_hook = true\n",
            "com: found no messages that it is about; expected a table [message.NAME]",
        ),
        (
            SENT + '[com]\nmodes = ["A", "A"]\n',
            "com.modes: found A twice; expected each mode once",
        ),
        (
            SENT + "[com]\nmode = 1\n",
            "com.mode: found an unknown key; expected one of modes, headers, error_hook, extension "
            "(did you mean modes?)",
        ),
        (
            SENT + '[com]\nextension = "x"\n',
            'com.extension: found "x"; expected true or false',
        ),
    ],
)
def test_mistakes(tmp_path: Path, tables: str, expected: str) -> None:
    assert expected in mistakes(tmp_path, tables)


def test_a_message_has_so_many_receivers(tmp_path: Path) -> None:
    many = "".join(f'[message.R{i}]\nfrom = "S"\n' for i in range(16))
    assert len(system_of(tmp_path, SENT, many).messages) == 17
    for tables in ((SENT, many, received("")), (many, received(""), SENT)):
        assert mistakes(tmp_path, *tables) == [
            "message.S: found 17 receivers; expected at most 16: interrupts wait while it is "
            "copied to all"
        ]


def test_messages_are_refused_beside_servers(tmp_path: Path) -> None:
    server = '[server.V]\nkind = "deferrable"\npriority = 1\nperiod = "1ms"\nbudget = "100us"\n'
    found = mistakes(tmp_path, 'server = "V"\n', server, SENT)
    assert found == [
        "message.S: found a message, with the server V; expected no messages with servers: none of "
        "them would pay for the notification"
    ]


def test_hooks_and_callbacks_are_in_trusted_files(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    (tmp_path / "tasks.c").touch()
    begin = f'[kernel]\nsources = ["tasks.c"]\n{TASK}{SENT}'
    for tables, what in (
        ("[com]\nerror_hook = true\n", "COMErrorHook is"),
        (received('action = "call f"'), "the callbacks of messages are"),
    ):
        file.write_text(begin + tables)
        with pytest.raises(DescriptionError, match=f"the C files in which {what}"):
            load(file)


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
