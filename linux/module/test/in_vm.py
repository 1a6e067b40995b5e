# SPDX-License-Identifier: MIT
"""Run in a guest all that tests plafond.ko: from user code, from drivers, through our libraries.

Exit code: 0 all passed, 1 something failed (its output follows), 2 there is no guest.

Examples:
  build/venv/bin/python linux/module/test/in_vm.py build --cpus 2
  build/venv/bin/python linux/module/test/in_vm.py build --kernel 7.x --only rules,hostile
  build/venv/bin/python linux/module/test/in_vm.py build/aarch64 --processor aarch64
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.errors import PlafondError
from plafond.vm.guest import Guest, KernelLine, Processor
from plafond.vm.machine import run_in_vm

PASSED, FAILED, CANNOT_RUN = 0, 1, 2
LONGEST_S = 14400.0  # finds a hang only
# The protocols of plafond-run that need the modules.
PROTOCOLS = ("plafond-module", "plafond-module-strict", "immpc", "immpc-eager", "rt-mutex")
MODULE_TESTS = ("rules", "hostile", "sections", "driver-refuses", "driver-sections", "frames")
RUN_TESTS = ("across_cpus", "protocols", "lock_calls", "refused", "with_modules")
NEED_TWO_CPUS = (
    *("test_two_cpus", "test_migration"),
    *("test_global_death", "test_global_errors", "test_global_order"),
    *("test_global_kernel", "test_global_spin", "test_timed_lock", "test_recursive"),
    *("test_attach_errors", "test_fork_of_places", "test_slots"),
)
# The kernel's messages of a fault in which a module of ours has a part.
FAULTS = re.compile(r"BUG:|Oops|list_(add|del) corruption|WARNING:.*\[(plafond\w*|immpc_\w+)\]")

RUN = """\
check() {
	name=$1
	shift
	"$@" >/results/$name 2>&1
	echo $? >/results/$name.status
}"""
# No guest needs the device whose interrupts come at exact times, but for its test.
FRAMES = """\
frames() {
	insmod /modules/plafond_frames.ko && module-frames && rmmod plafond_frames
}"""
# While one of our devices is open the kernel refuses to take the module away.
UNLOAD = """\
unload() {
	exec 3</dev/plafond
	rmmod plafond && echo "it went while it was in use" && return 1
	exec 3<&-
	rmmod plafond && insmod /modules/plafond.ko && insmod /modules/immpc_driver.ko &&
		rmmod immpc_driver && rmmod plafond
}"""


@dataclass(frozen=True)
class Check:
    """A command of the guest, which must end with 0."""

    name: str
    command: str


def checks(build: Path, cpus: int, stress_s: float) -> Iterator[Check]:
    """Every check, in its order; random checks last stress_s seconds."""
    yield Check("mutexes", "insmod /modules/immpc_test.ko")
    yield Check("end-of-mutexes", "rmmod immpc_test")
    yield Check("sections", f"module-sections {cpus} {stress_s}")
    yield Check("driver-refuses", "module-driver-refuses")
    yield Check("driver-sections", "module-driver-sections")
    yield Check("frames", "frames")
    if cpus == 1:  # with two, time goes by in leaps, which these take for suspensions
        for protocol in PROTOCOLS:
            yield Check(f"run.{protocol}", f"run_test_protocols {protocol}")
        yield Check("run.lock-calls", "run_test_lock_calls")
        yield Check("run.refused", "run_test_refused")
        yield Check("run.with-modules", "run_test_with_modules")
    else:
        yield Check("run.across-cpus", "run_test_across_cpus plafond-module")
    yield Check("driver", "rmmod immpc_driver")
    yield Check("rules", "module-rules")
    yield Check("hostile", "module-hostile")
    for program, backend in library_tests(build):
        if cpus < 2 and program.name in NEED_TWO_CPUS:
            continue
        yield Check(f"lib.{program.name}.{backend}", f"{program.name} {backend}")
    for test in drop_in_tests(build):
        if cpus in test.cpus:
            yield Check(test.name, test.command)
    for strength in ("module", "module-strict"):
        for cpu in range(cpus):
            command = f"stress --strength {strength} --seconds {stress_s} --cpu {cpu}"
            yield Check(f"stress.{strength}.{cpu}", command)
    yield Check("unload", "unload")


def built(file: Path) -> Path:
    """Return the file; PlafondError if it is not there."""
    if not file.exists():
        raise PlafondError(f"{file} is not built: build the whole tree first, with ninja")
    return file


def library_tests(build: Path) -> Iterator[tuple[Path, str]]:
    """The library's tests that know the backend `module`, as its CMake file lists them."""
    for line in built(build / "linux/lib/test/in-vm.txt").read_text().splitlines():
        program, backend = line.split()
        yield Path(program), backend


