/* SPDX-License-Identifier: MIT */
/*
 * The start and the end of several cores: AUTOSAR OS, StartCore, StartOS and ShutdownOS.
 *
 * The first core runs from the reset on. If a trusted file has main(), each core begins there, as
 * in AUTOSAR. Otherwise the first core starts all others, and each core calls StartOS().
 */
#include "cores.h"
#include "mode.h"
#include "os_cores.h"
#include "port.h"
#include "service.h"

static uint32_t started = 1 << OS_CORE_ID_MASTER; /* bit mask of cores */
static uint32_t came[PLF_BARRIERS];
static uint32_t ended;	     /* number of cores that have ended */
static uint32_t first_error; /* first status of an ended core that was not E_OK */

static uint32_t number_of_cores(void)
{
	uint32_t seen = plf_load_acquire32(&started);
	uint32_t number = 0;

	for (unsigned index = 0; index < PLF_CPUS; index++)
		number += seen >> index & 1;
	return number;
}

/*
 * A core that has not come yet may start further cores, but a core that has come cannot. So
 * `so_far` must be read before the number of started cores. If both are equal, no other core can
 * come.
 */
void plf_wait_for_all(enum plf_barrier barrier)
{
	(void)plf_shared_add32(&came[barrier], 1);
	for (;;) {
		uint32_t so_far = plf_load_acquire32(&came[barrier]);

		if (so_far == number_of_cores())
			break;
		plf_port_wait_a_little();
	}
}

/* ---- For main() ------------------------------------------------------------------ */

void StartCore(CoreIdType index, StatusType *status)
{
	uint32_t seen = plf_load_acquire32(&started);

	*status = E_OS_ACCESS;
	if (plf_this_core()->place != PLF_IN_MAIN)
		return;
	*status = E_OS_ID;
	if (index >= PLF_CPUS)
		return;
	do {
		*status = E_OS_STATE;
		if (seen >> index & 1)
			return;
	} while (!plf_shared_cas32(&started, &seen, seen | 1U << index));
	*status = E_OK;
	plf_port_start_core(index);
}

/* All cores note their modes before a task starts, because plf_start() waits for all cores. */
static void note_mode(AppModeType mode)
{
	uint32_t first = 0;

	if (mode == DONOTCARE)
		return;
	if (mode >= PLF_MODES)
		plf_port_end(E_OS_ID);
	while (first == 0 && !plf_shared_cas32(&plf_noted_mode, &first, mode + 1U))
		;
	if (first != 0 && first != mode + 1U)
		plf_port_end(E_OS_STATE);
}

_Noreturn void StartOS(AppModeType mode)
{
	if (PLF_MODES)
		note_mode(mode);
	plf_start();
	plf_port_enter();
}

/* Default main(). A main() of a trusted file is compiled under this name, and replaces it. */
int plf_main(void);
__attribute__((weak)) int plf_main(void)
{
	StatusType status;

	if (plf_this_core()->index == OS_CORE_ID_MASTER)
		for (CoreIdType index = 1; index < PLF_CPUS; index++)
			StartCore(index, &status);
	StartOS(OSDEFAULTAPPMODE);
}

_Noreturn void plf_begin(void)
{
	(void)plf_main();
	plf_port_end(E_OS_MISSINGEND); /* main() did not call StartOS() */
}

/* ---- Services -------------------------------------------------------------------- */

struct plf_result plf_get_core_id(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	return plf_value(core->index);
}

struct plf_result plf_get_number_of_cores(uintptr_t a, uintptr_t b, uintptr_t c,
					  struct plf_core *core)
{
	return plf_value(number_of_cores());
}

struct plf_result plf_shutdown_all_cores(uintptr_t status, uintptr_t b, uintptr_t c,
					 struct plf_core *core)
{
	plf_port_note_end(plf_ending(status), "ShutdownAllCores");
	plf_shut_down(plf_ending(status));
}

void plf_note_status(StatusType status)
{
	uint32_t first = E_OK;

	while (first == E_OK && !plf_shared_cas32(&first_error, &first, status))
		;
}

_Noreturn void plf_leave_system(void)
{
	if (plf_shared_add32(&ended, 1) + 1 == number_of_cores())
		plf_port_end((StatusType)plf_load_acquire32(&first_error));
	plf_port_halt();
}
