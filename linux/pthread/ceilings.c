/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "ceilings.h"

#include "path.h"
#include "report.h"
#include "site.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	SLOTS = 2 * PLF_CEILINGS, /* never full, so that every search ends */
	FIELDS = 4,
	CEILING_MAX = 99,
};

struct known {
	uint64_t key; /* 0: free */
	int ceiling;
};

bool plf_ceilings_known, plf_ceilings_at_locks;
static struct known *table;
static size_t count;
static bool reports_unused; /* in the first process only: others may be other programs */
static const void *too_many_at;
static unsigned asked, found; /* calls of plf_ceilings_count(), and calls with a ceiling */

/* The slot that has the key, or the free slot in which it belongs. */
static struct known *slot_of(uint64_t key)
{
	size_t at = key % SLOTS;

	while (table[at].key != 0 && table[at].key != key)
		at = (at + 1) % SLOTS;
	return &table[at];
}

/* ---- One line ---------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void cut_comment(char *line)
{
	for (char *c = line; *c != '\0'; c++)
		if (*c == '#' && (c == line || is_blank(c[-1])))
			*c = '\0';
}

/* Take the last word off the line; "" if there is none. */
static char *last_word(char *line)
{
	char *end = line + strlen(line);

	while (end > line && is_blank(end[-1]))
		*--end = '\0';
	while (end > line && !is_blank(end[-1]))
		end--;
	if (end > line)
		end[-1] = '\0';
	return end;
}

static bool number(const char *text, int base, uint64_t least, uint64_t most, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, base);
	return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && *value >= least &&
	       *value <= most;
}

static const char *add(uint64_t key, int ceiling)
{
	struct known *slot = slot_of(key);

	if (slot->key != 0)
		return "one ceiling for each mutex, and this one has a ceiling already";
	if (count == PLF_CEILINGS)
		return "at most 4096 ceilings";
	*slot = (struct known) { key, ceiling };
	count++;
	return NULL;
}

_Static_assert(PLF_CEILINGS == 4096, "as the message says");

/* Read a ceiling, or the word `inherit` as PLF_TO_INHERIT. */
static bool choice(const char *word, uint64_t *value)
{
	*value = PLF_TO_INHERIT;
	return strcmp(word, "inherit") == 0 || number(word, 10, 1, CEILING_MAX, value);
}

/* Read an offset, and a path behind a slash. Without a slash the path is 0. */
static bool place(char *word, uint64_t *offset, uint64_t *path)
{
	char *slash = strchr(word, '/');

	*path = 0;
	if (slash == NULL)
		return number(word, 0, 0, UINT64_MAX, offset);
	*slash = '\0';
	return number(word, 0, 0, UINT64_MAX, offset) && number(slash + 1, 0, 1, UINT64_MAX, path);
}

/*
 * Read from the right, because the file name of a module may hold blanks. Returns the expectation
 * that the line does not meet, or NULL.
 */
static const char *read_line(char *line)
{
	uint64_t offset, path, order, ceiling;
	char *word[FIELDS - 1];

	cut_comment(line);
	for (int i = 0; i < FIELDS - 1; i++)
		word[i] = last_word(line);
	while (is_blank(*line))
		line++;
	for (char *end = line + strlen(line); end > line && is_blank(end[-1]);)
		*--end = '\0';
	if (word[0][0] == '\0')
		return NULL;
	if (word[2] == line || word[2][0] == '\0' || line[0] == '\0')
		return "'module offset order ceiling', as in 'app 0x12ab 1 50'";
	if (!choice(word[0], &ceiling))
		return "a ceiling from 1 to 99 at the end, or inherit";
	if (!number(word[1], 10, PLF_ORDER_NONE, UINT32_MAX, &order))
		return "an order from 0 before the ceiling";
	if (!place(word[2], &offset, &path))
		return "an offset such as 0x12ab, or 0x12ab/PATH, before the order";
	plf_ceilings_at_locks |= order == PLF_ORDER_NONE;
	plf_paths_matter |= path != 0;
	return add(plf_site_key(line, offset, path, (uint32_t)order), (int)ceiling);
}

/* ---- The file ---------------------------------------------------------- */

/* The line that is being read, and the first line that was wrong. */
struct reading {
	char line[512];
	size_t length; /* of the line; sizeof(line) if it is too long */
	unsigned number;
	unsigned wrong, wrong_lines;
	const char *expected;
};

