/* SPDX-License-Identifier: MIT */
/*
 * Time frames: AUTOSAR OS 4.x, Section 7.7.2. An activation, or an event for which the task waits,
 * is refused within the frame of the previous one, whatever its source.
 */
#include "plf_clock.h"
#include "timing.h"

enum { ON_BOARD = PLF_DRAW_NS > 0, FRAME_NS = 100 * US, COMES_BIT = 1 << 5 };

volatile uint32_t faults;
volatile StatusType fault;
volatile TaskType faulted;
volatile uint64_t fault_ns;

static volatile uint32_t chains;   /* number of times that PACED chains itself */
static volatile uint64_t paced_ns; /* run time of PACED before it chains */

TASK(PACED)
{
	mark('p');
	plf_spend(paced_ns);
	if (chains) {
		chains--;
		(void)ChainTask(PACED);
	}
	TerminateTask();
}

TASK(CHAINER)
{
	mark('c');
	(void)ChainTask(PACED);
	mark('!');
}

/* WAITER waits for both events, and resumes by either. */
TASK(WAITER)
{
	EventMaskType events;

	ALLOWED(WaitEvent(GO | STOP));
	ALLOWED(GetEvent(WAITER, &events));
	mark(events == GO ? 'g' : events == STOP ? 's' : 'b');
	TerminateTask();
}

static void a_frame_passes(void)
{
	plf_spend(FRAME_NS);
}

/* Exact to the nanosecond, if the kernel takes no time. */
static void by_a_task(void)
{
	ALLOWED(ActivateTask(PACED));
	ALLOWED(ActivateTask(PACED));
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	plf_spend(FRAME_NS - paced_ns - (ON_BOARD ? 20 * US : 1));
	ALLOWED(ActivateTask(PACED));
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	plf_spend(ON_BOARD ? 20 * US : 1); /* the refused activation has begun no frame */
	ALLOWED(ActivateTask(PACED));
	EXPECT(faults, 0);
	EXPECT_TRAIL("pp");
}

/*
 * The activation is late by this time after the previous frame. Its frame begins then, and not
 * before.
 */
static void late_by(uint64_t late_ns)
{
	ALLOWED(ActivateTask(PACED));
	plf_spend(FRAME_NS + late_ns);
	ALLOWED(ActivateTask(PACED));
	EXPECT(faults, 0);
	plf_spend(FRAME_NS - 20 * US);
	ALLOWED(ActivateTask(PACED));
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	plf_spend(20 * US);
	ALLOWED(ActivateTask(PACED));
	EXPECT(faults, 0);
	EXPECT_TRAIL("ppp");
	a_frame_passes();
}

static void late(void)
{
	a_frame_passes();
	late_by(FRAME_NS / 2);
	late_by(FRAME_NS);
	late_by(5 * FRAME_NS / 2);
}

/* A refused activation takes no room. An activation at the limit is no arrival. */
static void several_activations(void)
{
	a_frame_passes();
	ALLOWED(GetResource(RES_SCHEDULER));
	ALLOWED(ActivateTask(PACED));
	for (uint32_t count = 1; count < 3; count++) {
		ALLOWED(ActivateTask(PACED));
		FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
		a_frame_passes();
		ALLOWED(ActivateTask(PACED));
	}
	REFUSED(ActivateTask(PACED), E_OS_LIMIT, OSServiceId_ActivateTask);
	a_frame_passes();
	REFUSED(ActivateTask(PACED), E_OS_LIMIT, OSServiceId_ActivateTask);
	ALLOWED(ReleaseResource(RES_SCHEDULER));
	ALLOWED(ActivateTask(PACED));
	EXPECT(faults, 0);
	EXPECT_TRAIL("pppp");
}

/* The alarm's arrival is its due time, whenever the kernel handles it. */
static void by_alarms(void)
{
	TickType left = 1;

	a_frame_passes();
	ALLOWED(SetRelAlarm(CYCLE, 100, 100));
	plf_spend(250 * US);
	SuspendAllInterrupts();
	plf_spend(310 * US);
	EXPECT_TRAIL("pp");
	ALLOWED(GetAlarm(CYCLE, &left));
	EXPECT(left, 0); /* it is due, and held back */
	ResumeAllInterrupts();
	plf_spend(US); /* on sim the timer comes while a task spends time */
	EXPECT_TRAIL("ppp");
	plf_spend(100 * US);
	ALLOWED(CancelAlarm(CYCLE));
	EXPECT(faults, 0);
	EXPECT_TRAIL("p");

	a_frame_passes();
	ALLOWED(SetRelAlarm(CYCLE, 50, 50));
	plf_spend(375 * US);
	ALLOWED(CancelAlarm(CYCLE));
	FAULTED(3, E_OS_PROTECTION_ARRIVAL, MAIN);
	EXPECT_TRAIL("pppp");
}

/*
 * The service comes 80 us after the alarm that is held back, but the kernel sees the service first.
 * PACED then lets the alarm through.
 */
