/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_INSTANCE_H
#define INTERRUPTS_INSTANCE_H

/*
 * A tracefs instance of this process, with its own buffers and events. So other programs' traces go
 * on beside it.
 */
#include <stdbool.h>

enum { INSTANCE_BYTES = 32 };

struct instance {
	int root;		   /* of tracefs */
	char name[INSTANCE_BYTES]; /* plafond-PID */
	int folder;		   /* open when it is made */
};

/* The events that it records, as folders of events/. */
enum { EVENTS = 8 };
extern const char *const event_names[EVENTS];

/* Name this process's instance in a tracefs, but do not make it yet. */
struct instance name_instance(int root);

/*
 * Make the instance, switched off. It has a buffer of `buffer_kib` for each CPU, times of
 * CLOCK_MONOTONIC, and its events. False: a message says why; the caller must still remove it.
 */
__attribute__((warn_unused_result)) bool make_instance(struct instance *instance, long buffer_kib);

/* Switch the instance on or off. Returns 0 or an errno value. */
int switch_instance(const struct instance *instance, bool on);

/*
 * Remove the instance, if it exists. It cannot be removed while a file of its buffers is open, so
 * wait if a process was just killed. False: it stays; a message says why. `argument`: the instance.
 */
__attribute__((warn_unused_result)) bool remove_instance(const void *argument);

#endif
