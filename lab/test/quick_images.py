# SPDX-License-Identifier: MIT
"""Images for tests that read virtual time alone, built in a third of the processor time."""

from pathlib import Path
from zlib import crc32

from plafond.board.recording import Recording
from plafond.build.generate import LEVEL
from plafond.build.image import Image, build_image
from plafond.build.objects import OF_KERNEL
from plafond.describe.system import System

# The optimisation level that compiles fastest among the levels that simulated images support.
QUICKLY_BUILT = "-Og"
# One of this many simulated images is built with the flags of users' images.
SAMPLE = 8


def build_quickly(
    system: System,
    board: str,
    protocol: str | None = None,
    folder: Path | None = None,
    recording: Recording | None = None,
    *,
    for_tools: bool = False,
) -> Image:
    """Build an image for a run, in place of build_image().

    On sim, virtual time does not depend on the code. On a53 each instruction takes time, so its
    images keep users' flags.
    """
    quick = board == "sim" and not _is_in_sample(system, protocol)
    level, join = (QUICKLY_BUILT, OF_KERNEL) if quick else (LEVEL, ())
    return build_image(
        system, board, protocol, folder, recording, level, for_tools=for_tools, join=join
    )


def _is_in_sample(system: System, protocol: str | None) -> bool:
    """Whether the image keeps the flags of users' images. Its content decides, so each run
    agrees."""
    bodies = [(task.name, task.body) for task in system.tasks]
    servers = [(server.kind, server.period_ns) for server in system.servers]
    return crc32(f"{protocol} {system.scheduler} {bodies} {servers}".encode()) % SAMPLE == 0
