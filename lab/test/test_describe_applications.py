# SPDX-License-Identifier: MIT
"""OS-Applications of a description: their objects, and refusals."""

from pathlib import Path

import pytest

from plafond.board.boards import BOARDS, board_of
from plafond.build.applications import function_tables
from plafond.build.configuration import configuration_of
from plafond.build.locks import Locks, locks_of
from plafond.build.names import problems_of_names
from plafond.build.objects import Part, units_of
from plafond.describe import load
from plafond.describe.application import MOST_FUNCTIONS, Owner
from plafond.describe.combine import Place, problems_of_combinations
from plafond.describe.linux import needs_kernel
from plafond.describe.problems import DescriptionError, Problem
from plafond.describe.subject import subject_of
from plafond.describe.system import System

BY_SOFTWARE = 'applications are terminated with scheduler = "priority" alone'
IN_A_QUEUE = "a task that waits for a resource cannot be taken out of its queue"
TOML = """\
cpus = 2
[kernel]
trusted = ["trusted.c"]
sources = ["tasks.c"]
[application]
A = {}
B = { trusted = true }
[task]
T = { priority = 2, application = "A", autostart = true, resources = ["ANY"] }
U = { priority = 1, application = "B", access = ["A"], cpu = 1, resources = ["OWN"] }
V = { priority = 1, application = "B", cpu = 1 }
[resource]
ANY = {}
OWN = { application = "B", access = ["A"] }
NONE = { access = ["A"] }
[counter]
C = { application = "A" }
D = { application = "B", cpu = 1 }
[alarm]
X = { application = "A", counter = "C", action = "activate U" }
[schedule_table.S]
application = "A"
counter = "C"
duration = 2
points = [{ at = 1, do = ["activate T", "activate U"] }]
[isr]
I = { application = "B", cpu = 1, source = 7, resources = ["OWN"] }
"""


def in_kernel(system: System, locks: Locks) -> list[Problem]:
    """Return the combinations that an image does not support."""
    subject = subject_of(system, locks.protocol, locks.global_protocol)
    return list(problems_of_combinations(subject, Place.KERNEL))


def written(folder: Path, text: str, name: str = "some.toml") -> Path:
    for source in ("trusted.c", "tasks.c"):
        (folder / source).touch()
    file = folder / name
    file.write_text(text)
    return file


def problems(folder: Path, text: str, name: str = "some.toml") -> list[str]:
    with pytest.raises(DescriptionError) as caught:
        load(written(folder, text, name))
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def test_each_object_has_its_owner(tmp_path: Path) -> None:
    system = load(written(tmp_path, TOML))
    a, b, both = frozenset("A"), frozenset("B"), frozenset("AB")
    assert [(each.name, each.trusted) for each in system.applications] == [
        ("A", False),
        ("B", True),
    ]
    assert dict(system.owners) == {
        ("task", "T"): Owner("A", a),
        ("task", "U"): Owner("B", both),
        ("task", "V"): Owner("B", b),
        ("isr", "I"): Owner("B", b),
        ("alarm", "X"): Owner("A", a),
        ("counter", "C"): Owner("A", a),
        ("counter", "D"): Owner("B", b),
        ("schedule_table", "S"): Owner("A", a),
        ("resource", "ANY"): Owner(None, a),
        ("resource", "OWN"): Owner("B", both),
        ("resource", "NONE"): Owner(None, a),
        ("resource", "RES_SCHEDULER"): Owner(None, both),
    }


def test_a_resource_of_no_one_is_that_of_its_users(tmp_path: Path) -> None:
    text = TOML.replace('source = 7, resources = ["OWN"]', 'source = 7, resources = ["ANY"]')
    text = text.replace("cpu = 1, ", "").replace(", cpu = 1", "")
    assert load(written(tmp_path, text)).owners["resource", "ANY"] == Owner(None, frozenset("AB"))


def test_without_applications_no_one_owns_anything(tmp_path: Path) -> None:
    text = '[kernel]\n[task.T]\npriority = 1\nautostart = true\nbody = ["run 1us"]\n'
    system = load(written(tmp_path, text))
    assert not system.applications
    assert not system.owners


def test_an_application_has_files_of_its_own(tmp_path: Path) -> None:
    text = TOML.replace("A = {}", 'A = { sources = ["a.c"] }')
    (tmp_path / "a.c").touch()
    system, board = load(written(tmp_path, text)), board_of("a53")
    own = tmp_path / "a.c"
    assert [each.sources for each in system.applications] == [("a.c",), ()]
    assert system.user_files == (tmp_path / "tasks.c", own)
    units = units_of(system, configuration_of(system, board, locks_of(system, board, None), None))
    objects = [unit.object for unit in units if unit.part is Part.USER]
    assert objects == ["user/tasks.o", "user/A/a.o"]


