# SPDX-License-Identifier: MIT
"""Faults in code that the sweep does not run: alarms, hooks, protection, the start, the port a53.

Each fault is put into a copy of the sources. The image of a program of kernel/test, built from this
copy, must fail. It need not if the fault is argued, or if it is generated and the image is the
same.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from plafond.prove.model import ARGUED, Extent, Row
from plafond.prove.model import Fault as Fate

from proof.boundary.command import Options
from proof.boundary.image import CannotBuildError
from proof.certificate import (
    FOLDER,
    Certificate,
    Found,
    Reliance,
    digest,
    digest_of,
    units_of,
)
from proof.kernel.a53 import A53
from proof.kernel.answers import ANSWERS
from proof.kernel.applications import APPLICATIONS
from proof.kernel.cores import CORES
from proof.kernel.expiries import EXPIRIES
from proof.kernel.globals import GLOBALS
from proof.kernel.hardware import HARDWARE
from proof.kernel.in_image import fault_in
from proof.kernel.iocs import IOCS
from proof.kernel.messages import MESSAGES
from proof.kernel.nesting import NESTING
from proof.kernel.owned import OWNED
from proof.kernel.protected import PROTECTED
from proof.kernel.refused import REFUSED
from proof.kernel.routines import ROUTINES
from proof.kernel.servers import SERVERS
from proof.kernel.spins import SPINS
from proof.kernel.start import START
from proof.kernel.tables import TABLES
from proof.kernel.timing import TIMING
from proof.kernel.trusted import TRUSTED
from proof.kernel.waiting import WAITING
from proof.prover import compilers, packages, version_of
from proof.result import (
    EQUIVALENT,
    KILLED,
    ROOT,
    SAME_CODE,
    STILLBORN,
    SURVIVED,
    print_faults,
    row_of,
)

ORIGINAL = -1
SAME = "the same"  # verdict: the image equals the image without the fault
EQUIVALENTS = ROOT / "proof/kernel/equivalent.toml"
SMALL = "a fault a file"
ROOMS = ("protocol", "kernel", "proof", "lab/plafond")
ROW = "kernel, core"
EMULATOR = "qemu-system-aarch64"
PROVER = ("proof/kernel/images.py", "kernel/test/bounded.py")
_HUNG = re.compile(r"hung: .*")  # without the time, which differs between runs


_ALARMS, _TIMER = "alarms-sim-standard-uprio-nprio", "timer-sim-standard-uprio-nprio"
_EDF, _HOOKS = "edf_alarms-sim-standard-lazy-floor", "hooks-sim-standard-uprio-nprio"
_AUTOSTART, _REGISTERS = (
    "autostart-sim-standard-uprio-nprio",
    "registers-a53-standard-uprio-nprio",
)
_CHAIN = "chain-sim-standard-uprio-nprio"
_MISUSE = "misuse-sim-standard-syscall"
_MISUSE_EDF = "misuse_edf-sim-standard-deadline-floor"
_CONSOLE = "misuse_console-sim-standard-uprio-nprio"
_STATUS = "resource_status-sim-extended-uprio-nprio"
_VECTORS = "ports/a53/vectors.S"

FAULTS = (
    fault_in(
        "console.c",
        "a task may write as much as it likes",
        "\tif (size > PLF_CONSOLE_MOST)\n\t\treturn plf_status(E_OS_VALUE);\n",
        "",
        _CONSOLE,
    ),
    fault_in(
        "console.c",
        "a text at NULL is one",
        "\tif (!address)\n\t\treturn plf_status(E_OS_PARAM_POINTER);\n",
        "",
        _CONSOLE,
    ),
    fault_in(
        "console.c", "no text is one that may not be read", "size > 0 && ", "!size || ", _CONSOLE
    ),
    fault_in(
        "expiry.h",
        "an alarm that was taken out counts as set",
        "\tplf_alarms[index].is_set = false;\n",
        "",
        _ALARMS,
    ),
    fault_in(
        "expiry.h",
        "of two alarms that expire together the one set last is first",
        "expires <= alarm->expires)",
        "expires < alarm->expires)",
        _ALARMS,
    ),
    fault_in(
        "alarm.c", "an alarm expires a tick late", "expires <= now) {", "expires < now) {", _ALARMS
    ),
    fault_in(
        "alarm.c",
        "a cycle is run through once",
        "\t\tif (alarm->cycle) {\n",
        "\t\tif (alarm->cycle && !now) {\n",
        _ALARMS,
    ),
    fault_in(
        "task_signal.h",
        "an alarm activates where it should set events",
        "\tif (events)\n",
        "\tif (events && !task)\n",
        _ALARMS,
    ),
    fault_in(
        "alarm.c",
        "any start is allowed",
        "\tif (start < least || start > counter->highest)\n\t\treturn E_OS_VALUE;\n",
        "\t(void)start, (void)least;\n",
        _ALARMS,
    ),
    fault_in(
        "alarm.c",
        "any cycle is allowed",
        "\tif (cycle && (cycle < counter->min_cycle || cycle > counter->highest))\n"
        "\t\treturn E_OS_VALUE;\n",
        "\t(void)cycle;\n",
        _ALARMS,
    ),
    fault_in(
        "alarm.c",
        "an alarm that is set can be set again",
        "\treturn plf_alarms[index].is_set ? E_OS_STATE : E_OK;\n",
        "\treturn E_OK;\n",
        _ALARMS,
    ),
    fault_in(
        "expiry.h",
        "the value that the counter has now is reached at once",
        "now + (distance ? distance : values)",
        "now + distance",
        _ALARMS,
    ),
    fault_in(
        "alarm.c",
        "GetAlarm returns when, not how long",
        "plf_alarms[index].expires - now : 0",
        "plf_alarms[index].expires : 0",
        _ALARMS,
    ),
    fault_in(
        "alarm.c",
        "alarms of autostart are not set",
        "\t\tif (plf_starts_in(config->modes) && plf_is_own_alarm(core, index))\n",
        "\t\tif (plf_starts_in(config->modes) && !config->first)\n",
        _AUTOSTART,
    ),
    fault_in(
        "alarm.c",
        "EDF: an arrival is when the kernel handles it",
        "\tif (tick_ns)\n\t\tplf_arrived(",
        "\tif (tick_ns && !alarm)\n\t\tplf_arrived(",
        _EDF,
    ),
    fault_in(
        "alarm.c",
        "the timer is not set again",
        "\tplf_expire_all(core);\n\tplf_set_timer();\n",
        "\tplf_expire_all(core);\n",
        _TIMER,
    ),
    fault_in(
        "alarm.h",
        "IncrementCounter counts nothing",
        "\tplf_counters[counter].ticks++;\n",
        "",
        _ALARMS,
    ),
    fault_in(
        "alarm.h",
        "IncrementCounter lets nothing expire",
        "\tplf_expire(counter);\n",
        "",
        _ALARMS,
    ),
    fault_in(
        "counter.c",
        "IncrementCounter preempts no task",
        "\tplf_preempt_if_due(core);\n",
        "\t(void)core;\n",
        _ALARMS,
    ),
    fault_in(
        "due.h",
        "the timer is set for the last alarm",
        "\t\t    plf_next_of_counter_ns(counter, list) < first_ns)\n",
        "\t\t    plf_next_of_counter_ns(counter, list) >= first_ns)\n",
        _TIMER,
    ),
    fault_in(
        "error.c",
        "ErrorHook is called for its own errors",
        "!(core->place & (PLF_IN_ERROR_HOOK | PLF_IN_SHUTDOWN_HOOK))",
        "core->place",
        _HOOKS,
    ),
    fault_in(
        "error.c", "ErrorHook does not learn the service", "(OSServiceIdType)service;", "0;", _HOOKS
    ),
    fault_in("hook.h", "no PreTaskHook", "\tif (PLF_PRETASK_HOOK) {\n", "\tif (0) {\n", _HOOKS),
    fault_in("hook.h", "no PostTaskHook", "\tif (PLF_POSTTASK_HOOK) {\n", "\tif (0) {\n", _HOOKS),
    fault_in(
        "os.c",
        "tasks of autostart are not activated",
        "\t\tif (plf_starts_in(plf_task_config[index].modes) &&\n",
        "\t\tif (plf_starts_in(plf_task_config[index].modes) && index > PLF_TASKS &&\n",
        _AUTOSTART,
    ),
    fault_in(
        "task.c",
        "a task that is chained begins with what the caller left",
        "\tleave_activation(core);\n\tif (next == task)\n",
        "\tif (next == task)\n",
        _CHAIN,
    ),
    fault_in(
        _VECTORS,
        "x30 is not saved at a call",
        "\tldr\tx30, [sp, #PLF_TOP_LINK]\n\tmove_two stp, 0, 1\n",
        "\tmove_two stp, 0, 1\n",
        _REGISTERS,
    ),
    fault_in(
        _VECTORS,
        "x18 is lost in an interrupt",
        "leave_interrupt:\n\tlost\tldp\n\tldr\tx18, [x16, #PLF_CONTEXT_X + 8 * 18]\n",
        "leave_interrupt:\n\tlost\tldp\n",
        _REGISTERS,
    ),
    fault_in(
        _VECTORS,
        "a new task finds another's registers",
        "\tclear\t0, 1\n\tclear\t4, 29\t\t\t/* x2, x3: its own */\n",
        "\tclear\t0, 1\n",
        _REGISTERS,
    ),
    fault_in(
        _VECTORS,
        "a call leaves the kernel's registers to the task",
        "\tclear\t2, 17\n",
        "",
        _REGISTERS,
    ),
    fault_in(
        _VECTORS,
        "TPIDR_EL0 goes from task to task",
        "\tmsr\tsp_el0, x3\n\tmsr\ttpidr_el0, x5\n",
        "\tmsr\tsp_el0, x3\n",
        _REGISTERS,
    ),
    fault_in(
        "resource/plf_level_called.h",
        "a release makes a task less urgent than it is",
        "level < urgency->base || level > urgency->level",
        "level > urgency->level",
        _MISUSE,
    ),
    fault_in(
        "resource/plf_level_called.h",
        "a release makes a task more urgent",
        "level < urgency->base || level > urgency->level",
        "level < urgency->base",
        _MISUSE,
    ),
    fault_in(
        "resource/deadline-floor/plf_level.h",
        "a release gives a task any later deadline",
        "plf_is_earlier(before, t->deadline) || plf_is_earlier(t->own, before)",
        "plf_is_earlier(before, t->deadline)",
        _MISUSE_EDF,
    ),
    fault_in(
        "resource/deadline-floor/plf_level.h",
        "a release gives a task any earlier deadline",
        "plf_is_earlier(before, t->deadline) || plf_is_earlier(t->own, before)",
        "plf_is_earlier(t->own, before)",
        _MISUSE_EDF,
    ),
    fault_in(
        "resource/plf_checks.h",
        "user code does not know that interrupts are held back",
        "\t\tplf_store32(&core->words->checks.masked, masked);\n",
        "\t\t(void)core, (void)masked;\n",
        _STATUS,
    ),
    *A53,
    *CORES,
    *HARDWARE,
    *GLOBALS,
    *SPINS,
    *SERVERS,
    *START,
    *ANSWERS,
    *EXPIRIES,
    *REFUSED,
    *ROUTINES,
    *TABLES,
    *MESSAGES,
    *APPLICATIONS,
    *OWNED,
    *TRUSTED,
    *PROTECTED,
    *IOCS,
    *NESTING,
    *TIMING,
    *WAITING,
)


def _share(wanted: list[int]) -> dict[int, str]:
    """Try these faults in a separate tree. First run their images without a fault."""
    with tempfile.TemporaryDirectory(prefix="plafond-core-") as folder:
        tree = Path(folder)
        for room in ROOMS:
            shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
        tries = [f"{image} {ORIGINAL}" for image in sorted({FAULTS[i].image for i in wanted})]
        tries += [f"{FAULTS[i].image} {i}" for i in wanted]
        paths = (str(tree / room) for room in ("", "lab", "kernel/test"))
        done = subprocess.run(
            [sys.executable, "-m", "proof.kernel.images", str(tree)],
            input="\n".join(tries),
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": ":".join(paths)},
        )
        if done.returncode != 0:
            raise CannotBuildError(done.stderr.strip()[-500:])
    found: dict[int, str] = {}
    for line in done.stdout.splitlines():
        number, _, ending = line.partition(" ")
        if int(number) == ORIGINAL and ending:
            raise CannotBuildError(f"an image without a fault {ending}")
        found[int(number)] = ending
    return found


def _tried(wanted: list[int], workers: int) -> dict[int, str]:
    """How each image ended. One worker builds all images of a program."""
    order = sorted(wanted, key=lambda i: FAULTS[i].image)
    size = max(1, -(-len(order) // workers))
    shares = [order[i : i + size] for i in range(0, len(order), size)]
    with ThreadPoolExecutor(workers) as pool:
        return {i: ending for found in pool.map(_share, shares) for i, ending in found.items()}


def _inputs(labels: set[str]) -> dict[str, str]:
    """For each image, a hash of everything that it is made of and that runs it."""
    paths = (str(ROOT / room) for room in ("", "lab", "kernel/test"))
    done = subprocess.run(
        [sys.executable, "-m", "proof.kernel.image_inputs", str(ROOT)],
        input="\n".join(sorted(labels)),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ":".join(paths)},
    )
    if done.returncode != 0:
        raise CannotBuildError(done.stderr.strip()[-500:])
    hashes = (line.split() for line in done.stdout.splitlines())
    return {label: digest(hashed, _emulator(label)) for label, hashed in hashes}


def _emulator(label: str) -> str:
    """The emulator's version; the simulated board needs no emulator."""
    return "" if "-sim-" in label else version_of(EMULATOR)


