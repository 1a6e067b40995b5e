# SPDX-License-Identifier: MIT
"""Put faults into plafond.ko, and see whether its tests find each of them in a guest.

Every mutant is built for the guest's kernel. A guest tries many mutants in a single boot, in turn,
and two guests run at a time. Exit code: 0 all killed, 1 some survived, 2 there is no guest.

Examples:
  build/venv/bin/python -m proof.module build
  build/venv/bin/python -m proof.module build --protocol lazy-ceiling --format json
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile, copytree
from tempfile import TemporaryDirectory

from plafond.errors import PlafondError
from plafond.prove.model import Fault, Row
from plafond.vm.guest import Guest, KernelLine
from plafond.vm.kernel import Kernel, built_modules, fetched_kernel
from plafond.vm.machine import run_in_vm
from plafond.vm.messages import Message

from proof.module.mutants import LAZY, MUTANTS, POSTPONED, Mutant
from proof.result import (
    KILLED,
    ROOT,
    STILLBORN,
    SURVIVED,
    concluded,
    print_faults,
    print_json,
    row_of,
)

NAME = "proof.module"
PROTOCOLS = (LAZY, POSTPONED)
NOT_KILLED = {"none": SURVIVED, "load": STILLBORN}
SOURCES = ROOT / "linux/module"
LONGEST_S = 7200.0  # finds a hang only
WORKERS = 2  # builders, and guests
WORTH_ANOTHER = 5  # mutants: fewer are built before a second builder is ready
# Checks by name, with their commands in the guest. They run until a check fails; a mutant's `first`
# check runs first.
CHECKS = {
    "rules": "module-rules",
    "mutexes": "insmod /modules/immpc_test.ko",
    "hostile": "module-hostile",
}
TRY = """\
try() {
	mutant=$1
	first=$2
	found=none
	insmod /modules/$mutant.ko || found=load
	for check in $first CHECKS; do
		[ $found = none ] || break
		command=$(cat /checks/$check)
		$command >/dev/null 2>&1 || found=$check
	done
	echo $found | post $mutant
	rmmod immpc_test 2>/dev/null
	rmmod plafond
}""".replace("CHECKS", " ".join(CHECKS))


class Builder:
    """Builds plafond.ko with each fault in turn. Unchanged files are not built again."""

    def __init__(self, kernel: Kernel, tree: Path) -> None:
        """Copy the sources. The kernel's headers must have been prepared before."""
        self._tree = tree
        headers = kernel.folder / f"root/usr/src/linux-headers-{kernel.release}"
        self._command = [
            *("make", "-C", str(headers), f"M={tree}", f"PLAFOND_PROTOCOL={ROOT / 'protocol'}"),
            *("DEB_BUILD_ARCH=amd64", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules"),
        ]
        copytree(SOURCES, tree)
        kbuild = tree / "Kbuild"  # the other modules need no fault
        kbuild.write_text(re.sub("^obj-m .*", "obj-m := plafond.o", kbuild.read_text(), flags=re.M))

    def build(self, mutant: Mutant, module: Path) -> None:
        """Build the mutant, and copy it to the file `module`."""
        source = self._tree / mutant.file
        before = source.read_text()
        mutant.apply(self._tree)
        done = subprocess.run(self._command, capture_output=True, text=True, check=False)
        source.write_text(before)
        if done.returncode != 0:
            raise PlafondError(f"{mutant.what}: it does not build: {done.stderr.strip()[-300:]}")
        copyfile(self._tree / "plafond.ko", module)
        subprocess.run(["strip", "--strip-debug", module], check=True)


def build_all(kernel: Kernel, folder: Path, wanted: list[int]) -> dict[int, Path]:
    """Build these mutants. Mutants of the same file go to the same builder, because its tree is
    reused."""
    modules = {i: folder / f"{i}.ko" for i in wanted}
    by_file = sorted(modules, key=lambda i: MUTANTS[i].file)
    builders = WORKERS if len(wanted) >= WORTH_ANOTHER else 1
    some = -(-len(by_file) // builders)

    def build_share(share: int) -> None:
        builder = Builder(kernel, folder / f"tree{share}")
        for i in by_file[some * share : some * (share + 1)]:
            builder.build(MUTANTS[i], modules[i])

    with ThreadPoolExecutor(builders) as pool:
        list(pool.map(build_share, range(builders)))
    return modules


def programs(build_tree: Path) -> list[Path]:
    """Return the programs that try a module. Raise PlafondError if a program is not built."""
    found = [build_tree / f"linux/module/module-{name}" for name in ("rules", "hostile")]
    for path in found:
        if not path.exists():
            raise PlafondError(f"{path} is not built: build the whole tree first, with ninja")
    return found


def try_some(build_tree: Path, modules: dict[int, Path]) -> dict[int, str]:
    """Return the check that found each mutant. Mutants after a mutant that kills the guest are
    missing."""
    kernel = fetched_kernel(KernelLine.V6_12)
    files: dict[str, Path | bytes] = {f"/bin/{path.name}": path for path in programs(build_tree)}
    files |= {f"/checks/{name}": command.encode() for name, command in CHECKS.items()}
    files |= {f"/modules/{i}.ko": module for i, module in modules.items()}
    files["/modules/immpc_test.ko"] = kernel.folder / "modules/immpc_test.ko"
    found: dict[int, str] = {}

    def keep(message: Message) -> None:
        if message.name.isdigit():
            found[int(message.name)] = message.content.decode().strip()

    tries = [f"try {i} {MUTANTS[i].first}" for i in modules]
    try:
        run_in_vm(Guest(KernelLine.V6_12), files, [TRY, *tries], LONGEST_S, keep)
    except PlafondError as error:
        if "panic" not in str(error):
            raise
        dead = next(i for i in modules if i not in found)
        found[dead] = "the kernel died"
    return found


def try_until_all(build_tree: Path, modules: dict[int, Path]) -> dict[int, str]:
    """Return the check that found each mutant, or "none". If a guest dies, another guest goes
    on."""
    left = dict(modules)
    found: dict[int, str] = {}
    while left:
        found |= try_some(build_tree, left)
        left = {i: module for i, module in left.items() if i not in found}
    return found


def guests(modules: dict[int, Path]) -> list[dict[int, Path]]:
    """Return the mutants of each guest. A guest tries a mutant that makes it useless last.

    The first guest tries half of the other mutants, while its neighbour tries the rest.
    """
    last = [i for i in modules if MUTANTS[i].is_last]
    others = [i for i in modules if not MUTANTS[i].is_last]
    if not last:  # a guest takes longer to boot than to try many
        return [modules]
    half = len(others) // 2
    rest = max(1, len(last) - 1)
    shares = [others[:half], *(others[half:][k::rest] for k in range(rest))]
    for share, end in zip(shares, last, strict=False):
        share.append(end)
    return [{i: modules[i] for i in share} for share in shares]


def try_all(build_tree: Path, modules: dict[int, Path]) -> dict[int, str]:
    """Return the check that found each mutant. Two guests run at a time."""
    with ThreadPoolExecutor(WORKERS) as pool:
        tried = list(pool.map(lambda some: try_until_all(build_tree, some), guests(modules)))
    found = {i: check for each in tried for i, check in each.items()}
    return {i: found[i] for i in modules}


def fault_of(number: int, check: str) -> Fault:
    """Return the verdict on a mutant."""
    verdict = NOT_KILLED.get(check, KILLED)
    return Fault(mutant=MUTANTS[number].what, verdict=verdict, by=check)


def summed_up(protocol: str, found: dict[int, str], began_s: float) -> Row:
    """Return the row of a protocol's mutants."""
    own = [fault_of(i, check) for i, check in found.items() if MUTANTS[i].protocol == protocol]
    scope = (
        f"plafond.ko in a guest with one processor and kernel {KernelLine.V6_12.value}: "
        f"{', '.join(CHECKS)}"
    )
    return row_of(protocol, "module-vm", scope, began_s, faults=own)


def tried(build_tree: Path, wanted: list[int]) -> dict[int, str]:
    """Build these mutants and try them. Raise PlafondError if there is no guest."""
    for i in wanted:
        MUTANTS[i].check(SOURCES)
    programs(build_tree)  # fail before the long build if these are missing
    kernel = fetched_kernel(KernelLine.V6_12)
    built_modules(kernel)
    with TemporaryDirectory(prefix="plafond-mutants-") as scratch:
        return try_all(build_tree, build_all(kernel, Path(scratch), wanted))


def options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog=NAME, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=Path, help="the build tree, with the test programs")
    parser.add_argument("--protocol", choices=PROTOCOLS, help="only this one (both)")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def prove(given: argparse.Namespace) -> bool:
    """Try the mutants. Return whether all are killed."""
    protocols = (given.protocol,) if given.protocol else PROTOCOLS
    began_s = time.monotonic()
    wanted = [i for i, mutant in enumerate(MUTANTS) if mutant.protocol in protocols]
    found = tried(given.build.resolve(), wanted)
    rows = [summed_up(p, found, began_s) for p in protocols]
    is_right = all(row.is_right for row in rows)
    if given.format == "table":
        print_faults([fault for row in rows for fault in row.faults])
    else:
        print_json(NAME, rows, {}, holds=is_right)
    return is_right


if __name__ == "__main__":
    given = options()
    sys.exit(concluded(NAME, lambda: prove(given)))
