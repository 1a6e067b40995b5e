# SPDX-License-Identifier: MIT
"""`make check` derives the tests that a change can break from the tree itself."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ci_script import loaded

from plafond.programs import build_folder

# Files that no quick test depends on, and the reason.
ONLY_SOURCES = {
    "README.md": "source.docs reads all guides",
    "CHANGELOG.md": "as above",
    "CONTRIBUTING.md": "as above",
    "LICENSE": "has the words of the licence",
    "docs/": "source.docs reads it",
    "bench/": "real-time tests, and tests of make test-all, run these programs",
    "linux/bindings/rust/": "make test-all tests the crate",
    "linux/packages/": "make test-all builds the packages",
    "protocol/": "some headers have models only, which make test-all checks",
    ".clang-format": "source.c-format reads it",
    ".gitignore": "is for git alone",
    ".shellcheckrc": "source.shell reads it",
    ".ci/noted.cmake": "is in the way of every test",
}


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return .ci/changed for an empty tree."""
    module = loaded("changed")
    rest = module.script("rest")
    for each in (module, rest):
        monkeypatch.setattr(each, "ROOT", tmp_path)
    rest.files_of.cache_clear()
    monkeypatch.setattr(module, "BUILD", tmp_path / "build")
    monkeypatch.setattr(module, "LAB", tmp_path / "lab")
    return module


EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # the tree without files, which git knows
Write = Callable[..., list[str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes files, and returns their names."""

    def of(files: dict[str, str]) -> list[str]:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return sorted(files)

    return of


def test_a_module_reaches_tests_through_the_modules_that_import_it(
    changed: Any, write: Write
) -> None:
    files = write(
        {
            "lab/plafond/__init__.py": "",
            "lab/plafond/a/__init__.py": "",
            "lab/plafond/a/one.py": "",
            "lab/plafond/a/two.py": "def f():\n    from plafond.a.one import x\n",
            "lab/plafond/a/three.py": "",
            "lab/test/test_far.py": "import plafond.a.two\n",
            "lab/test/test_near.py": "from plafond.a import one\n",
            "lab/test/test_other.py": "import plafond.a.three\n",
            "lab/test/helper.py": "import plafond.a.one\n",
        }
    )
    edges = changed.edges_of(files, "")

    found = changed.modules_of(changed.steps_from(["lab/plafond/a/one.py"], edges))
    of_package = changed.modules_of(changed.steps_from(["lab/plafond/a/__init__.py"], edges))

    assert found == ["lab/test/test_near.py", "lab/test/test_far.py"]
    assert of_package == [f"lab/test/test_{name}.py" for name in ("far", "near", "other")]


@pytest.mark.parametrize(
    ("gone", "found"),
    [("lab/plafond/gone.py", ["a"]), ("lab/test/gone.py", ["b"]), ("proof/gone.py", [])],
)
def test_a_removed_module_reaches_the_tests_that_still_import_it(
    gone: str, found: list[str], changed: Any, write: Write
) -> None:
    files = write(
        {"lab/test/test_a.py": "import plafond.gone\n", "lab/test/test_b.py": "import gone\n"}
    )
    steps = changed.steps_from([gone], changed.edges_of([*files, gone], ""))
    assert changed.modules_of(steps) == [f"lab/test/test_{name}.py" for name in found]


def test_a_header_reaches_the_files_that_include_it(changed: Any, write: Write) -> None:
    """Two headers have the same name. An include names the folder."""
    files = write(
        {
            "a/word.h": "",
            "b/word.h": "",
            "b/more.h": '#include "../b/word.h"\n',
            "c/of_b.c": "  #  include <more.h>\n",
            "c/of_a.c": '#include "a/word.h"\n',
            "c/of_either.c": '#include "word.h"\n',
        }
    )
    steps = changed.steps_from(["b/word.h"], changed.edges_of(files, ""))
    assert steps == {"b/word.h": 0, "b/more.h": 1, "c/of_either.c": 1, "c/of_b.c": 2}


def test_a_source_reaches_programs_by_the_rules_of_ninja(changed: Any, tmp_path: Path) -> None:
    rules = (
        f"build lib/x.o: CC {tmp_path}/lib/x.c | {tmp_path}/lib/x.map || order\n"
        "  FLAGS = -g\n"
        "build lib/libx.so | lib/libx.so.0: LINK $\n  lib/x.o\n"
        "build test/y: LINK lib/libx.so.0\n"
        "build test/z: LINK z.o || lib/libx.so\n"
    )
    edges = changed.edges_of([], rules)

    reached = changed.steps_from(["lib/x.c"], edges)

    assert set(reached) == {
        "lib/x.c",
        "build/lib/x.o",
        "build/lib/libx.so",
        "build/lib/libx.so.0",
        "build/test/y",
    }
    assert "build/lib/x.o" in changed.steps_from(["lib/x.map"], edges)


def test_another_file_reaches_scripts_that_name_it_or_its_folder(
    changed: Any, write: Write
) -> None:
    files = write(
        {
            "lab/test/mistakes/a.toml": "",
            "lab/test/other/b.toml": "",
            "setup": "",
            "lab/test/test_mistakes.py": 'FOLDER / "mistakes"',
            "lab/test/test_b.py": "x = 'b.toml'",
            "lab/test/test_setup.py": 'ROOT / "setup"',
            "far/test_far.py": '"mistakes"',
        }
    )
    edges = changed.edges_of(files, "")
    assert edges["lab/test/mistakes/a.toml"] == {"lab/test/test_mistakes.py"}
    assert edges["lab/test/other/b.toml"] == {"lab/test/test_b.py"}
    assert edges["setup"] == {"lab/test/test_setup.py"}


def shown(root: Path, *tests: dict[str, Any]) -> dict[str, Any]:
    """Return tests as CTest shows them. Node 1 of the graph is a function in another file."""
    files = [f"{root}/.ci/noted.cmake", f"{root}/kernel/CMakeLists.txt", f"{root}/CMakeLists.txt"]
    nodes = [{"file": 2}, {"file": 0, "parent": 2}, {"file": 1, "parent": 0}]
    return {
        "backtraceGraph": {"files": files, "nodes": nodes},
        "tests": [{**each, "command": ["noted", "file", *each["command"]]} for each in tests],
    }


def test_tests_are_found_by_their_commands_and_folders(changed: Any, write: Write) -> None:
    root = changed.ROOT
    write({"proof/__init__.py": "", "proof/try.py": "", "kernel/test/run.py": ""})
    in_lab = {"properties": [{"name": "WORKING_DIRECTORY", "value": f"{root}/lab"}]}
    cost, order = ({"properties": [{"name": "COST", "value": value}]} for value in (70.0, 60.0))
    tests = changed.tests_of(
        shown(
            root,
            {"name": "lib.a", "command": [f"{root}/build/lib/a"], "backtrace": 0, **order},
            {"name": "kernel.b", "command": [f"{root}/kernel/test/run.py"], "backtrace": 1, **cost},
            {"name": "proof.c", "command": ["python", "-m", "proof.try", "c-d"], "backtrace": 0},
            {"name": "lab.e", "command": ["pytest"], "backtrace": 0, **in_lab},
            {"name": "source.f", "command": [f"{root}/.ci/check-f"], "backtrace": 0},
        ),
        {"proof.c": 9.5},
    )
    assert [(test.name, test.cost_s) for test in tests] == [
        ("lib.a", 1.0),
        ("kernel.b", 70.0),
        ("proof.c", 9.5),
        ("source.f", 10.0),
    ]
    assert [set(test.rooms) for test in tests] == [{"lib"}, {"kernel"}, {"proof"}, {"source"}]

    def near(*files: str) -> list[str]:
        return [test.name for test in changed.nearest(tests, dict.fromkeys(files, 0))]

    assert near("build/lib/a") == ["lib.a", "source.f"]
    assert near("linux/lib/x.c") == ["source.f", "lib.a"]
    assert near("kernel/x.c") == ["source.f", "kernel.b"]
    assert near("kernel/test/run.py") == ["kernel.b", "source.f"]
    assert near("proof/try.py") == ["proof.c", "source.f"]
    assert near("protocol/c_d.h") == ["proof.c", "source.f"]
    assert near("kernel/guide.md") == ["source.f"]
    assert near(".ci/check-f") == ["source.f"]


def test_tests_that_fit_exactly_are_taken_and_dear_ones_are_passed_over(changed: Any) -> None:
    tests = [
        changed.Test(name, frozenset(), frozenset(), frozenset(), cost_s)
        for name, cost_s in (("a", 4.0), ("b", 7.0), ("c", 6.0), ("d", 1.0))
    ]
    assert [test.name for test in changed.that_fit(tests, 10.0)] == ["a", "c"]
    assert changed.that_fit(tests, 0.0) == []


def git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


def test_the_change_is_that_of_the_branch_the_tree_and_new_files(
    changed: Any, write: Write
) -> None:
    root = changed.ROOT
    write(dict.fromkeys(("same", "committed", "edited", "removed"), ""))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    assert changed.changed_files(None) == []

    write({"edited": "x", "née": ""})
    assert changed.changed_files(None) == ["edited", "née"]

    git(root, "checkout", "-qb", "mine")
    write({"committed": "x"})
    git(root, "commit", "-qm", "second", "committed")
    git(root, "rm", "-q", "removed")
    assert changed.changed_files(None) == ["committed", "edited", "née", "removed"]
    assert changed.changed_files("HEAD") == ["edited", "née", "removed"]
    with pytest.raises(subprocess.CalledProcessError):
        changed.changed_files("nowhere")


def test_pytest_ends_in_time_and_the_rest_is_named(
    changed: Any, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        {
            "lab/pyproject.toml": '[tool.pytest.ini_options]\nmarkers = ["board: builds"]\n',
            "lab/test_first.py": "def test_a():\n    pass\n\ndef test_b():\n    pass\n",
            "lab/test_second.py": "def test_c():\n    assert False\n",
        }
    )
    modules = ["lab/test_first.py", "lab/test_second.py"]

    in_time, none_left = changed.run_modules(modules[:1], float("inf"))
    is_right, left = changed.run_modules(modules, 0.0)
    is_wrong, _ = changed.run_modules(modules[1:], float("inf"))

    assert (in_time, none_left) == (True, [])
    assert (is_right, left) == (True, ["test_first.py (1 tests)", "test_second.py (1 tests)"])
    assert is_wrong is False
    capsys.readouterr()


CTEST = """#!/bin/sh
cat <<END
    Start 1: good
1/5 Test #1: good ...................   Passed    0.19 sec
2/5 Test #22: pass.port .............***%s    0.19 sec
3/5 Test #3: cut ....................***Timeout   9.00 sec
The stop time has been passed. Stopping all tests.
END
exit 8
"""


@pytest.mark.parametrize(
    ("how", "is_right"), [("Timeout", True), ("Failed", False), ("Exception: SegFault", False)]
)
def test_a_test_that_is_cut_is_left_and_did_not_fail(
    how: str, is_right: bool, changed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ctest").write_text(CTEST % how)
    (tmp_path / "ctest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    names = ("good", "pass.port", "cut", "behind")
    tests = [changed.Test(name, frozenset(), frozenset(), frozenset(), 1.0) for name in names]

    passed, left = changed.run_tests(tests, changed.time.monotonic() + 9)

    assert passed is is_right
    assert left == ([] if how != "Timeout" else ["pass.port"]) + ["cut", "behind"]


def test_many_tests_of_a_folder_are_counted(
    changed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"lib.{n}" for n in range(changed.MOST_NAMES + 1)]
    changed.print_left(["test/test_a.py (2 tests)", *names, "vm.b"])
    assert capsys.readouterr().out == (
        "  lab/test: test/test_a.py (2 tests)\n"
        f"  lib: {', '.join(names[:-1])}, 9 in all\n"
        "  vm: vm.b\n"
    )


def test_programs_that_do_not_compile_are_a_failure(
    changed: Any, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a": "", "build/build.ninja": "rule\n"})
    git(changed.ROOT, "init", "-q", "-b", "mine")
    test = changed.Test("source.a", frozenset(), frozenset(), frozenset(), 1.0)
    monkeypatch.setattr(changed, "shown_tests", lambda: [test])
    monkeypatch.setattr("sys.argv", ["changed", "--since", EMPTY])
    assert changed.main() == 1


def test_without_a_build_it_says_so(changed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert changed.shown_tests() == []
    assert "build/ is not configured" in capsys.readouterr().out


@pytest.mark.long
def test_every_file_of_the_tree_has_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """The map is derived. If a file is out of its reach, make check would test nothing."""
    changed = loaded("changed")
    monkeypatch.setattr(changed, "BUILD", build_folder())
    files = changed.git("ls-files")
    edges = changed.edges_of(files, (changed.BUILD / "build.ninja").read_text())
    tests = changed.shown_tests()
    backwards: dict[str, set[str]] = {}
    for used, users in edges.items():
        for user in users:
            backwards.setdefault(user, set()).add(used)
    modules = changed.modules_of(dict.fromkeys(files, 0))
    reached = changed.steps_from([*modules, *(f for t in tests for f in t.files)], backwards)

    assert len(modules) > 100
    assert len(tests) > 100
    alone = [
        file
        for file in files
        if file not in reached
        and not file.startswith(tuple(ONLY_SOURCES))
        and all(t.name.startswith("source.") for t in changed.nearest(tests, {file: 0}))
    ]
    assert alone == []
