/* SPDX-License-Identifier: MIT */
#ifndef BENCH_INSTRUCTIONS_H
#define BENCH_INSTRUCTIONS_H

/*
 * The parts of the program `instructions`. Each adds its figures, which are printed
 * together at the end.
 */
#include "icount.h"

#include <optional>
#include <string>

namespace bench
{

/* The cost of one round of `lock` in `scene`; a name that does not apply is empty. */
struct Figure {
	std::string group, lock, scene;
	Count count;
	/* Of scenes with another thread: */
	std::optional<double> switches = std::nullopt; /* context switches in a round */
	std::optional<bool> inside = std::nullopt;     /* did the other work inside the section? */
};

void add_figure(const Figure &figure);

/* The locks that need no module, or those of libplafond's backend `module`. */
enum class Locks { STOCK, MODULE };

void add_pairs(Locks locks);
/* Mutexes of pthreads, which the drop-in has, without plafond.ko. */
void add_drop_in_pairs();
void add_preempted(Locks locks);
void add_calls(Locks locks);

/* System calls by themselves. */
void add_system_calls();

/* Threads that yield to each other and use no lock. */
void add_schedule();
/* The same, with a thread registered elsewhere, and when they are registered themselves. */
void add_schedule_registered();

/* Mutexes of the kernel, measured by the example driver. */
void add_driver();

} // namespace bench

#endif
