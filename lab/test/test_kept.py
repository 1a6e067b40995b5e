# SPDX-License-Identifier: MIT
"""A measured result in a file: it is valid only for the same dependencies in the same order."""

from pathlib import Path

import pytest

from plafond.errors import RefusedError
from plafond.run.kept import Kept


@pytest.mark.parametrize(
    ("depends_on", "is_valid"),
    [
        ([b"one", b"two"], True),
        ([b"two", b"one"], False),
        ([b"onet", b"wo"], False),  # the same bytes, divided differently
        ([b"onetwo"], False),
        ([b"one", b"two", b""], False),
        ([b"one"], False),
    ],
)
def test_a_result_is_valid_only_for_its_dependencies(
    depends_on: list[bytes], is_valid: bool, tmp_path: Path
) -> None:
    file = tmp_path / "deeper" / "kept.json"
    Kept(file, [b"one", b"two"]).write({"found": 3})
    assert Kept(file, depends_on).read() == ({"found": 3} if is_valid else None)


@pytest.mark.parametrize("content", ["", "{", '{"found": 3}', "\x00"])
def test_a_damaged_file_has_no_result(content: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    assert Kept(file, []).read() is None
    file.write_text(content)
    assert Kept(file, []).read() is None


def test_a_result_that_cannot_be_written_is_refused_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file = tmp_path / "file" / "kept.json"
    with pytest.raises(RefusedError) as caught:
        Kept(file, []).write({})
    assert str(caught.value).startswith(f"cannot write to {file}: ")
