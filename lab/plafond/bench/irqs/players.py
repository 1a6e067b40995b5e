# SPDX-License-Identifier: MIT
"""A player of 25 frames a second beside other load: Figures 5, 11 and 12, Table VIII.

The cost of a frame is our choice. In Figure 5 it is 24 ms, so two players need more than a CPU.
Beside the device it is 28 ms, and the device's interrupt thread needs 45 % of the CPU. The paper's
network needed 18 %, so our budgets are 2.5 times the budgets of Table VIII. After a late frame the
player shows no frame early, and leaves no frame out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from plafond.bench.irqs.device import Device, Reservation
from plafond.bench.irqs.frames import parse_frames
from plafond.bench.irqs.guest import Scene
from plafond.bench.irqs.model import PlayerRow
from plafond.bench.irqs.times import statistics_us
from plafond.bench.irqs.together import Task, Together
from plafond.kernel_trace.measure import distribution

MS = 1_000_000
FRAME_NS = 40 * MS
FRAMES = 30
LASTS_NS = FRAMES * FRAME_NS
FIGURE_5_NS, DECODE_NS = 24 * MS, 28 * MS
DEVICE = Device(MS, LASTS_NS // MS, 128, 450_000)
ABOVE, BELOW = 70, 60  # the interrupt thread has priority 50


@dataclass(frozen=True)
class Case:
    """A scene, and the paper's result for each of its players."""

    figure: str
    words: str
    together: Together
    papers: tuple[str, ...]


def _player(name: str, work_ns: int, priority: int, budget_ns: int = 0) -> Task:
    reservation = Reservation(budget_ns, FRAME_NS) if budget_ns else None
    return Task(name, priority, FRAME_NS, work_ns, FRAMES, reservation)


def _two(name: str, one: Task, other: Task) -> Together:
    return Together(name, [one, other], LASTS_NS)


def _beside(name: str, priority: int, device_share: int = 0, budget_ns: int = 0) -> Together:
    """Return a player beside the device; `device_share`: of its thread, in permille of 100 ms."""
    reservation = Reservation(device_share * MS // 10, 100 * MS) if device_share else None
    player = _player("player", DECODE_NS, priority, budget_ns)
    return Together(name, [player], LASTS_NS, DEVICE, reservation)


CASES = [
    Case(
        "5",
        "FIFO",
        _two(
            "figure-5-fifo",
            _player("high", FIGURE_5_NS, ABOVE),
            _player("low", FIGURE_5_NS, BELOW),
        ),
        ("39.6, deviation 4.7", "stops at frame 310"),
    ),
    Case(
        "5",
        "CBS",
        _two(
            "figure-5-cbs",
            _player("25-of-40", FIGURE_5_NS, 0, 25 * MS),
            _player("12.5-of-40", FIGURE_5_NS, 0, 12_500_000),
        ),
        ("39.1, deviation 5.7", "39.5, deviation 19.5"),
    ),
    Case(
        "11",
        "alone",
        Together("figure-11-alone", [_player("player", DECODE_NS, 0)], LASTS_NS),
        ("about 40",),
    ),
    Case(
        "11",
        "OTHER, with the device",
        _beside("figure-11-other", 0),
        ("increase much",),
    ),
    Case(
        "11",
        "FIFO, above the device",
        _beside("figure-11-fifo", ABOVE),
        ("about 40; device 66%",),
    ),
    *(
        Case(
            "12, VIII",
            f"({budget}, 40), device ({share / 10:g}, 100)",
            _beside(f"table-8-{test}", 0, share, budget * MS),
            (f"{words}; device {mbps / 88.55:.0%}",),
        )
        for test, budget, share, mbps, words in (
            (1, 29, 225, 59.75, "near 40"),
            (2, 28, 300, 65.43, ""),
            (3, 26, 325, 70.83, ""),
            (4, 25, 350, 76.14, "reasonable"),
            (5, 20, 450, 88.55, "below 80"),
        )
    ),
]


def player_scenes() -> Iterator[Scene]:
    """Yield all scenes."""
    for case in CASES:
        yield case.together.scene


def player_rows(files: Mapping[str, bytes]) -> Iterator[PlayerRow]:
    """Yield a row for each player, with the frames shown while all players ran."""
    for case in CASES:
        jobs = case.together.jobs(files)
        end_ns = min(
            *(each.ended_ns[-1] for each in jobs.values()),
            *(each.released_ns[0] + LASTS_NS for each in jobs.values()),
        )
        for task, paper in zip(case.together.tasks, case.papers, strict=True):
            shown_ns = [ended for ended in jobs[task.name].ended_ns if ended <= end_ns]
            yield _row(files, case, task, shown_ns, paper)


def _row(
    files: Mapping[str, bytes], case: Case, task: Task, shown_ns: Sequence[int], paper: str
) -> PlayerRow:
    times = distribution([after - each for each, after in pairwise(shown_ns)])
    assert times is not None, f"{case.words}: no frames of {task.name}"
    return PlayerRow(
        figure=case.figure,
        scene=f"{case.words}: {task.name}" if len(case.papers) > 1 else case.words,
        device_percent=_device_percent(files, case.together),
        paper=paper.removeprefix("; "),
        **statistics_us(times),
    )


def _device_percent(files: Mapping[str, bytes], together: Together) -> float | None:
    """Return the percentage of the sent frames that were served during the sending."""
    if together.device is None:
        return None
    outcome = parse_frames(files[f"{together.name}-device"]).outcome
    sent_for_ns = together.device.count * together.device.period_ns
    return 100 * outcome.served_until(sent_for_ns) / together.device.count
