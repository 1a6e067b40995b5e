/* SPDX-License-Identifier: MIT */

/* The cost of the kernel's mutexes there, as the driver of the examples counts it. */
#include "../linux/module/example/immpc_driver.h"
#include "instructions.h"
#include "realtime.h"
#include "rivals.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace bench
{

namespace
{

struct Kind {
	const char *name;
	immpc_kind kind;
};

constexpr Kind KINDS[] = {
	{ "empty-call", IMMPC_KIND_EMPTY },
	{ "rt-mutex", IMMPC_KIND_RT_MUTEX },
	{ "immpc", IMMPC_KIND_POSTPONED },
	{ "immpc-eager", IMMPC_KIND_EAGER },
};

class Driver
{
      public:
	Driver() : device_(open(IMMPC_DEVICE, O_RDWR | O_CLOEXEC))
	{
		require(device_ < 0 ? errno : 0, IMMPC_DEVICE);
	}
	~Driver()
	{
		close(device_);
	}
	Driver(const Driver &) = delete;

	/* One round, less `loop`. */
	Count count_round(immpc_kind kind, unsigned depth, double loop) const
	{
		return per_round(count(kind, depth, ROUNDS), count(kind, depth, 2 * ROUNDS), loop);
	}

      private:
	Count count(immpc_kind kind, unsigned depth, std::uint64_t rounds) const
	{
		Samples samples;

		for (auto &sample : samples) {
			immpc_cost cost = { static_cast<unsigned>(kind), depth, rounds, 0 };

			rest();
			require(ioctl(device_, IMMPC_IOC_COST, &cost) ? errno : 0,
				"IMMPC_IOC_COST");
			sample = cost.cycles;
		}
		return summarise(samples);
	}

	int device_;
};

void add(const Driver &driver, const char *scene, unsigned depth)
{
	const double loop = driver.count_round(IMMPC_KIND_NOTHING, depth, 0).least;

	for (const Kind &kind : KINDS)
		add_figure(
			{ "kernel", kind.name, scene, driver.count_round(kind.kind, depth, loop) });
}

} // namespace

void add_driver()
{
	RealTime real_time(BY_PTHREADS, HOLDER_PRIORITY);
	Driver driver;

	add(driver, "flat", 1);
	add(driver, "nested", 3);
}

} // namespace bench
