/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "pipes.h"
#include "stage.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

int __poll(struct pollfd *files, nfds_t count, int timeout_ms);
int __poll_chk(struct pollfd *files, nfds_t count, int timeout_ms, size_t size);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t size);

static struct timespec long_time = { .tv_sec = 100 };
static struct pollfd to_read;
static fd_set set;
static struct epoll_event event;
static int epoll;

static void make(void)
{
	empty_pipe.make();
	to_read = (struct pollfd) { .fd = empty[0], .events = POLLIN };
	FD_ZERO(&set);
	FD_SET(empty[0], &set);
	epoll = epoll_create1(0);
	event = (struct epoll_event) { .events = EPOLLIN };
	check(epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, empty[0], &event) == 0);
}

static void clear(void)
{
	check(close(epoll) == 0);
	empty_pipe.clear();
}

static const struct setting nothing_there = { make, fill_empty_pipe, clear };

CALL(poll, nothing_there, POINT, 1, 0, poll(&to_read, 1, -1));
CALL(__poll, nothing_there, POINT, 1, 0, __poll(&to_read, 1, -1));
CALL(__poll_chk, nothing_there, POINT, 1, 0, __poll_chk(&to_read, 1, -1, sizeof(to_read)));
CALL(ppoll, nothing_there, MAY_BE, 1, 0, ppoll(&to_read, 1, &long_time, NULL));
CALL(__ppoll_chk, nothing_there, MAY_BE, 1, 0,
     __ppoll_chk(&to_read, 1, &long_time, NULL, sizeof(to_read)));
CALL(select, nothing_there, POINT, 1, 0, select(empty[0] + 1, &set, NULL, NULL, NULL));
CALL(pselect, nothing_there, POINT, 1, 0,
     pselect(empty[0] + 1, &set, NULL, NULL, &long_time, NULL));
CALL(epoll_wait, nothing_there, MAY_BE, 1, 0, epoll_wait(epoll, &event, 1, -1));
CALL(epoll_pwait, nothing_there, MAY_BE, 1, 0, epoll_pwait(epoll, &event, 1, -1, NULL));
CALL(epoll_pwait2, nothing_there, MAY_BE, 1, 0, epoll_pwait2(epoll, &event, 1, &long_time, NULL));
