# SPDX-License-Identifier: MIT
"""Packages and modules of the lab import downwards, so no import leads back.

Imports inside functions and for types count, because a reader has to know them, too.
"""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parents[1]
Edges = dict[str, set[str]]


def modules_of(folder: Path) -> dict[str, Path]:
    """Return the modules below a folder by name. A package's own file is its module `__init__`."""
    return {
        ".".join(file.relative_to(folder).with_suffix("").parts): file
        for file in folder.rglob("*.py")
    }


def imports_of(file: Path, modules: dict[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{file}: found a relative import; expected a full one"
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
        for name in names:
            yield from {name, f"{name}.__init__"} & modules.keys()


def siblings_of(folder: Path) -> dict[str, Edges]:
    """Return, for each package, the children that each of its children imports."""
    modules = modules_of(folder)
    graphs: dict[str, Edges] = {}
    for module, file in modules.items():
        for used in imports_of(file, modules):
            mine, its = module.split("."), used.split(".")
            split = next((i for i, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b), 0)
            graph = graphs.setdefault(".".join(mine[:split]), {})
            graph.setdefault(mine[split], set()).add(its[split])
    return graphs


@cache
def siblings_of_lab() -> dict[str, Edges]:
    return siblings_of(LAB)


def circle_in(edges: Edges) -> list[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_package_imports_in_a_circle() -> None:
    graphs = siblings_of_lab()
    assert len(graphs["plafond"]) > 10  # the walk has found the packages
    circles = {package: circle_in(edges) for package, edges in graphs.items()}
    assert {package: circle for package, circle in circles.items() if circle} == {}


def layers() -> list[list[str]]:
    """Return the packages of each line of docs/architecture.md, without the text after two
    blanks."""
    page = (LAB.parent / "docs/architecture.md").read_text()
    block = page.partition("<!-- layers -->\n```text\n")[2].partition("```")[0]
    return [line.partition("  ")[0].split() for line in block.splitlines()]


def test_the_guide_shows_the_layers() -> None:
    level = {package: place for place, line in enumerate(layers()) for package in line}
    edges = {**siblings_of_lab()["plafond"]}
    assert {*edges, *(used for uses in edges.values() for used in uses)} - {"__main__"} == {*level}
    edges.pop("__main__")
    upwards = [
        f"{package} imports {used}, which is not above it in docs/architecture.md"
        for package, uses in edges.items()
        for used in uses
        if level[used] >= level[package]
    ]
    assert upwards == []


@pytest.mark.parametrize(
    "text",
    [
        "from plafond.low import thing",
        "import plafond.low.thing",
        "from plafond.low.thing import name",
        "def late():\n    from plafond.low.thing import name",
        "if TYPE_CHECKING:\n    from plafond.low.thing import name",
    ],
)
def test_a_circle_is_found(tmp_path: Path, text: str) -> None:
    files = {
        "high/__init__.py": "",
        "high/user.py": text,
        "low/__init__.py": "",
        "low/thing.py": "from plafond.high.other import name",
        "high/other.py": "",
    }
    for name, content in files.items():
        file = tmp_path / "plafond" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    assert sorted(set(circle_in(siblings_of(tmp_path)["plafond"]))) == ["high", "low"]
