/* SPDX-License-Identifier: MIT */
/* Each line of refused() must fail to compile with the message that header.cmake expects. */
#include <plafond.hpp>

void refused();

static plafond::mutex mutex(40), other(40);
static std::mutex plain;
static std::recursive_mutex recursive;

void refused()
{
	std::scoped_lock both(mutex, other);
	std::scoped_lock three(mutex, other, mutex);
	std::scoped_lock first(mutex, plain);
	std::scoped_lock second(recursive, mutex);
}
