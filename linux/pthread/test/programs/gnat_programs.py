# SPDX-License-Identifier: MIT
"""Build programs of GCC's own Ada tests, as they are, with ceiling locking.

They are unpacked from the archive in Debian's gcc-12-source. The tests of ACATS, the conformity
tests of the language, have tasks and protected objects. GNAT's test_prio has ceilings below the
priority of a task, which must raise Program_Error. Only the configuration is chosen here:
ceiling.adc, which a compiler uses for all units of a program.

Example:
  build/venv/bin/python linux/pthread/test/programs/gnat_programs.py ARCHIVE FOLDER
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CONFIGURATION = Path(__file__).with_name("ceiling.adc")
TEST_SUITE = "gcc/testsuite"
ACATS = f"{TEST_SUITE}/ada/acats"
# Reports the verdict, and the length of a tick here.
SUPPORT = tuple(f"{ACATS}/support/{name}" for name in ("repspec.ada", "repbody.ada", "impdef.a"))
# The package of impdef.a names a C object, relative to the build folder.
C_OBJECT = (f"{ACATS}/tests/cd/cd300051.c", "ACATS4GNATDIR/support/cd300051.o")
CONFORMITY = (
    "c940007",  # protected operations that are called out of each other
    "c940013",  # entry queues, first in first out
    "c951002",  # barriers
    "c953001",  # an exception in a barrier
    "c953002",  # open entries are served in one protected action
    "c953003",  # a family of entries
    "c954010",  # requeue, by and from tasks and protected objects: to
    "c954011",
    "c954012",
    "c954013",
    "c954014",
    "c954015",
    "c954020",
    "c954021",
    "c954023",
    "c974011",  # asynchronous transfer of control
)
OWN = "test_prio"
OWN_FILES = tuple(f"{TEST_SUITE}/gnat.dg/{OWN}{end}" for end in (".adb", "_p.adb", "_p.ads"))


def test_file(name: str) -> str:
    """Return where the archive has the conformity test of that name."""
    return f"{ACATS}/tests/c9/{name}.a"


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack only the needed files, and return the folder of the compiler's sources."""
    top = archive.name.removesuffix("-dfsg.tar.xz")
    wanted = [*SUPPORT, C_OBJECT[0], *OWN_FILES, *(test_file(name) for name in CONFORMITY)]
    # --occurrence stops at the last of these files, long before the end of the archive.
    unpacking = ["tar", "--extract", "--file", str(archive), "--directory", str(folder)]
    call(*unpacking, "--occurrence", *(f"{top}/{name}" for name in wanted))
    return folder / top


def call(*command: str, folder: Path | None = None) -> None:
    """Run a command. If it fails, print its output."""
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"{' '.join(command)}\n{ended.stdout}{ended.stderr}")


def build(name: str, sources: list[Path], support: Path, out: Path) -> None:
    """Build the program `name` from its sources, with each unit in a separate file."""
    folder = out / "units" / name
    folder.mkdir(parents=True)
    call("gnatchop", "-c", "-w", "-q", *(str(source) for source in sources), str(folder))
    call(
        *("gnatmake", "-q", "-gnatws", "-gnat95", f"-gnatec={CONFIGURATION}"),
        *(f"-I{support}", "-D", str(folder), f"{folder / name}.adb", "-o", str(out / name)),
        folder=support,
    )


def main() -> None:
    """Unpack and build them all, two at a time."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path, help="sources of GCC, .tar.xz")
    parser.add_argument("folder", type=Path, help="where the programs come to lie; made anew")
    arguments = parser.parse_args()
    out: Path = arguments.folder.absolute()
    shutil.rmtree(out, ignore_errors=True)
    support = out / "support"
    support.mkdir(parents=True)
    gcc = unpack(arguments.archive, out)

    call("gnatchop", "-q", *(str(gcc / name) for name in SUPPORT), str(support))
    c_source, c_object = C_OBJECT
    (support / c_object).parent.mkdir(parents=True)
    call("gcc", "-c", str(gcc / c_source), "-o", str(support / c_object))
    call("gnatmake", "-q", "-c", "-gnatws", f"-gnatec={CONFIGURATION}", "report.adb", "impdef.adb",
         folder=support)  # fmt: skip
    sources = {name: [gcc / test_file(name)] for name in CONFORMITY}
    sources[OWN] = [gcc / name for name in OWN_FILES]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for built in [pool.submit(build, *of, support, out) for of in sources.items()]:
            built.result()


if __name__ == "__main__":
    main()