def _certificate(reliance: Reliance) -> Certificate:
    prover = {
        **packages(),
        **compilers(["gcc", "aarch64-linux-gnu-gcc"]),
        "libc": " ".join(platform.libc_ver()),
        **{file: digest_of(ROOT / file) for file in PROVER},
    }
    return Certificate(ROW, FOLDER / "kernel/core.jsonl", prover, reliance)


def _key(number: int) -> str:
    fault = FAULTS[number]
    return f"{Path(fault.file).name}:{fault.name}"


def _fate(number: int, ending: str, arguments: Mapping[str, str]) -> Fate:
    fault, key = FAULTS[number], _key(number)
    verdict, by = KILLED, f"{fault.image} {ending}"
    if ending == SAME:
        verdict, by = SAME_CODE, "the compilers make the same machine code of it"
    elif ending.startswith("stillborn"):
        verdict = STILLBORN
    elif not ending:
        argued = key in arguments
        verdict, by = (EQUIVALENT, arguments[key]) if argued else (SURVIVED, fault.image)
    return Fate(mutant=key, verdict=verdict, by=by)


def _asked(number: int, arguments: Mapping[str, str], found: Found) -> str:
    """A hash of the fault and of the program that must find it."""
    mutant = FAULTS[number].mutant(ROOT)
    before = (ROOT / mutant.file).read_bytes()[mutant.start : mutant.end]
    argument = "" if found.get("verdict") == KILLED else arguments.get(_key(number), "")
    edit = (mutant.file, before, mutant.text)
    return digest(*sorted(found), *edit, FAULTS[number].image, argument)


