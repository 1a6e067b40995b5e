# SPDX-License-Identifier: MIT
"""Machines with caches, and the output that bench/cpmd would write on them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from plafond.bench.cpmd.caches import KIB, Cache, Caches
from plafond.bench.cpmd.samples import Sample
from plafond.doctor.machine import CPU, Machine

US, MS = 1_000, 1_000_000


def paper_machine() -> Caches:
    """Return the paper's machine: 24 CPUs, an L2 for two, an L3 for six."""
    cpus = range(24)
    each = [Cache(1, 32 * KIB, frozenset({cpu})) for cpu in cpus]
    each += [Cache(2, 3072 * KIB, frozenset({cpu, cpu + 1})) for cpu in cpus[::2]]
    each += [Cache(3, 12288 * KIB, frozenset(range(cpu, cpu + 6))) for cpu in cpus[::6]]
    return Caches(tuple(cpus), tuple(each))


def two_cores() -> Caches:
    """Return a small machine: two CPUs that share an L3."""
    each = [Cache(1, 32 * KIB, frozenset({cpu})) for cpu in (0, 1)]
    each += [Cache(2, 1024 * KIB, frozenset({cpu})) for cpu in (0, 1)]
    return Caches((0, 1), (*each, Cache(3, 32768 * KIB, frozenset({0, 1}))))


def in_sysfs(root: Path, caches: Caches) -> Machine:
    """Write the caches below `root`, and for each CPU an instruction cache, which must not
    count."""
    for cpu in caches.cpus:
        own = [cache for cache in caches.each if cpu in cache.cpus]
        for index, cache in enumerate(own):
            _write(root, cpu, index, cache, "Data" if cache.level == 1 else "Unified")
        _write(root, cpu, len(own), Cache(1, 64 * KIB, frozenset({cpu})), "Instruction")
    return Machine(root)


def _write(root: Path, cpu: int, index: int, cache: Cache, kind: str) -> None:
    folder = root / CPU / f"cpu{cpu}/cache/index{index}"
    folder.mkdir(parents=True)
    (folder / "level").write_text(f"{cache.level}\n")
    (folder / "type").write_text(f"{kind}\n")
    (folder / "size").write_text(f"{cache.size_bytes // KIB}K\n")
    (folder / "shared_cpu_list").write_text(",".join(map(str, sorted(cache.cpus))) + "\n")


def sample(delay_ns: int = 10 * US, away_ns: int = 20 * MS, **others: int) -> Sample:
    """Return a valid sample of CPU 0 with the given fields replaced."""
    fields: dict[str, int] = {
        **{"origin": 0, "cpu": 0, "warm_ns": 5 * US, "warm_chunk_ns": US, "after_chunk_ns": US},
        **{"warm_cut": 0, "after_cut": 0, "faults": 0, "times_away": 1, "stolen_ns": 0},
        **others,
    }
    return Sample(
        **{**fields, "away_ns": away_ns, "after_ns": fields["warm_ns"] + delay_ns}  # type: ignore[arg-type]
    )


def line(each: Sample) -> str:
    """Return the line that the program writes for a sample."""
    return " ".join(["sample", *(str(int(value)) for value in vars(each).values())])


Delay = Callable[[Random, int, int], int]  # from a random stream, the size and the time away


class FakeProgram:
    """A fake of run_program(): bench/cpmd on a machine, with delays of choice."""

    def __init__(self, caches: Caches, delay: Delay, cut_every: int = 0) -> None:
        """Mark every `cut_every`th sample as interrupted."""
        self.commands: list[list[str]] = []
        self._caches, self._delay, self._cut_every = caches, delay, cut_every
        self._random = Random(1)
        self._taken = 0

    def __call__(self, command: Sequence[str | Path], *_rest: object) -> str:
        """Return the output that the program would write."""
        words = list(map(str, command))
        self.commands.append(words)
        size, _, polluters, origin, *moves = words[1:]
        lines = ["sees_interrupts 1"]
        before = int(origin)
        for move in moves:
            cpu, away_ns = map(int, move.split(":"))
            self._taken += 1
            is_cut = self._cut_every and self._taken % self._cut_every == 0
            delay_ns = self._delay(self._random, int(size), away_ns)
            taken = sample(delay_ns, away_ns, origin=before, cpu=cpu, after_cut=int(is_cut))
            lines.append(line(taken))
            before = cpu
        if polluters != "0":
            lines += [f"polluter {cpu} 7" for cpu in self._caches.cpus]
        return "\n".join(lines)
