/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUZZ_APPLICATION_STEPS_H
#define PLF_TEST_FUZZ_APPLICATION_STEPS_H

/* The steps of services of applications. steps.h includes this file after its tables. */

#if PLF_APPLICATIONS
static const ApplicationType applications[] = { P0, P1, P2, P3 };
static const ISRType isrs[] = { I0, I1 };

/* Objects by kind. */
static const struct table {
	const uint8_t *objects;
	size_t count;
} kinds[] = {
	[OBJECT_TASK] = { tasks, sizeof(tasks) },
	[OBJECT_ISR] = { isrs, sizeof(isrs) },
	[OBJECT_ALARM] = { alarms, sizeof(alarms) },
	[OBJECT_RESOURCE] = { resources, sizeof(resources) },
	[OBJECT_COUNTER] = { counters, sizeof(counters) },
#if PLF_SCHEDULE_TABLES
	[OBJECT_SCHEDULETABLE] = { schedule_tables, sizeof(schedule_tables) },
#else
	[OBJECT_SCHEDULETABLE] = { NULL, 0 },
#endif
};

static inline uint64_t object_of_kind(uint64_t kind, uint64_t number)
{
	if (kind >= PLF_OBJECT_KINDS || number >= kinds[kind].count)
		return number;
	return kinds[kind].objects[number];
}

static inline uint64_t number_of_kind(uint64_t kind, uint64_t object)
{
	if (kind >= PLF_OBJECT_KINDS)
		return object;
	return number_in(kinds[kind].objects, kinds[kind].count, object);
}

/* Outside trusted functions both services return the same: `first` chooses. */
static inline ApplicationType caller(const struct step *step)
{
	return step->first ? GetCurrentApplicationID() : GetApplicationID();
}

static inline struct answer answer_of_application(const struct step *step)
{
	ApplicationType application = OBJECT(applications, step->object);
	ObjectTypeType kind = (ObjectTypeType)step->first;
	ApplicationStateType state = 0xee;
	uint64_t object = object_of_kind(step->first, step->second);
	StatusType status;

	switch (step->code) {
	case STEP_GET_APPLICATION_ID:
		return (struct answer) { E_OK, NUMBER(applications, caller(step)), 0 };
	case STEP_CHECK_OBJECT_ACCESS:
		return (struct answer) { E_OK, CheckObjectAccess(application, kind, object), 0 };
	case STEP_CHECK_OBJECT_OWNERSHIP:
		application = CheckObjectOwnership(kind, object);
		return (struct answer) { E_OK, NUMBER(applications, application), 0 };
	case STEP_GET_APPLICATION_STATE:
		status = GetApplicationState(application, WHERE(step, state));
		return (struct answer) { status, state, 0 };
	case STEP_TERMINATE_APPLICATION:
		status = TerminateApplication(application, (RestartType)step->first);
		return (struct answer) { status, 0, 0 };
	default:
		return (struct answer) { AllowAccess(), 0, 0 };
	}
}
#else
static inline struct answer answer_of_application(const struct step *step)
{
	(void)step;
	return (struct answer) { E_OK, 0, 0 };
}
#endif

#endif
