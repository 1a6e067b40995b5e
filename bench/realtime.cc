/* SPDX-License-Identifier: MIT */
#include "realtime.h"

#include "../linux/real_time/bounded.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace bench
{

namespace
{

cpu_set_t allowed; /* before the process was pinned */
int the_cpu;

int last_allowed_cpu()
{
	for (int cpu = CPU_SETSIZE - 1; cpu > 0; --cpu)
		if (CPU_ISSET(cpu, &allowed))
			return cpu;
	return 0;
}

void use_cpus(const cpu_set_t &cpus)
{
	require(sched_setaffinity(0, sizeof(cpus), &cpus) ? errno : 0, "sched_setaffinity");
}

int set_policy(int policy, int priority)
{
	sched_param param = {};

	param.sched_priority = priority;
	return pthread_setschedparam(pthread_self(), policy, &param);
}

[[noreturn]] void deny(const char *line)
{
	std::fprintf(stderr, "%s\n", line);
	std::exit(EXIT_DENIED);
}

void *run_body(void *body)
{
	(*static_cast<std::function<void()> *>(body))();
	return nullptr;
}

} // namespace

void require(int error, const char *what)
{
	if (error == 0)
		return;
	std::fprintf(stderr, "%s: %s\n", what, std::strerror(error));
	std::_Exit(EXIT_FAILED);
}

void enter_real_time()
{
	require(sched_getaffinity(0, sizeof(allowed), &allowed) ? errno : 0, "sched_getaffinity");
	the_cpu = last_allowed_cpu();
	pin(the_cpu);
	if (set_policy(SCHED_FIFO, TRACER_PRIORITY) != 0)
		deny("no privilege for SCHED_FIFO: this needs RLIMIT_RTPRIO of 70 or more "
		     "(ulimit -r) or CAP_SYS_NICE");
	require(set_policy(SCHED_OTHER, 0), "SCHED_OTHER");
	if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
		deny("no privilege to lock memory: this needs RLIMIT_MEMLOCK unlimited "
		     "(ulimit -l) or CAP_IPC_LOCK");
}

int measured_cpu()
{
	return the_cpu;
}

bool has_other_cpu()
{
	return CPU_COUNT(&allowed) > 1;
}

int other_cpu()
{
	for (int cpu = 0; cpu < the_cpu; ++cpu)
		if (CPU_ISSET(cpu, &allowed))
			return cpu;
	deny("only one CPU is allowed: this needs two (taskset)");
}

Unpinned::Unpinned()
{
	use_cpus(allowed);
}

Unpinned::~Unpinned()
{
	pin(the_cpu);
}

void pin(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	use_cpus(one);
}

/* The default action of SIGALRM ends the process even while a SCHED_FIFO thread of it spins. */
void bound_lifetime()
{
	const unsigned longest_seconds = 120;
	const uint64_t longest_spin_us = 10000000;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(longest_seconds);
	require(plf_bound_real_time(longest_spin_us), "RLIMIT_RTTIME");
}

RealTime::RealTime(const Attachment &attachment, int priority, int cpu) : attachment_(attachment)
{
	/* By pthreads in any case: PTHREAD_PRIO_PROTECT goes by glibc's own copy of the priority.
	 */
	require(set_policy(SCHED_FIFO, priority), "SCHED_FIFO");
	if (attachment_.attach)
		require(attachment_.attach(priority, cpu, attachment_.flags), "attach");
}

RealTime::~RealTime()
{
	if (attachment_.detach)
		require(attachment_.detach(), "detach");
	require(set_policy(SCHED_OTHER, 0), "SCHED_OTHER");
}

Thread::Thread(std::function<void()> body) : body_(std::move(body))
{
	const size_t stack_bytes = 128 << 10;
	pthread_attr_t attr;

	require(pthread_attr_init(&attr), "pthread_attr_init");
	require(pthread_attr_setstacksize(&attr, stack_bytes), "pthread_attr_setstacksize");
	require(pthread_create(&thread_, &attr, run_body, &body_), "pthread_create");
	pthread_attr_destroy(&attr);
}

Thread::~Thread()
{
	pthread_join(thread_, nullptr);
}

} // namespace bench
