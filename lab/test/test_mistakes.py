# SPDX-License-Identifier: MIT
"""Descriptions with mistakes: a comment at each wrong line has the message about it.

Each file in `mistakes/` is read as `plafond check` reads it. All messages must stand in comments,
and all comments must be messages:

- `# found 0; expected 1` ends the wrong line, or stands below it if it is long. A message about the
  whole description stands above its first line.
- The comment names only the part of a field that the line does not name. `...` stands for any text.
- `# ----` begins another description in the same file. It is needed if a mistake hides others.
- A description without such comments is right.

After messages were changed, `python test_mistakes.py FILE...` writes the comments anew.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

import pytest

from plafond.describe import load
from plafond.describe.draw import load_study
from plafond.describe.loading import load_mutexes
from plafond.describe.problems import DescriptionError, Where, field_name

FOLDER = Path(__file__).parent / "mistakes"
FILES = sorted(file.name for file in FOLDER.iterdir())
BESIDE = ("tasks.c", "trusted.c", "types.h")  # files that a description may name
MARKS = {".toml": "#", ".oil": "//", ".json": "//"}
WIDTH = 100


@dataclass
class Line:
    """A line of a description, with its comments."""

    number: int  # from 1; before the first line of a description: 0
    text: str
    comments: list[str] = field(default_factory=list)


def lines_of(name: str) -> Iterator[list[Line]]:
    mark = MARKS[Path(name).suffix]
    message = re.compile(rf"(.*?) *{mark} ((?:[^ #]+: )?found .*)")
    rest = re.compile(rf" *{mark}   +(.*)")
    lines = [Line(0, "")]
    for number, text in enumerate((FOLDER / name).read_text().splitlines(), 1):
        if text.startswith(f"{mark} ----"):
            yield lines
            lines = [Line(0, "")]
        found, more = message.fullmatch(text), rest.fullmatch(text)
        comments = next((line.comments for line in lines[::-1] if is_code(line, mark)), None)
        comments = lines[0].comments if comments is None else comments
        if more and comments:
            comments[-1] += f" {more[1]}"
        elif found and not found[1]:
            comments.append(found[2])
        else:
            lines.append(Line(number, found[1] if found else text, [found[2]] if found else []))
    yield lines


def is_code(line: Line, mark: str) -> bool:
    return bool(line.text.strip()) and not line.text.lstrip().startswith(mark)


def messages_of(folder: Path, name: str, lines: list[Line]) -> list[list[str]]:
    """Return the messages about each line, as comments have them."""
    for beside in BESIDE:
        (folder / beside).touch()
    file, mark = folder / f"some{Path(name).suffix}", MARKS[Path(name).suffix]
    text = {line.number: line.text for line in lines}
    file.write_text("\n".join(text.get(number, "") for number in range(1, lines[-1].number + 1)))
    messages: list[list[str]] = [[] for _ in lines]
    for number, where, message in problems_of(file, name):
        index = max(
            (i for i, line in enumerate(lines) if line.number <= number and is_code(line, mark)),
            default=0,
        )
        rest = field_beside(where, lines[index].text)
        said = f"{rest}: {message}" if rest else message
        messages[index].append(said.replace(f"{folder}/", ""))
    return messages


def problems_of(file: Path, name: str) -> list[tuple[int, Where, str]]:
    """Return line, field and rest of each message about a description."""
    loading = {"preload": load_mutexes, "study": load_study}.get(name.split("-")[0], load)
    try:
        loading(file)
    except DescriptionError as error:
        return [
            (number, each.where, f"found {each.found}; expected {each.expected}")
            for number, each in error.problems
        ]
    return []


def field_beside(where: Where, line: str) -> str:
    """Return the part of a field's name that the line does not have."""
    for end in range(len(where), 0, -1):
        name = where[end - 1]
        if isinstance(name, str) and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line):
            return field_name(where[end:])
    elements = [index for index, part in enumerate(where) if isinstance(part, int)]
    return field_name(where[max(elements, default=0) :])


def is_said(comment: str, message: str) -> bool:
    return re.fullmatch(re.escape(comment).replace(re.escape("..."), ".*"), message) is not None


@pytest.mark.parametrize("name", FILES)
def test_each_mistake_is_named(tmp_path: Path, name: str) -> None:
    for lines in lines_of(name):
        for line, messages in zip(lines, messages_of(tmp_path, name, lines), strict=True):
            comments = [*line.comments]
            for message in messages:
                said = next((each for each in comments if is_said(each, message)), None)
                assert said, f"{name}:{line.number}: no comment says: {message}"
                comments.remove(said)
            assert not comments, f"{name}:{line.number}: no message says: {comments[0]}"


def renew(folder: Path, name: str) -> None:
    """Write the comments of a file anew. Right comments stay as they are."""
    written, mark = [], MARKS[Path(name).suffix]
    for lines in lines_of(name):
        above: list[str] = []  # comments about the whole description
        for line, messages in zip(lines, messages_of(folder, name, lines), strict=True):
            indent = line.text[: len(line.text) - len(line.text.lstrip())]
            below = []
            for message in messages:
                comment = next((each for each in line.comments if is_said(each, message)), message)
                first = f"{indent}{mark} "
                below += wrap(
                    f"{first}{comment}",
                    WIDTH,
                    subsequent_indent=f"{first}  ",
                    break_on_hyphens=False,
                )
            if not line.number:
                above = below
                continue
            if not line.text.startswith(mark):
                written += above
                above = []
            whole = f"{line.text}  {''.join(below).strip()}"
            is_short = len(below) == 1 and len(whole) <= WIDTH
            written += [whole] if is_short else [line.text, *below]
        written += above
    (FOLDER / name).write_text("\n".join(written) + "\n")


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    for given in sys.argv[1:]:
        with TemporaryDirectory() as temporary:
            renew(Path(temporary), Path(given).name)
