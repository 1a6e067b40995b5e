/* SPDX-License-Identifier: MIT */

/*
 * The cost of critical sections: libplafond, its rivals, and the least work that any lock
 * could do. `plafond bench locks` runs it and reports.
 */
#include "locks.h"

#include "rows.h"

int main(int argc, char **argv)
{
	return bench::run_rows(argc, argv, [] {
		bench::add_uncontended();
		bench::add_preempted();
		bench::add_handover();
	});
}