def test_tasks_may_all_be_in_files_of_applications(tmp_path: Path) -> None:
    text = """\
[kernel]
[application.A]
sources = ["a.c"]
[task.T]
application = "A"
priority = 1
"""
    (tmp_path / "a.c").touch()
    assert load(written(tmp_path, text)).user_files == (tmp_path / "a.c",)


def test_functions_are_numbered_over_all_applications(tmp_path: Path) -> None:
    text = TOML.replace("A = {}", 'A = { trusted = true, functions = ["F", "G"] }')
    text = text.replace("B = { trusted = true }", 'B = { trusted = true, functions = ["H"] }')
    text = text.replace("[task]", '[application.C]\ntrusted = true\nfunctions = ["I"]\n[task]')
    tables = [*function_tables(load(written(tmp_path, text)))]
    assert [(each.name, each.application, each.cores) for each in tables] == [
        ("F", "A", 0b01),
        ("G", "A", 0b01),
        ("H", "B", 0b10),
        ("I", "C", 0b11),
    ]


def test_functions_beside_servers(tmp_path: Path) -> None:
    text = """\
[kernel]
[application.A]
trusted = true
functions = ["F"]
[task.T]
application = "A"
priority = 1
autostart = true
server = "S"
body = ["run 1us"]
[server.S]
kind = "idling"
priority = 1
period = "10ms"
budget = "5ms"
"""
    text = text.replace("[kernel]", '[kernel]\ntrusted = ["trusted.c"]')
    system = load(written(tmp_path, text))
    found = in_kernel(system, locks_of(system, BOARDS["sim"], None))
    expected = "none: the budget of a server would end only behind the function"
    where = ("application", "A", "functions", 0)
    assert found == [Problem(where, "F, with servers", expected)]


def test_names_of_functions_are_those_of_c(tmp_path: Path) -> None:
    text = TOML.replace("B = {", 'B = { functions = ["T", "X1"],').replace("V =", "TRUSTED_X1 =")
    system = load(written(tmp_path, text))
    both = "another name: there is a task {}, and C sees both"
    found = [each for each in problems_of_names(system) if each.where[0] == "application"]
    assert found == [
        Problem(("application", "B", "functions", 0), "T", both.format("T")),
        Problem(("application", "B", "functions", 1), "TRUSTED_X1", both.format("TRUSTED_X1")),
    ]


def test_applications_are_for_the_kernel(tmp_path: Path) -> None:
    text = """\
[application.A]
[task.T]
application = "A"
priority = 1
arrival = "periodic 1ms"
body = ["run 1us"]
"""
    assert needs_kernel(load(written(tmp_path, text))) == "[application.A]"


@pytest.mark.parametrize(
    ("scheduler", "protocol", "beside", "why"),
    [
        ("hardware", None, 'scheduler = "hardware"', BY_SOFTWARE),
        ("edf", None, 'scheduler = "edf"', BY_SOFTWARE),
        ("priority", None, None, None),
        ("priority", "msrp", None, None),
        ("priority", "mpcp", "mpcp", IN_A_QUEUE),
        ("priority", "mpcp-called", "mpcp-called", IN_A_QUEUE),
        ("priority", "inherit", "inherit", IN_A_QUEUE),
    ],
)
def test_where_none_is_terminated_none_restarts(
    tmp_path: Path, scheduler: str, protocol: str | None, beside: str | None, why: str | None
) -> None:
    is_across = protocol not in (None, "inherit")
    text = f"""\
cpus = {1 + is_across}
scheduler = "{scheduler}"
[kernel]
sources = ["tasks.c"]
[application.A]
restart = "T"
[task.T]
application = "A"
priority = 1
deadline = "1ms"
resources = ["R"]
[resource.R]
"""
    if is_across:
        text += """\
[application.B]
[task.U]
application = "B"
cpu = 1
priority = 1
resources = ["R"]
"""
    system = load(written(tmp_path, text))
    locks = locks_of(system, BOARDS["sim"], protocol)
    found = [(each.found, each.expected) for each in in_kernel(system, locks)]
    assert found == ([(f"T, with {beside}", f"nothing: {why}")] if why else [])


def test_where_interrupts_nest_none_is_terminated(tmp_path: Path) -> None:
    text = """\
[kernel]
sources = ["tasks.c"]
trusted = ["trusted.c"]
[application.A]
restart = "T"
trusted = true
[task.T]
application = "A"
priority = 1
[isr.LOW]
application = "A"
source = 1
priority = 1
[isr.HIGH]
application = "A"
source = 2
priority = 2
"""
    (tmp_path / "trusted.c").touch()
    system = load(written(tmp_path, text))
    problems = in_kernel(system, locks_of(system, BOARDS["sim"], None))
    assert [(each.found, each.expected) for each in problems] == [
        (
            "T, with interrupts that nest",
            "nothing: a routine that another one has interrupted cannot be ended",
        )
    ]


def test_no_more_than_the_kernel_has_bits_for(tmp_path: Path) -> None:
    many = "".join(f"[application.A{i}]\n" for i in range(33))
    found = problems(tmp_path, f"{many}[task.T]\npriority = 1\nautostart = true\n")
    assert any("expected tables [application.NAME], at most 32" in line for line in found)


