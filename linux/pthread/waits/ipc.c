/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for message queues and System V semaphores. */
#include "interpose.h"

#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>

PLF_WAIT4(ssize_t, mq_receive, mqd_t, char *, size_t, unsigned *);
PLF_WAIT5(ssize_t, mq_timedreceive, mqd_t, char *, size_t, unsigned *, const struct timespec *);
PLF_WAIT4(int, mq_send, mqd_t, const char *, size_t, unsigned);
PLF_WAIT5(int, mq_timedsend, mqd_t, const char *, size_t, unsigned, const struct timespec *);

PLF_WAIT5(ssize_t, msgrcv, int, void *, size_t, long, int);
PLF_WAIT4(int, msgsnd, int, const void *, size_t, int);
PLF_WAIT3(int, semop, int, struct sembuf *, size_t);
PLF_WAIT4(int, semtimedop, int, struct sembuf *, size_t, const struct timespec *);