class _PutIn:
    """A fault, as a unit of the certificate."""

    def __init__(self, unit: str, number: int, code: str, arguments: Mapping[str, str]) -> None:
        self.unit, self.number, self.code = unit, number, code
        self._arguments = arguments

    def asked(self, found: Found) -> str:
        return _asked(self.number, self._arguments, found)

    def fate(self, found: Found) -> Fate:
        return Fate(mutant=_key(self.number), verdict=str(found["verdict"]), by=str(found["by"]))


def _put_in(
    chosen: list[int], arguments: Mapping[str, str], certificate: Certificate, workers: int
) -> dict[int, Fate]:
    """The fates: from the certificate if it has them, else from a trial."""
    inputs = _inputs({FAULTS[i].image for i in chosen}) if certificate.is_used else {}
    units = units_of("mutant", map(_key, range(len(FAULTS))))
    put_in = [_PutIn(units[i], i, inputs.get(FAULTS[i].image, ""), arguments) for i in chosen]
    fates: dict[int, Fate] = {}
    for each in put_in:
        image = FAULTS[each.number].image  # all its faults are drawn together
        certified = certificate.taken_of_code(each.unit, each.asked, each.code, image)
        if certified is not None:
            fates[each.number] = each.fate(certified)
    opened = [each for each in put_in if each.number not in fates]
    found = _tried([each.number for each in opened], workers)
    for each in opened:
        fate = fates[each.number] = _fate(each.number, found.get(each.number, ""), arguments)
        if fate.verdict == KILLED or fate.verdict in ARGUED:
            now = {"verdict": fate.verdict, "by": _HUNG.sub("hung", fate.by)}
            certificate.found(each.unit, each.asked(now), each.code, now)
    return fates