@pytest.mark.parametrize("more", [0, 1])
def test_all_applications_together_have_so_many_functions(tmp_path: Path, more: int) -> None:
    """The functions of two applications together use all numbers."""
    names = [f'"f{index}"' for index in range(MOST_FUNCTIONS + more)]
    half = MOST_FUNCTIONS // 2
    text = (
        '[kernel]\nsources = ["tasks.c"]\ntrusted = ["trusted.c"]\n[application]\n'
        f"A = {{ trusted = true, functions = [{', '.join(names[:half])}] }}\n"
        f"B = {{ trusted = true, functions = [{', '.join(names[half:])}] }}\n"
        '[task]\nT = { priority = 2, application = "A" }\n'
    )
    if more:
        found = problems(tmp_path, text)
        assert found == [
            f"some.toml:4: application: found {MOST_FUNCTIONS + 1} functions in all; expected at "
            f"most {MOST_FUNCTIONS}"
        ]
    else:
        load(written(tmp_path, text))


OIL = """\
CPU c {
  OS o { STATUS = EXTENDED; USERESSCHEDULER = FALSE; APP_SRC = "tasks.c"; };
  TASK T { PRIORITY = 2; AUTOSTART = TRUE; };
  TASK U { PRIORITY = 1; ACCESSING_APPLICATION = A; };
  RESOURCE R { ACCESSING_APPLICATION = A; ACCESSING_APPLICATION = B; };
  COUNTER C { ACCESSING_APPLICATION = B; };
  ALARM X { COUNTER = C; ACTION = ACTIVATETASK { TASK = U; }; ACCESSING_APPLICATION = A; };
  SCHEDULETABLE S {
    COUNTER = C; DURATION = 2; ACCESSING_APPLICATION = A;
    EXPIRY_POINT p { OFFSET = 1; ACTION = ACTIVATETASK { TASK = U; }; };
  };
  APPLICATION A { TRUSTED = FALSE; TASK = T; COUNTER = C; };
  APPLICATION B { TRUSTED = TRUE; TASK = U; ALARM = X; SCHEDULETABLE = S; RESOURCE = R; };
};
"""


def test_oil_names_the_hooks_of_an_application(tmp_path: Path) -> None:
    text = OIL.replace("TRUSTED = TRUE;", "TRUSTED = TRUE; SHUTDOWNHOOK = TRUE; ERRORHOOK = TRUE;")
    hooks = [each.hooks for each in load(written(tmp_path, text, "some.oil")).applications]
    assert hooks == [(), ("error", "shutdown")]


def test_oil_names_the_task_of_a_restart(tmp_path: Path) -> None:
    text = OIL.replace("TRUSTED = FALSE;", "HAS_RESTARTTASK = TRUE { RESTARTTASK = T; };")
    restarts = [each.restart for each in load(written(tmp_path, text, "some.oil")).applications]
    assert restarts == ["T", None]


def test_oil_names_the_files_of_an_application(tmp_path: Path) -> None:
    text = OIL.replace("TRUSTED = FALSE;", 'APP_SRC = "a.c";')
    text = text.replace('APP_SRC = "tasks.c";', 'APP_SRC = "tasks.c"; APP_SRC = "a.c";')
    (tmp_path / "a.c").touch()
    system = load(written(tmp_path, text, "some.oil"))
    assert [each.sources for each in system.applications] == [("a.c",), ()]
    assert system.user_files == (tmp_path / "tasks.c", tmp_path / "a.c")


def test_oil_names_trusted_functions(tmp_path: Path) -> None:
    functions = (
        'TRUSTED_FUNCTION = TRUE { NAME = "F"; }; TRUSTED_FUNCTION = TRUE { NAME = "G"; };'
        " TRUSTED_FUNCTION = FALSE;"
    )
    text = OIL.replace("TRUSTED = TRUE;", f"TRUSTED = TRUE {{ {functions} }};")
    text = text.replace('APP_SRC = "tasks.c";', 'APP_SRC = "tasks.c"; TRUSTED_SRC = "trusted.c";')
    found = [each.functions for each in load(written(tmp_path, text, "some.oil")).applications]
    assert found == [(), ("F", "G")]


def test_oil_says_it_the_other_way(tmp_path: Path) -> None:
    system = load(written(tmp_path, OIL, "some.oil"))
    a, both = frozenset("A"), frozenset("AB")
    assert [(each.name, each.trusted) for each in system.applications] == [
        ("A", False),
        ("B", True),
    ]
    assert dict(system.owners) == {
        ("task", "T"): Owner("A", a),
        ("task", "U"): Owner("B", both),
        ("alarm", "X"): Owner("B", both),
        ("counter", "C"): Owner("A", both),
        ("schedule_table", "S"): Owner("B", both),
        ("resource", "R"): Owner("B", both),
        ("resource", "RES_SCHEDULER"): Owner(None, both),
    }
