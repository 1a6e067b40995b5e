/* SPDX-License-Identifier: MIT */
/*
 * Several claims at once: of two servers without the core, and of two tasks of a server. A task
 * that waits for a budget finds it used up by other tasks. Paybacks happen more than once, or late.
 */
#include "server_budget.h"

enum { US = 1000, SLACK = 15 * US /* overhead of the kernel, on a board */ };
enum { PERIOD = 1000 * US, OF_MID = 900 * US, OF_LOW = 500 * US };

static void (*volatile h)(void); /* bodies of the tasks */
static void (*volatile x)(void);
static void (*volatile y)(void);

static volatile ResourceType asked; /* resource that X asks for */
static volatile uint64_t asked_ns, entered_ns;
static volatile uint64_t due_ns; /* time of the alarm for Y */

/* Wait for the begin of a period of all servers. */
static void await_period(void)
{
	do
		await_budget(LOW);
	while (plf_user_now_ns() % PERIOD > PERIOD / 4);
}

static void spends_most(void)
{
	plf_spend(190 * US);
}

TASK(T)
{
	mark('t');
	if (h == spends_most)
		spends_most();
	TerminateTask();
}

TASK(H)
{
	mark('h');
	if (h)
		h();
	TerminateTask();
}

TASK(X)
{
	x();
	TerminateTask();
}

TASK(Y)
{
	y();
	TerminateTask();
}

TASK(Z)
{
	ALLOWED(ActivateTask(H));
	mark('z');
	TerminateTask();
}

/* ---- Claims of two servers --------------------------------------------------------- */

static void marks(void)
{
	mark('x');
}

/* T preempts MAIN inside. When H has ended, MAIN's claim keeps X out. */
static void claims_too(void)
{
	ALLOWED(GetResource(G3));
	ALLOWED(ActivateTask(T));
	ALLOWED(ActivateTask(X));
	mark('i');
	ALLOWED(ReleaseResource(G3));
	mark('j');
}

static void two_servers(void)
{
	await_period();
	x = marks;
	h = claims_too;
	ALLOWED(GetResource(G2));
	ALLOWED(ActivateTask(H));
	mark('m');
	ALLOWED(ReleaseResource(G2));
	EXPECT_TRAIL("htijmx");
	h = NULL;
}

/* Only the inner section keeps H out, which does not wait for the end of the outer section. */
static void inner_of_two(void)
{
	await_period();
	ALLOWED(GetResource(G2));
	ALLOWED(GetResource(G3));
	ALLOWED(ActivateTask(H));
	mark('1');
	ALLOWED(ReleaseResource(G3));
	mark('2');
	ALLOWED(ReleaseResource(G2));
	EXPECT_TRAIL("1h2");
}

/* ---- Claims of two tasks of a server -------------------------------------------------- */

/* The ceiling of this section is lower than that of X's section, which keeps H out all the same. */
static void claims_less(void)
{
	ALLOWED(GetResource(G2));
	ALLOWED(ActivateTask(Z));
	ALLOWED(ActivateTask(H));
	mark('y');
	ALLOWED(ReleaseResource(G2));
	mark('v');
}

static void claims_more(void)
{
	ALLOWED(GetResource(G3));
	ALLOWED(ActivateTask(Y));
	mark('x');
	ALLOWED(ReleaseResource(G3));
	mark('w');
}

static void two_tasks(void)
{
	await_period();
	x = claims_more;
	y = claims_less;
	ALLOWED(ActivateTask(X));
	EXPECT_TRAIL("zyvxhhw");
}

/*
 * A section nested in a section of its server begins at once, because the budget covers the outer
 * section.
 */
static void enters(void)
{
	uint64_t before_ns = plf_user_now_ns();

	ALLOWED(GetResource(G2));
	CHECK(plf_user_now_ns() - before_ns < SLACK);
	ALLOWED(ReleaseResource(G2));
	mark('y');
}

static void is_inside_with_little(void)
{
	use_up_to(MID, 115 * US);
	ALLOWED(GetResource(G3));
	plf_spend(30 * US);
	ALLOWED(ActivateTask(Y));
	ALLOWED(ReleaseResource(G3));
}

static void one_in_another(void)
{
	await_period();
	x = is_inside_with_little;
	y = enters;
	ALLOWED(ActivateTask(X));
	EXPECT_TRAIL("y");
}

/* ---- Waits ---------------------------------------------------------------------------- */

/* Use most of the budget for which X waits. */
static void uses_the_next_one(void)
{
	await_budget(MID);
	use_up_to(MID, 80 * US);
	mark('n');
}

/* After its wait X claims, too: G3 keeps H out. */
static void asks(void)
{
	await_budget(MID);
	asked_ns = plf_user_now_ns();
	use_up_to(MID, 90 * US);
	due_ns = plf_user_now_ns() + 300 * US;
	if (y != uses_the_next_one)
		ALLOWED(SetRelAlarm(TO_Y, 300, 0));
	ALLOWED(GetResource(asked));
	entered_ns = plf_user_now_ns();
	ALLOWED(ActivateTask(H));
	mark('x');
	ALLOWED(ReleaseResource(asked));
	mark('w');
}

/* X begins, and waits. Then it asks once more. */
static void let_it_ask(ResourceType resource)
{
	await_period();
	asked = resource;
	x = asks;
	ALLOWED(ActivateTask(X));
	while (asked_ns <= entered_ns)
		plf_spend(US);
}

/* X waits, and resumes after that number of periods of its server. */
static void goes_on_after(unsigned periods)
{
	while (entered_ns <= asked_ns)
		plf_spend(US);
	CHECK(entered_ns - asked_ns > periods * OF_MID - SLACK);
	CHECK(entered_ns - asked_ns < periods * OF_MID + SLACK);
}

