# SPDX-License-Identifier: MIT
"""`plafond bench cpmd`: caches, moves, samples, and how many samples count. No program runs."""

import ctypes
import json
import subprocess
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cpmd_fakes import MS, US, FakeProgram, in_sysfs, line, paper_machine, sample, two_cores
from refusal import refusal
from typer.testing import CliRunner

from plafond.bench.cpmd import collect, measure
from plafond.bench.cpmd.caches import KIB, MEMORY, PREEMPTION, Cache, Caches, find_caches, through
from plafond.bench.cpmd.collect import measure_cells
from plafond.bench.cpmd.others import Others
from plafond.bench.cpmd.plan import (
    LONGEST_AWAY_NS,
    PAPER_SIZES,
    RATIOS,
    Cell,
    Load,
    cells_of,
    moves,
    quick_sizes_of,
    sizes_of,
)
from plafond.bench.cpmd.samples import Dropped, parse
from plafond.cli import app
from plafond.doctor.machine import Machine
from plafond.errors import PlafondError, RefusedError

SOURCE = Path(__file__).parents[2] / "bench/cpmd_set.c"
SMALL = Cell(Load.IDLE, 4 * KIB, Fraction(1, 4))
POLLUTED = Cell(Load.POLLUTED, 4 * KIB, Fraction(1, 4))


def steady(random: Random, *_: int) -> int:
    return random.randrange(9 * US, 11 * US)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeProgram]:
    def use(caches: Caches | None = None, **options: Any) -> FakeProgram:
        fake = FakeProgram(caches or two_cores(), **{"delay": steady, **options})
        monkeypatch.setattr(collect, "find_program", Path)
        monkeypatch.setattr(collect, "run_program", fake)
        return fake

    return use


def test_the_nearest_shared_cache_names_a_migration(tmp_path: Path) -> None:
    caches = find_caches(in_sysfs(tmp_path, paper_machine()), range(24))

    assert caches == paper_machine()
    assert caches.kinds == (PREEMPTION, through(2), through(3), MEMORY)
    assert [caches.kind(0, cpu) for cpu in (0, 1, 2, 5, 6, 23)] == [
        *(PREEMPTION, through(2), through(3), through(3), MEMORY, MEMORY)
    ]
    assert list(caches.missing) == []


def test_hardware_threads_of_a_core_share_the_first_cache() -> None:
    caches = Caches((0, 1), (Cache(1, 32 * KIB, frozenset({0, 1})),))

    assert caches.kinds == (PREEMPTION, through(1))


def test_kinds_that_a_machine_lacks_are_named() -> None:
    assert list(two_cores().missing) == [
        "migration through L2: no two allowed CPUs have an L2 as the nearest cache that they share",
        "migration through memory: all allowed CPUs share a cache",
    ]


def test_on_one_cpu_no_migration_is_possible(tmp_path: Path) -> None:
    caches = find_caches(in_sysfs(tmp_path, two_cores()), [1])

    assert caches.kinds == (PREEMPTION,)
    assert {each.partition(": ")[2] for each in caches.missing} == {"only CPU 1 is allowed"}
    assert {move.cpu for move in islice(moves(caches, 1, Random(1)), 20)} == {1}


def test_without_caches_in_sysfs_there_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(PlafondError, match=r"found no caches in /sys/.*cpu3/cache; expected"):
        find_caches(in_sysfs(tmp_path, two_cores()), [0, 1, 3])


def test_sizes_are_those_of_the_paper_and_of_the_caches_and_one_beyond() -> None:
    sizes = sizes_of(two_cores())

    assert {*PAPER_SIZES, 32 * KIB, 1024 * KIB, 32768 * KIB} <= {*sizes}
    assert sizes[0] == 4 * KIB
    assert [size // KIB for size in sizes if size > 32768 * KIB] == [65536]
    assert [size // KIB for size in quick_sizes_of(two_cores())] == [4, 32, 64, 1024]


def test_all_combinations_are_measured_those_of_the_figures_first() -> None:
    cells = cells_of(list(Load), [8, 4], RATIOS)

    assert len(cells) == len(set(cells)) == 2 * 2 * 7
    assert cells[:4] == [Cell(load, size, Fraction(1, 4)) for size in (4, 8) for load in Load]


def test_all_kinds_of_moves_are_equally_frequent() -> None:
    caches = paper_machine()
    count = 8000
    origin, found = 5, Counter[str]()
    lengths = []
    for move in islice(moves(caches, origin, Random(3)), count):
        found[caches.kind(origin, move.cpu)] += 1
        origin = move.cpu
        lengths.append(move.away_ns)

    deviation = sqrt(count * 0.25 * 0.75)
    assert {*found} == {*caches.kinds}
    assert all(abs(each - count / 4) < 4 * deviation for each in found.values())
    thirds = Counter(3 * length // (LONGEST_AWAY_NS + 1) for length in lengths)
    assert all(abs(thirds[third] - count / 3) < 4 * sqrt(count * 2 / 9) for third in range(3))
    assert 0 <= min(lengths) < MS < 49 * MS < max(lengths) <= LONGEST_AWAY_NS


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, None),
        ({"cpu": 1}, Dropped.ELSEWHERE),
        ({"times_away": 0}, Dropped.NOT_AWAY),
        ({"faults": 1, "after_cut": 1}, Dropped.PAGE_FAULT),
        ({"warm_cut": 1}, Dropped.INTERRUPT),
        ({"after_cut": 1}, Dropped.INTERRUPT),
        ({"stolen_ns": 10 * MS}, Dropped.STEAL),
        ({"stolen_ns": -1}, None),
        ({"warm_chunk_ns": 101 * US}, Dropped.STEAL),
        ({"after_chunk_ns": 101 * US}, Dropped.STEAL),
        ({"after_chunk_ns": 100 * US}, None),
    ],
)
def test_a_disturbed_sample_is_dropped(fields: dict[str, int], why: Dropped | None) -> None:
    assert sample(**fields).dropped(sent_to=0) == why


