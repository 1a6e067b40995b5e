/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stats.h"

#include "report.h"
#include "site.h"

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

/*
 * A place counts for its present user and for all former users. `state` is the memory of the
 * present user, 0: none; its bit 0 selects the valid `left`. A user that goes writes the new sum to
 * the other `left`; then one store changes `state`. So a reader misses nothing and takes nothing
 * twice, even if a thread ends just then, or was preempted in the middle.
 */
static struct place {
	uintptr_t state;
	uint32_t users; /* so far */
	bool taken;	/* by a user, or by a thread that becomes the user */
	union counts left[2];
} places[PLF_STATS_THREADS];

/* Counts of threads without a place, and of mutexes, because any thread may change their modes. */
static union counts totals;
static struct plf_target target;
static bool as_text;

/*
 * The names in the report, in the order of the counts. The members of an object follow each other;
 * the members of "" belong to the outer object.
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
_Static_assert(offsetof(struct plf_stats_counts, mutexes_shared) ==
		       PLF_STATS_SHARED * sizeof(uint64_t),
	       "modes are numbered as their counts");

void plf_stats_start(const char *where)
{
	if (where == NULL || where[0] == '\0')
		return;
	as_text = strcmp(where, "1") == 0;
	plf_target_set(&target, "PLAFOND_STATS", where);
}

/* ---- Counting ---------------------------------------------------------- */

static void add(uint64_t *total, uint64_t more)
{
	if (more != 0)
		__atomic_fetch_add(total, more, __ATOMIC_RELAXED);
}

static uint64_t *of_mode(enum plf_stats_mode mode)
{
	return &totals.word[mode];
}

void plf_stats_mutex_made(bool learned)
{
	add(of_mode(PLF_STATS_UNUSED), 1);
	add(&totals.by_name.converted, learned);
}

void plf_stats_made_to_inherit(void)
{
	add(&totals.by_name.converted, 1);
}

/* Add first, so that no count is ever below the truth, or below 0. */
void plf_stats_mutex_changed(enum plf_stats_mode from, enum plf_stats_mode to)
{
	__atomic_fetch_add(of_mode(to), 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_sub(of_mode(from), 1, __ATOMIC_SEQ_CST);
}

/* ---- Places ------------------------------------------------------------ */

static uintptr_t state_of(const struct place *place)
{
	return __atomic_load_n(&place->state, __ATOMIC_ACQUIRE);
}

static size_t left_of(uintptr_t state)
{
	return state & 1;
}

static const struct plf_stats_counts *user_of(uintptr_t state)
{
	return (const struct plf_stats_counts *)(state & ~(uintptr_t)1);
}

/* Places are taken from the first on, so no used place is behind a place that was never used. */
static bool is_used(size_t place)
{
	return place < PLF_STATS_THREADS &&
	       (__atomic_load_n(&places[place].taken, __ATOMIC_RELAXED) ||
		__atomic_load_n(&places[place].users, __ATOMIC_RELAXED) != 0);
}

static struct place *own_place(void)
{
	for (size_t i = 0; is_used(i); i++)
		if (user_of(state_of(&places[i])) == &plf_counts)
			return &places[i];
	return NULL;
}

/* The place of a thread that vanished without notice and had the same memory; else a free place. */
static struct place *find_place(void)
{
	struct place *own = own_place();

	for (size_t i = 0; own == NULL && i < PLF_STATS_THREADS; i++)
		if (!__atomic_load_n(&places[i].taken, __ATOMIC_RELAXED) &&
		    !__atomic_exchange_n(&places[i].taken, true, __ATOMIC_ACQUIRE))
			return &places[i];
	return own;
}

static void enter(struct place *place)
{
	uintptr_t state = left_of(place->state) | (uintptr_t)&plf_counts;

	__atomic_fetch_add(&place->users, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&place->state, state, __ATOMIC_RELEASE);
}

void plf_stats_join(void)
{
	struct place *place;

	if (joined)
		return;
	joined = true;
	place = find_place();
	if (place != NULL)
		enter(place);
}

static void leave(struct place *place, const union counts *mine)
{
	size_t left = left_of(place->state);

	for (size_t i = 0; i < COUNTS; i++)
		place->left[1 - left].word[i] = place->left[left].word[i] + mine->word[i];
	__atomic_store_n(&place->state, 1 - left, __ATOMIC_RELEASE);
}

void plf_stats_fold(void)
{
	const union counts mine = { .by_name = plf_counts };
	struct place *place = joined ? own_place() : NULL;

	if (place != NULL)
		leave(place, &mine);
	joined = false;
	memset(&plf_counts, 0, sizeof(plf_counts));
	if (place != NULL)
		__atomic_store_n(&place->taken, false, __ATOMIC_RELEASE);
	for (size_t i = 0; place == NULL && i < COUNTS; i++)
		add(&totals.word[i], mine.word[i]);
}

/* ---- Reading ----------------------------------------------------------- */

/* The memory of a thread that vanished without notice may be gone, so the kernel reads it. */
static bool copy_counts(union counts *to, const struct plf_stats_counts *from)
{
	struct iovec local = { to, sizeof(*to) };
	struct iovec remote = { (void *)(uintptr_t)from, sizeof(*from) };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)sizeof(*to);
}

