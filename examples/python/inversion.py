# SPDX-License-Identifier: MIT
"""Priority inversion in a notebook: a run on the simulated processor, data frames and figures.

Editors with cells of Python run this file cell by cell, and `python inversion.py` runs it whole.
"""

# %%
from pathlib import Path

import plafond
from plafond.describe.draw import loads_study
from plafond.studies.measure import measure_schedulability

try:
    HERE = Path(__file__).parent
except NameError:  # in a notebook
    HERE = Path.cwd()

# %% The task set of the papers under three protocols. Each column is a list; times are in ns.
run = plafond.run(HERE.parent / "inversion.toml", protocols=["none", "inherit", "lazy-ceiling"])
for row in run.measures.where(task="high").rows:
    print(row["protocol"], row["response_maximum_ns"], row["response_bound_ns"], row["verdict"])

# %% Every activation: how often did `high` miss its deadline of 8 ms?
high = run.activations.where(task="high")
for protocol in dict.fromkeys(high["protocol"]):
    responses = high.where(protocol=protocol)["response_ns"]
    print(protocol, sum(response > 8_000_000 for response in responses), "of", len(responses))

# %% The worst activation, and the distribution of responses, as figures of matplotlib.
plafond.draw(run).savefig("worst.pdf")
plafond.draw(run, "response").savefig("responses.png", dpi=150)

# %% Random task sets: which protocol can schedule more of them?
study = loads_study("""
cpus = 1
scheduler = "priority"
[draw]
sets = 20
utilisation = [0.5, 1, 0.25]
task_utilisation = "uniform 0.1 0.3"
interval = "log-uniform 1ms 20ms"
sections = { resources = 3, length = "uniform 10us 500us", share = 0.5 }
compare = ["ceiling", "inherit"]
deadlines = "hard"
""")
report = measure_schedulability(study, jobs=1, checkpoint=None).report
for each in report.weighted:
    print(each.compared, round(each.weighted.value, 3))
plafond.draw(report).savefig("schedulability.pdf")
