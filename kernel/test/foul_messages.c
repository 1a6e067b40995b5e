/* SPDX-License-Identifier: MIT */
/*
 * A task asks the kernel to copy from memory that it may not read, and to memory that it may not
 * write. All calls are refused, and no byte moves. Numbers may have any value, too.
 */
#include "foul.h"

DeclareTask(FOUL);
enum { SIZE = 256 };
volatile uint32_t faults;
volatile StatusType fault;

static char secret[SIZE] TASK_DATA(VICTIM);
static char own[3 * SIZE] TASK_DATA(FOUL);
static char shared[SIZE];
static const char constant[SIZE] = "constant";

TASK(VICTIM)
{
	for (unsigned i = 0; i < SIZE; i++)
		secret[i] = 'S';
	TerminateTask();
}

/* A call as a foul task makes it: with all bits of the number. */
static StatusType called(unsigned service, uintptr_t id, const volatile void *data)
{
	return (StatusType)plf_call2(service, id, (uintptr_t)data).status;
}

static void nothing_moved(void)
{
	EXPECT(ReadFlag_CAME(), COM_FALSE);
	ALLOWED(ReceiveMessage(WIDE_LAST, shared));
	for (unsigned i = 0; i < SIZE; i++)
		EXPECT(shared[i], 'F');
}

static void refused_source(const volatile void *data)
{
	mark('s'); /* for the report: the number of marks is the number of refusals */
	REFUSED(SendMessage(WIDE, wild(data)), E_OS_ILLEGAL_ADDRESS, COMServiceId_SendMessage);
	REFUSED(InitMessage(WIDE_LAST, wild(data)), E_OS_ILLEGAL_ADDRESS, COMServiceId_InitMessage);
}

static void refused_target(const volatile void *data)
{
	mark('t');
	REFUSED(ReceiveMessage(WIDE_LAST, wild(data)), E_OS_ILLEGAL_ADDRESS,
		COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(WIDE_QUEUE, wild(data)), E_OS_ILLEGAL_ADDRESS,
		COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(BYTE_LAST, wild(data)), E_OS_ILLEGAL_ADDRESS,
		COMServiceId_ReceiveMessage);
}

static void refused(const volatile void *data)
{
	refused_source(data);
	refused_target(data);
}

static void refused_at(uintptr_t address)
{
	refused((const void *)address);
}

static void refused_addresses(void)
{
	enum { GIC = 0x08000000, SERIAL = 0x09000000 };
	char text[SIZE];

	refused(secret);
	refused(plf_stack_low_VICTIM);
	refused(wild(plf_stack_high_VICTIM) - SIZE);
	refused(plf_tasks);
	refused(plf_cores);
	refused(plf_isr_config);
	refused((const void *)(uintptr_t)plf_system_call);
	refused(plf_tables);
	refused(wild(plf_stack_low_FOUL) - SIZE);
	refused_at(GIC);
	refused_at(SERIAL);
	refused_at(1);
	refused_at(UINTPTR_MAX);
	refused_at(UINT64_C(1) << 31);
	refused_at(UINT64_C(0xffff) << 48);
	refused_at((uintptr_t)text | UINT64_C(1) << 56);
	refused_at((uintptr_t)text | UINT64_C(1) << 40);
	refused_at(UINTPTR_MAX - SIZE + 1); /* up to the last address */
	refused_target(constant);
	refused_target((const void *)(uintptr_t)plf_task_FOUL);
}

/* Memory of which only a part may be read or written. */
static void refused_at_ends(void)
{
	char *low = wild(plf_stack_low_FOUL), *high = wild(plf_stack_high_FOUL);

	refused_source(low - 1);
	refused_source(high - SIZE + 1);
	REFUSED(ReceiveMessage(WIDE_LAST, low - 1), E_OS_ILLEGAL_ADDRESS,
		COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(WIDE_LAST, high - SIZE + 1), E_OS_ILLEGAL_ADDRESS,
		COMServiceId_ReceiveMessage);
	REFUSED(ReceiveMessage(BYTE_LAST, low - 1), E_OS_ILLEGAL_ADDRESS,
		COMServiceId_ReceiveMessage);
	ALLOWED(ReceiveMessage(WIDE_LAST, low));
	EXPECT(low[0], 'F');
	EXPECT(low[SIZE - 1], 'F');
	ALLOWED(ReceiveMessage(BYTE_LAST, low));
	EXPECT(low[0], 'B');
	EXPECT(low[1], 'F');
}

static void refused_numbers(void)
{
	static const uintptr_t numbers[] = {
		PLF_MESSAGES,	   255,		256 + WIDE,  256 + WIDE_QUEUE, UINT32_MAX,
		UINT64_C(1) << 32, UINTPTR_MAX, PTRDIFF_MAX, (uintptr_t)-1,    UINT64_C(1) << 63,
	};
	static const OSServiceIdType services[] = {
		PLF_CALL_SEND_MESSAGE,	     PLF_CALL_RECEIVE_MESSAGE, PLF_CALL_SEND_ZERO_MESSAGE,
		PLF_CALL_GET_MESSAGE_STATUS, PLF_CALL_INIT_MESSAGE,    PLF_CALL_START_COM,
		PLF_CALL_STOP_COM,
	};

	for (unsigned i = 0; i < sizeof(services) / sizeof(*services); i++)
		for (unsigned j = 0; j < sizeof(numbers) / sizeof(*numbers); j++)
			REFUSED(called(services[i], numbers[j], own), E_COM_ID, services[i]);
	REFUSED(called(PLF_CALL_START_COM, 256, own), E_COM_ID, COMServiceId_StartCOM);
	REFUSED(called(PLF_CALL_STOP_COM, 256, own), E_COM_ID, COMServiceId_StopCOM);
}

TASK(FOUL)
{
	for (unsigned i = 0; i < SIZE; i++)
		own[SIZE + i] = 'F';
	ALLOWED(SendMessage(WIDE, &own[SIZE]));
	ALLOWED(InitMessage(WIDE_QUEUE, NULL));
	ResetFlag_CAME();
	refused_addresses();
	refused_numbers();
	nothing_moved();
	refused_at_ends();
	REFUSED(GetMessageStatus(WIDE_QUEUE), E_COM_NOMSG, COMServiceId_GetMessageStatus);
	ALLOWED(SendMessage(WIDE, constant));
	ALLOWED(ReceiveMessage(WIDE_QUEUE, own));
	EXPECT(own[0], 'c');
	EXPECT(own[SIZE - 1], 0);
	EXPECT(own[SIZE], 'F'); /* the byte after it */
	EXPECT(faults, 0);
	ShutdownOS(E_OK);
}
