/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef PLAFOND_DEVICE_H
#define PLAFOND_DEVICE_H

/*
 * The character device of plafond.ko: a thread makes its words (struct plf_lazy of
 * protocol/lazy_ceiling.h) known to the kernel, which from then on raises the thread
 * when it would lose the CPU inside a section. Opening it needs no privilege.
 */
#include <linux/ioctl.h>
#include <linux/types.h>

#define PLF_DEVICE "/dev/plafond"

/* Of the words' layout and meaning: the module refuses words that it would misread. */
#define PLF_WORDS_VERSION 1

struct plf_registration {
	__u64 words;	    /* address of the calling thread's struct plf_lazy */
	__u32 max_priority; /* of SCHED_FIFO, 1 to 99: never raised above it */
	__u32 version;	    /* PLF_WORDS_VERSION */
};

/*
 * Make the calling thread's words known. Its base is its present priority of SCHED_FIFO
 * or SCHED_RR, 0 under the other policies, and stays that even if its priority is set later. The
 * page stays in memory, and the module loaded, until the thread unregisters, executes a
 * program or ends. Not inherited by fork() or new threads; those made inside a section in
 * which the caller was raised begin with the raised priority, as under any ceiling.
 *
 * EINVAL  words not aligned to 64, priority outside 1 to 99
 * EPROTO  words of another version
 * EFAULT  words not in writable memory of the caller's own
 * EEXIST  registered already
 * EOPNOTSUPP  the caller is SCHED_DEADLINE: it has no priority
 * ENOMEM
 *
 * The limit is the lowest of max_priority and, without CAP_SYS_NICE, RLIMIT_RTPRIO: as
 * they are when the thread is raised.
 */
#define PLF_IOC_REGISTER _IOW('p', 0x50, struct plf_registration)

/* ESRCH: not registered. A priority that was raised is restored. */
#define PLF_IOC_UNREGISTER _IO('p', 0x51)

/* Lower the caller to the priority that its words ask for. ESRCH: not registered. */
#define PLF_IOC_LOWER _IO('p', 0x52)

#endif
