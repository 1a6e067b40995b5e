# SPDX-License-Identifier: MIT
"""The generated parts of a run: arrivals, and room for its events."""

import pytest
from report_fakes import system_of

from plafond.board.recording import Recording
from plafond.errors import PlafondError

CHAIN = """
[task.first]
priority = 3
arrival = "periodic 10ms"
activations = 4
body = ["run 1ms", "activate second", "activate second"]
[task.second]
priority = 2
queue = 2
body = ["lock R", "run 1ms", "unlock R", "chain third"]
[task.third]
priority = 1
autostart = true
body = ["run 1ms"]
[resource.R]
"""


def recording(text: str = CHAIN, **arrivals: list[int]) -> Recording:
    return Recording(system_of(text), arrivals)


def test_arrivals_of_one_instant_come_in_order_of_urgency_and_the_limit_last() -> None:
    lines = recording(third=[5, 7], first=[7]).tables_c()
    entries = [line.strip() for line in lines.splitlines() if line.startswith("\t{UINT64_C")]
    assert entries[:3] == [
        "{UINT64_C(5), third},",
        "{UINT64_C(7), first},",
        "{UINT64_C(7), third},",
    ]
    assert entries[3].endswith("PLF_TASKS},")


def test_each_core_has_its_own_arrivals_and_the_limit() -> None:
    text = "cpus = 2\n" + CHAIN.replace("priority = 1\n", "priority = 1\ncpu = 1\n")
    two = recording(text, third=[5, 7], first=[7])
    entries = [line.strip() for line in two.tables_c().splitlines() if "{UINT64_C" in line]
    assert [entry.split(", ")[1] for entry in entries] == [
        *("first},", "PLF_TASKS},"),
        *("third},", "third},", "PLF_TASKS},"),
    ]
    assert entries[1] == entries[4]
    for line in ("PLF_ARRIVALS 5", "PLF_ARRIVALS_FROM { 0, 2 }", "PLF_ARRIVALS_TO { 2, 5 }"):
        assert f"#define {line}" in two.defines()


def test_room_for_notes_counts_which_task_activates_which() -> None:
    four = recording(first=[0, 10, 20, 30])
    assert [four.notes(name) for name in ("first", "second", "third")] == [0, 4 * 2 * 3, 0]


def test_room_for_events_counts_all_activations() -> None:
    # 4 arrivals of `first`, 8 activations of `second`, 9 of `third`. An arrival may also be
    # refused.
    assert "#define PLF_TRACE_EVENTS 150" in recording(first=[0, 10, 20, 30]).defines()


def test_room_for_events_of_servers_counts_their_periods() -> None:
    served = '[server.S]\nkind = "polling"\npriority = 1\nperiod = "1ms"\nbudget = "1us"\n' + CHAIN
    one = recording(served.replace("]\npriority", ']\nserver = "S"\npriority'), first=[0, 10])
    # 2 arrivals of `first`, 4 activations of `second`, 5 of `third`. Each may change the server
    # twice.
    assert one.defines()[-1] == (
        f"#define PLF_TRACE_EVENTS {(2 + 2 + 4 + 5) * 14 + 10 * (one.limit_ns // 1_000_000 + 1)}"
    )


def test_room_for_events_of_servers_that_share_counts_their_sections() -> None:
    """They need more room for each period, and for each lock of a shared resource."""
    served = "".join(
        f'[server.{name}]\nkind = "idling"\npriority = {priority}\nperiod = "1ms"\n'
        f'budget = "100us"\n{{sharing}}\n[task.{name.lower()}]\nserver = "{name}"\n'
        'priority = 1\narrival = "periodic 10ms"\nactivations = 3\nbody = [{body}]\n'
        for name, priority in (("S", 1), ("T", 2))
    )
    section = '"lock R", "run 1us", "unlock R"'
    apart, sharing = (
        recording(served.format(sharing=words, body=body) + "[resource.R]\n", s=[0], t=[0])
        for words, body in (("", '"run 1us"'), ('global = "overrun"', section))
    )
    more = 2 * 3 * (sharing.limit_ns // 1_000_000 + 1) + 2 * 12
    events = [int(each.defines()[-1].split()[-1]) for each in (apart, sharing)]
    assert events[1] - events[0] == more


def test_a_run_with_servers_takes_no_longer_than_that_of_the_slowest_one() -> None:
    """The limit is that of the slowest server with all work, not a sum over servers."""
    slow, slower = (
        f'[server.{name}]\nkind = "polling"\npriority = 1\nperiod = "1ms"\nbudget = "{budget}"\n'
        for name, budget in (("S", "100us"), ("T", "50us"))
    )
    served = CHAIN.replace("]\npriority", ']\nserver = "T"\npriority')
    of_two = slow + slower.replace("priority = 1", "priority = 2") + served
    idle = (
        '[task.idle]\nserver = "S"\npriority = 1\narrival = "periodic 10ms"\nbody = ["run 1us"]\n'
    )
    alone = recording(slower + served, first=[0, 10])
    assert recording(of_two + idle, first=[0, 10]).limit_ns - alone.limit_ns < 1_000_000


def test_a_circle_of_tasks_gets_some_room() -> None:
    circle = CHAIN.replace('"run 1ms"]\n[resource', '"run 1ms", "chain second"]\n[resource')
    assert recording(circle, first=[0]).notes("second") > 1_000


def test_a_run_without_arrivals_waits_for_its_end() -> None:
    one = Recording(system_of(CHAIN), {}, until_ns=77)
    assert "{UINT64_C(77), PLF_TASKS}," in one.tables_c()
    assert one.limit_ns > 77


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([1 << 48], "may take longer than 78 hours"),
        (list(range(2_000_000)), r"the trace may take \d+ MiB; an image has at most 64"),
    ],
)
def test_what_no_image_can_record_is_refused(times: list[int], message: str) -> None:
    with pytest.raises(PlafondError, match=message):
        recording(first=times).refuse_too_much(most_notes=None)


def test_a_task_has_room_for_so_many_notes_on_a_board() -> None:
    four = recording(first=[0, 10, 20, 30])
    four.refuse_too_much(most_notes=24)
    with pytest.raises(PlafondError, match="task second may make 24 notes"):
        four.refuse_too_much(most_notes=23)
