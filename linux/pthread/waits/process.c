/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for another process. */
#include "interpose.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

PLF_WAIT1(pid_t, wait, int *);
PLF_WAIT3(pid_t, wait3, int *, int, struct rusage *);
PLF_WAIT4(pid_t, wait4, pid_t, int *, int, struct rusage *);
PLF_WAIT3(pid_t, waitpid, pid_t, int *, int);
PLF_WAIT4(int, waitid, idtype_t, id_t, siginfo_t *, int);
PLF_WAIT1(int, system, const char *);
PLF_WAIT1(int, pclose, FILE *);
