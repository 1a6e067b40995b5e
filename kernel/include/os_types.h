/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_TYPES_H
#define PLF_OS_TYPES_H

/* The types and status codes of OSEK OS 2.2.3 (Section 13) and AUTOSAR OS. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shared by all OSEK modules, so the first header that is included defines it (OSEK Binding). */
#ifndef STATUSTYPEDEFINED
#define STATUSTYPEDEFINED
typedef uint8_t StatusType;
#define E_OK 0
#endif

typedef uint8_t TaskType;
typedef TaskType *TaskRefType;
typedef uint8_t TaskStateType;
typedef TaskStateType *TaskStateRefType;
typedef uint8_t ResourceType;
typedef uint64_t EventMaskType;
typedef EventMaskType *EventMaskRefType;
typedef uint8_t AlarmType;
typedef uint8_t CounterType;
typedef uint8_t ScheduleTableType;
typedef uint8_t ScheduleTableStatusType;
typedef ScheduleTableStatusType *ScheduleTableStatusRefType;
typedef uint32_t TickType;
typedef TickType *TickRefType;
typedef uint8_t AppModeType;
typedef uint8_t OSServiceIdType;
typedef uint8_t ProtectionReturnType;
typedef uint8_t CoreIdType;
typedef uint8_t ISRType;
typedef uint8_t SpinlockIdType;
typedef uint8_t ServerType;
typedef uint8_t ApplicationType;
typedef uint8_t ObjectTypeType;
typedef uint8_t ObjectAccessType;
typedef uint8_t ApplicationStateType;
typedef ApplicationStateType *ApplicationStateRefType;
typedef uint8_t RestartType;
typedef uint8_t TrustedFunctionIndexType;
typedef uint8_t FunctionIndexType;
typedef void *TrustedFunctionParameterRefType;
typedef uint8_t AccessType;
typedef const volatile void *MemoryStartAddressType;
typedef size_t MemorySizeType;
typedef enum { TRYTOGETSPINLOCK_NOSUCCESS, TRYTOGETSPINLOCK_SUCCESS } TryToGetSpinlockType;

typedef struct {
	TickType maxallowedvalue;
	TickType ticksperbase;
	TickType mincycle;
} AlarmBaseType;
typedef AlarmBaseType *AlarmBaseRefType;

enum { RUNNING, WAITING, READY, SUSPENDED };

/* The states of a schedule table. */
enum {
	SCHEDULETABLE_STOPPED,
	SCHEDULETABLE_NEXT,    /* it begins when another table ends */
	SCHEDULETABLE_WAITING, /* it begins after SyncScheduleTable() has given its position */
	SCHEDULETABLE_RUNNING,
	SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS,
};

/*
 * Kinds of objects for CheckObjectAccess() and CheckObjectOwnership(), and the results of the
 * former.
 */
enum {
	OBJECT_TASK,
	OBJECT_ISR,
	OBJECT_ALARM,
	OBJECT_RESOURCE,
	OBJECT_COUNTER,
	OBJECT_SCHEDULETABLE,
	PLF_OBJECT_KINDS,
};
enum { NO_ACCESS, ACCESS };

enum { APPLICATION_ACCESSIBLE, APPLICATION_RESTARTING, APPLICATION_TERMINATED };
enum { NO_RESTART, RESTART };

/* The bits of an AccessType. */
enum {
	PLF_IS_READABLE = 1 << 0,
	PLF_IS_WRITEABLE = 1 << 1,
	PLF_IS_EXECUTABLE = 1 << 2,
	PLF_IS_STACKSPACE = 1 << 3,
};

enum { OS_CORE_ID_0, OS_CORE_ID_1, OS_CORE_ID_2, OS_CORE_ID_3, OS_CORE_ID_MASTER = OS_CORE_ID_0 };

/* No object has these numbers. */
#define INVALID_TASK	      ((TaskType)0xff)
#define INVALID_RESOURCE      ((ResourceType)0xff)
#define INVALID_ALARM	      ((AlarmType)0xff)
#define INVALID_COUNTER	      ((CounterType)0xff)
#define INVALID_ISR	      ((ISRType)0xff)
#define INVALID_SPINLOCK      ((SpinlockIdType)0xff)
#define INVALID_SCHEDULETABLE ((ScheduleTableType)0xff)
#define INVALID_OSAPPLICATION ((ApplicationType)0xff)

/*
 * The description's first mode. With several cores, DONOTCARE takes the mode that another core
 * names.
 */
#define OSDEFAULTAPPMODE ((AppModeType)0)
#define DONOTCARE	 ((AppModeType)0xff)

enum {
	/* OSEK OS 2.2.3 */
	E_OS_ACCESS = 1,
	E_OS_CALLEVEL,
	E_OS_ID,
	E_OS_LIMIT,
	E_OS_NOFUNC,
	E_OS_RESOURCE,
	E_OS_STATE,
	E_OS_VALUE,
	/* AUTOSAR OS */
	E_OS_SERVICEID,
	E_OS_ILLEGAL_ADDRESS,
	E_OS_MISSINGEND,
	E_OS_DISABLEDINT,
	E_OS_PARAM_POINTER,
	E_OS_PROTECTION_MEMORY,
	E_OS_PROTECTION_EXCEPTION,
	E_OS_CORE,
	E_OS_INTERFERENCE_DEADLOCK,
	E_OS_NESTING_DEADLOCK,
	E_OS_SPINLOCK,
	E_OS_PROTECTION_LOCKED,
	E_OS_PROTECTION_TIME,
	E_OS_PROTECTION_ARRIVAL,
	E_OS_STACKFAULT,
};

/* The most bytes of a WriteConsole(), because interrupts wait for it. */
enum { PLF_CONSOLE_MOST = 256 };

/* The answers of ProtectionHook. */
enum {
	PRO_IGNORE,
	PRO_TERMINATETASKISR,
	PRO_TERMINATEAPPL,
	PRO_TERMINATEAPPL_RESTART,
	PRO_SHUTDOWN,
	PRO_RETURN, /* our extension: return to the caller of a protected function */
};

/* The result of a system call, in two registers. */
struct plf_result {
	uintptr_t status;
	uint64_t value;
};

#endif
