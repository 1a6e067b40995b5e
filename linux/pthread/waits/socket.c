/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for sockets. */
#include "interpose.h"

#include <sys/socket.h>

ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t buffer_size, int flags);
ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t buffer_size, int flags,
		       __SOCKADDR_ARG address, socklen_t *length);

PLF_WAIT4(ssize_t, recv, int, void *, size_t, int);
PLF_WAIT5(ssize_t, __recv_chk, int, void *, size_t, size_t, int);
PLF_WAIT6(ssize_t, recvfrom, int, void *, size_t, int, __SOCKADDR_ARG, socklen_t *);
PLF_WAIT7(ssize_t, __recvfrom_chk, int, void *, size_t, size_t, int, __SOCKADDR_ARG, socklen_t *);
PLF_WAIT3(ssize_t, recvmsg, int, struct msghdr *, int);
PLF_WAIT5(int, recvmmsg, int, struct mmsghdr *, unsigned, int, struct timespec *);
PLF_WAIT4(ssize_t, send, int, const void *, size_t, int);
PLF_WAIT6(ssize_t, sendto, int, const void *, size_t, int, __CONST_SOCKADDR_ARG, socklen_t);
PLF_WAIT3(ssize_t, sendmsg, int, const struct msghdr *, int);
PLF_WAIT4(int, sendmmsg, int, struct mmsghdr *, unsigned, int);
PLF_WAIT3(int, accept, int, __SOCKADDR_ARG, socklen_t *);
PLF_WAIT4(int, accept4, int, __SOCKADDR_ARG, socklen_t *, int);
PLF_WAIT3(int, connect, int, __CONST_SOCKADDR_ARG, socklen_t);
