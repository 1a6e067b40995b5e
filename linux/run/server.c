/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "../machine/clock.h"

static void write_down(void *argument, enum plf_server_event event, uint64_t time_ns)
{
	struct served *served = argument;
	struct server_record *record = served->record;
	size_t stored = atomic_load_explicit(&record->stored, memory_order_relaxed);
	int64_t after_ns = (int64_t)time_ns - *served->zero_ns;
	int64_t late_ns = now_ns() - (int64_t)time_ns;

	if (*served->zero_ns == 0 || after_ns < 0 || stored == record->room)
		return;
	if (late_ns > record->latest_ns)
		record->latest_ns = late_ns;
	record->events[stored] = (struct server_event) { after_ns, event };
	atomic_store_explicit(&record->stored, stored + 1, memory_order_release);
}

static int open_server(struct served *served, const struct server *server)
{
	int error = plf_server_init(&served->server, server->cpu, server->priority,
				    (uint64_t)server->period_ns, (uint64_t)server->budget_ns,
				    server->policy);

	return error != 0 ? error : plf_server_watch(&served->server, write_down, served);
}

int open_servers(struct served *served, const struct plan *plan, struct record *record,
		 const int64_t *zero_ns, size_t *refused)
{
	for (size_t i = 0; i < plan->server_count; i++) {
		int error;

		served[i] = (struct served) { .record = &record->servers[i], .zero_ns = zero_ns };
		error = open_server(&served[i], &plan->servers[i]);
		if (error != 0) {
			*refused = i;
			return error;
		}
	}
	return 0;
}

int share_locks(const struct served *served, const struct plan *plan, union lock *locks,
		size_t *refused)
{
	for (size_t i = 0; i < plan->share_count; i++) {
		const struct share *share = &plan->shares[i];
		int error = plf_server_share(&served[share->server].server,
					     &locks[share->resource].shared, share->ceiling,
					     (uint64_t)plan->servers[share->server].hold_ns);

		if (error != 0) {
			*refused = share->resource;
			return error;
		}
	}
	return 0;
}

void begin_servers(struct served *served, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		plf_server_begin(&served[i].server, (uint64_t)*served[i].zero_ns);
		plf_server_get_stats(&served[i].server, &served[i].before);
	}
}

void settle_servers(struct served *served, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct server_record *record = served[i].record;
		const struct plf_server_stats *before = &served[i].before;
		struct plf_server_stats *manager = &record->manager;

		plf_server_get_stats(&served[i].server, manager);
		manager->decisions -= before->decisions;
		manager->manager_ns -= before->manager_ns;
		manager->priority_changes -= before->priority_changes;
		manager->calls -= before->calls;
		atomic_store(&record->is_complete, true);
	}
}
