/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "instance.h"

#include "../machine/say.h"
#include "tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 128, BUSY_LOOKS = 200, LOOK_NS = 5000000 };

const char *const event_names[EVENTS] = {
	"sched/sched_switch",	 "sched/sched_wakeup",	 "sched/sched_wakeup_new",
	"irq/irq_handler_entry", "irq/irq_handler_exit", "irq/softirq_raise",
	"irq/softirq_entry",	 "irq/softirq_exit",
};

static void path_of(const struct instance *instance, char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "instances/%s", instance->name);
}

struct instance name_instance(int root)
{
	struct instance instance = { .root = root, .folder = -1 };

	snprintf(instance.name, sizeof(instance.name), "plafond-%d", getpid());
	return instance;
}

static bool set(const struct instance *instance, const char *path, const char *value)
{
	int error = write_text(instance->folder, path, value);

	if (error == 0)
		return true;
	if (error == EPERM)
		refuse("the kernel denies %s of a tracefs instance to root: is it locked down "
		       "(/sys/kernel/security/lockdown)?",
		       path);
	else if (error == ENOENT)
		refuse("the kernel has no %s in a tracefs instance", path);
	else
		refuse("cannot write %s to %s of a tracefs instance: %s", value, path,
		       strerror(error));
	return false;
}

static bool set_buffer(const struct instance *instance, long buffer_kib)
{
	char value[32];
	int error;

	snprintf(value, sizeof(value), "%ld", buffer_kib);
	error = write_text(instance->folder, "buffer_size_kb", value);
	if (error != ENOMEM)
		return set(instance, "buffer_size_kb", value);
	refuse("the kernel refuses a buffer of %ld KiB for each CPU: %s; ask for less with "
	       "--buffer",
	       buffer_kib, strerror(error));
	return false;
}

static bool enable_events(const struct instance *instance)
{
	char path[PATH_BYTES];

	for (int i = 0; i < EVENTS; i++) {
		snprintf(path, sizeof(path), "events/%s/enable", event_names[i]);
		if (!set(instance, path, "1"))
			return false;
	}
	return true;
}

bool make_instance(struct instance *instance, long buffer_kib)
{
	char path[PATH_BYTES];

	path_of(instance, path);
	if (mkdirat(instance->root, path, 0700) == 0)
		instance->folder = openat(instance->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (instance->folder >= 0)
		return set(instance, "tracing_on", "0") && set_buffer(instance, buffer_kib) &&
		       set(instance, "trace_clock", "mono") && enable_events(instance);
	if (errno == EACCES || errno == EPERM)
		refuse("a tracefs instance is denied to this user: run it as root");
	else
		refuse("cannot make the tracefs instance %s: %s", instance->name, strerror(errno));
	return false;
}

int switch_instance(const struct instance *instance, bool on)
{
	return write_text(instance->folder, "tracing_on", on ? "1" : "0");
}

bool remove_instance(const void *argument)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	const struct instance *instance = argument;
	char path[PATH_BYTES];

	path_of(instance, path);
	for (int looks = 0; unlinkat(instance->root, path, AT_REMOVEDIR) != 0; looks++) {
		if (errno == ENOENT || errno == EACCES)
			return true; /* it was never made */
		if (errno != EBUSY || looks == BUSY_LOOKS) {
			fail("the tracefs instance %s cannot be removed: %s", instance->name,
			     strerror(errno));
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}
