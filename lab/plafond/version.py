# SPDX-License-Identifier: MIT
"""The version of the whole repository, from the header of libplafond."""

import re
from pathlib import Path

HEADER = Path(__file__).resolve().parents[2] / "linux/lib/include/plafond.h"


def version() -> str:
    """Return the version, such as 0.1.0."""
    text = HEADER.read_text()
    return ".".join(re.findall(r"^#define PLF_VERSION_[A-Z]+ (\d+)$", text, re.MULTILINE))
