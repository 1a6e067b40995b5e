# SPDX-License-Identifier: MIT
"""The rest of the tests: only tests that passed with the same inputs are left out."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ci_script import loaded

# A CTest: it shows its tests, or notes its arguments and writes a report in which only `bad.1`
# failed.
CTEST = """#!/bin/sh
case "$*" in *--show-only=json-v1*) exec cat shown.json ;; esac
echo "$@" >>asked
while [ "$1" != --output-junit ]; do shift; done
cat >"$2" <<END
<testsuite><testcase name="good.1" status="run"/><testcase name="good.2" status="run"/>
<testcase name="bad.1" status="fail"/><testcase name="lone" status="run"/></testsuite>
END
exit ${CTEST_STATUS-8}
"""


@pytest.fixture(scope="module")
def rest() -> Any:
    return loaded("rest")


Run = Callable[..., int]


@pytest.fixture
def run(rest: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return .ci/rest of a tree with two rooms, with a CTest of four tests."""
    for room in ("a", "b"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "code.c").write_text("int x; /* a comment */\n")
    (tmp_path / ".ci").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "shown.json").write_text(json.dumps({"tests": [{"name": "bad.1"}]}))
    (tmp_path / "bin/ctest").write_text(CTEST)
    (tmp_path / "bin/ctest").chmod(0o755)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    groups = (rest.Group("good", r"(good|bad)\..*", ("a",)), rest.Group("b", r"of_b", ("b",)))
    rest.versions.cache_clear()
    monkeypatch.setattr(rest, "ROOT", tmp_path)
    monkeypatch.setattr(rest, "PASSED", tmp_path / ".ci/passed.jsonl")
    monkeypatch.setattr(rest, "BASE", ())
    monkeypatch.setattr(rest, "TOOLS", ("python",))
    monkeypatch.setattr(rest, "GROUPS", {"native": groups, "aarch64": ()})
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)

    def of(*arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["rest", "native", *arguments])
        return int(rest.main())

    return of


def asked(tree: Path) -> str:
    return (tree / "asked").read_text().splitlines()[-1]


def test_what_passed_is_left_out_until_an_input_is_another(run: Run, tmp_path: Path) -> None:
    assert run("--renew") == 8  # CTest's exit code: a test failed
    assert "--label-regex all" in asked(tmp_path)
    assert "--exclude" not in asked(tmp_path)
    run()
    assert "--exclude-regex ^(good[.]1|good[.]2)$" in asked(tmp_path)  # neither `bad.1` nor `lone`
    run("--all")
    assert "--exclude" not in asked(tmp_path)
    (tmp_path / "b/code.c").write_text("int y;\n")  # in another room
    (tmp_path / "a/code.c").write_text("int x; /* another comment */\n")
    run()
    assert "good[.]1" in asked(tmp_path)
    (tmp_path / "a/code.c").write_text("int z;\n")
    run()
    assert "--exclude" not in asked(tmp_path)


def test_a_group_can_run_alone(
    run: Run, rest: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = [shown(name) for name in ("good.1", "good.2", "bad.1", "lone", "of_b")]
    (tmp_path / "shown.json").write_text(json.dumps({"tests": tests}))
    run("--renew")
    (tmp_path / "a/code.c").write_text("int y;\n")
    run("--group", "b", "--renew")
    assert "--tests-regex ^(of_b)$" in asked(tmp_path)
    lines = rest.read_lines(rest.PASSED)
    assert sorted(lines) == ["b", "good"]
    assert lines["good"].passed == {"good.1", "good.2"}  # with the old inputs, so they run again
    run()
    assert "good: all run, because of other inputs: a" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="found c; expected a group of native: good, b"):
        run("--group", "c")


