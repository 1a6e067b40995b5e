# SPDX-License-Identifier: MIT
"""The texts of the page: titles, captions and explanations of the figures."""

from plafond.report.histograms import Measure
from plafond.trace.verdicts import MOST_STOPPED_PERCENT, Verdict

# From the anchors of the folded parts to their titles.
PARTS = {
    "any": "Any activation, time or row",
    "still": "Still picture of the worst activation",
    "spread": "All activations",
    "times": "Times",
    "counts": "Counts",
    "threads": "Threads",
    "notes": "Notes",
    "conditions": "Conditions",
    "data": "Data",
    "words": "Words",
}
SUMMARY_CAPTION = (
    "Missed: activations that ended after their deadline. Longest: the longest response without "
    "a stop of the machine. Left: the share of the bound above it. Where "
    "all protocols have the same figures, they share a line."
)
_HEIGHT = (
    "Height: the number of activations, logarithmic. The wheel, a pinch or a drag over a picture "
    "zooms; a double click shows it as before."
)
# The title and the caption of each histogram.
MEASURES = {
    Measure.LATENCY: ("Activation latency", f"From the arrival to the start. {_HEIGHT}"),
    Measure.BLOCKING: ("Blocking", f"From the requests for resources to the grants. {_HEIGHT}"),
    Measure.RESPONSE: (
        "Response",
        f"From the arrival to the end; dashed: each protocol's bound, and across all of them the "
        f"deadline, where they are near. {_HEIGHT}",
    ),
}
WORDS = {
    "activation latency": "from the arrival of an activation to its start. Under a ceiling "
    "(protect, plafond) a task that a section keeps out waits here, before it starts.",
    "blocking": "from the requests for resources to the grants, in all sections of the "
    "activation. Without a ceiling (none, inherit) a task waits here, in the midst of its work.",
    "response": "from the arrival to the end; what has been waited for is part of it.",
    "std": "the standard deviation.",
    "no stops": "the longest response of an activation that the machine did not stop. It stopped "
    "an activation if a task could run and none did, for more than 100us at once, or for more "
    "than the noise in the bound. Clocks do not say what had the processor. Long responses are "
    "likelier to have a stop.",
    "bound": "what the analysis of the description promises, without the cost of locks, switches "
    "and interrupts, as the papers reckon it. “-” means that there is none.",
    "with overheads": "the same with the overheads of the target: no response without a stop is "
    "longer.",
    "ratio": "the longest response without stops over the bound with overheads.",
    "verdict": f"{Verdict.KEPT}: no response was longer than the bound with overheads. "
    f"{Verdict.EXCEEDED}: one was, by more than the machine took, and the run failed. "
    f"{Verdict.NOT_JUDGED}: responses were longer only by what the machine took, or it stopped "
    f"more than {MOST_STOPPED_PERCENT}% of all activations of the run.",
    "skipped": "arrivals that found the task unfinished and were dropped, as described.",
    "stopped": "how many activations the machine stopped.",
    "longest": "the longest response; of a run on a machine that can stop, the longest without "
    f"a stop, or the response by which the bound was {Verdict.EXCEEDED}.",
    "left": "the share of the bound above the longest response: of the bound with overheads, or "
    "where it is not known, of that without.",
    "missed": "how many of all activations, stopped or not, ended after their deadline.",
    "deadline misses": "activations whose response was longer than the deadline.",
    "lock system calls": "system calls inside lock and unlock, of all activations together; "
    "a section in the driver is one call.",
}
