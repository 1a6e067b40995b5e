/* SPDX-License-Identifier: MIT */
#ifndef RUN_LOCK_DRIVER_H
#define RUN_LOCK_DRIVER_H

/* Call the driver. Returns the driver's number, or -1 and errno. A lock must exist before. */
__attribute__((warn_unused_result)) int call_driver(unsigned long request, void *argument);

#endif
