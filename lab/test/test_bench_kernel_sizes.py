# SPDX-License-Identifier: MIT
"""`plafond bench kernel --sizes`: features one at a time, in bytes of real images."""

import re
from pathlib import Path

import pytest
from rich.console import Console

from plafond.bench.kernel import sizes
from plafond.bench.kernel.services import SEVERAL, Code, ServiceRow, Services, rows_of
from plafond.bench.kernel.sizes import FEATURES, NOTHING, Feature, SizesReport, measure_sizes
from plafond.bench.kernel.table_sizes import print_sizes
from plafond.describe.loading import load
from plafond.errors import ArgumentError

HERE = Path(__file__).parent
NAMES = (HERE.parents[1] / "kernel/include/os_errors.h").read_text()
# Services of StartOS, spinlocks, MPCP, cores and servers, and of protected functions, which exclude
# TerminateApplication.
NOT_IN_THE_IMAGE = {
    *("StartOS", "ShutdownAllCores", "GetBudget", "GetMPCPResource", "ReleaseMPCPResource"),
    *("GetSpinlock", "TryToGetSpinlock", "ReleaseSpinlock", "GetCoreID"),
    *("GetNumberOfActivatedCores", "CallNonTrustedFunction"),
}
ALARM, CALL = "an alarm of a software counter", "an alarm that calls a function"


def chosen(*names: str) -> tuple[Feature, ...]:
    return tuple(feature for feature in FEATURES if feature.name in names)


def test_each_feature_is_a_description_of_its_own(tmp_path: Path) -> None:
    named = {feature.name: feature for feature in (NOTHING, *FEATURES)}
    file = tmp_path / "system.toml"
    seen = set()
    for feature in FEATURES:
        needed = named[feature.beside or NOTHING.name]
        text = sizes._sourced(feature.description(needed), tmp_path)
        file.write_text(text)
        has_third = sizes.THIRD in (feature.name, feature.beside)
        assert len(load(file).tasks) == (3 if has_third else 2)
        seen.add((text, feature.protocol))
    assert len(seen) == len(FEATURES) == len(named) - 1


def test_a_feature_adds_what_it_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    hook = "StartupHook"
    monkeypatch.setattr(sizes, "FEATURES", chosen("a resource", ALARM, CALL, hook))

    report = measure_sizes("a53")
    again = measure_sizes("a53")

    assert report == again
    added = {row.feature: row for row in report.rows}
    assert list(added) == [NOTHING.name, "a resource", ALARM, CALL, hook]
    assert 8_000 < added[NOTHING.name].text < 16_000 < added[NOTHING.name].data
    # Sections are user code, an alarm brings its services, and a hook is a single call.
    assert added["a resource"].text < 64
    assert added[ALARM].text > 1_000
    assert added[ALARM].data > 0
    assert 0 < added[CALL].text < 400
    assert 0 < added[hook].text <= 16
    services = {row.service: row.text for row in report.services}
    named = set(re.findall(r"#define (?:OS|COM)ServiceId_(\w+)", NAMES))
    assert services.keys() - {SEVERAL} == named - NOT_IN_THE_IMAGE
    assert services["GetTaskID"] < 64 < services["ActivateTask"]
    assert services["TerminateApplication"] > 1_000
    assert services["CancelAlarm"] == 0  # TerminateApplication calls it, too


def test_only_the_board_without_a_host_is_sized() -> None:
    with pytest.raises(ArgumentError, match="found 'sim'; expected a53"):
        measure_sizes("sim")


def test_the_table_names_what_a_feature_was_added_to() -> None:
    rows = [
        sizes.SizeRow(feature=NOTHING.name, text=12_159, data=18_810, beside=""),
        sizes.SizeRow(feature=CALL, text=124, data=-16, beside=ALARM),
    ]
    console = Console(width=100, record=True)
    services = [ServiceRow(service="ActivateTask", text=1_644)]
    report = SizesReport(board="a53", protocol="p", flags="-O2", rows=rows, services=services)
    print_sizes(report, console)
    lines = console.export_text().splitlines()
    first = next(number for number, line in enumerate(lines) if "two basic tasks" in line)
    assert lines[first].split() == ["two", "basic", "tasks", "12,159", "18,810"]
    assert lines[first + 1].split()[-2:] == ["124", "-16"]
    assert f"{CALL}, beside {ALARM}" in lines[first + 1]
    assert lines[-1].split() == ["ActivateTask", "1,644"]


def code_with(calls: dict[int, set[int]]) -> Code:
    return Code(
        names={each: f"f{each}" for each in calls},
        sizes={each: 10**each for each in calls},
        calls={each: frozenset(own) for each, own in calls.items()},
    )


def test_a_service_has_what_it_alone_reaches() -> None:
    """1 and 2 are services, which share 3. Only 2 reaches 4. 5 is the start and calls 6."""
    code = code_with({1: {3}, 2: {3, 4, 6}, 3: {3}, 4: set(), 5: {6}, 6: set()})
    services = Services(starts={"B": {2}, "A": {1}}, others=set())
    assert [(row.service, row.text) for row in rows_of(code, services)] == [
        ("A", 10),
        ("B", 10**2 + 10**4),
        (SEVERAL, 10**3),
    ]
    # A service with a number but without a name counts elsewhere.
    unnamed = Services(starts={"A": {1}}, others={2})
    assert [row.text for row in rows_of(code, unnamed)] == [10, 0]
    # A function that no branch reaches counts elsewhere, too.
    with_more = code_with({1: {3}, 2: {3, 4, 6}, 3: {3}, 4: set(), 5: {6}, 6: set(), 7: {4}})
    assert [row.text for row in rows_of(with_more, services)] == [10, 100, 1_000]
