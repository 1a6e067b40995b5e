# SPDX-License-Identifier: MIT
"""The services of the kernel: kernel/services.toml, and the files generated from it."""

from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from plafond.board.boards import KERNEL
from plafond.build.services import Parameter, Service, generated, load_services

SERVICES = load_services()
NUMBERED = [service for group in SERVICES.groups for service in group.numbered]


@pytest.mark.parametrize("file", generated(SERVICES), ids=lambda file: file.name)
def test_a_file_is_as_it_is_generated(file: Path) -> None:
    """If this fails, run: build/venv/bin/python -m plafond.build.services."""
    assert file.read_text() == generated(SERVICES)[file]


def test_a_number_is_of_one_service() -> None:
    numbers = Counter(service.number for service in NUMBERED)
    assert numbers.most_common(1)[0][1] == 1
    others = [row for group in SERVICES.groups for row in group.rows if row.same_as]
    assert {row.same_as for row in others} < numbers.keys()


def test_each_function_and_each_set_of_places_is_there() -> None:
    text = "".join(file.read_text() for file in KERNEL.rglob("*.c"))
    for service in NUMBERED:
        for function in filter(None, (service.of_tasks, service.of_trusted, service.otherwise)):
            assert f"struct plf_result {function}(uintptr_t " in text
    used = {service.places for service in NUMBERED if service.places}
    assert used == SERVICES.places.keys()


@pytest.mark.parametrize(
    ("name", "number", "function"),
    [
        ("GetTaskID", "GET_TASK_ID", "plf_get_task_id"),
        ("ShutdownOS", "SHUTDOWN_OS", "plf_shutdown_os"),
        ("SuspendOSInterrupts", "SUSPEND_OS_INTERRUPTS", "plf_suspend_os_interrupts"),
        ("SetScheduletableAsync", "SET_TABLE_ASYNC", "plf_set_table_async"),
        ("await_budget", "AWAIT_BUDGET", "plf_await_budget"),
    ],
)
def test_a_name_gives_the_number_and_the_function(name: str, number: str, function: str) -> None:
    service = Service(name=name)
    assert (service.number, service.of_tasks, service.of_trusted) == (number, function, "")
    assert service.columns == [number, function, "NULL", "0", "0", "0"]


def test_parameters_have_places() -> None:
    service = Service(name="GetAlarm", parameters="AlarmType AlarmID, -, TickRefType Tick")
    assert service.passed == [
        Parameter(0, "AlarmType", "AlarmID"),
        Parameter(2, "TickRefType", "Tick"),
    ]
    assert service.columns[-2:] == ["sizeof(TickType)", "1 + OBJECT_ALARM"]
    unnamed = Service(name="GetBudget", parameters="ServerType ServerID, -, uint64_t *")
    assert unnamed.passed[1] == Parameter(2, "uint64_t *", "")
    assert unnamed.columns[-2:] == ["sizeof(uint64_t)", "0"]


def test_what_an_image_lacks() -> None:
    events = Service(name="SetEvent", places="HANDLING", objects="PLF_EVENTS", otherwise="none")
    there = "PLF_EVENTS ? plf_set_event : none"
    assert events.columns[1:4] == [there, there, "HANDLING"]
    routines = Service(name="GetResource", places="ISR_ONLY", trusted_if="PLF_ISRS")
    assert routines.columns[2:4] == [
        "PLF_ISRS ? plf_get_resource : NULL",
        "PLF_ISRS ? ISR_ONLY : 0",
    ]


def test_a_row_has_the_values_of_its_group(tmp_path: Path) -> None:
    file = tmp_path / "services.toml"
    file.write_text(
        '[places]\n[[group]]\nplaces = "ALL"\n[group.services]\nA = {}\nB = { places = "FEW" }\n'
    )
    assert [row.places for row in load_services(file).groups[0].rows] == ["ALL", "FEW"]
    file.write_text("[places]\n[[group]]\n[group.services]\nA = { plces = 1 }\n")
    with pytest.raises(ValidationError, match="plces"):
        load_services(file)
