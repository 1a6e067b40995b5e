# SPDX-License-Identifier: MIT
"""`plafond preload` as a process: the program's settings, the evidence that it leaves, and errors.

The drop-in does nothing, so the programs write the evidence themselves.
"""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forked import run_forked
from patience import HUNG_S, until
from preload_fakes import idle_library, mutex, raw_evidence, robot, thread
from processes import has_ended

from plafond.describe.loading import load_mutexes
from plafond.preload.environment import named_for_glibc
from plafond.preload.library import IN_BUILD

PRELOAD = [sys.executable, "-m", "plafond", "preload"]
LEAVES_EVIDENCE = 'cp "$0" "$PLAFOND_LEARN"; echo of the app; exit 3'


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    idle_library(folder)
    return folder


def environment(build: Path) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PLAFOND", "LD_"))}
    return {**inherited, "PLAFOND_BUILD": str(build)}


def run(
    build: Path, *arguments: str | Path, folder: Path | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    return run_forked(
        "preload", *arguments, environment={**environment(build), **more}, folder=folder
    )


def run_alone(build: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a new Python, without any state of the tests' process."""
    return subprocess.run(
        [*PRELOAD, *arguments],
        env=environment(build),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )


def start(build: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PRELOAD, *arguments], env=environment(build), stdout=subprocess.PIPE, text=True
    )


def raw_file(folder: Path, raw: dict[str, Any]) -> Path:
    file = folder / "raw.json"
    file.write_text(json.dumps(raw))
    return file


@pytest.fixture(scope="module")
def of_robot(build: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file that is learned from the robot."""
    folder = tmp_path_factory.mktemp("robot")
    file = folder / "learned.toml"
    run(build, "--learn", file, "--", "sh", "-c", LEAVES_EVIDENCE, raw_file(folder, robot()))
    return file.read_text()


@pytest.fixture
def learned(of_robot: str, tmp_path: Path) -> Path:
    file = tmp_path / "learned.toml"
    file.write_text(of_robot)
    return file


# ---- The program in place of the command -----------------------------------


def test_the_program_takes_the_place_of_the_command(build: Path) -> None:
    process = start(build, "--", "sh", "-c", "echo $$; exit 5")
    output, _ = process.communicate(timeout=HUNG_S)
    assert (int(output), process.returncode) == (process.pid, 5)


def test_settings_reach_the_program(build: Path) -> None:
    reported = "echo $LD_PRELOAD; env | grep '^PLAFOND_[MRS]' | sort"
    result = run(
        build, "--mode=eager", "--robust", "--stats", "sh", "-c", reported, LD_PRELOAD="a.so"
    )
    assert result.stdout.splitlines() == [
        f"{named_for_glibc(build / IN_BUILD)}:a.so",
        "PLAFOND_MODE=eager",
        "PLAFOND_ROBUST=1",
        "PLAFOND_STATS=1",
    ]


def test_a_relative_file_of_statistics_is_that_of_the_caller(build: Path, tmp_path: Path) -> None:
    reported = ["sh", "-c", 'cd /; echo "$PLAFOND_STATS"']
    result = run(build, "--stats-file", "stats.json", *reported, folder=tmp_path)
    assert result.stdout.strip() == str(tmp_path / "stats.json")


def test_statistics_of_an_earlier_run_are_removed(build: Path, tmp_path: Path) -> None:
    """They stay if the arguments are wrong."""
    file = tmp_path / "stats.json"
    file.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(file)
    wrong = run(build, "--ceilings", tmp_path / "none", "--stats-file", link, "--", "true")
    assert (wrong.returncode, file.read_text()) == (1, "old")
    result = run(build, "--stats-file", link, "--", "sh", "-c", 'echo "$PLAFOND_STATS"')
    assert (result.stdout.strip(), file.exists()) == (str(file), False)
    result = run(build, "--stats-file", "/dev/null", "--", "sh", "-c", 'echo "$PLAFOND_STATS"')
    assert (result.stdout.strip(), Path("/dev/null").exists()) == ("/dev/null", True)


@pytest.mark.parametrize("separator", [["--"], []])
def test_behind_the_name_every_word_is_the_programs(build: Path, separator: list[str]) -> None:
    result = run(build, *separator, "echo", "--help", "--", "--stats")
    assert result.stdout == "--help -- --stats\n"


@pytest.mark.parametrize("learning", [False, True])
def test_signals_are_as_without_the_command(build: Path, tmp_path: Path, learning: bool) -> None:
    reported = ["grep", "^Sig[BI]", "/proc/self/status"]
    options: list[str | Path] = ["--learn", tmp_path / "x.toml"] if learning else []
    plain = subprocess.run(reported, capture_output=True, text=True, check=True)
    assert run_alone(build, *options, "--", *reported).stdout == plain.stdout


@pytest.mark.parametrize("learning", [False, True])
def test_what_cannot_be_run_is_reported_as_a_shell_does(
    build: Path, tmp_path: Path, learning: bool
) -> None:
    options: list[str | Path] = ["--learn", tmp_path / "x.toml"] if learning else []
    script = tmp_path / "script"
    script.write_text("exit 0\n")
    for program, code, why in (
        ("nothing-of-this-name", 127, "No such file or directory"),
        (tmp_path, 126, "Permission denied"),
        (script, 126, "Permission denied"),
        (script / "x", 127, "Not a directory"),
    ):
        result = run(build, *options, "--", program)
        assert result.returncode == code
        assert (result.stdout, result.stderr) == ("", f"plafond: {program}: {why}\n")
    script.chmod(0o755)
    assert run(build, *options, "--", script).stderr == f"plafond: {script}: Exec format error\n"
    script.write_text("#!/no/interpreter\n")
    result = run(build, *options, "--", script)
    why = f"plafond: {script}: its interpreter: No such file or directory\n"
    assert (result.returncode, result.stderr) == (127, why)
    result = run(build, *options, "--", "")
    assert (result.returncode, result.stderr) == (127, "plafond: '': No such file or directory\n")
    assert not (tmp_path / "x.toml").exists()


def test_a_missing_drop_in_is_reported_with_what_builds_it(tmp_path: Path) -> None:
    result = run(tmp_path, "--", "true")
    assert result.returncode == 1
    assert result.stderr.startswith(f"plafond: {tmp_path / IN_BUILD} is not built")
    assert "ninja -C build plafond-pthread" in result.stderr


def test_a_path_that_the_loader_would_take_apart_is_refused(tmp_path: Path) -> None:
    idle_library(tmp_path / "a b")
    result = run(tmp_path / "a b", "--", "true")
    assert (result.returncode, result.stdout) == (1, "")
    assert "found a blank or a colon in the path" in result.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--learn", "a", "--ceilings", "b"],
        ["--stats", "--stats-file", "a"],
        ["--report", "a"],
        ["--format", "json"],
        ["--mode", "fast"],
        ["--learn", "a.json"],
        ["--learn", "a.oil"],
    ],
)
def test_options_that_do_not_fit_are_refused(build: Path, options: list[str]) -> None:
    result = run(build, *options, "--", "echo", "ran")
    assert (result.returncode, result.stdout) == (2, "")


def test_help_has_examples(build: Path) -> None:
    assert "plafond preload --learn app.toml -- app" in run(build, "--help").stdout


# ---- Learning --------------------------------------------------------------


def test_the_report_goes_to_standard_error_and_the_exit_code_is_the_programs(
    build: Path, tmp_path: Path
) -> None:
    file = tmp_path / "learned.toml"
    result = run(
        build, "--learn", file, "--", "sh", "-c", LEAVES_EVIDENCE, raw_file(tmp_path, robot())
    )
    assert (result.returncode, result.stdout) == (3, "of the app\n")
    assert "make_1_1  inherit  ceiling 30  plan" in result.stderr
    assert "control        30    1          100          500us          200us" in result.stderr
    assert [(m.name, m.use) for m in load_mutexes(file)] == [("make_1_1", True), ("make_2_1", True)]


def test_the_report_as_json_in_a_file(build: Path, tmp_path: Path) -> None:
    file, report = tmp_path / "learned.toml", tmp_path / "report.json"
    options: list[str | Path] = ["--learn", file, "--report", report, "--format", "json"]
    result = run(build, *options, "--", "sh", "-c", LEAVES_EVIDENCE, raw_file(tmp_path, robot()))
    assert (result.returncode, result.stderr) == (3, "")
    reported = json.loads(report.read_text())
    assert [row["ceiling"] for row in reported["mutexes"]] == [30, 20]
    assert reported["tasks"][0] == {
        "task": "control",
        "priority": 30,
        "cpu": 1,
        "activations": 100,
        "least_gap_ns": 10_000_000,
        "blocking_before_ns": 500_000,
        "blocking_after_ns": 200_000,
    }


def test_the_former_file_is_kept(build: Path, tmp_path: Path) -> None:
    file = tmp_path / "learned.toml"
    file.write_text("# edited\n")
    file.chmod(0o640)
    result = run(
        build, "--learn", file, "--", "sh", "-c", LEAVES_EVIDENCE, raw_file(tmp_path, robot())
    )
    assert f"- the file of that name is kept as {file}~" in result.stderr
    assert (tmp_path / "learned.toml~").read_text() == "# edited\n"
    assert (len(load_mutexes(file)), file.stat().st_mode & 0o777) == (2, 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "learned.toml",
        "learned.toml~",
        "raw.json",
    ]


def test_of_several_processes_the_one_that_locks_most_counts(build: Path, tmp_path: Path) -> None:
    raw = raw_file(tmp_path, robot())
    (tmp_path / "other.json").write_text(json.dumps(raw_evidence([], [], program="/bin/sh")))
    script = 'cp "$0" "$PLAFOND_LEARN.17"; cp other.json "$PLAFOND_LEARN"; : > "$PLAFOND_LEARN.18"'
    result = run(
        build, "--learn", tmp_path / "x", "--", "sh", "-c", f"cd {tmp_path}; {script}", raw
    )
    assert result.returncode == 0
    assert "/usr/bin/robot" in result.stderr
    assert "not used" not in result.stderr


@pytest.mark.parametrize(
    ("script", "code", "why"),
    [
        ("kill -KILL $$", 137, "sh was ended by SIGKILL: it left no evidence; expected"),
        ("kill -35 $$", 163, "sh was ended by signal 35: it left no evidence; expected"),
        ("exit 4", 4, "sh does not take libraries by LD_PRELOAD"),
        ('echo "{" > $PLAFOND_LEARN; exit 4', 4, "what sh left is no evidence: "),
        ('echo "{}" > $PLAFOND_LEARN; exit 4', 4, "is no evidence: format: Field required"),
        ('cp "$0" $PLAFOND_LEARN; exit 4', 4, "sh locked no mutex of PTHREAD_PRIO_INHERIT or"),
    ],
)
def test_nothing_learned_is_one_line_and_changes_nothing(
    script: str, code: int, why: str, build: Path, tmp_path: Path
) -> None:
    file = tmp_path / "learned.toml"
    file.write_text("# edited\n")
    nothing = raw_file(tmp_path, raw_evidence([thread(1, "main", 0)], [mutex(1)]))
    result = run(build, "--learn", file, "--", "sh", "-c", script, nothing)
    assert (result.returncode, result.stdout) == (code, "")
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
    assert file.read_text() == "# edited\n"


@pytest.mark.parametrize("option", ["--learn", "--report", "--stats-file"])
def test_a_file_that_cannot_be_written_is_reported_before_the_program_runs(
    option: str, build: Path, tmp_path: Path
) -> None:
    for file in (tmp_path / "no folder" / "file", tmp_path):
        options: list[str | Path] = [option, file]
        if option == "--report":
            options = ["--learn", tmp_path / "learned.toml", *options]
        result = run(build, *options, "--", "echo", "ran")
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.startswith(f"plafond: {option}: cannot write {file}: ")


def test_a_device_is_not_replaced(build: Path) -> None:
    result = run(build, "--learn", "/dev/null", "--", "echo", "ran")
    assert (result.returncode, result.stdout) == (2, "")
    assert "/dev/null: found something that is no regular file" in result.stderr


def test_a_report_may_go_to_a_device(build: Path, tmp_path: Path) -> None:
    options = ["--learn", str(tmp_path / "x"), "--report", "/dev/stderr", "--format", "json"]
    result = run(build, *options, "--", "sh", "-c", LEAVES_EVIDENCE, raw_file(tmp_path, robot()))
    assert json.loads(result.stderr)["program"] == "/usr/bin/robot"


# ---- Signals while learning ------------------------------------------------


def test_a_signal_for_the_command_is_the_programs(build: Path, tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        name = number.name.removeprefix("SIG")
        script = f"trap 'echo {name}; exit 9' {name}; echo ready; while :; do sleep 0.01; done"
        process = start(build, "--learn", tmp_path / "x", "--", "sh", "-c", script)
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.communicate(timeout=HUNG_S)[0] == f"{name}\n"
        assert process.returncode == 9


def test_ctrl_c_reaches_the_program_once(build: Path, tmp_path: Path) -> None:
    script = (
        "import signal, time\n"
        "came = []\n"
        "signal.signal(signal.SIGINT, lambda *_: came.append(1))\n"
        "print('ready', flush=True)\n"
        "while not came: time.sleep(0.01)\n"
        "time.sleep(0.3)\n"
        "raise SystemExit(40 + len(came))\n"
    )
    child, terminal = pty.fork()
    if child == 0:
        os.environ["PLAFOND_BUILD"] = str(build)
        words = [*PRELOAD, "--learn", str(tmp_path / "x"), "--", sys.executable, "-c", script]
        os.execv(words[0], words)
    try:
        reported = b""
        while b"ready" not in reported:
            reported += os.read(terminal, 1000)
        os.write(terminal, b"\x03")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 41
    finally:
        os.close(terminal)


def test_a_caller_that_ignores_its_children_makes_no_difference(
    build: Path, tmp_path: Path
) -> None:
    reported = ["grep", "^SigIgn", "/proc/self/status"]
    ignoring = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "os.execvp(sys.argv[1], sys.argv[1:])\n"
    )
    results = [
        subprocess.run(
            [sys.executable, "-c", ignoring, *preload, *reported],
            env=environment(build),
            capture_output=True,
            text=True,
            timeout=HUNG_S,
            check=False,
        )
        for preload in (["env"], [*PRELOAD, "--learn", str(tmp_path / "x"), "--"])
    ]
    assert [result.returncode for result in results] == [0, 0]
    ignored = [int(result.stdout.split()[1], 16) for result in results]
    assert [mask >> (signal.SIGCHLD - 1) & 1 for mask in ignored] == [1, 1]


def test_the_program_does_not_outlive_the_command(build: Path, tmp_path: Path) -> None:
    script = f"echo $$; exec sleep {HUNG_S}"
    process = start(build, "--learn", tmp_path / "x", "--", "sh", "-c", script)
    assert process.stdout
    program = int(process.stdout.readline())
    process.kill()
    process.wait(timeout=HUNG_S)
    until(lambda: has_ended(program), "its end")


# ---- Ceilings --------------------------------------------------------------


def test_chosen_ceilings_reach_the_program_and_its_children(build: Path, learned: Path) -> None:
    learned.write_text(learned.read_text().replace("use = true", "use = false", 1))
    script = (
        "import os, subprocess\n"
        "table = os.environ['PLAFOND_CEILINGS']\n"
        "print(open(table).read(), end='', flush=True)\n"
        "subprocess.run(['cat', table], close_fds=True)\n"
    )
    result = run(build, "--ceilings", learned, "--", sys.executable, "-c", script)
    assert (result.returncode, result.stdout) == (0, "robot 0x1001 1 20\n" * 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("use = true", "use = 1", "10: mutex.make_1_1.use: found 1; expected true or false"),
        ("ceiling = 30", "ceiling = 3", "resource.make_1_1.ceiling: found 3; expected at least 30"),
        ("use = true", "use = yes", "found Invalid value; expected valid TOML"),
        ("[task.log]", "[task.log", "expected valid TOML"),
        ("[mutex.make_1_1]", "[mutexes]", "mutexes: found an unknown key; expected one of name"),
    ],
)
def test_wrong_ceilings_are_reported_with_their_place(
    old: str, new: str, message: str, build: Path, learned: Path
) -> None:
    learned.write_text(learned.read_text().replace(old, new, 1))
    result = run(build, "--ceilings", learned, "--", "echo", "ran")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{learned}:")
    assert message in result.stderr


def test_without_a_choice_the_program_runs_as_it_is(build: Path, learned: Path) -> None:
    """An example is a program whose mutexes cannot be distinguished."""
    learned.write_text(learned.read_text().replace("use = true", "use = false"))
    script = 'echo "ran${PLAFOND_CEILINGS}"'
    result = run(build, "--ceilings", learned, "--", "sh", "-c", script)
    expected = f"plafond: {learned}: no mutex has use = true: it runs as it is\n"
    assert (result.returncode, result.stdout, result.stderr) == (0, "ran\n", expected)


def test_ceilings_of_no_mutex_are_refused(build: Path, learned: Path, tmp_path: Path) -> None:
    learned.write_text('[task.T]\npriority = 1\narrival = "periodic 1ms"\nbody = ["run 1us"]\n')
    result = run(build, "--ceilings", learned, "--", "echo", "ran")
    expected = f"plafond: {learned}: found no table [mutex.NAME]; expected one\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", expected)
    result = run(build, "--ceilings", tmp_path / "nothing", "--", "echo", "ran")
    assert result.returncode == 1
    assert "No such file or directory" in result.stderr
