/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_COM_H
#define PLF_OS_COM_H

/*
 * The services of OSEK COM 3.0.3 for messages inside a system: classes CCCA and CCCB. os.h has it
 * where the description has messages.
 *
 * All of them, in both kinds of status: E_COM_ID: no message of that number, or not one of the kind
 * that the service is for; E_OS_CORE: it is another core's; E_COM_SYS_STOPPED: after StopCOM();
 * E_OS_PARAM_POINTER: NULL; E_OS_ILLEGAL_ADDRESS: data that the caller may not read, or write, on
 * boards with protection. Extended: E_OS_DISABLEDINT as of all services.
 *
 * A call takes at most PLF_MESSAGE_MOST bytes, and as many for each receiver of what is sent; other
 * tasks and interrupts wait meanwhile.
 */
#include "os_calls.h"
#include "os_com_types.h"
#include "os_errors.h"
#include "plf_call.h"

#define COMCallback(name)                                                                          \
	void plf_callback_##name(void);                                                            \
	void plf_callback_##name(void)

#define PLF_READ_FLAG(number)  ((FlagValue)plf_flags[number])
#define PLF_RESET_FLAG(number) ((void)(plf_flags[number] = COM_FALSE))

/* Copies it to all receivers; one whose queue is full loses it, and notes that. */
static inline StatusType SendMessage(MessageIdentifier message, const void *data)
{
	return (StatusType)plf_call2(PLF_CALL_SEND_MESSAGE, message, (uintptr_t)data).status;
}

/* Of a message without data: notifies its receivers. */
static inline StatusType SendZeroMessage(MessageIdentifier message)
{
	return (StatusType)plf_call1(PLF_CALL_SEND_ZERO_MESSAGE, message).status;
}

/*
 * The last one that was sent, or the oldest of the queue. E_COM_NOMSG: the queue is empty;
 * E_COM_LIMIT: there is data, and some was lost since the last call. Resets the flag.
 */
static inline StatusType ReceiveMessage(MessageIdentifier message, ApplicationDataRef data)
{
	return (StatusType)plf_call2(PLF_CALL_RECEIVE_MESSAGE, message, (uintptr_t)data).status;
}

/* Of a queue: E_COM_NOMSG, E_COM_LIMIT: as ReceiveMessage() would. */
static inline StatusType GetMessageStatus(MessageIdentifier message)
{
	return (StatusType)plf_call1(PLF_CALL_GET_MESSAGE_STATUS, message).status;
}

/* Of a received message: it is `data`, and notifies none; or its queue is empty. */
static inline StatusType InitMessage(MessageIdentifier message, const void *data)
{
	return (StatusType)plf_call2(PLF_CALL_INIT_MESSAGE, message, (uintptr_t)data).status;
}

#if PLF_COM_EXTENSION
StatusType StartCOMExtension(void); /* of the application, in the caller's mode */
#endif

/*
 * All messages of the core have their initial values, as they had when the system began, queues are
 * empty, and flags reset. For tasks. E_COM_ID: no such mode.
 */
static inline StatusType StartCOM(COMApplicationModeType mode)
{
	StatusType status = (StatusType)plf_call1(PLF_CALL_START_COM, mode).status;

#if PLF_COM_EXTENSION
	if (status == E_OK)
		status = StartCOMExtension();
#endif
	return status;
}

/* All other services but GetCOMApplicationMode() refuse until StartCOM(). For tasks. */
static inline StatusType StopCOM(COMShutdownModeType mode)
{
	return (StatusType)plf_call1(PLF_CALL_STOP_COM, mode).status;
}

/* That of the last StartCOM(); before it the first of the description. */
static inline COMApplicationModeType GetCOMApplicationMode(void)
{
	return (COMApplicationModeType)plf_call0(PLF_CALL_GET_COM_APPLICATION_MODE).value;
}

#endif
