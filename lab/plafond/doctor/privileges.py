# SPDX-License-Identifier: MIT
"""The two privileges of a real-time program, and how to get them."""

from dataclasses import dataclass

from plafond.doctor.containers import Container
from plafond.doctor.machine import UNLIMITED, Machine


@dataclass(frozen=True)
class Privilege:
    """A privilege that a capability or a resource limit grants."""

    capability: str
    limit: str  # in /proc/self/limits
    item: str  # in limits.conf and for docker
    flag: str  # of ulimit
    enough: float


SCHEDULE = Privilege("CAP_SYS_NICE", "Max realtime priority", "rtprio", "-r", 99)
LOCK = Privilege("CAP_IPC_LOCK", "Max locked memory", "memlock", "-l", UNLIMITED)


def granted_by(machine: Machine, privilege: Privilege) -> str | None:
    """Return the capability or limit that fully grants a privilege, as far as files show it."""
    if machine.has(privilege.capability):
        return privilege.capability
    limit = machine.limit(privilege.limit)
    if limit and limit[0] >= privilege.enough:
        return f"RLIMIT_{privilege.item.upper()}"
    return None


def how_to_get(machine: Machine, privilege: Privilege, container: Container | None) -> str:
    """Return the line that grants a privilege."""
    limit = machine.limit(privilege.limit)
    enough = "unlimited" if privilege.enough == UNLIMITED else f"{privilege.enough:g}"
    if limit and limit[1] >= privilege.enough:
        return f"ulimit {privilege.flag} {enough}"
    if container and not container.open:
        return _in_container(privilege, container.kind)
    line = f"$USER - {privilege.item} {enough}"
    return f'echo "{line}" | sudo tee -a /etc/security/limits.conf  # log in again'


def _in_container(privilege: Privilege, kind: str) -> str:
    name = privilege.capability.removeprefix("CAP_")
    number = -1 if privilege.enough == UNLIMITED else f"{privilege.enough:g}"
    lines = {
        "kubernetes": f'securityContext: {{capabilities: {{add: ["{name}"]}}}}',
        "lxc": f"lxc.prlimit.{privilege.item} = "
        + ("unlimited" if number == -1 else f"{number}")
        + "  # in the container's config",
        "systemd-nspawn": f"systemd-nspawn --capability={privilege.capability} ...",
    }
    runner = "podman" if kind == "podman" else "docker"
    default = f"{runner} run --cap-add={name} --ulimit {privilege.item}={number} IMAGE"
    return lines.get(kind, default)
