# SPDX-License-Identifier: MIT
"""Images that `plafond build` compiles, and its report of them."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from kernel_runs import PROTOCOLS_EDF
from patience import HUNG_S

from plafond.build.image import Image, build_image
from plafond.build.report import ImageReport, report_of
from plafond.build.table import print_report
from plafond.cli import main
from plafond.describe import load
from plafond.errors import PlafondError

pytestmark = pytest.mark.board

TEXT = """
name = "some images"
[kernel]
sources = ["calls.c"]
trusted = ["hooks.c"]
hooks = ["shutdown"]
[task.calls]
priority = 1
autostart = true
[task.circle]
priority = 2
[task.body]
priority = 3
stack = 8192
body = ["lock R", "run 10us", "unlock R", "chain calls"]
[resource.R]
"""

CALLS = """
#include "os.h"

uint64_t own[8] TASK_DATA(calls) = { 1 };

__attribute__((noinline)) static uint64_t deep(volatile uint64_t *from)
{
	volatile uint64_t frame[32];

	for (unsigned i = 0; i < 32; i++)
		frame[i] = *from + i;
	return frame[*from & 31];
}

TASK(calls)
{
	uint64_t value = deep(own);

	ShutdownOS((StatusType)(value < 32 ? 7 : 8));
}

__attribute__((noinline)) static unsigned round_and_round(unsigned count)
{
	return count ? round_and_round(count / 3) + round_and_round(count / 2) : 1;
}

TASK(circle)
{
	ShutdownOS((StatusType)round_and_round((unsigned)own[0]));
}
"""

HOOKS = """
#include "os.h"

void ShutdownHook(StatusType status);

