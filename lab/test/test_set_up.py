# SPDX-License-Identifier: MIT
"""The set-up of the lab works wherever the clone lies, and fetches no more than a command needs.

It reports an error in one line.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from plafond.cli import app
from plafond.version import HEADER, version

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    *("plafond", ".ci/packages.txt", ".ci/setup", ".ci/venv"),
    *("lab/pyproject.toml", "proof/requirements.txt"),
)
# A pip that notes its arguments, a line each.
PIP = """#!/bin/sh
printf '%s\\n' "$@" >>"$(dirname "$0")/asked"
"""
# A pip without a network. It prints more lines like this.
PIP_OFFLINE = """#!/bin/sh
echo "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'NewConnection'"
echo "ERROR: Could not find a version that satisfies the requirement pydantic>=2" >&2
echo "ERROR: No matching distribution found for pydantic>=2" >&2
exit 1
"""
PIP_ONLINE = """#!/bin/sh
echo "Collecting pydantic>=2"
echo "  Downloading pydantic-2.12.5-py3-none-any.whl (463 kB)"
echo "Installing collected packages: pydantic"
"""
ANOTHER_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a Python environment without packages. It is made once, because that takes 0.3 s."""
    made = tmp_path_factory.mktemp("set-up") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", made], check=True)
    return made


