# SPDX-License-Identifier: MIT
"""Whether memory stays in place, and whether there is enough."""

from plafond.doctor.containers import Container
from plafond.doctor.machine import UNLIMITED, Machine
from plafond.doctor.model import Finding, fail, ok, unknown, warn
from plafond.doctor.privileges import LOCK, granted_by, how_to_get
from plafond.doctor.probes import Tried

ENOUGH_KIB = 256 << 10
HUGE_PAGES = "sys/kernel/mm/transparent_hugepage/enabled"


def memory(machine: Machine, tried: Tried, container: Container | None) -> list[Finding]:
    """Return the findings about memory."""
    return [locking(machine, tried, container), _free(machine), _swap(machine), _huge(machine)]


def locking(machine: Machine, tried: Tried, container: Container | None) -> Finding:
    """Return whether mlockall() is granted, and more memory for threads after it."""
    topic = "locked memory"
    change = how_to_get(machine, LOCK, container)
    limit = machine.limit(LOCK.limit)
    limited = f"RLIMIT_MEMLOCK is {_size(limit[0])}" if limit else "RLIMIT_MEMLOCK is not known"
    if tried.lock_memory is None:
        return fail(topic, tried.untried("locking memory"), None)
    if tried.lock_memory != "OK":
        return fail(topic, f"memory cannot be locked ({tried.lock_memory}); {limited}", change)
    if tried.lock_more not in (None, "OK"):
        what = f"can be locked, but not 64 MiB more, eight threads' stacks: {limited}"
        return warn(topic, what, change)
    by = granted_by(machine, LOCK) or limited
    return ok(topic, f"all memory can be locked ({by})")


def _free(machine: Machine) -> Finding:
    words = (machine.field("proc/meminfo", "MemAvailable") or "").split()
    if not words or not words[0].isdigit():
        return unknown("free memory", "not in /proc/meminfo")
    text = f"{_size(int(words[0]) * 1024)} available"
    if int(words[0]) < ENOUGH_KIB:
        what = f"only {text}; locked memory is taken at once"
        return warn(
            "free memory", what, "end what needs memory: ps -eo rss,pid,comm --sort=-rss | head"
        )
    return ok("free memory", text)


def _swap(machine: Machine) -> Finding:
    lines = machine.text("proc/swaps")
    if lines is None:
        return unknown("swap", "/proc/swaps is not readable")
    devices = [line.split()[0] for line in lines.splitlines()[1:] if line.split()]
    if not devices:
        return ok("swap", "off")
    text = f"on ({', '.join(devices)}): what is not locked may have to be fetched from disk"
    return warn("swap", text, "sudo swapoff -a")


def _huge(machine: Machine) -> Finding:
    modes = machine.text(HUGE_PAGES) or ""
    chosen = modes.partition("[")[2].partition("]")[0]
    if not chosen:
        return unknown("huge pages", "transparent huge pages are not in this kernel, or not known")
    if chosen != "always":
        return ok("huge pages", f"transparent huge pages: {chosen}")
    text = "transparent huge pages: always; khugepaged may hold a thread while it moves its memory"
    return warn("huge pages", text, f"echo madvise | sudo tee /{HUGE_PAGES}")


def _size(size: float) -> str:
    if size == UNLIMITED:
        return "unlimited"
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size:.0f} bytes"
