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

/* From 32 on they are COM's, and from 48 on the implementation's. */
enum {
	E_COM_ID = 32,
	E_COM_LENGTH, /* of messages of dynamic length, which are external: of no service here */
	E_COM_LIMIT,
	E_COM_NOMSG,
	E_COM_SYS_STOPPED = 48, /* between StopCOM() and StartCOM() */
};

/* Bytes of a message, and how many receivers it has at most: interrupts wait for all the copies. */
enum { PLF_MESSAGE_MOST = 256, PLF_RECEIVERS_MOST = 16 };

/* A byte each, in memory of the tasks: ReadFlag_x() and ResetFlag_x() of system.h call no service.
 */
extern volatile uint8_t plf_flags[];

/* The service that failed, for COMErrorHook. */
COMServiceIdType COMErrorGetServiceId(void);

#endif
