/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run.h"

#include "../machine/clock.h"
#include "../machine/say.h"
#include "device.h"
#include "end.h"
#include "output.h"
#include "plan.h"
#include "record.h"
#include "supervise.h"
#include "team.h"
#include "trace.h"
#include "tracepoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

/* The reason of the child's end; NULL: it ran to its end. */
static const char *cut_of(const struct end *end, const struct plan *plan,
			  const struct record *record, char text[END_TEXT])
{
	if (end->ending == BY_WATCHDOG && record->zero_ns != 0) {
		snprintf(text, END_TEXT, "watchdog: not finished %" PRId64 " ns after time 0%s",
			 plan->limit_ns, starvation_of(end));
		return text;
	}
	if (end->ending == BY_ITSELF && record->failure.taken)
		return record->failure.text;
	return describe_end(end, text);
}

static int write_and_close(struct output *output, const struct plan *plan,
			   const struct record *record, const struct end *end)
{
	char text[END_TEXT];
	const char *cut = cut_of(end, plan, record, text);

	write_trace(output->file, plan, record, cut);
	if (!close_output(output))
		return FAILED;
	if (cut == NULL)
		return RAN;
	fail("cut: %s; %s holds what came before", cut, output->path);
	return end->ending == BY_INTERRUPTION ? BY_SIGNAL + end->signal : FAILED;
}

/*
 * The time that the watchdog gives the set-up. Each CPU's pace is measured, each task's thread is
 * started, and the record is touched. To start a thread takes longer with more memory to lock, and
 * with more threads.
 */
static int64_t setup_ns(const struct plan *plan, const struct record *record)
{
	int64_t seconds = 10 + (int64_t)record->cpu_count;

	return seconds * NS_PER_S + (int64_t)plan->task_count * 50 * NS_PER_MS +
	       (int64_t)record->bytes * 10;
}

static int run_and_write(struct output *output, const struct plan *plan, struct record *record)
{
	int64_t before_ns = setup_ns(plan, record);
	struct team team = { .plan = plan, .record = record };
	struct end end;

	team.tracepoint = sys_enter_tracepoint();
	record->deadline = now_ns() + before_ns;
	if (supervise(&record->deadline, before_ns + plan->limit_ns + MARGIN_NS, run_team, &team,
		      &end) &&
	    !was_refused(&end))
		return write_and_close(output, plan, record, &end);
	discard_output(output);
	return REFUSED;
}

static int run_checked(const struct plan *plan, const char *trace_path)
{
	struct record *record = map_record(plan);
	struct output output;
	int status = REFUSED;

	if (record == NULL)
		return REFUSED;
	if (reserve_output(&output, trace_path, plan->path, trace_bytes(plan)))
		status = run_and_write(&output, plan, record);
	munmap(record, record->bytes);
	return status;
}

int run_plan(const char *plan_path, const char *trace_path)
{
	struct plan plan;
	int status = REFUSED;

	if (read_plan(&plan, plan_path) && device_is_there(plan.protocol)) {
		hold_signals();
		status = run_checked(&plan, trace_path);
	}
	free_plan(&plan);
	return status;
}
