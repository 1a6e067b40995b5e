# SPDX-License-Identifier: MIT
"""Programs that take no library by LD_PRELOAD are recognised, and run all the same."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from forked import run_forked
from preload_fakes import idle_library

from plafond.preload.environment import LOADER, environment_of
from plafond.preload.loadable import why_not_loaded

MUSL = "/lib/ld-musl-x86_64.so.1"
SOURCE = "int main(void) { return 3; }\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    (folder / "app.c").write_text(SOURCE)
    for name, options in (
        ("plain", []),
        ("static", ["-static"]),
        ("static-pie", ["-static-pie"]),
        ("of-musl", [f"-Wl,--dynamic-linker={MUSL}"]),
    ):
        subprocess.run(["cc", *options, "-o", name, "app.c"], cwd=folder, check=True)
    return folder


def copy_of(program: Path, folder: Path) -> Path:
    return Path(shutil.copy(program, folder / "copy"))


def test_static_programs_take_none(programs: Path) -> None:
    assert why_not_loaded(str(programs / "plain")) is None
    assert why_not_loaded(str(programs / "static")) == "is static"
    assert why_not_loaded(str(programs / "static-pie")) == "is static"


def test_programs_of_another_c_library_take_none(programs: Path, tmp_path: Path) -> None:
    found = why_not_loaded(str(programs / "of-musl"))
    assert found == f"has the loader of another C library, {MUSL}"
    loader = tmp_path / Path(MUSL).name
    shutil.copy(programs / "static", loader)
    assert why_not_loaded(str(loader)) == "is static"


def test_only_glibc_finds_the_library_by_its_name(programs: Path, tmp_path: Path) -> None:
    """Another C library's loader skips the file, which it does not find."""
    source, library = tmp_path / "library.c", tmp_path / "library.so"
    source.write_text(
        "#include <unistd.h>\n__attribute__((constructor)) void f(void)"
        ' { if (write(1, "!", 1) < 1) _exit(1); }\n'
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    environment = environment_of(library, {})
    name = environment[LOADER].split(":")[0]
    assert not Path(name).exists()
    result = subprocess.run([programs / "plain"], env=environment, capture_output=True)
    assert (result.returncode, result.stdout, result.stderr) == (3, b"!", b"")


@pytest.mark.parametrize("text", ["", "#!/bin/sh\n", "\x7fELF\x02", "\x7fELF\x02" + 99 * "\x7f"])
def test_what_is_no_program_is_left_to_the_kernel(text: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    file.chmod(0o755)
    assert why_not_loaded(str(file)) is None
    assert why_not_loaded(str(tmp_path)) is None
    assert why_not_loaded("") is None
    assert why_not_loaded("nothing-of-this-name") is None


def test_the_loader_itself_takes_them() -> None:
    assert why_not_loaded("/lib64/ld-linux-x86-64.so.2") is None


def test_privileges_of_a_file_keep_them_away(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = copy_of(programs / "plain", tmp_path)
    owner = copy.stat()
    for user in (owner.st_uid, owner.st_uid + 1):
        monkeypatch.setattr(os, "getuid", lambda user=user: user)
        monkeypatch.setattr(os, "getgid", lambda user=user: owner.st_gid + user - owner.st_uid)
        for mode in (0o4755, 0o2755, 0o755):
            copy.chmod(mode)
            reported = user != owner.st_uid and mode != 0o755
            assert why_not_loaded(str(copy)) == ("has privileges of its file" if reported else None)


@pytest.mark.parametrize(("program", "reported"), [("plain", ""), ("static", "is static")])
def test_a_run_without_the_drop_in_is_reported_so(
    program: str, reported: str, programs: Path, tmp_path: Path
) -> None:
    idle_library(tmp_path)
    environment = {**os.environ, "PLAFOND_BUILD": str(tmp_path)}
    result = run_forked("preload", "--", programs / program, environment=environment)
    line = (
        f"plafond: {programs / program} {reported}: it runs without the drop-in\n"
        if reported
        else ""
    )
    assert (result.returncode, result.stdout, result.stderr) == (3, "", line)
