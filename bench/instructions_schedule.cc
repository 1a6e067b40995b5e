/* SPDX-License-Identifier: MIT */

/*
 * The cost of the scheduler to threads that use no lock. Two threads yield to each other, so
 * a round has two calls of sched_yield(), two passes through the scheduler, two switches.
 */
#include "instructions.h"
#include "realtime.h"
#include "rivals.h"
#include "sleeper.h"
#include "switches.h"

#include <sched.h>

namespace bench
{

namespace
{

/* Yields whenever it gets the CPU. */
class Yielder
{
      public:
	explicit Yielder(const Attachment &attachment)
	    : thread_([this, attachment] { yield(attachment); })
	{
		ready_.wait();
	}
	~Yielder()
	{
		over_ = true;
	}

      private:
	void yield(const Attachment &attachment)
	{
		RealTime real_time(attachment, HOLDER_PRIORITY);

		ready_.post();
		while (!over_)
			sched_yield();
	}

	volatile bool over_ = false;
	PosixSemaphore ready_;
	Thread thread_;
};

void add(const char *scene, const Attachment &attachment)
{
	RealTime real_time(attachment, HOLDER_PRIORITY);
	Yielder other(attachment);

	auto round = [] { sched_yield(); };
	double switches = switches_in(round);
	add_figure({ "schedule", "", scene, count_samples(round), switches });
}

} // namespace

void add_schedule()
{
	add("none-registered", BY_PTHREADS);
}

void add_schedule_registered()
{
	{
		Sleeper sleeper(PLAFOND_MODULE.attachment);

		add("another-registered", BY_PTHREADS);
	}
	add("both-registered", PLAFOND_MODULE.attachment);
}

} // namespace bench