@pytest.fixture
def clone(environment: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a clone that all users may enter. Its pip notes its arguments."""
    monkeypatch.delenv("PLAFOND_BUILD", raising=False)  # the folder of these tests
    with tempfile.TemporaryDirectory(prefix="plafond set up ") as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "clone"
        for name in SOURCES:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
        shutil.copytree(environment, place / "build/venv", symlinks=True)
        write_program(place / "build/venv/bin/pip", PIP)
        yield place


def write_program(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


def ran(
    command: list[str | Path], path: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with the programs of the folder `path` before this machine's."""
    paths = [str(path)] if path else []
    return subprocess.run(
        command,
        env={
            **{name: value for name, value in os.environ.items() if name != "PLAFOND_BUILD"},
            "PATH": os.pathsep.join([*paths, os.environ["PATH"]]),
            **environment,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def packages_of(name: str) -> set[str]:
    text = (ROOT / ".ci/packages.txt").read_text()
    line = next(line for line in text.splitlines() if line.startswith(f"{name}: "))
    return set(line.partition(": ")[2].split())


def debian(folder: Path, installed: str = "") -> Path:
    """Write programs as of a Debian whose user may not install packages."""
    query = f'#!/bin/sh\nfor last; do :; done\ncase " {installed} " in\n'
    query += '*" $last "*) echo installed ;;\nesac\n'
    for name, text in {
        "dpkg-query": query.replace("echo installed", "printf installed"),
        "id": "#!/bin/sh\n[ $1 = -u ] && echo 1000 || echo anna\n",
        "sudo": "#!/bin/sh\nexit 1\n",
    }.items():
        write_program(folder / name, text)
    return folder


def missing_for(clone: Path, tools: Path, *arguments: str) -> set[str]:
    """Return the packages that the command names, in one line that can be copied."""
    result = ran([clone / "plafond", *arguments], tools)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    opening, _, names = result.stderr.partition("--no-install-recommends ")
    assert opening.endswith("please run: sudo apt-get install -y ")
    return set(names.split())


def set_up(clone: Path) -> None:
    """Set the clone up as after a command that needs no program. Its lab prints its arguments."""
    subprocess.run([clone / ".ci/venv"], check=True, stderr=subprocess.DEVNULL)
    write_program(clone / "build/venv/bin/plafond", '#!/bin/sh\necho "the lab: $*"\n')
    (clone / "build/.packages-core").touch()


def test_a_clone_may_lie_in_a_folder_with_a_space(clone: Path) -> None:
    subprocess.run([clone / ".ci/venv", "test"], check=True)

    asked = (clone / "build/venv/bin/asked").read_text().splitlines()
    assert f"{clone}/build/venv/requirements.txt" in asked
    assert f"{clone}/proof/requirements.txt" in asked
    assert (clone / "build/venv/.installed-test").exists()


def test_the_lab_is_run_from_where_it_lies(clone: Path) -> None:
    write_program(clone / "lab/plafond/__main__.py", "import sys; print(sys.argv[1:])\n")

    subprocess.run([clone / ".ci/venv"], check=True)

    assert ran([clone / "build/venv/bin/plafond", "a b", "c"]).stdout == "['a b', 'c']\n"


@pytest.mark.parametrize(
    ("arguments", "sets"),
    [
        (["check", "my.toml"], ["core"]),
        (["analyse", "my.toml"], ["core"]),
        (["run", "my.toml"], ["core"]),
        (["run", "my.toml", "--on", "sim"], ["core"]),
        (["run", "my.toml", "--on", "a53"], ["core", "board"]),
        (["run", "my.toml", "--on=vm"], ["core", "vm"]),
        (["bench", "locks"], ["core", "bench"]),
        (["prove"], ["core", "bench", "board", "vm", "test"]),
        (["doctor"], ["core"]),
    ],
)
def test_a_command_asks_for_the_packages_that_it_needs(
    arguments: list[str], sets: list[str], clone: Path, tmp_path: Path
) -> None:
    expected = set().union(*map(packages_of, sets))

    assert missing_for(clone, debian(tmp_path), *arguments) == expected


def test_only_missing_packages_are_named(clone: Path, tmp_path: Path) -> None:
    tools = debian(tmp_path, "cmake python3-venv")

    assert missing_for(clone, tools, "check") == packages_of("core") - {"cmake", "python3-venv"}


def test_check_needs_no_emulator_and_no_other_compiler() -> None:
    heavy = {"gcc-aarch64-linux-gnu", "gnat-12", "qemu-system-x86", "spin", "g++"}

    assert not heavy & packages_of("core")


def test_an_unknown_set_is_refused_with_those_there_are(clone: Path) -> None:
    result = ran([clone / ".ci/setup", "boards"])

    assert result.returncode == 2
    assert result.stderr == (
        "no such set: found boards; expected one of core bench board vm test deb all\n"
    )


def test_a_package_that_the_archive_lacks_is_named(clone: Path, tmp_path: Path) -> None:
    tools = debian(tmp_path)
    write_program(tools / "id", "#!/bin/sh\necho 0\n")
    write_program(tools / "apt-get", '#!/bin/sh\n[ "$1" = update ]\n')
    write_program(tools / "apt-cache", '#!/bin/sh\n[ "$2" != ninja-build ]\n')

    result = ran([clone / ".ci/setup", "core"], tools)

    assert result.returncode == 2
    assert "has no package ninja-build" in result.stderr.splitlines()[-1]


def test_another_user_runs_a_tree_that_is_set_up(clone: Path) -> None:
    set_up(clone)
    as_other = _as_other_user(clone)

    result = ran([*as_other, clone / "plafond", "check", "my.toml"])

    assert (result.returncode, result.stdout, result.stderr) == (0, "the lab: check my.toml\n", "")


def test_another_user_reads_in_one_line_that_a_tree_is_not_set_up(clone: Path) -> None:
    set_up(clone)
    (clone / "build/.packages-core").unlink()
    as_other = _as_other_user(clone)

    result = ran([*as_other, clone / "plafond", "check", "my.toml"])

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert f"{clone}/build is not set up for this command" in result.stderr
    assert "set PLAFOND_BUILD to a folder of your own" in result.stderr


def _as_other_user(clone: Path) -> list[str | Path]:
    """Return the command prefix of a user that may not write into the clone."""
    for path in (clone, *clone.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
    return [*ANOTHER_USER] if os.getuid() == 0 else []


def test_without_a_package_index_one_line_names_cause_and_cure(clone: Path) -> None:
    write_program(clone / "build/venv/bin/pip", PIP_OFFLINE)

    result = ran([clone / ".ci/venv"])

    assert result.returncode == 1
    announced, wrong = result.stderr.splitlines()
    assert announced.endswith(" ...")
    assert wrong == (
        "plafond: Python packages are missing: the package index cannot be reached; connect to "
        "one, or name one by PIP_INDEX_URL or PIP_FIND_LINKS, and run this again "
        f"(see {clone}/build/pip.log)"
    )
    assert "pydantic>=2" in (clone / "build/pip.log").read_text()
    assert not (clone / "build/venv/.installed").exists()


def test_a_requirement_that_cannot_be_had_is_named(clone: Path) -> None:
    offline = PIP_OFFLINE.replace("WARNING: Retrying", "WARNING: Trying")
    write_program(clone / "build/venv/bin/pip", offline)

    wrong = ran([clone / ".ci/venv"]).stderr.splitlines()[-1]

    assert "are missing: No matching distribution found for pydantic>=2; connect" in wrong


def test_what_is_fetched_is_shown(clone: Path) -> None:
    write_program(clone / "build/venv/bin/pip", PIP_ONLINE)

    assert ran([clone / ".ci/venv"]).stderr.splitlines()[1:] == [
        "  pydantic 2.12.5 (463 kB)",
        "  installing them ...",
    ]


def test_an_older_python_is_refused(clone: Path, tmp_path: Path) -> None:
    old = '#!/bin/sh\n[ "$1" != --version ] || exec echo Python 3.10.12\nexit 1\n'
    write_program(tmp_path / "python3", old)

    result = ran([clone / ".ci/venv"], tmp_path)

    assert result.returncode == 1
    assert result.stderr == "plafond: found Python 3.10.12; expected Python 3.11 or later\n"


DRAWS = """
from plafond.report import drawing
from matplotlib.figure import Figure
with drawing.drawing_style():
    figure = Figure()
    figure.text(0, 0, "text")
    drawing.to_svg(figure, "name", "title")
"""


def test_pictures_need_no_home(tmp_path: Path) -> None:
    nowhere = "/dev/null/nowhere"  # root may not write here either
    places = {"HOME": nowhere, "PLAFOND_BUILD": nowhere, "TMPDIR": str(tmp_path)}
    inherited = ("MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in inherited}

    result = subprocess.run(
        [sys.executable, "-c", DRAWS],
        env={**environment, **places},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == [f"plafond-{os.getuid()}"]


WITHOUT_SCIPY = """
import sys
sys.modules["scipy"] = None
from plafond.errors import RefusedError
try:
    import plafond.run.spare.experiment
except RefusedError as error:
    print(error)
"""


def test_the_t_tests_name_what_they_need() -> None:
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_SCIPY], capture_output=True, text=True, check=True
    )

    assert result.stdout == "the t-tests need scipy: run `.ci/venv statistics`\n"


def test_installing_the_library_installs_no_packages() -> None:
    done = subprocess.run(
        ["make", "-n", "install"], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "cmake --install" in done.stdout
    assert not [word for word in (".ci/", "apt", "pip", "venv") if word in done.stdout]


def test_the_version_is_one(clone: Path) -> None:
    header = clone / "linux/lib/include/plafond.h"
    header.parent.mkdir(parents=True)
    shutil.copy(HEADER, header)
    project = tomllib.loads((ROOT / "lab/pyproject.toml").read_text())["project"]
    lab = ran([sys.executable, "-m", "plafond", "--version"])

    script = ran([clone / "plafond", "--version"])

    assert project["version"] == version()
    assert lab.stdout == script.stdout == f"plafond {version()}\n"
    assert not (clone / "build/.packages-core").exists()


def test_the_page_of_the_manual_names_every_command() -> None:
    text = (ROOT / "lab/plafond.1.in").read_text()
    entries = re.findall(r"^\.TP\n\.B[A-Z]* \"?([a-z]+)", text, re.MULTILINE)

    assert sorted(entries) == sorted(get_command(app).commands)  # type: ignore[attr-defined]
