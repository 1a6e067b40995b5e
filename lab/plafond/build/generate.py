# SPDX-License-Identifier: MIT
"""Write the files of an image's folder; a file that does not change keeps its date."""

import shlex
from dataclasses import fields
from functools import cache, partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from plafond.board.boards import ROOT
from plafond.build.configuration import Configuration, started_in
from plafond.build.objects import JOINED, Part, Unit, include_folders
from plafond.describe.kernel import Warnings
from plafond.describe.system import System
from plafond.writing import write_whole

TEMPLATES = Path(__file__).parent / "templates"
SOURCES = ("system.c", "messages.c", "ioc.c", "flags.c", "tasks.c")  # an image may lack some
IOC_HEADER = "Ioc.h"  # AUTOSAR's name
# -Wno-type-limits: an index may be compared with a count that is 0 in this image.
WARNINGS = "-Wall -Wextra -Wconversion -Werror -Wno-type-limits"
# In the application's C these warnings remain errors, although compilers tolerate them for C from
# before 1999.
NO_C = ("implicit-function-declaration", "implicit-int", "int-conversion", "return-type")
OF_WARNINGS = {
    Warnings.SHOWN: ["-Wno-error", *(f"-Werror={each}" for each in NO_C)],
    Warnings.ERRORS: [],
    Warnings.NONE: ["-w"],
}
# PLF_KNOWS_NO_NAMES: a name of the description must not clash with a function of the kernel.
# -Wno-unused-parameter: all services have the same parameters, needed or not.
KERNEL_FLAGS = "-DPLF_KNOWS_NO_NAMES -Wno-unused-parameter"
# A simulated board is a host program with a main() of its own.
TRUSTED_FLAGS = "-Dmain=plf_main"
LEVEL = "-O2"  # optimization
SECTIONS = "-ffunction-sections -fdata-sections"
# For debuggers and the report of an image; the code does not change.
FOR_TOOLS = "-g -fcallgraph-info=su"


def write_files(
    system: System,
    configuration: Configuration,
    units: list[Unit],
    folder: Path,
    options: str = LEVEL,
) -> None:
    """Write the generated files, and remove files that another description left.

    `options`: compiler options, in addition to the options of all images.
    """
    values = {field.name: getattr(configuration, field.name) for field in fields(configuration)}
    values["callees"] = configuration.callees
    values["started_in"] = partial(started_in, system)
    files = (file for unit in units for file in (unit.source, *unit.includes))
    sources = {file.name for file in files if not file.is_absolute()}
    texts = {"system.h": render(TEMPLATES, "system.h.j2", values)}
    for name in SOURCES:
        if name in sources:
            texts[name] = render(TEMPLATES, f"{name}.j2", values)
    if system.iocs:
        texts[IOC_HEADER] = render(TEMPLATES, f"{IOC_HEADER}.j2", values)
    if configuration.recording:
        texts["recording.c"] = configuration.recording
    for unit in units:
        if unit.includes:
            lines = (f'#include "{file}"\n' for file in unit.includes)
            texts[unit.source.name] = "".join(lines)
    if configuration.board.has_script:
        texts["link.ld"] = render(configuration.board.port, "link.ld.j2", values)
    texts["build.ninja"] = _ninja(system, configuration, units, folder, options)
    of_others = {file.name for file in folder.glob(f"{JOINED}_*.c")}
    for name in {*SOURCES, *of_others, IOC_HEADER, "recording.c", "link.ld"}:
        if name not in texts:
            (folder / name).unlink(missing_ok=True)
    for name, text in texts.items():
        _write(folder / name, text)


def _write(file: Path, text: str) -> None:
    if not file.is_file() or file.read_text() != text:
        write_whole(file, text)


@cache
def _environment(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render(folder: Path, name: str, values: dict[str, object]) -> str:
    """Render a template of a folder with these values."""
    return _environment(folder).get_template(name).render(values)


def _ninja(
    system: System, configuration: Configuration, units: list[Unit], folder: Path, options: str
) -> str:
    board = configuration.board
    script = " -T link.ld" if board.has_script else ""
    values: dict[str, object] = {
        "title": configuration.title,
        "compiler": f"{board.prefix}gcc",
        "flags": f"{options} {SECTIONS} {WARNINGS} {_prefixes(system, folder)}",
        "kinds": {part: _kind(part, configuration) for part in Part},
        "link_flags": f"{board.link_flags}{script}",
        "link_inputs": "link.ld" if board.has_script else "",
        "own": _own(system),
        "units": [
            (unit.object, _path(unit.source), unit.part, unit.is_of_application) for unit in units
        ],
    }
    return render(TEMPLATES, "build.ninja.j2", values)


def _own(system: System) -> str:
    """The flags for the application's C, after the common flags."""
    kernel = system.kernel
    folders = [f"-I{folder}" for folder in system.paths(kernel.include)]
    words = [*OF_WARNINGS[kernel.warnings], *folders, *kernel.flags]
    return " ".join(map(_shell, words))


def _prefixes(system: System, folder: Path) -> str:
    """Keep absolute paths out of the image. The last matching option counts."""
    found = places(system, folder)
    return " ".join(_shell(f"-ffile-prefix-map={path}={name}") for path, name in found)


def places(system: System, folder: Path) -> list[tuple[Path, str]]:
    """Return the folders of sources and their names in the image."""
    found = [(ROOT, "/plafond")]
    if system.file:
        found.append((system.file.parent.resolve(), "/description"))
    return [*found, (folder.resolve(), "/generated")]


def _kind(part: Part, configuration: Configuration) -> str:
    board = configuration.board
    flags = board.port_flags if part is Part.PORT else board.flags
    if part in (Part.KERNEL, Part.PORT, Part.RUN):
        flags = f"{flags} {KERNEL_FLAGS}"
    if part in (Part.TRUSTED, Part.MIXED):
        flags = f"{flags} {TRUSTED_FLAGS}"
    folders = ["-I.", *(_shell(f"-I{folder}") for folder in include_folders(part, configuration))]
    return f"{flags} {' '.join(folders)}"


def _shell(word: str) -> str:
    """Quote a word for the shell and for ninja."""
    return shlex.quote(word).replace("$", "$$")


def _path(file: Path) -> str:
    """Quote a path for ninja."""
    text = str(file)
    for special in ("$", " ", ":"):
        text = text.replace(special, f"${special}")
    return text
