# SPDX-License-Identifier: MIT
"""Make `python -m plafond` the command `plafond`."""

from plafond.starting import end_by_ctrl_c

end_by_ctrl_c()

from plafond.cli import main  # noqa: E402  it imports much

main()
