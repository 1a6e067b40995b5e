/* SPDX-License-Identifier: MIT */
/* Messages (OSEK COM 3.0.3): the services, their statuses, and the notifications of receivers. */
#include "messages.h"
#include "check.h"

struct seen seen;
static uint32_t extended; /* calls of StartCOMExtension */
static StatusType answer; /* answer of the next call */
static struct shape shape;

TASK(READER)
{
	mark('r');
	TerminateTask();
}

TASK(WAITER)
{
	for (;;) {
		ALLOWED(WaitEvent(NEWS));
		ALLOWED(ClearEvent(NEWS));
		mark('w');
	}
}

StatusType StartCOMExtension(void)
{
	StatusType status = answer;
	uint32_t speed = 70;

	extended++;
	answer = E_OK;
	ALLOWED(InitMessage(SPEED_LAST, &speed));
	return status;
}

static void send(uint32_t speed)
{
	ALLOWED(SendMessage(SPEED, &speed));
}

static uint32_t last(void)
{
	uint32_t speed = 0;

	ALLOWED(ReceiveMessage(SPEED_LAST, &speed));
	return speed;
}

/* Receive the oldest message of SPEED_QUEUE, or expect an error and this value. */
static void received(StatusType status, uint32_t expected)
{
	uint32_t speed = 1000;

	if (status == E_OK)
		ALLOWED(ReceiveMessage(SPEED_QUEUE, &speed));
	else
		REFUSED(ReceiveMessage(SPEED_QUEUE, &speed), status, COMServiceId_ReceiveMessage);
	EXPECT(speed, expected);
}

static void in_queue(StatusType status)
{
	if (status == E_OK)
		ALLOWED(GetMessageStatus(SPEED_QUEUE));
	else
		REFUSED(GetMessageStatus(SPEED_QUEUE), status, COMServiceId_GetMessageStatus);
}

/* Valid also before StartCOM(). */
static void initial(void)
{
	EXPECT(last(), 7);
	received(E_COM_NOMSG, 1000);
	EXPECT(seen.com_errors, test.errors + 4);
	in_queue(E_COM_NOMSG);
	EXPECT(ReadFlag_SHAPED(), COM_FALSE);
	EXPECT(GetCOMApplicationMode(), NORMAL);
	ALLOWED(ReceiveMessage(SHAPE_LAST, &shape));
	EXPECT(shape.corner[0] | shape.corner[sizeof(shape) - 1], 0);
}

/*
 * Each receiver has a separate copy. An unqueued receiver gets the last message, and may read it
 * again.
 */
static void to_all(void)
{
	send(1);
	EXPECT_TRAIL("rw");
	EXPECT(last(), 1);
	EXPECT(last(), 1);
	send(2);
	EXPECT(last(), 2);
	EXPECT_TRAIL("r"); /* the other receiver's queue is full, so it is not notified */
	in_queue(E_OK);
	received(E_OK, 1);
	received(E_OK, 2);
	received(E_COM_NOMSG, 1000);
}

/*
 * The oldest message is first. A message without a place is lost. The next call reports the loss,
 * once.
 */
static void overflows(void)
{
	for (uint32_t speed = 10; speed < 15; speed++)
		send(speed);
	EXPECT_TRAIL("rrr");
	EXPECT(last(), 14);
	in_queue(E_COM_LIMIT);
	REFUSED(ReceiveMessage(SPEED_QUEUE, NULL), E_OS_PARAM_POINTER, COMServiceId_ReceiveMessage);
	in_queue(E_COM_LIMIT);
	received(E_COM_LIMIT, 10);
	in_queue(E_OK);
	received(E_OK, 11);
	send(15);
	send(16);
	received(E_OK, 12);
	received(E_OK, 15); /* wraps around the end of the memory */
	send(17);
	received(E_OK, 16);
	received(E_OK, 17);
	received(E_COM_NOMSG, 1000);
	in_queue(E_COM_NOMSG);
	EXPECT_TRAIL("rrr");
}

static void initialised(void)
{
	uint32_t speed = 30;

	for (uint32_t i = 0; i < 4; i++)
		send(i);
	in_queue(E_COM_LIMIT);
	ALLOWED(InitMessage(SPEED_QUEUE, &speed));
	in_queue(E_COM_NOMSG);
	send(31);
	in_queue(E_OK);
	received(E_OK, 31);
	EXPECT_TRAIL("rrrr");
	ALLOWED(InitMessage(SPEED_LAST, &speed));
	EXPECT(last(), 30);
	EXPECT_TRAIL(""); /* no receiver is notified */
}

