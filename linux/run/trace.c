/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include "../machine/host.h"
#include "team.h"

#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

static const char *const kind_names[] = {
	[EVENT_START] = "start",   [EVENT_REQUEST] = "request", [EVENT_GRANT] = "grant",
	[EVENT_UNLOCK] = "unlock", [EVENT_END] = "end",		[EVENT_SKIP] = "skip",
	[EVENT_SLEEP] = "sleep",   [EVENT_WAKE] = "wake",	[EVENT_SUSPEND] = "suspend",
	[EVENT_RESUME] = "resume", [EVENT_AWAIT] = "await",	[EVENT_AFFORD] = "afford",
};

static const char *const server_kind_names[] = {
	[PLF_SERVER_REPLENISHED] = "replenish",
	[PLF_SERVER_DEPLETED] = "deplete",
	[PLF_SERVER_GETS] = "get",
	[PLF_SERVER_LOSES] = "lose",
	[PLF_SERVER_OVERRUNS] = "overrun",
	[PLF_SERVER_PAYS_BACK] = "payback",
	[PLF_SERVER_KEPT_OUT] = "keep-out",
};

/* The most room for everything except arrivals and events. */
enum {
	HEAD_BYTES = 2048,
	CPU_BYTES = 256,
	RESOURCE_BYTES = 48,
	TASK_BYTES = 512,
	SPEED_BYTES = 8, /* for each activation */
	SERVER_BYTES = 256
};

/* Times reach the limit and its margin. Allow another digit, because the watchdog may be late. */
static size_t event_bytes(const struct plan *plan)
{
	return (size_t)snprintf(NULL, 0, "[%" PRId64 ",\"suspend\",%zu,%d],\n",
				10 * (plan->limit_ns + MARGIN_NS), plan->arrival_count,
				NO_RESOURCE);
}

size_t trace_bytes(const struct plan *plan)
{
	int cpus[CPUS_MAX];
	size_t bytes = HEAD_BYTES + cpus_of_plan(plan, cpus) * CPU_BYTES +
		       plan->resource_count * RESOURCE_BYTES + plan->task_count * TASK_BYTES;
	size_t arrival_bytes =
		(size_t)snprintf(NULL, 0, "%" PRId64 ",", plan->limit_ns) + SPEED_BYTES;

	for (size_t i = 0; i < plan->server_count; i++)
		bytes += SERVER_BYTES + server_room(plan, &plan->servers[i]) * event_bytes(plan);
	for (size_t i = 0; i < plan->task_count; i++)
		bytes += plan->tasks[i].arrival_count * arrival_bytes +
			 event_room(plan, &plan->tasks[i]) * event_bytes(plan);
	return bytes;
}

static void write_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(file, "\\%c", c);
		else if (c < ' ' || c >= 127)
			fprintf(file, "\\u%04x", c);
		else
			fputc(c, file);
	}
	fputc('"', file);
}

static void write_string_or_null(FILE *file, const char *text)
{
	if (text != NULL)
		write_string(file, text);
	else
		fputs("null", file);
}

static void write_number_or_null(FILE *file, bool is_known, int64_t number)
{
	if (is_known)
		fprintf(file, "%" PRId64, number);
	else
		fputs("null", file);
}

/* "NAME": NUMBER, */
static void write_field(FILE *file, const char *name, bool is_known, int64_t number)
{
	fprintf(file, "\"%s\":", name);
	write_number_or_null(file, is_known, number);
	fputc(',', file);
}

static void write_head(FILE *file, const struct plan *plan, const struct record *record,
		       const char *cut)
{
	int64_t runtime_us = 0, period_us = 0;
	bool is_limited = priority_limit(&runtime_us, &period_us);
	struct utsname system;

	fprintf(file, "{\"version\":2,\n\"protocol\":\"%s\",\n\"cut\":", plan->protocol->name);
	write_string_or_null(file, cut);
	fputs(",\n\"kernel\":", file);
	write_string_or_null(file, uname(&system) == 0 ? system.release : NULL);
	fputs(",\n\"priority_limit_us\":[", file);
	write_number_or_null(file, is_limited, runtime_us);
	fputc(',', file);
	write_number_or_null(file, is_limited, period_us);
	fprintf(file, "],\n\"backend\":\"%s\",\n", record->backend);
	write_field(file, "zero_ns", record->zero_ns != 0, record->zero_ns);
	fputc('\n', file);
}

/* The sum of the speeds of all tasks of a CPU. */
static struct speeds speeds_on(int cpu, const struct plan *plan, const struct record *record)
{
	struct speeds sum = { { 0 } };

	for (size_t i = 0; i < plan->task_count; i++)
		if (plan->tasks[i].cpu == cpu)
			add_speeds(&sum, &record->tasks[i].speeds);
	return sum;
}

static void write_cpu(FILE *file, const struct plan *plan, const struct record *record,
		      const struct cpu_record *cpu)
{
	struct speeds speeds = speeds_on(cpu->cpu, plan, record);
	int64_t steal_after_ns = steal_ns(cpu->cpu);
	bool has_run = record->zero_ns != 0;

	fprintf(file, "{\"cpu\":%d,", cpu->cpu);
	write_field(file, "turn_ns", cpu->turn_ns > 0, cpu->turn_ns);
	fputs("\"turns_per_us\":", file);
	write_speeds(file, &speeds);
	fputs(",\"steal_ns\":", file);
	write_number_or_null(file, has_run && cpu->steal_before_ns >= 0 && steal_after_ns >= 0,
			     steal_after_ns - cpu->steal_before_ns);
	fputc('}', file);
}

