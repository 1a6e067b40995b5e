# SPDX-License-Identifier: MIT
"""Convert an OIL file to a description in the form of our TOML.

Every attribute that is taken keeps its meaning. Any attribute that a description cannot express is
refused by name. Each field keeps its place, so that later checks name OIL's attributes.
"""

from pathlib import Path

from plafond.describe.alarm import Alarm
from plafond.describe.counter import Counter
from plafond.describe.ioc import Ioc
from plafond.describe.kernel import DEFAULT_MODE, SCHEDULER
from plafond.describe.oil.application import (
    Application,
    Described,
    application_of,
    files_of,
    merge,
    name_of,
    part_of,
)
from plafond.describe.oil.applications import add_applications
from plafond.describe.oil.attributes import Checked, Checker
from plafond.describe.oil.cores import add_cores, add_spinlocks, refuse_shared
from plafond.describe.oil.definitions import Kinds, kinds_of, taken
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.fields import add_objects
from plafond.describe.oil.forms import rewrite
from plafond.describe.oil.grammar import parse
from plafond.describe.oil.iocs import rewrite_iocs
from plafond.describe.oil.messages import add_com, add_messages, add_types
from plafond.describe.oil.model import Cpu, Implementation
from plafond.describe.oil.needs import C_FILES, Lines, has_sources
from plafond.describe.oil.objects import (
    Files,
    add_events,
    add_isrs,
    add_kernel,
    add_modes,
    add_resources,
    add_system_counter,
    add_tasks,
    ignore_parameters,
    refuse_relative_zeros,
)
from plafond.describe.oil.preprocessed import whole_of
from plafond.describe.oil.reader import Reader
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.source import Place, Source

NO_TASK = Place(("TASK",), 1)


def source_of_oil(file: Path, text: str, folders: tuple[Path, ...] = ()) -> Source:
    """Return the file's content; DescriptionError names all mistakes and refused attributes.

    `folders`: where #include searches.
    """
    whole = whole_of(file, text, folders)
    sections = parse(whole)
    reader = Reader(whole)
    implementations = [each for each in sections if isinstance(each, Implementation)]
    kinds = kinds_of(reader, implementations)
    cpus = [each for each in sections if isinstance(each, Cpu)]
    application = application_of(reader, cpus, list(taken()), is_part=bool(implementations))
    if part := part_of(cpus, application, is_part=bool(implementations)):
        return Source(file, {}, lambda _: Place((), 1), reader.end(), part=part)
    for kind in ("OS", "COM"):
        merge(reader, application[kind], f"a system has one {kind}")
    draft = _draft_of(reader, application, kinds)
    for place, found, expected in reader.needs:
        draft.need(place.where, place, found, expected)
    for origin, name in whole.missing:
        place = Place((), origin.line, origin.file)
        draft.need(("include", name), place, f"no file <{name}>", "its folder: -I FOLDER")
        reader.note(f"<{name}>", place, f"<{name}> lies in no search folder, so it is not read")
    notes = reader.end()
    raw = draft.raw(file.stem)
    if not has_sources(raw):
        draft.need(("kernel", "sources"), draft.place_of(("kernel", "sources")), "nothing", C_FILES)
    if "task" not in raw:
        draft.need(("task",), NO_TASK, "nothing", "at least one object TASK")
    to_build = Lines(file, name_of(reader, cpus), application, raw, draft.place_of)
    return Source(
        file,
        raw,
        draft.place_of,
        notes,
        to_build,
        tuple(draft.needs),
        folders=folders,
        is_shown=whole.is_shown,
    )


def _draft_of(reader: Reader, application: Application, kinds: Kinds) -> Draft:
    draft = Draft()
    rewrite(reader, application)
    rewrite_iocs(reader, draft, application)
    add_system_counter(reader, draft, application)
    system = _system(reader, application, kinds)
    has_scheduler = system.says("USERESSCHEDULER", "TRUE")
    names = {kind: set(objects) for kind, objects in application.items()}
    names["APPMODE"] = names["APPMODE"] or {DEFAULT_MODE}
    if has_scheduler:
        names["RESOURCE"].add(SCHEDULER)
    checker = Checker(reader, names)
    objects = {
        kind: {
            name: checker.checked(kind, each.place, each.attributes, kinds[kind])
            for name, each in application[kind].items()
        }
        for kind in application
        if kind != "OS"
    }
    tasks, resources = objects["TASK"], objects["RESOURCE"]
    if not tasks and not objects["ISR"]:
        reader.refuse(NO_TASK, "nothing", "at least one object TASK or ISR")
    ignore_parameters(reader, system, objects["COM"] if objects["MESSAGE"] else {})
    add_kernel(reader, draft, system, _files(reader, application))
    add_modes(draft, application["APPMODE"], system.place)
    add_tasks(reader, draft, tasks, resources, lock_scheduler=has_scheduler)
    add_resources(reader, draft, resources)
    add_events(reader, draft, objects["EVENT"], tasks)
    refuse_relative_zeros(reader, objects["ALARM"])
    for model in (Counter, Alarm, ScheduleTable, Ioc):
        add_objects(reader, draft, model, objects[model.oil_kind])
    add_isrs(reader, draft, objects["ISR"])
    add_applications(reader, draft, objects)
    cores = add_cores(reader, draft, objects)
    refuse_shared(reader, objects, cores)
    add_spinlocks(reader, draft, objects, cores)
    add_messages(reader, draft, objects["MESSAGE"])
    add_types(reader, draft, objects)
    add_com(reader, draft, objects["COM"], used=bool(objects["MESSAGE"]))
    return draft


def _system(reader: Reader, application: Application, kinds: Kinds) -> Checked:
    """Return the attributes of the OS; all defaults if there is no OS."""
    described = next(iter(application["OS"].values()), Described(Place(("OS",), 1)))
    return Checker(reader, {}).checked("OS", described.place, described.attributes, kinds["OS"])


def _files(reader: Reader, application: Application) -> Files:
    """Return the C files of [kernel]: all files except files of applications.

    A file that any object names as trusted, mixed or an application's is no plain source.
    """
    user, trusted, mixed = (
        [
            found
            for kind, objects in application.items()
            for each in objects.values()
            for found in files_of(reader, each.place, each.attributes, attribute)
            if kind != "APPLICATION"
        ]
        for attribute in ("APP_SRC", "TRUSTED_SRC", "MIXED_SRC")
    )
    own = [
        found
        for each in application["APPLICATION"].values()
        for found in files_of(reader, each.place, each.attributes, "APP_SRC")
    ]
    names = {file for _, file in [*trusted, *mixed, *own]}
    sources = [(place, file) for place, file in user if file not in names]
    return {"sources": sources, "trusted": trusted, "mixed": mixed}
