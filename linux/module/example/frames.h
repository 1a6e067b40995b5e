/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef PLAFOND_FRAMES_H
#define PLAFOND_FRAMES_H

/*
 * The character device of plafond_frames.ko: a device without hardware, whose interrupts come at
 * exact times. A timer makes an interrupt each period. Each interrupt puts a frame into a ring of
 * ring_size entries, and wakes the interrupt thread irq/N-frames. The thread empties the ring, and
 * works for each frame. A frame leaves the ring when its work is done. If the ring is full, the new
 * frame is lost, and counted.
 *
 * Source: Manica, Abeni, Palopoli, Faggioli, Scordino, OSPERT 2010, Section II.C. P is `period_ns`;
 * C is `work_ns` and the kernel's addition to it; N_c is `ring_size`.
 *
 * Only root may open it, and it can be open only once at a time. A run ends with its file: then no
 * interrupt comes any more, and the interrupt thread has left its work.
 */
#include <linux/ioctl.h>
#include <linux/types.h>

#define FRAMES_DEVICE "/dev/plafond_frames"

enum {
	FRAMES_COUNT_MAX = 65536,
	FRAMES_RING_MAX = 4096,
};

#define FRAMES_PERIOD_MIN_NS 10000ULL
#define FRAMES_PERIOD_MAX_NS 1000000000ULL
#define FRAMES_WORK_MAX_NS   1000000000ULL

struct frames_start {
	__u64 period_ns;
	__u64 work_ns;	     /* of each frame: execution time of the thread */
	__u64 first_work_ns; /* of the first frame */
	__u32 count;	     /* frames to make */
	__u32 ring_size;
};

/*
 * Begin a run. The first interrupt comes a period later.
 *
 * EINVAL  a number outside its range
 * EBUSY   a run was started in this open file before
 * ENOMEM
 */
#define FRAMES_IOC_START _IOW('p', 0x70, struct frames_start)

struct frames_frame {
	__s64 sent_ns;	 /* CLOCK_MONOTONIC, in the interrupt */
	__s64 served_ns; /* when its work was done; 0: it was lost */
};

struct frames_result {
	__u64 frames;	/* in: address of struct frames_frame[count], which is filled in */
	__s64 begin_ns; /* when the first interrupt was due */
	__u32 made;
	__u32 served;
	__u32 lost;
	__u32 backlog_max;
};

/*
 * Wait until all frames are made, and served or lost.
 *
 * EINVAL  no run was started
 * EINTR   a signal came
 */
#define FRAMES_IOC_WAIT _IOWR('p', 0x71, struct frames_result)

/*
 * read() waits for served frames that were not read yet. It returns whole frames in their order, as
 * many as exist and fit; 0 after the last frame. EINVAL: no run was started, or there is no room
 * for a frame.
 */

#endif