static void write_cpus(FILE *file, const struct plan *plan, const struct record *record)
{
	fputs("\"cpus\":[", file);
	for (size_t i = 0; i < record->cpu_count; i++) {
		fputs(i == 0 ? "\n" : ",\n", file);
		write_cpu(file, plan, record, &record->cpus[i]);
	}
	fputs("],\n", file);
}

static void write_resources(FILE *file, const struct plan *plan)
{
	fputs("\"resources\":[", file);
	for (size_t i = 0; i < plan->resource_count; i++)
		fprintf(file, "%s\"%s\"", i == 0 ? "" : ",", plan->resources[i].name);
	fputs("],\n", file);
}

static void write_event(FILE *file, const struct event *event)
{
	fprintf(file, "[%" PRId64 ",\"%s\",%" PRIu32 ",", event->time_ns, kind_names[event->kind],
		event->activation);
	write_number_or_null(file, event->resource != NO_RESOURCE, event->resource);
	fputc(']', file);
}

static void write_events(FILE *file, const struct task_record *record)
{
	size_t stored = atomic_load_explicit(&record->stored, memory_order_acquire);

	fputs("\"events\":[", file);
	for (size_t i = 0; i < stored; i++) {
		fputs(i == 0 ? "\n" : ",\n", file);
		write_event(file, &record->events[i]);
	}
	fputs("]", file);
}

static void write_task(FILE *file, const struct task *task, const struct task_record *record)
{
	const struct account *account = &record->account;
	bool is_complete = record->is_complete;

	fprintf(file, "{\"name\":\"%s\",\"arrivals_ns\":[", task->name);
	for (size_t i = 0; i < task->arrival_count; i++)
		fprintf(file, "%s%" PRId64, i == 0 ? "" : ",", task->arrivals[i]);
	fputs("],\n\"slowest_turns_per_us\":[", file);
	for (size_t i = 0; i < task->arrival_count; i++) {
		fputs(i == 0 ? "" : ",", file);
		write_speed(file, record->slowest[i]);
	}
	fputs("],\n", file);
	write_field(file, "thread", record->thread != 0, record->thread);
	write_field(file, "voluntary_switches", is_complete, account->voluntary_switches);
	write_field(file, "involuntary_switches", is_complete, account->involuntary_switches);
	write_field(file, "minor_faults", is_complete, account->minor_faults);
	write_field(file, "major_faults", is_complete, account->major_faults);
	write_field(file, "lock_calls", is_complete && account->lock_calls >= 0,
		    account->lock_calls);
	write_field(file, "lost_gaps", true, (int64_t)record->lost_gaps);
	fputc('\n', file);
	write_events(file, record);
	fputc('}', file);
}

static void write_tasks(FILE *file, const struct plan *plan, const struct record *record)
{
	fputs("\"tasks\":[", file);
	for (size_t i = 0; i < plan->task_count; i++) {
		fputs(i == 0 ? "\n" : ",\n", file);
		write_task(file, &plan->tasks[i], &record->tasks[i]);
	}
	fputs("],\n", file);
}

/* If the run was cut, the manager's work is not known. */
static void write_manager(FILE *file, const struct server_record *record)
{
	if (!record->is_complete) {
		fputs("\"manager\":null,\n", file);
		return;
	}
	fputs("\"manager\":{", file);
	write_field(file, "decisions", true, (int64_t)record->manager.decisions);
	write_field(file, "busy_ns", true, (int64_t)record->manager.manager_ns);
	write_field(file, "priority_changes", true, (int64_t)record->manager.priority_changes);
	write_field(file, "calls", true, (int64_t)record->manager.calls);
	fprintf(file, "\"latest_ns\":%" PRId64 "},\n", record->latest_ns);
}

static void write_server(FILE *file, const struct server *server,
			 const struct server_record *record)
{
	size_t stored = atomic_load_explicit(&record->stored, memory_order_acquire);

	fprintf(file, "{\"name\":\"%s\",", server->name);
	write_manager(file, record);
	fputs("\"events\":[", file);
	for (size_t i = 0; i < stored; i++)
		fprintf(file, "%s[%" PRId64 ",\"%s\"]", i == 0 ? "\n" : ",\n",
			record->events[i].time_ns, server_kind_names[record->events[i].kind]);
	fputs("]}", file);
}

/* Write the servers, if there are any. */
static void write_servers(FILE *file, const struct plan *plan, const struct record *record)
{
	if (plan->server_count == 0)
		return;
	fputs("\"servers\":[", file);
	for (size_t i = 0; i < plan->server_count; i++) {
		fputs(i == 0 ? "\n" : ",\n", file);
		write_server(file, &plan->servers[i], &record->servers[i]);
	}
	fputs("],\n", file);
}

void write_trace(FILE *file, const struct plan *plan, const struct record *record, const char *cut)
{
	write_head(file, plan, record, cut);
	write_cpus(file, plan, record);
	write_resources(file, plan);
	write_tasks(file, plan, record);
	write_servers(file, plan, record);
	fputs("\"lock_calls_not_counted\":", file);
	write_string_or_null(file, record->not_counted.taken ? record->not_counted.text : NULL);
	fputs(",\n\"spare_cpu_time_ns\":", file);
	write_number_or_null(file, record->spare_ns >= 0, record->spare_ns);
	fputs("}\n", file);
}
