/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for one of several files. */
#include "interpose.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

int __poll(struct pollfd *files, nfds_t count, int timeout_ms);
int __poll_chk(struct pollfd *files, nfds_t count, int timeout_ms, size_t size);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t size);

PLF_WAIT3(int, poll, struct pollfd *, nfds_t, int);
PLF_WAIT3(int, __poll, struct pollfd *, nfds_t, int);
PLF_WAIT4(int, __poll_chk, struct pollfd *, nfds_t, int, size_t);
PLF_WAIT4(int, ppoll, struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
PLF_WAIT5(int, __ppoll_chk, struct pollfd *, nfds_t, const struct timespec *, const sigset_t *,
	  size_t);
PLF_WAIT5(int, select, int, fd_set *, fd_set *, fd_set *, struct timeval *);
PLF_WAIT6(int, pselect, int, fd_set *, fd_set *, fd_set *, const struct timespec *,
	  const sigset_t *);
PLF_WAIT4(int, epoll_wait, int, struct epoll_event *, int, int);
PLF_WAIT5(int, epoll_pwait, int, struct epoll_event *, int, int, const sigset_t *);
PLF_WAIT5(int, epoll_pwait2, int, struct epoll_event *, int, const struct timespec *,
	  const sigset_t *);
