/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef PLAFOND_DEVICE_H
#define PLAFOND_DEVICE_H

/*
 * The character device of plafond.ko. A thread registers its words (struct plf_lazy of
 * protocol/lazy_ceiling.h) with the kernel. From then on, the kernel raises the thread when it
 * would lose the CPU inside a section. Opening the device needs no privilege.
 */
#include <linux/ioctl.h>
#include <linux/types.h>

#define PLF_DEVICE "/dev/plafond"

/* Version of the words' layout and meaning. The module refuses words that it would misread. */
#define PLF_WORDS_VERSION 1

struct plf_registration {
	__u64 words;	    /* address of the calling thread's struct plf_lazy */
	__u32 max_priority; /* SCHED_FIFO, 1 to 99: never raised above it */
	__u32 version;	    /* PLF_WORDS_VERSION */
};

/*
 * Register the calling thread's words. Its base is its present priority of SCHED_FIFO or SCHED_RR,
 * and 0 under other policies. The base stays, even if the priority is set later. The page stays in
 * memory, and the module stays loaded, until the thread unregisters, executes a program or ends.
 * fork() and new threads do not inherit the registration. If the caller was raised, a thread that
 * it makes inside the section begins with the raised priority, as under any ceiling.
 *
 * EINVAL  words not aligned to 64, priority outside 1 to 99
 * EPROTO  words of another version
 * EFAULT  words not in writable memory of the caller
 * EEXIST  registered already
 * EOPNOTSUPP  the caller is SCHED_DEADLINE: it has no priority
 * ENOMEM
 *
 * The limit is the lower of max_priority and, without CAP_SYS_NICE, RLIMIT_RTPRIO, as they are when
 * the thread is raised.
 */
#define PLF_IOC_REGISTER _IOW('p', 0x50, struct plf_registration)

/* Unregister, and restore a raised priority. ESRCH: not registered. */
#define PLF_IOC_UNREGISTER _IO('p', 0x51)

/* Lower the caller to the priority that its words ask for. ESRCH: not registered. */
#define PLF_IOC_LOWER _IO('p', 0x52)

#endif
