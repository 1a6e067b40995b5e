/* SPDX-License-Identifier: MIT */

/*
 * plafond-reserve: run a command while some threads, mostly interrupt threads, have a reservation:
 * OSPERT 2010, 6. However it ends, each thread gets its old schedule back.
 */
#include "../machine/limits.h"
#include "../machine/say.h"
#include "command.h"
#include "find.h"
#include "guard.h"
#include "reservation.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
	"usage: plafond-reserve THREAD BUDGET_NS PERIOD_NS [THREAD BUDGET_NS PERIOD_NS ...]\n"
	"                       -- COMMAND [ARGUMENT ...]\n"
	"\n"
	"Run COMMAND while each THREAD has a reservation (SCHED_DEADLINE): BUDGET_NS in each\n"
	"PERIOD_NS. THREAD is an interrupt thread, irq/N-ACTION, of which N may be * for any\n"
	"number, or a TID. Afterwards each thread is scheduled as before, also when a process\n"
	"of this is killed.\n"
	"\n"
	"Needs CAP_SYS_NICE. A thread must be allowed to use all CPUs of its partition.\n"
	"\n"
	"Exit status: that of COMMAND, or 128 + n if signal n ended it; 1 failed; 2 refused:\n"
	"nothing was run.\n"
	"\n"
	"  plafond-reserve irq/24-virtio1-input 1000000 10000000 -- plafond-run plan.txt t.json\n"
	"  plafond-reserve 50 2000000 20000000 -- sleep 10\n";

enum { ARGUMENTS_EACH = 3 };

static bool read_ns(const char *name, const char *argument, uint64_t *ns)
{
	char *end;

	errno = 0;
	*ns = strtoull(argument, &end, 10);
	if (argument[0] >= '0' && argument[0] <= '9' && *end == '\0' && errno == 0 &&
	    *ns <= INT64_MAX)
		return true;
	refuse("%s: found %s; expected a number of nanoseconds", name, argument);
	return false;
}

static bool read_reservation(char *arguments[], struct reservation *reservation)
{
	return read_ns("BUDGET_NS", arguments[1], &reservation->budget_ns) &&
	       read_ns("PERIOD_NS", arguments[2], &reservation->period_ns) &&
	       find_thread(arguments[0], &reservation->thread);
}

/* Run the command under the guard, which has been started. */
static int run_reserved(const struct reservations *reservations, struct command *command,
			const struct guard *guard, char *argv[])
{
	int signal;

	if (!reserve(reservations))
		return REFUSED;
	signal = early_interruption(command);
	if (signal != 0)
		return BY_SIGNAL + signal;
	if (!start_command(command, argv))
		return REFUSED;
	return await_command(command, guard, -1, NULL, NULL);
}

static int run_with(const struct reservations *reservations, char *argv[])
{
	struct command command;
	struct guard guard;
	int status;

	if (!are_within_limits(reservations))
		return REFUSED;
	if (!hold_interruptions(&command) || !start_guard(&guard, restore, reservations))
		return FAILED;
	status = run_reserved(reservations, &command, &guard, argv);
	return end_guard(&guard) ? status : FAILED;
}

static int read_and_run(char *arguments[], size_t count, char *argv[])
{
	struct reservations reservations = { .count = count };
	int status = REFUSED;
	bool is_read;

	reservations.each = calloc(count, sizeof(*reservations.each));
	is_read = reservations.each != NULL;
	for (size_t i = 0; i < count && is_read; i++)
		is_read = read_reservation(arguments + i * ARGUMENTS_EACH, &reservations.each[i]);
	if (is_read)
		status = run_with(&reservations, argv);
	free(reservations.each);
	return status;
}

int main(int argc, char *argv[])
{
	int dashes = 1;

	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(USAGE, stdout);
		return end_stdout();
	}
	while (dashes < argc && strcmp(argv[dashes], "--") != 0)
		dashes++;
	if (dashes > 1 && dashes + 1 < argc && (dashes - 1) % ARGUMENTS_EACH == 0)
		return read_and_run(argv + 1, (size_t)(dashes - 1) / ARGUMENTS_EACH,
				    argv + dashes + 1);
	fputs(USAGE, stderr);
	return REFUSED;
}
