/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_COM_TYPES_H
#define PLF_OS_COM_TYPES_H

/* The types and status codes of OSEK COM 3.0.3. */
#include "os_types.h"

typedef uint8_t MessageIdentifier;
typedef void *ApplicationDataRef;
typedef uint8_t FlagValue;
typedef uint8_t COMApplicationModeType;
typedef uint8_t COMShutdownModeType;
typedef OSServiceIdType COMServiceIdType;

enum { COM_FALSE, COM_TRUE };
enum { COM_SHUTDOWN_IMMEDIATE };

/* Values from 32 on belong to COM, and values from 48 on to the implementation. */
enum {
	E_COM_ID = 32,
	E_COM_LENGTH, /* for external messages of dynamic length, so no service here returns it */
	E_COM_LIMIT,
	E_COM_NOMSG,
	E_COM_SYS_STOPPED = 48, /* between StopCOM() and StartCOM() */
};

/* The most bytes of a message and the most receivers. Interrupts wait for all the copies. */
enum { PLF_MESSAGE_MOST = 256, PLF_RECEIVERS_MOST = 16 };

/*
 * One byte per flag, in memory of the tasks. ReadFlag_x() and ResetFlag_x() of system.h call no
 * service.
 */
extern volatile uint8_t plf_flags[];

/* Returns the service that failed, for COMErrorHook. */
COMServiceIdType COMErrorGetServiceId(void);

#endif
