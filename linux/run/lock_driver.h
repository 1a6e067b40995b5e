/* SPDX-License-Identifier: MIT */
#ifndef RUN_LOCK_DRIVER_H
#define RUN_LOCK_DRIVER_H

/* A call of the driver: the number that it returned, or -1 and errno. A lock was created before. */
__attribute__((warn_unused_result)) int call_driver(unsigned long request, void *argument);

#endif
