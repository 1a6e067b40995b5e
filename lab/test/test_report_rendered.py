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

PHONE, DESK, LONG_PAGE = 400, 1280, 3000  # pixels
SCREENS = {PHONE: 860, DESK: 800}
LIGHT, DARK = 1, 0  # as the browser counts them
PAPER = {LIGHT: (255, 255, 255), DARK: (22, 24, 28)}
# A frame can be as narrow as a phone, but a window of this browser cannot.
HARNESS = """<!DOCTYPE html><body style="margin:0">
<iframe style="border:0;width:{width}px;height:{height}px" src="report.html{fragment}"></iframe>
<script>
document.querySelector("iframe").onload = async (event) => {{
  const window = event.target.contentWindow, document = window.document;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const get = (selector) => document.querySelector(selector);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const send = (target, type, how) => target.dispatchEvent(new (type === "wheel" ? window.WheelEvent
    : window.PointerEvent)(type, {{bubbles: true, cancelable: true, ...how}}));
  const panels = () => all("#timeline svg").map((each) => each.getBoundingClientRect());
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


def harness(
    folder: Path, script: str, width: int, height: int = LONG_PAGE, fragment: str = ""
) -> None:
    text = HARNESS.format(width=width, height=height, script=script, fragment=fragment)
    (folder / "harness.html").write_text(text)


def seen(
    execution: Execution,
    folder: Path,
    script: str,
    width: int = DESK,
    height: int = LONG_PAGE,
    fragment: str = "",
) -> Any:
    """Let a script look at the page, and return its result."""
    write_report(execution, folder)
    harness(folder, script, width, height, fragment)
    answer = re.search(r"<pre>(.*)</pre>", browse(folder, width, LIGHT, "--dump-dom"))
    assert answer is not None
    return json.loads(answer[1].replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))


@pytest.mark.parametrize(("width", "height"), SCREENS.items())
def test_the_first_screen_has_sentence_picture_and_table(
    tmp_path: Path, width: int, height: int
) -> None:
    script = """
        const place = (selector) => {
          const {top, bottom, left, right} = get(selector).getBoundingClientRect();
          return {top, bottom, left, right};
        };
        const seen = {};
        for (const name of [".headline", "#timeline", "#result table", "#result tbody tr"])
          seen[name] = place(name);
        """
    places = seen(pathfinder(), tmp_path, script, width, height)

    tops = [place["top"] for place in places.values()]
    assert tops == sorted(tops)
    assert all(place["left"] >= 0 and place["right"] <= width for place in places.values())
    assert places["#result tbody tr"]["bottom"] <= height


def test_nothing_is_cut_on_a_phone(tmp_path: Path) -> None:
    script = """
        all("details").forEach((each) => { each.open = true; });
        await wait(300);
        const inScroll = (each) => each.closest(".picture, details .scroll");
        const wide = all("main *").filter((each) => !inScroll(each) && !each.closest("svg *")
          && each.getBoundingClientRect().right > 400).map((each) => each.outerHTML.slice(0, 80));
        const table = get("#result .scroll");
        const seen = {page: document.documentElement.scrollWidth, wide,
          table: table.scrollWidth - table.clientWidth,
          letters: all(".drawn svg text").filter((each) => {
            const box = each.getBoundingClientRect();
            return box.left < 0 || box.right > 400;
          }).map((each) => each.textContent),
          drawn: all(".drawn svg").length};
        """
    found = seen(pathfinder(), tmp_path, script, PHONE)

    assert found == {
        "page": PHONE,
        "wide": [],
        "table": 0,
        "letters": [],
        "drawn": len(pathfinder().traces) + len(Measure),
    }


def test_the_cursor_crosses_all_panels_and_shows_times_and_states(tmp_path: Path) -> None:
    script = """
        const bar = get("#timeline [data-row='0'] .blocked");
        const {left, width, top} = bar.getBoundingClientRect();
        send(bar, "pointermove", {clientX: left + width / 2, clientY: top + 2});
        const line = get(".cursor").getBoundingClientRect();
        const seen = {words: get(".tip").textContent.split("\\n"),
          isOver: panels().every((each) => line.top <= each.top && line.bottom >= each.bottom),
          isThere: Math.abs(line.left - left - width / 2) < 2};
        send(document.getElementById("timeline"), "pointerleave", {});
        seen.hidden = [".cursor", ".tip"].map((name) => get(name).hidden);
        """
    found = seen(pathfinder(), tmp_path, script)
    words = found["words"]

    assert (found["isOver"], found["isThere"], found["hidden"]) == (True, True, [True, True])
    assert re.fullmatch(r"high, [\d.]+ms after the arrival", words[0])
    assert [line.split(":")[0] for line in words[1:]] == list(pathfinder().traces)
    assert re.fullmatch(r"none: waits for bus, [\d.]+ms to [\d.]+ms \([\d.]+ms\)", words[1])


def test_the_wheel_zooms_and_the_time_below_it_stays(tmp_path: Path) -> None:
    script = """
        const end = () => get("#timeline .mark + .mark").getBoundingClientRect();
        const rows = () => get("#timeline svg").getBoundingClientRect();
        const at = {clientX: end().left, clientY: rows().top + 5};
        const wheel = (deltaY) =>
          !send(get("#timeline svg"), "wheel", {...at, deltaY});
        const width = () => get("#timeline .chosen").getBoundingClientRect().width;
        const before = width(), place = end().left;
        const seen = {isTaken: wheel(-50)};
        seen.factor = width() / before;
        seen.moved = end().left - place;
        for (let i = 0; i < 40; i++) wheel(1000);
        seen.isTakenAtTheEnd = wheel(1000);
        await wait(300);
        seen.fragment = window.location.hash;
        """
    found = seen(pathfinder(), tmp_path, script)

    assert found["isTaken"]
    assert found["factor"] == pytest.approx(2**0.2, rel=0.01)
    assert abs(found["moved"]) < 1
    assert not found["isTakenAtTheEnd"]  # so the page scrolls
    assert "from=0&" in found["fragment"]


def test_two_fingers_zoom_and_a_finger_moves_the_time(tmp_path: Path) -> None:
    script = """
        const touch = (type, pointerId, clientX) => send(get("#timeline svg"), type, {
          pointerId, clientX, pointerType: "touch", clientY: panels()[0].top + 5,
        });
        const ends = () => {
          const {left, right} = get("#timeline .chosen").getBoundingClientRect();
          return [left, right];
        };
        const seen = [ends()], [left, right] = ends();
        touch("pointerdown", 1, left); touch("pointerdown", 2, right);
        touch("pointermove", 2, (left + right) / 2); seen.push(ends());
        touch("pointerup", 2, (left + right) / 2);
        touch("pointermove", 1, left + 50); seen.push(ends());
        touch("pointerup", 1, left + 50);
        touch("pointermove", 1, left); seen.push(ends());
        """
    found = seen(pathfinder(), tmp_path, script)
    (left, right), pinched, moved, after = found

    assert pinched == pytest.approx([left, (left + right) / 2], abs=1)
    assert moved == pytest.approx([left + 50, (left + right) / 2 + 50], abs=1)
    assert after == moved


def test_a_row_can_be_hidden_in_all_panels_and_shown_again(tmp_path: Path) -> None:
    script = """
        const rows = () => all("#timeline .label").map((each) => each.firstChild.data);
        const button = document.getElementById("hidden");
        const seen = [[rows(), button.hidden]];
        get("#timeline [data-row='1'] .label")
          .dispatchEvent(new window.MouseEvent("click", {bubbles: true}));
        seen.push([rows(), button.hidden ? "" : button.textContent]);
        get("#rows input[value='2']").click();
        seen.push([rows(), button.textContent]);
        button.click();
        seen.push([rows(), button.hidden]);
        """
    found = seen(pathfinder(), tmp_path, script)
    count = len(pathfinder().traces)

    assert found[0] == found[3] == [["high", "middle", "low"] * count, True]
    assert found[1] == [["high", "low"] * count, "show 1 hidden row"]
    assert found[2] == [["high"] * count, "show 2 hidden rows"]


STATE = """
const chosen = get("#timeline .chosen").getBoundingClientRect();
const seen = {fragment: window.location.hash, left: chosen.left, width: chosen.width,
  rows: all("#timeline [data-row]").map((each) => each.dataset.row),
  open: all("details[open]").map((each) => each.id).filter((id) => id),
  task: document.getElementById("task").value};
