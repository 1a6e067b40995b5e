/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_INSTANCE_H
#define INTERRUPTS_INSTANCE_H

/*
 * A tracefs instance of this process's own: buffers and events of its own, so that what others
 * trace goes on beside it.
 */
#include <stdbool.h>

enum { INSTANCE_BYTES = 32 };

struct instance {
	int root;		   /* of tracefs */
	char name[INSTANCE_BYTES]; /* plafond-PID */
	int folder;		   /* once it is made */
};

/* The events that it records, as folders of events/. */
enum { EVENTS = 8 };
extern const char *const event_names[EVENTS];

/* The instance of this process in a tracefs. It is not made yet. */
struct instance name_instance(int root);

/* Make it, with a buffer of `buffer_kib` a CPU, times of CLOCK_MONOTONIC and its events, but
 * switched off. False: this said why; remove what there is. */
__attribute__((warn_unused_result)) bool make_instance(struct instance *instance, long buffer_kib);

/* 0 or an errno value. */
int switch_instance(const struct instance *instance, bool on);

/*
 * Remove it, if it is there. It cannot go while a file of its buffers is open: that of a process
 * that was just killed is awaited. False: it stays, and this said why. `argument`: the instance.
 */
__attribute__((warn_unused_result)) bool remove_instance(const void *argument);

#endif
