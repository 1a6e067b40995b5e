# SPDX-License-Identifier: MIT
"""Objects with names, and the names in a description."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, TypeVar, cast

from pydantic import AfterValidator

from plafond.describe.body import SetEvent, Signal
from plafond.describe.fields import COMPUTED, Strict
from plafond.describe.kernel import SCHEDULER
from plafond.describe.problems import Problem, Where
from plafond.words import suggestion


class Named(Strict):
    """An object of a description; its fields are those of its table, with its values."""

    table: ClassVar[str]  # the kind: a table of a file is [table.NAME]
    oil_kind: ClassVar[str]
    oil: ClassVar[str]  # its attributes, as the IMPLEMENTATION of OIL declares them
    name: Annotated[str, COMPUTED] = ""

    @property
    def where(self) -> tuple[str, str]:
        """Return the path of its table."""
        return self.table, self.name

    def named(self, name: str) -> Self:
        """Return the same object with a name."""
        return self.changed(name=name)

    @classmethod
    def made(cls, name: str, **values: Any) -> Self:
        """Return an object with these values, which are not checked."""
        return cast("Self", _empty(cls).changed(name=name, **values))

    def problems(self, known: "Known") -> Iterator[Problem]:
        """Yield mistakes within this object, and unknown names in it."""
        yield from ()


@cache
def _empty(kind: type[Named]) -> Named:
    """Return an object with all defaults; cached because construction is slow."""
    return kind.model_construct()


OfKind = TypeVar("OfKind", bound=Named)


def with_names(tables: dict[str, OfKind]) -> dict[str, OfKind]:
    """Return the objects with their names set."""
    return {name: each.named(name) for name, each in tables.items()}


NAMED = AfterValidator(with_names)


@dataclass(frozen=True)
class Known:
    """The names in a description, including names of malformed tables."""

    names: Mapping[str, Sequence[str]]  # by kind
    objects: Mapping[str, Mapping[str, Named]]  # by kind and name; well-formed tables only
    internal: frozenset[str]  # resources
    events: Mapping[str, Sequence[str]]  # by task; well-formed tables only
    has_kernel: bool  # the description has a table [kernel]
    folder: Path  # the description's folder

    def find(self, kind: type[OfKind], name: str) -> OfKind | None:
        """Return an object; None if it does not exist or its table is malformed."""
        found = self.objects.get(kind.table, {}).get(name)
        return found if isinstance(found, kind) else None

    def wrong(self, kind: str, name: str) -> str | None:
        """Return the expected name instead of an unknown name; None if the name is known."""
        named = self.names[kind]
        if name in named:
            return None
        described = f"a {kind} that is described: a table [{kind}.{name}]"
        return described + suggestion(name, list(named))

    def wrong_event(self, task: str, event: str) -> str | None:
        """Return the expected event if the task does not have this event."""
        own = self.events.get(task, [event])
        if event in own:
            return None
        listed = ", ".join(own) or "none so far"
        return f"one of the events of task {task}: {listed}{suggestion(event, list(own))}"

    def wrong_signal(self, signal: Signal) -> str | None:
        """Return the expected name if the task is unknown or does not have the event."""
        if isinstance(signal, SetEvent):
            return self.wrong("task", signal.task) or self.wrong_event(signal.task, signal.event)
        return self.wrong("task", signal.task)

    def wrong_resource(self, resource: str) -> str | None:
        """Return the expected resource if this resource cannot be locked."""
        if resource in self.internal:
            return f"a resource that is not internal: tasks hold {resource} whenever they run"
        return None if resource == SCHEDULER else self.wrong("resource", resource)

    def problems_of_headers(self, where: Where, files: Sequence[str]) -> Iterator[Problem]:
        """Yield the names of C headers that generated files cannot include."""
        for index, file in enumerate(files):
            if not file.endswith(".h") or '"' in file or "\\" in file:
                yield Problem((*where, index), file, "the name of a C header, which ends in .h")
            elif not (self.folder / file).is_file():
                expected = "a header beside the description"
                found = f"no file {self.folder / file}"
                yield Problem((*where, index), found, expected, of_build=True)
