/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_H
#define PLF_IOC_H

/*
 * Communication between tasks without the kernel: AUTOSAR OS, IOC. Ioc.h, which is generated from a
 * description, consists of these functions.
 *
 * Only tasks execute this code, because files that the kernel executes do not find this header. A
 * sender and its receiver share memory that belongs to these two tasks. The kernel never reads it,
 * and no value in it leads to a place outside of it. A task executes one service at a time.
 *
 * The time of each service grows with the size of the data. If an IOC has several senders, the time
 * of IocReceive, IocEmptyQueue, IocWrite and IocRead also grows with their number.
 */
#include "protocol/ioc_lanes.h"
#include "protocol/ioc_last.h"
#include "protocol/ioc_queue.h"

#include <stddef.h>
#include <stdint.h>

typedef uint8_t Std_ReturnType;

/*
 * AUTOSAR's values. No service returns IOC_E_NOK, or IOC_E_LENGTH, which is for data of dynamic
 * length.
 */
enum {
	IOC_E_OK = 0,
	IOC_E_NOK = 1,
	IOC_E_LOST_DATA = 64, /* a message was received, and an earlier message was lost */
	IOC_E_LIMIT = 130,    /* the queue is full: the message is lost */
	IOC_E_NO_DATA = 131,  /* the queue is empty */
	IOC_E_LENGTH = 132,
};

enum { PLF_IOC_PAGE = 4096 }; /* tasks share memory in pages of this size */

/*
 * Numbers and pointers are passed by value, all other types by reference. An array is recognised
 * because it becomes a pointer in an expression, which is another type.
 */
enum { PLF_IOC_STRUCT = 12, PLF_IOC_UNION = 13 }; /* of __builtin_classify_type() */
#define PLF_IOC_IS_ARRAY(type)                                                                     \
	(!__builtin_types_compatible_p(type, __typeof__((void)0, *(type *)NULL)))
#define PLF_IOC_BY_VALUE(type)                                                                     \
	(__builtin_classify_type(*(type *)NULL) != PLF_IOC_STRUCT &&                               \
	 __builtin_classify_type(*(type *)NULL) != PLF_IOC_UNION && !PLF_IOC_IS_ARRAY(type))

/* The type of the parameter, and the address of the data. */
#define PLF_IOC_IN(type)                                                                           \
	__typeof__(*__builtin_choose_expr(PLF_IOC_BY_VALUE(type), (type *)NULL,                    \
					  (const type **)NULL))
#define PLF_IOC_SOURCE(type, data) __builtin_choose_expr(PLF_IOC_BY_VALUE(type), &(data), data)

/* The words of a queue. */
struct plf_ioc_queue {
	struct plf_ioc_sent sent;
	struct plf_ioc_taken taken;
};

static inline Std_ReturnType plf_ioc_send(struct plf_ioc_queue *queue, uint32_t most, uint32_t mask,
					  char *places, const void *data, size_t size)
{
	uint32_t place;

	if (!plf_ioc_queue_claim(&queue->sent, &queue->taken, most, mask, &place))
		return IOC_E_LIMIT;
	__builtin_memcpy(&places[place * size], data, size);
	plf_ioc_queue_publish(&queue->sent);
	return IOC_E_OK;
}

static inline Std_ReturnType plf_ioc_receive(struct plf_ioc_queue *queue, uint32_t mask,
					     const char *places, void *data, size_t size)
{
	uint32_t place;

	if (!plf_ioc_queue_first(&queue->taken, &queue->sent, mask, &place))
		return IOC_E_NO_DATA;
	__builtin_memcpy(data, &places[place * size], size);
	return plf_ioc_queue_release(&queue->taken, &queue->sent) ? IOC_E_LOST_DATA : IOC_E_OK;
}

static inline Std_ReturnType plf_ioc_empty(struct plf_ioc_queue *queue)
{
	plf_ioc_queue_empty(&queue->taken, &queue->sent);
	return IOC_E_OK;
}

static inline Std_ReturnType plf_ioc_write(struct plf_ioc_last *last, char *slots, const void *data,
					   size_t size)
{
	uint32_t place = plf_ioc_last_claim(last);

	__builtin_memcpy(&slots[place * size], data, size);
	plf_ioc_last_publish(last, place);
	return IOC_E_OK;
}

static inline Std_ReturnType plf_ioc_read(struct plf_ioc_last *last, const char *slots, void *data,
					  size_t size)
{
	__builtin_memcpy(data, &slots[plf_ioc_last_find(last) * size], size);
	return IOC_E_OK;
}

