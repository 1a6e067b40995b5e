# SPDX-License-Identifier: MIT
"""Mutants by hand of servers on a stock kernel. Each violates the claim of a test."""

from __future__ import annotations

from proof.mutation import ByHand

BY_HAND = (
    ByHand(
        "a claim that has no time to keep out goes on for ever",
        "linux/core/budget.c",
        "\tif (current == NULL)\n\t\treturn;\n\tif (keeps_out(budgets))\n",
        "\tif (current == NULL || used_ns == 0)\n\t\treturn;\n\tif (keeps_out(budgets))\n",
        test="budgets",
    ),
    ByHand(
        "servers that keep out each other leave the CPU unused",
        "linux/core/budget.c",
        "budget != NULL ? budget : most_urgent(budgets)",
        "budget",
        test="budgets",
    ),
    ByHand(
        "an overrun is paid back without payback",
        "linux/core/budget.c",
        "\tif (budget->pays_back)\n\t\tbudget->owed_ns = plf_lazy_global_used(",
        "\tbudget->owed_ns = plf_lazy_global_used(",
        test="budgets",
    ),
    ByHand(
        "all of an overrun is paid back without payback",
        "linux/core/budget.c",
        "\tif (budget->pays_back)\n\t\tbudget->owed_ns = plf_lazy_global_most(",
        "\tbudget->owed_ns = plf_lazy_global_most(",
        test="budgets",
    ),
    ByHand(
        "a claim keeps out as long as its server has budget",
        "linux/core/budget.c",
        "keeps_out(budgets) ? least(left_ns, current->keeps_ns) : left_ns",
        "left_ns",
        test="budgets",
    ),
    ByHand(
        "the time to keep out is used up where none is kept out",
        "linux/core/budget.c",
        "\tif (keeps_out(budgets))\n\t\tcurrent->keeps_ns -= used_ns;\n",
        "\tcurrent->keeps_ns -= used_ns;\n",
        test="budgets",
    ),
    ByHand(
        "what is owed is more than a budget, and the budget endless",
        "linux/core/budget.c",
        "least(budget->owed_ns, budget->left_ns)",
        "budget->owed_ns",
        test="budgets",
    ),
    ByHand(
        "the server calls for the one kept out at a level that no claim has",
        "linux/core/budget.c",
        "return most_urgent(budgets)->priority;",
        "return most_urgent(budgets)->priority - 1;",
        test="budgets",
    ),
    ByHand(
        "a foul claim counts",
        "linux/core/budget.c",
        "b != budget && !b->is_foul &&",
        "b != budget &&",
        test="budgets",
    ),
    ByHand(
        "a server that skips overruns",
        "linux/core/budget.c",
        "!budget->overruns || budget->claim == 0",
        "budget->claim == 0",
        test="budgets",
    ),
    ByHand(
        "a foul claim overruns",
        "linux/core/budget.c",
        "budget->claim == 0 || budget->is_foul)",
        "budget->claim == 0)",
        test="budgets",
    ),
    ByHand(
        "an overrun lasts for one less than X and one",
        "linux/core/budget.c",
        "\tbudget->overrun_ns = plf_lazy_global_most(budget->hold_ns);\n",
        "\tbudget->overrun_ns = budget->hold_ns;\n",
        test="budgets",
    ),
    ByHand(
        "a claim keeps out for one less than X and one",
        "linux/core/budget.c",
        "keeps_ns = plf_lazy_global_most(budgets->current->hold_ns)",
        "keeps_ns = budgets->current->hold_ns",
        test="budgets",
    ),
    ByHand(
        "what a thread claimed that ends inside pays for all sections to come",
        "linux/core/server.c",
        "\tforget(slot->supply, slot);\n",
        "\tslot->supply = NULL;\n",
        test="sharing_steps",
    ),
    ByHand(
        "a thread that leaves stays parked",
        "linux/core/server.c",
        "\tif (slot->parked != 0)\n\t\tunpark(slot);\n",
        "",
        test="server_steps",
    ),
    ByHand(
        "threads come back in another order than they came",
        "linux/core/server.c",
        "\tslot->next_member = NULL;\n\tslot->supply = supply;\n\t*link = slot;\n",
        "\tslot->next_member = supply->members;\n\tslot->supply = supply;\n"
        "\tsupply->members = slot;\n",
        test="server_steps",
    ),
    ByHand(
        "nothing calls the manager",
        "linux/core/server_manager.c",
        "\t__atomic_fetch_add(&m->asked, 1, __ATOMIC_SEQ_CST);\n\tplf_futex_wake(&m->asked);\n",
        "\t__atomic_fetch_add(&m->asked, 1, __ATOMIC_SEQ_CST);\n",
        test="server_steps",
    ),
    ByHand(
        "a child of fork() changes the policies of its parent's threads",
        "linux/core/server_manager.c",
        "\t\t\tsupplies[i].members->parked = 0;\n",
        "",
        test="sharing_steps",
    ),
    ByHand(
        "under overrun a section lets in more urgent threads of its server",
        "linux/lib/server.c",
        "supply->budget.overruns ? PLF_PRIORITY_MAX : local_ceiling",
        "local_ceiling",
        test="sharing_steps",
    ),
    ByHand(
        "a thread that waits for a budget goes on claiming",
        "linux/lib/shared.c",
        "\t\t\twithdraw(slot, before);\n\t\t}\n\t\terror",
        "\t\t}\n\t\terror",
        test="sharing_steps",
    ),
)
