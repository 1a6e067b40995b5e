/* SPDX-License-Identifier: MIT */
#include "listener.h"

#include "../machine/clock.h"
#include "../machine/say.h"
#include "cpus.h"
#include "end.h"
#include "locks.h"
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GAP_LEAST_NS = 1000, SECONDS_MAX = 10 };

#define MARGIN_NS (2 * NS_PER_S)
#define BURST_NS  (700 * NS_PER_MS) /* longer than the longest window */
#define REST_NS	  (300 * NS_PER_MS)

void add_gap(struct listener *listener, int64_t start_ns, int64_t length_ns)
{
	if (listener->gap_count == GAPS_MAX) {
		listener->lost_gaps++;
		return;
	}
	listener->gaps[listener->gap_count++] =
		(struct gap) { .start_ns = start_ns, .length_ns = length_ns };
}

/* Subtract the usual time between two readings of the clock from each gap. */
static void take_off_usual(struct listener *listener, int64_t usual_ns)
{
	for (size_t i = 0; i < listener->gap_count; i++)
		listener->gaps[i].length_ns -= usual_ns;
}

/* `usual`: readings of the clock with nothing in between. */
struct listening {
	struct listener *listener;
	int64_t usual_sum_ns, usual_count;
};

static void listen_until(void *state, int64_t end_ns)
{
	struct listening *listening = state;
	int64_t last = now_ns();

	while (last < end_ns) {
		int64_t now = now_ns();

		if (now - last > GAP_LEAST_NS) {
			add_gap(listening->listener, last, now - last);
		} else {
			listening->usual_sum_ns += now - last;
			listening->usual_count++;
		}
		last = now;
	}
}

void in_bursts(const struct listener *listener, void (*look)(void *state, int64_t end_ns),
	       void *state)
{
	int64_t start = now_ns(), end = start + listener->duration_ns;

	for (int64_t burst = start; burst < end; burst += BURST_NS + REST_NS) {
		int error = pthread_locks.sleep_until(burst);

		if (error != 0 && error != EINTR)
			_exit(fail("a rest of the CPU: %s", strerror(error)));
		look(state, burst + BURST_NS < end ? burst + BURST_NS : end);
	}
}

void listen_on_cpu(struct listener *listener)
{
	struct listening listening = { .listener = listener, .usual_count = 1 };

	in_bursts(listener, listen_until, &listening);
	take_off_usual(listener, listening.usual_sum_ns / listening.usual_count);
}

void stand_on_cpu(const struct listener *listener, int priority)
{
	int error = pthread_locks.attach(priority, listener->cpu, 0);

	if (error != 0)
		_exit(refuse("SCHED_FIFO on CPU %d: %s", listener->cpu, strerror(error)));
}

/* Read a plain decimal number, which must be the whole word. */
static bool parse(const char *word, double most, double *number)
{
	char *end;

	if (strspn(word, "0123456789.") != strlen(word))
		return false;
	*number = strtod(word, &end);
	return end != word && *end == '\0' && *number <= most;
}

/* The argument of the child. */
struct child {
	struct listener *listener;
	void (*body)(struct listener *listener);
};

static void listen_in_child(void *argument)
{
	struct child *child = argument;
	struct listener *listener = child->listener;

	if (lock_memory() != 0)
		_exit(REFUSED);
	memset(listener->gaps, 0, sizeof(listener->gaps));
	memset(listener->wake_ups, 0, sizeof(listener->wake_ups));
	touch_stack();
	child->body(listener);
}

static int run_and_print(struct child *child, void (*print)(struct listener *))
{
	struct listener *listener = child->listener;
	char text[END_TEXT];
	const char *cut;
	struct end end;
	int64_t longest_ns = listener->duration_ns + MARGIN_NS;

	listener->deadline = now_ns() + longest_ns;
	hold_signals();
	if (!supervise(&listener->deadline, longest_ns, listen_in_child, child, &end) ||
	    was_refused(&end))
		return REFUSED;
	cut = describe_end(&end, text);
	if (cut == NULL) {
		print(listener);
		return end_stdout();
	}
	fail("cut: %s", cut);
	return end.ending == BY_INTERRUPTION ? BY_SIGNAL + end.signal : FAILED;
}

int run_listener(const char *cpu, const char *seconds, void (*body)(struct listener *listener),
		 void (*print)(struct listener *listener))
{
	char allowed[256];
	double which, duration;
	struct listener *listener;
	int status;

	if (!parse(seconds, SECONDS_MAX, &duration) || duration < 0.01)
		return refuse("\"%s\" seconds: expected a number from 0.01 to %d", seconds,
			      SECONDS_MAX);
	if (strspn(cpu, "0123456789") != strlen(cpu) || !parse(cpu, 1e6, &which) ||
	    !cpu_is_allowed((int)which)) {
		allowed_cpus(allowed, sizeof(allowed));
		return refuse("CPU %s does not exist or is not allowed here: allowed are %s", cpu,
			      allowed);
	}
	listener = map_shared("the gaps", sizeof(*listener), 0, "free some");
	if (listener == NULL)
		return REFUSED;
	listener->cpu = (int)which;
	listener->duration_ns = (int64_t)(duration * (double)NS_PER_S);
	status = run_and_print(&(struct child) { .listener = listener, .body = body }, print);
	munmap(listener, sizeof(*listener));
	return status;
}
