# SPDX-License-Identifier: MIT
"""The core and the libraries on it are layers: files include no circle, and nothing above them.

A file is NAME.c together with NAME.h. C refuses a call without a declaration. So a file calls only
files whose headers it includes, except through the table of a keeper.
"""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

LINUX = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
LAYERED = ("core", "lib", "pthread")

Graph = dict[str, set[str]]


def included(linux: Path, file: Path) -> set[str]:
    """The files that FILE includes: from its folder, or else from the core."""
    found = set()
    for name in INCLUDE.findall(file.read_text()):
        targets = [file.parent / name, linux / "core" / name]
        target = next((t.resolve() for t in targets if t.exists()), None)
        if target is not None:
            found.add(f"{target.parent.name}/{target.stem}")
    return found


def graph_of(linux: Path, rooms: tuple[str, ...]) -> Graph:
    """The files that each file includes."""
    graph: Graph = {}
    for room in rooms:
        for file in (linux / room).glob("*.[ch]"):
            node = f"{room}/{file.stem}"
            graph.setdefault(node, set()).update(included(linux, file) - {node})
    return graph


def circle_in(graph: Graph) -> list[str]:
    """A circle of files; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []


def strays(graph: Graph, room: str, *allowed: str) -> dict[str, set[str]]:
    """The files of a room that include files of rooms that are not allowed."""
    found = {
        node: {other for other in others if other.split("/")[0] not in allowed}
        for node, others in graph.items()
        if node.startswith(f"{room}/")
    }
    return {node: others for node, others in found.items() if others}


def test_no_circle_of_files() -> None:
    assert circle_in(graph_of(LINUX, LAYERED)) == []


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ("core", ("core", "module")),  # module: only the requests to its device
        ("lib", ("lib", "core")),
        ("pthread", ("pthread", "core", "waits")),
    ],
)
def test_a_room_includes_those_below_it_alone(room: str, allowed: tuple[str, ...]) -> None:
    graph = graph_of(LINUX, (room,))
    assert len(graph) > 1
    assert strays(graph, room, *allowed) == {}


def write(linux: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        file = linux / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)


def test_a_circle_through_sources_is_found(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "core/low.h": "",
            "core/low.c": '#include "low.h"\n#include "high.h"\n',
            "core/high.h": '#include "middle.h"\n',
            "core/middle.h": "",
            "core/middle.c": '#include "low.h"\n',
        },
    )
    assert set(circle_in(graph_of(tmp_path, ("core",)))) == {"core/low", "core/high", "core/middle"}


def test_a_way_up_is_found(tmp_path: Path) -> None:
    write(tmp_path, {"core/low.c": '#include "../lib/wait.h"\n', "lib/wait.h": ""})
    assert strays(graph_of(tmp_path, ("core",)), "core", "core") == {"core/low": {"lib/wait"}}