def _small() -> set[int]:
    """The quick part: one fault of each file.

    The programs with faults of the most files come first. So few programs suffice, which saves
    builds without a fault.
    """
    most = Counter(image for _, image in {(each.file, each.image) for each in FAULTS})
    found: dict[str, int] = {}
    for i in sorted(range(len(FAULTS)), key=lambda i: -most[FAULTS[i].image]):
        found.setdefault(FAULTS[i].file, i)
    return set(found.values())


def _chosen(wanted: Options) -> list[int]:
    small = _small()
    return [
        i
        for i, each in enumerate(FAULTS)
        if wanted.only in each.name and wanted.extent.takes(i in small)
    ]


def core(wanted: Options) -> Iterator[Row]:
    """Yield the row if it is wanted."""
    chosen = _chosen(wanted)
    if not wanted.mutants or wanted.protocol not in (None, "kernel") or not chosen:
        return
    started = time.monotonic()
    arguments: dict[str, str] = tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))
    tries_argued = wanted.extent.tries_argued
    put_in = [i for i in chosen if tries_argued or _key(i) not in arguments]
    certificate = _certificate(wanted.reliance)
    found = _put_in(put_in, arguments, certificate, wanted.workers)
    fates = [found[i] if i in found else _fate(i, "", arguments) for i in chosen]
    if wanted.as_table:
        print_faults(fates)
    names = {FAULTS[i].image.split("-")[0] for i in chosen}
    part = wanted.extent.label(SMALL)
    row = row_of(
        "kernel",
        "core",
        f"{part}{len(names)} programs of kernel/test on the boards sim and a53",
        started,
        faults=fates,
    )
    is_whole = wanted.extent is Extent.WHOLE and not wanted.only
    yield certificate.certified(row, is_whole=is_whole)
