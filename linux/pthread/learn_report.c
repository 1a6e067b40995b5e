/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "learn_report.h"

#include "evidence.h"
#include "others.h"
#include "report.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct plf_target target;
static struct timespec began;

void plf_learn_report_start(const char *path)
{
	plf_target_set(&target, "PLAFOND_LEARN", path);
	clock_gettime(CLOCK_MONOTONIC, &began);
}

void plf_learn_report_after_fork(void)
{
	plf_target_after_fork(&target);
	clock_gettime(CLOCK_MONOTONIC, &began);
}

void plf_learn_keep(void)
{
	plf_target_keep(&target);
}

static unsigned long long duration_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned long long)((now.tv_sec - began.tv_sec) * 1000000000 + now.tv_nsec -
				    began.tv_nsec);
}

/* ---- Threads ----------------------------------------------------------- */

static const char *policy_name(int policy)
{
	static const char *const names[] = {
		[SCHED_OTHER] = "other", [SCHED_FIFO] = "fifo", [SCHED_RR] = "rr",
		[SCHED_BATCH] = "batch", [SCHED_IDLE] = "idle", [SCHED_DEADLINE] = "deadline",
	};
	const char *name = NULL;

	if (policy >= 0 && (size_t)policy < sizeof(names) / sizeof(names[0]))
		name = names[policy];
	return name == NULL ? "unknown" : name;
}

static void put_thread(struct plf_report *to, struct plf_evidence_thread *thread)
{
	const struct plf_identity *is = &thread->is;
	char start[PLF_MODULE_NAME + 24];

	if (thread->user != PLF_ENDED)
		plf_other_name(thread->user, thread->name);
	snprintf(start, sizeof(start), "%s+0x%llx", is->start.module,
		 (unsigned long long)is->start.offset);
	plf_report_put(to, "{\"thread\": %u, \"name\": ", plf_evidence_number(thread));
	plf_report_string(to, thread->name);
	plf_report_put(to, ", \"start\": ");
	plf_report_string(to, start);
	plf_report_put(to, ", \"policy\": \"%s\", \"priority\": %d, \"cpu\": %d,\n   ",
		       policy_name(is->policy), is->priority, is->cpu);
	plf_report_put(to, "\"activations\": %llu, \"shortest_gap_ns\": %llu, ",
		       (unsigned long long)thread->activations,
		       (unsigned long long)thread->shortest_gap_ns);
	plf_report_put(to, "\"longest_run_ns\": %llu}", (unsigned long long)thread->longest_run_ns);
}

static void put_threads(struct plf_report *to)
{
	const char *before = "\n  ";

	plf_report_put(to, " \"threads\": [");
	for (uint32_t i = 0; i < plf_evidence->threads; i++) {
		struct plf_evidence_thread *thread = &plf_evidence->thread[i];

		if (__atomic_load_n(&thread->user, __ATOMIC_ACQUIRE) == PLF_NEVER_USED)
			continue; /* being written just now */
		plf_report_put(to, "%s", before);
		put_thread(to, thread);
		before = ",\n  ";
	}
	plf_report_put(to, "],\n");
}

/* ---- Mutexes ----------------------------------------------------------- */

static void put_waits(struct plf_report *to, uint32_t first)
{
	for (uint32_t number = first; number != 0;) {
		const struct plf_waited_for *wait = &plf_evidence->wait[number - 1];

		plf_report_put(to, "%s{\"thread\": %u, \"waits\": %llu, \"longest_ns\": %llu}",
			       number == first ? "" : ", ", wait->link.key,
			       (unsigned long long)wait->waits,
			       (unsigned long long)wait->longest_ns);
		number = wait->link.next;
	}
}

static void put_lockers(struct plf_report *to, uint32_t first)
{
	for (uint32_t number = first; number != 0;) {
		const struct plf_locker *locker = &plf_evidence->locker[number - 1];

		plf_report_put(to, "%s{\"thread\": %u, \"locks\": %llu, \"waits\": %llu, ",
			       number == first ? "\n    " : ",\n    ", locker->link.key,
			       (unsigned long long)locker->locks,
			       (unsigned long long)locker->waits);
		plf_report_put(to, "\"longest_hold_ns\": %llu, \"total_hold_ns\": %llu, ",
			       (unsigned long long)locker->longest_hold_ns,
			       (unsigned long long)locker->total_hold_ns);
		plf_report_put(to, "\"preempted\": %llu, \"waited_for\": [",
			       (unsigned long long)locker->preempted);
		put_waits(to, __atomic_load_n(&locker->waited_for, __ATOMIC_ACQUIRE));
		plf_report_put(to, "]}");
		number = locker->link.next;
	}
}

