# SPDX-License-Identifier: MIT
"""Print the report as tables, or as CSV."""

from collections.abc import Callable, Iterable, Iterator

from rich.console import Console

from plafond.bench.cpmd import paper
from plafond.bench.cpmd.caches import KIB
from plafond.bench.cpmd.model import CellRow, CpmdReport, KindRow, Observation, kib
from plafond.bench.cpmd.plan import FIGURE_3_SIZE, PAPER_RATIO, Load
from plafond.bench.cpmd.text import dropped, in_us
from plafond.bench.tables import noted, print_tables
from plafond.columns import Column
from plafond.rows import Table, csv_of, each, table
from plafond.trace.outside import LONGEST_OWN_NS
from plafond.units import format_duration

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
    yield from (f"not on this machine: {kind}" for kind in c.missing_kinds)
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
    yield table(
        "Samples: tried, valid, and dropped", CellRow, report.cells, change=dropped(report.cells)
    )
    yield from _observations(report)


def _observations(report: CpmdReport) -> Iterator[Table]:
    yield table("Observations of the paper", Observation, report.observations)
    found = [
        (str(observation.number), what, text)
        for observation in report.observations
        for what, text in (
            ("could be shown", observation.power),
            ("was found", observation.finding),
        )
        if text
    ]
    numbers, whats, texts = zip(*found, strict=True) if found else ((), (), ())
    yield Table(
        "What the verdicts rest on",
        [Column("", numbers), Column("what", whats), Column("figures", texts, wraps=True)],
    )


Beside = tuple[str, Callable[[KindRow], float], paper.Figures]


def _beside_paper(title: str, rows: list[KindRow], shown: list[Beside]) -> Iterator[Table]:
    """Yield a table with the measured figures of each kind, beside the paper's figures."""
    if not rows:
        return
    kinds = list(dict.fromkeys(row.kind for row in rows))
    sizes = sorted({row.size_bytes for row in rows})
    by_place = {(row.size_bytes, row.kind): row for row in rows}
    columns = [each("KiB", sizes, kib)]
    for kind in kinds:
        for extra, figure, papers in shown:
            ours = (figure(by_place[size, kind]) for size in sizes)
            theirs = (papers.get((size // KIB, kind)) for size in sizes)
            columns += [each(f"{kind}{extra}", ours, in_us), each(f"paper{extra}", theirs, ".2f")]
    yield Table(title, columns)


def _negative(rows: list[KindRow]) -> Iterator[Table]:
    """Yield a table of the rows with negative delays, if there are any."""
    some = [row for row in rows if row.negative]
    if some:
        yield table(
            "Negative delays: the warm pass took longer",
            KindRow,
            some,
            without=("write_ratio", "mean_ns", "deviation_ns", "largest_ns"),
        )


def _by_ratio(rows: Iterable[KindRow]) -> Iterator[Table]:
    """Yield a table by write ratio, if there are several."""
    shown = [row for row in rows if row.size_bytes == FIGURE_3_SIZE]
    if len({row.write_ratio for row in shown}) > 1:
        yield table(
            f"Delay by write ratio, {FIGURE_3_SIZE // KIB} KiB, us",
            KindRow,
            sorted(shown, key=lambda row: (row.load, row.kind)),
            without=("size_bytes", "negative", "samples", "least_ns"),
        )


def csv_text(report: CpmdReport) -> str:
    """Return a row for each kind of move with each working set."""
    return csv_of(KindRow, report.rows)
