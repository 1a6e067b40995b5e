/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "threads.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAT_BYTES = 1024, PATH_BYTES = 64, CUT_LETTERS = 15, OF_KERNEL = 0x00200000 };

/* The line is "TID (NAME) STATE PPID ..."; NAME may hold anything. */
static bool read_stat(pid_t pid, pid_t tid, char line[STAT_BYTES])
{
	char path[PATH_BYTES];
	FILE *file;
	bool is_read;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	is_read = fgets(line, STAT_BYTES, file) != NULL;
	fclose(file);
	return is_read;
}

static void take_name(char name[NAME_BYTES], const char *begin, const char *end)
{
	size_t length = (size_t)(end - begin);

	if (length > NAME_BYTES - 1)
		length = NAME_BYTES - 1;
	memcpy(name, begin, length);
	name[length] = '\0';
	for (char *letter = name; *letter != '\0'; letter++)
		if ((unsigned char)*letter < ' ')
			*letter = '?';
}

void complete_name(char name[NAME_BYTES], size_t start, const char *actions)
{
	size_t cut = strlen(name) - start;
	const struct dirent *entry;
	char whole[NAME_MAX + 1];
	int found = 0;
	DIR *folder;

	if (strlen(name) != CUT_LETTERS)
		return;
	folder = opendir(actions);
	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL)
		if (entry->d_type == DT_DIR && strncmp(entry->d_name, name + start, cut) == 0) {
			snprintf(whole, sizeof(whole), "%s", entry->d_name);
			found++;
		}
	closedir(folder);
	if (found == 1) {
		name[start] = '\0';
		strncat(name, whole, NAME_BYTES - 1 - start);
	}
}

/* irq/N-ACTION, or irq/N-s-ACTION for an action's second thread. */
static bool is_interrupt_thread(struct thread *thread)
{
	char actions[PATH_BYTES];
	int start = 0;
	int after_s = 0;

	if (sscanf(thread->name, "irq/%d-%n", &thread->irq, &start) != 1 || start == 0)
		return false;
	sscanf(thread->name + start, "s-%n", &after_s);
	snprintf(actions, sizeof(actions), "/proc/irq/%d", thread->irq);
	complete_name(thread->name, (size_t)(start + after_s), actions);
	return true;
}

static enum kind kind_of(struct thread *thread, unsigned int flags)
{
	if ((flags & OF_KERNEL) == 0)
		return KIND_USER;
	if (is_interrupt_thread(thread))
		return KIND_IRQ;
	thread->irq = NO_IRQ;
	return strncmp(thread->name, "ksoftirqd/", strlen("ksoftirqd/")) == 0 ? KIND_KSOFTIRQD
									      : KIND_KERNEL;
}

/*
 * Read fields 3, 9 and 22 of proc_pid_stat(5). False: the thread has ended, and is not released
 * yet.
 */
static bool take_numbers(const char *fields, unsigned int *flags, uint64_t *started)
{
	char state;

	return sscanf(fields,
		      " %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
		      "%" SCNu64,
		      &state, flags, started) == 3 &&
	       state != 'Z' && state != 'X';
}

bool read_thread(pid_t pid, pid_t tid, struct thread *thread)
{
	char line[STAT_BYTES];
	unsigned int flags;
	const char *begin, *end;

	if (!read_stat(pid, tid, line))
		return false;
	begin = strchr(line, '(');
	end = strrchr(line, ')');
	*thread = (struct thread) { .tid = tid, .pid = pid, .irq = NO_IRQ };
	if (begin == NULL || end == NULL || !take_numbers(end + 1, &flags, &thread->started))
		return false;
	take_name(thread->name, begin + 1, end);
	thread->kind = kind_of(thread, flags);
	return read_schedule(tid, &thread->schedule) == 0;
}

static pid_t number_of(const struct dirent *entry)
{
	return atoi(entry->d_name); /* 0: the name is no number */
}

static void each_of_process(pid_t pid, void (*visit)(const struct thread *thread, void *argument),
			    void *argument)
{
	const struct dirent *entry;
	struct thread thread;
	char path[PATH_BYTES];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	if (folder == NULL)
		return; /* the process has ended meanwhile */
	while ((entry = readdir(folder)) != NULL)
		if (number_of(entry) > 0 && read_thread(pid, number_of(entry), &thread))
			visit(&thread, argument);
	closedir(folder);
}

bool each_thread(void (*visit)(const struct thread *thread, void *argument), void *argument)
{
	DIR *folder = opendir("/proc");
	const struct dirent *entry;

	if (folder == NULL)
		return false;
	while ((entry = readdir(folder)) != NULL)
		if (number_of(entry) > 0)
			each_of_process(number_of(entry), visit, argument);
	closedir(folder);
	return true;
}

const char *kind_name(enum kind kind)
{
	static const char *const names[] = {
		[KIND_IRQ] = "irq",
		[KIND_KSOFTIRQD] = "ksoftirqd",
		[KIND_KERNEL] = "kernel",
		[KIND_USER] = "user",
	};

	return names[kind];
}
