# SPDX-License-Identifier: MIT
"""Run the demo, as .ci/demo does."""

from plafond.starting import end_by_ctrl_c

end_by_ctrl_c()

from plafond.demo.show import main  # noqa: E402  it imports much

main()
