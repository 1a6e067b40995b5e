/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "words.h"
#include "../../real_time/test/patience.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int device = -1;

struct plf_lazy *new_words(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(page, MAP_FAILED);
	return page;
}

void schedule(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	assert_int_equal(sched_setscheduler(0, priority > 0 ? SCHED_FIFO : SCHED_OTHER, &param), 0);
}

int enroll(struct plf_lazy *words, int base, int max_priority)
{
	struct plf_registration registration = {
		.words = (uintptr_t)words,
		.max_priority = (uint32_t)max_priority,
		.version = PLF_WORDS_VERSION,
	};

	plf_lazy_prepare(words, PLF_LAZY_STRICT, NAME, (uint32_t)(KEY + base));
	return ioctl(device, PLF_IOC_REGISTER, &registration);
}

void unenroll(void)
{
	assert_int_equal(ioctl(device, PLF_IOC_UNREGISTER), 0);
}

void claim(struct plf_lazy *words, int base, int ceiling)
{
	plf_store64(&words->claim[PLF_LAZY_STRICT],
		    (uint64_t)NAME << 32 | (PLF_LAZY_INSIDE + (uint32_t)(ceiling - base)));
}

void withdraw(struct plf_lazy *words)
{
	plf_store64(&words->claim[PLF_LAZY_STRICT], words->idle);
	if (plf_load32(&words->raised) != 0)
		assert_int_equal(ioctl(device, PLF_IOC_LOWER), 0);
}

int priority_of(pid_t tid)
{
	struct sched_param param;

	assert_int_equal(sched_getparam(tid, &param), 0);
	return param.sched_priority;
}

void lose_cpu(void)
{
	struct rusage before, now;

	getrusage(RUSAGE_THREAD, &before);
	do {
		assert_int_equal(usleep(1000), 0);
		getrusage(RUSAGE_THREAD, &now);
	} while (now.ru_nvcsw == before.ru_nvcsw);
}

static void *come(void *argument)
{
	struct comer *comer = argument;

	schedule(comer->priority);
	sem_post(&comer->there);
	while (sem_wait(&comer->bell) != 0)
		assert_int_equal(errno, EINTR);
	comer->has_run = true;
	return NULL;
}

void expect_comer(struct comer *comer, int priority)
{
	*comer = (struct comer) { .priority = priority };
	assert_int_equal(sem_init(&comer->there, 0, 0), 0);
	assert_int_equal(sem_init(&comer->bell, 0, 0), 0);
	assert_int_equal(pthread_create(&comer->thread, NULL, come, comer), 0);
	assert_int_equal(sem_wait(&comer->there), 0);
}

bool is_overtaken_by(struct comer *comer)
{
	assert_int_equal(sem_post(&comer->bell), 0);
	return comer->has_run;
}

void join_comer(struct comer *comer)
{
	assert_int_equal(pthread_join(comer->thread, NULL), 0);
	assert_true(comer->has_run);
}

void begin(void)
{
	cpu_set_t set;

	plf_end_if_hung();
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	device = open(PLF_DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0 || sched_setaffinity(0, sizeof(set), &set) != 0) {
		perror(device < 0 ? PLF_DEVICE : "sched_setaffinity");
		exit(2);
	}
	schedule(LOW);
}

void require(bool condition, int line)
{
	if (!condition) {
		fprintf(stderr, "not so in a child: line %d\n", line);
		_exit(1);
	}
}

/*
 * Do not release the child here, in real time. To take it out of /proc, the kernel spins until no
 * other process is about to do so. If such a process was preempted on the same CPU, that never
 * ends. The ordinary process that inherits the child releases it.
 */
int in_child(void (*body)(void))
{
	pid_t child = fork();
	siginfo_t end;

	assert_true(child >= 0);
	if (child == 0) {
		plf_end_if_hung();
		body();
		_exit(0);
	}
	assert_int_equal(waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT), 0);
	return end.si_code == CLD_EXITED ? end.si_status : 128 + end.si_status;
}
