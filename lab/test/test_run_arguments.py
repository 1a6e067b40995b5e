# SPDX-License-Identifier: MIT
"""`plafond run` with wrong arguments: each is named, and nothing runs."""

from pathlib import Path

import pytest
from refusal import refusal

TEXT = """
[task.high]
priority = 20
arrival = "periodic 5ms"
activations = 10
body = ["lock R", "run 1ms", "unlock R"]
[resource.R]
"""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--protocol", "plafon"], "did you mean plafond"),
        (["--scale", "0"], "--scale: found '0'"),
        (["--activations", "0"], "activations"),
        (["--on", "mars"], "mars"),
        (["--task", "hihg"], "did you mean high"),
        (["--spare-cpu", "3", "--arrivals", "worst"], "--arrivals worst is for bounds"),
        (["--arrivals", "best"], "best"),
        (["--spare-cpu", "3"], "compares two protocols"),
        (["--spare-cpu", "1", "--protocol", "none,inherit"], "at least 2 pairs"),
        (["--kernel", "7.x"], "--kernel is of the virtual machine: it needs --on vm"),
        (["--cpus", "2"], "--cpus is of the virtual machine: it needs --on vm"),
        (
            ["--processor", "aarch64"],
            "--processor is of the virtual machine: it needs --on vm",
        ),
        (
            ["--on", "vm", "--processor", "aarch64", "--kernel", "7.x"],
            "--kernel: found 7.x with --processor aarch64; expected 6.12",
        ),
        (["--on", "vm", "--kernel", "5.4"], "5.4"),
        (["--on", "sim", "--irqs"], "--irqs records Linux: found --on sim; expected linux or vm"),
        (["--on", "a53", "--irqs"], "--irqs records Linux: found --on a53; expected linux or vm"),
        (["--irqs", "--spare-cpu", "3"], "takes, too: found both; expected one of them"),
        (["--on", "vm", "--cpus", "3"], "--cpus"),
    ],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: list[str], message: str) -> None:
    file = tmp_path / "some.toml"
    file.write_text(TEXT)
    printed = refusal(["run", str(file), "--out", str(tmp_path / "out"), *arguments])
    assert message in printed
    assert not (tmp_path / "out").exists()
