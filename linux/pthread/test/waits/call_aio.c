/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* libc reads in its own thread, which is as urgent as the world, because the world asks for it. */
#include "call.h"
#include "pipes.h"
#include "stage.h"

#include <aio.h>
#include <errno.h>
#include <stddef.h>

static struct aiocb request;
static struct aiocb64 request64;

static void ask(void)
{
	empty_pipe.make();
	request = (struct aiocb) { .aio_fildes = empty[0], .aio_buf = buffer, .aio_nbytes = 1 };
	request.aio_sigevent.sigev_notify = SIGEV_NONE;
	check(aio_read(&request) == 0);
}

static void ask64(void)
{
	empty_pipe.make();
	request64 = (struct aiocb64) { .aio_fildes = empty[0], .aio_buf = buffer, .aio_nbytes = 1 };
	request64.aio_sigevent.sigev_notify = SIGEV_NONE;
	check(aio_read64(&request64) == 0);
}

static void answered(void)
{
	check(aio_return(&request) == 1);
	clear_empty_pipe();
}

static void answered64(void)
{
	check(aio_return64(&request64) == 1);
	clear_empty_pipe();
}

static const struct setting asked = { ask, fill_empty_pipe, answered };
static const struct setting asked64 = { ask64, fill_empty_pipe, answered64 };

static const struct aiocb *const list[] = { &request };
static const struct aiocb64 *const list64[] = { &request64 };

CALL(aio_suspend, asked, POINT, 0, 0, aio_suspend(list, 1, NULL));
CALL(aio_suspend64, asked64, POINT, 0, 0, aio_suspend64(list64, 1, NULL));