static void await_a_mark(void)
{
	while (test.marks == 0)
		plf_spend(US);
}

static void notes(void)
{
	mark('n');
	CHECK(plf_user_now_ns() < due_ns + SLACK);
}

/* Meanwhile an alarm comes for Y, which is above the ceiling that X asks for. */
static void waits(void)
{
	y = notes;
	let_it_ask(G3);
	await_a_mark();
	EXPECT_TRAIL("n");
	goes_on_after(1);
	EXPECT_TRAIL("xhw");
}

static void comes_later(void)
{
	mark('n');
}

/* Y is not above that ceiling. It runs after X, and its server does not get the core for Y. */
static void waits_at_its_ceiling(void)
{
	y = comes_later;
	let_it_ask(G2);
	while (plf_user_now_ns() - asked_ns < 600 * US)
		plf_spend(US);
	CHECK(left(MID) > 90 * US - SLACK);
	goes_on_after(1);
	EXPECT_TRAIL("hxnw");
}

/* X does not use the rest of the budget, and keeps MAIN out no longer. */
static void waits_twice(void)
{
	y = uses_the_next_one;
	let_it_ask(G3);
	ALLOWED(ActivateTask(Y));
	await_a_mark();
	EXPECT_TRAIL("n");
	plf_spend(20 * US);
	CHECK(left(MID) > 80 * US - SLACK);
	goes_on_after(2);
	EXPECT_TRAIL("xhw");
}

/* ---- Paybacks ---------------------------------------------------------------------------- */

/* The budget ends at the instant at which the task asks for it. */
static void overrun_by(uint64_t over_ns)
{
	ALLOWED(GetResource(G2));
	plf_spend(left(LOW));
	EXPECT(left(LOW), 0);
	plf_spend(over_ns);
}

static void has_left(uint64_t expected_ns)
{
	uint64_t left_ns = left(LOW);

	CHECK(left_ns <= expected_ns + US);
	CHECK(left_ns > expected_ns - 2 * SLACK);
}

/* The very next budget pays each overrun back. */
static void two_paybacks(void)
{
	await_period();
	overrun_by(40 * US);
	ALLOWED(ReleaseResource(G2));
	has_left(60 * US);
	overrun_by(30 * US);
	ALLOWED(ReleaseResource(G2));
	has_left(70 * US);
}

/* The same while a server is kept out, and waits for the end of the section. */
static void one_while_others_wait(void)
{
	await_period();
	x = marks;
	use_up_to(LOW, 40 * US);
	ALLOWED(GetResource(G2));
	ALLOWED(ActivateTask(X));
	plf_spend(left(LOW));
	EXPECT(left(LOW), 0);
	plf_spend(10 * US);
	mark('m');
	ALLOWED(ReleaseResource(G2));
	has_left(90 * US);
	EXPECT_TRAIL("mx");
}

static volatile uint64_t bit_ns;

static void spends_a_bit(void)
{
	plf_spend(bit_ns);
}

/*
 * After `others_ns` of other servers, at most 400 us, LOW uses its budget to the end in a section.
 */
static void is_inside_at_the_end(uint64_t others_ns)
{
	TickType until;

	await_period();
	until = (TickType)((OF_LOW - plf_user_now_ns() % OF_LOW) / US);
	h = spends_most;
	x = spends_a_bit;
	bit_ns = others_ns - 380 * US;
	ALLOWED(SetRelAlarm(TO_T, until, 0));
	ALLOWED(SetRelAlarm(TO_H, until, 0));
	ALLOWED(SetRelAlarm(TO_X, until, 0));
	await_a_mark();
	EXPECT_TRAIL("th");
	ALLOWED(GetResource(G2));
	plf_spend(130 * US);
	ALLOWED(ReleaseResource(G2));
}

/* The budget ends with its period, and the next budget begins. */
static void none_at_a_replenishment(void)
{
	is_inside_at_the_end(400 * US);
	has_left(70 * US);
}

/* The budget ends before the replenishment, at which the overrun ends and is paid back. */
static void one_until_a_replenishment(void)
{
	is_inside_at_the_end(390 * US);
	has_left(70 * US);
}

/* More urgent servers have the core until the next budget has passed, and its payback with it. */
static void a_late_one(void)
{
	await_period();
	h = x = spends_most;
	ALLOWED(SetRelAlarm(TO_T, 480, 0));
	ALLOWED(SetRelAlarm(TO_H, 480, 0));
	ALLOWED(SetRelAlarm(TO_X, 480, 0));
	overrun_by(40 * US);
	ALLOWED(ReleaseResource(G2));
	has_left(100 * US);
	EXPECT_TRAIL("th");
}

/*
 * The budget of MAIN's server comes while more urgent servers have the core. Its section then still
 * keeps X out.
 */
static void a_budget_of_a_holder(void)
{
	await_period();
	x = spends_a_bit;
	bit_ns = 100 * US;
	ALLOWED(ActivateTask(X));
	use_up_to(LOW, 20 * US);
	x = marks;
	h = spends_most;
	ALLOWED(GetResource(G2));
	ALLOWED(ActivateTask(X));
	ALLOWED(ActivateTask(T));
	ALLOWED(ActivateTask(H));
	has_left(100 * US);
	mark('m');
	ALLOWED(ReleaseResource(G2));
	EXPECT_TRAIL("thmx");
}

TASK(MAIN)
{
	two_servers();
	inner_of_two();
	two_tasks();
	one_in_another();
	waits();
	waits_at_its_ceiling();
	waits_twice();
	two_paybacks();
	one_while_others_wait();
	none_at_a_replenishment();
	one_until_a_replenishment();
	a_late_one();
	a_budget_of_a_holder();
	ShutdownOS(E_OK);
}
