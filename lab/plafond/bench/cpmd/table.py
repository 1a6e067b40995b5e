# SPDX-License-Identifier: MIT
"""The report as tables for the terminal, and as CSV."""

from collections.abc import Callable, Iterable, Iterator

from rich.console import Console

from plafond.bench.cpmd import paper
from plafond.bench.cpmd.caches import KIB
from plafond.bench.cpmd.model import CellRow, CpmdReport, KindRow
from plafond.bench.cpmd.plan import FIGURE_3_SIZE, PAPER_RATIO, Load
from plafond.bench.cpmd.text import csv_of, in_us
from plafond.bench.tables import Table, noted, print_tables
from plafond.trace.outside import LONGEST_OWN_NS
from plafond.units import format_duration

CSV_COLUMNS = (
    *("load", "size_bytes", "write_ratio", "kind", "samples", "mean_ns", "deviation_ns"),
    *("largest_ns", "least_ns", "negative", "warm_ns"),
)
LOAD_WORDS = {Load.POLLUTED: "under load", Load.IDLE: "in an idle system"}


def print_report(report: CpmdReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report), _tables(report), console)


def _condition_lines(report: CpmdReport) -> Iterator[str]:
    c = report.conditions
    if c.quick:
        yield "QUICK RUN: few samples, a first look and not a result\n"
    yield f"{c.cpu_model}; Linux {c.kernel}; CPUs {', '.join(map(str, c.cpus))}"
    yield from c.caches
    yield (
        f"{c.samples} valid samples of each kind of move, seed {c.seed}; pages of "
        f"{c.page_bytes // KIB} KiB; under load a polluter on each CPU, with "
        f"{c.polluter_bytes // KIB} KiB each"
    )
    yield (
        f"{c.again} samples measured again: in them the host took time, or the machine stopped the "
        f"thread for more than {format_duration(LONGEST_OWN_NS)}"
    )
    if c.others_share is not None:
        yield f"without load, others used {c.others_share:.1%} of the CPUs"
    if c.missing_cells:
        yield f"NOT COMPLETE: {c.missing_cells} working sets were not measured"
    yield from (f"not on this machine: {each}" for each in c.missing_kinds)
    yield from noted(c.notes)


def _tables(report: CpmdReport) -> Iterator[Table]:
    shown = [row for row in report.rows if row.write_ratio == str(PAPER_RATIO)]
    ordered = [Load.POLLUTED, Load.IDLE]
    for number, load in enumerate(ordered, start=1):
        yield from _beside_paper(
            f"Table {number}: largest delay {LOAD_WORDS[load]}, us",
            [row for row in shown if row.load is load],
            [("", lambda row: row.largest_ns, paper.LARGEST[load])],
        )
    for number, load in enumerate(ordered, start=3):
        yield from _beside_paper(
            f"Table {number}: average delay {LOAD_WORDS[load]}, us",
            [row for row in shown if row.load is load],
            [
                ("", lambda row: row.mean_ns, paper.MEANS[load]),
                (" dev.", lambda row: row.deviation_ns, paper.DEVIATIONS[load]),
            ],
        )
    yield from _negative(shown)
    yield from _by_ratio(report.rows)
    yield _samples_table(report.cells)
    yield from _observations(report)


def _observations(report: CpmdReport) -> Iterator[Table]:
    yield Table(
        "Observations of the paper",
        ("", "claim", "verdict"),
        ((str(each.number), each.claim, each.verdict.value) for each in report.observations),
        ("", "claim", "verdict"),
        ("claim",),
    )
    yield Table(
        "What the verdicts rest on",
        ("", "what", "figures"),
        (
            (str(each.number), what, text)
            for each in report.observations
            for what, text in (("could be shown", each.power), ("was found", each.finding))
            if text
        ),
        ("", "what", "figures"),
        ("figures",),
    )


Column = tuple[str, Callable[[KindRow], float], paper.Figures]


def _beside_paper(title: str, rows: list[KindRow], columns: list[Column]) -> Iterator[Table]:
    """One table: for each kind what was measured here, and the paper's."""
    if not rows:
        return
    kinds = list(dict.fromkeys(row.kind for row in rows))
    by_place = {(row.size_bytes, row.kind): row for row in rows}

    def cells(size: int) -> Iterator[str]:
        yield str(size // KIB)
        for kind in kinds:
            for _, figure, papers in columns:
                yield in_us(figure(by_place[size, kind]))
                yield _figure(papers.get((size // KIB, kind)))

    headings = [
        heading
        for kind in kinds
        for extra, _, _ in columns
        for heading in (f"{kind}{extra}", f"paper{extra}")
    ]
    sizes = sorted({row.size_bytes for row in rows})
    yield Table(title, ("KiB", *headings), map(list, map(cells, sizes)), ())


def _negative(rows: list[KindRow]) -> Iterator[Table]:
    """Only rows that have some."""
    some = [row for row in rows if row.negative]
    if some:
        yield Table(
            "Negative delays: the warm pass took longer",
            ("load", "kind", "KiB", "samples", "of", "least, us"),
            (
                (
                    *(row.load, row.kind, str(row.size_bytes // KIB)),
                    *(str(row.negative), str(row.samples), in_us(row.least_ns)),
                )
                for row in some
            ),
            ("load", "kind"),
        )


def _by_ratio(rows: Iterable[KindRow]) -> Iterator[Table]:
    """Where there are several."""
    shown = [row for row in rows if row.size_bytes == FIGURE_3_SIZE]
    if len({row.write_ratio for row in shown}) > 1:
        yield Table(
            f"Delay by write ratio, {FIGURE_3_SIZE // KIB} KiB, us",
            ("load", "kind", "write ratio", "average", "deviation", "largest"),
            (
                (
                    *(row.load, row.kind, row.write_ratio),
                    *(in_us(row.mean_ns), in_us(row.deviation_ns), in_us(row.largest_ns)),
                )
                for row in sorted(shown, key=lambda row: (row.load, row.kind))
            ),
            ("load", "kind", "write ratio"),
        )


def _samples_table(cells: list[CellRow]) -> Table:
    reasons = list(dict.fromkeys(why for cell in cells for why in cell.dropped))
    return Table(
        "Samples: tried, valid, and dropped",
        ("load", "ratio", "KiB", "tried", "valid", *reasons, "polluter passes", ""),
        (
            (
                *(cell.load, cell.write_ratio, str(cell.size_bytes // KIB)),
                *(str(cell.tries), str(cell.valid)),
                *(str(cell.dropped.get(why, 0)) for why in reasons),
                "" if cell.polluter_passes is None else str(cell.polluter_passes),
                "LEFT OUT: too few are valid" if cell.is_left_out else "",
            )
            for cell in cells
        ),
        ("load", "ratio", ""),
    )


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def csv_text(report: CpmdReport) -> str:
    """Return a row for each kind of move with each working set."""
    return csv_of(report.rows, CSV_COLUMNS)
