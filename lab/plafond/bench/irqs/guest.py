# SPDX-License-Identifier: MIT
"""Run scenes in a guest: a device, its interrupt thread in a reservation, and tasks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.bench.irqs.device import Device, Reservation
from plafond.errors import PlafondError
from plafond.programs import find_program
from plafond.vm.guest import Guest
from plafond.vm.machine import Results, run_in_vm
from plafond.vm.messages import Message

LONGEST_S = 900.0
ACTION = "frames"  # the interrupt's name, which its thread contains: irq/N-frames
PLACES = {
    "disk": "bench/disk",
    "frames": "bench/frames",
    "network": "bench/network",
    "worker": "bench/worker",
    "plafond-record": "linux/interrupts/plafond-record",
    "plafond-reserve": "linux/interrupts/plafond-reserve",
}
FEATURES = "/sys/kernel/debug/sched/features"
REST = "sleep 2.5"  # longer than two of the longest periods


@dataclass(frozen=True)
class Scene:
    """A run of some commands, whose output is returned under its name."""

    name: str
    commands: Sequence[str]


@dataclass(frozen=True)
class Setting:
    """A guest with a device; $thread is the name of the interrupt thread, and $tid its number."""

    guest: Guest
    drivers: Sequence[str]  # modules, each after the modules that it needs
    action: str  # the name of the device's interrupt
    programs: Sequence[str]
    before: Sequence[str] = ()  # commands

    @property
    def begin(self) -> Sequence[str]:
        """Return the commands before all scenes."""
        return [
            "set -e",
            *self.before,
            *(f"insmod /modules/{driver}.ko" for driver in self.drivers),
            f"irq=$(sed -n 's/^ *\\([0-9]*\\):.*{self.action}$/\\1/p' /proc/interrupts)",
            "for each in /proc/[0-9]*; do",
            'case $(cat $each/comm) in "irq/$irq-"*) tid=${each#/proc/}; esac',
            "done",
            f"thread=irq/$irq-{self.action}",
        ]

    @property
    def end(self) -> Sequence[str]:
        """Return the commands after all scenes."""
        return [*(f"rmmod {driver}" for driver in reversed(self.drivers)), "uname -r | post kernel"]


OWN_DEVICE = Setting(
    Guest(modules=True),
    ["plafond_frames"],
    ACTION,
    ["frames", "worker", "plafond-record", "plafond-reserve"],
    # Unloading our other modules leaves no trace in the kernel.
    before=["rmmod immpc_driver plafond"],
)


def device_command(device: Device, receives: bool = False) -> str:
    """Return the command that runs the device once."""
    first_ns = device.work_of(0)
    option = "--receive " if receives else ""
    return (
        f"frames {option}{device.period_ns} {device.count} {device.ring_size} "
        f"{device.work_ns} {first_ns}"
    )


def device_scene(
    name: str, device: Device, reservation: Reservation | None, polices_by_tick: bool = False
) -> Scene:
    """Return a run of the device alone; it also prints the thread's execution before and after.

    Linux keeps the deadline and the budget of an earlier reservation until its deadline has passed.
    So the thread rests first.
    """
    run = device_command(device)
    if reservation is not None:
        run = reserved([("$thread", reservation)], f"{REST}; {run}")
    policing = "NO_HRTICK_DL" if polices_by_tick else "HRTICK_DL"
    return Scene(name, [f"echo {policing} >{FEATURES}", f"{executed_in(run)} >/{name}"])


def executed_in(command: str) -> str:
    """Return a command that prints the thread's execution time before and after `command`."""
    executed = "cat /proc/$tid/schedstat"
    return f"{{ {executed}; {command}; {executed}; }}"


def reserved(threads: Sequence[tuple[str, Reservation]], command: str) -> str:
    """Return a line of the shell that runs a command while the threads have reservations."""
    words = " ".join(f"{thread} {each.budget_ns} {each.period_ns}" for thread, each in threads)
    return f"plafond-reserve {words} -- sh -c '{command}'"


def run_scenes(
    scenes: Sequence[Scene], on_scene: Callable[[int], None], setting: Setting = OWN_DEVICE
) -> tuple[Mapping[str, bytes], str]:
    """Boot a guest and run all scenes; return their outputs by name, and the kernel's name.

    `on_scene` gets the number of scenes that have ended, 0 after boot.
    """
    files: dict[str, Path | bytes] = {
        f"/bin/{name}": find_program(PLACES[name]) for name in setting.programs
    }
    commands = [*setting.begin]
    for scene in scenes:
        commands += [*scene.commands, f"post {scene.name} /{scene.name}"]
    commands += setting.end
    done = 0
    names = {scene.name for scene in scenes}

    def follow(message: Message) -> None:
        nonlocal done
        done += message.name in names
        on_scene(done)

    results = run_in_vm(setting.guest, files, commands, LONGEST_S, follow)
    _check(results)
    return results.files, results.files["kernel"].decode().strip()


def _check(results: Results) -> None:
    if results.status == 0:
        return
    lines = [line for line in results.console.splitlines() if line and not line.startswith("[")]
    last = lines[-1] if lines else f"exit code {results.status}"
    raise PlafondError(f"a command failed in the virtual machine: {last}")
