/* SPDX-License-Identifier: MIT */
#ifndef BENCH_LOCKS_H
#define BENCH_LOCKS_H

/* The parts of the program `locks`: each adds its rows. */

namespace bench
{

void add_uncontended();
void add_preempted();
void add_handover(); /* no rows if the process has a single CPU */

} // namespace bench

#endif
