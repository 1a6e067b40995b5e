# SPDX-License-Identifier: MIT
"""The table of the test programs, tests.txt, and the places of their images.

Usage: table.py TIER... prints the tier, the behaviour and the board of each test.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations as pairs
from pathlib import Path

HERE = Path(__file__).parent
BOARDS = ("sim", "a53")
STATUS = ("standard", "extended")
TIERS = (
    "first",  # each behaviour on one board, in one status, under one protocol
    "pairs",  # images that complete all pairs: covering()
    "rest",  # all but the first
)
USUAL = ("uprio-nprio", "lazy-floor")  # under fixed priorities, and under EDF
PROTOCOLS = (
    "syscall",
    "syscall-bare",
    "syscall-id-uprio",
    "uprio-kprio",
    "uprio-kprio-lazy",
    "uprio-nprio",
    "lazy-ceiling",
    "lazy-ceiling-simple",
)
HARDWARE = (
    "hardware:mask",
    "hardware:uprio-kprio",
    "hardware:uprio-kprio-lazy",
    "hardware:lazy-ceiling",
)
# The behaviours with a first image in extended status, too, by the file of services that they call.
EXTENDED = {
    "alarm.c": "alarms",
    "application.c": "applications",
    "calls.c": "call_levels",
    "console.c": "misuse_console",
    "cores/several/start.c": "cores_errors",
    "counter.c": "counters",
    "event.c": "events",
    "function.c": "protected",
    "global/mpcp-called/mpcp_called.c": "cores_mpcp_many",
    "global/mpcp/mpcp.c": "cores_mpcp",
    "global/waiting/waiting.c": "waiting_status",
    "interrupt.c": "masking",
    "message.c": "messages",
    "mixed/door.c": "one_file",
    "os.c": "hooks",
    "routine.c": "isr_resources",
    "schedule_table.c": "schedule_tables",
    "server/budget/server.c": "servers",
    "server/sharing/sharing.c": "sharing",
    "table_sync.c": "table_sync",
    "task.c": "task_status",
    "termination.c": "applications_end",
    "trusted_function.c": "functions",
}
SWEPT = "sweep_"  # prefix of behaviours that are interrupted at each instruction
GROUPS = {"all": PROTOCOLS, "hardware": HARDWARE}

Combination = tuple[str, str, str, str, str]  # behaviour, board, status, scheduler, protocol


@dataclass(frozen=True)
class Case:
    """An image and its expected exit code. Its number is TEST_CASE in case.h."""

    name: str
    board: str
    status: str
    scheduler: str  # "": the scheduler of the description
    protocol: str
    number: int
    code: int

    @property
    def label(self) -> str:
        """The name of the image in messages."""
        return f"{self.stem}-{self.number}" if self.number else self.stem

    @property
    def stem(self) -> str:
        """The name of its folder."""
        by = f"{self.scheduler}-{self.protocol}" if self.scheduler else self.protocol
        return f"{self.name}-{self.board}-{self.status}-{by}"

    def folder(self, build: Path) -> Path:
        """Return the folder that all numbers use in turn, because they have the same kernel."""
        return build / self.stem

    def image(self, build: Path) -> Path:
        """Return the file of the image."""
        return self.folder(build) / f"image-{self.number}"

    def record(self, build: Path) -> Path:
        """Return the file in which made.py keeps the result of building it."""
        return self.folder(build) / f"image-{self.number}.json"


def images_of(tier: str) -> list[Case]:
    """Return the images of a tier of TIERS, or of `all`; ValueError otherwise."""
    every = read_table()
    if tier == "all":
        return every
    if tier not in TIERS:
        raise ValueError(f"found the tier {tier!r}; expected one of {', '.join(TIERS)}, or all")
    of_behaviour: dict[str, list[Combination]] = {}
    for each in dict.fromkeys(map(_combination, every)):
        of_behaviour.setdefault(each[0], []).append(each)
    first = {one for some in of_behaviour.values() for one in _first(some)}
    if tier == "rest":
        return [case for case in every if _combination(case) not in first]
    chosen = first if tier == "first" else covering(first, of_behaviour.values())
    return [case for case in every if _combination(case) in chosen]


def _first(of_behaviour: list[Combination]) -> Iterator[Combination]:
    """Yield an image on the simulated board, which needs no emulator, under the usual protocol.

    If it has none, yield another. For a file of services yield an image in extended status as well,
    which is as similar as possible.
    """
    one = min(of_behaviour, key=lambda each: (each[1] != "sim", each[4] not in USUAL))
    yield one
    extended = [each for each in of_behaviour if each[2] == "extended"]
    if one[0] in EXTENDED.values() and extended:
        yield max(extended, key=lambda each: len(pairs_of(each) & pairs_of(one)))


def covering(first: set[Combination], every: Iterable[list[Combination]]) -> set[Combination]:
    """Return further images, so that with `first` each pair that occurs has an image.

    `every` has the images by behaviour. Greedy: the next image has the most missing pairs of the
    behaviour, then the most missing pairs of all, and is the earliest of these.
    """
    combinations = [each for some in every for each in some]
    left = set().union(*map(pairs_of, combinations)).difference(*map(pairs_of, first))
    found: set[Combination] = set()
    for some in (*every, combinations):
        ours = {pair for pair in left if pair[0] == (0, some[0][0]) or some is combinations}
        while ours:
            best = max(some, key=lambda each: [len(pairs_of(each) & of) for of in (ours, left)])
            found.add(best)
            ours -= pairs_of(best)
            left -= pairs_of(best)
    return found


@cache
def pairs_of(combination: Combination) -> frozenset[tuple[tuple[int, str], ...]]:
    """Return the pairs of its values, each with the indices of its values."""
    return frozenset(pairs(enumerate(combination), 2))


def is_as_of_users(case: Case) -> bool:
    """Whether its image is built as images of users are: every eighth folder, by name."""
    return case.stem in _as_of_users()


def is_timed(case: Case) -> bool:
    """Whether instructions count: on a board, or if each instruction is swept.

    Code that is not optimized has more than twice as many.
    """
    return case.board != "sim" or case.name.startswith(SWEPT)


@cache
def _as_of_users() -> frozenset[str]:
    return frozenset(sorted({case.stem for case in read_table()})[::8])


def _combination(case: Case) -> Combination:
    return case.name, case.board, case.status, case.scheduler, case.protocol


def read_table() -> list[Case]:
    """Return all images of tests.txt."""
    lines = (HERE / "tests.txt").read_text().splitlines()
    return [case for line in lines if line and line[0] != "#" for case in _cases(line)]


def _cases(line: str) -> Iterator[Case]:
    name, boards, status, protocols, codes = line.split()
    for board in BOARDS if boards == "both" else [boards]:
        for one_status in STATUS if status == "both" else [status]:
            for word in GROUPS.get(protocols) or protocols.split(","):
                *scheduler, protocol = word.split(":")
                for number, code in enumerate(codes.split(",")):
                    yield Case(
                        name, board, one_status, "".join(scheduler), protocol, number, int(code)
                    )


def main() -> None:
    """Print each test once, as CMake reads it."""
    tests = ((tier, case.name, case.board) for tier in sys.argv[1:] for case in images_of(tier))
    print("\n".join(map(" ".join, dict.fromkeys(tests))))


if __name__ == "__main__":
    main()
