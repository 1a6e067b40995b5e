# SPDX-License-Identifier: MIT
"""Faults in the memory of applications: in its bounds, and in the tasks' access to it."""

from __future__ import annotations

from proof.kernel.in_image import Fault, fault_in

_FOUL = "foul_applications-a53-standard-uprio-nprio"
_EXTENDED = "foul_applications-a53-extended-syscall"
_TABLES = "tables_applications-a53-standard-uprio-nprio"
_OWN = "\tmap_applications(own, shared, index, OWN_DATA);\n"
_OTHERS = "\tmap_applications(level2, NULL, PLF_TASKS, OTHERS_DATA);\n"
_OF_TASK = "plf_object_kinds[OBJECT_TASK].objects[index].application == i)\n"
_FILES = "*user/{{ application.name }}/*.o"


def _in_memory(name: str, old: str, new: str, image: str) -> Fault:
    return fault_in("ports/a53/memory.c", name, old, new, image)


def _in_script(name: str, old: str, new: str, image: str) -> Fault:
    return fault_in("ports/a53/link.ld.j2", name, old, new, image)


OWNED = (
    _in_memory(
        "a task has the data of all applications",
        _OF_TASK,
        "index < PLF_TASKS)\n",
        _FOUL,
    ),
    _in_memory("a task has no data of its application", _OF_TASK, "index > PLF_TASKS)\n", _FOUL),
    _in_memory(
        "a task has the data of the next application",
        _OF_TASK,
        _OF_TASK.replace("== i)", "== i + 1)"),
        _FOUL,
    ),
    _in_memory(
        "a task has the data of all applications behind its own, too",
        _OF_TASK,
        _OF_TASK.replace("== i)", "<= i)"),
        _EXTENDED,
    ),
    _in_memory(
        "the last application's data are in no table",
        "i < PLF_APPLICATIONS; i++)\n\t\tif (index == PLF_TASKS ||",
        "i + 1 < PLF_APPLICATIONS; i++)\n\t\tif (index == PLF_TASKS ||",
        _FOUL,
    ),
    _in_memory("the data of applications are not mapped for their tasks", _OWN, "", _FOUL),
    _in_memory("the data of applications are in no table of a core", _OTHERS, "", _TABLES),
    _in_memory(
        "the data of applications are all tasks'",
        _OTHERS,
        _OTHERS.replace("OTHERS_DATA", "OWN_DATA"),
        _EXTENDED,
    ),
    _in_memory(
        "others may read the data of an application",
        _OTHERS,
        _OTHERS.replace("OTHERS_DATA", "USER_CONST | OF_ONE_ASID"),
        _FOUL,
    ),
    _in_memory(
        "the kernel's translation of an application's data is all tasks'",
        _OTHERS,
        _OTHERS.replace("OTHERS_DATA", "KERNEL_DATA"),
        _TABLES,
    ),
    _in_memory(
        "a task's translation of an application's data is all tasks'",
        _OWN,
        _OWN.replace("OWN_DATA", "USER_DATA"),
        _TABLES,
    ),
    _in_memory(
        "a task may execute the data of its application",
        _OWN,
        _OWN.replace("OWN_DATA", "OWN_DATA & ~NO_EXECUTE_BY_USER"),
        _TABLES,
    ),
    _in_memory(
        "a task may only read the data of its application",
        _OWN,
        _OWN.replace("OWN_DATA", "OWN_DATA | READ_ONLY"),
        _FOUL,
    ),
    _in_memory(
        "a task has the first page of its application",
        "\t\t\t    plf_application_memory[i].data_end, attributes);\n",
        "\t\t\t    plf_application_memory[i].data + PAGE, attributes);\n",
        _FOUL,
    ),
    _in_script(
        "zeros of an application's file are all tasks'",
        f"{_FILES}(.data .data.* .bss .bss.* COMMON)",
        f"{_FILES}(.data .data.*)",
        _FOUL,
    ),
    _in_script(
        "values of an application's file are all tasks'",
        f"{_FILES}(.data .data.* .bss .bss.* COMMON)",
        f"{_FILES}(.bss .bss.* COMMON)",
        _FOUL,
    ),
    _in_script(
        "what is marked is the first application's",
        "*(.plf_application.{{ application.name }})",
        "*(.plf_application.*)",
        _FOUL,
    ),
    _in_script(
        "the data of an application begin within a page",
        "\t.application_{{ application.name }} : ALIGN(4096) {",
        "\t.application_{{ application.name }} : ALIGN(64) {",
        _TABLES,
    ),
    _in_script(
        "there are no tables for windows of applications",
        " + ((plf_applications_end - plf_applications) >> 21) + 2{% endif %}) *",
        "{% endif %}) *",
        _TABLES,
    ),
)
