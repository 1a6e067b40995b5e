# SPDX-License-Identifier: MIT
"""Count the machine's stops of real-time threads, and measure how slow it became."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, Field

from plafond.trace.activations import Span
from plafond.trace.measures import Measures
from plafond.trace.model import Trace
from plafond.trace.verdicts import MOST_STOPPED_PERCENT, Verdict, is_judged
from plafond.units import format_duration
from plafond.witness import Speed


class CpuStops(BaseModel):
    """The stops and the speed that the tasks of a CPU observed in a run."""

    protocol: str
    cpu: int
    stops: int  # gaps above 100 us in which a task could run and no task ran
    longest_ns: int
    stopped_ns: int  # the sum of all stops
    turns_per_us: Speed  # turns of run steps
    steal_ns: int | None  # the time that the host says it took
    when: list[Span] = Field(default=[], exclude=True)


def stops_of(trace: Trace, stops: Mapping[int, Sequence[Span]]) -> list[CpuStops]:
    """Return the stops of each CPU of a trace of threads; `stops`: their spans, by CPU."""
    found = []
    for conditions in trace.cpus:
        lengths_ns = [end - begin for begin, end in stops[conditions.cpu]]
        found.append(
            CpuStops(
                protocol=trace.protocol,
                cpu=conditions.cpu,
                stops=len(lengths_ns),
                longest_ns=max(lengths_ns, default=0),
                stopped_ns=sum(lengths_ns),
                turns_per_us=conditions.turns_per_us,
                steal_ns=conditions.steal_ns,
                when=list(stops[conditions.cpu]),
            )
        )
    return found


def not_judged_notes(rows: Sequence[Measures]) -> Iterator[str]:
    """Yield at most a sentence for each protocol: why some of its bounds were not judged."""
    for protocol in dict.fromkeys(row.protocol for row in rows):
        yield from _not_judged(protocol, [row for row in rows if row.protocol == protocol])


def _not_judged(protocol: str, rows: Sequence[Measures]) -> Iterator[str]:
    held = [row for row in rows if row.verdict is Verdict.NOT_JUDGED]
    if not held:
        return
    stopped, finished = sum(row.stopped for row in rows), sum(row.activations for row in rows)
    above = sum(row.above for row in held)
    if not is_judged(stopped, finished):
        yield (
            f"not judged: the run under {protocol}: the machine stopped {stopped} of {finished} "
            f"activations, more than {MOST_STOPPED_PERCENT}%; {above} were above their bounds"
        )
        return
    yield (
        f"not judged: under {protocol} {above} of {finished} activations were above their bounds "
        "only by what the machine took: stops, and slow phases"
    )


def steal_notes(stops: Sequence[CpuStops]) -> Iterator[str]:
    """Compare the stops that the tasks observed with the host's figure, if there is a figure."""
    for cpu in stops:
        if cpu.steal_ns:
            yield (
                f"{cpu.protocol}: the host says that it took {format_duration(cpu.steal_ns)} from "
                f"CPU {cpu.cpu}; its tasks saw {cpu.stops} stops, "
                f"{format_duration(cpu.stopped_ns)} in all"
            )
