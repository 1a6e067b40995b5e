# SPDX-License-Identifier: MIT
"""Communication between tasks without the kernel: AUTOSAR's IOC."""

from dataclasses import dataclass
from pathlib import Path

MOST_IOCS = 255


@dataclass(frozen=True)
class Ioc:
    """Data of one type from tasks to a task; headers are absolute paths."""

    name: str
    type: str  # as C writes it
    senders: tuple[str, ...]
    receiver: str
    headers: tuple[Path, ...] = ()  # with the type
    queue: int | None = None  # places for each sender's; None: the last value is kept
    initial: int = 0

    @property
    def sending(self) -> tuple[str, ...]:
        """The services of its senders, which are AUTOSAR's names."""
        service = f"{'IocSend' if self.queue else 'IocWrite'}_{self.name}"
        if len(self.senders) == 1:
            return (service,)
        return tuple(f"{service}_{sender}" for sender in self.senders)
