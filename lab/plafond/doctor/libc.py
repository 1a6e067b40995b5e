# SPDX-License-Identifier: MIT
"""The mutex protocols of libc and of the kernel's futexes."""

from plafond.doctor.model import Finding, fail, ok, unknown, warn
from plafond.doctor.probes import Tried

NEEDED = (2, 35)  # for its rseq area
PROTOCOLS = ("prio_inherit", "prio_protect")


def libc(tried: Tried) -> list[Finding]:
    """Return the findings about libc and futexes."""
    return [_version(tried), _protocols(tried), _futexes(tried)]


def _version(tried: Tried) -> Finding:
    topic = "libc"
    if tried.glibc is None:
        return unknown(
            topic, "not glibc, or its version is not known; libplafond needs glibc 2.35 or later"
        )
    numbers = tuple(int(word) for word in tried.glibc.split(".")[:2] if word.isdigit())
    if numbers >= NEEDED:
        return ok(topic, f"glibc {tried.glibc}")
    what = f"glibc {tried.glibc} is too old for libplafond, which needs 2.35"
    return fail(topic, what, "use Debian 12, Ubuntu 22.04 or later")


def _protocols(tried: Tried) -> Finding:
    topic = "pthread mutexes"
    results = {name.upper(): getattr(tried, name) for name in PROTOCOLS}
    if None in results.values():
        return unknown(topic, tried.untried("their protocols"))
    refused = [f"{name} ({error})" for name, error in results.items() if error != "OK"]
    if refused:
        what = f"not in this libc: {', '.join(refused)}; nothing to compare with"
        return warn(topic, what, "use glibc, whose mutexes have both protocols")
    robust = {None: "not tried", "OK": "too"}.get(
        tried.robust_protect, f"{tried.robust_protect}, as is usual"
    )
    return ok(topic, f"{' and '.join(results)}; PRIO_PROTECT with robust: {robust}")


def _futexes(tried: Tried) -> Finding:
    topic = "futexes"
    if tried.futex_lock_pi is None:
        return unknown(topic, tried.untried("FUTEX_LOCK_PI"))
    if tried.futex_lock_pi != "OK":
        what = f"FUTEX_LOCK_PI, on which libplafond waits, is refused ({tried.futex_lock_pi})"
        return fail(topic, what, "boot a kernel with CONFIG_FUTEX_PI, without a filter against it")
    newer = "FUTEX_LOCK_PI2 too" if tried.futex_lock_pi2 == "OK" else "not FUTEX_LOCK_PI2 (5.14)"
    return ok(topic, f"FUTEX_LOCK_PI, on which libplafond waits; {newer}")
