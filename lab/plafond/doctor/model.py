# SPDX-License-Identifier: MIT
"""The report of `plafond doctor`; its JSON is the output of `--format json`."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict

from plafond.rows import Column


class Verdict(StrEnum):
    """The meaning of a finding for `plafond run --on linux`."""

    OK = "ok"
    WARN = "warn"  # it runs, but times or the ceiling rule suffer, or --on vm does not run
    FAIL = "fail"  # it does not run, or shows nothing
    UNKNOWN = "unknown"  # not visible on this machine


COLOURS = {
    Verdict.OK: "green",
    Verdict.WARN: "yellow",
    Verdict.FAIL: "bold red",
    Verdict.UNKNOWN: "dim",
}


def _coloured(verdict: Verdict) -> str:
    return f"[{COLOURS[verdict]}]{verdict}[/]"


class Finding(BaseModel):
    """A property of the machine."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    topic: Annotated[str, Column("topic")]
    # The text before the first ";" also stands alone, as the reason of a failure.
    finding: Annotated[str, Column("finding", place=1)]
    verdict: Annotated[Verdict, Column("verdict", format=_coloured)]
    change: str | None  # a line to copy, if any


class Report(BaseModel):
    """All findings. `meaningful`: whether `plafond run FILE --on linux` will be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    meaningful: bool
    findings: list[Finding]


def ok(topic: str, finding: str) -> Finding:
    """Return a finding that needs no change."""
    return Finding(topic=topic, finding=finding, verdict=Verdict.OK, change=None)


def warn(topic: str, finding: str, change: str | None) -> Finding:
    """Return a finding that makes times worse or noisy."""
    return Finding(topic=topic, finding=finding, verdict=Verdict.WARN, change=change)


def fail(topic: str, finding: str, change: str | None) -> Finding:
    """Return a finding that keeps the threads of a task set from running as described."""
    return Finding(topic=topic, finding=finding, verdict=Verdict.FAIL, change=change)


def unknown(topic: str, finding: str, change: str | None = None) -> Finding:
    """Return a finding about a property that cannot be seen."""
    return Finding(topic=topic, finding=finding, verdict=Verdict.UNKNOWN, change=change)
