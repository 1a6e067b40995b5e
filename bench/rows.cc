/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include "realtime.h"
#include "sleeper.h"

#include <chrono>
#include <cstdio>
#include <gnu/libc-version.h>
#include <regex.h>
#include <string>
#include <sys/utsname.h>
#include <thread>
#include <utility>

namespace bench
{

namespace
{

int rows;

/* Leave a tenth of the CPU to others, so that the kernel does not throttle SCHED_FIFO. */
void run_and_rest(const std::function<void()> &run)
{
	auto start = std::chrono::steady_clock::now();

	run();
	std::this_thread::sleep_for((std::chrono::steady_clock::now() - start) / 9);
}

/* Google Benchmark searches by this expression; without one it runs all. */
bool is_wanted(const std::string &name)
{
	std::string filter = benchmark::GetBenchmarkFilter();
	regex_t wanted;
	bool found;

	if (regcomp(&wanted, filter.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
		return false; /* and it refuses the expression */
	found = regexec(&wanted, name.c_str(), 0, nullptr, 0) == 0;
	regfree(&wanted);
	return found;
}

void describe_conditions()
{
	utsname system;

	uname(&system);
	benchmark::AddCustomContext("kernel", std::string(system.release) + " " + system.version);
	benchmark::AddCustomContext("machine", system.machine);
	benchmark::AddCustomContext("libc", std::string("glibc ") + gnu_get_libc_version());
	benchmark::AddCustomContext("compiler", __VERSION__);
	benchmark::AddCustomContext("flags", PLAFOND_BENCH_FLAGS);
	benchmark::AddCustomContext("cpu", std::to_string(measured_cpu()));
	benchmark::AddCustomContext("priority", std::to_string(HOLDER_PRIORITY));
	benchmark::AddCustomContext("arrival_priority", std::to_string(ARRIVAL_PRIORITY));
	benchmark::AddCustomContext("ceiling", std::to_string(CEILING));
}

} // namespace

void add_row(const std::string &name, long rounds, std::function<void(benchmark::State &)> run)
{
	auto report_run = [run = std::move(run)](benchmark::State &state) {
		std::fprintf(stderr, "run\n");
		run_and_rest([&] { run(state); });
	};

	benchmark::RegisterBenchmark(name.c_str(), report_run)->Iterations(rounds)->UseRealTime();
	rows += is_wanted(name);
}

void set_counts(benchmark::State &state, const Counts &counts)
{
	if (counts.instructions)
		state.counters["instructions"] = *counts.instructions;
	if (counts.system_calls)
		state.counters["system_calls"] = *counts.system_calls;
}

int run_rows(int argc, char **argv, void (*add_rows)())
{
	bound_lifetime();
	benchmark::Initialize(&argc, argv);
	if (benchmark::ReportUnrecognizedArguments(argc, argv))
		return EXIT_DENIED;
	enter_real_time();
	describe_conditions();
	Bystander bystander;
	add_rows();
	std::fprintf(stderr, "rows %d\n", rows);
	benchmark::RunSpecifiedBenchmarks();
	benchmark::Shutdown();
	return 0;
}

} // namespace bench