def test_a_test_counts_for_the_first_group_that_has_it(
    run: Run, rest: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_of_both = (*rest.GROUPS["native"], rest.Group("each", ".*", ("b",)))
    monkeypatch.setattr(rest, "GROUPS", {"native": all_of_both, "aarch64": ()})
    tests = [shown(name) for name in ("good.1", "lone")]
    (tmp_path / "shown.json").write_text(json.dumps({"tests": tests}))
    run("--group", "each", "--renew")
    assert "--tests-regex ^(lone)$" in asked(tmp_path)
    assert rest.read_lines(rest.PASSED)["each"].passed == {"lone"}


def shown(name: str, **fixtures: list[str]) -> dict[str, Any]:
    properties = [{"name": key, "value": value} for key, value in fixtures.items()]
    return {"name": name, "properties": properties} if properties else {"name": name}


def test_a_set_up_runs_when_a_test_that_requires_it_runs(run: Run, tmp_path: Path) -> None:
    run("--renew")
    tests = [
        shown("good.1", FIXTURES_SETUP=["x"]),
        shown("good.2", FIXTURES_SETUP=["y", "z"], FIXTURES_REQUIRED=["x"]),
        shown("lone"),
        shown("bad.1", FIXTURES_REQUIRED=["z"]),
    ]
    (tmp_path / "shown.json").write_text(json.dumps({"tests": tests}))
    run()
    assert "--exclude" not in asked(tmp_path)  # `bad.1` needs `good.2`, which needs `good.1`
    tests[3] = shown("bad.1", FIXTURES_REQUIRED=["x"])
    (tmp_path / "shown.json").write_text(json.dumps({"tests": tests}))
    run()
    assert "--exclude-regex ^(good[.]2)$" in asked(tmp_path)


def test_modules_count_if_a_test_imports_them(rest: Any, run: Run, tmp_path: Path) -> None:
    package = tmp_path / "lab/plafond"
    tests = tmp_path / "lab/test"
    (package / "room").mkdir(parents=True)
    tests.mkdir()
    (package / "room/__init__.py").write_text("")
    (package / "room/near.py").write_text("def f():\n    import plafond.room.far\n")
    (package / "room/far.py").write_text("x = 1\n")
    (package / "other.py").write_text("x = 1\n")
    (tests / "test_of.py").write_text("import helper\npytestmark = pytest.mark.slow\n")
    (tests / "helper.py").write_text("from plafond.room import near\n")
    (tests / "test_not_of.py").write_text("from plafond import other\n")
    group = rest.Group("good", "good.*", (), mark="slow")

    def now() -> dict[str, str]:
        (found,) = rest.inputs_of([group]).values()
        return {name: found[name] for name in found if name.endswith("imported")}

    before = now()
    assert sorted(before) == ["lab/plafond/room, imported", "lab/test, imported"]
    (package / "other.py").write_text("x = 2\n")
    assert now() == before
    (package / "room/far.py").write_text("x = 2\n")
    after = now()
    assert {name for name in before if after[name] != before[name]} == {
        "lab/plafond/room, imported"
    }


def test_a_line_of_a_group_that_is_no_more_goes(run: Run, rest: Any, tmp_path: Path) -> None:
    rest.PASSED.write_text(rest.Line("gone", {}, frozenset({"gone.1"})).text() + "\n")
    run("--renew")
    assert sorted(rest.read_lines(rest.PASSED)) == ["b", "good"]


@pytest.mark.parametrize("change", ["a new file", "a removed file", "a tool"])
def test_other_inputs_are_named(
    run: Run,
    rest: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: str,
) -> None:
    run("--renew")
    if change == "a tool":
        monkeypatch.setattr(rest, "packages", lambda: {"python": "Python 9.9"})
        rest.versions.cache_clear()
    elif change == "a new file":
        (tmp_path / "a/new.toml").write_text("")
    else:
        (tmp_path / "a/code.c").unlink()
    capsys.readouterr()
    run()
    name = "python" if change == "a tool" else "a"
    assert f"good: all run, because of other inputs: {name}\n" in capsys.readouterr().out
    assert "--exclude" not in asked(tmp_path)


def test_text_that_looks_like_a_comment_counts_where_it_may_be_text(
    rest: Any, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a/settings.toml").write_text("# See http://a\n")
    group = rest.Group("good", "good.*", ("a",))
    before = rest.inputs_of([group])
    (tmp_path / "a/settings.toml").write_text("# See http://b\n")
    assert rest.inputs_of([group]) != before


def test_a_forged_line_counts_for_nothing(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--renew")
    file = tmp_path / ".ci/passed.jsonl"
    file.write_text(file.read_text().replace('["good.1"', '["bad.1", "good.1"'))
    assert run() == 8
    assert "passed.jsonl:2: the seal does not fit, so its tests run" in capsys.readouterr().err
    assert "--exclude" not in asked(tmp_path)


@pytest.mark.parametrize("text", ["", "{}\n", "no JSON\n", '{"group": 1, "passed": 2}\n'])
def test_a_file_that_cannot_be_read_counts_for_nothing(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / ".ci/passed.jsonl").write_text(text)
    assert run() == 8
    assert "--exclude" not in asked(tmp_path)


def test_a_folder_in_place_of_the_file_counts_for_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".ci/passed.jsonl").mkdir()
    assert run() == 8
    assert "--exclude" not in asked(tmp_path)


def test_a_tenth_is_drawn_and_a_group_with_one_build_as_one(rest: Any) -> None:
    names = frozenset(f"test.{number}" for number in range(300))
    for is_one, expected in ((False, range(250, 281)), (True, (0, 300))):
        group = rest.Group("group", r"test\..*", (), is_one=is_one)
        lines = {"group": rest.Line("group", {}, names)}
        left_out = {
            seed: len(rest.unchanged([group], lines, {"group": {}}, seed))
            for seed in "abcdefghijkl"
        }
        assert all(number in expected for number in left_out.values())
        assert len(rest.unchanged([group], lines, {"group": {}}, None)) == 300
    assert set(left_out.values()) == {0, 300}


def test_a_test_that_fails_loses_its_place(
    run: Run, rest: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--renew")
    script = (
        (tmp_path / "bin/ctest")
        .read_text()
        .replace('good.2" status="run"', 'good.2" status="fail"')
    )
    (tmp_path / "bin/ctest").write_text(
        script.replace('<testcase name="good.1" status="run"/>', "")
    )
    run("--renew", "--all")  # `good.1` did not run
    assert rest.read_lines(rest.PASSED)["good"].passed == {"good.1"}


def test_what_passed_with_other_inputs_is_forgotten(run: Run, rest: Any, tmp_path: Path) -> None:
    run("--renew")
    (tmp_path / "a/code.c").write_text("int other;\n")
    script = (tmp_path / "bin/ctest").read_text()
    (tmp_path / "bin/ctest").write_text(
        script.replace('<testcase name="good.1" status="run"/>', "")
    )
    run("--renew")  # `good.1` did not run
    assert rest.read_lines(rest.PASSED)["good"].passed == {"good.2"}


def test_nothing_is_written_if_an_input_changes_meanwhile(run: Run, tmp_path: Path) -> None:
    script = (tmp_path / "bin/ctest").read_text().replace("exit", "echo 'int m;' >a/code.c\nexit")
    (tmp_path / "bin/ctest").write_text(script)
    assert run("--renew") == 1
    assert not (tmp_path / ".ci/passed.jsonl").exists()


def test_each_input_is_in_the_tree(rest: Any) -> None:
    groups = [group for tree in rest.GROUPS.values() for group in tree]
    for place in {place for group in groups for place in (*rest.BASE, *group.inputs)}:
        assert rest.files_in([place]), place
