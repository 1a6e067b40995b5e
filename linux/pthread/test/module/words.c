/* SPDX-License-Identifier: MIT */
/* Programs that register their own words. */
#define _GNU_SOURCE
#include "module.h"
#include "part.h"
#include "tests.h"

#include <plafond/lazy_ceiling.h>
#include <plafond_device.h>

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

static __thread struct plf_lazy own_words;

static int register_own(void)
{
	struct plf_registration registration = {
		.words = (uintptr_t)&own_words,
		.max_priority = 99,
		.version = PLF_WORDS_VERSION,
	};
	int fd = open(PLF_DEVICE, O_RDWR | O_CLOEXEC);
	int result = ioctl(fd, PLF_IOC_REGISTER, &registration);

	close(fd);
	return result;
}

static void lock_some_raised(int times)
{
	for (int i = 0; i < times; i++)
		lock_raised(NULL);
}

static void register_after(void *unused)
{
	UNUSED(unused);
	lock_some_raised(LOCKS);
	assert_ok(register_own());
	assert_int_equal(register_own(), -1);
	assert_int_equal(errno, EEXIST);
	lock_some_raised(LOCKS);
}

static void register_before(void *unused)
{
	UNUSED(unused);
	assert_ok(register_own());
	lock_some_raised(LOCKS);
}

static void register_inside(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	ask();
	assert_ok(register_own());
	assert_int_equal(effective_priority(), CEILING);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	lock_some_raised(LOCKS);
}

static const struct {
	const char *name;
	void (*body)(void *);
	long lazy, eager;
} registrations[] = {
	{ "after", register_after, LOCKS, LOCKS },
	{ "before", register_before, 0, LOCKS },
	{ "inside", register_inside, 1, LOCKS },
};

enum { REGISTRATIONS = sizeof(registrations) / sizeof(registrations[0]) };

int part_words(const char *when)
{
	for (int i = 0; i < REGISTRATIONS; i++)
		if (strcmp(registrations[i].name, when) == 0)
			run_as(LOW, registrations[i].body, NULL);
	return 0;
}

void a_program_has_words_of_its_own(void **state)
{
	UNUSED(state);
	for (int i = 0; i < REGISTRATIONS; i++) {
		run_part("words", registrations[i].name);
		expect_statistics(stats_path, "module", registrations[i].lazy,
				  registrations[i].eager);
	}
}
