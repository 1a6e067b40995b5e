# SPDX-License-Identifier: MIT
"""IOC of a description: the values that are read, the generated C, and every mistake."""

from pathlib import Path

import pytest
from quick_images import build_quickly

from plafond.build.iocs import Share, shares_of
from plafond.describe import load
from plafond.describe.ioc import Ioc
from plafond.describe.linux import needs_kernel
from plafond.describe.read import read
from plafond.describe.system import System
from plafond.describe.toml_text import toml_text
from plafond.errors import PlafondError

KERNEL = '[kernel]\nsources = ["tasks.c"]\ntrusted = ["hooks.c"]\n'
TASKS = "[task]\nS = { priority = 2 }\nR = { priority = 1, autostart = true }\n"
USERS = 'senders = ["S"]\nreceiver = "R"\n'
NUMBER = f'[ioc.N]\ntype = "uint32_t"\n{USERS}'


def system_of(folder: Path, *tables: str) -> System:
    file = folder / "some.toml"
    file.write_text(f"{KERNEL}{TASKS}" + "".join(tables))
    for name in ("tasks.c", "hooks.c", "types.h"):
        (folder / name).touch()
    return load(file)


def test_they_are_read(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        NUMBER + "queue = 3\n",
        f'[ioc.L]\ntype = "struct s"\nheaders = ["types.h"]\n{USERS}initial = 7\n',
    )
    assert system.iocs == (
        Ioc.made("N", type="uint32_t", senders=("S",), receiver="R", queue=3),
        Ioc.made(
            "L", type="struct s", senders=("S",), receiver="R", headers=("types.h",), initial=7
        ),
    )
    assert system.ioc_headers == [(tmp_path / "types.h").resolve()]


OIL = """\
OIL_VERSION = "2.5";
CPU some {
  OS x { APP_SRC = "tasks.c"; TRUSTED_SRC = "hooks.c"; USERESSCHEDULER = FALSE; };
  TASK R { PRIORITY = 1; AUTOSTART = TRUE; };
  TASK S { PRIORITY = 2; };
  TASK T { PRIORITY = 3; };
  IOC N { TYPE = "struct s"; HEADER = "types.h"; SENDER = S; SENDER = T; RECEIVER = R; QUEUE = 3; };
  IOC L { TYPE = "uint32_t"; SENDER = S; RECEIVER = R; INIT = 7; };
};
"""


def oil_of(folder: Path, text: str) -> Path:
    file = folder / "some.oil"
    file.write_text(text)
    for name in ("tasks.c", "hooks.c", "types.h"):
        (folder / name).touch()
    return file


def test_oil_has_an_object_of_its_own_for_them(tmp_path: Path) -> None:
    file = oil_of(tmp_path, OIL)
    assert load(file).iocs == (
        Ioc.made(
            "N", type="struct s", senders=("S", "T"), receiver="R", headers=("types.h",), queue=3
        ),
        Ioc.made("L", type="uint32_t", senders=("S",), receiver="R", initial=7),
    )
    printed = tmp_path / "printed.toml"
    printed.write_text(toml_text(read(file).raw))
    assert load(printed).iocs == load(file).iocs


def test_they_need_the_kernel(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    task = 'priority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n'
    file.write_text(f"[task.S]\n{task}[task.R]\n{task}{NUMBER}")
    assert needs_kernel(load(file)) == "[ioc.N]"


def built(folder: Path, tables: str, code: str, file: str = "tasks.c") -> None:
    system = system_of(folder, tables)
    (folder / "types.h").write_text("struct s { char byte[9]; };\n")
    tasks = "TASK(S)\n{\n\tTerminateTask();\n}\nTASK(R)\n{\n\tTerminateTask();\n}\n"
    (folder / "tasks.c").write_text(f'#include "os.h"\n{tasks}')
    with (folder / file).open("a") as text:
        text.write(f'#include "Ioc.h"\n{code}')
    build_quickly(system, "sim", None, folder / "image")


def test_the_compiler_knows_the_types(tmp_path: Path) -> None:
    struct = f'[ioc.W]\ntype = "struct s"\nheaders = ["types.h"]\n{USERS}'
    send = "Std_ReturnType f(const struct s *one);\n"
    send += "Std_ReturnType f(const struct s *one)\n{\n\treturn IocWrite_W(one);\n}\n"
    built(tmp_path, struct, send)
    for table, code, wrong in (
        (struct + "initial = 1\n", "", "plf_ioc_W"),
        (NUMBER + "initial = 4294967296\n", "", "plf_ioc_N"),
        (NUMBER.replace("uint32_t", "struct t"), "", "incomplete type"),
        (NUMBER + "queue = 2\n", send.replace("_W", "_N"), "IocWrite_N"),
    ):
        with pytest.raises(PlafondError, match=wrong):
            built(tmp_path, table, code)


def test_services_of_several_senders_have_names_of_their_own(tmp_path: Path) -> None:
    third = "[task.T]\npriority = 3\n"
    several = NUMBER.replace('["S"]', '["S", "T"]')
    system = system_of(tmp_path, third, several, NUMBER.replace("ioc.N", "ioc.N_T"))
    assert [ioc.sending for ioc in system.iocs] == [
        ("IocWrite_N_S", "IocWrite_N_T"),
        ("IocWrite_N_T",),
    ]
    expected = r"N_T; expected another name: IocWrite_N_T is a service of \[ioc\.N\], too"
    with pytest.raises(PlafondError, match=expected):
        build_quickly(system, "sim", None, tmp_path / "image")


def test_of_several_senders_each_lane_has_its_tasks(tmp_path: Path) -> None:
    third = "[task.T]\npriority = 3\n"
    several = NUMBER.replace('["S"]', '["S", "T"]')
    system = system_of(tmp_path, third, several, several.replace("ioc.N", "ioc.Q") + "queue = 2\n")
    assert [*shares_of(system)] == [
        Share("plf_ioc_N[0]", "S"),
        Share("plf_ioc_N[0]", "R"),
        Share("plf_ioc_N[0]", "T", is_read_only=True),
        Share("plf_ioc_N[1]", "T"),
        Share("plf_ioc_N[1]", "R"),
        Share("plf_ioc_N[1]", "S", is_read_only=True),
        Share("plf_turn_of_ioc_Q", "R"),
        Share("plf_ioc_Q[0]", "S"),
        Share("plf_ioc_Q[0]", "R"),
        Share("plf_ioc_Q[1]", "T"),
        Share("plf_ioc_Q[1]", "R"),
    ]


def test_they_are_not_for_trusted_files(tmp_path: Path) -> None:
    with pytest.raises(PlafondError, match=r"plf_ioc\.h: No such file"):
        built(tmp_path, NUMBER, "", "hooks.c")