"""


def test_the_address_keeps_the_place(tmp_path: Path) -> None:
    script = """
        const field = document.getElementById("task");
        field.value = 2;
        field.dispatchEvent(new window.Event("change"));
        get("[data-act=out]").click();
        get("#timeline [data-row='1'] .label")
          .dispatchEvent(new window.MouseEvent("click", {bubbles: true}));
        all("details").forEach((each) => { each.open = ["times", "any"].includes(each.id); });
        await wait(500);
        """
    left = seen(pathfinder(), tmp_path, script + STATE)
    found = seen(pathfinder(), tmp_path, "await wait(500);" + STATE, fragment=left["fragment"])

    assert left["task"] == "2"
    assert left["open"] == ["any", "times"]
    assert set(left["rows"]) == {"0", "2"}
    assert left["left"] == pytest.approx(found.pop("left"), abs=1)
    assert left["width"] == pytest.approx(found.pop("width"), abs=1)
    assert found.items() <= left.items()


@pytest.mark.parametrize(
    "fragment",
    [
        *("#task=99&from=0&to=5", "#task=1&from=9&to=3", "#task=x", "#nowhere"),
        *("#task=1&hide=77.-1.a", f"#task=1&from=0&to={'9' * 400}"),
        *("#task=1&activation=123456&from=1&to=1", "#task=1&from=-5&to=1e400&open=none.%3Cb%3E"),
    ],
)
def test_a_wrong_address_does_no_harm(tmp_path: Path, fragment: str) -> None:
    script = """
        await wait(500);
        const seen = {drawn: all("#timeline [data-row]").length, hash: window.location.hash,
          open: all("main > details[open]").length};
    """
    found = seen(pathfinder(), tmp_path, script, fragment=fragment)

    assert found["drawn"] == 3 * len(pathfinder().traces)
    assert found["open"] == 0
    assert re.fullmatch(r"#task=\d(&activation=\d+)?&from=\d+&to=\d+", found["hash"])


def test_an_anchor_opens_its_part(tmp_path: Path) -> None:
    script = "const seen = all('main > details[open]').map((each) => each.id);"
    assert seen(pathfinder(), tmp_path, script, fragment="#conditions") == ["conditions"]


def test_the_scripts_make_no_global_names(tmp_path: Path) -> None:
    script = """
        const seen = ["place", "draw", "rowsIn", "scale", "panels", "zoomable"]
          .map((name) => window.eval(`typeof ${name}`));
        """
    names = seen(pathfinder(), tmp_path, script)
    assert names == ["undefined"] * 6


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_all_of_the_page_follows_the_theme(tmp_path: Path, theme: int) -> None:
    write_report(pathfinder(), tmp_path)
    harness(tmp_path, "const seen = 0;", PHONE)
    picture = tmp_path / "page.png"
    browse(tmp_path, PHONE, theme, f"--screenshot={picture}")
    pixels = Image.open(picture).convert("RGB").crop((0, 0, PHONE, 3000))
    colours = pixels.getcolors(PHONE * 3000) or []
    most = max(colours)[1]

    assert most == PAPER[theme]
    other = PAPER[DARK if theme == LIGHT else LIGHT]
    assert sum(count for count, colour in colours if colour == other) < 0.002 * PHONE * 3000


def test_the_histograms_draw_every_value_once_and_count_what_lies_beyond(tmp_path: Path) -> None:
    script = """
        const sum = (id, name) => all(`#picture-${id} [data-${name}]`)
          .reduce((sum, each) => sum + Number(each.dataset[name]), 0);
        const seen = {};
        document.getElementById("spread").open = true;
        await wait(200);
        for (const id of ["latency", "blocking", "response"])
          seen[id] = [sum(id, "count"), sum(id, "beyond")];
        get("#picture-response").closest("figure")
          .querySelector("[data-zoom=all]").click();
        seen.all = [sum("response", "count"), sum("response", "beyond")];
        """
    drawn = seen(away(), tmp_path, script)
    for measure in Measure:
        histogram = make_histogram(away(), measure)
        (strip,) = histogram.strips
        beyond = histogram.beyond(strip)
        assert drawn[measure] == [len(strip.values_ns) - beyond, beyond]
    assert drawn["response"][1] == 1
    assert drawn["all"] == [60, 0]


def test_the_reader_chooses_the_task_and_the_activation(tmp_path: Path) -> None:
    script = """
        const words = () => all("#timeline h4 small").map((each) => each.textContent.split(",")[0]);
        const change = (id, value) => {
          const field = document.getElementById(id);
          field.value = value;
          field.dispatchEvent(new window.Event("change"));
        };
        const seen = [];
        change("activation", 7); seen.push(words());
        get("[data-act=next]").click(); seen.push(words());
        change("task", 2); change("activation", 3); seen.push(words());
        seen.push(all(".of-task").map((each) => each.textContent));
        get("[data-act=whole]").click(); seen.push(all("#timeline rect").length);
        """
    choices = seen(pathfinder(), tmp_path, script)
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
    script = """
        get("[data-act=whole]").click();
        const heights = (name) => all(`#timeline rect.${name}`)
          .map((each) => Math.round(each.getBoundingClientRect().height));
        const seen = {};
        const states = ["running", "unserved", "served", "depleted"];
        for (const name of states) seen[name] = heights(name);
        """
    drawn = seen(served(), tmp_path, script)
    task, band = drawn["running"][0], drawn["served"][0]
    assert 0 < band < task
    assert drawn == {
        "running": [task] * 5,
        "unserved": [task] * 2,
        "served": [band] * 4,
        "depleted": [band] * 3,
    }
