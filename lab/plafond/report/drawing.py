# SPDX-License-Identifier: MIT
"""Common parts of all pictures: colours, fonts, and conversion to SVG.

Matplotlib is imported late, so that commands without pictures do not wait for it.
"""

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from plafond.errors import ArgumentError
from plafond.programs import own_folder
from plafond.units import UNIT_NS
from plafond.writing import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Matplotlib's cache of fonts; it complains if the default, the home, is read-only.
os.environ.setdefault("MPLCONFIGDIR", str(own_folder("matplotlib")))

# Okabe and Ito: distinct with any colour vision, and in grey if used in this order.
BLUE, ORANGE, GREEN, YELLOW = "#0072B2", "#E69F00", "#009E73", "#F0E442"
PURPLE, SKY, VERMILION = "#CC79A7", "#56B4E9", "#D55E00"
# Colours that a dark page replaces: see templates/report.css.
INK, GREY, PALE, PAPER = "#222222", "#767676", "#DDDDDD", "#FFFFFF"
SHADE, PALE_ORANGE = "#EFEFEF", "#F8D9C4"
THEME = {INK: "ink", GREY: "grey", PALE: "pale", PAPER: "paper", SHADE: "shade"} | {
    PALE_ORANGE: "kept-out"
}
# For lines to compare, and for the points on them.
LINE_COLOURS, MARKERS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION), "osD^v<>"
# Letters on bars, whose colours do not depend on the theme.
BRIGHT_LETTERS, DARK_LETTERS = "#FEFEFE", "#1A1A1A"

WIDTH_IN = 9.0
LETTER_IN = 0.077  # width of a letter of the usual size, rounded up
FONT_SIZE = 9.0
_STYLE: Any = {
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": FONT_SIZE,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,  # TrueType, which publishers accept
    "svg.hashsalt": "plafond",
    "hatch.linewidth": 0.8,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
}
SVG, PDF = ".svg", ".pdf"  # suffixes
_REFERENCE = re.compile(r'(\bid="|url\(#|href="#)')
_MATPLOTLIB_STYLE = re.compile(r"\s*<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


class Picture(str):
    """An `<svg>` element, with the figure that it shows."""

    figure: "Figure"


def refuse_unknown_form(file: Path) -> None:
    """Raise ArgumentError unless the suffix is that of a form. A name without suffix is SVG."""
    if file.suffix.lower() not in ("", SVG, PDF):
        raise ArgumentError(f"--plot: found {file}; expected a name that ends in {SVG} or {PDF}")


def write_picture(picture: str, file: Path) -> None:
    """Write a picture of to_svg() in the form of the suffix.

    ArgumentError names a file that cannot be written, or that has another suffix.
    """
    refuse_unknown_form(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, _pdf(picture) if file.suffix.lower() == PDF else picture)
    except OSError as error:
        raise ArgumentError(f"--plot: cannot write to {file}: {error.strerror}") from None


def _pdf(picture: str) -> bytes:
    assert isinstance(picture, Picture)
    file = io.BytesIO()
    with drawing_style():
        picture.figure.savefig(file, format="pdf", metadata={"CreationDate": None})
    return file.getvalue()


def axis_unit(span_ns: int) -> str:
    """Return the unit that gives an axis of this span readable numbers."""
    return next((unit for unit in ("s", "ms", "us") if span_ns >= 3 * UNIT_NS[unit]), "ns")


def unit_label(unit: str, clock: str) -> str:
    """Return the label of a time axis."""
    return f"{unit}, {clock}," if clock else unit


@contextmanager
def drawing_style() -> Iterator[None]:
    """Set the style; drawing and saving must be inside this context."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def to_svg(figure: "Figure", name: str, title: str) -> Picture:
    """Return an `<svg>` element; equal figures give equal text, and ids begin with the name."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None}, facecolor=PAPER)
    text = file.getvalue()
    text = _METADATA.sub("", text[text.index("<svg") :])
    # Matplotlib's style would apply to the whole page, so it becomes an attribute of this element.
    text = _MATPLOTLIB_STYLE.sub("", text)
    text = _REFERENCE.sub(rf"\g<1>{name}-", text)
    opening = f'<svg role="img" aria-labelledby="{name}-title" style="stroke-linejoin:round" '
    head, rest = text.split(">", 1)
    head = head.replace("<svg ", opening, 1)
    picture = Picture(f'{head}>\n <title id="{name}-title">{escape(title)}</title>{rest}')
    picture.figure = figure
    return picture


def themed(svg: str) -> str:
    """Return the picture with the colours of the page's theme, light or dark."""
    names = {colour.lower(): name for colour, name in THEME.items()}
    paint = re.compile(rf'(?:(?<=: )|(?<="))({"|".join(names)})\b')
    return paint.sub(lambda match: f"var(--{names[match[1]]}, {match[1]})", svg)
