/* SPDX-License-Identifier: MIT */
#ifndef PROOF_SERVERS_H
#define PROOF_SERVERS_H

/*
 * Servers below the sweep's actors: the kernel's code as shipped, the tables of system.c, and the
 * port's timer, which the model raises. PROOF_SERVER_0, _1, ... have kind, period, budget and
 * start. If servers share resources, they also have the policy, *X* and the row.
 */
#if PLF_SHARING
#define SHARES(sharing_, hold_, row_) .sharing = (sharing_), .hold_ns = (hold_), .row = (row_),
#else
#define SHARES(...)
#endif

#define SERVER_OF(kind_, period_, budget_, start_, ...)                                            \
	{                                                                                          \
		.kind = (kind_), .period_ns = (period_), .budget_ns = (budget_),                   \
		.start_ns = (start_), .signals = (1 << PLF_SERVERS) - 1, SHARES(__VA_ARGS__)       \
	}
#define SERVER(...) SERVER_OF(__VA_ARGS__)

const struct plf_server_config plf_server_config[PLF_SERVERS] = {
	SERVER(PROOF_SERVER_0),
	SERVER(PROOF_SERVER_1),
#if PLF_SERVERS == 4
	SERVER(PROOF_SERVER_2),
	SERVER(PROOF_SERVER_3),
#endif
};
const uint8_t plf_first_server[PLF_CPUS + 1] = { 0, PLF_SERVERS };
const uint64_t plf_counter_signals[PLF_COUNTERS + 1];
const struct plf_counter_config plf_counter_config[PLF_COUNTERS + 1];
const struct plf_alarm_config plf_alarm_config[PLF_ALL_ALARMS + 1];

/* the instant for which the port's timer is set */
uint64_t proof_timer_at;

void plf_port_set_timer(uint64_t at_ns)
{
	proof_timer_at = at_ns;
}

/* Empty, because only a run has arrivals from its port. */
void plf_port_set_arrival(uint64_t at_ns)
{
	(void)at_ns;
}

/* The timer's interrupt. */
uint64_t proof_timer(void *unused, uint64_t now)
{
	(void)unused;
	proof_now = now;
	plf_timer();
	return running();
}

const uint64_t proof_payers[] = {
	PAYER_OF(T8), PAYER_OF(T7), PAYER_OF(T6), PAYER_OF(T5),	 PAYER_OF(T4),	PAYER_OF(E4),
	PAYER_OF(M4), PAYER_OF(T3), PAYER_OF(T2), PAYER_OF(T2I), PAYER_OF(T2N), PAYER_OF(T1),
};

#endif
