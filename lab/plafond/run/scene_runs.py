# SPDX-License-Identifier: MIT
"""Execute the scenes on a target that repeats exactly, and keep the result under build/.

The result is kept with a hash of all its dependencies, and is valid only while they are equal. On a
board these are the image and the emulator. In a virtual machine they are the programs, the kernel,
the plan and the emulator.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from plafond.board.boards import Board
from plafond.board.console import parse_console
from plafond.board.image import image_command, run_image
from plafond.board.qemu import find_qemu
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.build.image import build_image
from plafond.describe.kernel import Scheduler
from plafond.describe.kernel_table import KERNEL, Kernel
from plafond.errors import PlafondError
from plafond.programs import find_program, own_folder
from plafond.progress import progress_by_step
from plafond.run.arrivals import draw_arrivals
from plafond.run.kept import Kept
from plafond.run.plan import plan_text
from plafond.run.recorder import GUEST_COMMAND, IN_GUEST, RECORDER
from plafond.run.scenes import all_scenes, overheads_of, system_of
from plafond.trace.model import Trace, parse_trace
from plafond.vm.guest import Guest
from plafond.vm.machine import Results, prepare, run_in_vm
from plafond.vm.qemu import COUNTING, GUEST_OPTIONS, MACHINES

BOARD_S = 120.0
BOOT_S = 300.0
PROTOCOL_S = 200.0
NOISE_SECONDS = 4

Noise = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Measured:
    """The times that the scenes took under a protocol, beyond their run steps, and the noise."""

    overheads_ns: Mapping[str, int]  # by scene: the largest of all repetitions
    noise: Noise = ()
    turn_ns: int = 0  # the length of a turn; a thread's run step ends with a whole turn


def scenes_on_board(
    board: Board, protocol: str, scheduler: Scheduler, kernel: Kernel, ready: int = 0
) -> Measured:
    """Return the times of the scenes in an image of the kernel.

    `ready`: the number of other tasks in the ready queue all the time. RefusedError names a missing
    program.
    """
    system = system_of(all_scenes(), scheduler, kernel, ready)
    recording = Recording(system, draw_arrivals(system, system.seed))
    folder = _folder() / f"{board.name}-{scheduler}-{protocol}-{kernel.status}-{ready}"
    image = build_image(system, board.name, protocol, folder, recording, for_tools=False).path
    kept = Kept(
        folder / "measured.json",
        [
            image.read_bytes(),
            *(field.name.encode() for field in fields(Measured)),
            *_emulator(find_qemu(), image_command(image, board)),
        ],
    )
    found = _found(kept)
    if found is None:
        console = run_image(image, board, BOARD_S)
        found = _measured(trace_of(parse_console(console), recording, protocol))
        kept.write(asdict(found))
    return found


def scenes_in_guest(
    guest: Guest, protocols: Sequence[str], is_recorded: bool = False
) -> dict[str, Measured]:
    """Return the times of the scenes as threads of the guest, all protocols in the same boot.

    `is_recorded`: the guest's scheduler is recorded meanwhile.
    """
    system = system_of(all_scenes(), Scheduler.PRIORITY, KERNEL)
    arrivals = draw_arrivals(system, system.seed)
    plans = {name: plan_text(system, name, arrivals).encode() for name in protocols}
    kept = {name: kept_of_guest(guest, name, [plan], is_recorded) for name, plan in plans.items()}
    found = {name: _found(each) for name, each in kept.items()}
    missing = [name for name, measured in found.items() if measured is None]
    if missing:
        results = _run_in_guest(guest, {name: plans[name] for name in missing}, is_recorded)
        noise = _noise(_file(results, "noise"))
        for name in missing:
            trace = parse_trace(_file(results, f"trace-{name}"), f"the scenes under {name}")
            measured = _measured(trace, noise)
            kept[name].write(asdict(measured))
            found[name] = measured
    return {name: measured for name, measured in found.items() if measured}


def _found(kept: Kept) -> Measured | None:
    content = kept.read()
    if content is None:
        return None
    noise = tuple((window_ns, stolen_ns) for window_ns, stolen_ns in content.pop("noise"))
    return Measured(noise=noise, **content)


def _measured(trace: Trace, noise: Noise = ()) -> Measured:
    if trace.cut:
        raise PlafondError(f"the scenes under {trace.protocol} were cut: {trace.cut}")
    overheads = overheads_of(all_scenes(), trace)
    most = {name: max(times_ns) for name, times_ns in overheads.items()}
    return Measured(most, noise, max((cpu.turn_ns or 0 for cpu in trace.cpus), default=0))


def _run_in_guest(guest: Guest, plans: Mapping[str, bytes], is_recorded: bool) -> Results:
    files: dict[str, Path | bytes] = {f"/plans/{name}": plan for name, plan in plans.items()}
    files["/bin/plafond-run"] = find_program(guest.built("linux/run/plafond-run"))
    before = ""
    if is_recorded:
        files[IN_GUEST] = find_program(guest.built(RECORDER))
        before = f"{GUEST_COMMAND} "
    commands = [
        *(
            f"{before}plafond-run /plans/{name} /results/trace-{name} 2>/results/said-{name}"
            for name in plans
        ),
        f"{before}plafond-run --noise 0 {NOISE_SECONDS} >/results/noise 2>/results/said-noise",
    ]
    with progress_by_step(f"measuring the overheads of Linux {guest.kernel}", 1):
        return run_in_vm(guest, files, commands, BOOT_S + PROTOCOL_S * len(plans))


def _file(results: Results, name: str) -> bytes:
    content = results.files.get(name)
    if not content:
        said = results.files.get(f"said-{name.removeprefix('trace-')}", b"").decode().strip()
        raise PlafondError(f"no {name} came from the virtual machine: {said or 'it said nothing'}")
    return content


def _noise(content: bytes) -> Noise:
    windows = json.loads(content)["windows"]
    return tuple((int(window_ns), int(stolen_ns)) for window_ns, stolen_ns in windows)


def kept_of_guest(guest: Guest, what: str, plans: Sequence[bytes], is_recorded: bool) -> Kept:
    """Return the file that keeps the times of plans in a guest, with its dependencies."""
    qemu, kernel, modules = prepare(guest)
    loaded = "modules" if guest.modules else "stock"
    recorders = [find_program(guest.built(RECORDER))] if is_recorded else []
    files = [find_program(guest.built("linux/run/plafond-run")), kernel.image, *modules, *recorders]
    how = "-recorded" if is_recorded else ""
    return Kept(
        _folder() / f"vm-{guest.processor}-{guest.kernel}-{loaded}-{what}{how}.json",
        [
            *plans,
            *(file.read_bytes() for file in files),
            *_emulator(qemu, [COUNTING, *_machine(guest), str(NOISE_SECONDS)]),
        ],
    )


def _machine(guest: Guest) -> list[str]:
    machine = MACHINES[guest.processor]
    return [*machine.options, machine.kernel_options, GUEST_OPTIONS]


def _folder() -> Path:
    return own_folder("overheads")


def _emulator(program: str, command: Iterable[str]) -> Iterable[bytes]:
    """Return the emulator's options, size and time stamp, because a new version is another file."""
    status = Path(program).stat()
    return [f"{status.st_size} {status.st_mtime_ns}".encode(), *(word.encode() for word in command)]
