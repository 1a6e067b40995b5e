# SPDX-License-Identifier: MIT
"""The files of kernel/ that make up a kernel; images and proofs use this list.

A kernel has one folder of each of kernel/scheduler, resource, cores and global, and one or two of
kernel/server. The caller chooses them. All C files of these folders belong to the kernel, except
optional files that the caller does not name. A new C file needs no line here, unless some kernels
must do without it.

Paths are relative to kernel/, because a proof compiles copies of the tree. The caller adds the
files of ports and applications.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plafond.board.boards import KERNEL

# A system without the objects of such a file omits the file, because nothing calls its services or
# their callers refuse.
OPTIONAL = frozenset(
    {
        *("alarm.c", "application.c", "application_hooks.c", "console.c", "counter.c", "event.c"),
        *("function.c", "message.c", "plf_globals.c", "routine.c", "schedule_table.c"),
        *("table_sync.c", "termination.c", "timing.c", "trusted_function.c"),
    }
)


@dataclass(frozen=True)
class KernelFiles:
    """A kernel: its C files in link order, and its folders in search order.

    Each C file is compiled separately. `headers` are the folders for the kernel, after kernel/ and
    kernel/include. `user_headers` are the folders for user code, after kernel/include.
    """

    sources: tuple[str, ...]
    headers: tuple[str, ...]
    user_headers: tuple[str, ...]


@cache
def kernel_files(
    *,
    scheduler: str,
    resource: str,
    cores: str = "one",
    across: tuple[str, ...] = ("none",),
    servers: tuple[str, ...] = ("none",),
    optional: frozenset[str] = frozenset(),
) -> KernelFiles:
    """Return the files for these folders; `across`: in kernel/global; `optional`: of OPTIONAL.

    `resource` is in kernel/resource, or is the absolute path of a plug-in. The last of `servers` is
    the folder for resources that servers share.
    """
    if unknown := optional - OPTIONAL:
        raise ValueError(f"found {', '.join(sorted(unknown))}; expected some of OPTIONAL")
    of_cores = f"cores/{cores}"
    of_servers = [f"server/{server}" for server in servers]
    of_global = [f"global/{folder}" for folder in across]
    of_resource = str(Path("resource") / resource)
    common = [f"scheduler/{scheduler}", of_resource, "resource", *of_global, "global"]
    compiled = [common[0], of_cores, *of_global, *of_servers, "global", "resource"]
    return KernelFiles(
        sources=tuple(_sources(["", *compiled], optional)),
        headers=(of_cores, *of_servers, *common),
        user_headers=(*common, of_servers[-1]),
    )


def _sources(folders: Iterable[str], optional: frozenset[str]) -> Iterable[str]:
    for folder in folders:
        for file in sorted((KERNEL / folder).glob("*.c")):
            if file.name in optional or file.name not in OPTIONAL:
                yield str(file.relative_to(KERNEL))
