# SPDX-License-Identifier: MIT
"""Keys that a description does not have, but OSEK or its tools do."""

from pathlib import Path

import pytest

from plafond.describe import load
from plafond.describe.osek_names import ELSEWHERE, FIELDS
from plafond.describe.problems import DescriptionError
from plafond.describe.schema import TABLES, Description, KernelFields, Strict, expected, fields_of

TOML = """\
[kernel]
[task.T]
priority = 1
autostart = true
body = ["run 1us"]
[resource.R]
[counter.C]
[alarm.A]
counter = "C"
action = "activate T"
[isr.I]
source = 7
"""
MODELS: dict[str, type[Strict]] = {"": Description, "kernel": KernelFields, **TABLES}


def problems(folder: Path, text: str) -> str:
    file = folder / "some.toml"
    file.write_text(text)
    with pytest.raises(DescriptionError) as caught:
        load(file)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("table", "key", "message"),
    [
        (
            "[task.T]",
            "activation = 3",
            "some.toml:3: task.T.activation: found an unknown key; expected queue: a whole number "
            "from 1 to 255",
        ),
        ("[task.T]", "ACTIVATION = 3", "expected queue: a whole number from 1 to 255"),
        ("[task.T]", "max_activations = 3", "expected queue: a whole number from 1 to 255"),
        ("[task.T]", "stacksize = 3", "expected stack: a whole number of bytes from 1024"),
        ("[task.T]", 'preemptive = "non"', 'expected schedule: "full" or "non"'),
        ("[task.T]", 'type = "EXTENDED"', "expected no type: a task with events is an extended"),
        ("[task.T]", "prioritty = 1", "expected one of priority, cpu, "),
        ("[resource.R]", 'property = "INTERNAL"', "expected internal: true or false"),
        ("[counter.C]", "maxallowedvalue = 3", "expected highest: a whole number from 1 to"),
        ("[counter.C]", "MinCycle = 3", "expected min_cycle: a whole number from 1 to"),
        ("[alarm.A]", "cycletime = 3", "expected autostart: [FIRST, CYCLE]"),
        ("[alarm.A]", 'callback = "f"', "expected action: activate TASK"),
        ("[isr.I]", "vector = 3", "expected source: a whole number from 0 to 987"),
        ("[kernel]", "ERRORHOOK = true", "expected hooks: a list of some of startup, shutdown"),
        ("[kernel]", 'CC = "BCC1"', "expected no class of conformance: "),
        ("[kernel]", 'scheduler = "edf"', "expected scheduler above the tables"),
    ],
)
def test_the_error_names_the_field_here(tmp_path: Path, table: str, key: str, message: str) -> None:
    assert message in problems(tmp_path, TOML.replace(table, f"{table}\n{key}"))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[events.E]", "1: events: found an unknown key; expected events of the [task.NAME] that"),
        ("[interrupt.E]", "interrupt: found an unknown key; expected isr: tables [isr.NAME]"),
        ("[appmode.E]", "appmode: found an unknown key; expected modes of [kernel]"),
    ],
)
def test_a_table_of_another_name(tmp_path: Path, table: str, message: str) -> None:
    assert message in problems(tmp_path, f"{table}\n{TOML}")


@pytest.mark.parametrize("table", FIELDS)
def test_each_name_means_a_field_and_is_none(table: str) -> None:
    fields = fields_of(MODELS[table])
    for key, field in FIELDS[table].items():
        assert field in fields, key
        assert expected(MODELS[table], field), key
    theirs = [*FIELDS[table], *ELSEWHERE.get(table, {})]
    assert not [key for key in theirs if key in fields or not key.isalpha() or key != key.lower()]
    assert len(theirs) == len(set(theirs))