def test_a_negative_delay_is_a_valid_one() -> None:
    found = sample(delay_ns=-300)

    assert found.delay_ns == -300
    assert found.dropped(0) is None


def test_samples_are_read_as_they_were_written() -> None:
    written = [sample(), sample(-5, origin=1, cpu=1, faults=2, after_cut=1, stolen_ns=3)]
    text = "\n".join(["sees_interrupts 0", *map(line, written), "polluter 1 8", "polluter 0 9"])

    output = parse(text)

    assert output.samples == written
    assert output.sees_interrupts is False
    assert output.passes == {0: 9, 1: 8}


@pytest.mark.parametrize(
    "text", ["", "sample 1 2", "sees_interrupts 1\nsample 1 2 x", "sees_interrupts", "polluter 1"]
)
def test_other_output_is_an_error(text: str) -> None:
    with pytest.raises(PlafondError, match="cpmd"):
        parse(text)


def test_all_kinds_of_all_cells_get_the_same_number(program: Callable[..., FakeProgram]) -> None:
    caches = paper_machine()
    fake = program(caches, cut_every=3)

    outcome = measure_cells(caches, [SMALL, POLLUTED], 25, seed=1)

    assert [each.cell for each in outcome.finished] == [SMALL, POLLUTED]
    for each in outcome.finished:
        assert {kind: len(valid) for kind, valid in each.valid.items()} == dict.fromkeys(
            caches.kinds, 25
        )
        assert each.dropped == {Dropped.INTERRUPT: pytest.approx(each.tries / 3, abs=1)}
        for kind, valid in each.valid.items():
            assert {caches.kind(one.origin, one.cpu) for one in valid} == {kind}
            assert not any(one.after_cut for one in valid)
    polluter_bytes = {command[3] for command in fake.commands}
    assert polluter_bytes == {"0", str(2 * 12288 * KIB)}


def test_a_run_begins_where_the_last_one_ended(program: Callable[..., FakeProgram]) -> None:
    fake = program(cut_every=2)

    measure_cells(two_cores(), [SMALL], 300, seed=1)

    assert len(fake.commands) > 2
    for before, after in zip(fake.commands, fake.commands[1:], strict=False):
        assert after[4] == before[-1].partition(":")[0]


def test_the_same_seed_draws_the_same_moves(program: Callable[..., FakeProgram]) -> None:
    commands = []
    for seed in (1, 1, 2):
        fake = program()
        measure_cells(two_cores(), [SMALL], 10, seed)
        commands.append(fake.commands)

    assert commands[0] == commands[1] != commands[2]


def test_a_set_with_hardly_a_valid_sample_is_left_out(program: Callable[..., FakeProgram]) -> None:
    program(cut_every=1)

    outcome = measure_cells(two_cores(), [SMALL], 5000, seed=1)

    assert outcome.finished == []
    (left_out,) = outcome.left_out
    assert left_out.tries == left_out.dropped[Dropped.INTERRUPT] <= 400


def test_polluters_on_other_cpus_are_an_error(
    program: Callable[..., FakeProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = program()
    monkeypatch.setattr(
        collect, "run_program", lambda *given: fake(*given).replace("polluter 1", "polluter 0")
    )

    with pytest.raises(PlafondError, match=r"polluters on the CPUs \[0\]; expected one on each"):
        measure_cells(two_cores(), [POLLUTED], 5, seed=1)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), PlafondError("cpmd was killed")])