@dataclass(frozen=True)
class DropInTest:
    """A program that runs with the drop-in; its files have the same paths in the guest as here."""

    name: str
    cpus: frozenset[int]  # of guests in which it is run
    program: str
    argument: str
    variables: tuple[str, ...]

    @property
    def command(self) -> str:
        """The command line."""
        return f"env {' '.join(self.variables)} {self.program} {self.argument}"

    @property
    def files(self) -> Iterator[str]:
        """The program, and the library loaded before it."""
        yield self.program
        for variable in self.variables:
            name, _, value = variable.partition("=")
            if name == "LD_PRELOAD":
                yield from value.split(":")


def drop_in_tests(build: Path) -> Iterator[DropInTest]:
    """The drop-in's tests that are to be run with the module, as its CMake files list them."""
    for line in built(build / "linux/pthread/test/in-vm.txt").read_text().splitlines():
        name, cpus, program, argument, *variables = line.split()
        guests = frozenset(int(count) for count in cpus.split(","))
        yield DropInTest(f"pthread.{name}", guests, program, argument, tuple(variables))


def programs(build: Path, processor: Processor) -> dict[str, Path | bytes]:
    """The files that go into the guest."""
    found = [build / "proof/stress/stress"]
    found += [build / f"linux/module/module-{name}" for name in MODULE_TESTS]
    found += [build / f"linux/run/test/run_test_{name}" for name in RUN_TESTS]
    found += [program for program, _ in library_tests(build)]
    # The C library loads it by itself, at the first pthread_exit().
    unwinder = subprocess.run(
        [f"{processor}-linux-gnu-gcc", "-print-file-name=libgcc_s.so.1"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    run_program = build / "linux/run/plafond-run"  # its tests call it by this path
    preloaded = {file for test in drop_in_tests(build) for file in test.files}
    return {
        **{f"/bin/{path.name}": built(path) for path in found},
        **{file: built(Path(file)) for file in preloaded},
        str(run_program): built(run_program),
        "/lib/libgcc_s.so.1": Path(unwinder),
    }


def run(build: Path, guest: Guest, wanted: list[Check]) -> int:
    """Boot, run, and print a line for each check."""
    files = programs(build, guest.processor)
    commands = [RUN, FRAMES, UNLOAD, *(f"check {check.name} {check.command}" for check in wanted)]
    results = run_in_vm(guest, files, [*commands, "dmesg >/results/dmesg", "true"], LONGEST_S)
    failed = []
    for check in wanted:
        status = results.files.get(f"{check.name}.status", b"did not run").decode().strip()
        print(f"{check.name:<32} {'passed' if status == '0' else f'failed: {status}'}")
        if status != "0":
            failed.append(check.name)
    log = results.files["dmesg"].decode(errors="replace").partition("Run /init")[2]
    if failed or FAULTS.search(log):
        print(log[-3000:])
    for name in failed:  # last, because a long output is cut at its begin
        print(f"{name} failed:", results.files.get(name, b"").decode(errors="replace"))
    if FAULTS.search(log):
        print("the kernel found a fault")
    return FAILED if failed or FAULTS.search(log) else PASSED


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=Path, help="the build tree, with the programs")
    parser.add_argument("--cpus", type=int, choices=(1, 2), default=1)
    parser.add_argument("--kernel", choices=[str(line) for line in KernelLine], default="6.12")
    parser.add_argument(
        "--processor", choices=[str(each) for each in Processor], default=str(Processor.X86_64)
    )
    parser.add_argument("--only", metavar="NAMES", help="those whose names begin so; by commas")
    parser.add_argument(
        "--stress", type=float, default=3, metavar="SECONDS", help="of the guest's, at random (3)"
    )
    arguments = parser.parse_args()
    guest = Guest(
        KernelLine(arguments.kernel),
        cpus=arguments.cpus,
        modules=True,
        processor=Processor(arguments.processor),
    )
    build: Path = arguments.build.resolve()
    prefixes = tuple((arguments.only or "").split(","))
    try:
        known = list(checks(build, arguments.cpus, arguments.stress))
        wanted = [check for check in known if check.name.startswith(prefixes)]
        if not wanted:
            parser.error(f"--only: no name begins with {' or '.join(prefixes)}")
        return run(build, guest, wanted)
    except PlafondError as error:
        print(error, file=sys.stderr)
        return CANNOT_RUN


if __name__ == "__main__":
    sys.exit(main())