static void put_inside(struct plf_report *to, uint32_t first)
{
	for (uint32_t number = first; number != 0;) {
		const struct plf_link *nesting = &plf_evidence->nesting[number - 1];

		plf_report_put(to, "%s%u", number == first ? "" : ", ", nesting->key);
		number = nesting->next;
	}
}

static const char *protocol_name(int protocol)
{
	static const char *const names[] = {
		[PTHREAD_PRIO_NONE] = "none",
		[PTHREAD_PRIO_INHERIT] = "inherit",
		[PTHREAD_PRIO_PROTECT] = "protect",
	};

	return names[protocol];
}

static void put_name(struct plf_report *to, const char *name)
{
	plf_report_put(to, "\"name\": ");
	plf_report_string(to, name);
	plf_report_put(to, ", ");
}

/* Put nothing if the site is not known. */
static void put_site(struct plf_report *to, const char *key, const struct plf_site *site)
{
	if (site->offset == 0)
		return;
	plf_report_put(to, "\"%s\": {\"module\": ", key);
	plf_report_string(to, site->module);
	plf_report_put(to, ", \"offset\": \"0x%llx\"},\n   ", (unsigned long long)site->offset);
}

static void put_mutex(struct plf_report *to, uint32_t number)
{
	const struct plf_evidence_mutex *mutex = plf_evidence_mutex(number);

	plf_report_put(to, "{\"mutex\": %u, \"module\": ", number);
	plf_report_string(to, mutex->site.module);
	plf_report_put(to, ", \"offset\": \"0x%llx\", \"symbol\": ",
		       (unsigned long long)mutex->site.offset);
	plf_report_string(to, mutex->symbol == NULL ? "" : mutex->symbol);
	plf_report_put(to, ", \"order\": %u, \"protocol\": \"%s\", \"ceiling\": %d,\n   ",
		       mutex->order, protocol_name(mutex->protocol), mutex->ceiling);
	if (mutex->name[0] != '\0')
		put_name(to, mutex->name);
	if (mutex->path != 0)
		plf_report_put(to, "\"path\": \"0x%llx\", \"nth\": %u, ",
			       (unsigned long long)mutex->path, mutex->nth);
	if (mutex->handed_over)
		plf_report_put(to, "\"handed_over\": true, ");
	put_site(to, "place", &mutex->place);
	put_site(to, "locked_at", &mutex->locked_at);
	plf_report_put(to, "\"lockers\": [");
	put_lockers(to, __atomic_load_n(&mutex->lockers, __ATOMIC_ACQUIRE));
	plf_report_put(to, "],\n   \"inside\": [");
	put_inside(to, __atomic_load_n(&mutex->inside, __ATOMIC_ACQUIRE));
	plf_report_put(to, "]}");
}

/* A mutex that is gone matters only if it has uses; in a child of fork() it may have none. */
static bool matters(const struct plf_evidence_mutex *mutex)
{
	uint32_t state = __atomic_load_n(&mutex->state, __ATOMIC_ACQUIRE);

	return state == PLF_MUTEX_ALIVE || (state == PLF_MUTEX_GONE && mutex->lockers != 0);
}

static void put_mutexes(struct plf_report *to)
{
	const char *before = "\n  ";

	plf_report_put(to, " \"mutexes\": [");
	for (uint32_t number = 1; number <= plf_evidence->mutexes; number++) {
		if (!matters(plf_evidence_mutex(number)))
			continue;
		plf_report_put(to, "%s", before);
		put_mutex(to, number);
		before = ",\n  ";
	}
	plf_report_put(to, "]}\n");
}

void plf_learn_find_symbols(void)
{
	for (uint32_t number = 1; number <= plf_evidence->mutexes; number++) {
		struct plf_evidence_mutex *mutex = plf_evidence_mutex(number);

		if (matters(mutex))
			mutex->symbol = plf_site_symbol(mutex->call_site, &mutex->site);
	}
}

void plf_learn_write(void)
{
	static struct plf_report report; /* of the thread that claims the target */

	if (!plf_target_claim(&target))
		return;
	if (target.below && plf_evidence->lockers == 0) {
		plf_target_discard(&target);
		return;
	}
	plf_report_open_target(&report, &target);
	plf_report_put(&report, "{\"format\": 1, \"program\": ");
	plf_report_string(&report, plf_site_program());
	plf_report_put(&report, ", \"duration_ns\": %llu, \"dropped\": %llu,\n", duration_ns(),
		       (unsigned long long)plf_evidence->dropped);
	put_threads(&report);
	put_mutexes(&report);
	plf_report_close(&report);
}
