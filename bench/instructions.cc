/* SPDX-License-Identifier: MIT */

/*
 * The cost of locks in instructions, of user and kernel mode together: to be run as
 * root in a virtual machine that counts them (see icount.h). One CPU, SCHED_FIFO,
 * memory locked, a second thread alive.
 *
 * `instructions PART...` prints JSON. Each part needs certain modules and libraries to be
 * loaded, because they are measured, too: `stock` no module, `frames` only the drop-in,
 * `module` plafond.ko, `drop-in` both, `driver` the driver of the examples.
 * `plafond bench instructions` runs it and reports.
 */
#include "instructions.h"

#include "realtime.h"
#include "sleeper.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <sys/utsname.h>
#include <vector>

namespace bench
{

namespace
{

std::vector<Figure> figures;

struct Part {
	const char *name;
	void (*run)();
};

void run_stock()
{
	add_pairs(Locks::STOCK);
	add_calls(Locks::STOCK);
	add_system_calls();
	add_preempted(Locks::STOCK);
	add_schedule();
}

void run_module()
{
	add_schedule(); /* before any thread is registered */
	add_schedule_registered();
	add_pairs(Locks::MODULE);
	add_calls(Locks::MODULE);
	add_preempted(Locks::MODULE);
}

/* The loader goes on without what it cannot preload. */
bool is_drop_in_preloaded()
{
	void *lock = dlsym(RTLD_DEFAULT, "pthread_mutex_lock"); /* not a stub of this program */
	Dl_info found;

	return dladdr(lock, &found) != 0 && std::strstr(found.dli_fname, "libplafond-pthread");
}

/* The mutexes of pthreads are then the drop-in's. */
void require_drop_in()
{
	require(is_drop_in_preloaded() ? 0 : ENOENT, "preload libplafond-pthread.so");
}

void run_frames()
{
	require_drop_in();
	add_drop_in_pairs();
}

void run_drop_in()
{
	require_drop_in();
	add_calls(Locks::STOCK);
}

constexpr Part PARTS[] = {
	{ "stock", run_stock },	    { "frames", run_frames }, { "module", run_module },
	{ "drop-in", run_drop_in }, { "driver", add_driver },
};

const Part *find_part(const char *name)
{
	for (const Part &part : PARTS)
		if (std::strcmp(part.name, name) == 0)
			return &part;
	return nullptr;
}

void print_conditions()
{
	utsname system;

	uname(&system);
	std::printf("{\"conditions\": {\"kernel\": \"%s %s\", \"libc\": \"glibc %s\", "
		    "\"compiler\": \"%s\", \"flags\": \"%s\", \"priority\": %d, "
		    "\"arrival_priority\": %d, \"ceiling\": %d, \"samples\": %d},\n",
		    system.release, system.version, gnu_get_libc_version(), __VERSION__,
		    PLAFOND_BENCH_FLAGS, HOLDER_PRIORITY, ARRIVAL_PRIORITY, CEILING, SAMPLES);
}

void print_figure(const Figure &f)
{
	std::printf("{\"group\": \"%s\", \"lock\": \"%s\", \"scene\": \"%s\", "
		    "\"least\": %g, \"median\": %g, \"most\": %g, \"mean\": %.10g, \"same\": %d",
		    f.group.c_str(), f.lock.c_str(), f.scene.c_str(), f.count.least, f.count.median,
		    f.count.most, f.count.mean, f.count.same);
	if (f.switches)
		std::printf(", \"switches\": %g", *f.switches);
	if (f.inside)
		std::printf(", \"inside\": %s", *f.inside ? "true" : "false");
	std::printf("}");
}

void print_figures()
{
	const char *before = "\"figures\": [\n";

	print_conditions();
	for (const Figure &figure : figures) {
		std::printf("%s", before);
		print_figure(figure);
		before = ",\n";
	}
	std::printf("\n]}\n");
}

[[nodiscard]] int refuse(const char *line)
{
	std::fprintf(stderr, "instructions: %s\n", line);
	return EXIT_DENIED;
}

} // namespace

void add_figure(const Figure &figure)
{
	figures.push_back(figure);
}

} // namespace bench

int main(int argc, char **argv)
{
	using namespace bench;

	for (int i = 1; i < argc; ++i)
		if (find_part(argv[i]) == nullptr)
			return refuse("arguments are the parts to measure: stock, frames, module, "
				      "drop-in, driver");
	if (argc == 1)
		return refuse("which part: stock, frames, module, drop-in or driver?");
	bound_lifetime();
	if (!counts_instructions())
		return refuse("not under icount: the processor's counter does not count "
			      "instructions here; run `plafond bench instructions`");
	enter_real_time();
	Bystander bystander;
	for (int i = 1; i < argc; ++i)
		find_part(argv[i])->run();
	print_figures();
	return std::fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}
