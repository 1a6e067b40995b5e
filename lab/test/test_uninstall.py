# SPDX-License-Identifier: MIT
"""`make uninstall` removes the files of its list, and nothing else."""

import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / ".ci/uninstall"


def uninstall(listed: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, listed], capture_output=True, text=True, check=False)


def write(prefix: Path, *names: str) -> list[Path]:
    files = [prefix / name for name in names]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return files


def left_in(prefix: Path) -> list[str]:
    return sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*"))


def test_listed_files_and_empty_folders_of_plafond_are_removed(tmp_path: Path) -> None:
    prefix, listed = tmp_path / "a prefix", tmp_path / "install_manifest.txt"
    mine = write(
        prefix,
        "bin/plafond",
        "lib/libplafond.so.0",
        "include/plafond.h",
        "include/plafond/fast.h",
        "lib/cmake/plafond/plafondConfig.cmake",
        "share/plafond/lab/plafond/cli.py",
        "share/plafond/lab/plafond/run/job.py",
        "share/plafond/a name.toml",
    )
    write(prefix, "share/plafond/lab/plafond/__pycache__/cli.cpython-311.pyc", "bin/another")
    listed.write_text("\n".join(map(str, mine)))  # CMake ends the list without a newline

    assert uninstall(listed).returncode == 0

    assert left_in(prefix) == ["bin", "bin/another", "include", "lib", "lib/cmake", "share"]


def test_files_of_others_and_their_folders_remain(tmp_path: Path) -> None:
    prefix, listed = tmp_path / "prefix", tmp_path / "install_manifest.txt"
    mine = write(prefix, "include/plafond/a.h", "include/plafond/deep/b.h")
    write(prefix, "include/plafond/mine.h", "share/plafond/mine.toml")
    (prefix / "share/empty").mkdir()
    listed.write_text("".join(f"{file}\n" for file in [*mine, prefix / "gone/plafond.h"]))

    assert uninstall(listed).returncode == 0

    assert left_in(prefix) == [
        "include",
        "include/plafond",
        "include/plafond/mine.h",
        "share",
        "share/empty",
        "share/plafond",
        "share/plafond/mine.toml",
    ]


def test_without_a_list_nothing_is_removed(tmp_path: Path) -> None:
    listed = tmp_path / "install_manifest.txt"
    listed.write_text("")
    assert uninstall(listed).returncode == 0

    again = uninstall(listed)

    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == (
        f"make uninstall: found no {listed}; expected the list of files that make install writes\n"
    )
