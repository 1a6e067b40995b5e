/* SPDX-License-Identifier: MIT */
#ifndef BENCH_INSTRUCTIONS_H
#define BENCH_INSTRUCTIONS_H

/* The parts of the program `instructions`. Each part adds figures, which are printed at the end. */
#include "icount.h"

#include <optional>
#include <string>

namespace bench
{

/* The cost of a round of `lock` in `scene`. A name that does not apply is empty. */
struct Figure {
	std::string group, lock, scene;
	Count count;
	/* For scenes with another thread: */
	std::optional<double> switches = std::nullopt; /* context switches of a round */
	std::optional<bool> inside = std::nullopt;     /* the thread worked inside the section */
};

void add_figure(const Figure &figure);

/* Locks that need no module, or locks of libplafond's backend `module`. */
enum class Locks { STOCK, MODULE };

void add_pairs(Locks locks);
/* Mutexes of pthreads, which the drop-in replaces, without plafond.ko. */
void add_drop_in_pairs();
void add_preempted(Locks locks);
void add_calls(Locks locks);

/* System calls by themselves. */
void add_system_calls();

/* Threads that yield to each other and use no lock. */
void add_schedule();
/* The same, with a registered thread elsewhere, and with both threads registered. */
void add_schedule_registered();

/* Mutexes of the kernel, measured by the example driver. */
void add_driver();

} // namespace bench

#endif