static void by_an_alarm_of_before(void)
{
	a_frame_passes();
	ALLOWED(SetRelAlarm(CYCLE, 20, 0));
	SuspendAllInterrupts();
	plf_spend(100 * US);
	ALLOWED(ActivateTask(PACED));
	ResumeAllInterrupts();
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, PACED);
	ALLOWED(ActivateTask(PACED)); /* time is current again after the alarms */
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	plf_spend(99 * US);
	ALLOWED(ActivateTask(PACED));
	EXPECT(faults, 0);
	EXPECT_TRAIL("pp");
}

static void by_calls(void)
{
	a_frame_passes();
	ALLOWED(SetRelAlarm(SOFT, 1, 1));
	ALLOWED(IncrementCounter(CALLS));
	ALLOWED(IncrementCounter(CALLS));
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	a_frame_passes();
	ALLOWED(IncrementCounter(CALLS));
	ALLOWED(CancelAlarm(SOFT));
	a_frame_passes();
	EXPECT(SendZeroMessage(SENT), E_OK);
	EXPECT(SendZeroMessage(SENT), E_OK);
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	EXPECT_TRAIL("ppp");
}

static void by_a_table(void)
{
	a_frame_passes();
	ALLOWED(StartScheduleTableRel(TWICE, 100));
	plf_spend(400 * US);
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	EXPECT_TRAIL("p");
}

/* The points of a table arrive at their due times, too, even if both are held back. */
static void by_a_late_table(void)
{
	a_frame_passes();
	ALLOWED(StartScheduleTableRel(APART, 100));
	SuspendAllInterrupts();
	plf_spend(320 * US);
	ResumeAllInterrupts();
	plf_spend(US); /* on sim the timer comes while a task spends time */
	EXPECT(faults, 0);
	EXPECT_TRAIL("pp");
	a_frame_passes();
}

static void by_a_handler(void)
{
	a_frame_passes();
	raise_interrupts(COMES_BIT);
	plf_spend(US);
	raise_interrupts(COMES_BIT);
	plf_spend(US);
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	EXPECT_TRAIL("ipi");
}

/* The caller ends even if the activation is refused. */
static void by_chain(void)
{
	a_frame_passes();
	ALLOWED(ActivateTask(CHAINER));
	ALLOWED(ActivateTask(CHAINER));
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, CHAINER);
	a_frame_passes();
	ALLOWED(ActivateTask(CHAINER));
	EXPECT(faults, 0);
	EXPECT_TRAIL("cpccp");
}

static void by_itself(void)
{
	a_frame_passes();
	paced_ns = FRAME_NS;
	chains = 2;
	ALLOWED(ActivateTask(PACED));
	EXPECT(faults, 0);
	EXPECT_TRAIL("ppp");
	a_frame_passes();
	paced_ns = US;
	chains = 1;
	ALLOWED(ActivateTask(PACED));
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, PACED);
	EXPECT_TRAIL("p");
}

/* ---- Events for which it waits --------------------------------------------------------- */

static void is_waiting(EventMaskType expected)
{
	EventMaskType events;
	TaskStateType state;

	ALLOWED(GetTaskState(WAITER, &state));
	EXPECT(state, WAITING);
	ALLOWED(GetEvent(WAITER, &events));
	EXPECT(events, expected);
}

/* An event that comes too early is set. The next event releases the task. */
static void by_an_event(void)
{
	ALLOWED(ActivateTask(WAITER));
	ALLOWED(SetEvent(WAITER, GO));
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	is_waiting(GO);
	plf_spend(40 * US);
	is_waiting(GO);
	ALLOWED(SetEvent(WAITER, STOP));
	EXPECT_TRAIL("b");
	ALLOWED(ActivateTask(WAITER)); /* within the frame of the event */
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	plf_spend(40 * US);
}

static void by_the_event_of_an_alarm(void)
{
	ALLOWED(ActivateTask(WAITER));
	ALLOWED(SetRelAlarm(EVENTS, 20, 0));
	plf_spend(30 * US);
	FAULTED(1, E_OS_PROTECTION_ARRIVAL, MAIN);
	is_waiting(GO);
	ALLOWED(SetRelAlarm(EVENTS, 20, 0));
	plf_spend(30 * US);
	EXPECT(faults, 0);
	EXPECT_TRAIL("g");
	plf_spend(40 * US);
}

/* The task does not wait, so the event is no arrival. */
static void by_an_event_of_before(void)
{
	ALLOWED(GetResource(RES_SCHEDULER));
	ALLOWED(ActivateTask(WAITER));
	ALLOWED(SetEvent(WAITER, STOP));
	ALLOWED(ReleaseResource(RES_SCHEDULER));
	EXPECT(faults, 0);
	EXPECT_TRAIL("s");
}

TASK(MAIN)
{
	paced_ns = US;
	by_a_task();
	late();
	by_alarms();
	by_an_alarm_of_before();
	by_calls();
	by_a_table();
	by_a_late_table();
	by_a_handler();
	by_chain();
	several_activations(); /* no refused activation kept a room */
	by_itself();
	several_activations();
	by_an_event();
	by_the_event_of_an_alarm();
	by_an_event_of_before();
	ShutdownOS(E_OK);
}
