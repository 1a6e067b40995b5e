// SPDX-License-Identifier: MIT

/*
 * Read a disk for some time, with many reads under way, and print their number. The interrupt
 * thread of the disk ends each read. This thread, an ordinary thread, begins the next read.
 *
 * Output: `reads time_ns`: the number of reads, and the time until the last read has ended, in
 * nanoseconds of CLOCK_MONOTONIC.
 */
#define _GNU_SOURCE
#include "../linux/machine/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FAILED = 1, REFUSED = 2, DEPTH = 128, READ_BYTES = 512 };

/* Distance of two reads, because the kernel merges reads that are adjacent. */
#define APART_BYTES 4096

#define LONGEST_NS UINT64_C(100000000000)

static const char usage[] = "usage: disk FILE TIME_NS\n";

static _Alignas(READ_BYTES) char bytes[DEPTH][READ_BYTES];
static struct iocb reads[DEPTH];

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "disk: %s: %s\n", what, strerror(errno));
	exit(FAILED);
}

static void begin(aio_context_t context, long count, struct iocb **some)
{
	long begun = syscall(SYS_io_submit, context, count, some);

	if (begun == count)
		return;
	if (begun >= 0)
		errno = EAGAIN;
	fail("io_submit");
}

/* Waits for at least one read. Returns the number of reads that ended. */
static long take_ended(aio_context_t context, struct iocb **some)
{
	struct io_event ended[DEPTH];
	long count = syscall(SYS_io_getevents, context, 1L, (long)DEPTH, ended, NULL);

	if (count < 0)
		fail("io_getevents");
	for (long i = 0; i < count; i++) {
		if (ended[i].res != READ_BYTES) {
			errno = ended[i].res < 0 ? (int)-ended[i].res : EIO;
			fail("read");
		}
		some[i] = &reads[ended[i].data];
	}
	return count;
}

static void begin_all(aio_context_t context, int disk)
{
	struct iocb *all[DEPTH];

	for (uint32_t i = 0; i < DEPTH; i++) {
		reads[i] = (struct iocb) {
			.aio_data = i,
			.aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_fildes = (uint32_t)disk,
			.aio_buf = (uintptr_t)bytes[i],
			.aio_nbytes = READ_BYTES,
			.aio_offset = (int64_t)i * APART_BYTES,
		};
		all[i] = &reads[i];
	}
	begin(context, DEPTH, all);
}

/* Begins no read after that time. Returns the number of reads when all have ended. */
static uint64_t read_until(aio_context_t context, int64_t end_ns)
{
	struct iocb *some[DEPTH];
	long under_way = DEPTH;
	uint64_t done = 0;

	while (under_way > 0) {
		long count = take_ended(context, some);

		done += (uint64_t)count;
		if (now_ns() < end_ns)
			begin(context, count, some);
		else
			under_way -= count;
	}
	return done;
}

int main(int count, char **words)
{
	aio_context_t context = 0;
	uint64_t time_ns, done;
	int64_t begin_ns;
	char *end;
	int disk;

	if (count != 3) {
		fputs(usage, stderr);
		return REFUSED;
	}
	time_ns = strtoull(words[2], &end, 10);
	if (words[2][0] == '\0' || *end != '\0' || time_ns > LONGEST_NS) {
		fprintf(stderr, "disk: found '%s'; expected a time in its range\n%s", words[2],
			usage);
		return REFUSED;
	}
	disk = open(words[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (disk < 0)
		fail(words[1]);
	if (syscall(SYS_io_setup, (long)DEPTH, &context) != 0)
		fail("io_setup");
	begin_ns = now_ns();
	begin_all(context, disk);
	done = read_until(context, begin_ns + (int64_t)time_ns);
	printf("%" PRIu64 " %" PRId64 "\n", done, now_ns() - begin_ns);
	return 0;
}
