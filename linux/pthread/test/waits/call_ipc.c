/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "stage.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

static struct timespec deadline;
static char data[8];

/* ---- Message queues: room for one message ------------------------------ */

static mqd_t queue;

static void make_queue(void)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = sizeof(data) };
	char name[32];

	check(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
	deadline.tv_sec += 100;
	snprintf(name, sizeof(name), "/plafond-%d", getpid());
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
	check(queue >= 0);
	check(mq_unlink(name) == 0);
}

static void put_in(void)
{
	check(mq_send(queue, data, 1, 0) == 0);
}

static void take_out(void)
{
	check(mq_receive(queue, data, sizeof(data), NULL) == 1);
}

static void make_full_queue(void)
{
	make_queue();
	put_in();
}

static void close_queue(void)
{
	check(mq_close(queue) == 0);
}

static const struct setting no_message = { make_queue, put_in, close_queue };
static const struct setting one_message = { make_full_queue, take_out, close_queue };

CALL(mq_receive, no_message, POINT, 1, 0, mq_receive(queue, data, sizeof(data), NULL));
CALL(mq_timedreceive, no_message, POINT, 1, 0,
     mq_timedreceive(queue, data, sizeof(data), NULL, &deadline));
CALL(mq_send, one_message, POINT, 0, 0, mq_send(queue, data, 1, 0));
CALL(mq_timedsend, one_message, POINT, 0, 0, mq_timedsend(queue, data, 1, 0, &deadline));

/* ---- System V's message queues: room for one byte ---------------------- */

static struct {
	long type;
	char text[1];
} message = { 1, "" };

static int old_queue;

static void make_old_queue(void)
{
	struct msqid_ds state;

	old_queue = msgget(IPC_PRIVATE, 0600);
	check(old_queue >= 0);
	check(msgctl(old_queue, IPC_STAT, &state) == 0);
	state.msg_qbytes = 1;
	check(msgctl(old_queue, IPC_SET, &state) == 0);
}

static void put_in_old(void)
{
	check(msgsnd(old_queue, &message, 1, 0) == 0);
}

static void take_out_of_old(void)
{
	check(msgrcv(old_queue, &message, 1, 0, 0) == 1);
}

static void make_full_old_queue(void)
{
	make_old_queue();
	put_in_old();
}

static void remove_old_queue(void)
{
	check(msgctl(old_queue, IPC_RMID, NULL) == 0);
}

static const struct setting no_old_message = { make_old_queue, put_in_old, remove_old_queue };
static const struct setting one_old_message = { make_full_old_queue, take_out_of_old,
						remove_old_queue };

CALL(msgrcv, no_old_message, POINT, 1, 0, msgrcv(old_queue, &message, 1, 0, 0));
CALL(msgsnd, one_old_message, POINT, 0, 0, msgsnd(old_queue, &message, 1, 0));

/* ---- System V's semaphores --------------------------------------------- */

static struct timespec long_time = { .tv_sec = 100 };
static int semaphore;

static void make_semaphore(void)
{
	semaphore = semget(IPC_PRIVATE, 1, 0600);
	check(semaphore >= 0);
}

static void count_up(void)
{
	struct sembuf up = { .sem_op = 1 };

	check(semop(semaphore, &up, 1) == 0);
}

static void remove_semaphore(void)
{
	check(semctl(semaphore, 0, IPC_RMID) == 0);
}

static const struct setting zero = { make_semaphore, count_up, remove_semaphore };

static struct sembuf down = { .sem_op = -1 };

CALL(semop, zero, NOT_POINT, 0, 0, semop(semaphore, &down, 1));
CALL(semtimedop, zero, NOT_POINT, 0, 0, semtimedop(semaphore, &down, 1, &long_time));
