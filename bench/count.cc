/* SPDX-License-Identifier: MIT */
#include "count.h"

#include "../linux/real_time/bounded.h"
#include "realtime.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench
{

namespace
{

enum Phase { BEFORE, DURING, AFTER };

/* Shared by tracer and traced. */
struct Tally {
	volatile Phase phase;
	volatile long events;
};

/* The tracer process: never returns, and never outlives what it traces. */
class Tracer
{
      public:
	Tracer(Event event, const std::vector<pid_t> &threads, Tally &tally, int ready)
	    : event_(event), threads_(threads), tally_(tally), ready_(ready)
	{
	}

	[[noreturn]] void run()
	{
		bound_lifetime();
		outrank();
		for (pid_t thread : threads_)
			seize(thread);
		for (;;)
			serve();
	}

      private:
	static void outrank()
	{
		sched_param param = {};

		param.sched_priority = TRACER_PRIORITY;
		if (sched_setscheduler(0, SCHED_FIFO, &param) != 0)
			_exit(1);
	}

	static void seize(pid_t thread)
	{
		if (ptrace(PTRACE_SEIZE, thread, nullptr, PTRACE_O_TRACESYSGOOD) != 0 ||
		    ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0)
			_exit(1);
	}

	/* Handle one stop of one thread. */
	void serve()
	{
		int status;
		pid_t thread = waitpid(-1, &status, __WALL);

		if (thread < 0)
			_exit(1);
		if (!WIFSTOPPED(status))
			return;
		if (tally_.phase == AFTER) {
			/* The other threads go free when the tracer ends. */
			ptrace(PTRACE_DETACH, thread, nullptr, nullptr);
			_exit(0);
		}
		resume(thread, take_note(thread, status));
	}

	/* Count the stop, and return the signal to pass on. */
	int take_note(pid_t thread, int status)
	{
		const int syscall_stop = SIGTRAP | 0x80;
		int signal = WSTOPSIG(status);

		if (status >> 16 == PTRACE_EVENT_STOP) {
			report_seized(thread);
			return 0;
		}
		if (signal != SIGTRAP && signal != syscall_stop)
			return signal;
		if (tally_.phase == DURING && is_event(thread, signal == syscall_stop))
			tally_.events = tally_.events + 1;
		return 0;
	}

	bool is_event(pid_t thread, bool syscall_stop) const
	{
		__ptrace_syscall_info info;

		if (event_ == Event::INSTRUCTION)
			return !syscall_stop;
		return syscall_stop &&
		       ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof(info), &info) > 0 &&
		       info.op == PTRACE_SYSCALL_INFO_ENTRY;
	}

	void report_seized(pid_t thread)
	{
		auto seized = std::find(threads_.begin(), threads_.end(), thread);

		if (seized == threads_.end())
			return;
		threads_.erase(seized);
		if (threads_.empty() && write(ready_, "", 1) != 1)
			_exit(1);
	}

	void resume(pid_t thread, int signal) const
	{
		auto how = event_ == Event::INSTRUCTION ? PTRACE_SINGLESTEP : PTRACE_SYSCALL;

		ptrace(how, thread, nullptr, signal);
	}

	Event event_;
	std::vector<pid_t> threads_; /* not seized yet */
	Tally &tally_;
	int ready_;
};

/* LDXR/STXR never succeeds under single-stepping: each stop clears the exclusive monitor. */
bool can_count(Event event)
{
#if defined(__aarch64__)
	return event != Event::INSTRUCTION;
#else
	(void)event;
	return true;
#endif
}

bool wait_until_seized(int ready)
{
	char byte;

	return read(ready, &byte, 1) == 1;
}

/* In a thread of its own, which becomes an ordinary one: the caller is real-time and stays so. */
void reap(pid_t tracer)
{
	Thread ordinary([tracer] {
		require(plf_release(tracer) < 0 ? errno : 0, "the end of the tracer");
	});
}

} // namespace

std::optional<long> count(Event event, const std::vector<pid_t> &threads,
			  const std::function<void()> &body)
{
	if (!can_count(event))
		return std::nullopt;

	void *page = mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	require(page == MAP_FAILED ? errno : 0, "mmap");
	Tally &tally = *static_cast<Tally *>(page);
	int ready[2];

	require(pipe(ready) ? errno : 0, "pipe");
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	pid_t tracer = fork();
	require(tracer < 0 ? errno : 0, "fork");
	if (tracer == 0) {
		close(ready[0]);
		Tracer(event, threads, tally, ready[1]).run();
	}
	close(ready[1]);
	bool seized = wait_until_seized(ready[0]);
	close(ready[0]);
	if (seized) {
		tally.phase = DURING;
		body();
		tally.phase = AFTER;
	}
	reap(tracer);
	long events = tally.events;
	munmap(page, sizeof(Tally));
	return seized ? std::optional<long>(events) : std::nullopt;
}

std::optional<double> count_per_round(Event event, const std::vector<pid_t> &threads,
				      const std::function<void(long)> &body)
{
	const long rounds = event == Event::INSTRUCTION ? 8 : 64; /* a step takes some 20 us */
	auto count_of = [&](long n) { return count(event, threads, [&body, n] { body(n); }); };
	auto once = count_of(rounds);
	auto twice = count_of(2 * rounds);

	if (!once || !twice)
		return std::nullopt;
	return static_cast<double>(*twice - *once) / rounds;
}

} // namespace bench
