# SPDX-License-Identifier: MIT
"""What the page says in its own words: its parts, its captions, and what the figures mean."""

from plafond.report.histograms import Measure
from plafond.trace.measures import Verdict

# Its parts, by their anchors.
PARTS = {
    "result": "Result",
    "worst": "Worst activation",
    "any": "Any activation",
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
    "Missed: activations that ended after their deadline. Longest: the longest response, without "
    "those that a gap in the processor disturbed. Left: the share of the bound above it. Where "
    "all protocols have the same figures, they share a line."
)
_HEIGHT = (
    "Height: the number of activations, logarithmic. Drag over a picture to see a part of it more "
    "closely; a double click shows it as before."
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
    "max*": "the longest response that was not disturbed. Disturbed is a response in whose time "
    "one gap of more than 100us lies in which a task could run and none did, or more shorter ones, "
    "in the midst of run steps, than the bound has noise; clocks do not say what had the "
    "processor. Long responses are likelier to have one.",
    "bound": "what the analysis of the description promises, without the cost of locks, switches "
    "and interrupts, as the papers reckon it. “-” means that there is none.",
    "with overheads": "the same with the overheads of the target: no undisturbed response is "
    "longer.",
    "ratio": "the longest undisturbed response over the bound with overheads.",
    "verdict": f"{Verdict.KEPT}: no response was longer than the bound with overheads. "
    f"{Verdict.EXCEEDED}: one was, and the run failed. {Verdict.EXCEEDED_OUTSIDE}: only disturbed "
    "ones were, and within the bound of a CPU that is away for as long as it was then.",
    "skipped": "arrivals that found the task unfinished and were dropped, as described.",
    "dropped": "how many activations max* leaves out.",
    "longest": "the longest response; of a run that something outside can disturb, the longest "
    "undisturbed one, as max*.",
    "left": "the share of the bound above the longest response: of the bound with overheads, or "
    "where it is not known, of that without.",
    "missed": "how many of all activations, disturbed or not, ended after their deadline.",
    "deadline misses": "activations whose response was longer than the deadline.",
    "lock system calls": "system calls inside lock and unlock, of all activations together; "
    "a section in the driver is one call.",
}
