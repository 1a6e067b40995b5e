# SPDX-License-Identifier: MIT
"""The page in a browser: on a phone, in the dark, and with the drawings of its script."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from patience import HUNG_S
from PIL import Image
from report_fakes import away, pathfinder, served

from plafond.report.histograms import Measure, make_histogram
from plafond.report.write import write_report
from plafond.run.model import Execution
from plafond.trace.activations import activations
from plafond.units import format_duration

pytestmark = pytest.mark.long

PHONE, DESK = 400, 1000  # pixels
LIGHT, DARK = 1, 0  # as the browser counts them
PAPER = {LIGHT: (255, 255, 255), DARK: (22, 24, 28)}
# A frame can be as narrow as a phone, but a window of this browser cannot.
HARNESS = """<!DOCTYPE html><body style="margin:0">
<iframe style="border:0;width:{width}px;height:3000px" src="report.html"></iframe><script>
document.querySelector("iframe").onload = (event) => {{
  const window = event.target.contentWindow, document = window.document;
  const all = (selector) => [...document.querySelectorAll(selector)];
  {script}
  const answer = self.document.createElement("pre");
  answer.textContent = JSON.stringify(seen);
  self.document.body.append(answer);
}};
</script>"""


def browse(folder: Path, width: int, theme: int, *action: str) -> str:
    command = [
        "chromium",
        *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
        *("--allow-file-access-from-files", "--virtual-time-budget=5000"),
        f"--user-data-dir={folder / 'profile'}",
        f"--blink-settings=preferredColorScheme={theme}",
        f"--window-size={max(width, 500)},3000",
        *action,
        (folder / "harness.html").as_uri(),
    ]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=HUNG_S
    ).stdout


def seen(
    execution: Execution, folder: Path, script: str, width: int = DESK, theme: int = LIGHT
) -> Any:
    """Let a script look at the page, and return its result."""
    write_report(execution, folder)
    (folder / "harness.html").write_text(HARNESS.format(width=width, script=script))
    answer = re.search(r"<pre>(.*)</pre>", browse(folder, width, theme, "--dump-dom"))
    assert answer is not None
    return json.loads(answer[1].replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))


def test_a_phone_scrolls_pictures_and_tables_but_not_the_page(tmp_path: Path) -> None:
    widths = seen(
        pathfinder(),
        tmp_path,
        """
        const place = (element) => Math.round(element.getBoundingClientRect().left);
        const table = document.querySelector("#result .scroll");
        const cell = table.querySelector("tbody td"), other = table.querySelectorAll("tbody td")[3];
        const before = [place(cell), place(other)];
        table.scrollLeft = 100;
        const pictures = all(".picture").map((each) => [each.clientWidth, each.scrollWidth]);
        const after = [place(cell), place(other)];
        const seen = {page: document.documentElement.scrollWidth, pictures, before, after};
        """,
        PHONE,
    )

    assert widths["page"] <= PHONE
    assert len(widths["pictures"]) >= 1 + len(pathfinder().traces) + len(Measure)
    assert all(shown < PHONE < whole for shown, whole in widths["pictures"])
    (task, number), (task_after, number_after) = widths["before"], widths["after"]
    assert number - number_after == 100
    assert 0 <= task_after <= task


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_all_of_the_page_follows_the_theme(tmp_path: Path, theme: int) -> None:
    write_report(pathfinder(), tmp_path)
    (tmp_path / "harness.html").write_text(HARNESS.format(width=PHONE, script="const seen = 0;"))
    picture = tmp_path / "page.png"
    browse(tmp_path, PHONE, theme, f"--screenshot={picture}")
    pixels = Image.open(picture).convert("RGB").crop((0, 0, PHONE, 3000))
    colours = pixels.getcolors(PHONE * 3000) or []
    most = max(colours)[1]

    assert most == PAPER[theme]
    other = PAPER[DARK if theme == LIGHT else LIGHT]
    assert sum(count for count, colour in colours if colour == other) < 0.002 * PHONE * 3000


def test_the_histograms_draw_every_value_once_and_count_what_lies_beyond(tmp_path: Path) -> None:
    drawn = seen(
        away(),
        tmp_path,
        """
        const sum = (id, name) => all(`#picture-${id} [data-${name}]`)
          .reduce((sum, each) => sum + Number(each.dataset[name]), 0);
        const seen = {};
        for (const id of ["latency", "blocking", "response"])
          seen[id] = [sum(id, "count"), sum(id, "beyond")];
        document.querySelector("#picture-response").closest("figure")
          .querySelector("[data-zoom=all]").click();
        seen.all = [sum("response", "count"), sum("response", "beyond")];
        """,
    )
    for measure in Measure:
        histogram = make_histogram(away(), measure)
        (strip,) = histogram.strips
        beyond = histogram.beyond(strip)
        assert drawn[measure] == [len(strip.values_ns) - beyond, beyond]
    assert drawn["response"][1] == 1
    assert drawn["all"] == [60, 0]


def test_the_reader_chooses_the_task_and_the_activation(tmp_path: Path) -> None:
    choices = seen(
        pathfinder(),
        tmp_path,
        """
        const words = () => all("#timeline h4 small").map((each) => each.textContent.split(",")[0]);
        const change = (id, value) => {
          const field = document.getElementById(id);
          field.value = value;
          field.dispatchEvent(new window.Event("change"));
        };
        const seen = [];
        change("activation", 7); seen.push(words());
        document.querySelector("[data-act=next]").click(); seen.push(words());
        change("task", 2); change("activation", 3); seen.push(words());
        seen.push(all(".of-task").map((each) => each.textContent));
        document.querySelector("[data-act=whole]").click(); seen.push(all("#timeline rect").length);
        """,
    )
    execution = pathfinder()

    def responses(task: str, index: int) -> list[str]:
        found = []
        for trace in execution.traces.values():
            recorded = next(each for each in trace.tasks if each.name == task)
            activation = next(each for each in activations(recorded) if each.index == index)
            response = format_duration(activation.response_ns or 0)
            found.append(f"activation {index}: response {response}")
        return found

    assert choices[:3] == [responses("high", 7), responses("high", 8), responses("low", 3)]
    assert set(choices[3]) == {"low"}
    assert choices[4] > 100


def test_the_time_line_draws_bands_of_servers_thinner_than_tasks(tmp_path: Path) -> None:
    drawn = seen(
        served(),
        tmp_path,
        """
        document.querySelector("[data-act=whole]").click();
        const heights = (name) => all(`#timeline rect.${name}`)
          .map((each) => Math.round(each.getBoundingClientRect().height));
        const seen = {};
        const states = ["running", "unserved", "served", "depleted"];
        for (const name of states) seen[name] = heights(name);
        """,
    )
    task, band = drawn["running"][0], drawn["served"][0]
    assert 0 < band < task
    assert drawn == {
        "running": [task] * 5,
        "unserved": [task] * 2,
        "served": [band] * 4,
        "depleted": [band] * 3,
    }