def test_what_is_finished_is_kept(
    program: Callable[..., FakeProgram], monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    fake = program()

    def run(command: list[str], *rest: object) -> str:
        if command[3] != "0":
            raise error
        return fake(command, *rest)

    monkeypatch.setattr(collect, "run_program", run)

    outcome = measure_cells(two_cores(), [SMALL, POLLUTED], 5, seed=1)

    assert [each.cell for each in outcome.finished] == [SMALL]
    assert outcome.stopped_by is error


def test_without_privilege_nothing_is_kept(
    program: Callable[..., FakeProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    program()

    def refuse(*_: object) -> str:
        raise RefusedError("no privilege")

    monkeypatch.setattr(collect, "run_program", refuse)
    with pytest.raises(RefusedError):
        measure_cells(two_cores(), [SMALL], 5, seed=1)


def test_others_are_seen_by_the_time_that_cpus_were_busy(tmp_path: Path) -> None:
    stat = tmp_path / "proc/stat"
    stat.parent.mkdir()
    stat.write_text("cpu 0 0 0\ncpu0 5 5 0 9 9 0 0 0 0 0\ncpu1 0 0 0 9 9 0 0 0 0 0\n")
    others = Others(Machine(tmp_path), [0])
    assert others.share is None

    with others:
        stat.write_text("cpu 0 0 0\ncpu0 9 5 0 9 9 1 1 1 7 7\ncpu1 99 0 0 9 9 0 0 0 0 0\n")

    assert others.used_s == pytest.approx(0.07, abs=0.01)
    assert others.share
    unknown = Others(Machine(tmp_path / "nowhere"), [0])
    with unknown:
        pass
    assert unknown.share is None


def test_the_command_prints_each_format(
    program: Callable[..., FakeProgram], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program()
    monkeypatch.setattr(measure, "find_caches", lambda *_: two_cores())
    words = ["bench", "cpmd", "--samples", "4", "--size", "64KiB", "--write-ratio", "1/4"]

    as_json = CliRunner().invoke(app, [*words, "--format", "json"])
    as_csv = CliRunner().invoke(app, [*words, "--format", "csv", "--load", "idle"])
    as_table = CliRunner().invoke(app, [*words, "--plot", str(tmp_path / "plot")])

    found = json.loads(as_json.output)
    assert {(row["load"], row["kind"]) for row in found["rows"]} == {
        (load, kind) for load in ("idle", "polluted") for kind in (PREEMPTION, through(3))
    }
    assert as_csv.output.splitlines()[0].startswith("load,size_bytes,write_ratio,kind,samples,")
    assert len(as_csv.output.splitlines()) == 1 + 2
    assert "Table 1: largest delay under load, us" in as_table.output
    assert {file.name for file in (tmp_path / "plot").iterdir()} == {"figure-2.svg", "figure-3.svg"}


def test_ctrl_c_prints_what_is_finished(
    program: Callable[..., FakeProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = program()
    monkeypatch.setattr(measure, "find_caches", lambda *_: two_cores())

    def run(command: list[str], *rest: object) -> str:
        if fake.commands:
            raise KeyboardInterrupt
        return fake(command, *rest)

    monkeypatch.setattr(collect, "run_program", run)
    result = CliRunner().invoke(app, ["bench", "cpmd", "--quick"])

    assert result.exit_code == 130
    assert "NOT COMPLETE: 7 working sets were not measured" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--size", "64"], "--size: found '64'; expected a size above 0, such as 64KiB"),
        (["--size", "0KiB"], "--size: found '0KiB'"),
        (["--size", "100B"], "--size: found '100B'; expected whole lines of 64 bytes"),
        (["--size", "17GiB"], "up to 16GiB"),
        (["--write-ratio", "2/3"], "--write-ratio: found '2/3'; expected 0, 1, or 1/N"),
        (["--write-ratio", "1/0"], "--write-ratio: found '1/0'"),
        (["--load", "busy"], "--load: found 'busy'; expected some of idle,polluted"),
        (["--samples", "1"], "--samples"),
    ],
)
def test_wrong_options_are_refused(words: list[str], message: str) -> None:
    assert message in refusal(["bench", "cpmd", *words])


def test_a_working_set_is_one_cycle_of_all_its_lines(tmp_path: Path) -> None:
    library = tmp_path / "set.so"
    subprocess.run(["cc", "-std=c17", "-shared", "-fPIC", SOURCE, "-o", library], check=True)

    class Set(ctypes.Structure):
        _fields_ = (
            ("line_count", ctypes.c_size_t),
            ("write_every", ctypes.c_uint64),
            ("lines", ctypes.POINTER(ctypes.c_uint64)),
        )

    made = Set()
    size = ctypes.c_size_t(100 * 64)
    assert ctypes.CDLL(str(library)).make_set(ctypes.byref(made), size, ctypes.c_uint64(1)) == 0
    ctypes.CDLL(str(library)).pass_through(ctypes.byref(made))  # writes each word
    place, visited = 0, []
    for _ in range(100):
        visited.append(place)
        place = made.lines[8 * place]

    assert place == 0
    assert sorted(visited) == list(range(100)) != visited
