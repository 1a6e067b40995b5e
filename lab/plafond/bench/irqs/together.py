# SPDX-License-Identifier: MIT
"""Run tasks of the program `worker`, with priorities or reservations, beside the device."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plafond.bench.irqs.device import Device, Reservation
from plafond.bench.irqs.guest import FEATURES, Scene, device_command, reserved

MS = 1_000_000
# until the first job, so that by then all have their priorities and reservations
DELAY_NS = 100 * MS


@dataclass(frozen=True)
class Task:
    """A task of the program `worker`."""

    name: str
    priority: int  # SCHED_FIFO's priority; 0: an ordinary or a reserved thread
    period_ns: int  # 0: greedy
    work_ns: int
    count: int
    reservation: Reservation | None = None


@dataclass(frozen=True)
class Jobs:
    """The output of a task."""

    tid: int
    released_ns: list[int]
    ended_ns: list[int]


@dataclass(frozen=True)
class Together:
    """Tasks that run for `lasts_ns` or until the device has sent all frames."""

    name: str
    tasks: Sequence[Task]
    lasts_ns: int
    device: Device | None = None
    reservation: Reservation | None = None  # the interrupt thread's reservation
    is_recorded: bool = False

    @property
    def scene(self) -> Scene:
        """Return the commands, as a script that plafond-record may run."""
        script = f"/{self.name}.sh"
        record = f"plafond-record /{self.name}-recording -- " if self.is_recorded else ""
        left = [f"{self.name}-{task.name}" for task in self.tasks]
        left += [f"{self.name}-recording"] if self.is_recorded else []
        left += [f"{self.name}-device"] if self.device else []
        return Scene(
            self.name,
            [
                f"echo HRTICK_DL >{FEATURES}",
                "export thread",
                "\n".join([f"cat >{script} <<'END'", *self._script(), "END"]),
                f"{record}sh {script}",
                *(f"post {each} /{each}" for each in left),
            ],
        )

    def _script(self) -> Iterator[str]:
        yield "set -e"
        for index, task in enumerate(self.tasks):
            numbers = (task.priority, DELAY_NS, task.period_ns, task.work_ns, task.count)
            yield f"worker {' '.join(map(str, numbers))} >/{self.name}-{task.name} &"
            yield f"t{index}=$!"
        yield f"echo {' '.join(f'$t{index}' for index in range(len(self.tasks)))} >/{self.name}"
        yield self._main()
        yield "wait"

    def _main(self) -> str:
        """Return the command during which the reservations hold."""
        command = f"sleep {(DELAY_NS + self.lasts_ns) / 1e9:g}"
        if self.device:
            begin = (DELAY_NS - self.device.period_ns) / 2e9
            command = f"sleep {begin:g}; {device_command(self.device)} >/{self.name}-device"
        threads = [("$thread", self.reservation)] if self.reservation else []
        threads += [
            (f"$t{index}", task.reservation)
            for index, task in enumerate(self.tasks)
            if task.reservation
        ]
        return reserved(threads, command) if threads else command

    def jobs(self, files: Mapping[str, bytes]) -> dict[str, Jobs]:
        """Return the outputs of the tasks by name."""
        numbers = map(int, files[self.name].split())
        return {
            task.name: _parse(tid, files[f"{self.name}-{task.name}"])
            for tid, task in zip(numbers, self.tasks, strict=True)
        }


def _parse(tid: int, output: bytes) -> Jobs:
    lines = [line.split() for line in output.decode().splitlines()]
    return Jobs(tid, [int(released) for released, _ in lines], [int(ended) for _, ended in lines])
