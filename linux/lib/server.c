/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* Servers of plafond.h: check the caller's arguments. server_manager.c does the rest. */
#include "server_manager.h"

#include "admission.h"
#include "attach.h"
#include "keeper.h"

#include <unistd.h>

/* The server's supply; NULL: not initialised, or a parent process's. */
static struct plf_supply *supply_of(const plf_server_t *server)
{
	if (server->number == 0 || server->epoch != plf_fork_epoch)
		return NULL;
	return plf_server_of(server->number - 1);
}

/* Policies do not combine. */
static bool is_known(int policy)
{
	return policy == PLF_SERVER_IDLING || policy == PLF_SERVER_SKIP ||
	       policy == PLF_SERVER_OVERRUN || policy == PLF_SERVER_PAYBACK;
}

static bool is_right(int cpu, const struct plf_budget *budget, int policy)
{
	return cpu >= 0 && cpu < PLF_CPU_MAX && is_known(policy) && budget->priority >= 1 &&
	       budget->priority < PLF_GLOBAL_BAND &&
	       budget->period_ns >= PLF_SERVER_PERIOD_MIN_NS &&
	       budget->period_ns <= PLF_SERVER_PERIOD_MAX_NS && budget->budget_ns >= 1 &&
	       budget->budget_ns <= budget->period_ns;
}

int plf_server_init(plf_server_t *server, int cpu, int priority, uint64_t period_ns,
		    uint64_t budget_ns, int policy)
{
	struct plf_budget budget = { .priority = priority,
				     .period_ns = period_ns,
				     .budget_ns = budget_ns,
				     .overruns = policy == PLF_SERVER_OVERRUN ||
						 policy == PLF_SERVER_PAYBACK,
				     .pays_back = policy == PLF_SERVER_PAYBACK };
	uint32_t number;
	int error;

	*server = (plf_server_t) { 0 };
	if (!is_right(cpu, &budget, policy))
		return EINVAL;
	if (priority == PLF_GLOBAL_BAND - 1)
		return ERANGE;
	error = plf_set_up_process();
	if (error == 0)
		error = plf_server_open(cpu, &budget, policy != PLF_SERVER_IDLING, &number);
	if (error == 0)
		*server = (plf_server_t) { number + 1, plf_fork_epoch };
	return error;
}

int plf_server_begin(const plf_server_t *server, uint64_t time_ns)
{
	struct plf_supply *supply = supply_of(server);

	if (supply == NULL)
		return EINVAL;
	plf_server_move(supply, time_ns);
	return 0;
}

int plf_server_join(const plf_server_t *server, int local_priority)
{
	struct plf_supply *supply = supply_of(server);
	struct plf_slot *slot;
	int error, priority;

	if (plf_is_attached(plf_self))
		return EALREADY;
	if (supply == NULL || local_priority < 1)
		return EINVAL;
	if (local_priority > PLF_PRIORITY_MAX)
		return ERANGE;
	if (plf_is_deadline())
		return ENOTSUP;
	error = plf_slot_claim(&plf_frames, plf_server_stack(server->number - 1), local_priority,
			       PLF_STRENGTH_ROBUST, (uint32_t)gettid(), &slot);
	if (error != 0)
		return error;
	priority = supply->budget.priority + local_priority;
	error = plf_server_enroll(supply, slot, priority);
	if (error != 0) {
		plf_registry_lock();
		plf_slot_release(slot);
		plf_registry_unlock();
		return error;
	}
	return plf_move_in(slot, priority, plf_server_cpu(supply), true);
}

int plf_server_destroy(plf_server_t *server)
{
	int error;

	if (supply_of(server) == NULL)
		return EINVAL;
	error = plf_server_close(server->number - 1);
	if (error == 0)
		*server = (plf_server_t) { 0 };
	return error;
}

int plf_server_watch(const plf_server_t *server,
		     void (*watch)(void *argument, enum plf_server_event event, uint64_t time_ns),
		     void *argument)
{
	struct plf_supply *supply = supply_of(server);

	if (supply == NULL)
		return EINVAL;
	plf_server_set_watch(supply, watch, argument);
	return 0;
}

int plf_server_get_stats(const plf_server_t *server, struct plf_server_stats *stats)
{
	struct plf_supply *supply = supply_of(server);

	if (supply == NULL)
		return EINVAL;
	plf_server_read_stats(supply, stats);
	return 0;
}

/* The server's entry in the table of users, or a free entry; NULL: the table is full. */
static struct plf_share *share_of(plf_shared_t *shared, uint32_t stack)
{
	for (size_t i = 0; i < PLF_SHARED_SERVERS_MAX; i++)
		if (shared->share[i].stack == 0 || shared->share[i].stack == stack)
			return &shared->share[i];
	return NULL;
}

int plf_server_share(const plf_server_t *server, plf_shared_t *shared, int local_ceiling,
		     uint64_t hold_ns)
{
	struct plf_supply *supply = supply_of(server);
	struct plf_share *share;
	uint32_t bound;
	int error;

	if (supply == NULL || !plf_is_valid_ceiling(local_ceiling) || hold_ns == 0 ||
	    hold_ns > PLF_SERVER_PERIOD_MAX_NS)
		return EINVAL;
	bound = (uint32_t)plf_server_cpu(supply) + 1;
	if (shared->bound != 0 && shared->bound != bound)
		return EXDEV;
	share = share_of(shared, (uint32_t)plf_server_stack(server->number - 1));
	if (share == NULL)
		return ENOMEM;
	error = plf_server_take_share(supply, hold_ns);
	if (error != 0)
		return error;
	/* HSRP: a section that may overrun keeps out all threads of its server. */
	error = plf_mutex_init(&share->mutex,
			       supply->budget.overruns ? PLF_PRIORITY_MAX : local_ceiling);
	if (supply->budget.priority > (int)shared->ceiling)
		shared->ceiling = (uint32_t)supply->budget.priority;
	shared->bound = bound;
	share->stack = (uint32_t)plf_server_stack(server->number - 1);
	return error;
}
