# SPDX-License-Identifier: MIT
"""The Gantt chart in the terminal: a line for each task, a character for each slice of time."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, log10

from rich.console import Console
from rich.text import Text

from plafond.report.coarse import coarse
from plafond.report.gantt import Chart, Gantt, Worst
from plafond.report.gantt_words import idle_words, sentence
from plafond.report.rows import Row, State, Stretch
from plafond.units import UNIT_NS, format_duration

LEAST_CELLS = 20
LEAST_CELL = 0.25  # stretches that fill less of a cell are not drawn
LONGEST_NAME = 16
TICK_CELLS = 10
STYLES = {
    State.RUNNING: "blue",
    State.BLOCKED: "red",
    State.KEPT_OUT: "red",
    State.READY: "dim",
    State.OUTSIDE: "",
    State.SLEEPING: "dim",
    State.UNSERVED: "dim",
    State.SERVED: "",
    State.DEPLETED: "dim",
    State.POSTPONED: "red",
    State.OVERRUN: "red",
    State.SHUT_OUT: "red",
    State.THREAD: "",
    State.SOFTIRQ: "",
    State.INTERRUPT: "red",
}
SECTION_STYLES = ("yellow", "green", "magenta", "cyan")


@dataclass(frozen=True)
class _Letters:
    """The characters that the terminal can show."""

    states: dict[State, str]
    section: str
    line: str
    left: str
    right: str
    tick: str


UNICODE = _Letters(
    states={
        State.RUNNING: "█",
        State.BLOCKED: "x",
        State.KEPT_OUT: "░",
        State.READY: "·",
        State.OUTSIDE: "?",
        State.SLEEPING: "z",
        State.UNSERVED: "-",
        State.SERVED: "▄",
        State.DEPLETED: "_",
        State.POSTPONED: "w",
        State.OVERRUN: "▀",
        State.SHUT_OUT: "o",
        State.THREAD: "▒",
        State.SOFTIRQ: "s",
        State.INTERRUPT: "i",
    },
    section="▓",
    line="─",
    left="├",
    right="┤",
    tick="┬",
)
ASCII = _Letters(
    states={
        State.RUNNING: "#",
        State.BLOCKED: "x",
        State.KEPT_OUT: "!",
        State.READY: ".",
        State.OUTSIDE: "?",
        State.SLEEPING: "z",
        State.UNSERVED: "-",
        State.SERVED: "^",
        State.DEPLETED: "_",
        State.POSTPONED: "w",
        State.OVERRUN: "+",
        State.SHUT_OUT: "o",
        State.THREAD: "%",
        State.SOFTIRQ: "s",
        State.INTERRUPT: "i",
    },
    section="=",
    line="-",
    left="|",
    right="|",
    tick="+",
)


def _letters(console: Console) -> _Letters:
    return UNICODE if console.encoding.lower().replace("-", "").startswith("utf") else ASCII


class TaskLines:
    """The lines of the shown task alone, one for each chart, with `cells` characters."""

    def __init__(self, gantt: Gantt, console: Console, cells: int) -> None:
        """Take the time scale of the whole chart."""
        gantt = coarse(gantt, (gantt.end_ns - gantt.begin_ns) / cells * LEAST_CELL)
        self._canvas = _Canvas(gantt, _letters(console), 0, cells)

    def of(self, chart: Chart) -> Text:
        """Return the line of a chart."""
        row = next(row for row in chart.rows if row.task == chart.task)
        return self._canvas.cells_of(row)

    def ruler(self, deadline_ns: int | None) -> list[Text]:
        """Return the line of ticks, with a D at the deadline, and the line of times."""
        ticks, times = self._canvas.ruler()
        if deadline_ns is not None and deadline_ns < self._canvas.gantt.end_ns:
            column = self._canvas.column(deadline_ns) + 1
            ticks = Text.assemble(ticks[:column], ("D", "bold"), ticks[column + 1 :])
        return [ticks[1:], times[1:]]

    def legend(self) -> Text:
        """Return the legend of the characters."""
        letters = self._canvas.letters
        waits = letters.states[State.BLOCKED]
        return Text(f"{waits} waits for a lock   {letters.section} runs in a section   D deadline")


def print_gantt(gantt: Gantt, console: Console) -> None:
    """Print all charts below each other, on one time scale."""
    names = [row.label for chart in gantt.charts for row in chart.rows]
    name_cells = min(max(map(len, names), default=0), LONGEST_NAME)
    cells = max(console.width - name_cells - 2, LEAST_CELLS)
    gantt = coarse(gantt, (gantt.end_ns - gantt.begin_ns) / cells * LEAST_CELL)
    canvas = _Canvas(gantt, _letters(console), name_cells, cells)
    lines = [line for chart in gantt.charts for line in canvas.chart(chart)]
    for line in [*lines, *canvas.ruler(), *canvas.legend()]:
        console.print(line, no_wrap=line.no_wrap, overflow="crop" if line.no_wrap else "fold")


class _Canvas:
    """Lines of characters for the charts of a `Gantt`."""

    def __init__(self, gantt: Gantt, letters: _Letters, name_cells: int, cells: int) -> None:
        self.gantt, self.letters = gantt, letters
        self.name_cells, self.cells = name_cells, cells
        self.cell_ns = (gantt.end_ns - gantt.begin_ns) / cells
        self.rows = [row for chart in gantt.charts for row in chart.rows]
        resources = sorted({section.resource for row in self.rows for section in row.sections})
        self.section_styles = {
            name: SECTION_STYLES[index % len(SECTION_STYLES)]
            for index, name in enumerate(resources)
        }
        self.states = {stretch.state for row in self.rows for stretch in row.stretches}

    def column(self, time_ns: float) -> int:
        """Return the cell that contains the time."""
        return floor((time_ns - self.gantt.begin_ns) / self.cell_ns)

    def chart(self, chart: Chart) -> list[Text]:
        """Return the title, the response with its limits, and the rows."""
        title = Text(f"{chart.title}: ", style="bold").append(sentence(chart), style="not bold")
        response = [self._line("", self._response(chart.worst, chart))] if chart.worst else []
        return [title, *response, *map(self._row, chart.rows), Text()]

    def _line(self, name: str, content: Text) -> Text:
        shown = name if len(name) <= self.name_cells else name[: self.name_cells - 1] + "~"
        line = Text(f"{shown:>{self.name_cells}} ", no_wrap=True)
        return line.append_text(content)

    def _response(self, worst: Worst, chart: Chart) -> Text:
        """Draw `|--- 57ms ---|`, B at the bound and D at the deadline."""
        end_ns = worst.response_ns
        first, last = self.column(0), max(self.column(end_ns - 1), self.column(0) + 1)
        inner = last - first - 1
        words = f" {format_duration(end_ns)} "
        words = words if len(words) <= inner else ""
        cells = list(" " * self.cells)
        bar = f"{self.letters.left}{words:{self.letters.line}^{inner}}{self.letters.right}"
        cells[first : last + 1] = bar
        for mark, time_ns in (("D", chart.deadline_ns), ("B", chart.bound_ns)):
            if time_ns is not None and time_ns < self.gantt.end_ns:
                cells[self.column(time_ns)] = mark
        return Text("".join(cells))

    def cells_of(self, row: Row) -> Text:
        """Return the line of a row, without its name."""
        cells = [self._cell(row, column) for column in range(self.cells)]
        for stretch in row.stretches:
            self._write_resource(cells, stretch)
        for time_ns in row.arrivals_ns if row.is_server else ():
            cells[min(self.column(time_ns), self.cells - 1)] = ("R", "")
        return Text.assemble(*cells)

    def _row(self, row: Row) -> Text:
        return self._line(row.label, self.cells_of(row))

    def _cell(self, row: Row, column: int) -> tuple[str, str]:
        """Return the character of the state that lasts longest in a slice of time."""
        begin = self.gantt.begin_ns + column * self.cell_ns
        end = begin + self.cell_ns
        inside = [s for s in row.stretches if s.begin_ns < end and s.end_ns > begin]
        if not inside:
            return (" ", "")
        longest = max(inside, key=lambda s: min(s.end_ns, end) - max(s.begin_ns, begin))
        if longest.state is State.RUNNING and longest.resource is not None:
            return (self.letters.section, self.section_styles[longest.resource])
        return (self.letters.states[longest.state], STYLES[longest.state])

    def _write_resource(self, cells: list[tuple[str, str]], stretch: Stretch) -> None:
        """Write the name of the resource into a stretch with enough room."""
        first, last = self.column(stretch.begin_ns) + 1, self.column(stretch.end_ns) - 1
        name = f" {stretch.resource} "
        if stretch.resource is None or len(name) > last - first:
            return
        begin = (first + last - len(name)) // 2 + 1
        style = cells[begin][1]
        cells[begin : begin + len(name)] = [(letter, style) for letter in name]

    def ruler(self) -> list[Text]:
        """Return the line of ticks and the line of their times."""
        unit, step_ns = _step(TICK_CELLS * self.cell_ns)
        ticks, times = list(self.letters.line * self.cells), list(" " * (self.cells + LONGEST_NAME))
        time_ns = -(-self.gantt.begin_ns // step_ns) * step_ns
        while time_ns < self.gantt.end_ns:
            column = self.column(time_ns)
            ticks[column] = self.letters.tick
            words = f"{time_ns / UNIT_NS[unit]:g}" + (unit if time_ns == 0 else "")
            times[column : column + len(words)] = words
            time_ns += step_ns
        lines = ("".join(ticks), "".join(times)[: self.cells])
        return [self._line("", Text(line, style="dim")) for line in lines]

    def legend(self) -> list[Text]:
        """Return the legend of the characters."""
        states = self.letters.states
        entries = [f"{states[state]} {state.value}" for state in State if state in self.states]
        if self.section_styles:
            entries.insert(1, f"{self.letters.section} runs in a section")
        if any(row.is_server and row.arrivals_ns for row in self.rows):
            entries.append("R server is replenished")
        if self.gantt.across_cpus:
            entries.append(f"used on several CPUs: {', '.join(self.gantt.across_cpus)}")
        if self._is_shown(chart.bound_ns for chart in self.gantt.charts):
            entries.append("B bound")
        if self._is_shown(chart.deadline_ns for chart in self.gantt.charts):
            entries.append("D deadline")
        lines = [""]
        for entry in entries:
            joined = f"{lines[-1]}   {entry}" if lines[-1] else entry
            fits = len(joined) <= self.cells + self.name_cells
            lines[-1:] = [joined] if fits else [lines[-1], entry]
        return [Text(line) for line in filter(None, (*lines, idle_words(self.gantt)))]

    def _is_shown(self, limits: Iterable[int | None]) -> bool:
        """Whether any limit lies in the picture."""
        return any(limit is not None and limit < self.gantt.end_ns for limit in limits)


def _step(least_ns: float) -> tuple[str, int]:
    """Return the least of 1, 2, 5, 10, ... that is not below `least_ns`, and a suitable unit."""
    power = 10 ** floor(log10(max(least_ns, 1)))
    step_ns = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least_ns)
    unit = next((unit for unit in ("s", "ms", "us") if step_ns >= UNIT_NS[unit]), "ns")
    return unit, step_ns
