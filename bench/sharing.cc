/* SPDX-License-Identifier: MIT */

/*
 * The cost of a section whose resource several servers share, without contention: instructions of
 * user and kernel mode together, and system calls. To be run as root in a virtual machine that
 * counts instructions (see icount.h). One CPU, memory locked, a second thread alive.
 *
 * The measured server is the more urgent of two. No period or budget ends meanwhile, so the manager
 * sleeps. So it parks no thread that rests in a call without the hook.
 *
 * `sharing` prints JSON. `plafond bench servers` runs it and reports.
 */
#include "count.h"
#include "count_round.h"
#include "icount.h"
#include "pair.h"
#include "realtime.h"
#include "sleeper.h"

#include <cstdio>
#include <plafond.h>
#include <unistd.h>

namespace bench
{

namespace
{

enum { URGENT = 20, LESS_URGENT = 10, LOCAL_PRIORITY = 1, LOCAL_CEILING = 2 };

constexpr std::uint64_t PERIOD_NS = PLF_SERVER_PERIOD_MAX_NS, BUDGET_NS = PERIOD_NS / 2;
constexpr std::uint64_t HOLD_NS = 1000000;

struct Policy {
	const char *name; /* as in a description */
	plf_server_policy policy;
};

constexpr Policy POLICIES[] = {
	{ "overrun", PLF_SERVER_OVERRUN },
	{ "overrun-payback", PLF_SERVER_PAYBACK },
	{ "skip", PLF_SERVER_SKIP },
};

/* A mutex of the server alone. */
class OwnMutex
{
      public:
	OwnMutex()
	{
		require(plf_mutex_init(&mutex_, LOCAL_CEILING), "plf_mutex_init");
	}
	int lock()
	{
		return plf_mutex_lock(&mutex_);
	}
	int unlock()
	{
		return plf_mutex_unlock(&mutex_);
	}

      private:
	plf_mutex_t mutex_;
};

/* A resource of both servers. */
class SharedMutex
{
      public:
	SharedMutex(const plf_server_t &first, const plf_server_t &second)
	{
		plf_shared_init(&shared_);
		for (const plf_server_t *server : { &first, &second })
			require(plf_server_share(server, &shared_, LOCAL_CEILING, HOLD_NS),
				"plf_server_share");
	}
	int lock()
	{
		return plf_shared_lock(&shared_);
	}
	int unlock()
	{
		return plf_shared_unlock(&shared_);
	}

      private:
	plf_shared_t shared_;
};

/* While it lives there are two servers, and the calling thread is of the more urgent one. */
class Member
{
      public:
	explicit Member(plf_server_policy policy)
	{
		open(first, URGENT, policy);
		open(second, LESS_URGENT, policy);
		require(plf_server_join(&first, LOCAL_PRIORITY), "plf_server_join");
	}
	~Member()
	{
		require(plf_detach(), "plf_detach");
		require(plf_server_destroy(&first), "plf_server_destroy");
		require(plf_server_destroy(&second), "plf_server_destroy");
	}
	Member(const Member &) = delete;

	plf_server_t first, second;

      private:
	static void open(plf_server_t &server, int priority, plf_server_policy policy)
	{
		require(plf_server_init(&server, measured_cpu(), priority, PERIOD_NS, BUDGET_NS,
					policy),
			"plf_server_init");
	}
};

template <class Mutex> double system_calls(Mutex &mutex)
{
	auto calls = count_per_round(Event::SYSTEM_CALL, { gettid() },
				     [&](long rounds) { repeat(Pair<Mutex> { mutex }, rounds); });

	require(calls ? 0 : ENOTSUP, "count system calls");
	return *calls;
}

/* A figure is the least of its samples; `loop` is of the loop around a pair. */
template <class Mutex>
void print_row(const char *before, const char *name, Mutex &mutex, double loop)
{
	Samples lock, unlock;

	try_out(mutex);
	Count pair = count_round(Pair<Mutex> { mutex }, loop);
	for (int i = 0; i < SAMPLES; ++i) {
		rest();
		lock[i] = count_once([&] { require(mutex.lock(), "lock"); });
		unlock[i] = count_once([&] { require(mutex.unlock(), "unlock"); });
	}
	std::printf("%s{\"resource\": \"%s\", \"enter\": %g, \"leave\": %g, \"pair\": %g, "
		    "\"pair_median\": %g, \"system_calls\": %g}",
		    before, name, summarise(lock).least, summarise(unlock).least, pair.least,
		    pair.median, system_calls(mutex));
}

void print_rows()
{
	const double loop = count_empty_round();

	for (const Policy &each : POLICIES) {
		Member member(each.policy);
		SharedMutex mutex(member.first, member.second);

		if (&each == POLICIES) {
			OwnMutex own;

			print_row("[\n", "own", own, loop);
		}
		print_row(",\n", each.name, mutex, loop);
	}
	std::printf("\n]\n");
}

} // namespace

} // namespace bench

int main()
{
	using namespace bench;

	bound_lifetime();
	if (!counts_instructions()) {
		std::fprintf(stderr, "sharing: not under icount: the processor's counter does not "
				     "count instructions here; run `plafond bench servers`\n");
		return EXIT_DENIED;
	}
	enter_real_time();
	Bystander bystander;
	print_rows();
	return std::fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}
