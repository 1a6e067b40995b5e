/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVICE_H
#define PLF_SERVICE_H

/*
 * The services, one function each, called through the tables in calls.c. All have the same form,
 * however much of it they need; user code may pass any values. Each returns the status of
 * OSEK 2.2.3 (Section 13) or AUTOSAR.
 *
 * Errors that would harm the kernel are checked always: indices, and counts. Errors that harm
 * only the caller (a section left open, a wrong order) are checked in extended status.
 */
#include "core.h"
#include "os_calls.h"

typedef struct plf_result plf_service(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core);

#include "services.h"

/* How a system may end: codes beyond these are the runner's. */
enum { PLF_LAST_STATUS = 99 };

static inline StatusType plf_ending(uintptr_t status)
{
	return status <= PLF_LAST_STATUS ? (StatusType)status : E_OS_VALUE;
}

static inline struct plf_result plf_status(StatusType status)
{
	return (struct plf_result) { .status = status, .value = 0 };
}

static inline struct plf_result plf_value(uint64_t value)
{
	return (struct plf_result) { .status = E_OK, .value = value };
}

/* For activations that do not come from a service: alarms, arrivals. */
StatusType plf_activate(struct plf_core *core, struct plf_task *task);
__attribute__((warn_unused_result)) StatusType
plf_set_events(struct plf_core *core, struct plf_task *task, uint64_t events);

/* The running task's activation is over, whatever the reason. No task runs then. */
void plf_end_activation(struct plf_core *core);

/* The running task did something forbidden: its activation ends, and another one runs, or none. */
void plf_end_foul(struct plf_core *core, StatusType status);

/* Something came too early: ProtectionHook ignores that, or the system ends (SWS_Os_00506). */
void plf_report_arrival(struct plf_core *core);

/* Call ErrorHook, if there is one, for an error of a service; of one of messages COMErrorHook. */
void plf_error(struct plf_core *core, StatusType status, unsigned service);

/* In error.c: the parameters of a service, for such an error. */
enum { PLF_PARAMETERS = 3 };
void plf_keep_parameters(const struct plf_core *core, StatusType status, uintptr_t a, uintptr_t b,
			 uintptr_t c);

/* As plf_error(), of a service whose parameters ErrorHook may ask for. */
static inline void plf_error_of_call(struct plf_core *core, StatusType status, unsigned service,
				     uintptr_t a, uintptr_t b, uintptr_t c)
{
	if (PLF_ERROR_PARAMETERS)
		plf_keep_parameters(core, status, a, b, c);
	plf_error(core, status, service);
}

/*
 * With applications: whether the caller's may use what this service is called for. E_OK also where
 * that is not there, which the service itself refuses.
 */
StatusType plf_access_of_application(const struct plf_core *core, uintptr_t number, uintptr_t a,
				     uintptr_t b);

/* Set the alarms of autostart. */
void plf_start_alarms(void);

/* The end of the system, on whatever core; and that of this core, which may not be the last. */
_Noreturn void plf_shut_down(StatusType status);
_Noreturn void plf_shut_down_core(StatusType status);

#endif
