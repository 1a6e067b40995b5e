/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVICE_H
#define PLF_SERVICE_H

/*
 * The services, a function each, called through the tables in calls.c. All have the same form, even
 * if they need fewer parameters. User code may pass any values. Each returns a status of OSEK 2.2.3
 * (Section 13) or AUTOSAR.
 *
 * Errors that would harm the kernel (wrong indices and counts) are always checked. Errors that harm
 * only the caller (a section left open, a wrong order) are checked in extended status.
 */
#include "core.h"
#include "os_calls.h"

typedef struct plf_result plf_service(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core);

#include "services.h"

/* The highest status with which a system may end. The runner uses the codes above. */
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

/* For alarms and arrivals too, which are no services. */
StatusType plf_activate(struct plf_core *core, struct plf_task *task);
__attribute__((warn_unused_result)) StatusType
plf_set_events(struct plf_core *core, struct plf_task *task, uint64_t events);

/* End the running task's activation, for any reason. No task runs afterwards. */
void plf_end_activation(struct plf_core *core);

/*
 * The running task did something forbidden. Do as ProtectionHook answers: end its activation, its
 * application, its call, or the system.
 */
void plf_end_foul(struct plf_core *core, StatusType status);

/* An arrival came too early. ProtectionHook must ignore that, or the system ends (SWS_Os_00506). */
void plf_report_arrival(struct plf_core *core);

/*
 * Call ErrorHook, if there is one, for an error of a service. For message services call
 * COMErrorHook.
 */
void plf_error(struct plf_core *core, StatusType status, unsigned service);

/* In error.c: keep a service's parameters, for such an error. */
enum { PLF_PARAMETERS = 3 };
void plf_keep_parameters(const struct plf_core *core, StatusType status, uintptr_t a, uintptr_t b,
			 uintptr_t c);

/* Like plf_error(), for a service whose parameters ErrorHook may read. */
static inline void plf_error_of_call(struct plf_core *core, StatusType status, unsigned service,
				     uintptr_t a, uintptr_t b, uintptr_t c)
{
	if (PLF_ERROR_PARAMETERS)
		plf_keep_parameters(core, status, a, b, c);
	plf_error(core, status, service);
}

/*
 * With applications: return whether the caller's application may use the object that the service
 * names. E_OK if the object does not exist, because the service itself refuses that.
 */
StatusType plf_access_of_application(const struct plf_core *core, uintptr_t number, uintptr_t a,
				     uintptr_t b);

/* Set the alarms of autostart. */
void plf_start_alarms(void);

/* End the system, on any core; end this core, which may not be the last. */
_Noreturn void plf_shut_down(StatusType status);
_Noreturn void plf_shut_down_core(StatusType status);

#endif
