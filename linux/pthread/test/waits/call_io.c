/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "pipes.h"
#include "stage.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t __read_chk(int fd, void *data, size_t size, size_t data_size);

static struct iovec byte = { buffer, 1 };

CALL(read, empty_pipe, POINT, 1, 0, read(empty[0], buffer, 1));
CALL(__read_chk, empty_pipe, POINT, 1, 0, __read_chk(empty[0], buffer, 1, sizeof(buffer)));
CALL(readv, empty_pipe, POINT, 1, 0, readv(empty[0], &byte, 1));
CALL(preadv2, empty_pipe, MAY_BE, 1, 0, preadv2(empty[0], &byte, 1, -1, 0));
CALL(preadv64v2, empty_pipe, MAY_BE, 1, 0, preadv64v2(empty[0], &byte, 1, -1, 0));

CALL(write, full_pipe, POINT, 1, 0, write(full[1], buffer, 1));
CALL(writev, full_pipe, POINT, 1, 0, writev(full[1], &byte, 1));
CALL(pwritev2, full_pipe, MAY_BE, 1, 0, pwritev2(full[1], &byte, 1, -1, 0));
CALL(pwritev64v2, full_pipe, MAY_BE, 1, 0, pwritev64v2(full[1], &byte, 1, -1, 0));
CALL(vmsplice, full_pipe, MAY_BE, 1, 0, vmsplice(full[1], &byte, 1, 0));

static int other[2];

static void make_two(void)
{
	empty_pipe.make();
	check(pipe(other) == 0);
}

static void clear_two(void)
{
	empty_pipe.clear();
	check(close(other[0]) == 0 && close(other[1]) == 0);
}

static const struct setting empty_and_other = { make_two, fill_empty_pipe, clear_two };

CALL(splice, empty_and_other, MAY_BE, 1, 0, splice(empty[0], NULL, other[1], NULL, 1, 0));
CALL(tee, empty_and_other, MAY_BE, 1, 0, tee(empty[0], other[1], 1, 0));

static FILE *file;

static void make_full_and_file(void)
{
	full_pipe.make();
	file = tmpfile();
	check(file != NULL);
	check(ftruncate(fileno(file), 1) == 0);
}

static void clear_full_and_file(void)
{
	full_pipe.clear();
	check(fclose(file) == 0);
}

static const struct setting full_and_file = { make_full_and_file, drain_full_pipe,
					      clear_full_and_file };

CALL(sendfile, full_and_file, MAY_BE, 1, 0, sendfile(full[1], fileno(file), NULL, 1));
CALL(sendfile64, full_and_file, MAY_BE, 1, 0, sendfile64(full[1], fileno(file), NULL, 1));

static int event;

static void make_zero(void)
{
	event = eventfd(0, 0);
	check(event >= 0);
}

static void make_full_event(void)
{
	make_zero();
	check(eventfd_write(event, UINT64_MAX - 1) == 0);
}

static void count_up(void)
{
	check(eventfd_write(event, 1) == 0);
}

static void count_down(void)
{
	eventfd_t value;

	check(eventfd_read(event, &value) == 0);
}

static void close_event(void)
{
	check(close(event) == 0);
}

static const struct setting no_event = { make_zero, count_up, close_event };
static const struct setting full_event = { make_full_event, count_down, close_event };

static eventfd_t received;

CALL(eventfd_read, no_event, MAY_BE, 0, 0, eventfd_read(event, &received));
CALL(eventfd_write, full_event, MAY_BE, 0, 0, eventfd_write(event, 1));