static void add_to(union counts *sum, const union counts *more)
{
	for (size_t i = 0; i < COUNTS; i++)
		sum->word[i] += more->word[i];
}

static void add_user(union counts *sum, const struct plf_stats_counts *user)
{
	union counts its = { .by_name = plf_counts };

	if (user == &plf_counts || (user != NULL && copy_counts(&its, user)))
		add_to(sum, &its);
}

/* Read again if its user has changed meanwhile. */
static void read_place(const struct place *place, union counts *to)
{
	uintptr_t state;
	uint32_t users;

	do {
		users = __atomic_load_n(&place->users, __ATOMIC_ACQUIRE);
		state = state_of(place);
		*to = place->left[left_of(state)];
		add_user(to, user_of(state));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (state_of(place) != state ||
		 __atomic_load_n(&place->users, __ATOMIC_RELAXED) != users);
}

static void sum_up(union counts *sum)
{
	union counts its = { .by_name = plf_counts };

	for (size_t i = 0; i < COUNTS; i++)
		sum->word[i] = __atomic_load_n(&totals.word[i], __ATOMIC_RELAXED);
	if (!joined || own_place() == NULL)
		add_to(sum, &its);
	for (size_t i = 0; is_used(i); i++) {
		read_place(&places[i], &its);
		add_to(sum, &its);
	}
}

/* Of the threads only the caller is in the child, but all mutexes are. */
void plf_stats_after_fork(void)
{
	const union counts before = totals;

	memset(&totals, 0, sizeof(totals));
	for (enum plf_stats_mode mode = PLF_STATS_UNUSED; mode <= PLF_STATS_SHARED; mode++)
		*of_mode(mode) = before.word[mode];
	memset(&plf_counts, 0, sizeof(plf_counts));
	for (size_t i = 0; is_used(i); i++)
		memset(&places[i], 0, sizeof(places[i]));
	if (joined) {
		places[0].taken = true;
		enter(&places[0]);
	}
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

/* A process below another matters to the user only by the locks that it took itself. */
static bool has_something_to_report(const struct plf_stats_counts *sum)
{
	uint64_t locks = sum->locks_lazy + sum->locks_eager + sum->locks_inherited;

	return locks != 0 || (!target.below &&
			      sum->mutexes_unused + sum->mutexes_local + sum->mutexes_shared != 0);
}

static void open_own(struct plf_report *report)
{
	if (as_text)
		plf_report_open(report, NULL);
	else
		plf_report_open_target(report, &target);
}

static void write_stats(struct plf_report *to, const union counts *sum, const char *mode,
			const char *backend)
{
	(as_text ? write_text : write_json)(to, sum, mode, backend);
	plf_report_close(to);
}

void plf_stats_keep(void)
{
	if (!as_text)
		plf_target_keep(&target);
}

/*
 * Write FILE itself if it does not exist, because its owner may be a mere wrapper. If the
 * process gave its rights away, a failure is not reported.
 */
static void write_for_all(struct plf_report *to, const union counts *sum, const char *mode,
			  const char *backend)
{
	target.path[target.named] = '\0';
	if (plf_report_create(to, target.path) && (to->error == 0 || !plf_target_was_kept(&target)))
		write_stats(to, sum, mode, backend);
}

/* The first process also reports as text, or to a file that it created for that. */
static bool has_own_report(const union counts *sum)
{
	return has_something_to_report(&sum->by_name) ||
	       (!target.below && (as_text || (plf_target_was_kept(&target) && target.kept_is_new)));
}

void plf_stats_write(const char *mode, const char *backend)
{
	static struct plf_report report; /* of the thread that claims the target */
	union counts sum;
	bool has_own;

	if (!plf_target_claim(&target))
		return;
	sum_up(&sum);
	has_own = has_own_report(&sum);
	if (has_own) {
		open_own(&report);
		write_stats(&report, &sum, mode, backend);
	} else {
		plf_target_discard(&target);
	}
	if (!as_text && has_own == target.below)
		write_for_all(&report, &sum, mode, backend);
}
