/* SPDX-License-Identifier: MIT */
#ifndef BENCH_SLEEPER_H
#define BENCH_SLEEPER_H

/* Threads that only sleep. */
#include "realtime.h"
#include "rivals.h"

#include <array>
#include <cerrno>
#include <unistd.h>

namespace bench
{

/*
 * Makes the process multi-threaded, because glibc has a cheaper path for single-threaded programs.
 * It does not wait on a futex, because the kernel might have to pass it on the way to another
 * waiter.
 */
class Bystander
{
      public:
	Bystander() : thread_([this] { wait(); })
	{
	}
	~Bystander()
	{
		close(pipe_[1]);
	}

      private:
	static std::array<int, 2> open_pipe()
	{
		std::array<int, 2> ends;

		require(pipe(ends.data()) ? errno : 0, "pipe");
		return ends;
	}
	void wait() const
	{
		char byte;
		int error;

		do
			error = read(pipe_[0], &byte, 1) < 0 ? errno : 0;
		while (error == EINTR);
		require(error, "read of the bystander");
		close(pipe_[0]);
	}

	std::array<int, 2> pipe_ = open_pipe();
	Thread thread_;
};

/* A sleeping thread of the same kind as the measured thread. */
class Sleeper
{
      public:
	explicit Sleeper(const Attachment &attachment)
	    : thread_([this, attachment] { sleep(attachment); })
	{
		asleep_.wait();
	}
	~Sleeper()
	{
		over_.post();
	}

      private:
	void sleep(const Attachment &attachment)
	{
		RealTime real_time(attachment, ARRIVAL_PRIORITY);

		asleep_.post();
		over_.wait();
	}

	PosixSemaphore asleep_, over_;
	Thread thread_;
};

} // namespace bench

#endif
