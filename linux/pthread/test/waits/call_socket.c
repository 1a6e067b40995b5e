/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

ssize_t __recv_chk(int fd, void *data, size_t size, size_t data_size, int flags);
ssize_t __recvfrom_chk(int fd, void *data, size_t size, size_t data_size, int flags,
		       __SOCKADDR_ARG address, socklen_t *length);

static int ends[2];
static char data[4096];
static struct iovec byte = { data, 1 };
static struct mmsghdr message;

static void make_pair(void)
{
	check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	message = (struct mmsghdr) { .msg_hdr = { .msg_iov = &byte, .msg_iovlen = 1 } };
}

static void send_byte(void)
{
	check(send(ends[1], data, 1, 0) == 1);
}

static void close_pair(void)
{
	check(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static const struct setting nothing_sent = { make_pair, send_byte, close_pair };

CALL(recv, nothing_sent, POINT, 1, 0, recv(ends[0], data, 1, 0));
CALL(__recv_chk, nothing_sent, POINT, 1, 0, __recv_chk(ends[0], data, 1, sizeof(data), 0));
CALL(recvfrom, nothing_sent, POINT, 1, 0, recvfrom(ends[0], data, 1, 0, NULL, NULL));
CALL(__recvfrom_chk, nothing_sent, POINT, 1, 0,
     __recvfrom_chk(ends[0], data, 1, sizeof(data), 0, NULL, NULL));
CALL(recvmsg, nothing_sent, POINT, 1, 0, recvmsg(ends[0], &message.msg_hdr, 0));
CALL(recvmmsg, nothing_sent, MAY_BE, 1, 0, recvmmsg(ends[0], &message, 1, 0, NULL));

static void make_full_pair(void)
{
	make_pair();
	while (send(ends[0], data, sizeof(data), MSG_DONTWAIT) > 0)
		;
	while (send(ends[0], data, 1, MSG_DONTWAIT) > 0)
		;
	check(errno == EAGAIN);
}

static void receive_all(void)
{
	while (recv(ends[1], data, sizeof(data), MSG_DONTWAIT) > 0)
		;
	check(errno == EAGAIN);
}

static const struct setting all_sent = { make_full_pair, receive_all, close_pair };

CALL(send, all_sent, POINT, 1, 0, send(ends[0], data, 1, 0));
CALL(sendto, all_sent, POINT, 1, 0, sendto(ends[0], data, 1, 0, NULL, 0));
CALL(sendmsg, all_sent, POINT, 1, 0, sendmsg(ends[0], &message.msg_hdr, 0));
CALL(sendmmsg, all_sent, MAY_BE, 1, 0, sendmmsg(ends[0], &message, 1, 0));

static int listener, first, second, accepted;
static struct sockaddr_un address;
static socklen_t length;

/* The kernel gives it a name. A backlog of 0 lets a single connection wait for accept(). */
static void make_listener(void)
{
	const struct sockaddr unnamed = { .sa_family = AF_UNIX };

	accepted = -1;
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	first = socket(AF_UNIX, SOCK_STREAM, 0);
	second = socket(AF_UNIX, SOCK_STREAM, 0);
	check(listener >= 0 && first >= 0 && second >= 0);
	check(bind(listener, &unnamed, sizeof(unnamed.sa_family)) == 0);
	length = sizeof(address);
	check(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
	check(listen(listener, 0) == 0);
}

static int connect_by(int fd)
{
	return connect(fd, (const struct sockaddr *)&address, length);
}

static void connect_first(void)
{
	check(connect_by(first) == 0);
}

static void close_listener(void)
{
	check(close(listener) == 0 && close(first) == 0 && close(second) == 0);
	if (accepted >= 0)
		check(close(accepted) == 0);
}

static int keep(int fd)
{
	accepted = fd;
	return fd >= 0;
}

static const struct setting no_client_yet = { make_listener, connect_first, close_listener };

CALL(accept, no_client_yet, POINT, 1, 0, keep(accept(listener, NULL, NULL)));
CALL(accept4, no_client_yet, MAY_BE, 1, 0, keep(accept4(listener, NULL, NULL, SOCK_CLOEXEC)));

static void make_queue(void)
{
	make_listener();
	connect_first();
}

static void accept_first(void)
{
	check(keep(accept(listener, NULL, NULL)));
}

static const struct setting others_there = { make_queue, accept_first, close_listener };

CALL(connect, others_there, POINT, 0, 0, connect_by(second));