/* All bytes arrive. ReceiveMessage() also resets the flag. */
static void large(void)
{
	struct shape read;

	for (unsigned i = 0; i < sizeof(shape); i++)
		shape.corner[i] = (uint8_t)(i ^ 0xa5);
	ALLOWED(SendMessage(SHAPE, &shape));
	EXPECT_TRAIL("crw");
	EXPECT(seen.shaped, 1);
	EXPECT(seen.corner, 0xff ^ 0xa5);
	EXPECT(ReadFlag_SHAPED(), COM_TRUE);
	REFUSED(ReceiveMessage(SHAPE_LAST, NULL), E_OS_PARAM_POINTER, COMServiceId_ReceiveMessage);
	EXPECT(ReadFlag_SHAPED(), COM_TRUE);
	ALLOWED(ReceiveMessage(SHAPE_LAST, &read));
	EXPECT(ReadFlag_SHAPED(), COM_FALSE);
	for (unsigned i = 0; i < sizeof(read); i++)
		EXPECT(read.corner[i], (i ^ 0xa5) & 0xff);
	ALLOWED(SendMessage(SHAPE, &shape));
	EXPECT(ReadFlag_SHAPED(), COM_TRUE);
	EXPECT(ReadFlag_PINGED(), COM_FALSE);
	ResetFlag_SHAPED();
	EXPECT(ReadFlag_SHAPED(), COM_FALSE);
	EXPECT_TRAIL("crw");
}

static void without_data(void)
{
	ALLOWED(SendZeroMessage(PING));
	EXPECT_TRAIL("r");
	EXPECT(ReadFlag_PINGED(), COM_TRUE);
	ResetFlag_PINGED();
	ALLOWED(SendMessage(LONELY, "x"));
	EXPECT_TRAIL("");
}

/* Each service is for a single kind of message. */
static void wrong_kind(void)
{
	uint32_t data[64] = { 0 };

	REFUSED(SendMessage(SPEED_LAST, data), E_COM_ID, COMServiceId_SendMessage);
	EXPECT(seen.message, SPEED_LAST);
	REFUSED(SendMessage(PING, data), E_COM_ID, COMServiceId_SendMessage);
	REFUSED(SendMessage(PLF_MESSAGES, data), E_COM_ID, COMServiceId_SendMessage);
	REFUSED(SendMessage(255, data), E_COM_ID, COMServiceId_SendMessage);
	REFUSED(SendZeroMessage(SPEED), E_COM_ID, COMServiceId_SendZeroMessage);
	REFUSED(SendZeroMessage(PONG), E_COM_ID, COMServiceId_SendZeroMessage);
	REFUSED(SendZeroMessage(PLF_SENT_MESSAGES), E_COM_ID, COMServiceId_SendZeroMessage);
	REFUSED(SendZeroMessage(PLF_MESSAGES), E_COM_ID, COMServiceId_SendZeroMessage);
	REFUSED(ReceiveMessage(SPEED, data), E_COM_ID, COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(PONG, data), E_COM_ID, COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(PLF_MESSAGES, data), E_COM_ID, COMServiceId_ReceiveMessage);
	REFUSED(GetMessageStatus(SPEED), E_COM_ID, COMServiceId_GetMessageStatus);
	REFUSED(GetMessageStatus(SPEED_LAST), E_COM_ID, COMServiceId_GetMessageStatus);
	REFUSED(GetMessageStatus(PONG), E_COM_ID, COMServiceId_GetMessageStatus);
	REFUSED(GetMessageStatus(PLF_MESSAGES), E_COM_ID, COMServiceId_GetMessageStatus);
	REFUSED(InitMessage(SPEED, data), E_COM_ID, COMServiceId_InitMessage);
	REFUSED(InitMessage(PONG, data), E_COM_ID, COMServiceId_InitMessage);
	REFUSED(InitMessage(PLF_MESSAGES, data), E_COM_ID, COMServiceId_InitMessage);
	REFUSED(StartCOM(2), E_COM_ID, COMServiceId_StartCOM);
	REFUSED(StopCOM(1), E_COM_ID, COMServiceId_StopCOM);
	EXPECT_TRAIL("");
}

