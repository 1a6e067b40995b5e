/* SPDX-License-Identifier: MIT */

/*
 * plafond-record: run a command, and record the kernel's scheduler and interrupts meanwhile, in a
 * tracefs instance. However it ends, the instance is removed.
 */
#define _GNU_SOURCE
#include "../machine/clock.h"
#include "../machine/say.h"
#include "command.h"
#include "drain.h"
#include "guard.h"
#include "instance.h"
#include "recording.h"
#include "thread_table.h"
#include "tracefs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static const char USAGE[] =
	"usage: plafond-record FILE [--buffer KIB] -- COMMAND [ARGUMENT ...]\n"
	"\n"
	"Run COMMAND and record in FILE which thread had a CPU when, which woke up, and what\n"
	"interrupts and softirqs did meanwhile, on the whole machine. KIB is the kernel's\n"
	"buffer for each CPU (4096): what does not fit is lost, and counted.\n"
	"\n"
	"Needs root. The tracefs instance that it makes is gone afterwards, also when a\n"
	"process of this is killed. What others trace goes on.\n"
	"\n"
	"Exit status: that of COMMAND, or 128 + n if signal n ended it; 1 failed; 2 refused:\n"
	"nothing was run.\n"
	"\n"
	"  plafond-record switches.rec -- sleep 1\n"
	"  plafond-record switches.rec --buffer 16384 -- plafond-run plan.txt trace.json\n";

enum { BUFFER_KIB = 4096, LEAST_KIB = 8, MOST_KIB = 1 << 20, TICK_MS = 100, PATH_BYTES = 128 };

struct job {
	const char *file;
	long buffer_kib;
	char **argv; /* the command with its arguments */
};

struct times {
	int64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
	int64_t recorder_ns;	  /* CPU time of this process between the two */
};

static int64_t cpu_time_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return nanoseconds(time);
}

static bool put_text(struct recording *recording, enum chunk_kind kind, uint32_t cpu,
		     const struct instance *instance, const char *path)
{
	size_t length;
	char *text = read_text(instance->folder, path, &length);

	if (text == NULL) {
		fail("cannot read %s of the tracefs instance: %s", path, strerror(errno));
		return false;
	}
	put_chunk(recording, kind, cpu, text, length);
	free(text);
	return true;
}

static bool put_threads(struct recording *recording)
{
	size_t length;
	char *table = list_threads(&length);

	if (table == NULL) {
		fail("cannot list the threads of /proc");
		return false;
	}
	put_chunk(recording, CHUNK_THREADS, 0, table, length);
	free(table);
	return true;
}

static bool put_head(struct recording *recording, const struct instance *instance)
{
	char path[PATH_BYTES];

	if (!put_text(recording, CHUNK_HEADER_PAGE, 0, instance, "events/header_page"))
		return false;
	for (int i = 0; i < EVENTS; i++) {
		snprintf(path, sizeof(path), "events/%s/format", event_names[i]);
		if (!put_text(recording, CHUNK_FORMAT, 0, instance, path))
			return false;
	}
	return put_threads(recording);
}

/* Print it on a single line, whatever the command contains. */
static void print_command(FILE *meta, char *argv[])
{
	fputs("command=", meta);
	for (int i = 0; argv[i] != NULL; i++) {
		if (i > 0)
			fputc(' ', meta);
		for (const char *letter = argv[i]; *letter != '\0'; letter++)
			fputc(*letter == '\n' ? ' ' : *letter, meta);
	}
	fputc('\n', meta);
}

static bool put_meta(struct recording *recording, const struct times *times, int cpus, char *argv[])
{
	struct utsname system;
	char *text = NULL;
	size_t length;
	FILE *meta = open_memstream(&text, &length);

	if (meta == NULL || uname(&system) != 0) {
		fail("cannot describe the recording: %s", strerror(errno));
		return false;
	}
	fprintf(meta, "clock=mono\nrelease=%s\nbegin_ns=%" PRId64 "\nend_ns=%" PRId64 "\n",
		system.release, times->begin_ns, times->end_ns);
	fprintf(meta, "cpus=%d\nrecorder_ns=%" PRId64 "\nrecorder_pid=%d\n", cpus,
		times->recorder_ns, getpid());
	print_command(meta, argv);
	fclose(meta);
	put_chunk(recording, CHUNK_META, 0, text, length);
	free(text);
	return true;
}