static void end_line(struct reading *r)
{
	const char *expected;

	r->number++;
	if (r->length < sizeof(r->line)) {
		r->line[r->length] = '\0';
		expected = strlen(r->line) == r->length ? read_line(r->line) : "text";
	} else {
		expected = "a line shorter than 512 characters";
	}
	r->length = 0;
	if (expected == NULL)
		return;
	if (r->wrong_lines++ == 0) {
		r->wrong = r->number;
		r->expected = expected;
	}
}

static void take(struct reading *r, char c)
{
	if (c == '\n') {
		end_line(r);
		return;
	}
	if (r->length < sizeof(r->line))
		r->line[r->length++] = c;
}

/* Returns 0 or an errno value. */
static int read_all(struct reading *r, int fd)
{
	char text[1024];
	ssize_t size;

	while ((size = syscall(SYS_read, fd, text, sizeof(text))) != 0) {
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return errno;
		for (ssize_t i = 0; i < size; i++)
			take(r, text[i]);
	}
	if (r->length > 0)
		end_line(r);
	return 0;
}

static int read_file(struct reading *r, const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return errno;
	error = read_all(r, fd);
	syscall(SYS_close, fd);
	return error;
}

static int map_table(void)
{
	void *memory = mmap(NULL, SLOTS * sizeof(struct known), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return errno;
	table = memory;
	return 0;
}

static void warn_of_lines(const struct reading *r, const char *path)
{
	if (r->wrong_lines == 1)
		plf_warn("%s:%u: expected %s: line ignored", path, r->wrong, r->expected);
	else if (r->wrong_lines > 1)
		plf_warn("%s:%u: expected %s: line ignored, and %u more", path, r->wrong,
			 r->expected, r->wrong_lines - 1);
}

/* A file in /proc of a process that is gone, or of another user, was for that process. */
static bool is_anothers(const char *path, int error)
{
	return strncmp(path, "/proc/", 6) == 0 && (error == ENOENT || error == EACCES);
}

/* If the parent reads the same file, it has warned. */
static void warn(const struct reading *r, const char *path, int error)
{
	if (is_anothers(path, error) || plf_is_below("PLAFOND_CEILINGS", path))
		return;
	if (error != 0)
		plf_warn("cannot read the ceilings %s: %s", path, strerrordesc_np(error));
	else
		warn_of_lines(r, path);
}

void plf_ceilings_start(const char *path)
{
	struct reading reading = { .length = 0 };
	int error;

	if (path == NULL || path[0] == '\0')
		return;
	error = map_table();
	if (error == 0)
		error = read_file(&reading, path);
	if (error != 0 || reading.wrong_lines > 0)
		warn(&reading, path, error);
	plf_ceilings_known = count > 0;
	reports_unused = plf_ceilings_known && !plf_is_below("PLAFOND_CEILINGS", path);
}

int plf_ceiling_for(const void *place, uint64_t path, uint32_t order)
{
	struct plf_site site;

	if (!plf_ceilings_known)
		return 0;
	plf_site_of(place, &site);
	return slot_of(plf_site_key(site.module, site.offset, path, order))->ceiling;
}

int plf_ceiling_for_name(const char *name)
{
	char module[PLF_MODULE_NAME];

	if (!plf_ceilings_known)
		return 0;
	snprintf(module, sizeof(module), "name:%s", name);
	return slot_of(plf_site_key(module, 0, 0, PLF_ORDER_VARIABLE))->ceiling;
}

void plf_ceilings_count(bool has_ceiling)
{
	__atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&found, has_ceiling, __ATOMIC_RELAXED);
}

void plf_ceilings_one_too_many(const void *call_site)
{
	too_many_at = call_site;
}

static void warn_of_too_many(void)
{
	struct plf_site site;

	plf_site_of(too_many_at, &site);
	plf_warn("%s+0x%llx made more mutexes than were learned: which of them have the ceilings "
		 "is by the order in which they are made",
		 site.module, (unsigned long long)site.offset);
}

void plf_ceilings_end(void)
{
	if (reports_unused && too_many_at != NULL)
		warn_of_too_many();
	if (reports_unused && asked != 0 && found == 0)
		plf_warn("no ceiling is of a mutex that this program made: expected those that "
			 "were learned of it, as it is built and run now");
}

void plf_ceilings_after_fork(void)
{
	reports_unused = false;
}