/* The number is checked first, then the pointer. No message is taken, sent or initialised. */
static void wrong_pointers(void)
{
	uint32_t com_errors = seen.com_errors;

	send(40);
	EXPECT_TRAIL("r");
	REFUSED(SendMessage(SPEED, NULL), E_OS_PARAM_POINTER, COMServiceId_SendMessage);
	REFUSED(SendMessage(PING, NULL), E_COM_ID, COMServiceId_SendMessage);
	REFUSED(ReceiveMessage(SPEED_QUEUE, NULL), E_OS_PARAM_POINTER, COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(SPEED_LAST, NULL), E_OS_PARAM_POINTER, COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(SPEED, NULL), E_COM_ID, COMServiceId_ReceiveMessage);
	REFUSED(InitMessage(SPEED_LAST, NULL), E_OS_PARAM_POINTER, COMServiceId_InitMessage);
	EXPECT(seen.com_errors, com_errors + 6);
	EXPECT(last(), 40);
	received(E_OK, 40);
	received(E_COM_NOMSG, 1000);
}

/* The notification is a service of OSEK OS, so ErrorHook gets its errors. The message is there. */
static void too_many_activations(void)
{
	uint32_t com_errors = seen.com_errors;

	ALLOWED(InitMessage(HANDED_ON, NULL));
	raise_interrupts(1 << 5); /* an activation each for 55, 56 and PING */
	EXPECT_TRAIL("ierr");
	EXPECT(seen.com_errors, com_errors + 3);
	EXPECT(seen.handled, 55);
	ALLOWED(ReceiveMessage(HANDED_ON, &seen.handled));
	EXPECT(seen.handled, 56);
	EXPECT(ReadFlag_PINGED(), COM_TRUE);
}

static void held_back(void)
{
	uint32_t speed = 90;

	if (!PLF_EXTENDED_STATUS)
		return;
	DisableAllInterrupts();
	REFUSED(SendMessage(SPEED, &speed), E_OS_DISABLEDINT, COMServiceId_SendMessage);
	REFUSED(ReceiveMessage(SPEED_LAST, &speed), E_OS_DISABLEDINT, COMServiceId_ReceiveMessage);
	EnableAllInterrupts();
	EXPECT(speed, 90);
}

/* All is as at the start. Then the extension runs, and its answer is that of StartCOM(). */
static void started_again(void)
{
	send(50);
	EXPECT_TRAIL("r");
	ALLOWED(SendMessage(SHAPE, &shape));
	EXPECT_TRAIL("crw");
	answer = E_COM_SYS_STOPPED + 1;
	EXPECT(StartCOM(REPAIR), E_COM_SYS_STOPPED + 1);
	EXPECT(extended, 1);
	EXPECT(GetCOMApplicationMode(), REPAIR);
	in_queue(E_COM_NOMSG);
	EXPECT(ReadFlag_SHAPED(), COM_FALSE);
	EXPECT(last(), 70);
	ALLOWED(ReceiveMessage(SHAPE_LAST, &shape));
	EXPECT(shape.corner[0] | shape.corner[sizeof(shape) - 1], 0);
	ALLOWED(StartCOM(NORMAL));
	EXPECT(GetCOMApplicationMode(), NORMAL);
	send(51);
	EXPECT_TRAIL("rw");
}

static void stopped(void)
{
	uint32_t speed = 60;

	ALLOWED(StopCOM(COM_SHUTDOWN_IMMEDIATE));
	REFUSED(SendMessage(SPEED, &speed), E_COM_SYS_STOPPED, COMServiceId_SendMessage);
	REFUSED(SendMessage(PING, &speed), E_COM_ID, COMServiceId_SendMessage);
	REFUSED(SendZeroMessage(PING), E_COM_SYS_STOPPED, COMServiceId_SendZeroMessage);
	REFUSED(ReceiveMessage(SPEED_LAST, &speed), E_COM_SYS_STOPPED, COMServiceId_ReceiveMessage);
	in_queue(E_COM_SYS_STOPPED);
	REFUSED(InitMessage(SPEED_LAST, &speed), E_COM_SYS_STOPPED, COMServiceId_InitMessage);
	EXPECT(GetCOMApplicationMode(), NORMAL);
	EXPECT_TRAIL("");
	ALLOWED(StartCOM(NORMAL));
	in_queue(E_COM_NOMSG);
	EXPECT(last(), 70);
}

TASK(MAIN)
{
	initial();
	to_all();
	overflows();
	initialised();
	large();
	without_data();
	wrong_kind();
	wrong_pointers();
	too_many_activations();
	held_back();
	started_again();
	stopped();
	ShutdownOS(E_OK);
}
