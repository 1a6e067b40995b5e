# SPDX-License-Identifier: MIT
"""Find headers of the application that a header of the kernel with the same name hides."""

from collections.abc import Iterator

from plafond.build.configuration import Configuration
from plafond.build.objects import Part, include_folders
from plafond.describe.system import System

GENERATED = ("system.h",)
OF_IOC = (*GENERATED, "Ioc.h")


def hidden_headers(system: System, configuration: Configuration) -> Iterator[str]:
    """Yield a line for each header in a folder of `include` that C files cannot find."""
    generated = OF_IOC if configuration.system.iocs else GENERATED
    files = {
        Part.USER: system.user_files,
        Part.MIXED: system.kernel.mixed,
        Part.TRUSTED: system.kernel.trusted,
    }
    ours = {
        part: include_folders(part, configuration) for part, sources in files.items() if sources
    }
    for folder in system.paths(system.kernel.include):
        for header in sorted(folder.glob("*.h")):
            names = [
                str(part)
                for part, folders in ours.items()
                if header.name in generated or any((f / header.name).is_file() for f in folders)
            ]
            if names:
                yield (
                    f"{header}: not found by {' and '.join(names)} files that include "
                    f'"{header.name}": the kernel has a header of this name'
                )
