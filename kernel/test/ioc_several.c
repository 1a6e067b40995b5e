/* SPDX-License-Identifier: MIT */
/*
 * IOC of several senders to a receiver, on a single core: the order of messages, the losses of a
 * full lane, and the last value. A makes the other tasks act at once.
 */
#include "check.h"

#include "Ioc.h"

static void (*does)(void);
static uint32_t number; /* the sent or received message */
static Std_ReturnType status;

static void in_task(TaskType task, void (*what)(void))
{
	does = what;
	EXPECT(ActivateTask(task), E_OK);
}

#define DOES(name)                                                                                 \
	TASK(name)                                                                                 \
	{                                                                                          \
		does();                                                                            \
		TerminateTask();                                                                   \
	}
DOES(B)
DOES(C)
DOES(D)
DOES(RECEIVER)

static void sends_b(void)
{
	status = IocSend_QUEUE_B(number);
}

static void sends_c(void)
{
	status = IocSend_QUEUE_C(number);
}

static void receives(void)
{
	status = IocReceive_QUEUE(&number);
}

/* Messages of A are below 10, those of B below 20, and of C above. */
static void send(uint32_t message, Std_ReturnType expected)
{
	number = message;
	if (message < 10)
		status = IocSend_QUEUE_A(message);
	else
		in_task(message < 20 ? B : C, message < 20 ? sends_b : sends_c);
	EXPECT(status, expected);
}

static void receive(uint32_t message, Std_ReturnType expected)
{
	number = 0;
	in_task(RECEIVER, receives);
	EXPECT(status, expected);
	EXPECT(number, message);
}

static void expect_nothing(void)
{
	receive(0, IOC_E_NO_DATA);
}

/* Each lane gives a message in turn. An empty lane is skipped. */
static void take_turns(void)
{
	expect_nothing();
	send(1, IOC_E_OK);
	send(2, IOC_E_OK);
	send(11, IOC_E_OK);
	send(12, IOC_E_OK);
	send(21, IOC_E_OK);
	receive(1, IOC_E_OK);
	receive(11, IOC_E_OK);
	receive(21, IOC_E_OK);
	receive(2, IOC_E_OK);
	receive(12, IOC_E_OK);
	expect_nothing();
	send(22, IOC_E_OK);
	send(23, IOC_E_OK);
	send(3, IOC_E_OK);
	receive(22, IOC_E_OK); /* the turn after B */
	receive(3, IOC_E_OK);
	receive(23, IOC_E_OK);
	expect_nothing();
}

/* Only its sender finds a lane full, and only that lane has the loss and its report. */
static void lose_one(void)
{
	send(12, IOC_E_OK);
	send(13, IOC_E_OK);
	send(14, IOC_E_LIMIT);
	send(4, IOC_E_OK);
	send(24, IOC_E_OK);
	receive(4, IOC_E_OK);
	receive(12, IOC_E_LOST_DATA);
	receive(24, IOC_E_OK);
	receive(13, IOC_E_OK);
	expect_nothing();
}

static void empties(void)
{
	static const struct plf_ioc_turn turn = { 2 };

	status = IocEmptyQueue_QUEUE();
	EXPECT(__builtin_memcmp(&plf_turn_of_ioc_QUEUE, &turn, sizeof(turn)), 0); /* and no more */
}

static void empty_all(void)
{
	for (uint32_t message = 1; message < 30; message += 10) {
		send(message, IOC_E_OK);
		send(message + 1, IOC_E_OK);
		send(message + 2, IOC_E_LIMIT);
	}
	in_task(RECEIVER, empties);
	EXPECT(status, IOC_E_OK);
	expect_nothing();
	send(25, IOC_E_OK);
	send(15, IOC_E_OK);
	send(5, IOC_E_OK);
	receive(25, IOC_E_OK); /* the turn after B is unchanged */
	receive(5, IOC_E_OK);
	receive(15, IOC_E_OK);
}

/* C ends in the middle of a service, so it has sent nothing. */
static void begins_to_send(void)
{
	uint32_t place;

	CHECK(plf_ioc_queue_claim(&plf_ioc_QUEUE[2].queue.sent, &plf_ioc_QUEUE[2].queue.taken, 2, 1,
				  &place));
	plf_ioc_QUEUE[2].places[place] = 99;
}

static void end_in_the_middle(void)
{
	in_task(C, begins_to_send);
	expect_nothing();
	send(26, IOC_E_OK);
	receive(26, IOC_E_OK);
	expect_nothing();
}

/* ---- The last value --------------------------------------------------------- */

static int16_t value;

static void writes_b(void)
{
	status = IocWrite_LAST_B(value);
}

static void writes_c(void)
{
	status = IocWrite_LAST_C(value);
}

static void reads(void)
{
	status = IocRead_LAST(&value);
}

static void write(TaskType task, int16_t what)
{
	value = what;
	if (task == A)
		status = IocWrite_LAST_A(what);
	else
		in_task(task, task == B ? writes_b : writes_c);
	EXPECT(status, IOC_E_OK);
}

static void expect_last(int16_t expected)
{
	in_task(RECEIVER, reads);
	EXPECT(status, IOC_E_OK);
	EXPECT(value, expected);
}

static void write_in_any_order(void)
{
	static const TaskType orders[] = { B, C, A, C, B, A, A, B, B, C, C, A };
	int16_t last = 0;

	expect_last(7);
	for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		write(orders[i], ++last);
		if (i % 4 != 1)
			expect_last(last);
	}
	expect_last(last);
}

static void writes_four_b(void)
{
	status = IocWrite_FOUR_B(value);
}

