/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * Calls by which a process gives rights away: user, group, capabilities, its place in the file
 * system, or the right to make calls. A daemon makes them once, and could not open its report files
 * afterwards. So the files are opened before, if a report was asked for.
 */
#include "learn.h"
#include "learn_report.h"
#include "libc.h"
#include "report.h"
#include "stats.h"
#include "waits/system_call.h"

#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void before(void)
{
	if (!plf_reports_are_wanted)
		return;
	plf_stats_keep();
	if (plf_learning)
		plf_learn_keep();
}

/* Define FUNCTION(PARAMETERS), which calls the C library's function with the ARGUMENTS. */
#define GIVES_AWAY(function, parameters, arguments)                                                \
	PLF_EXPORT int function parameters                                                         \
	{                                                                                          \
		before();                                                                          \
		return PLF_LIBC(function) arguments;                                               \
	}

int capset(cap_user_header_t header, const cap_user_data_t data);

GIVES_AWAY(setuid, (uid_t user), (user))
GIVES_AWAY(setgid, (gid_t group), (group))
GIVES_AWAY(seteuid, (uid_t user), (user))
GIVES_AWAY(setegid, (gid_t group), (group))
GIVES_AWAY(setreuid, (uid_t real, uid_t user), (real, user))
GIVES_AWAY(setregid, (gid_t real, gid_t group), (real, group))
GIVES_AWAY(setresuid, (uid_t real, uid_t user, uid_t saved), (real, user, saved))
GIVES_AWAY(setresgid, (gid_t real, gid_t group, gid_t saved), (real, group, saved))
GIVES_AWAY(setfsuid, (uid_t user), (user))
GIVES_AWAY(setfsgid, (gid_t group), (group))
GIVES_AWAY(setgroups, (size_t count, const gid_t *groups), (count, groups))
GIVES_AWAY(initgroups, (const char *user, gid_t group), (user, group))
GIVES_AWAY(capset, (cap_user_header_t header, const cap_user_data_t data), (header, data))
GIVES_AWAY(chroot, (const char *path), (path))
GIVES_AWAY(unshare, (int flags), (flags))
GIVES_AWAY(setns, (int file, int kind), (file, kind))

/* PR_SET_SECCOMP enters a sandbox, which may forbid to open files. */
PLF_EXPORT int prctl(int option, ...)
{
	const struct plf_system_call call = PLF_SYSTEM_CALL(option);
	const long *a = call.argument;

	if (option == PR_SET_SECCOMP)
		before();
	return PLF_LIBC(prctl)(option, a[0], a[1], a[2], a[3]);
}

void plf_before_system_call(const struct plf_system_call *call)
{
	static const long giving_away[] = {
		SYS_setuid,    SYS_setgid,    SYS_setreuid,   SYS_setregid,
		SYS_setresuid, SYS_setresgid, SYS_setfsuid,   SYS_setfsgid,
		SYS_setgroups, SYS_capset,    SYS_chroot,     SYS_unshare,
		SYS_setns,     SYS_seccomp,   SYS_pivot_root, SYS_landlock_restrict_self,
	};

	for (size_t i = 0; i < sizeof(giving_away) / sizeof(giving_away[0]); i++)
		if (call->number == giving_away[i])
			before();
}
