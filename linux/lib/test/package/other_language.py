# SPDX-License-Identifier: MIT
"""Use the library by its symbols alone, as a language that cannot read plafond.h does.

usage: other_language.py libplafond.so
"""

import ctypes
import errno
import os
import sys
from collections.abc import Callable

MUTEX_BYTES, COND_BYTES = 32, 40
ROBUST_USER = 1 << 1  # PLF_ROBUST | PLF_BACKEND_USER
ANY_PRIORITY = 0
RECURSIVE = 1  # PLF_MUTEX_RECURSIVE


def main() -> None:
    """Lock, wait and unlock by calls."""
    library = ctypes.CDLL(sys.argv[1])

    def expect(expected: int, function: Callable[..., int], *arguments: object) -> None:
        found = function(*arguments)
        if found != expected:
            sys.exit(f"{function}: found {found}; expected {expected}")

    library.plf_strerror.restype = ctypes.c_char_p
    mutex = ctypes.create_string_buffer(MUTEX_BYTES)
    cond = ctypes.create_string_buffer(COND_BYTES)
    now_ns = ctypes.c_uint64(0)
    expect(0, library.plf_mutex_init, mutex, 40)
    library.plf_cond_init(cond)
    expect(errno.EPERM, library.plf_mutex_lock, mutex)
    expect(0, library.plf_attach, ANY_PRIORITY, min(os.sched_getaffinity(0)), ROBUST_USER)
    expect(0, library.plf_mutex_lock, mutex)
    expect(errno.EDEADLK, library.plf_mutex_lock, mutex)
    expect(errno.EDEADLK, library.plf_mutex_trylock, mutex)
    expect(errno.EBUSY, library.plf_detach)
    expect(errno.ETIMEDOUT, library.plf_cond_timedwait, cond, mutex, now_ns)
    expect(0, library.plf_mutex_unlock, mutex)
    expect(errno.EPERM, library.plf_cond_wait, cond, mutex)
    expect(errno.EPERM, library.plf_mutex_unlock, mutex)
    expect(0, library.plf_mutex_trylock, mutex)
    expect(errno.EDEADLK, library.plf_mutex_timedlock, mutex, now_ns)
    expect(0, library.plf_mutex_unlock, mutex)
    expect(0, library.plf_mutex_timedlock, mutex, now_ns)
    expect(0, library.plf_mutex_unlock, mutex)
    expect(0, library.plf_mutex_settype, mutex, RECURSIVE)
    expect(0, library.plf_mutex_lock, mutex)
    expect(0, library.plf_mutex_lock, mutex)
    expect(0, library.plf_mutex_unlock, mutex)
    expect(0, library.plf_mutex_unlock, mutex)
    expect(errno.EPERM, library.plf_mutex_unlock, mutex)
    expect(0, library.plf_wake_hook)
    expect(0, library.plf_detach)
    print(library.plf_strerror(errno.EXDEV).decode())
    print(library.plf_strerror(errno.ENOMEM).decode())
    print(library.plf_strerror(-1).decode())


main()