static void writes_four_c(void)
{
	status = IocWrite_FOUR_C(value);
}

static void writes_four_d(void)
{
	status = IocWrite_FOUR_D(value);
}

static void reads_four(void)
{
	status = IocRead_FOUR(&value);
}

static void write_four(unsigned sender)
{
	static void (*const writes[])(void) = { writes_four_b, writes_four_c, writes_four_d };
	static const TaskType tasks[] = { B, C, D };

	value++;
	if (sender == 0)
		status = IocWrite_FOUR_A(value);
	else
		in_task(tasks[sender - 1], writes[sender - 1]);
	EXPECT(status, IOC_E_OK);
}

/* The stamp of each lane counts, for each sender. */
static void write_by_each_two_of_four(void)
{
	value = 0;
	for (unsigned first = 0; first < 4; first++) {
		for (unsigned second = 0; second < 4; second++) {
			int16_t expected;

			write_four(first);
			write_four(second);
			expected = value;
			in_task(RECEIVER, reads_four);
			EXPECT(value, expected);
		}
	}
}

/* A writes its value with that stamp. */
static void publish_stamped(uint64_t stamp, int16_t what)
{
	struct plf_ioc_last_lane *lane = &plf_ioc_LAST[0].lane;
	uint32_t place = plf_ioc_last_claim(&lane->last);

	lane->stamps[place] = stamp;
	plf_ioc_LAST[0].slots[place] = what;
	plf_ioc_last_publish(&lane->last, place);
}

static uint64_t stamp_taken(void)
{
	char *stamps = (char *)&plf_ioc_LAST[0].lane.stamp;

	return plf_ioc_stamp_take(stamps, sizeof(plf_ioc_LAST[0]), 3, 0);
}

/*
 * B writes while A is in the middle of writing. B's value is the last, because it was begun later.
 * If A and B did not see each other's stamp, the first lane's value would be the last.
 */
static void write_at_once(void)
{
	uint64_t stamp = stamp_taken();

	write(B, 50);
	expect_last(50);
	publish_stamped(stamp, 51);
	expect_last(50);
	publish_stamped(plf_ioc_LAST[1].lane.stamp, 52);
	expect_last(52);
	write(C, 53);
	expect_last(53);
	(void)stamp_taken(); /* A is ended here, and begins again */
	expect_last(53);
	write(A, 54);
	expect_last(54);
}

static void go_on_behind(uint64_t stamp)
{
	plf_ioc_LAST[0].lane.stamp = stamp;
	publish_stamped(stamp, 60);
	expect_last(60);
	write(C, 61);
	EXPECT(plf_ioc_LAST[2].lane.stamp, stamp + 1);
	expect_last(61);
	write(B, 62);
	expect_last(62);
}

/* The stamp after the greatest is 0, which is later. */
static void wrap(void)
{
	go_on_behind(INT64_MAX);
	go_on_behind(UINT64_MAX);
	CHECK(plf_ioc_stamp_is_later(INT64_MAX, 0));
	CHECK(!plf_ioc_stamp_is_later(UINT64_C(1) << 63, 0));
}

static void write_word(const void *word)
{
	EXPECT(plf_ioc_write_stamped(plf_lanes_of_ioc_LAST(), 0,
				     offsetof(struct plf_ioc_area_LAST, slots), word,
				     sizeof(int16_t)),
	       IOC_E_OK);
}

/*
 * The value is copied after the stamp, and before the value can be found: the copy has the words of
 * that time.
 */
static void copy_before_it_is_found(void)
{
	struct plf_ioc_last_lane *lane = &plf_ioc_LAST[0].lane;
	int16_t written = (int16_t)lane->last.written;

	write_word(&lane->last.written);
	expect_last(written);
	write_word(&lane->stamps[plf_ioc_last_claim(&lane->last)]);
	expect_last((int16_t)lane->stamp);
}

/* ---- By reference ------------------------------------------------------------ */

static struct wide wide = { UINT64_MAX, { [20] = 'z' } };

static void passes_b(void)
{
	EXPECT(IocSend_ONE_B(&wide), IOC_E_OK);
	EXPECT(IocSend_ONE_B(&wide), IOC_E_LIMIT);
	wide.number = 8;
	EXPECT(IocWrite_WIDE_B(&wide), IOC_E_OK);
}

static void passes_c(void)
{
	wide.number = 9;
	EXPECT(IocSend_ONE_C(&wide), IOC_E_OK);
	EXPECT(IocWrite_WIDE_C(&wide), IOC_E_OK);
}

static void pass_structs(void)
{
	struct wide found = { .number = 1 };

	EXPECT(IocRead_WIDE(&found), IOC_E_OK);
	EXPECT(found.number, 0);
	in_task(B, passes_b);
	in_task(C, passes_c);
	EXPECT(IocReceive_ONE(&found), IOC_E_OK);
	EXPECT(found.number, 9);
	EXPECT(IocReceive_ONE(&found), IOC_E_LOST_DATA);
	EXPECT(found.number, UINT64_MAX);
	EXPECT(IocReceive_ONE(&found), IOC_E_NO_DATA);
	EXPECT(IocRead_WIDE(&found), IOC_E_OK);
	EXPECT(found.number, 9);
	EXPECT(found.text[20], 'z');
}

TASK(A)
{
	take_turns();
	lose_one();
	empty_all();
	end_in_the_middle();
	write_in_any_order();
	write_by_each_two_of_four();
	write_at_once();
	wrap();
	copy_before_it_is_found();
	pass_structs();
	EXPECT(test.errors, 0);
	ShutdownOS(E_OK);
}