void ShutdownHook(StatusType status)
{
	(void)status;
}
"""


UNDER_EDF = """
scheduler = "edf"
[kernel]
status = "extended"
[task.slow]
deadline = "20ms"
queue = 9
arrival = "periodic 30ms"
body = ["lock R", "run 10us", "unlock R"]
[task.quick]
deadline = "5ms"
autostart = true
events = ["GO"]
body = ["wait GO", "lock R", "run 10us", "unlock R"]
[resource.R]
"""


def write(folder: Path, calls: str = CALLS) -> Path:
    (folder / "calls.c").write_text(calls)
    (folder / "hooks.c").write_text(HOOKS)
    file = folder / "some.toml"
    file.write_text(TEXT)
    return file


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("described"))


@pytest.fixture(scope="module")
def sim(described: Path, tmp_path_factory: pytest.TempPathFactory) -> Image:
    folder = tmp_path_factory.mktemp("sim") / "image of $some: name"
    return build_image(load(described), "sim", folder=folder)


@pytest.fixture(scope="module")
def a53(described: Path, tmp_path_factory: pytest.TempPathFactory) -> Image:
    return build_image(load(described), "a53", folder=tmp_path_factory.mktemp("a53"))


@pytest.fixture(scope="module", params=["sim", "a53"])
def image(request: pytest.FixtureRequest) -> Image:
    found: Image = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def report(image: Image) -> ImageReport:
    return report_of(image)


def digest(image: Image) -> str:
    return sha256(image.path.read_bytes()).hexdigest()


def test_what_an_image_consists_of(image: Image, report: ImageReport) -> None:
    sizes = {row.part: row for row in report.sizes}
    expected = {"kernel", "port", "tables", "user", "trusted", "shared words"}
    assert set(sizes) - {"libraries"} == expected
    assert 2_000 < sizes["kernel"].text < 12_000
    assert 0 < sizes["user"].text < 2_000
    assert sizes["user"].data == 64
    assert sizes["shared words"].data == 8192
    assert 0 < report.task_block <= 128
    assert bool(report.page_tables) == (image.board.name == "a53")
    # The image has only the code that it needs.
    names = names_of(image)
    assert " plf_task_calls\n" in names
    assert " plf_trace_event" not in names


def test_stacks_as_the_compiler_knows_them(image: Image, report: ImageReport) -> None:
    stacks = {row.task: (row.given, row.by_compiler) for row in report.stacks}
    if image.board.name == "sim":
        assert set(stacks.values()) == {(None, None)}
        return
    assert stacks["body"] == (8192, 32)
    assert stacks["circle"] == (4096, None)
    given, known = stacks["calls"]
    assert given == 4096
    assert known is not None
    assert 256 <= known <= 320


def names_of(image: Image) -> str:
    return subprocess.check_output(["nm", image.path], text=True)


def test_a_mixed_file_is_a_part_of_its_own(a53: Image, tmp_path: Path) -> None:
    """Tasks of a mixed file never execute the kernel's path to a service, so no stack includes
    it."""
    file = write(tmp_path)
    file.write_text(TEXT.replace("sources", "mixed"))
    image = build_image(load(file), "a53", folder=tmp_path / "image")
    report = report_of(image)
    assert {row.part for row in report.sizes} >= {"user", "mixed", "trusted"}
    known = next(row.by_compiler for row in report.stacks if row.task == "calls")
    assert known is not None
    assert 256 <= known <= 320
    assert " plf_mixed_call\n" in names_of(image)
    assert " plf_mixed_call\n" not in names_of(a53)


def test_where_shared_words_lie(report: ImageReport) -> None:
    words = {row.word: (row.offset, row.stride, row.size) for row in report.shared}
    assert words["words.uprio"] == (4, None, 4)
    assert words["words.nprio"] == (8, None, 4)
    assert words["resources[].saved"] == (4096, 8, 4)


def test_the_report_as_a_table(report: ImageReport, capsys: pytest.CaptureFixture[str]) -> None:
    print_report(report)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["resources[].saved", "4096", "+", "8n", "4"] in lines
    assert any(line[:2] == ["shared", "words"] for line in lines)
    assert ["conformance", "class", "of", "OSEK:", f"{report.conformance_class}"] in lines
    assert not any(line[:1] == ["interrupts"] for line in lines)
    print_report(report.model_copy(update={"nesting": 3}))
    assert "interrupts nest: at most 3 handlers, one in another" in capsys.readouterr().out


def test_the_same_description_gives_the_same_image(
    image: Image, described: Path, tmp_path: Path
) -> None:
    elsewhere = write(tmp_path)
    again = build_image(load(elsewhere), image.board.name, folder=tmp_path / "other")
    assert digest(again) == digest(image)


def test_an_image_without_what_tools_read_has_the_same_code(
    a53: Image, described: Path, tmp_path: Path
) -> None:
    without = build_image(load(described), "a53", folder=tmp_path / "without", for_tools=False)
    assert digest(without) != digest(a53)
    assert what_is_loaded(without) == what_is_loaded(a53)


def what_is_loaded(image: Image) -> list[tuple[int, bytes]]:
    with image.path.open("rb") as file:
        loaded = [s for s in ELFFile(file).iter_segments() if s["p_type"] == "PT_LOAD"]
        return [(segment["p_paddr"], segment.data()) for segment in loaded]


def test_what_has_not_changed_is_not_compiled_again(image: Image, described: Path) -> None:
    def dates() -> dict[str, int]:
        return {
            unit.object: (image.folder / unit.object).stat().st_mtime_ns for unit in image.units
        }

    before = dates()
    build_image(load(described), image.board.name, folder=image.folder)
    assert dates() == before
    (described.parent / "calls.c").touch()
    build_image(load(described), image.board.name, folder=image.folder)
    assert [name for name, date in dates().items() if date != before[name]] == ["user/calls.o"]


def test_an_image_runs(sim: Image) -> None:
    assert subprocess.run([sim.path], timeout=HUNG_S).returncode == 7


@contextmanager
def other_calls(described: Path, old: str, new: str) -> Iterator[None]:
    """Change the C file of the description for a while. Only this file is compiled again."""
    write(described.parent, CALLS.replace(old, new))
    try:
        yield
    finally:
        write(described.parent)


def test_what_the_compiler_says_is_shown(
    monkeypatch: pytest.MonkeyPatch,
    described: Path,
    sim: Image,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["plafond", "build", str(described), "--board", "sim", "--out", str(sim.folder)]
    monkeypatch.setattr("sys.argv", arguments)
    with other_calls(described, "deep(own)", "deeper(own)"), pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 1
    reported = capsys.readouterr().err
    assert reported.startswith("plafond: the image was not built in ")
    assert f"{described.parent}/calls.c:17:26: error: " in reported
    assert "FAILED" not in reported
    assert "-Wconversion -Werror -f" not in reported


def test_what_the_linker_says_is_shown(described: Path, sim: Image) -> None:
    calls = "extern void elsewhere(void);\n\nTASK(circle)\n{\n\telsewhere();"
    with (
        other_calls(described, "TASK(circle)\n{", calls),
        pytest.raises(PlafondError, match="undefined reference to `elsewhere'"),
    ):
        build_image(load(described), "sim", folder=sim.folder)


def test_the_report_as_json(
    monkeypatch: pytest.MonkeyPatch,
    described: Path,
    image: Image,
    report: ImageReport,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["plafond", "build", str(described), "--board", image.board.name]
    monkeypatch.setattr("sys.argv", [*arguments, "--out", str(image.folder), "--format", "json"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    assert json.loads(capsys.readouterr().out) == report.model_dump(mode="json")


@pytest.mark.parametrize("board", ["sim", pytest.param("a53", marks=pytest.mark.long)])
@pytest.mark.parametrize("protocol", PROTOCOLS_EDF)
def test_an_image_under_edf(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], board: str, protocol: str
) -> None:
    (tmp_path / "edf.toml").write_text(UNDER_EDF)
    system = load(tmp_path / "edf.toml")
    report = report_of(build_image(system, board, protocol, tmp_path / "image"))
    assert (report.scheduler, report.protocol, report.activations) == ("edf", protocol, 10)
    words = {row.word: row.size for row in report.shared}
    # A floor is twice as wide as a level. The eager protocol keeps floors in the kernel.
    is_lazy = protocol == "lazy-floor"
    assert words.get("resources[].saved") == words.get("words.claim") == (8 if is_lazy else None)
    assert 0 < report.task_block <= 256
    print_report(report)
    reported = " ".join(capsys.readouterr().out.split())
    assert f"on {board}, EDF, {protocol} " in reported
    assert "the ready queue: room for 10 activations of all tasks" in reported
