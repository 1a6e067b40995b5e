# SPDX-License-Identifier: MIT
"""Try calls that may be refused, in a separate process: probes.py runs this file as a script.

Each result is printed at once as a line of JSON. So it survives if a signal or a limit ends the
process. A result is "OK", a value, or the name of an error. Only the standard library is used,
because the script runs without site-packages.
"""

import ctypes
import errno
import json
import mmap
import os
import platform
import resource
import signal
from collections.abc import Callable

LONGEST_SECONDS = 5
LONGEST_RT_MICROSECONDS = 100_000
ROOM_BYTES = 64 << 20  # eight threads with stacks of the usual 8 MiB

FUTEX_LOCK_PI = 6
FUTEX_LOCK_PI2 = 13
FUTEX_PRIVATE = 128
SYS_FUTEX = {"x86_64": 202, "aarch64": 98, "riscv64": 98}
MCL_CURRENT_AND_FUTURE = 3
PTHREAD_MUTEX_ROBUST = 1
PTHREAD_PRIO_INHERIT = 1
PTHREAD_PRIO_PROTECT = 2
OPAQUE_BYTES = 256  # more than any pthread_mutex_t or pthread_mutexattr_t

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Try everything. Locking memory is last, because it may leave no memory to go on with."""
    _bound()
    _report("glibc", _glibc)
    _report("pin", _pin)
    _report("highest_priority", _highest_priority)
    _report("prio_inherit", lambda: _mutex(PTHREAD_PRIO_INHERIT))
    _report("prio_protect", lambda: _mutex(PTHREAD_PRIO_PROTECT))
    _report("robust_protect", lambda: _mutex(PTHREAD_PRIO_PROTECT, robust=True))
    _report("futex_lock_pi", lambda: _futex(FUTEX_LOCK_PI))
    _report("futex_lock_pi2", lambda: _futex(FUTEX_LOCK_PI2))
    _report("lock_memory", _lock_memory)
    _report("lock_more", _lock_more)


def _bound() -> None:
    signal.alarm(LONGEST_SECONDS)
    _limit(resource.RLIMIT_CPU, LONGEST_SECONDS)
    _limit(resource.RLIMIT_RTTIME, LONGEST_RT_MICROSECONDS)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY or value < hard:
        resource.setrlimit(kind, (value, value))


def _report(name: str, probe: Callable[[], str | int | None]) -> None:
    try:
        result = probe()
    except OSError as error:
        result = _name(error.errno)
    except (AttributeError, MemoryError, ValueError):  # no such function here, or no room
        result = None
    print(json.dumps({name: result}), flush=True)


def _name(number: int | None) -> str:
    return "OK" if number == 0 else errno.errorcode.get(number or 0, f"error {number}")


def _glibc() -> str:
    version = libc.gnu_get_libc_version
    version.restype = ctypes.c_char_p
    return str(version().decode())


def _pin() -> str:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return "OK"


def _highest_priority() -> int:
    """Return the highest SCHED_FIFO priority that is granted, 0 if none, and leave it at once."""
    for priority in range(os.sched_get_priority_max(os.SCHED_FIFO), 0, -1):
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
        except PermissionError:
            continue
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        return priority
    return 0


def _mutex(protocol: int, robust: bool = False) -> str:
    attributes = ctypes.create_string_buffer(OPAQUE_BYTES)
    mutex = ctypes.create_string_buffer(OPAQUE_BYTES)
    error = libc.pthread_mutexattr_init(attributes)
    error = error or libc.pthread_mutexattr_setprotocol(attributes, protocol)
    if robust:
        error = error or libc.pthread_mutexattr_setrobust(attributes, PTHREAD_MUTEX_ROBUST)
    return _name(error or libc.pthread_mutex_init(mutex, attributes))


def _futex(operation: int) -> str | None:
    """Lock a word that no other process knows, by the system call alone."""
    if platform.machine() not in SYS_FUTEX:
        return None
    word = ctypes.c_uint32(0)
    number = ctypes.c_long(SYS_FUTEX[platform.machine()])
    ctypes.set_errno(0)
    libc.syscall(number, ctypes.byref(word), operation | FUTEX_PRIVATE, 0, None, None, 0)
    return _name(ctypes.get_errno())


def _lock_memory() -> str:
    ctypes.set_errno(0)
    libc.mlockall(MCL_CURRENT_AND_FUTURE)
    return _name(ctypes.get_errno())


def _lock_more() -> str:
    """Map more locked memory without access to it, so that it is counted but not filled."""
    try:
        with mmap.mmap(-1, ROOM_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0):
            return "OK"
    finally:
        libc.munlockall()


if __name__ == "__main__":
    main()
