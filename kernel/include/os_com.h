/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_COM_H
#define PLF_OS_COM_H

/*
 * The services of OSEK COM 3.0.3 for messages inside a system: classes CCCA and CCCB. os.h includes
 * this file if the description has messages.
 *
 * Errors of all services, in both kinds of status: E_COM_ID: no such message, or the service is for
 * another kind of message. E_OS_CORE: it belongs to another core. E_COM_SYS_STOPPED: after
 * StopCOM(). E_OS_PARAM_POINTER: NULL. E_OS_ILLEGAL_ADDRESS: the caller may not read or write the
 * data, on boards with protection. Extended: E_OS_DISABLEDINT, as for all services.
 *
 * A call copies at most PLF_MESSAGE_MOST bytes, for a send once per receiver. Other tasks and
 * interrupts wait meanwhile.
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

/*
 * Copies the message to all receivers. A receiver with a full queue loses the message and notes the
 * loss.
 */
static inline StatusType SendMessage(MessageIdentifier message, const void *data)
{
	return (StatusType)plf_call2(PLF_CALL_SEND_MESSAGE, message, (uintptr_t)data).status;
}

/* For a message without data: notifies its receivers. */
static inline StatusType SendZeroMessage(MessageIdentifier message)
{
	return (StatusType)plf_call1(PLF_CALL_SEND_ZERO_MESSAGE, message).status;
}

/*
 * Copies the last message sent, or the oldest message of the queue, and resets the flag.
 * E_COM_NOMSG: the queue is empty. E_COM_LIMIT: there is data, but messages were lost since the
 * last call.
 */
static inline StatusType ReceiveMessage(MessageIdentifier message, ApplicationDataRef data)
{
	return (StatusType)plf_call2(PLF_CALL_RECEIVE_MESSAGE, message, (uintptr_t)data).status;
}

/* For a queue: E_COM_NOMSG or E_COM_LIMIT as ReceiveMessage() would return. */
static inline StatusType GetMessageStatus(MessageIdentifier message)
{
	return (StatusType)plf_call1(PLF_CALL_GET_MESSAGE_STATUS, message).status;
}

/* For a received message: sets it to `data` without notification, or empties its queue. */
static inline StatusType InitMessage(MessageIdentifier message, const void *data)
{
	return (StatusType)plf_call2(PLF_CALL_INIT_MESSAGE, message, (uintptr_t)data).status;
}

#if PLF_COM_EXTENSION
StatusType StartCOMExtension(void); /* of the application, in the caller's mode */
#endif

/*
 * Resets all messages of the core to their initial values, empties queues and resets flags. For
 * tasks. E_COM_ID: no such mode.
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

/* Until StartCOM(), all other services except GetCOMApplicationMode() refuse. For tasks. */
static inline StatusType StopCOM(COMShutdownModeType mode)
{
	return (StatusType)plf_call1(PLF_CALL_STOP_COM, mode).status;
}

/* The mode of the last StartCOM(), or the description's first mode before that. */
static inline COMApplicationModeType GetCOMApplicationMode(void)
{
	return (COMApplicationModeType)plf_call0(PLF_CALL_GET_COM_APPLICATION_MODE).value;
}

#endif
