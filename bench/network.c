// SPDX-License-Identifier: MIT

/*
 * Send frames from one network card to another. The interrupt thread of the receiving card hands
 * each frame to a socket. The threads that send and receive are ordinary threads.
 *
 * For a time, with many frames under way: the thread that receives a frame sends the next frame.
 * Output: `frames time_ns`: the number of frames, and the time until the last frame has arrived.
 *
 * Or a frame each period, which another thread receives. Output: a line for each frame, `sent
 * received`.
 *
 * Times are in nanoseconds of CLOCK_MONOTONIC. A frame that does not arrive is an error.
 */
#define _GNU_SOURCE
#include "../linux/machine/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
	FAILED = 1,
	REFUSED = 2,
	DEPTH = 128, /* less than the rings and the socket hold, so no frame is lost */
	COUNT_MAX = 65536,
	LONGEST_WAY_S = 5,
	PROTOCOL = ETH_P_802_EX1, /* for experiments, so no protocol of the kernel takes it */
};

#define LONGEST_NS UINT64_C(100000000000)

static const char usage[] = "usage: network FROM TO TIME_NS\n"
			    "       network FROM TO PERIOD_NS COUNT\n";

struct frame {
	struct ethhdr header;
	uint16_t unused;
	uint32_t number;
	uint8_t rest[ETH_ZLEN - ETH_HLEN - 6];
};
_Static_assert(sizeof(struct frame) == ETH_ZLEN, "the shortest frame that there is");

struct received {
	int card;
	uint32_t count;
};

static int64_t sent_ns[COUNT_MAX], received_ns[COUNT_MAX]; /* by number */

static void sleep_until(int64_t time_ns)
{
	struct timespec time = timespec_of(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "network: %s: %s\n", what, strerror(errno));
	exit(FAILED);
}

static uint64_t parse(const char *word, uint64_t most)
{
	char *end;
	uint64_t number = strtoull(word, &end, 10);

	if (*word == '\0' || *end != '\0' || number == 0 || number > most) {
		fprintf(stderr, "network: found '%s'; expected 1 to %" PRIu64 "\n%s", word, most,
			usage);
		exit(REFUSED);
	}
	return number;
}

/* Open a socket that gets the frames of that protocol; 0: no frames. */
static int open_card(const char *name, uint16_t protocol)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = (int)if_nametoindex(name),
	};
	struct timeval longest = { .tv_sec = LONGEST_WAY_S };
	int card;

	if (address.sll_ifindex == 0)
		fail(name);
	card = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (card < 0 || bind(card, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
	    setsockopt(card, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest)) != 0)
		fail(name);
	return card;
}

static void send_frame(int card, uint32_t number)
{
	struct frame frame = {
		.header = { .h_proto = htons(PROTOCOL) },
		.number = number,
	};

	memset(frame.header.h_dest, 0xff,
	       ETH_ALEN); /* broadcast, because the cards have no known addresses */
	if (send(card, &frame, sizeof(frame), 0) != sizeof(frame))
		fail("send");
}

/* Returns the number of the next frame that arrives. */
static uint32_t receive_frame(int card)
{
	struct frame frame;

	if (recv(card, &frame, sizeof(frame), 0) != sizeof(frame)) {
		if (errno == EAGAIN)
			errno = ETIMEDOUT;
		fail("no frame arrives");
	}
	return frame.number;
}

/* Sends no frame after that time. Returns the number of frames when all have arrived. */
static uint64_t send_until(int from, int to, int64_t end_ns)
{
	uint32_t under_way = 0;
	uint64_t done = 0;

	for (; under_way < DEPTH; under_way++)
		send_frame(from, under_way);
	while (under_way > 0) {
		uint32_t number = receive_frame(to);

		done++;
		if (now_ns() < end_ns)
			send_frame(from, number);
		else
			under_way--;
	}
	return done;
}

static void *receive_all(void *argument)
{
	const struct received *received = argument;

	for (uint32_t count = 0; count < received->count; count++) {
		uint32_t number = receive_frame(received->card);

		if (number < received->count)
			received_ns[number] = now_ns();
	}
	return NULL;
}

static void send_periodically(int from, int to, int64_t period_ns, uint32_t count)
{
	struct received received = { .card = to, .count = count };
	int64_t begin_ns;
	pthread_t receiver;

	errno = pthread_create(&receiver, NULL, receive_all, &received);
	if (errno != 0)
		fail("thread");
	begin_ns = now_ns() + period_ns;
	for (uint32_t number = 0; number < count; number++) {
		sleep_until(begin_ns + period_ns * number);
		sent_ns[number] = now_ns();
		send_frame(from, number);
	}
	pthread_join(receiver, NULL);
	for (uint32_t number = 0; number < count; number++)
		printf("%" PRId64 " %" PRId64 "\n", sent_ns[number], received_ns[number]);
}

static void send_for(int from, int to, uint64_t time_ns)
{
	int64_t begin_ns = now_ns();
	uint64_t done = send_until(from, to, begin_ns + (int64_t)time_ns);

	printf("%" PRIu64 " %" PRId64 "\n", done, now_ns() - begin_ns);
}

int main(int count, char **words)
{
	uint64_t time_ns, frames;
	int from, to;

	if (count != 4 && count != 5) {
		fputs(usage, stderr);
		return REFUSED;
	}
	time_ns = parse(words[3], LONGEST_NS);
	frames = count == 5 ? parse(words[4], COUNT_MAX) : 0;
	from = open_card(words[1], 0);
	to = open_card(words[2], PROTOCOL);
	if (frames == 0)
		send_for(from, to, time_ns);
	else
		send_periodically(from, to, (int64_t)time_ns, (uint32_t)frames);
	return 0;
}
