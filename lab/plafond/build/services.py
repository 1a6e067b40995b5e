# SPDX-License-Identifier: MIT
"""Write the files that come from kernel/services.toml: python -m plafond.build.services."""

import re
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from plafond.board.boards import KERNEL, ROOT
from plafond.build.generate import TEMPLATES, render

GENERATED = (KERNEL / "include/os_calls.h", KERNEL / "include/os_errors.h", KERNEL / "services.h")
GUIDE = ROOT / "docs/kernel/services.md"
BLOCK = re.compile(r"(<!-- services -->\n).*?(<!-- end -->)", re.DOTALL)
# Kinds of objects whose use an application may restrict.
KINDS = {
    "TaskType": "OBJECT_TASK",
    "AlarmType": "OBJECT_ALARM",
    "CounterType": "OBJECT_COUNTER",
    "ScheduleTableType": "OBJECT_SCHEDULETABLE",
}
POINTER = re.compile(r"Ref(?=Type$)| \*$")
OUT = 2  # the place of a pointer to which user code stores the result
COLUMNS, TAB = 100, " " * 8
GLUE = "~"  # stands for a space at which no line may end


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Parameter:
    """A value that user code passes at a place; OSError_x_y exists only if it has a name."""

    place: int
    type: str
    name: str


class Service(_Strict):
    """A row of services.toml, which explains each key."""

    name: str
    parameters: str = ""
    function: str = ""
    trusted: str = ""
    places: str = ""
    trusted_if: str = ""
    objects: str = ""
    otherwise: str = ""
    checked: bool = True
    call: str = ""
    same_as: str = ""

    @property
    def number(self) -> str:
        """The name of the number, without PLF_CALL_."""
        short = re.sub("Schedule[Tt]able", "Table", self.name)
        words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", short)
        return self.same_as or self.call or "_".join(words).upper()

    @property
    def of_tasks(self) -> str:
        """The function for tasks."""
        return self.function or f"plf_{self.number.lower()}"

    @property
    def of_trusted(self) -> str:
        """The function for hooks and handlers; "": they may not call the service."""
        return (self.trusted or self.of_tasks) if self.places else ""

    @property
    def passed(self) -> list[Parameter]:
        """The parameters, in the order of their places."""
        found = []
        for place, text in enumerate(self.parameters.split(", ")):
            if match := re.fullmatch(r"(\w+(?: \*)?)(?: (\w+))?", text):
                found.append(Parameter(place, match[1], match[2] or ""))
        return found

    @property
    def columns(self) -> list[str]:
        """The arguments of SERVICE() in services.h."""
        of_tasks, trusted = map(self._if_there, (self.of_tasks, self.of_trusted))
        places = self.places
        if self.trusted_if:
            trusted = f"{self.trusted_if} ? {trusted} : NULL"
            places = f"{self.trusted_if} ? {places} : 0"
        return [self.number, of_tasks, trusted or "NULL", places or "0", self._size, self._kind]

    def _if_there(self, function: str) -> str:
        if not self.objects or function in ("", self.otherwise):
            return function
        return f"{self.objects} ? {function} : {self.otherwise}"

    @property
    def _size(self) -> str:
        """The number of bytes that user code stores."""
        types = (each.type for each in self.passed if each.place == OUT)
        return next((f"sizeof({POINTER.sub('', t)})" for t in types if POINTER.search(t)), "0")

    @property
    def _kind(self) -> str:
        """1 + the kind of object whose access is checked; 0: no check."""
        first = next((each.type for each in self.passed if each.place == 0), "")
        return f"1 + {KINDS[first]}" if first in KINDS and self.checked else "0"


class Group(_Strict):
    """Services of a kind of object."""

    title: str = ""
    more: str = ""
    image: str = ""
    prefix: str = "OS"
    rows: list[Service]

    @property
    def numbered(self) -> list[Service]:
        """The services that are not aliases of others."""
        return [each for each in self.rows if not each.same_as]

    @property
    def named(self) -> list[Service]:
        """The services that programs call."""
        return [each for each in self.rows if not each.name[0].islower()]


class Services(_Strict):
    """All groups, in the order of their numbers; `places`: the sets of places, for the guide."""

    places: dict[str, str]
    groups: list[Group]


def load_services(file: Path = KERNEL / "services.toml") -> Services:
    """Read the table; a row inherits missing values from its group."""
    table = tomllib.loads(file.read_text())
    of_rows = Service.model_fields.keys()
    groups = []
    for group in table["group"]:
        services = group.pop("services", {})
        shared = {key: group.pop(key) for key in of_rows & group.keys()}
        rows = [{**shared, **row, "name": name} for name, row in services.items()]
        groups.append({**group, "rows": rows})
    return Services.model_validate({"places": table["places"], "groups": groups})


def generated(services: Services) -> dict[Path, str]:
    """Return the expected text of each generated file."""
    values = {
        "groups": [group for group in services.groups if group.rows],
        "declared": _declared,
        "lacking": _lacking,
        "fitted": _fitted,
    }
    files = {file: render(TEMPLATES, f"{file.name}.j2", values) for file in GENERATED}
    tables = "\n".join(_tables(services))
    files[GUIDE] = BLOCK.sub(lambda block: f"{block[1]}{tables}\n{block[2]}", GUIDE.read_text())
    return files


def _declared(group: Group) -> str:
    """Return declarations of a group's functions, except functions of calls.c."""
    functions = (each for row in group.numbered for each in (row.of_tasks, row.of_trusted))
    names = dict.fromkeys(each for each in functions if each.startswith("plf_"))
    return _wrapped(f"plf_service {', '.join(names)};") if names else ""


def _lacking(group: Group) -> str:
    """Return a group's numbers for images without the group, for os_calls.h."""
    first, *others = (f"PLF_CALL_{service.number}," for service in group.numbered)
    return _wrapped(" ".join([f"{TAB}{first[:-1]}{GLUE}={GLUE}PLF_CALLS,", *others]))


def _fitted(columns: list[str]) -> str:
    """Return a row of services.h; lines break only between columns."""
    row = "SERVICE(" + ", ".join(each.replace(" ", GLUE) for each in columns) + ")"
    return _wrapped(row)


def _wrapped(text: str) -> str:
    """Wrap the text to lines of C."""
    lines = textwrap.wrap(text, COLUMNS, subsequent_indent=TAB, break_long_words=False)
    return "\n".join(lines).replace(TAB, "\t").replace(GLUE, " ")


def _tables(services: Services) -> Iterator[str]:
    """Yield the lines of the guide: services by kind, and the places that may call each."""
    kinds: dict[str, list[str]] = {}
    for group in services.groups:
        names = [f"`{each.name}`" for each in group.named] + [group.more] * bool(group.more)
        if group.title:
            kinds.setdefault(group.title, []).extend(names)
    yield from ("| OSEK 2.2.3 | |", "|---|---|")
    yield from (f"| {title} | {', '.join(names)} |" for title, names in kinds.items())
    named = [row for group in services.groups for row in group.named]
    yield from ("", "| beside tasks, these may call | the services |", "|---|---|")
    for places, text in {"": "none", **services.places}.items():
        names = [f"`{row.name}`" for row in named if row.places == places]
        yield f"| {text} | {', '.join(names)} |"


def main() -> None:
    """Write the files that have changed."""
    for file, text in generated(load_services()).items():
        if file.read_text() != text:
            file.write_text(text)
            print(f"wrote {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
