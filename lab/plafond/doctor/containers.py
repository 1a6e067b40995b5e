# SPDX-License-Identifier: MIT
"""Whether this is a container, and of which kind."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, warn
from plafond.doctor.probes import Tried
from plafond.doctor.threads import kernel_threads_visible

CGROUP_NAMES = {
    "docker": "docker",
    "libpod": "podman",
    "kubepods": "kubernetes",
    "lxc": "lxc",
    "machine.slice": "systemd-nspawn",
}


@dataclass(frozen=True)
class Container:
    """A kind of container, and the sign that showed it.

    `open`: the threads of the kernel are visible. Either the container has the processes of its
    host, as toolbox and distrobox have, or this is a machine made from an image. Privileges are
    then granted as outside.
    """

    kind: str
    seen_in: str
    open: bool


def find_container(machine: Machine, tried: Tried) -> Container | None:
    """Return the container that this is, by the plainest sign, or None."""
    for kind, seen_in in _signs(machine, tried):
        return Container(kind, seen_in, kernel_threads_visible(machine))
    return None


def container(found: Container | None) -> Finding:
    """Return the finding about the container."""
    if found is None:
        return ok("container", "none found")
    if found.open:
        return ok(
            "container",
            f"{found.seen_in} names {found.kind}, yet the kernel's threads are visible: "
            "a container with its host's processes, or a machine made from an image",
        )
    return warn(
        "container",
        f"in a container ({found.kind}, by {found.seen_in}): its host and other containers may "
        "use the same CPUs",
        _own_cpus(found.kind),
    )


def _signs(machine: Machine, tried: Tried) -> Iterator[tuple[str, str]]:
    if machine.exists(".dockerenv"):
        yield "docker", "/.dockerenv"
    if machine.exists("run/.containerenv"):
        yield "podman", "/run/.containerenv"
    if name := machine.text("run/systemd/container"):
        yield name, "/run/systemd/container"
    for variable in (machine.text("proc/1/environ") or "").split("\0"):
        if variable.startswith("container="):
            yield variable.partition("=")[2], "/proc/1/environ"
    cgroup = machine.text("proc/1/cgroup") or ""
    for part, kind in CGROUP_NAMES.items():
        if re.search(rf"[/:]{re.escape(part)}", cgroup):
            yield kind, "/proc/1/cgroup"
    if tried.container not in (None, "none"):
        yield str(tried.container), "systemd-detect-virt"


def _own_cpus(kind: str) -> str:
    if kind in ("docker", "podman"):
        return f"{kind} run --cpuset-cpus=CPUS IMAGE  # with CPUs that no other container is given"
    return "give it CPUs that no other container is given (cpuset.cpus)"
