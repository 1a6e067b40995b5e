# SPDX-License-Identifier: MIT
"""The files in which a machine describes itself. A missing or unreadable file gives None."""

import gzip
import re
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from plafond.doctor.cpulist import parse_cpus

CPU = "sys/devices/system/cpu"
CAPABILITIES = {"CAP_IPC_LOCK": 14, "CAP_SYS_ADMIN": 21, "CAP_SYS_NICE": 23, "CAP_PERFMON": 38}
UNLIMITED = float("inf")
ALL_USERS = ["0", "0", str(2**32 - 1)]


class Machine:
    """The files below a root folder: `/`, or an imitation for tests."""

    def __init__(self, root: Path = Path("/")) -> None:
        """Look below `root`."""
        self.root = root

    def text(self, path: str) -> str | None:
        """Return a file without the white space around it."""
        try:
            return (self.root / path).read_bytes().decode(errors="replace").strip()
        except (OSError, ValueError):  # ValueError: no valid name
            return None

    def number(self, path: str) -> int | None:
        """Return the integer in a file."""
        try:
            return int(self.text(path) or "")
        except ValueError:
            return None

    def exists(self, path: str) -> bool:
        """Return whether the file exists, as far as can be seen."""
        try:
            return (self.root / path).exists()
        except (OSError, ValueError):
            return False

    def names(self, path: str) -> list[str]:
        """Return the names in a folder."""
        try:
            return sorted(entry.name for entry in (self.root / path).iterdir())
        except OSError:
            return []

    def numbered(self, path: str, prefix: str) -> list[int]:
        """Return N of each `prefix`N in a folder."""
        pattern = re.compile(re.escape(prefix) + r"(\d+)")
        matches = (pattern.fullmatch(name) for name in self.names(path))
        return sorted(int(match[1]) for match in matches if match)

    def field(self, path: str, name: str) -> str | None:
        """Return the rest of the line that begins with `name:`."""
        for line in (self.text(path) or "").splitlines():
            key, colon, value = line.partition(":")
            if colon and key.strip() == name:
                return value.strip()
        return None

    def cpus(self, path: str) -> frozenset[int] | None:
        """Return the CPUs of a file such as `0-3,8`."""
        text = self.text(path)
        return None if text is None else parse_cpus(text)

    @cached_property
    def online(self) -> frozenset[int]:
        """The CPUs that are online."""
        return self.cpus(f"{CPU}/online") or frozenset(self.numbered(CPU, "cpu"))

    @cached_property
    def isolated(self) -> frozenset[int]:
        """The CPUs that the scheduler leaves to threads pinned there."""
        return self.cpus(f"{CPU}/isolated") or frozenset()

    @cached_property
    def allowed(self) -> frozenset[int] | None:
        """The CPUs on which this process may run now."""
        return parse_cpus(self.field("proc/self/status", "Cpus_allowed_list") or "")

    @cached_property
    def usable(self) -> list[int]:
        """The CPUs on which a task may be pinned, isolated CPUs included."""
        return sorted(((self.allowed or self.online) | self.isolated) & self.online)

    def has(self, capability: str) -> bool:
        """Return whether this process has a capability for the whole machine."""
        users = (self.text("proc/self/uid_map") or " ".join(ALL_USERS)).split()
        return self.holds(capability) and users == ALL_USERS

    def holds(self, capability: str) -> bool:
        """Return whether this process has a capability, even if only in its user namespace."""
        try:
            mask = int(self.field("proc/self/status", "CapEff") or "0", 16)
        except ValueError:
            return False
        return bool(mask >> CAPABILITIES[capability] & 1)

    def limit(self, name: str) -> tuple[float, float] | None:
        """Return a resource limit of this process: (soft, hard)."""
        for line in (self.text("proc/self/limits") or "").splitlines():
            match = re.match(re.escape(name) + r"\s+(\d+|unlimited)\s+(\d+|unlimited)\b", line)
            if match:
                soft, hard = (
                    UNLIMITED if word == "unlimited" else int(word) for word in match.groups()
                )
                return soft, hard
        return None

    @cached_property
    def release(self) -> tuple[int, int] | None:
        """The version of the kernel, such as (6, 12)."""
        match = re.match(r"(\d+)\.(\d+)", self.text("proc/sys/kernel/osrelease") or "")
        return (int(match[1]), int(match[2])) if match else None

    def option(self, name: str) -> bool | None:
        """Return whether the kernel was built with CONFIG_`name`."""
        if self._config is None:
            return None
        return f"CONFIG_{name}=y" in self._config

    @cached_property
    def _config(self) -> frozenset[str] | None:
        for text in self._configs():
            if text:
                return frozenset(text.splitlines())
        return None

    def _configs(self) -> Iterator[str | None]:
        try:
            packed = (self.root / "proc/config.gz").read_bytes()
            yield gzip.decompress(packed).decode(errors="replace")
        except (OSError, EOFError, zlib.error):
            pass
        yield self.text(f"boot/config-{self.text('proc/sys/kernel/osrelease')}")
