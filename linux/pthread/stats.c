/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stats.h"

#include "report.h"
#include "site.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNTS = sizeof(struct plf_stats_counts) / sizeof(uint64_t) };

/* All the counts of a thread, by number. */
union counts {
	struct plf_stats_counts by_name;
	uint64_t word[COUNTS];
};

__thread struct plf_stats_counts plf_counts;
static __thread bool joined;

static struct plf_stats_counts *living[PLF_STATS_THREADS];
static union counts totals; /* of those that ended */
static struct plf_target target;
static bool as_text;

/*
 * The report's words, in the order of the counts. The members of an object follow each
 * other; those of "" belong to the outer one.
 */
static const struct {
	const char *object, *name;
} words[] = {
	{ "mutexes", "unused" },
	{ "mutexes", "local" },
	{ "mutexes", "shared" },
	{ "locks", "lazy" },
	{ "locks", "eager" },
	{ "locks", "inherited" },
	{ "eager_because", "not_pinned" },
	{ "eager_because", "policy" },
	{ "eager_because", "no_rseq" },
	{ "eager_because", "depth" },
	{ "eager_because", "raised" },
	{ "eager_because", "mode" },
	{ "eager_because", "privilege" },
	{ "eager_because", "no_memory" },
	{ "commits", "blocking_call" },
	{ "commits", "contended" },
	{ "commits", "priority_read" },
	{ "commits", "scheduling_call" },
	{ "commits", "migrated" },
	{ "", "mode_changes" },
	{ "", "gate_waits" },
	{ "", "lock_waits" },
	{ "", "above_ceiling" },
	{ "", "converted" },
	{ "system_calls", "made" },
	{ "system_calls", "saved" },
};

enum { WORDS = sizeof(words) / sizeof(words[0]) };

_Static_assert((int)WORDS == (int)COUNTS, "every count is reported");

void plf_stats_start(const char *where)
{
	if (where == NULL || where[0] == '\0')
		return;
	as_text = strcmp(where, "1") == 0;
	plf_target_set(&target, "PLAFOND_STATS", where);
}

/* ---- Counting ---------------------------------------------------------- */

static bool replace(struct plf_stats_counts **slot, struct plf_stats_counts *was,
		    struct plf_stats_counts *becomes)
{
	return __atomic_load_n(slot, __ATOMIC_RELAXED) == was &&
	       __atomic_compare_exchange_n(slot, &was, becomes, false, __ATOMIC_RELEASE,
					   __ATOMIC_RELAXED);
}

static bool replace_first(struct plf_stats_counts *was, struct plf_stats_counts *becomes)
{
	for (size_t i = 0; i < PLF_STATS_THREADS; i++)
		if (replace(&living[i], was, becomes))
			return true;
	return false;
}

void plf_stats_join(void)
{
	if (joined)
		return;
	joined = true;
	/* One that vanished without a word may have had this memory before. */
	if (!replace_first(&plf_counts, &plf_counts))
		replace_first(NULL, &plf_counts);
}

/* Out of the table first: a process that ends just now may miss it, but never counts it twice. */
void plf_stats_fold(void)
{
	union counts mine = { .by_name = plf_counts };

	if (joined)
		replace_first(&plf_counts, NULL);
	joined = false;
	memset(&plf_counts, 0, sizeof(plf_counts));
	for (size_t i = 0; i < COUNTS; i++)
		if (mine.word[i] != 0)
			__atomic_fetch_add(&totals.word[i], mine.word[i], __ATOMIC_RELAXED);
}

/* The memory of a thread that vanished without a word may be gone: the kernel looks. */
static bool copy_counts(union counts *to, struct plf_stats_counts *from)
{
	struct iovec local = { to, sizeof(*to) }, remote = { from, sizeof(*from) };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)sizeof(*to);
}

static void add_living(union counts *sum, struct plf_stats_counts *thread)
{
	union counts its = { .word = { 0 } };

	if (thread == &plf_counts)
		its.by_name = plf_counts;
	else if (thread == NULL || !copy_counts(&its, thread))
		return;
	for (size_t i = 0; i < COUNTS; i++)
		sum->word[i] += its.word[i];
}