static bool put_tail(struct drain *drain, const struct instance *instance,
		     const struct times *times, char *argv[])
{
	char path[PATH_BYTES];

	for (int cpu = 0; cpu < drain->cpus; cpu++) {
		snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
		if (!put_text(drain->recording, CHUNK_STATS, (uint32_t)cpu, instance, path))
			return false;
	}
	return put_threads(drain->recording) &&
	       put_meta(drain->recording, times, drain->cpus, argv);
}

static void drain_tick(void *argument)
{
	drain_some(argument);
}

/* Run the command while the instance is on. Afterwards all recorded events are in the file. */
static int run_recorded(struct drain *drain, const struct instance *instance,
			struct command *command, const struct guard *guard, char *argv[])
{
	struct times times = { .recorder_ns = -cpu_time_ns(), .begin_ns = now_ns() };
	int signal = early_interruption(command);
	int status;

	if (signal != 0)
		return BY_SIGNAL + signal;
	if (switch_instance(instance, true) != 0)
		return refuse("the tracefs instance cannot be switched on");
	if (!start_command(command, argv))
		return REFUSED;
	status = await_command(command, guard, TICK_MS, drain_tick, drain);
	switch_instance(instance, false);
	times.end_ns = now_ns();
	while (drain_some(drain))
		;
	times.recorder_ns += cpu_time_ns();
	return put_tail(drain, instance, &times, argv) ? status : FAILED;
}

static int record_to(struct recording *recording, const struct instance *instance,
		     struct command *command, const struct guard *guard, char *argv[])
{
	int status = REFUSED;
	struct drain drain;

	if (open_drain(&drain, instance, recording) && put_head(recording, instance))
		status = run_recorded(&drain, instance, command, guard, argv);
	close_drain(&drain);
	return status;
}

static int record_guarded(const struct job *job, struct instance *instance, struct command *command,
			  const struct guard *guard)
{
	struct recording recording;
	int status;

	if (!make_instance(instance, job->buffer_kib) || !open_recording(&recording, job->file))
		return REFUSED;
	status = record_to(&recording, instance, command, guard, job->argv);
	return close_recording(&recording) ? status : FAILED;
}

static int record(const struct job *job)
{
	struct instance instance = name_instance(open_tracefs());
	struct command command;
	struct guard guard;
	int status;

	if (instance.root < 0)
		return REFUSED;
	if (!hold_interruptions(&command) || !start_guard(&guard, remove_instance, &instance))
		return FAILED;
	status = record_guarded(job, &instance, &command, &guard);
	return end_guard(&guard) ? status : FAILED;
}

static bool read_buffer(const char *argument, long *kib)
{
	char *end;

	*kib = strtol(argument, &end, 10);
	if (end != argument && *end == '\0' && *kib >= LEAST_KIB && *kib <= MOST_KIB)
		return true;
	refuse("--buffer: found %s; expected %d to %d KiB", argument, LEAST_KIB, MOST_KIB);
	return false;
}

int main(int argc, char *argv[])
{
	struct job job = { .file = argv[1], .buffer_kib = BUFFER_KIB };

	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(USAGE, stdout);
		return end_stdout();
	}
	if (argc >= 4 && argv[1][0] != '-' && strcmp(argv[2], "--") == 0)
		job.argv = argv + 3;
	else if (argc >= 6 && argv[1][0] != '-' && strcmp(argv[2], "--buffer") == 0 &&
		 strcmp(argv[4], "--") == 0)
		job.argv = argv + 5;
	if (job.argv == NULL) {
		fputs(USAGE, stderr);
		return REFUSED;
	}
	if (job.argv == argv + 5 && !read_buffer(argv[3], &job.buffer_kib))
		return REFUSED;
	return record(&job);
}