/* ---- Several senders: protocol/ioc_lanes.h ------------------------------------- */

struct plf_ioc_lanes {
	char *first;
	uint32_t bytes; /* size of a lane */
	uint32_t count;
};

/* The lane at which the receiver looks next, in a page that only the receiver has. */
struct plf_ioc_turn {
	uint32_t lane;
} __attribute__((aligned(PLF_IOC_PAGE)));

/* Header of a lane of last values. The values follow it. */
struct plf_ioc_last_lane {
	struct plf_ioc_last last;
	uint64_t stamp;
	uint64_t stamps[PLF_IOC_SLOTS]; /* of the values */
};

static inline char *plf_ioc_lane(struct plf_ioc_lanes lanes, uint32_t lane)
{
	return &lanes.first[(size_t)lane * lanes.bytes];
}

static inline struct plf_ioc_queue *plf_ioc_queue_of(struct plf_ioc_lanes lanes, uint32_t lane)
{
	return (struct plf_ioc_queue *)(void *)plf_ioc_lane(lanes, lane);
}

static inline struct plf_ioc_last_lane *plf_ioc_last_of(struct plf_ioc_lanes lanes, uint32_t lane)
{
	return (struct plf_ioc_last_lane *)(void *)plf_ioc_lane(lanes, lane);
}

/* `places` is the offset of the places in each lane, in bytes. */
static inline Std_ReturnType plf_ioc_receive_one(struct plf_ioc_turn *turn,
						 struct plf_ioc_lanes lanes, uint32_t mask,
						 size_t places, void *data, size_t size)
{
	uint32_t lane = plf_ioc_turn(&turn->lane, lanes.count);

	for (uint32_t looks = 0; looks < lanes.count; looks++) {
		Std_ReturnType status =
			plf_ioc_receive(plf_ioc_queue_of(lanes, lane), mask,
					plf_ioc_lane(lanes, lane) + places, data, size);

		if (status != IOC_E_NO_DATA) {
			plf_ioc_turn_taken(&turn->lane, lane, lanes.count);
			return status;
		}
		lane = plf_ioc_lane_behind(lane, lanes.count);
	}
	return IOC_E_NO_DATA;
}

static inline Std_ReturnType plf_ioc_empty_all(struct plf_ioc_lanes lanes)
{
	for (uint32_t lane = 0; lane < lanes.count; lane++)
		(void)plf_ioc_empty(plf_ioc_queue_of(lanes, lane));
	return IOC_E_OK;
}

static inline Std_ReturnType plf_ioc_write_stamped(struct plf_ioc_lanes lanes, uint32_t own,
						   size_t slots, const void *data, size_t size)
{
	struct plf_ioc_last_lane *lane = plf_ioc_last_of(lanes, own);
	char *stamps = (char *)&plf_ioc_last_of(lanes, 0)->stamp;
	uint64_t stamp = plf_ioc_stamp_take(stamps, lanes.bytes, lanes.count, own);
	uint32_t place = plf_ioc_last_claim(&lane->last);

	plf_store64(&lane->stamps[place], stamp);
	__builtin_memcpy((char *)lane + slots + place * size, data, size);
	plf_ioc_last_publish(&lane->last, place);
	return IOC_E_OK;
}

/* The last value of a lane, and its stamp. Valid until the next call for that lane. */
static inline const char *plf_ioc_find(struct plf_ioc_lanes lanes, uint32_t number, size_t slots,
				       size_t size, uint64_t *stamp)
{
	struct plf_ioc_last_lane *lane = plf_ioc_last_of(lanes, number);
	uint32_t place = plf_ioc_last_find(&lane->last);

	*stamp = plf_load64(&lane->stamps[place]);
	return (const char *)lane + slots + place * size;
}

static inline Std_ReturnType plf_ioc_read_last(struct plf_ioc_lanes lanes, size_t slots, void *data,
					       size_t size)
{
	uint64_t latest;
	const char *last = plf_ioc_find(lanes, 0, slots, size, &latest);

	for (uint32_t lane = 1; lane < lanes.count; lane++) {
		uint64_t stamp;
		const char *found = plf_ioc_find(lanes, lane, slots, size, &stamp);

		if (plf_ioc_stamp_is_later(stamp, latest)) {
			latest = stamp;
			last = found;
		}
	}
	__builtin_memcpy(data, last, size);
	return IOC_E_OK;
}

#endif
