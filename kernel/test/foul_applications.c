/* SPDX-License-Identifier: MIT */
/*
 * The data of an application are for its tasks. A task of another application cannot read, write or
 * execute them, neither itself nor through the kernel. This holds for data of the application's
 * files, and for marked data.
 */
#include "foul_applications.h"

volatile uint32_t faults;
volatile StatusType fault;

volatile uint32_t work_marked APPLICATION_DATA(WORK);
volatile uint32_t safe_marked APPLICATION_DATA(SAFE) = SAFES;

static const volatile void *volatile target;
static void (*volatile attempted)(void);
static volatile bool survived;

static void load(void)
{
	(void)*(volatile char *)wild(target);
}

static void store(void)
{
	*(volatile char *)wild(target) = 0x2a;
}

static void jump(void)
{
	((void (*)(void))(uintptr_t)wild(target))();
}

/* The kernel refuses to read or write there for the task. */
static void refused(void)
{
	char *address = wild(target);

	EXPECT(WriteConsole(address, 1), E_OS_ILLEGAL_ADDRESS);
	EXPECT(WriteConsole(address - 1, 4), E_OS_ILLEGAL_ADDRESS);
	EXPECT(SendMessage(NEWS, address), E_OS_ILLEGAL_ADDRESS);
	EXPECT(ReceiveMessage(NEWS_LAST, address), E_OS_ILLEGAL_ADDRESS);
	EXPECT(InitMessage(NEWS_LAST, address), E_OS_ILLEGAL_ADDRESS);
	if (PLF_EXTENDED_STATUS) {
		EXPECT(GetTaskID((TaskRefType)address), E_OS_ILLEGAL_ADDRESS);
		EXPECT(GetTaskState(FOUL, (TaskStateRefType)address), E_OS_ILLEGAL_ADDRESS);
	}
}

static void attempt(void)
{
	attempted();
	survived = true;
	(void)TerminateTask();
}

TASK(FOUL)
{
	attempt();
}

/* A task of TEST, which has no data, although it is trusted. */
TASK(STRANGER)
{
	attempt();
}

static void try_by(TaskType task, void (*does)(void), const volatile void *address, uint32_t ends)
{
	uint32_t before = faults;

	mark('0' + task);
	attempted = does;
	target = address;
	survived = false;
	EXPECT(ActivateTask(task), E_OK);
	EXPECT(faults, before + ends);
	EXPECT(survived, !ends);
	EXPECT(ends ? fault : E_OK, ends ? E_OS_PROTECTION_MEMORY : E_OK);
	EXPECT(ActivateTask(VICTIM), E_OK);
	EXPECT(faults, before + ends); /* VICTIM makes no fault */
}

static void try(TaskType task, const volatile void *address)
{
	try_by(task, load, address, 1);
	try_by(task, store, address, 1);
	try_by(task, jump, address, 1);
	try_by(task, refused, address, 0);
}

static void works(void)
{
	EXPECT(work_value, WORKS + work_marked);
	work_value++;
	work_marked++;
	work_zeros[MANY - 1]++;
}

static void try_all(void)
{
	const volatile void *const addresses[] = {
		&safe_value,
		&safe_zeros[0],
		&safe_zeros[MANY - 1],
		&safe_marked,
		safe_hidden,
		plf_application_low_SAFE,
		wild(plf_application_high_SAFE) - 4,
	};

	for (unsigned i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		try(FOUL, addresses[i]);
		try(STRANGER, addresses[i]);
	}
	try(STRANGER, &work_value);
	try(STRANGER, &work_zeros[MANY / 2]);
	try(STRANGER, &work_marked);
}

TASK(WITNESS)
{
	for (unsigned round = 0; round < 3; round++) {
		try_by(FOUL, works, NULL, 0);
		test.marks = 0;
		EXPECT(ActivateTask(PEER), E_OK);
		EXPECT_TRAIL("p");
		try_all();
		test.marks = 0;
		if (round % 2 == 0) {
			EXPECT(TerminateApplication(WORK, RESTART), E_OK);
			EXPECT_TRAIL("r");
		}
	}
	ShutdownOS(E_OK);
}
