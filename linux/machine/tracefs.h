/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_TRACEFS_H
#define MACHINE_TRACEFS_H

/*
 * The root folder of tracefs: where it is mounted, or in a mount that has no place in the file
 * system and ends with the last open file in it. -1 and errno: there is none for this user.
 */
int find_tracefs(void);

#endif