static void sum_up(union counts *sum)
{
	for (size_t i = 0; i < COUNTS; i++)
		sum->word[i] = __atomic_load_n(&totals.word[i], __ATOMIC_RELAXED);
	for (size_t i = 0; i < PLF_STATS_THREADS; i++)
		add_living(sum, __atomic_load_n(&living[i], __ATOMIC_ACQUIRE));
	if (!joined)
		add_living(sum, &plf_counts);
}

/* The caller alone came along, and all the mutexes. */
void plf_stats_after_fork(void)
{
	union counts sum;

	sum_up(&sum);
	memset(&totals, 0, sizeof(totals));
	totals.by_name.mutexes_unused = sum.by_name.mutexes_unused;
	totals.by_name.mutexes_local = sum.by_name.mutexes_local;
	totals.by_name.mutexes_shared = sum.by_name.mutexes_shared;
	memset(&plf_counts, 0, sizeof(plf_counts));
	memset(living, 0, sizeof(living));
	if (joined)
		living[0] = &plf_counts;
	plf_target_after_fork(&target);
}

/* ---- Reporting --------------------------------------------------------- */

static bool begins(size_t i)
{
	return i == 0 || strcmp(words[i].object, words[i - 1].object) != 0;
}

static bool ends(size_t i)
{
	return i + 1 == WORDS || begins(i + 1);
}

static void write_json(struct plf_report *to, const union counts *sum, const char *mode,
		       const char *backend)
{
	plf_report_put(to, "{\"program\": ");
	plf_report_string(to, plf_site_program());
	plf_report_put(to, ", \"pid\": %d, \"mode\": \"%s\", \"backend\": \"%s\"", (int)getpid(),
		       mode, backend);
	for (size_t i = 0; i < WORDS; i++) {
		bool inner = words[i].object[0] != '\0';

		if (inner && begins(i))
			plf_report_put(to, ",\n \"%s\": {", words[i].object);
		else
			plf_report_put(to, begins(i) ? ",\n " : ", ");
		plf_report_put(to, "\"%s\": %llu%s", words[i].name,
			       (unsigned long long)sum->word[i], inner && ends(i) ? "}" : "");
	}
	plf_report_put(to, "}\n");
}

static void put_words(struct plf_report *to, const char *name)
{
	for (; *name != '\0'; name++)
		plf_report_put(to, "%c", *name == '_' ? ' ' : *name);
}

static void write_text(struct plf_report *to, const union counts *sum, const char *mode,
		       const char *backend)
{
	plf_report_put(to, "plafond: %s (%d): mode %s, backend %s\n", plf_site_program(),
		       (int)getpid(), mode, backend);
	for (size_t i = 0; i < WORDS; i++) {
		if (begins(i)) {
			plf_report_put(to, "plafond:   ");
			put_words(to, words[i].object);
			plf_report_put(to, words[i].object[0] == '\0' ? "" : ": ");
		}
		put_words(to, words[i].name);
		plf_report_put(to, " %llu%s", (unsigned long long)sum->word[i],
			       ends(i) ? "\n" : ", ");
	}
}

/* Does the process matter to the user? One below another only by the locks that it took itself. */
static bool has_something_to_report(const struct plf_stats_counts *sum)
{
	uint64_t locks = sum->locks_lazy + sum->locks_eager + sum->locks_inherited;

	return locks != 0 || (!target.below &&
			      sum->mutexes_unused + sum->mutexes_local + sum->mutexes_shared != 0);
}

static void write_stats(struct plf_report *to, const union counts *sum, const char *mode,
			const char *backend)
{
	(as_text ? write_text : write_json)(to, sum, mode, backend);
	plf_report_close(to);
}

void plf_stats_write(const char *mode, const char *backend)
{
	static struct plf_report report; /* of the one that claims */
	union counts sum;
	bool matters;

	if (!plf_target_claim(&target))
		return;
	sum_up(&sum);
	matters = has_something_to_report(&sum.by_name);
	if (matters || (as_text && !target.below)) {
		plf_report_open(&report, as_text ? NULL : target.path);
		write_stats(&report, &sum, mode, backend);
	}
	/* FILE itself, where no process reported: its owner may be a mere wrapper. */
	if (as_text || matters != target.below)
		return;
	target.path[target.named] = '\0';
	if (plf_report_create(&report, target.path))
		write_stats(&report, &sum, mode, backend);
}
