/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_TRACEFS_H
#define MACHINE_TRACEFS_H

/*
 * The root folder of tracefs. If tracefs is not mounted, this mounts it outside the file system,
 * until the last open file in it is closed. -1 and errno: this user has no access.
 */
int find_tracefs(void);

#endif
