# SPDX-License-Identifier: MIT
"""Lists of CPUs in the form of the kernel: 0-3,8."""

from collections.abc import Iterable


def parse_cpus(text: str) -> frozenset[int] | None:
    """Return the CPUs of a list; None if the text is no list."""
    cpus: set[int] = set()
    try:
        for part in filter(None, text.strip().split(",")):
            first, _, last = part.partition("-")
            cpus.update(range(int(first), int(last or first) + 1))
    except ValueError:  # nohz_full says "(null)" for an empty list
        return None
    return frozenset(cpus)


def format_cpus(cpus: Iterable[int]) -> str:
    """Return the list as the kernel writes it."""
    spans: list[list[int]] = []
    for cpu in sorted(cpus):
        if spans and cpu == spans[-1][-1] + 1:
            spans[-1].append(cpu)
        else:
            spans.append([cpu])
    return ",".join(str(s[0]) if len(s) == 1 else f"{s[0]}-{s[-1]}" for s in spans) or "none"
