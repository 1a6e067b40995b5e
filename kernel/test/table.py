# SPDX-License-Identifier: MIT
"""The table of the test programs, tests.txt, and where their images are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
BOARDS = ("sim", "a53")
STATUS = ("standard", "extended")
TIERS = ("first", "rest")
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
GROUPS = {"all": PROTOCOLS, "hardware": HARDWARE}


@dataclass(frozen=True)
class Case:
    """An image, and with which code it shall end; its number is TEST_CASE in case.h."""

    name: str
    board: str
    status: str
    scheduler: str  # "": as the description says
    protocol: str
    number: int
    code: int

    @property
    def label(self) -> str:
        """What names it in a message."""
        return f"{self._stem}-{self.number}" if self.number else self._stem

    @property
    def _stem(self) -> str:
        by = f"{self.scheduler}-{self.protocol}" if self.scheduler else self.protocol
        return f"{self.name}-{self.board}-{self.status}-{by}"

    def folder(self, build: Path) -> Path:
        """Return where it is built, one number after the other: they have the same kernel."""
        return build / self._stem

    def image(self, build: Path) -> Path:
        """Return where it is kept."""
        return self.folder(build) / f"image-{self.number}"


def images_of(tier: str) -> list[Case]:
    """Return the `first` of each behaviour, the `rest`, or `all`; ValueError otherwise.

    The first are those on one board in one status under one protocol: the simulated board, which
    needs no emulator, and the usual protocol, where they are among them.
    """
    every = read_table()
    if tier == "all":
        return every
    first: dict[str, tuple[str, ...]] = {}
    for case in sorted(every, key=lambda case: (case.board != "sim", case.protocol not in USUAL)):
        first.setdefault(case.name, _combination(case))
    if tier not in TIERS:
        raise ValueError(f"found the tier {tier!r}; expected first, rest or all")
    is_first = [first[case.name] == _combination(case) for case in every]
    return [case for case, one in zip(every, is_first, strict=True) if one == (tier == "first")]


def _combination(case: Case) -> tuple[str, ...]:
    return case.board, case.status, case.scheduler, case.protocol


def read_table() -> list[Case]:
    """Return all images, as tests.txt has them."""
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
